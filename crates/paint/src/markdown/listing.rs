//! A listing: a block of code whose colours are worked out once, and line by line while it grows.

use zeug_skills::theme::Token;

use crate::canvas::{Allowance, Canvas};
use crate::code::{Highlighter, Painter, Part};

/// A block of code.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    /// The first word behind the fence, often a language; may be empty.
    pub(crate) label: String,
    /// The code, as it was written.
    pub(crate) code: String,
    painted: Option<Painted>,
}

/// What is known about the colours of the beginning of a listing.
#[derive(Debug, Clone)]
struct Painted {
    code: Highlighter,
    is_ready: bool,
    painter: Painter,
    /// Of each line that is complete, where it begins, and its parts.
    lines: Vec<(usize, Vec<Part>)>,
    /// How many bytes of code these lines take, with their line feeds.
    bytes: usize,
}

impl Listing {
    pub(crate) fn new(label: String, code: String) -> Self {
        Self {
            label,
            code,
            painted: None,
        }
    }

    /// Takes over what an earlier, shorter form of the same listing knows.
    pub(crate) fn inherit(&mut self, earlier: &mut Self) {
        if self.painted.is_none()
            && self.label == earlier.label
            && let Some(painted) = &earlier.painted
            && self.code.len() >= painted.bytes
            && earlier.code.get(..painted.bytes) == self.code.get(..painted.bytes)
        {
            self.painted = earlier.painted.take();
        }
    }

    /// Calls `each` with every line from the one with this number on, its parts, and whether it
    /// stays like that: the last one may still grow, others may still get their colours.
    pub(crate) fn paint(
        &mut self,
        canvas: &Canvas,
        from: usize,
        mut each: impl FnMut(&str, &[Part], bool),
    ) {
        let is_ready = canvas.code.is_ready();
        let is_known = |known: &Painted| known.code == canvas.code && known.is_ready == is_ready;
        if !self.painted.as_ref().is_some_and(is_known) {
            self.painted = Some(Painted {
                code: canvas.code,
                is_ready,
                painter: Painter::new(canvas.code, &self.label),
                lines: Vec::new(),
                bytes: 0,
            });
        }
        let Some(painted) = &mut self.painted else {
            return;
        };
        painted.catch_up(&self.code, &canvas.allowance);
        for (start, parts) in painted.lines.iter().skip(from) {
            let line = &self.code[*start..];
            let end = memchr::memchr(b'\n', line.as_bytes()).unwrap_or(line.len());
            each(&line[..end], parts, true);
        }
        let rest = &self.code[painted.bytes..];
        if rest.contains('\n') {
            for line in rest.lines() {
                each(line, &whole(line), false);
            }
        } else if !rest.is_empty() {
            // Its end is not the state to go on from.
            let parts = painted.painter.clone().line(rest);
            each(rest, &parts, false);
        }
    }

    /// Whether complete lines wait for their colours.
    pub(crate) fn is_behind(&self) -> bool {
        let painted = self.painted.as_ref();
        painted.is_some_and(|painted| self.code[painted.bytes..].contains('\n'))
    }
}

impl Painted {
    fn catch_up(&mut self, code: &str, allowance: &Allowance) {
        while let Some(rest) = code.get(self.bytes..)
            && let Some(end) = memchr::memchr(b'\n', rest.as_bytes())
            && (self.painter.is_plain() || allowance.take(end))
        {
            self.lines
                .push((self.bytes, self.painter.line(&rest[..end])));
            self.bytes += end + 1;
        }
    }
}

/// The parts of one line, where none are known.
pub(crate) fn whole(line: &str) -> [Part; 1] {
    [(0..line.len(), None::<Token>)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;

    fn painted(listing: &mut Listing) -> Vec<(String, Vec<Part>)> {
        let canvas = Canvas::new(Theme::dark()).with_code(Highlighter::ready());
        let mut lines = Vec::new();
        listing.paint(&canvas, 0, |line, parts, _| {
            lines.push((line.to_owned(), parts.to_vec()));
        });
        lines
    }

    #[test]
    fn colours_are_inherited_only_by_the_same_code() {
        let check = |old: &str, new: &str, is_known: bool| {
            let listing = |code: &str| Listing::new("rust".to_owned(), code.to_owned());
            let mut earlier = listing(old);
            painted(&mut earlier);
            let mut later = listing(new);
            later.inherit(&mut earlier);
            assert_eq!(later.painted.is_some(), is_known, "{new:?}");
            assert_eq!(painted(&mut later), painted(&mut listing(new)), "{new:?}");
        };
        check("let a = 1;\n/* b", "let a = 1;\n/* b\nc */ let d;\n", true);
        check("let a = 1;\n", "let b = 1;\n", false);
        check("/*\n*/\n", "/*\n", false);
        check("let a", "let b = 1;\n", true);
    }
}
