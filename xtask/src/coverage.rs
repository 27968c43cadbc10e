//! What zot's and zut's pages ask of a host, each row with the tests that would notice its absence.
//!
//! `protocol/coverage.toml` has the rows; this checks them against the sources and writes
//! `docs/compatibility.md`. It knows names of tests, not whether they pass: that is for `cargo test`.

mod page;
mod table;
mod tests_there;

use std::fs;

use anyhow::{Context, Result};

use crate::Problems;
use crate::repository::{self, root};

use table::Table;
use tests_there::Tests;

const FILE: &str = "protocol/coverage.toml";
const PAGE: &str = "docs/compatibility.md";

/// Writes the page. Problems of the table are told as well, and then nothing is written.
pub(crate) fn write() -> Result<Problems> {
    let (page, problems) = look()?;
    if problems.is_empty() && fs::read_to_string(root().join(PAGE)).ok().as_ref() != Some(&page) {
        fs::write(root().join(PAGE), &page).with_context(|| format!("writing {PAGE}"))?;
        println!("wrote {PAGE}");
    }
    Ok(problems)
}

/// Problems of the table, and whether the page is what the table says.
pub(crate) fn check() -> Result<Problems> {
    let (page, mut problems) = look()?;
    if problems.is_empty() && fs::read_to_string(root().join(PAGE)).ok().as_ref() != Some(&page) {
        problems.push(format!(
            "{PAGE} is not what {FILE} says: run `cargo xtask coverage`"
        ));
    }
    Ok(problems)
}

fn look() -> Result<(String, Problems)> {
    let table: Table =
        toml::from_str(&repository::read(FILE)?).with_context(|| format!("reading {FILE}"))?;
    let tests = Tests::find()?;
    let problems = table.problems(&tests);
    Ok((page::write(&table, &tests), problems))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_row_of_the_two_pages_has_its_test() {
        let found = super::check().unwrap();
        assert!(found.is_empty(), "{found:#?}");
    }
}
