//! Running text: marks that add up, links that show where they lead.

use std::ops::Range;

use pulldown_cmark::LinkType;

use super::build::{Builder, Leaf, Open};
use super::model::{Mark, Text};
use crate::safe;

/// A link that is open.
pub(super) struct Link {
    target: String,
    text: String,
}

impl Builder<'_> {
    pub(super) fn text(&mut self, text: &str, at: &Range<usize>) {
        match self.open.last_mut() {
            Some((Open::Code(_, code), _)) => code.push_str(&safe::plain(text)),
            Some((Open::Html(html), _)) => html.push_str(&safe::plain(text)),
            _ => self.inline(text, Mark::default(), at),
        }
    }

    pub(super) fn inline(&mut self, text: &str, mark: Mark, at: &Range<usize>) {
        let text = safe::plain_line(text);
        let mut mark = mark;
        for (count, add) in [
            (self.strong, Mark::STRONG),
            (self.emphasis, Mark::EMPHASIS),
            (self.strike, Mark::STRIKE),
            (self.links.len(), Mark::LINK),
        ] {
            if count > 0 {
                mark |= add;
            }
        }
        for link in &mut self.links {
            link.text.push_str(&text);
        }
        if let Some(writing) = self.writing(at) {
            writing.push(&text, mark);
        }
    }

    /// The text that is being written; begins a paragraph where none was announced.
    pub(super) fn writing(&mut self, at: &Range<usize>) -> Option<&mut Text> {
        let is_writing = matches!(
            self.open.last(),
            Some((Open::Paragraph(..) | Open::Heading(..) | Open::Cell(_), _))
        );
        if !is_writing {
            self.last = Leaf::Text(at.start);
            self.open
                .push((Open::Paragraph(Text::default(), true), at.clone()));
        }
        match self.open.last_mut() {
            Some((Open::Paragraph(text, _) | Open::Heading(_, text) | Open::Cell(text), _)) => {
                Some(text)
            }
            _ => None,
        }
    }

    pub(super) fn link(&mut self, kind: LinkType, target: &str) {
        let target = safe::plain_line(target);
        let target = match kind {
            LinkType::Email => target.trim_start_matches("mailto:"),
            _ => &target,
        };
        self.links.push(Link {
            target: target.to_owned(),
            text: String::new(),
        });
    }

    /// Shows the target where the text does not: nobody should be led elsewhere than they read.
    pub(super) fn end_link(&mut self, at: &Range<usize>) {
        let Some(Link { target, text }) = self.links.pop() else {
            return;
        };
        if !target.is_empty() && target != text {
            self.inline(&format!(" ({target})"), Mark::TARGET, at);
        }
    }
}

/// Whether markup breaks the line.
pub(super) fn is_break(html: &str) -> bool {
    matches!(html.trim_matches(['<', '>', '/', ' ']), "br" | "BR" | "Br")
}
