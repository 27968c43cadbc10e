//! Markdown as values: what a text says, without how it looks.

use std::ops::{BitOr, BitOrAssign, Range};

use pulldown_cmark::Alignment;

use super::listing::Listing;

/// How a run of text is marked; marks add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark(u8);

impl Mark {
    pub(crate) const STRONG: Self = Self(1);
    pub(crate) const EMPHASIS: Self = Self(1 << 1);
    pub(crate) const STRIKE: Self = Self(1 << 2);
    pub(crate) const CODE: Self = Self(1 << 3);
    pub(crate) const LINK: Self = Self(1 << 4);
    pub(crate) const TARGET: Self = Self(1 << 5);
    pub(crate) const HTML: Self = Self(1 << 6);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Mark {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Mark {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Text with one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) mark: Mark,
}

/// The text of a paragraph: the lines that hard breaks make of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) lines: Vec<Vec<Run>>,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            lines: vec![Vec::new()],
        }
    }
}

impl Text {
    pub(crate) fn push(&mut self, text: &str, mark: Mark) {
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        match line.last_mut() {
            Some(run) if run.mark == mark => run.text.push_str(text),
            _ => line.push(Run {
                text: text.to_owned(),
                mark,
            }),
        }
    }

    pub(crate) fn hard_break(&mut self) {
        self.lines.push(Vec::new());
    }
}

/// A block within another, and whether the source has an empty line before it.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) block: Block,
    pub(crate) gap: bool,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// Of a task: whether it is done.
    pub(crate) task: Option<bool>,
    pub(crate) children: Vec<Child>,
    pub(crate) gap: bool,
}

/// A table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) align: Vec<Alignment>,
    pub(crate) head: Vec<Text>,
    pub(crate) rows: Vec<Vec<Text>>,
}

/// A block.
#[derive(Debug, Clone)]
pub(crate) enum Block {
    Paragraph(Text),
    Heading(u8, Text),
    Code(Listing),
    Html(Vec<String>),
    Quote(Vec<Child>),
    List(Option<u64>, Vec<Item>),
    Table(Table),
    Rule,
}

/// A block of the outermost level and where its source is.
#[derive(Debug, Clone)]
pub(crate) struct Top {
    pub(crate) block: Block,
    pub(crate) source: Range<usize>,
}

/// All listings below a block, in order.
pub(crate) fn listings<'a>(block: &'a mut Block, into: &mut Vec<&'a mut Listing>) {
    match block {
        Block::Code(listing) => into.push(listing),
        Block::Quote(children) => {
            for child in children {
                listings(&mut child.block, into);
            }
        }
        Block::List(_, items) => {
            for child in items.iter_mut().flat_map(|item| &mut item.children) {
                listings(&mut child.block, into);
            }
        }
        Block::Paragraph(_)
        | Block::Heading(..)
        | Block::Html(_)
        | Block::Table(_)
        | Block::Rule => {}
    }
}
