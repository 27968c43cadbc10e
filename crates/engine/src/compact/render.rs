//! A conversation as text to be summarised, within a bound. Pure.
//!
//! As text and not as messages: providers refuse calls in a request without tools, and a text can
//! be shortened.

use zeug_stdx::text;
use zeug_transcript::{Content, Message, Part};

use super::cut;

/// The most of one text of the user or the model, in bytes.
const TEXT_BYTES: usize = 8 * 1024;
/// The most of one result: what a tool found matters less than what was made of it.
const RESULT_BYTES: usize = 2 * 1024;
/// The most of one call's arguments.
const ARGS_BYTES: usize = 500;
/// The most of an earlier summary: all of it, since summaries are bounded themselves.
const SUMMARY_BYTES: usize = 80 * 1024;

/// The conversation as text of about `budget` bytes at most: the middle is left out.
pub(super) fn render(messages: &[Message], budget: usize) -> String {
    let pieces: Vec<String> = messages.iter().map(piece).collect();
    let total: usize = pieces.iter().map(String::len).sum();
    if total <= budget {
        return pieces.concat();
    }
    // The task stands at the beginning, the state of the work at the end.
    let head = fitting(pieces.iter(), budget / 4);
    let tail = fitting(pieces[head..].iter().rev(), budget - budget / 4);
    if head + tail == 0 {
        return ends(&pieces.concat(), budget);
    }
    let left_out = pieces.len() - head - tail;
    let mut out = pieces[..head].concat();
    out.push_str(&format!("[… {left_out} messages are left out here …]\n\n"));
    out.push_str(&pieces[pieces.len() - tail..].concat());
    out
}

/// How many pieces fit.
fn fitting<'a>(pieces: impl Iterator<Item = &'a String>, budget: usize) -> usize {
    let mut left = budget;
    pieces
        .take_while(|piece| match left.checked_sub(piece.len()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        })
        .count()
}

fn piece(message: &Message) -> String {
    let body = |content: &[Content], max| {
        let images = content.len() - content.iter().filter_map(Content::as_text).count();
        let mut body = ends(&Content::joined(content), max);
        if images > 0 {
            body.push_str(&format!("\n[{images} images]"));
        }
        body
    };
    match message {
        Message::User(said) if cut::is_summary(message) => {
            format!(
                "## Summary of what was before\n{}\n\n",
                body(&said.content, SUMMARY_BYTES)
            )
        }
        Message::User(said) => format!("## User\n{}\n\n", body(&said.content, TEXT_BYTES)),
        Message::Tool(result) => format!(
            "## Result of {} ({})\n{}\n\n",
            result.tool_name,
            result.status.as_str(),
            body(&result.content, RESULT_BYTES)
        ),
        Message::Assistant(said) => {
            let parts: String = said.parts.iter().map(part).collect();
            format!("## Assistant\n{parts}\n")
        }
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("{}\n", ends(text, TEXT_BYTES)),
        // What came of the reasoning is in the text and the calls.
        Part::Thinking { .. } => String::new(),
        Part::ToolCall(call) => {
            let args = text::one_line(&call.args, ARGS_BYTES);
            format!("[calls {} {args}]\n", call.name)
        }
    }
}

/// The beginning and the end of a text that is too long.
fn ends(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let (head, tail) = (text::prefix(text, max / 2), text::suffix(text, max / 2));
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n[… {left_out} bytes are left out here …]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_transcript::{Timestamp, UserMessage};

    fn user(text: &str) -> Message {
        Message::User(UserMessage {
            content: vec![Content::text(text)],
            time: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn what_fits_is_there_and_what_does_not_goes_from_the_middle() {
        let messages: Vec<Message> = (0..100).map(|n| user(&format!("message {n:3}"))).collect();
        let all = render(&messages, 1 << 20);
        assert!(all.contains("message  50") && !all.contains("left out"));
        let some = render(&messages, 400);
        assert!(some.len() < 500, "{}", some.len());
        assert!(some.contains("message   0") && some.contains("message  99"));
        assert!(!some.contains("message  50") && some.contains("messages are left out"));
    }

    #[test]
    fn one_message_without_end_is_shortened() {
        let some = render(&[user(&"é".repeat(1 << 20))], 1000);
        assert!(
            some.len() < 1200 && some.contains("left out"),
            "{}",
            some.len()
        );
        let long = render(&[user(&"x".repeat(TEXT_BYTES + 1))], 1 << 20);
        assert!(long.contains("[… 1 bytes are left out here …]"));
    }
}
