//! Crates that come in several versions: each costs build time, and values do not fit together.
//!
//! `duplicates.toml` lists those that cannot be helped. The list is exact in both directions.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{Problems, metadata, repository};

const FILE: &str = "xtask/duplicates.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    #[serde(default)]
    duplicate: Vec<Duplicate>,
}

/// A crate that may come in these versions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Duplicate {
    name: String,
    /// Up to the number that breaks: `0.2`, `1`.
    versions: Vec<String>,
    reason: String,
}

/// Every duplicate that is not listed as it is, and every entry without one.
pub(crate) fn check() -> Result<Problems> {
    let known: Known =
        toml::from_str(&repository::read(FILE)?).with_context(|| format!("reading {FILE}"))?;
    let packages = metadata::everything()?.packages;
    let versions = packages
        .iter()
        .filter(|package| package.source.is_some())
        .map(|package| (package.name.as_str(), package.version.as_str()));
    Ok(problems(versions, &known))
}

fn problems<'a>(crates: impl Iterator<Item = (&'a str, &'a str)>, known: &Known) -> Problems {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, version) in crates {
        all.entry(name).or_default().push(breaking(version));
    }
    all.retain(|_, versions| versions.len() > 1);
    let mut problems = Problems::new();
    for (name, found) in &mut all {
        found.sort_unstable();
        let found = found.join(", ");
        match known.duplicate.iter().find(|d| d.name == *name) {
            None => problems.push(format!(
                "{name} comes in the versions {found}: let all agree on one (`cargo tree \
                 --duplicates` shows who wants which), or list it in {FILE} with the reason"
            )),
            Some(listed) if sorted(&listed.versions) != found => problems.push(format!(
                "{name} comes in the versions {found}, but {FILE} lists {}",
                sorted(&listed.versions)
            )),
            Some(listed) if listed.reason.trim().is_empty() => {
                problems.push(format!("{FILE} gives no reason for {name}"));
            }
            Some(_) => {}
        }
    }
    let gone = known
        .duplicate
        .iter()
        .filter(|d| !all.contains_key(d.name.as_str()))
        .map(|d| {
            format!(
                "{FILE} lists {}, which has one version now: remove it",
                d.name
            )
        });
    problems.extend(gone);
    problems
}

fn sorted(versions: &[String]) -> String {
    let mut versions = versions.to_vec();
    versions.sort_unstable();
    versions.join(", ")
}

/// The version up to the number whose change may break a user.
fn breaking(version: &str) -> &str {
    let significant = version.find(|c: char| c.is_ascii_digit() && c != '0');
    let at = significant.unwrap_or(0);
    let end = version[at..]
        .find(['.', '-', '+'])
        .map_or(version.len(), |n| at + n);
    &version[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_cut_after_the_number_that_breaks() {
        let check = |version, expect| assert_eq!(breaking(version), expect);
        check("1.2.3", "1");
        check("12.0.1", "12");
        check("0.13.1", "0.13");
        check("0.0.7", "0.0.7");
        check("2.0.0-rc.1", "2");
        check("0.11.1+wasi", "0.11");
    }

    #[test]
    fn the_list_is_exact_in_both_directions() {
        let crates = [
            ("a", "1.0.0"),
            ("a", "2.1.0"),
            ("b", "1.0.0"),
            ("c", "0.1.9"),
            ("c", "0.2.0"),
        ];
        let check = |list: &str, expect: &[&str]| {
            let found = problems(crates.into_iter(), &toml::from_str(list).unwrap());
            assert_eq!(found.len(), expect.len(), "{found:#?}");
            for (found, expect) in found.iter().zip(expect) {
                assert!(found.contains(expect), "{found}");
            }
        };
        let entry = |name, versions: &str| {
            format!("[[duplicate]]\nname = {name:?}\nversions = {versions}\nreason = \"why\"\n")
        };
        let a = entry("a", r#"["2", "1"]"#);
        let c = entry("c", r#"["0.1", "0.2"]"#);
        check(&format!("{a}{c}"), &[]);
        check(&a, &["c comes in the versions 0.1, 0.2:"]);
        let b = entry("b", r#"["1", "2"]"#);
        check(
            &format!("{a}{b}{c}"),
            &["lists b, which has one version now"],
        );
        let a3 = entry("a", r#"["1", "2", "3"]"#);
        check(
            &format!("{a3}{c}"),
            &["but xtask/duplicates.toml lists 1, 2, 3"],
        );
        check(
            &format!("{a}{c}").replacen("why", " ", 1),
            &["no reason for a"],
        );
    }
}
