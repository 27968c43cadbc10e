//! Markdown as lines at a width, whole or while it streams.
//!
//! Only the last block is read and painted again when text comes in; the blocks before it are
//! settled. Links show their targets, markup of other languages shows as text, and no escape gets
//! through. Knows no terminal and no list.

mod build;
mod fence;
mod inline;
mod layout;
mod listing;
mod mend;
mod model;
mod painted;
mod table;

use std::ops::Range;

use ratatui_core::text::Line;

use crate::canvas::Canvas;
use crate::safe;
use crate::theme::Role;

use build::{Built, Leaf, build};
use fence::Fence;
use model::{Block, Top};
use painted::Painted;

/// A line without an end is cut into pieces of this many bytes while it streams.
const MAX_PARTIAL_BYTES: usize = 8 * 1024;

/// A text of Markdown that may still grow.
///
/// ```
/// use zeug_paint::{Canvas, Markdown, Role};
/// let mut text = Markdown::new(Role::Assistant);
/// text.push("Some **bo");
/// text.push("ld** words.");
/// text.finish();
/// let lines = text.lines(&Canvas::default(), 40);
/// assert_eq!(lines[0].to_string(), "Some bold words.");
/// ```
#[derive(Debug, Clone)]
pub struct Markdown {
    base: Role,
    /// What came in, safe; of a line without an end only what is past all doubt.
    source: String,
    /// How many bytes of it are whole lines.
    complete: usize,
    /// The rest of the line that has no end yet, as it came in.
    partial: String,
    line_ends: usize,
    is_finished: bool,
    has_definitions: bool,
    /// Blocks that no further text can change, and where the text behind them begins.
    settled: Vec<Top>,
    settled_to: usize,
    /// The blocks behind these, as they look now.
    tail: Vec<Top>,
    /// Set while the tail is a listing whose end has not come.
    fence: Option<Fence>,
    /// Whether text came in since the tail was read.
    is_stale: bool,
    painted: Painted,
}

impl Markdown {
    /// No text yet; `base` is the look of what is not marked.
    #[must_use]
    pub fn new(base: Role) -> Self {
        Self {
            base,
            source: String::new(),
            complete: 0,
            partial: String::new(),
            line_ends: 0,
            is_finished: false,
            has_definitions: false,
            settled: Vec::new(),
            settled_to: 0,
            tail: Vec::new(),
            fence: None,
            is_stale: false,
            painted: Painted::default(),
        }
    }

    /// A whole text.
    #[must_use]
    pub fn whole(base: Role, text: &str) -> Self {
        let mut markdown = Self::new(base);
        markdown.push(text);
        markdown.finish();
        markdown
    }

    /// Adds text at the end. Cheap: it is read when lines are asked for.
    pub fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.is_finished = false;
        self.is_stale = true;
        for piece in text.split_inclusive('\n') {
            self.partial.push_str(piece);
            while self.partial.len() > MAX_PARTIAL_BYTES {
                let cut = self.partial.floor_char_boundary(MAX_PARTIAL_BYTES);
                let rest = self.partial.split_off(cut);
                self.source.push_str(&safe::plain(&self.partial));
                self.partial = rest;
            }
            if let Some(line) = self.partial.strip_suffix('\n') {
                // Without its end, which an escape sequence would swallow.
                let line = line.strip_suffix('\r').unwrap_or(line);
                self.source.push_str(&safe::plain(line));
                self.source.push('\n');
                self.partial.clear();
                self.complete = self.source.len();
                self.line_ends += 1;
            }
        }
    }

    /// No more text will come: what was held back is shown.
    pub fn finish(&mut self) {
        if self.is_finished {
            return;
        }
        self.is_finished = true;
        self.is_stale = true;
        self.source.push_str(&safe::plain(&self.partial));
        self.partial.clear();
    }

    /// Whether it can still grow.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// The text, made safe; the end of an unfinished line may be missing.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text, made safe, with the line that has no end yet.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.source, safe::plain(&self.partial))
    }

    /// The bytes of text so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.source.len() + self.partial.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lines at a width, in cells.
    pub fn lines(&mut self, canvas: &Canvas, width: usize) -> &[Line<'static>] {
        self.read();
        self.paint(canvas, width.max(1));
        &self.painted.lines
    }

    /// Whether some code waits for its colours, and lines should be asked for again.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.painted.is_behind
    }

    /// How many blocks there are on the outermost level.
    pub fn block_count(&mut self) -> usize {
        self.read();
        self.settled.len() + self.tail.len()
    }

    /// Where the lines of a block are, of those painted last, and its text: for a listing the code
    /// alone, for everything else its Markdown.
    #[must_use]
    pub fn block(&self, at: usize) -> Option<(Range<usize>, String)> {
        let lines = self.painted.blocks.get(at)?.clone();
        let (top, from) = match at.checked_sub(self.settled.len()) {
            None => (self.settled.get(at)?, 0),
            Some(at) => (self.tail.get(at)?, self.settled_to),
        };
        let text = match &top.block {
            Block::Code(listing) => listing.code.clone(),
            _ => {
                let range = from + top.source.start..from + top.source.end;
                // What streams may end with something that was only added to be calm.
                let end = range.end.min(self.source.len());
                let text = self.source.get(range.start.min(end)..end);
                text.unwrap_or_default().trim_end().to_owned()
            }
        };
        Some((lines, text))
    }

    /// About how many lines there are at a width, found without reading the text.
    #[must_use]
    pub fn guess(&self, width: usize) -> usize {
        self.line_ends + self.len() / width.max(1) + usize::from(!self.is_empty())
    }

    /// Drops what was read and painted, to save memory; it comes back when lines are asked for.
    pub fn forget(&mut self) {
        self.painted = Painted::default();
        if self.is_finished {
            self.settled.clear();
            self.tail.clear();
            self.settled_to = 0;
            self.is_stale = true;
        }
    }

    /// Reads what came in.
    fn read(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.painted.is_current = false;
        if self.grow_listing() {
            return;
        }
        self.painted.laid = None;
        if self.is_finished && self.has_definitions {
            // Targets that were defined late reach backwards.
            self.settled.clear();
            self.settled_to = 0;
            self.painted.stamp = None;
        }
        let end = if self.is_finished {
            self.source.len()
        } else {
            self.complete
        };
        let built = build(&self.source[self.settled_to..end]);
        self.has_definitions |= built.has_definitions;
        if self.is_finished && built.has_definitions && self.settled_to > 0 {
            self.is_stale = true;
            return self.read();
        }
        let last = built.last;
        let mut tops = self.settle(built);
        if !self.is_finished {
            let open = &self.source[self.settled_to..end];
            let partial = format!("{}{}", &self.source[end..], safe::plain(&self.partial));
            if let Some(more) = unfinished(open, &partial, last, tops.first()) {
                tops = more;
            }
        }
        inherit(&mut self.tail, &mut tops);
        self.tail = tops;
        self.fence = match &self.tail[..] {
            [top] if !self.is_finished => {
                Fence::open(&self.source[self.settled_to..self.complete], top)
            }
            _ => None,
        };
    }

    /// Adds what came in to the listing at the end, without reading the listing again; whether
    /// that was possible.
    fn grow_listing(&mut self) -> bool {
        let open = &self.source[self.settled_to..];
        let complete = self.complete - self.settled_to;
        let (false, Some(fence), [top]) = (self.is_finished, &mut self.fence, &mut self.tail[..])
        else {
            return false;
        };
        let partial = format!("{}{}", &open[complete..], safe::plain(&self.partial));
        if fence.grow(&open[..complete], &partial, top) {
            return true;
        }
        self.fence = None;
        false
    }

    /// Settles all blocks but the last, and returns that.
    fn settle(&mut self, built: Built) -> Vec<Top> {
        let mut tops = built.tops;
        if self.is_finished {
            return tops;
        }
        let Some(last) = tops.pop() else {
            return Vec::new();
        };
        let base = self.settled_to;
        let open = &self.source[base..];
        // The whole line belongs to the block, with the spaces that it begins with.
        let line = open[..last.source.start].rfind('\n').map_or(0, |at| at + 1);
        if !tops.is_empty() {
            inherit(&mut self.tail, &mut tops);
            for mut top in tops {
                top.source = base + top.source.start..base + top.source.end;
                self.settled.push(top);
            }
            self.settled_to = base + line;
            let range = last.source.start - line..last.source.end - line;
            return vec![Top {
                block: last.block,
                source: range,
            }];
        }
        vec![last]
    }
}

/// The blocks of the open text with the unfinished line, calmed; `None` when that line adds
/// nothing and `now` can stay.
fn unfinished(open: &str, partial: &str, last: Leaf, now: Option<&Top>) -> Option<Vec<Top>> {
    let shown = mend::presentable(open, partial, last);
    let complete = mend::without_table_head(open, partial, last);
    if shown.is_empty() && complete.len() == open.len() {
        let is_running = matches!(last, Leaf::Text(_));
        if !is_running || now.is_none() {
            return None;
        }
    }
    let text = format!("{complete}{shown}");
    let built = build(&text);
    match mend::mend(&text, built.last) {
        std::borrow::Cow::Borrowed(_) => Some(built.tops),
        std::borrow::Cow::Owned(mended) => Some(build(&mended).tops),
    }
}

/// Hands the colours of listings on to the next reading of the same text.
fn inherit(from: &mut [Top], to: &mut [Top]) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for top in from {
        model::listings(&mut top.block, &mut old);
    }
    for top in to {
        model::listings(&mut top.block, &mut new);
    }
    for (old, new) in old.into_iter().zip(new) {
        new.inherit(old);
    }
}
