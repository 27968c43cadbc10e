//! The tests and vectors that the repository has, found by reading source text.
//!
//! Whether the compiler sees a file is not known here: a test in a file that no module names would
//! count.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::repository::{Source, sources};

/// Something that a row can name.
pub(super) struct Test {
    /// From the root, with `/`.
    pub(super) path: String,
    /// The function's name, or the example's.
    pub(super) name: String,
    ignored: bool,
}

/// All of them.
pub(super) struct Tests(Vec<Test>);

impl Tests {
    pub(super) fn find() -> Result<Self> {
        Self::of(&sources(&[".rs", ".ndjson"])?)
    }

    pub(super) fn of(sources: &[Source]) -> Result<Self> {
        let mut tests = Vec::new();
        for source in sources {
            if source.path.ends_with(".rs") {
                tests.extend(functions(source));
            } else if source.path.contains("vectors/") || cfg!(test) {
                tests.extend(examples(source)?);
            }
        }
        Ok(Self(tests))
    }

    /// The one test with this name, which may be an end of `path/file::name`.
    ///
    /// # Errors
    ///
    /// A sentence: there is none, there are several, or it does not run.
    pub(super) fn find_one(&self, name: &str) -> Result<&Test, String> {
        let (place, last, kind) = match name.split_once('#') {
            Some((file, example)) => (Some(file), example, "example"),
            None => match name.rsplit_once("::") {
                Some((file, function)) => (Some(file), function, "test"),
                None => (None, name, "test"),
            },
        };
        let mut found = self.0.iter().filter(|test| {
            test.name == last && place.is_none_or(|place| ends_with(&test.path, place))
        });
        match (found.next(), found.next()) {
            (None, _) => Err(format!("no {kind} is called {name}")),
            (Some(one), Some(other)) => Err(format!(
                "several tests are called {name}: {} and {}",
                one.path, other.path
            )),
            (Some(one), None) if one.ignored => Err(format!("{name} is ignored")),
            (Some(one), None) => Ok(one),
        }
    }
}

/// Whether a path, with or without `.rs`, ends with whole parts of another.
fn ends_with(path: &str, place: &str) -> bool {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.strip_suffix(place)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// The functions with an attribute that ends in `test`.
fn functions(source: &Source) -> Vec<Test> {
    let mut found = Vec::new();
    let (mut is_test, mut ignored, mut open) = (false, false, false);
    for line in source.text.lines() {
        let line = line.trim();
        if open || line.starts_with("#[") {
            if !open {
                let name = line.trim_start_matches("#[");
                let name = name.split(['(', ']', ' ', '=']).next().unwrap_or(name);
                is_test |= name == "test" || name.ends_with("::test");
                ignored |= name == "ignore" || line.contains(", ignore");
            }
            open = !line.ends_with(']');
        } else if let Some(name) = function(line) {
            if is_test {
                found.push(Test {
                    path: source.path.clone(),
                    name: name.into(),
                    ignored,
                });
            }
            (is_test, ignored) = (false, false);
        } else if !line.starts_with("//") {
            (is_test, ignored) = (false, false);
        }
    }
    found
}

fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line.strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

#[derive(Deserialize)]
struct Example {
    name: String,
}

fn examples(source: &Source) -> Result<Vec<Test>> {
    let lines = source.text.lines().zip(1..);
    lines
        .map(|(text, line)| {
            let place = || format!("reading {}:{line}", source.path);
            let example: Example = serde_json::from_str(text).with_context(place)?;
            Ok(Test {
                path: source.path.clone(),
                name: example.name,
                ignored: false,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_decide() {
        let text = "\
#[test]
#[should_panic(
    expected = \"x\"
)]
fn one() {}
    #[tokio::test(flavor = \"multi_thread\")]
    // A word about it.
    async fn two<'a>() {}
#[cfg(test)]
fn helper() {}
#[test]
const NOTHING: u8 = 0;
fn other() {}
";
        let source = Source {
            path: "a.rs".into(),
            text: text.into(),
        };
        let found = functions(&source);
        let names: Vec<_> = found.iter().map(|test| &*test.name).collect();
        assert_eq!(names, ["one", "two"]);
    }

    #[test]
    fn paths_end_in_whole_parts() {
        for (place, expect) in [
            ("greeting", true),
            ("scenarios/greeting", true),
            ("ting", false),
            ("it/scenarios/greeting", true),
        ] {
            assert_eq!(
                ends_with("it/scenarios/greeting.rs", place),
                expect,
                "{place}"
            );
        }
    }
}
