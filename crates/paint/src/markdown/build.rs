//! From the events of the parser to blocks.
//!
//! Untrusted input: nesting is flattened past a depth, and all text is made safe *after* parsing,
//! because `&#27;` is an escape only then.

use std::ops::Range;

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, LinkType, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::inline::{Link, is_break};
use super::listing::Listing;
use super::model::{Block, Child, Item, Mark, Table, Text, Top};
use crate::safe;

/// Quotes and lists within each other; deeper ones are drawn at this depth.
const MAX_DEPTH: usize = 12;

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// What a text says.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// The blocks, in order.
    pub(crate) tops: Vec<Top>,
    /// What stands last in the text.
    pub(crate) last: Leaf,
    /// Whether the text defines targets of links, which reach backwards.
    pub(crate) has_definitions: bool,
}

/// The innermost block at the end of a text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// Running text that starts here.
    Text(usize),
    /// The cells of a table.
    Table,
    /// Code that starts here, with its fence.
    Code(usize),
    /// Something else or nothing.
    #[default]
    Other,
}

/// Reads a text.
pub(crate) fn build(source: &str) -> Built {
    let parser = Parser::new_ext(source, OPTIONS);
    let has_definitions = parser.reference_definitions().iter().next().is_some();
    let mut builder = Builder::new(source);
    builder.read(parser.into_offset_iter());
    Built {
        tops: builder.tops,
        last: builder.last,
        has_definitions,
    }
}

/// What is open while events come in.
pub(super) enum Open {
    Quote(Vec<Child>),
    List(Option<u64>, Vec<Item>),
    Item(Item),
    /// A container past the greatest depth: what it holds goes to the one around it.
    Flat,
    /// `true` when the parser did not announce it, as in items without empty lines.
    Paragraph(Text, bool),
    Heading(u8, Text),
    Code(String, String),
    Html(String),
    Table(Table),
    Row(Vec<Text>),
    Cell(Text),
}

pub(super) struct Builder<'a> {
    source: &'a str,
    tops: Vec<Top>,
    pub(super) open: Vec<(Open, Range<usize>)>,
    pub(super) last: Leaf,
    depth: usize,
    /// How many of each mark are open.
    pub(super) strong: usize,
    pub(super) emphasis: usize,
    pub(super) strike: usize,
    pub(super) links: Vec<Link>,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            tops: Vec::new(),
            open: Vec::new(),
            last: Leaf::Other,
            depth: 0,
            strong: 0,
            emphasis: 0,
            strike: 0,
            links: Vec::new(),
        }
    }

    fn read(&mut self, events: OffsetIter<'a>) {
        for (event, at) in events {
            match event {
                Event::Start(tag) => self.start(tag, at),
                Event::End(tag) => self.end(tag, at),
                Event::Text(text) => self.text(&text, &at),
                Event::Code(code) => self.inline(&code, Mark::CODE, &at),
                Event::InlineHtml(html) if is_break(&html) => {
                    if let Some(text) = self.writing(&at) {
                        text.hard_break();
                    }
                }
                Event::InlineHtml(html) => self.inline(&html, Mark::HTML, &at),
                Event::Html(html) => self.text(&html, &at),
                Event::SoftBreak => self.inline(" ", Mark::default(), &at),
                Event::HardBreak => {
                    if let Some(text) = self.writing(&at) {
                        text.hard_break();
                    }
                }
                Event::Rule => self.add(Block::Rule, at),
                Event::TaskListMarker(done) => self.task(done),
                // Not asked for in `OPTIONS`.
                Event::InlineMath(text)
                | Event::DisplayMath(text)
                | Event::FootnoteReference(text) => {
                    self.inline(&text, Mark::CODE, &at);
                }
            }
        }
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn start(&mut self, tag: Tag<'a>, at: Range<usize>) {
        match tag {
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strong => self.strong += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => self.link(link_type, &dest_url),
            Tag::Image { dest_url, .. } => {
                self.inline("image: ", Mark::TARGET, &at);
                self.link(LinkType::Inline, &dest_url);
            }
            tag => self.start_block(tag, at),
        }
    }

    fn start_block(&mut self, tag: Tag<'a>, at: Range<usize>) {
        self.end_unannounced();
        let open = match tag {
            Tag::Paragraph => Open::Paragraph(Text::default(), false),
            Tag::Heading { level, .. } => Open::Heading(level_of(level), Text::default()),
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => safe::plain_line(&info).into_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                let label = info.split([' ', ',', '{']).next().unwrap_or_default();
                self.last = Leaf::Code(at.start);
                Open::Code(label.to_owned(), String::new())
            }
            Tag::HtmlBlock => {
                self.last = Leaf::Other;
                Open::Html(String::new())
            }
            Tag::Table(align) => {
                self.last = Leaf::Table;
                Open::Table(Table {
                    align,
                    head: Vec::new(),
                    rows: Vec::new(),
                })
            }
            Tag::TableHead | Tag::TableRow => Open::Row(Vec::new()),
            Tag::TableCell => Open::Cell(Text::default()),
            Tag::Item => Open::Item(Item {
                task: None,
                children: Vec::new(),
                gap: blank_before(self.source, at.start),
            }),
            Tag::List(start) => self.container(Open::List(start, Vec::new())),
            // The others are not asked for in `OPTIONS`; what they hold is read as a quotation.
            _ => self.container(Open::Quote(Vec::new())),
        };
        if matches!(open, Open::Paragraph(..) | Open::Heading(..)) {
            self.last = Leaf::Text(at.start);
        } else if matches!(open, Open::Item(_) | Open::Quote(_)) {
            self.last = Leaf::Other;
        }
        // Items of a list that was flattened have no list to go to.
        let open = match (open, self.open.last()) {
            (Open::Item(_), Some((Open::Flat, _))) => Open::Flat,
            (open, _) => open,
        };
        self.open.push((open, at));
    }

    fn container(&mut self, open: Open) -> Open {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            Open::Flat
        } else {
            open
        }
    }

    fn end(&mut self, tag: TagEnd, at: Range<usize>) {
        match tag {
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.end_link(&at),
            TagEnd::TableHead => {
                if let Some((Open::Row(head), _)) = self.open.pop()
                    && let Some((Open::Table(table), _)) = self.open.last_mut()
                {
                    table.head = head;
                }
            }
            tag => {
                self.end_unannounced();
                let is_container = matches!(tag, TagEnd::List(_) | TagEnd::BlockQuote(_));
                if is_container {
                    self.depth = self.depth.saturating_sub(1);
                }
                self.close();
            }
        }
    }

    fn end_unannounced(&mut self) {
        if matches!(self.open.last(), Some((Open::Paragraph(_, true), _))) {
            self.close();
        }
    }

    /// Closes what was opened last and puts it where it belongs.
    fn close(&mut self) {
        let Some((open, at)) = self.open.pop() else {
            return;
        };
        let block = match open {
            Open::Quote(children) => Block::Quote(children),
            Open::List(start, items) => Block::List(start, items),
            Open::Paragraph(text, _) => Block::Paragraph(text),
            Open::Heading(level, text) => Block::Heading(level, text),
            Open::Code(label, code) => Block::Code(Listing::new(label, code)),
            Open::Html(html) => Block::Html(html.lines().map(str::to_owned).collect()),
            Open::Table(table) => Block::Table(table),
            Open::Flat => return,
            Open::Item(item) => {
                if let Some((Open::List(_, items), _)) = self.open.last_mut() {
                    items.push(item);
                }
                return;
            }
            Open::Row(row) => {
                if let Some((Open::Table(table), _)) = self.open.last_mut() {
                    table.rows.push(row);
                }
                return;
            }
            Open::Cell(text) => {
                if let Some((Open::Row(row), _)) = self.open.last_mut() {
                    row.push(text);
                }
                return;
            }
        };
        self.add(block, at);
    }

    /// Puts a block into the container around it, or to the outermost level.
    fn add(&mut self, block: Block, at: Range<usize>) {
        self.end_unannounced();
        if matches!(block, Block::Rule) {
            self.last = Leaf::Other;
        }
        let child = Child {
            gap: blank_before(self.source, at.start),
            block,
        };
        let around = self.open.iter_mut().rev();
        for (open, _) in around {
            match open {
                Open::Quote(children) => return children.push(child),
                Open::Item(item) => return item.children.push(child),
                _ => {}
            }
        }
        self.tops.push(Top {
            block: child.block,
            source: at,
        });
    }

    fn task(&mut self, done: bool) {
        let items = self.open.iter_mut().rev();
        for (open, _) in items {
            if let Open::Item(item) = open {
                item.task = Some(done);
                return;
            }
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Whether the line before the one at `start` is empty but for quote marks.
fn blank_before(source: &str, start: usize) -> bool {
    let before = source.get(..start).unwrap_or_default();
    let Some(line_end) = before.rfind('\n') else {
        return false;
    };
    let before = &before[..line_end];
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    line.bytes().all(|byte| matches!(byte, b' ' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_code_without_an_end_has_none() {
        let check = |source: &str, expect: &str| {
            let mut built = build(source);
            let mut listings = Vec::new();
            for top in &mut built.tops {
                super::super::model::listings(&mut top.block, &mut listings);
            }
            let code: Vec<&str> = listings.iter().map(|listing| &*listing.code).collect();
            assert_eq!(code, [expect], "{source:?}");
        };
        check("```\nab", "ab");
        check("- x\n\n  ```\n  ab\n  cd", "ab\ncd");
        check("> ```\n> ab", "ab");
    }
}
