//! A listing: a block of code whose colours are worked out once, and line by line while it grows.

use zeug_skills::theme::Token;

use crate::canvas::Canvas;
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
    /// The lines that are complete, each with its parts.
    lines: Vec<Vec<Part>>,
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

    /// Calls `each` with every line and its parts.
    pub(crate) fn paint(&mut self, canvas: &Canvas, mut each: impl FnMut(&str, &[Part])) {
        let is_ready = canvas.code.is_ready();
        if self
            .painted
            .as_ref()
            .is_none_or(|known| known.code != canvas.code || known.is_ready != is_ready)
        {
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
        painted.catch_up(&self.code);
        let mut rest = &*self.code;
        for parts in &painted.lines {
            let end = rest.find('\n').unwrap_or(rest.len());
            each(&rest[..end], parts);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        if !rest.is_empty() {
            // The last line may still grow: its end is not the state to go on from.
            let parts = painted.painter.clone().line(rest);
            each(rest, &parts);
        }
    }
}

impl Painted {
    fn catch_up(&mut self, code: &str) {
        while let Some(rest) = code.get(self.bytes..)
            && let Some(end) = memchr::memchr(b'\n', rest.as_bytes())
        {
            self.lines.push(self.painter.line(&rest[..end]));
            self.bytes += end + 1;
        }
    }
}

/// The parts of one line, where none are known.
pub(crate) fn whole(line: &str) -> [Part; 1] {
    [(0..line.len(), None::<Token>)]
}
