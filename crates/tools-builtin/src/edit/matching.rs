//! Exact, unique replacements in a text, whatever its line endings.
//!
//! A model writes line feeds; the file may have CR LF. So texts are compared without the carriage
//! return of a line end, and the places are then found again in the file as it is. Does not know
//! files.

use std::ops::Range;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

const BOM: char = '\u{feff}';
/// Past this many places of one text nobody wants to know more.
const MAX_PLACES: usize = 10;

/// One replacement, as a model writes it. The names in camel case are those of other agents.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = with_aliases)]
pub(super) struct Replacement {
    /// The text to replace, exactly as it is in the file.
    #[serde(alias = "oldText")]
    old_text: String,
    /// The text to put there.
    #[serde(alias = "newText")]
    new_text: String,
}

/// Lets the schema accept both spellings. `required` could name only one of them and a choice of
/// two schemas is beyond some providers, hence the count.
fn with_aliases(schema: &mut Schema) {
    schema.remove("required");
    schema.insert("minProperties".to_owned(), json!(2));
    let properties = schema.get_mut("properties").and_then(|p| p.as_object_mut());
    if let Some(properties) = properties {
        for (alias, name) in [("oldText", "old_text"), ("newText", "new_text")] {
            let same = format!("Another spelling of {name}.");
            properties.insert(
                alias.to_owned(),
                json!({"type": "string", "description": same}),
            );
        }
    }
}

/// Why the edits were refused. Edits are counted from 0, lines from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Mismatch {
    #[error("there is no edit in edits; give at least one")]
    NoEdits,
    #[error("edits[{0}].old_text is empty; give the text to replace, or use write for a new file")]
    Empty(usize),
    #[error("edits[{0}] has the same old_text and new_text; leave it out")]
    Idle(usize),
    #[error(
        "edits[{edit}].old_text does not occur{}; read the file again and copy the text exactly",
        similar_at(.similar)
    )]
    Absent {
        edit: usize,
        /// The line where the text is but for white space.
        similar: Option<usize>,
    },
    #[error(
        "edits[{edit}].old_text occurs more than once, at lines {}; add lines around it until it is unique",
        list(.lines)
    )]
    Ambiguous { edit: usize, lines: Vec<usize> },
    #[error("edits[{first}] and edits[{second}] overlap at line {line}; make them one edit")]
    Overlap {
        first: usize,
        second: usize,
        line: usize,
    },
}

fn similar_at(line: &Option<usize>) -> String {
    line.map(|line| format!(" (line {line} differs from it in white space)"))
        .unwrap_or_default()
}

fn list(lines: &[usize]) -> String {
    let mut text: Vec<String> = lines
        .iter()
        .take(MAX_PLACES)
        .map(usize::to_string)
        .collect();
    if lines.len() > MAX_PLACES {
        text.push("…".to_owned());
    }
    text.join(", ")
}

/// What came of the edits.
#[derive(Debug)]
pub(super) struct Edited {
    /// The new content of the file, byte for byte.
    pub(super) file: String,
    /// The old text with line feeds only, for the diff.
    pub(super) before: String,
    /// The new text with line feeds only, for the diff.
    pub(super) after: String,
}

/// Applies the edits to `file`, each to the file as it was.
pub(super) fn apply(file: &str, edits: &[Replacement]) -> Result<Edited, Mismatch> {
    if edits.is_empty() {
        return Err(Mismatch::NoEdits);
    }
    let text = Text::of(file);
    let mut finds = Vec::with_capacity(edits.len());
    for (edit, replacement) in edits.iter().enumerate() {
        let old = plain(&replacement.old_text);
        let new = plain(&replacement.new_text);
        if old.is_empty() {
            return Err(Mismatch::Empty(edit));
        }
        if old == new {
            return Err(Mismatch::Idle(edit));
        }
        let at = text.only_place(&old, edit)?;
        finds.push(Find { edit, at, new });
    }
    finds.sort_by_key(|find| find.at.start);
    for pair in finds.windows(2) {
        if let [a, b] = pair
            && b.at.start < a.at.end
        {
            return Err(Mismatch::Overlap {
                first: a.edit.min(b.edit),
                second: a.edit.max(b.edit),
                line: text.line(b.at.start),
            });
        }
    }
    Ok(text.replaced(file, &finds))
}

struct Find {
    edit: usize,
    /// In the plain text.
    at: Range<usize>,
    new: String,
}

/// Without a byte order mark, and with line feeds only.
fn plain(text: &str) -> String {
    text.strip_prefix(BOM).unwrap_or(text).replace("\r\n", "\n")
}

/// The text of a file in its plain form, and the way back.
struct Text {
    plain: String,
    /// 0, or the length of the byte order mark.
    start: usize,
    /// Where in the plain text a line feed stands that has a carriage return in the file.
    crlf: Vec<usize>,
    /// Whether most lines end with CR LF.
    mostly_crlf: bool,
}

impl Text {
    fn of(file: &str) -> Self {
        let body = file.strip_prefix(BOM).unwrap_or(file);
        let crlf: Vec<usize> = body
            .match_indices("\r\n")
            .enumerate()
            .map(|(before, (at, _))| at - before)
            .collect();
        let plain = plain(file);
        let all = plain.bytes().filter(|b| *b == b'\n').count();
        Self {
            start: file.len() - body.len(),
            mostly_crlf: crlf.len() * 2 > all,
            plain,
            crlf,
        }
    }

    fn only_place(&self, old: &str, edit: usize) -> Result<Range<usize>, Mismatch> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(found) = self.plain[from..].find(old) {
            let at = from + found;
            places.push(at);
            if places.len() > MAX_PLACES {
                break;
            }
            // Places that overlap each other are just as ambiguous.
            from = at + self.plain[at..].chars().next().map_or(1, char::len_utf8);
        }
        match places.as_slice() {
            [] => Err(Mismatch::Absent {
                edit,
                similar: self.similar(old),
            }),
            [at] => Ok(*at..*at + old.len()),
            many => Err(Mismatch::Ambiguous {
                edit,
                lines: many.iter().map(|at| self.line(*at)).collect(),
            }),
        }
    }

    /// The line from which on the lines equal those of `old` but for white space around them.
    fn similar(&self, old: &str) -> Option<usize> {
        let wanted: Vec<&str> = old.trim().lines().map(str::trim).collect();
        let lines: Vec<&str> = self.plain.lines().map(str::trim).collect();
        if wanted.is_empty() {
            return None;
        }
        lines
            .windows(wanted.len())
            .position(|window| window == wanted)
            .map(|index| index + 1)
    }

    /// The number of the line at a place of the plain text.
    fn line(&self, at: usize) -> usize {
        self.plain[..at].bytes().filter(|b| *b == b'\n').count() + 1
    }

    /// The place in the file of a place in the plain text; before the carriage return, where
    /// there is one.
    fn in_file(&self, at: usize) -> usize {
        self.start + at + self.crlf.partition_point(|crlf| *crlf < at)
    }

    /// Whether new lines at this place end with CR LF: as the replaced ones did, or else as most.
    fn ends_with_crlf(&self, at: &Range<usize>) -> bool {
        let there = self.plain[at.clone()]
            .bytes()
            .filter(|b| *b == b'\n')
            .count();
        let crlf = self.crlf.partition_point(|crlf| *crlf < at.end)
            - self.crlf.partition_point(|crlf| *crlf < at.start);
        if there == 0 || (crlf > 0 && crlf < there) {
            self.mostly_crlf
        } else {
            crlf > 0
        }
    }

    fn replaced(self, file: &str, finds: &[Find]) -> Edited {
        let mut new_file = String::with_capacity(file.len());
        let mut after = String::with_capacity(self.plain.len());
        let (mut done_file, mut done_plain) = (0, 0);
        for Find { at, new, .. } in finds {
            new_file.push_str(&file[done_file..self.in_file(at.start)]);
            after.push_str(&self.plain[done_plain..at.start]);
            if self.ends_with_crlf(at) {
                new_file.push_str(&new.replace('\n', "\r\n"));
            } else {
                new_file.push_str(new);
            }
            after.push_str(new);
            done_file = self.in_file(at.end);
            done_plain = at.end;
        }
        new_file.push_str(&file[done_file..]);
        after.push_str(&self.plain[done_plain..]);
        Edited {
            file: new_file,
            before: self.plain,
            after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(pairs: &[(&str, &str)]) -> Vec<Replacement> {
        pairs
            .iter()
            .map(|(old, new)| Replacement {
                old_text: (*old).to_owned(),
                new_text: (*new).to_owned(),
            })
            .collect()
    }

    #[track_caller]
    fn check(file: &str, pairs: &[(&str, &str)], expect: &str) {
        let edited = apply(file, &edits(pairs)).unwrap();
        assert_eq!(edited.file, expect);
        assert_eq!(edited.after, plain(expect));
    }

    #[track_caller]
    fn refuse(file: &str, pairs: &[(&str, &str)], expect: Mismatch) {
        assert_eq!(apply(file, &edits(pairs)).unwrap_err(), expect);
    }

    #[test]
    fn every_edit_sees_the_file_as_it_was() {
        check("a b c", &[("c", "a"), ("a", "b"), ("b", "")], "b  a");
        check("ab", &[("a", "1"), ("b", "2")], "12");
    }

    #[test]
    fn line_feeds_match_and_become_the_line_ends_of_the_file() {
        check("a\r\nb\r\nc\r\n", &[("a\nb", "x\ny")], "x\r\ny\r\nc\r\n");
        check("a\r\nb\r\n", &[("\nb\n", "\n1\n2\n")], "a\r\n1\r\n2\r\n");
        check("a\r\nb\r\n", &[("b", "1\n2")], "a\r\n1\r\n2\r\n");
        check("a\nb\n", &[("a\r\nb", "x\r\ny")], "x\ny\n");
    }

    #[test]
    fn mixed_line_ends_stay_where_nothing_changes() {
        check(
            "a\r\nb\nc\r\nd\r\n",
            &[("b\n", "x\ny\n"), ("d", "1\n2")],
            "a\r\nx\ny\nc\r\n1\r\n2\r\n",
        );
        check("a\rb\r\n", &[("b", "c")], "a\rc\r\n");
    }

    #[test]
    fn a_byte_order_mark_stays() {
        check("\u{feff}a\r\nb", &[("a\n", "c\n")], "\u{feff}c\r\nb");
        check("\u{feff}a", &[("\u{feff}a", "\u{feff}b")], "\u{feff}b");
    }

    #[test]
    fn an_ambiguous_text_is_refused_with_its_lines() {
        let twice = Mismatch::Ambiguous {
            edit: 0,
            lines: vec![1, 3],
        };
        refuse("x\ny\nx\n", &[("x", "z")], twice);
        let overlapping = Mismatch::Ambiguous {
            edit: 0,
            lines: vec![1, 1],
        };
        refuse("äää", &[("ää", "z")], overlapping);
        let many = apply(&"x\n".repeat(99), &edits(&[("x", "z")])).unwrap_err();
        assert!(many.to_string().contains("9, 10, …; add"), "{many}");
    }

    #[test]
    fn an_absent_text_is_refused_with_the_line_that_is_almost_it() {
        let absent = |similar| Mismatch::Absent { edit: 0, similar };
        refuse("a\n", &[("b", "c")], absent(None));
        refuse(
            "x\n\tfoo();\n\tbar();\n",
            &[("  foo();\n  bar();\n", "")],
            absent(Some(2)),
        );
        refuse("a\n", &[("  \n ", "c")], absent(None));
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let expect = Mismatch::Overlap {
            first: 0,
            second: 1,
            line: 2,
        };
        refuse("a\nbcd", &[("cd", "1"), ("bc", "2")], expect);
    }

    #[test]
    fn edits_that_do_nothing_are_refused() {
        refuse("a", &[], Mismatch::NoEdits);
        refuse("a", &[("a", "b"), ("", "c")], Mismatch::Empty(1));
        refuse("a\r\n", &[("a\r\n", "a\n")], Mismatch::Idle(0));
    }
}
