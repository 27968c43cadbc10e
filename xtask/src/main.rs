//! Project chores: `cargo xtask CHORE`. Each checks one thing, or writes generated files.
//!
//! Knows the repository, not the product: no chore starts zeug.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a tool for the terminal

mod codegen;
mod coverage;
mod doors;
mod duplicates;
mod floors;
mod licenses;
mod metadata;
mod repository;
mod spdx;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  codegen           write protocol/schemas/*.json and protocol/limits.json from the code
  codegen --check   fail when these files are not what the code says
  coverage          write docs/compatibility.md from protocol/coverage.toml
  coverage --check  fail when a row there has no test, or names one that does not run
  floors            fail when a crate depends on its own floor or on a higher one
  doors             fail when source text does what belongs to another crate
  licenses          fail when a dependency has a licence that deny.toml does not allow
  duplicates        fail when a crate comes in several versions that duplicates.toml does not list
  check             codegen --check, coverage --check, floors, doors, licenses and duplicates
";

/// What a chore found: nothing means that all is well.
type Problems = Vec<String>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let chores: &[&str] = match words.as_slice() {
        ["codegen", "--check"] => &["codegen --check"],
        ["coverage", "--check"] => &["coverage --check"],
        ["check"] => &[
            "codegen --check",
            "coverage --check",
            "floors",
            "doors",
            "licenses",
            "duplicates",
        ],
        ["codegen" | "coverage" | "floors" | "doors" | "licenses" | "duplicates"] => &words,
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprint!("unknown chore {:?}\n\n{USAGE}", other.join(" "));
            return ExitCode::from(2);
        }
    };
    let clean = chores.iter().map(|chore| run(chore));
    // Every chore runs, also after one has failed.
    if clean.fold(true, |all, one| all & one) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs a chore and says how it went.
fn run(chore: &str) -> bool {
    let found = match chore {
        "codegen" => codegen::write(),
        "codegen --check" => codegen::check(),
        "coverage" => coverage::write(),
        "coverage --check" => coverage::check(),
        "floors" => floors::check(),
        "doors" => doors::check(),
        "licenses" => licenses::check(),
        _ => duplicates::check(),
    };
    match found {
        Ok(problems) if problems.is_empty() => {
            println!("{chore}: ok");
            true
        }
        Ok(problems) => {
            for problem in &problems {
                eprintln!("error: {problem}");
            }
            eprintln!("{chore}: {} found", problems.len());
            false
        }
        Err(error) => {
            eprintln!("error: {chore}: {error:#}");
            false
        }
    }
}
