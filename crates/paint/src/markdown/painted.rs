//! What was painted of a text, and what of it can stay when text comes in.

use std::ops::Range;

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::Markdown;
use super::layout::{Laid, Layout};
use super::model::Block;
use crate::canvas::{Canvas, Stamp};
use crate::wrap::Indent;

/// Lines that were painted, and for what.
#[derive(Debug, Clone, Default)]
pub(super) struct Painted {
    pub(super) stamp: Option<(Stamp, usize)>,
    pub(super) lines: Vec<Line<'static>>,
    /// Of each block, where its lines are.
    pub(super) blocks: Vec<Range<usize>>,
    /// How many blocks and lines are settled.
    pub(super) settled: usize,
    pub(super) settled_lines: usize,
    /// How far the listing that grows at the end was laid out.
    pub(super) laid: Option<Laid>,
    /// Whether some code waits for its colours.
    pub(super) is_behind: bool,
    pub(super) is_current: bool,
}

impl Markdown {
    pub(super) fn paint(&mut self, canvas: &Canvas, width: usize) {
        let stamp = (canvas.stamp(), width);
        let painted = &mut self.painted;
        if painted.stamp.as_ref() != Some(&stamp) {
            *painted = Painted {
                stamp: Some(stamp),
                ..Painted::default()
            };
        } else if painted.is_current || self.paint_growth(canvas, width) {
            return;
        }
        let painted = &mut self.painted;
        painted.lines.truncate(painted.settled_lines);
        painted.blocks.truncate(painted.settled);
        let base = canvas.style(self.base);
        painted.is_behind = false;
        let fresh = self.settled.iter_mut().skip(painted.settled);
        for top in fresh {
            painted.block(&mut top.block, canvas, base, width);
            if !painted.is_behind {
                painted.settled += 1;
                painted.settled_lines = painted.lines.len();
            }
        }
        for top in &mut self.tail {
            let laid = painted.block(&mut top.block, canvas, base, width);
            painted.laid = self.fence.is_some().then_some(laid);
        }
        painted.is_current = !painted.is_behind;
    }

    /// Paints only what is new of a listing that grows; whether that was possible.
    fn paint_growth(&mut self, canvas: &Canvas, width: usize) -> bool {
        let (Some(_), [top]) = (&self.fence, &mut self.tail[..]) else {
            return false;
        };
        let painted = &mut self.painted;
        let (Block::Code(listing), Some(laid), Some(lines)) =
            (&mut top.block, painted.laid, painted.blocks.last_mut())
        else {
            return false;
        };
        painted.lines.truncate(laid.lines);
        let mut layout = Layout {
            canvas,
            base: canvas.style(self.base),
            width,
            lines: &mut painted.lines,
            laid,
            is_behind: false,
        };
        layout.code(listing, &Indent::default());
        painted.laid = Some(layout.laid);
        let is_behind = layout.is_behind;
        if painted.lines.len() == lines.start {
            painted.lines.push(Line::default());
        }
        lines.end = painted.lines.len();
        painted.is_behind = is_behind;
        painted.is_current = !is_behind;
        true
    }
}

impl Painted {
    fn block(&mut self, block: &mut Block, canvas: &Canvas, base: Style, width: usize) -> Laid {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let start = self.lines.len();
        let mut layout = Layout {
            canvas,
            base,
            width,
            lines: &mut self.lines,
            laid: Laid::default(),
            is_behind: false,
        };
        layout.block(block, &Indent::default());
        let laid = layout.laid;
        self.is_behind |= layout.is_behind;
        self.blocks.push(start..self.lines.len());
        laid
    }
}
