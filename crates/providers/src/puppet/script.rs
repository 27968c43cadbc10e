//! The text of a prompt read as a script: blocks of steps, one block a model turn.
//!
//! Pure reading. What came before in the conversation, and when a step is due, is not known here.

use std::time::Duration;

/// One model turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// No line was a directive: the text, trimmed.
    Plain(String),
    /// What to do, in order. Lines between the directives are for people.
    Steps(Vec<Step>),
}

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// `say TEXT`
    Say(String),
    /// `think TEXT`
    Think(String),
    /// `call NAME ARGS`, and `js`
    Call {
        /// The tool.
        name: String,
        /// As written; possibly empty, possibly no JSON.
        args: String,
    },
    /// `wait 200ms`
    Wait(Duration),
    /// `fail 529 MESSAGE`
    Fail {
        /// The HTTP status.
        status: u16,
        /// What the provider says.
        message: String,
        /// Whether a retry fails too (`fail!`).
        always: bool,
    },
    /// `usage INPUT OUTPUT`
    Usage {
        /// Tokens of the request.
        input: u64,
        /// Tokens of the answer.
        output: u64,
    },
    /// A directive that cannot be read, among others that can: what to tell the author.
    Unclear(String),
}

/// What a single line is.
enum Line<'a> {
    Text,
    Step(Step),
    /// `js`, with the beginning of the code.
    Script(&'a str),
    /// A directive word followed by something else than it takes.
    Unclear(&'static str),
}

/// Reads a prompt. Blocks without a word in them do not count; there is always at least one block.
pub(crate) fn parse(text: &str) -> Vec<Block> {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks: Vec<Block> = lines
        .split(|line| line.trim_end() == "then")
        .filter(|block| block.iter().any(|line| !line.trim().is_empty()))
        .map(block)
        .collect();
    if blocks.is_empty() {
        blocks.push(Block::Plain(String::new()));
    }
    blocks
}

fn block(lines: &[&str]) -> Block {
    let mut steps = Vec::new();
    for (at, text) in lines.iter().enumerate() {
        match line(text) {
            Line::Text => {}
            Line::Step(step) => steps.push(step),
            Line::Unclear(hint) => {
                steps.push(Step::Unclear(format!("cannot read `{text}`: write {hint}")));
            }
            Line::Script(first) => {
                steps.push(codemode(first, &lines[at + 1..]));
                break;
            }
        }
    }
    // A sentence that merely begins with a directive's word is a sentence.
    if steps.iter().all(|step| matches!(step, Step::Unclear(_))) {
        Block::Plain(lines.join("\n").trim().to_owned())
    } else {
        Block::Steps(steps)
    }
}

fn codemode(first: &str, rest: &[&str]) -> Step {
    let mut code = first.to_owned();
    for line in rest {
        if !code.is_empty() {
            code.push('\n');
        }
        code.push_str(line);
    }
    Step::Call {
        name: "codemode".to_owned(),
        args: serde_json::json!({ "code": code }).to_string(),
    }
}

fn line(text: &str) -> Line<'_> {
    let (word, rest) = split_word(text);
    match word {
        "say" => Line::Step(Step::Say(rest.to_owned())),
        "think" => Line::Step(Step::Think(rest.to_owned())),
        "js" => Line::Script(rest),
        "call" => call(rest),
        "wait" => duration(rest.trim()).map_or(Line::Unclear("`wait 200ms` or `wait 2s`"), |d| {
            Line::Step(Step::Wait(d))
        }),
        "fail" => fail(rest, false),
        "fail!" => fail(rest, true),
        "usage" => usage(rest),
        _ => Line::Text,
    }
}

/// The first word and what follows the one white space after it.
fn split_word(text: &str) -> (&str, &str) {
    text.split_once([' ', '\t']).unwrap_or((text, ""))
}

fn call(rest: &str) -> Line<'_> {
    let (name, args) = split_word(rest.trim());
    if name.is_empty() {
        return Line::Unclear("`call NAME {\"key\":\"value\"}`");
    }
    Line::Step(Step::Call {
        name: name.to_owned(),
        args: args.trim().to_owned(),
    })
}

fn duration(text: &str) -> Option<Duration> {
    if let Some(number) = text.strip_suffix("ms") {
        number.parse().ok().map(Duration::from_millis)
    } else {
        let number = text.strip_suffix('s')?;
        number.parse().ok().map(Duration::from_secs)
    }
}

fn fail(rest: &str, always: bool) -> Line<'_> {
    let (status, message) = split_word(rest.trim());
    match status.parse() {
        Ok(status @ 100..=999) => Line::Step(Step::Fail {
            status,
            message: message.trim().to_owned(),
            always,
        }),
        _ => Line::Unclear("`fail 529 overloaded`, or `fail! 400 …` to fail every time"),
    }
}

fn usage(rest: &str) -> Line<'_> {
    let numbers: Option<Vec<u64>> = rest.split_whitespace().map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[input, output]) => Line::Step(Step::Usage { input, output }),
        _ => Line::Unclear("`usage 1200 80` (tokens in, tokens out)"),
    }
}

#[cfg(test)]
mod tests;
