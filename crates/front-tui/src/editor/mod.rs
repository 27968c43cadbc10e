//! The text that is being written: a cursor, pieces, undo. Pure.
//!
//! A big paste and an image are each one piece: one character of the text, that a label stands for
//! on the screen and the whole for the model. So they are passed over, deleted and undone as one.
//! Does not know which key does what (`keys`), nor how it is drawn (`rows`).

mod history;
mod keys;
mod rows;
mod undo;

use unicode_segmentation::UnicodeSegmentation as _;
use zeug_transcript::Image;

pub(crate) use history::History;
pub(crate) use rows::rows;
use undo::{Kind, Undo};

/// Characters of a plane that no text uses: each stands for the piece of its number.
const FIRST_PIECE: u32 = 0xF_0000;
/// The most pieces of one text.
const MAX_PIECES: usize = 256;
/// A paste of more lines than this becomes a piece.
const FOLDED_LINES: usize = 8;
/// A paste of more bytes than this becomes a piece.
const FOLDED_BYTES: usize = 1000;
/// The most bytes that are held; what a paste has beyond is left out.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// What a piece stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A text that was pasted.
    Paste(String),
    /// An image.
    Image(Image),
}

impl Piece {
    fn label(&self, number: usize) -> String {
        match self {
            Self::Paste(text) => {
                let lines = text.lines().count();
                format!("[paste {number}: {lines} lines]")
            }
            Self::Image(image) => {
                let kib = image.byte_len().div_ceil(1024);
                format!("[image {number}: {kib} KiB]")
            }
        }
    }
}

/// What was written, for the model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// The text, pastes in full.
    pub(crate) text: String,
    /// The images, in order.
    pub(crate) images: Vec<Image>,
    /// The text as it stood in the editor, pieces as their labels.
    pub(crate) shown: String,
}

/// The text that is being written.
#[derive(Debug, Default)]
pub(crate) struct Editor {
    text: String,
    /// A byte offset at a cluster's beginning.
    cursor: usize,
    pieces: Vec<Piece>,
    undo: Undo,
    /// What was cut last, to be put back.
    cut: String,
    /// The column that moves up and down keep to.
    column: Option<usize>,
    /// The columns there were when it was drawn last.
    width: usize,
}

impl Editor {
    /// The text, pieces as their characters.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Where the cursor is, in bytes.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Says how many columns there are, for moves between lines.
    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// What a cluster of the text looks like: itself, or the label of a piece.
    pub(crate) fn label<'a>(&self, cluster: &'a str) -> std::borrow::Cow<'a, str> {
        let piece = cluster.chars().next().and_then(piece_at);
        match piece.and_then(|at| Some((at, self.pieces.get(at)?))) {
            Some((at, piece)) => piece.label(at + 1).into(),
            None => cluster.into(),
        }
    }

    /// What was written, for the model.
    pub(crate) fn written(&self) -> Written {
        let mut written = Written::default();
        for c in self.text.chars() {
            match piece_at(c).and_then(|at| Some((at, self.pieces.get(at)?))) {
                None => {
                    written.text.push(c);
                    written.shown.push(c);
                }
                Some((at, piece)) => {
                    let label = piece.label(at + 1);
                    match piece {
                        Piece::Paste(text) => written.text.push_str(text),
                        Piece::Image(image) => {
                            written.text.push_str(&label);
                            written.images.push(image.clone());
                        }
                    }
                    written.shown.push_str(&label);
                }
            }
        }
        written
    }

    /// The text for another editor: pastes in full, images as their labels.
    pub(crate) fn unfolded(&self) -> String {
        self.written().text
    }

    /// A text comes back from another editor: labels of images stand for them again.
    pub(crate) fn set_unfolded(&mut self, text: &str) {
        self.save(Kind::Other);
        let mut text = clean(text.trim_end_matches(['\n', '\r']));
        for (at, piece) in self.pieces.iter().enumerate() {
            if let (Piece::Image(_), Some(c)) = (piece, piece_char(at)) {
                text = text.replacen(&piece.label(at + 1), c.encode_utf8(&mut [0; 4]), 1);
            }
        }
        self.text = text;
        self.cursor = self.text.len();
    }

    /// What was written, and an empty editor.
    pub(crate) fn take(&mut self) -> Written {
        let written = self.written();
        let width = self.width;
        let cut = std::mem::take(&mut self.cut);
        *self = Self {
            width,
            cut,
            ..Self::default()
        };
        written
    }

    /// Another text takes the place of this one; it can be undone.
    pub(crate) fn set(&mut self, text: &str) {
        self.save(Kind::Other);
        self.text = clean(text);
        self.cursor = self.text.len();
    }

    /// Puts a text at the cursor, as it is typed.
    pub(crate) fn insert(&mut self, text: &str) {
        let text = clean(text);
        if text.is_empty() || self.text.len() + text.len() > MAX_BYTES {
            return;
        }
        let kind = if text.contains(char::is_whitespace) {
            Kind::Space
        } else {
            Kind::Typed
        };
        self.save(kind);
        self.put(&text);
    }

    /// Puts a pasted text at the cursor; a long one becomes a piece.
    pub(crate) fn paste(&mut self, text: &str) {
        let text = clean(zeug_stdx::text::prefix(text, MAX_BYTES));
        let is_long = text.len() > FOLDED_BYTES || text.lines().count() > FOLDED_LINES;
        if is_long && self.pieces.len() < MAX_PIECES {
            self.piece(Piece::Paste(text));
        } else {
            self.save(Kind::Other);
            self.put(&text);
        }
    }

    /// Puts an image at the cursor; false when there are too many pieces.
    pub(crate) fn attach(&mut self, image: Image) -> bool {
        if self.pieces.len() >= MAX_PIECES {
            return false;
        }
        self.piece(Piece::Image(image));
        true
    }

    fn piece(&mut self, piece: Piece) {
        self.save(Kind::Other);
        let c = piece_char(self.pieces.len());
        self.pieces.push(piece);
        if let Some(c) = c {
            self.put(c.encode_utf8(&mut [0; 4]));
        }
    }

    /// Replaces bytes of the text; for what a pop-up chose.
    pub(crate) fn replace(&mut self, range: std::ops::Range<usize>, with: &str) {
        if self.text.get(range.clone()).is_none() {
            return;
        }
        self.save(Kind::Other);
        let with = clean(with);
        self.text.replace_range(range.clone(), &with);
        self.cursor = range.start + with.len();
    }

    fn put(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
    }

    fn save(&mut self, kind: Kind) {
        self.column = None;
        self.undo.save(kind, &self.text, self.cursor);
    }

    fn delete(&mut self, range: std::ops::Range<usize>, kind: Kind) -> String {
        if range.is_empty() {
            return String::new();
        }
        self.save(kind);
        let gone = self.text[range.clone()].to_owned();
        self.text.replace_range(range.clone(), "");
        self.cursor = range.start;
        gone
    }

    /// The beginning of the cluster before an offset.
    fn before(&self, at: usize) -> usize {
        let cluster = self.text[..at].graphemes(true).next_back();
        at - cluster.map_or(0, str::len)
    }

    /// The end of the cluster behind an offset.
    fn behind(&self, at: usize) -> usize {
        let cluster = self.text[at..].graphemes(true).next();
        at + cluster.map_or(0, str::len)
    }

    /// The beginning of the word before an offset.
    fn word_before(&self, at: usize) -> usize {
        let words = self.text[..at].split_word_bound_indices().rev();
        let mut words = words.skip_while(|(_, word)| !is_word(word));
        words.next().map_or(0, |(start, _)| start)
    }

    /// The end of the word behind an offset.
    fn word_behind(&self, at: usize) -> usize {
        let words = self.text[at..].split_word_bound_indices();
        let mut words = words.skip_while(|(_, word)| !is_word(word));
        words
            .next()
            .map_or(self.text.len(), |(start, word)| at + start + word.len())
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |end| at + end)
    }
}

fn is_word(part: &str) -> bool {
    part.chars()
        .any(|c| c.is_alphanumeric() || piece_at(c).is_some())
}

/// The character that stands for a piece.
fn piece_char(at: usize) -> Option<char> {
    char::from_u32(FIRST_PIECE + u32::try_from(at).ok()?)
}

/// The number of the piece that a character stands for.
fn piece_at(c: char) -> Option<usize> {
    let at = u32::from(c).checked_sub(FIRST_PIECE)?;
    usize::try_from(at).ok().filter(|at| *at < MAX_PIECES)
}

/// Text from outside without what could drive a terminal or stand for a piece.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = zeug_paint::safe::plain(&text);
    text.chars().filter(|c| piece_at(*c).is_none()).collect()
}

#[cfg(test)]
mod tests;
