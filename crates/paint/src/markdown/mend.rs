//! Unfinished Markdown, so that it looks calm while it streams.
//!
//! Two means: the last line is held back while it could still become something else (a `-` may
//! begin an item, a rule, or make a heading of the line above), and emphasis, code and links that
//! are open get their ends. What is shown then only grows. Knows no parser; the finished text
//! never comes here.

use std::borrow::Cow;

use super::build::Leaf;

/// Longer texts are shown as they are: looking for open ends would cost more than it gives.
const MAX_BYTES: usize = 32 * 1024;
/// More emphasis than this within emphasis means nothing, and would take long to look through.
const MAX_OPEN: usize = 32;

/// The part of the unfinished last line that can be shown.
///
/// `complete` is what stands before it, as far as it is still open.
pub(super) fn presentable<'a>(complete: &str, partial: &'a str, last: Leaf) -> &'a str {
    let inner = partial.trim_start_matches([' ', '>', '\t']);
    if let Leaf::Code(start) = last
        && is_open_fence(complete.get(start..).unwrap_or_default())
    {
        let is_mark = |byte| matches!(byte, b'`' | b'~' | b' ');
        let is_fence = inner.bytes().all(is_mark);
        return if is_fence { "" } else { partial };
    }
    if is_undecided(inner) || inner.starts_with('|') {
        ""
    } else {
        partial
    }
}

/// `complete` without a last line that may be the head of a table.
pub(super) fn without_table_head<'a>(complete: &'a str, partial: &str, last: Leaf) -> &'a str {
    let next = partial.trim_start_matches([' ', '>']);
    if !matches!(last, Leaf::Text(_)) || !(is_undecided(next) || next.starts_with('|')) {
        return complete;
    }
    let body = complete.strip_suffix('\n').unwrap_or(complete);
    let start = body.rfind('\n').map_or(0, |at| at + 1);
    let line = body[start..].trim_start_matches([' ', '>', '-', '*', '\t']);
    if line.starts_with('|') {
        &complete[..start]
    } else {
        complete
    }
}

/// Whether a line is so far made only of characters that build structure.
fn is_undecided(line: &str) -> bool {
    let line = line.trim_end();
    let number = line.trim_end_matches(['.', ')']);
    let is_number = line.len() - number.len() <= 1
        && number.len() <= 9
        && number.bytes().all(|byte| byte.is_ascii_digit());
    let structure = |byte| {
        matches!(
            byte,
            b'-' | b'=' | b'+' | b'*' | b'#' | b'>' | b'|' | b'`' | b'~' | b'_' | b':' | b' '
        )
    };
    is_number || line.bytes().all(structure)
}

/// Whether a block that begins with a fence has no end yet.
fn is_open_fence(block: &str) -> bool {
    let mut lines = block.lines();
    let first = lines.next().unwrap_or_default().trim_start();
    let Some(mark) = first.chars().next().filter(|c| matches!(c, '`' | '~')) else {
        return false;
    };
    let length = first.len() - first.trim_start_matches(mark).len();
    let last = lines.next_back().unwrap_or_default();
    let last = last.trim_matches([' ', '>']);
    let is_end = last.len() >= length && last.chars().all(|c| c == mark);
    length >= 3 && !is_end
}

/// The text with ends for everything that is open in its last piece of running text.
pub(super) fn mend(text: &str, last: Leaf) -> Cow<'_, str> {
    let Leaf::Text(start) = last else {
        return Cow::Borrowed(text);
    };
    let Some(running) = text
        .get(start..)
        .filter(|running| running.len() <= MAX_BYTES)
    else {
        return Cow::Borrowed(text);
    };
    let Some((kept, ends)) = open_ends(running) else {
        return Cow::Borrowed(text);
    };
    let kept = text[..start + kept].trim_end_matches(' ');
    Cow::Owned(format!("{kept}{ends}"))
}

/// Emphasis that was begun.
struct Delimiter {
    mark: u8,
    count: usize,
    /// Where the text behind it begins.
    after: usize,
}

/// How much of the text to keep, and what to add; `None` when nothing is open.
fn open_ends(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut open: Vec<Delimiter> = Vec::new();
    let mut at = 0;
    let mut kept = text.len();
    let mut extra = String::new();
    while at < bytes.len() {
        let byte = bytes[at];
        let run = match byte {
            b'`' | b'*' | b'_' | b'~' => bytes[at..].iter().take_while(|b| **b == byte).count(),
            _ => 1,
        };
        match byte {
            b'\\' => at += 2,
            b'`' => match closing_ticks(bytes, at + run, run) {
                Some(end) => at = end,
                None => {
                    let content = text[at + run..].trim();
                    if content.is_empty() {
                        kept = at;
                    } else {
                        extra = "`".repeat(run);
                        // A tick that may be the first of the end.
                        kept = text.trim_end_matches('`').len().max(at + run);
                    }
                    break;
                }
            },
            b'*' | b'_' | b'~' => {
                if at + run == bytes.len() && !closes(bytes, at, run, &open) {
                    // Only begun: nothing to show yet.
                    kept = at;
                    break;
                }
                delimiter(bytes, at, run, &mut open);
                at += run;
            }
            b']' if bytes.get(at + 1) == Some(&b'(') => match memchr::memchr(b')', &bytes[at..]) {
                Some(end) => at += end + 1,
                None => {
                    kept = at + 1;
                    extra = "()".to_owned();
                    break;
                }
            },
            _ => at += 1,
        }
    }
    for delimiter in open.iter().rev() {
        if delimiter.after >= kept {
            kept = kept.min(delimiter.after - delimiter.count);
            continue;
        }
        let mark = char::from(delimiter.mark);
        extra.extend(std::iter::repeat_n(mark, delimiter.count));
    }
    (kept < text.len() || !extra.is_empty()).then_some((kept, extra))
}

fn closing_ticks(bytes: &[u8], from: usize, count: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'`', bytes.get(at..)?) {
        at += found;
        let run = bytes[at..].iter().take_while(|b| **b == b'`').count();
        at += run;
        if run == count {
            return Some(at);
        }
    }
    None
}

fn is_space_at(bytes: &[u8], at: Option<usize>) -> bool {
    at.and_then(|at| bytes.get(at))
        .is_none_or(u8::is_ascii_whitespace)
}

fn closes(bytes: &[u8], at: usize, run: usize, open: &[Delimiter]) -> bool {
    let mark = bytes[at];
    !is_space_at(bytes, at.checked_sub(1))
        && open
            .iter()
            .any(|delimiter| delimiter.mark == mark && delimiter.count >= run)
}

fn delimiter(bytes: &[u8], at: usize, run: usize, open: &mut Vec<Delimiter>) {
    let mark = bytes[at];
    let word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    let (before, after) = (at.checked_sub(1), Some(at + run));
    if (mark == b'_' && word(before) && word(after)) || (mark == b'~' && run != 2) {
        return;
    }
    let mut left = run;
    if !is_space_at(bytes, before) {
        while left > 0
            && let Some(place) = open.iter().rposition(|known| known.mark == mark)
        {
            // What was begun inside and not ended is no emphasis.
            open.truncate(place + 1);
            let known = &mut open[place];
            let taken = known.count.min(left);
            known.count -= taken;
            left -= taken;
            if known.count == 0 {
                open.pop();
            }
        }
    }
    if left > 0 && left <= 3 && open.len() < MAX_OPEN && !is_space_at(bytes, after) {
        open.push(Delimiter {
            mark,
            count: left,
            after: at + run,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ends_are_closed() {
        let check = |text: &str, expect: &str| {
            assert_eq!(mend(text, Leaf::Text(0)), expect, "{text:?}");
        };
        check("plain text", "plain text");
        check("some **bold", "some **bold**");
        check("some **bold ", "some **bold**");
        check("some **", "some");
        check("some **bold*", "some **bold**");
        check("**done** and", "**done** and");
        check("*a **b", "*a **b***");
        check("a `code", "a `code`");
        check("a `", "a");
        check("a ``x` y", "a ``x` y``");
        check("`done` x", "`done` x");
        check("see [text](http://exa", "see [text]()");
        check("see [text](http://e) x", "see [text](http://e) x");
        check("snake_case_name", "snake_case_name");
        check("2 * 3", "2 * 3");
        check("~~gone", "~~gone~~");
        check("\\*not", "\\*not");
        check("é **日本", "é **日本**");
    }

    #[test]
    fn a_line_that_may_become_anything_waits() {
        let check = |partial: &str, expect: &str| {
            assert_eq!(presentable("para\n", partial, Leaf::Text(0)), expect);
        };
        for waiting in [
            "", "-", "--", "=", "##", "1", "12.", "* ", "```", "> -", "| a", "|--",
        ] {
            check(waiting, "");
        }
        for shown in ["- a", "1. a", "# T", "text", "**b", "-x", "1234567890"] {
            check(shown, shown);
        }
    }

    #[test]
    fn code_waits_only_for_its_fence() {
        let code = Leaf::Code(0);
        assert_eq!(presentable("```rust\n", "--", code), "--");
        assert_eq!(presentable("```rust\n", "``", code), "");
        assert_eq!(presentable("```rust\nx\n```\n", "-", code), "");
    }

    #[test]
    fn the_head_of_a_table_waits_for_its_rule() {
        let check = |partial: &str, expect: &str| {
            assert_eq!(
                without_table_head("x\n| a |\n", partial, Leaf::Text(0)),
                expect
            );
        };
        check("", "x\n");
        check("|-", "x\n");
        check("text", "x\n| a |\n");
    }
}
