//! From blocks to lines: indents, bullets, bars, wrapping.

use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::listing::{Listing, whole};
use super::model::{Block, Child, Item, Mark, Run, Text};
use super::table;
use crate::canvas::Canvas;
use crate::code::Part;
use crate::theme::{Role, Token};
use crate::wrap::{Breaks, Indent, wrap};

/// Text beside indents gets at least this many cells; else outer indents are left out.
const MIN_TEXT_CELLS: usize = 8;
/// Targets of links are cut here: some carry a whole image.
const MAX_TARGET_CELLS: usize = 160;

/// Paints blocks at a width.
pub(super) struct Layout<'a> {
    pub(super) canvas: &'a Canvas,
    pub(super) base: Style,
    pub(super) width: usize,
    pub(super) lines: &'a mut Vec<Line<'static>>,
    /// How far the listing that was painted last is laid out.
    pub(super) laid: Laid,
    /// Whether some code waits for its colours.
    pub(super) is_behind: bool,
}

impl Layout<'_> {
    pub(super) fn block(&mut self, block: &mut Block, indent: &Indent) {
        match block {
            Block::Paragraph(text) => self.text(text, self.base, indent),
            Block::Heading(level, text) => {
                let role = if *level <= 2 {
                    Role::Heading
                } else {
                    Role::Subheading
                };
                self.text(text, self.base.patch(self.canvas.style(role)), indent);
            }
            Block::Code(listing) => self.listing(listing, indent),
            Block::Html(lines) => {
                let style = self.base.patch(self.canvas.style(Role::Html));
                let mut indent = indent.clone();
                for line in lines {
                    self.wrap(&[Span::styled(line.clone(), style)], &indent, Breaks::Words);
                    indent = indent.following();
                }
            }
            Block::Quote(children) => self.quote(children, indent),
            Block::List(start, items) => self.list(*start, items, indent),
            Block::Table(table) => table::paint(self, table, indent),
            Block::Rule => {
                let (mut line, room) = match self.width.saturating_sub(indent.width()) {
                    0 => (Vec::new(), self.width),
                    room => (indent.first.clone(), room),
                };
                let rule = self.canvas.symbols().horizontal.repeat(room);
                line.push(self.canvas.span(Role::Border, rule));
                self.lines.push(Line::from(line));
            }
        }
    }

    fn text(&mut self, text: &Text, base: Style, indent: &Indent) {
        let mut indent = indent.clone();
        for line in &text.lines {
            let spans = self.spans(line, base);
            self.wrap(&spans, &indent, Breaks::Words);
            indent = indent.following();
        }
    }

    pub(super) fn wrap(&mut self, spans: &[Span<'_>], indent: &Indent, breaks: Breaks) {
        wrap(spans, self.width, indent, breaks, self.lines);
    }

    pub(super) fn spans(&self, runs: &[Run], base: Style) -> Vec<Span<'static>> {
        let span = |run: &Run| {
            let mark = run.mark;
            let text = if mark.has(Mark::TARGET) {
                let ellipsis = self.canvas.symbols().ellipsis;
                crate::cells::shorten(&run.text, MAX_TARGET_CELLS, ellipsis)
            } else {
                run.text.clone()
            };
            Span::styled(text, self.mark(mark, base))
        };
        runs.iter().map(span).collect()
    }

    fn mark(&self, mark: Mark, base: Style) -> Style {
        let roles = [
            (Mark::HTML, Role::Html),
            (Mark::LINK, Role::Link),
            (Mark::CODE, Role::Code),
            (Mark::STRONG, Role::Strong),
            (Mark::EMPHASIS, Role::Emphasis),
            (Mark::STRIKE, Role::Strike),
            (Mark::TARGET, Role::LinkTarget),
        ];
        let there = roles.into_iter().filter(|(flag, _)| mark.has(*flag));
        there.fold(base, |style, (_, role)| {
            style.patch(self.canvas.style(role))
        })
    }

    /// `inner` inside of `outer`, or alone when there is no room for both.
    pub(super) fn deeper(&self, outer: &Indent, inner: &Indent) -> Indent {
        if outer.width() + inner.width() + MIN_TEXT_CELLS > self.width {
            inner.clone()
        } else {
            outer.then(inner)
        }
    }

    fn quote(&mut self, children: &mut [Child], indent: &Indent) {
        let bar = format!("{} ", self.canvas.symbols().quote);
        let bar = Indent::all(vec![self.canvas.span(Role::Border, bar)]);
        let indent = self.deeper(indent, &bar);
        let base = self.base;
        self.base = base.patch(self.canvas.style(Role::Quote));
        self.children(children, &indent);
        self.base = base;
    }

    /// Blocks inside of another, with an empty line where the source has one.
    fn children(&mut self, children: &mut [Child], indent: &Indent) {
        if children.is_empty() {
            self.wrap(&[], indent, Breaks::Words);
        }
        let mut indent = indent.clone();
        for (at, child) in children.iter_mut().enumerate() {
            if at > 0 && child.gap {
                self.empty(&indent);
            }
            self.block(&mut child.block, &indent);
            indent = indent.following();
        }
    }

    /// An empty line that shows the bars beside it.
    fn empty(&mut self, indent: &Indent) {
        let mut spans = indent.rest.clone();
        while spans
            .last()
            .is_some_and(|span| span.content.trim().is_empty())
        {
            spans.pop();
        }
        let bars = Indent::all(spans);
        self.wrap(&[], &bars, Breaks::Words);
    }

    fn list(&mut self, start: Option<u64>, items: &mut [Item], indent: &Indent) {
        // Numbers end in the same column.
        let last = start.map(|first| first.saturating_add(items.len().saturating_sub(1) as u64));
        let digits = last.map_or(0, |last| last.to_string().len());
        let depth = bullets_in(indent, self.canvas);
        let mut indent = indent.clone();
        let mut number = start;
        for (at, item) in items.iter_mut().enumerate() {
            if at > 0 && item.gap {
                self.empty(&indent);
            }
            let mark = match number {
                Some(number) => format!("{number:>digits$}. "),
                None => format!("{} ", self.canvas.symbols().bullets[depth % 3]),
            };
            let hanging = " ".repeat(crate::cells::width(&mark));
            let mut inner = Indent {
                first: vec![self.canvas.span(Role::ListMark, mark)],
                rest: vec![Span::raw(hanging)],
            };
            if let Some(done) = item.task {
                inner = inner.then(&self.task(done));
            }
            let around = self.deeper(&indent, &inner);
            self.children(&mut item.children, &around);
            indent = indent.following();
            number = number.map(|number| number.saturating_add(1));
        }
    }

    fn task(&self, done: bool) -> Indent {
        let symbols = self.canvas.symbols();
        let (text, role) = if done {
            (symbols.task_done, Role::Success)
        } else {
            (symbols.task_open, Role::Dim)
        };
        let width = crate::cells::width(text) + 1;
        Indent {
            first: vec![self.canvas.span(role, format!("{text} "))],
            rest: vec![Span::raw(" ".repeat(width))],
        }
    }

    fn listing(&mut self, listing: &mut Listing, indent: &Indent) {
        let mut indent = indent.clone();
        if !listing.label.is_empty() {
            let label = self.canvas.span(Role::CodeLabel, listing.label.clone());
            let inner = Indent::all(vec![Span::raw("  ")]);
            let around = self.deeper(&indent, &inner);
            self.wrap(&[label], &around, Breaks::Anywhere);
            indent = indent.following();
        }
        let before = self.lines.len();
        self.laid = Laid {
            code_lines: 0,
            lines: before,
        };
        self.code(listing, &indent);
        if self.lines.len() == before && listing.label.is_empty() {
            self.wrap(&[], &indent, Breaks::Anywhere);
        }
    }

    /// The code of a listing from where it was laid out to.
    pub(super) fn code(&mut self, listing: &mut Listing, indent: &Indent) {
        let canvas = self.canvas;
        let is_diff = matches!(&*listing.label, "diff" | "patch");
        let wrapped = format!("{} ", canvas.symbols().wrapped);
        let inner = Indent {
            first: vec![Span::raw("  ")],
            rest: vec![canvas.span(Role::Border, wrapped)],
        };
        let text = canvas.theme.code(Token::Text);
        let base = self.base.patch(canvas.style(Role::CodeBlock)).patch(text);
        let mut around = self.deeper(indent, &inner);
        let following = self.deeper(&indent.following(), &inner);
        let (width, lines, laid) = (self.width, &mut *self.lines, &mut self.laid);
        listing.paint(canvas, laid.code_lines, |line, parts, is_final| {
            let spans = if is_diff {
                let base = base.patch(diff_style(canvas, line));
                code_spans(canvas, base, line, &whole(line))
            } else {
                code_spans(canvas, base, line, parts)
            };
            wrap(&spans, width, &around, Breaks::Anywhere, lines);
            around.clone_from(&following);
            if is_final {
                laid.code_lines += 1;
                laid.lines = lines.len();
            }
        });
        self.is_behind |= listing.is_behind();
    }
}

/// How far a listing was laid out for good: its lines, and how many lines there were then.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Laid {
    pub(super) code_lines: usize,
    pub(super) lines: usize,
}

/// How many lists are around an indent, by the bullets in it.
fn bullets_in(indent: &Indent, canvas: &Canvas) -> usize {
    let role = canvas.style(Role::Border);
    let spaces = indent.rest.iter();
    spaces
        .filter(|span| span.style != role && span.content.trim().is_empty())
        .count()
}

fn diff_style(canvas: &Canvas, line: &str) -> Style {
    match line.bytes().next() {
        Some(b'+') => canvas.style(Role::DiffAdded),
        Some(b'-') => canvas.style(Role::DiffRemoved),
        Some(b'@') => canvas.style(Role::DiffFold),
        _ => Style::new(),
    }
}

/// One line of code with the colours of its parts.
pub(crate) fn code_spans(
    canvas: &Canvas,
    base: Style,
    line: &str,
    parts: &[Part],
) -> Vec<Span<'static>> {
    let span = |(range, token): &Part| {
        let style = token.map_or(base, |token| base.patch(canvas.theme.code(token)));
        let text = line.get(range.clone()).unwrap_or_default();
        Span::styled(text.to_owned(), style)
    };
    parts.iter().map(span).collect()
}
