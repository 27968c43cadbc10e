//! One line of styled text becomes several that fit a width.
//!
//! Breaks come at spaces, after hyphens and zero-width spaces, and beside wide characters (which
//! Chinese and Japanese write without spaces); a word that is too long is cut between clusters.
//! What is drawn never exceeds the width. Knows no Markdown and no theme.

use std::borrow::Cow;

use ratatui_core::text::{Line, Span};

use crate::cells;

/// What stands before the lines of a paragraph.
#[derive(Debug, Clone, Default)]
pub struct Indent {
    /// Before the first.
    pub first: Vec<Span<'static>>,
    /// Before all others.
    pub rest: Vec<Span<'static>>,
}

impl Indent {
    /// The same before every line.
    #[must_use]
    pub fn all(spans: Vec<Span<'static>>) -> Self {
        Self {
            first: spans.clone(),
            rest: spans,
        }
    }

    /// This one with `inner` behind it.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            first: [&self.first[..], &inner.first[..]].concat(),
            rest: [&self.rest[..], &inner.rest[..]].concat(),
        }
    }

    /// What follows the first line of this one.
    #[must_use]
    pub fn following(&self) -> Self {
        Self::all(self.rest.clone())
    }

    /// How many cells the wider of the two takes.
    #[must_use]
    pub fn width(&self) -> usize {
        spans_width(&self.first).max(spans_width(&self.rest))
    }
}

/// Where a line may be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    /// Between words.
    Words,
    /// Anywhere: for code, whose spaces mean something.
    Anywhere,
}

/// The cells that the spans take.
#[must_use]
pub fn spans_width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| cells::width(&span.content)).sum()
}

/// Wraps `spans`, which hold no line feed, to `width` cells and appends the lines to `into`.
///
/// At least one line is appended. Spaces at a break are dropped, all other text stays, in order.
/// A `width` of 0 counts as 1; an indent that leaves less than one cell is left out; a cluster
/// that is wider than a whole line becomes U+FFFD.
pub fn wrap(
    spans: &[Span<'_>],
    width: usize,
    indent: &Indent,
    breaks: Breaks,
    into: &mut Vec<Line<'static>>,
) {
    let width = width.max(1);
    let atoms = atoms(spans, breaks);
    let mut at = 0;
    let mut prefix = &indent.first;
    loop {
        let taken = spans_width(prefix);
        let room = if taken < width { width - taken } else { width };
        let cut = Cut::find(&atoms, at, room, breaks);
        let mut line = if taken < width {
            prefix.clone()
        } else {
            Vec::new()
        };
        push_text(spans, &atoms[at..cut.end], room, &mut line);
        into.push(Line::from(line));
        at = cut.next;
        if at >= atoms.len() {
            return;
        }
        prefix = &indent.rest;
    }
}

/// [`wrap`] between words, as a list.
#[must_use]
pub fn wrapped(line: &Line<'_>, width: usize, indent: &Indent) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    wrap(&line.spans, width, indent, Breaks::Words, &mut lines);
    for wrapped in &mut lines {
        wrapped.style = line.style;
    }
    lines
}

/// A line cut off at `width` cells, with `mark` where something is missing.
#[must_use]
pub fn cut(line: &Line<'_>, width: usize, mark: &str) -> Line<'static> {
    let total = spans_width(&line.spans);
    let fits = total <= width;
    let mut room = if fits {
        width
    } else {
        width.saturating_sub(cells::width(mark))
    };
    let mut spans = Vec::new();
    for span in &line.spans {
        let part = cells::clip(&span.content, room);
        room -= cells::width(part);
        let is_whole = part.len() == span.content.len();
        if !part.is_empty() {
            spans.push(Span::styled(part.to_owned(), span.style));
        }
        if !is_whole {
            let mark = cells::clip(mark, width);
            spans.push(Span::styled(mark.to_owned(), span.style));
            break;
        }
    }
    let mut cut = Line::from(spans);
    cut.style = line.style;
    cut
}

/// A cluster of a span.
#[derive(Debug, Clone, Copy)]
struct Atom {
    span: usize,
    start: usize,
    end: usize,
    width: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A break swallows it.
    Space,
    /// A break may follow.
    BreakAfter,
    /// A break may come before and after it.
    Free,
    /// Part of a word.
    Word,
    /// A sign: no place to break, before or after.
    Sign,
}

fn atoms(spans: &[Span<'_>], breaks: Breaks) -> Vec<Atom> {
    let bytes = spans.iter().map(|span| span.content.len()).sum();
    let mut atoms: Vec<Atom> = Vec::with_capacity(bytes);
    for (at, span) in spans.iter().enumerate() {
        let mut start = 0;
        for (cluster, width) in cells::clusters(&span.content) {
            let end = start + cluster.len();
            let kind = match breaks {
                Breaks::Anywhere => Kind::Free,
                Breaks::Words => kind(cluster, width, atoms.last()),
            };
            atoms.push(Atom {
                span: at,
                start,
                end,
                width,
                kind,
            });
            start = end;
        }
    }
    atoms
}

fn kind(cluster: &str, width: usize, before: Option<&Atom>) -> Kind {
    match cluster {
        " " => Kind::Space,
        "\u{200b}" => Kind::BreakAfter,
        // `-x` is an option and stays whole; `well-known` may be broken.
        "-" if before.is_some_and(|atom| atom.kind == Kind::Word) => Kind::BreakAfter,
        _ if width >= 2 => Kind::Free,
        _ if cluster.starts_with(char::is_alphanumeric) => Kind::Word,
        _ => Kind::Sign,
    }
}

/// Where a line ends and the next begins; between them are spaces.
struct Cut {
    end: usize,
    next: usize,
}

impl Cut {
    fn find(atoms: &[Atom], from: usize, room: usize, breaks: Breaks) -> Self {
        let mut used = 0;
        let mut last = None;
        for (at, atom) in atoms.iter().enumerate().skip(from) {
            let may_break = at > from
                && (atom.kind == Kind::Free
                    || matches!(atoms[at - 1].kind, Kind::Free | Kind::BreakAfter)
                    || (atoms[at - 1].kind == Kind::Space && atom.kind != Kind::Space));
            // Spaces that indent a paragraph are no place to break it.
            if may_break && (breaks == Breaks::Anywhere || !only_spaces(&atoms[from..at])) {
                last = Some(at);
            }
            used += atom.width;
            if used > room {
                return if atom.kind == Kind::Space && at > from {
                    Self::at(atoms, from, at)
                } else if let Some(last) = last {
                    Self::at(atoms, from, last)
                } else {
                    // A word longer than the line; at least one cluster goes, drawn or not.
                    let end = at.max(from + 1);
                    Self { end, next: end }
                };
            }
        }
        Self {
            end: atoms.len(),
            next: atoms.len(),
        }
    }

    fn at(atoms: &[Atom], from: usize, at: usize) -> Self {
        let is_space = |atom: &Atom| atom.kind == Kind::Space;
        let before = atoms[from..at].iter().rev();
        let after = atoms[at..].iter();
        Self {
            end: at - before.take_while(|atom| is_space(atom)).count(),
            next: at + after.take_while(|atom| is_space(atom)).count(),
        }
    }
}

fn only_spaces(atoms: &[Atom]) -> bool {
    // The first that is none is found at once in all but hostile lines.
    atoms.iter().all(|atom| atom.kind == Kind::Space)
}

/// Appends the text of the atoms, neighbours of one span together.
fn push_text(spans: &[Span<'_>], atoms: &[Atom], room: usize, line: &mut Vec<Span<'static>>) {
    let mut at = 0;
    while let Some(first) = atoms.get(at) {
        let style = spans[first.span].style;
        if first.width > room {
            line.push(Span::styled(cells::TOO_WIDE, style));
            at += 1;
            continue;
        }
        let same = |atom: &&Atom| atom.span == first.span && atom.width <= room;
        let count = atoms[at..].iter().take_while(same).count();
        let end = atoms[at + count - 1].end;
        let text = spans[first.span].content[first.start..end].to_owned();
        line.push(Span::styled(Cow::Owned(text), style));
        at += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expect: &[&str]) {
        let line = Line::from(text);
        let lines = wrapped(&line, width, &Indent::default());
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(lines, expect, "{text:?} at {width}");
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        check("", 10, &[""]);
        check("one two three", 8, &["one two", "three"]);
        check("one two", 7, &["one two"]);
        check("one  two", 3, &["one", "two"]);
        check("abcdefgh", 3, &["abc", "def", "gh"]);
        check("a abcdef", 4, &["a", "abcd", "ef"]);
        check("well-known thing", 7, &["well-", "known", "thing"]);
        check("x --option", 9, &["x", "--option"]);
        check("  indented text", 10, &["  indented", "text"]);
        check("ends here   ", 9, &["ends here"]);
    }

    #[test]
    fn wide_and_combined_characters_keep_together() {
        check("日本語です", 4, &["日本", "語で", "す"]);
        check("ab日本", 3, &["ab", "日", "本"]);
        check("日本", 1, &["\u{fffd}", "\u{fffd}"]);
        check(
            "e\u{301}e\u{301}e\u{301}",
            2,
            &["e\u{301}e\u{301}", "e\u{301}"],
        );
        check("👩‍👩‍👧👩‍👩‍👧", 3, &["👩‍👩‍👧", "👩‍👩‍👧"]);
        check("long\u{200b}word", 5, &["long\u{200b}", "word"]);
    }

    #[test]
    fn what_follows_hangs_below_the_text() {
        let indent = Indent {
            first: vec![Span::raw("- ")],
            rest: vec![Span::raw("  ")],
        };
        let show = |width| {
            let lines = wrapped(&Line::from("one two"), width, &indent);
            lines.iter().map(Line::to_string).collect::<Vec<_>>()
        };
        assert_eq!(show(6), ["- one", "  two"]);
        // No room for the indent: the text is what counts.
        assert_eq!(show(2), ["on", "e", "tw", "o"]);
    }

    #[test]
    fn code_breaks_anywhere_and_keeps_its_spaces() {
        let mut lines = Vec::new();
        let spans = [Span::raw("a  b  c")];
        wrap(&spans, 3, &Indent::default(), Breaks::Anywhere, &mut lines);
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(lines, ["a  ", "b  ", "c"]);
    }

    #[test]
    fn a_cut_line_shows_that_something_is_missing() {
        let line = Line::from(vec![Span::raw("ab"), Span::raw("cdef")]);
        assert_eq!(cut(&line, 4, "…").to_string(), "abc…");
        assert_eq!(cut(&line, 6, "…").to_string(), "abcdef");
        assert_eq!(cut(&line, 1, "…").to_string(), "…");
        assert_eq!(cut(&line, 0, "…").to_string(), "");
    }
}
