//! What a typed line is. Pure: decides nothing about what becomes of it.

const SKILL: &str = "skill:";

/// A line that somebody typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed<'a> {
    /// Text for the model, as it was typed. So are paths and other things that begin with a slash
    /// and are no name of a command.
    Prompt(&'a str),
    /// `!ls`: a shell command, without its mark.
    Shell(&'a str),
    /// `/name args`.
    Command {
        /// As it was typed, without its slash: `[A-Za-z0-9_-]+`.
        name: &'a str,
        /// What stands behind it: kept inside, without white space around it.
        args: &'a str,
    },
    /// `/skill:NAME rest`: a prompt that a skill begins. The whole line.
    Skill(&'a str),
}

impl<'a> Typed<'a> {
    /// Reads a line.
    #[must_use]
    pub fn read(line: &'a str) -> Self {
        let trimmed = line.trim();
        if let Some(shell) = trimmed.strip_prefix('!') {
            let shell = shell.trim();
            if !shell.is_empty() {
                return Self::Shell(shell);
            }
        }
        let Some(rest) = trimmed.strip_prefix('/') else {
            return Self::Prompt(line);
        };
        if rest
            .get(..SKILL.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(SKILL))
        {
            return Self::Skill(trimmed);
        }
        let (name, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if name.is_empty() || !name.bytes().all(is_of_a_name) {
            return Self::Prompt(line);
        }
        Self::Command {
            name,
            args: args.trim(),
        }
    }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_they_look_like() {
        let command = |name, args| Typed::Command { name, args };
        let cases = [
            ("hello", Typed::Prompt("hello")),
            ("  keep my indent", Typed::Prompt("  keep my indent")),
            ("/clear", command("clear", "")),
            ("  /Clear  ", command("Clear", "")),
            ("/hello   Bob  x ", command("hello", "Bob  x")),
            ("/hello\tBob", command("hello", "Bob")),
            (
                "/hello\nline 1\n  line 2",
                command("hello", "line 1\n  line 2"),
            ),
            (
                "/usr/bin/env is where?",
                Typed::Prompt("/usr/bin/env is where?"),
            ),
            ("/a.b", Typed::Prompt("/a.b")),
            ("/", Typed::Prompt("/")),
            ("/é", Typed::Prompt("/é")),
            ("/ hello", Typed::Prompt("/ hello")),
            ("!ls -l  x", Typed::Shell("ls -l  x")),
            ("!", Typed::Prompt("!")),
            (
                "/skill:review the tests",
                Typed::Skill("/skill:review the tests"),
            ),
            ("/Skill:review", Typed::Skill("/Skill:review")),
        ];
        for (line, typed) in cases {
            assert_eq!(Typed::read(line), typed, "{line:?}");
        }
    }
}
