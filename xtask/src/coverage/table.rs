//! The rows, and what can be wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::FILE;
use super::tests_there::Tests;
use crate::Problems;

/// All of `protocol/coverage.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The pages that are covered, by the word that rows use for them.
    pub(super) page: BTreeMap<String, Page>,
    /// Rows about one matter.
    pub(super) part: Vec<Part>,
}

/// A page that says what an extension may expect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub(super) title: String,
    /// The word that rows use and the heading, in the order of the page.
    pub(super) sections: Vec<[String; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) title: String,
    pub(super) row: Vec<Row>,
}

/// One frame, field or rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// Unique, and stable: other texts may refer to it.
    pub(super) id: String,
    /// `page.section` of all places that ask for it.
    pub(super) from: Vec<String>,
    /// What is asked, in one line of our own.
    pub(super) rule: String,
    /// `file::name` of tests, with as much of the path as makes it one; or `file.ndjson#name` of a
    /// vector.
    #[serde(default)]
    pub(super) tests: Vec<String>,
    /// Where zeug does otherwise, on purpose.
    pub(super) note: Option<String>,
    /// What is missing; such a row has no tests yet.
    pub(super) pending: Option<String>,
    /// Why it binds no host, or not this one; such a row has no tests.
    pub(super) outside: Option<String>,
}

impl Table {
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.part.iter().flat_map(|part| &part.row)
    }

    /// Everything that is wrong, in the order of the rows.
    pub(super) fn problems(&self, tests: &Tests) -> Problems {
        let mut problems = Problems::new();
        let mut ids = BTreeSet::new();
        let mut named = BTreeSet::new();
        for row in self.rows() {
            let id = &row.id;
            if !ids.insert(id) {
                problems.push(format!("{FILE}: two rows are called {id}"));
            }
            if row.from.is_empty() {
                problems.push(format!("{FILE}: {id}: say with `from` who asks for it"));
            }
            for place in &row.from {
                if !self.has(place) {
                    problems.push(format!("{FILE}: {id}: no page has a section {place}"));
                }
                named.insert(place.clone());
            }
            problems.extend(row.problems(tests));
        }
        let silent = self.places().filter(|place| !named.contains(place));
        problems.extend(silent.map(|place| format!("{FILE}: no row is about {place}")));
        problems
    }

    fn has(&self, place: &str) -> bool {
        place.split_once('.').is_some_and(|(page, section)| {
            let page = self.page.get(page);
            page.is_some_and(|page| page.sections.iter().any(|[word, _]| word == section))
        })
    }

    fn places(&self) -> impl Iterator<Item = String> {
        self.page.iter().flat_map(|(name, page)| {
            let words = page.sections.iter();
            words.map(move |[word, _]| format!("{name}.{word}"))
        })
    }
}

impl Row {
    fn problems(&self, tests: &Tests) -> Problems {
        let id = &self.id;
        let wrong = |what: String| format!("{FILE}: {id}: {what}");
        let mut problems = Problems::new();
        for (name, text) in [
            ("rule", Some(&self.rule)),
            ("note", self.note.as_ref()),
            ("pending", self.pending.as_ref()),
            ("outside", self.outside.as_ref()),
        ] {
            if text.is_some_and(|text| text.trim().is_empty() || text.contains(['\n', '|'])) {
                problems.push(wrong(format!("`{name}` is one line of text without `|`")));
            }
        }
        match (self.tests.is_empty(), &self.pending, &self.outside) {
            (false, None, None) | (true, Some(_), None) | (true, None, Some(_)) => {}
            (true, None, None) => problems.push(wrong("no test covers it".into())),
            _ => problems.push(wrong(
                "it has tests, or is pending, or is outside: one of these".into(),
            )),
        }
        let unusable = self
            .tests
            .iter()
            .filter_map(|name| tests.find_one(name).err());
        problems.extend(unusable.map(wrong));
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::Source;

    #[track_caller]
    fn check(row: &str, expect: &[&str]) {
        let text = format!(
            "[page.zot]\ntitle = \"zot\"\nsections = [[\"a\", \"A\"]]\n\
             [[part]]\ntitle = \"One\"\n[[part.row]]\nid = \"x\"\nrule = \"y\"\n{row}"
        );
        let table: Table = toml::from_str(&text).unwrap();
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let tests = Tests::of(&[
            source(
                "a/tests/it/one.rs",
                "#[test]\nfn same() {}\n#[test]\nfn own() {}\n",
            ),
            source("b/tests/it/two.rs", "#[tokio::test]\nasync fn same() {}\n"),
            source(
                "b/src/x.rs",
                "#[test]\n#[ignore = \"slow\"]\nfn slow() {}\nfn none() {}\n",
            ),
            source("v/ready.ndjson", "{\"name\":\"as it should be\"}\n"),
        ])
        .unwrap();
        let found = table.problems(&tests);
        assert_eq!(found.len(), expect.len(), "{found:#?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found}");
        }
    }

    const A: &str = "from = [\"zot.a\"]\n";

    #[test]
    fn a_row_names_tests_that_are_there() {
        check(&format!("{A}tests = [\"one::same\", \"own\"]"), &[]);
        check(
            &format!("{A}tests = [\"ready.ndjson#as it should be\"]"),
            &[],
        );
        check(
            &format!("{A}tests = [\"gone\"]"),
            &["no test is called gone"],
        );
        check(
            &format!("{A}tests = [\"none\"]"),
            &["no test is called none"],
        );
        check(&format!("{A}tests = [\"ready.ndjson#b\"]"), &["no example"]);
        check(&format!("{A}tests = [\"same\"]"), &["several tests"]);
        check(&format!("{A}tests = [\"slow\"]"), &["slow is ignored"]);
    }

    #[test]
    fn a_row_without_a_test_says_why() {
        check(A, &["no test covers it"]);
        check(&format!("{A}pending = \"z\""), &[]);
        check(&format!("{A}outside = \"z\""), &[]);
        let both = format!("{A}pending = \"z\"\ntests = [\"own\"]");
        check(&both, &["one of these"]);
        check(&format!("{A}pending = \"\""), &["one line of text"]);
    }

    #[test]
    fn a_row_is_about_a_section_and_every_section_has_one() {
        check(
            "from = [\"zot.b\"]\ntests = [\"own\"]",
            &["no page has a section zot.b", "no row is about zot.a"],
        );
        check(
            "from = []\ntests = [\"own\"]",
            &["say with `from`", "no row is about zot.a"],
        );
    }
}
