//! The lines on stderr: who speaks, and what.
//!
//! Every one is free of control characters, and of a known length where a tool or a model decides
//! how long it gets.

use zeug_rpc_protocol::{Block, Event};
use zeug_stdx::text;

/// The most bytes of arguments or of a result on one line.
const SHORT_BYTES: usize = 200;
/// The most bytes of a name.
const NAME_BYTES: usize = 64;

/// `text` with `prefix` before each of its lines, at least one.
pub(crate) fn prefixed(prefix: &str, text: &str) -> String {
    let text = text::plain(text);
    if text.is_empty() {
        return format!("{}\n", prefix.trim_end());
    }
    text.lines()
        .map(|line| format!("{prefix}{line}\n"))
        .collect()
}

/// A name of an extension or a tool.
pub(crate) fn name(name: &str) -> String {
    text::one_line(&text::plain(name), NAME_BYTES)
}

/// `[tool] weather {"city":"Berlin"}`
pub(crate) fn call(tool: &str, args: &str) -> String {
    format!("[tool] {} {}\n", name(tool), short(args))
}

/// `[tool] weather → Berlin: 16°C`, or with the status of a call that went wrong.
pub(crate) fn result(tool: &str, wrong: Option<&str>, content: &[Block]) -> String {
    let text: Vec<String> = content.iter().map(written).collect();
    let how = wrong.map(|status| format!(" {status}")).unwrap_or_default();
    let text = short(text.join("\n").trim());
    format!("[tool] {}{how} → {text}\n", name(tool))
}

/// `[retry] attempt 2 of 4 in 500 ms`; `None` for other events.
pub(crate) fn retry(event: &Event) -> Option<String> {
    match event {
        Event::RetryScheduled {
            attempt,
            max_attempts,
            delay_ms,
            ..
        } => Some(format!(
            "[retry] attempt {attempt} of {max_attempts} in {delay_ms} ms\n"
        )),
        _ => None,
    }
}

fn written(block: &Block) -> String {
    match block {
        Block::Text { text } => text.clone(),
        Block::Image { mime_type, bytes } => format!("[{mime_type}, {bytes} bytes]"),
        Block::ToolCall { name, .. } => format!("[call of {name}]"),
    }
}

fn short(text: &str) -> String {
    text::one_line(&text::plain(text), SHORT_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_carries_the_prefix() {
        let check = |text, expect: &str| assert_eq!(prefixed("[x] ", text), expect);
        check("a", "[x] a\n");
        check("a\nb\r\nc\n", "[x] a\n[x] b\n[x] c\n");
        check("a\n\nb", "[x] a\n[x] \n[x] b\n");
        check("", "[x]\n");
        check("\u{1b}[2Ja\u{1b}]0;t\u{7}", "[x] a\n");
    }

    #[test]
    fn long_results_and_arguments_are_cut() {
        let long = "é".repeat(SHORT_BYTES);
        let line = call("t", &long);
        assert_eq!(
            line.chars().count(),
            "[tool] t ".len() + SHORT_BYTES / 2 + 2
        );
        let line = result("t", Some("failed"), &[Block::text(format!("a\nb {long}"))]);
        assert!(line.starts_with("[tool] t failed → a b é"), "{line}");
        assert!(line.ends_with("é…\n"), "{line}");
    }
}
