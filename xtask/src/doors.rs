//! One door for each danger: what the lints cannot see, found by reading source text.
//!
//! Text, not syntax: comments and tests are left out by their shape, and a needle in a string
//! counts. Where that is wrong, say it in other words.

use anyhow::Result;

use crate::Problems;
use crate::repository::{Source, sources};

/// What only some folders may say.
struct Door {
    needles: &'static [&'static str],
    /// Folders behind the door.
    rooms: &'static [&'static str],
    advice: &'static str,
}

const DOORS: [Door; 3] = [
    Door {
        needles: &[
            "print!",
            "println!",
            "eprint!",
            "eprintln!",
            "stdout()",
            "stderr()",
        ],
        rooms: &[
            "crates/front-text/",
            "crates/front-tui/",
            "crates/cli/",
            "xtask/",
            "benches/",
        ],
        advice: "only the faces write to stdout and stderr: return the text, or announce it",
    },
    Door {
        needles: &["process::Command", "process_wrap", "fork()"],
        rooms: &["crates/process/", "xtask/"],
        advice: "only zeug-process starts children: use its Spawner or run",
    },
    Door {
        needles: &[
            "env::var",
            "env::vars",
            "env::var_os",
            "env::vars_os",
            "env::set_var",
            "env::remove_var",
        ],
        rooms: &["crates/config/", "xtask/", "benches/"],
        advice: "only zeug-config reads the environment: take the value as an argument",
    },
];

/// Words of unfinished work. Put together here, so that this file does not hold them.
const UNFINISHED: [&str; 4] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("to", "do!("),
    concat!("un", "implemented!("),
];

/// Lines of a file that are worth a look; no law, a warning.
const LONG: usize = 400;

const CODE: [&str; 6] = [".rs", ".py", ".js", ".ts", ".go", ".sh"];

/// Reads every source file. Prints the long ones.
pub(crate) fn check() -> Result<Problems> {
    let mut problems = Problems::new();
    for source in sources(&CODE)? {
        let lines = source.text.lines().count();
        if lines > LONG {
            println!("note: {} has {lines} lines", source.path);
        }
        problems.extend(scan(&source));
    }
    Ok(problems)
}

fn scan(source: &Source) -> Problems {
    let mut problems = Problems::new();
    let path = &source.path;
    for (line, at) in source.text.lines().zip(1..) {
        for word in UNFINISHED.iter().filter(|word| has(line, word)) {
            problems.push(format!(
                "{path}:{at}: {word}: finish it, or write an issue and say why it can wait"
            ));
        }
    }
    if path.ends_with(".rs") {
        if !source.text.starts_with("//!") {
            problems.push(format!(
                "{path}:1: a file opens with `//!`: what it is, and what it does not know"
            ));
        }
        if !path.contains("tests/") && !path.ends_with("/tests.rs") {
            problems.extend(open_doors(source));
        }
    }
    problems
}

/// Uses of what lives behind a door elsewhere.
fn open_doors(source: &Source) -> Problems {
    let closed: Vec<&Door> = DOORS
        .iter()
        .filter(|door| !door.rooms.iter().any(|room| source.path.starts_with(room)))
        .collect();
    let mut problems = Problems::new();
    for (at, line) in product_lines(&source.text) {
        for door in &closed {
            if let Some(needle) = door.needles.iter().find(|needle| has(line, needle)) {
                let (path, advice) = (&source.path, door.advice);
                problems.push(format!("{path}:{at}: `{needle}`: {advice}"));
            }
        }
    }
    problems
}

/// The numbered lines that are neither comments nor part of a test module.
fn product_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut before = "";
    (1..)
        .zip(text.lines())
        .take_while(move |(_, line)| {
            let tests = before == "#[cfg(test)]" && line.starts_with("mod ") && line.ends_with('{');
            before = line;
            !tests
        })
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Whether `line` has `needle` as a word of its own, neither as a method nor as a definition.
fn has(line: &str, needle: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(needle).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + needle.len()..]);
        let joined = before.ends_with(|c: char| is_word(c) || c == '.')
            || (needle.ends_with(is_word) && after.starts_with(is_word));
        !joined && !before.ends_with("fn ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expect: &[&str]) {
        let source = Source {
            path: path.into(),
            text: format!("//! A room.\n{text}"),
        };
        let found = scan(&source);
        assert_eq!(found.len(), expect.len(), "{found:#?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found}");
        }
    }

    #[test]
    fn this_repository_keeps_its_doors_shut() {
        let found = super::check().unwrap();
        assert!(found.is_empty(), "{found:#?}");
    }

    #[test]
    fn only_faces_print() {
        let print = "fn f() {\n    println!(\"x\");\n}\n";
        check(
            "crates/engine/src/lib.rs",
            print,
            &["crates/engine/src/lib.rs:3: `println!`"],
        );
        check("crates/front-text/src/lib.rs", print, &[]);
        check("crates/cli/src/main.rs", print, &[]);
        let write = "let out = std::io::stdout();\n";
        check(
            "crates/app/src/lib.rs",
            write,
            &["`stdout()`: only the faces"],
        );
        check(
            "crates/app/src/lib.rs",
            "child.stdout();\nfn stdout() {}\n",
            &[],
        );
    }

    #[test]
    fn only_process_starts_children() {
        let text = "use tokio::process::Command;\n";
        check(
            "crates/mcp/src/lib.rs",
            text,
            &["only zeug-process starts children"],
        );
        check("crates/process/src/spawn.rs", text, &[]);
    }

    #[test]
    fn only_config_reads_the_environment() {
        let text = "let home = std::env::var_os(\"HOME\");\n";
        check("crates/cli/src/main.rs", text, &["only zeug-config reads"]);
        check("crates/config/src/env.rs", text, &[]);
    }

    #[test]
    fn tests_and_comments_may() {
        let text = "// println!\n/// println!\n#[cfg(test)]\nmod tests {\n    println!();\n}\n";
        check("crates/engine/src/lib.rs", text, &[]);
        check("crates/engine/tests/it/main.rs", "println!();\n", &[]);
        let used_before = "#[cfg(test)]\nuse x;\nprintln!();\n";
        check("crates/engine/src/lib.rs", used_before, &[":4: `println!`"]);
    }

    #[test]
    fn unfinished_work_is_named() {
        let word = UNFINISHED[0];
        check("sdk/go/ext.go", &format!("// {word}: later\n"), &[":2: "]);
        check("crates/a/src/lib.rs", &format!("let {word}S = 1;\n"), &[]);
        check(
            "crates/a/tests/it.rs",
            &format!("{}\"x\")\n", UNFINISHED[3]),
            &[":2: "],
        );
    }

    #[test]
    fn a_file_says_what_it_is() {
        let source = Source {
            path: "crates/a/src/lib.rs".into(),
            text: "use std::fmt;\n".into(),
        };
        assert!(scan(&source)[0].contains("opens with `//!`"));
    }
}
