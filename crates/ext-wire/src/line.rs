//! From bytes to lines; knows line ends, UTF-8 and one limit, and nothing about what a line says.
//!
//! Bytes are read into one growing buffer and frames are cut out of it without copying. A frame
//! therefore keeps the block it arrived in alive (64 KiB, or the frame itself when larger): copy
//! it if it is to be kept for long.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::Limits;

/// Size of a new block: what a Linux pipe holds.
const BLOCK_BYTES: usize = 64 * 1024;

/// Room below which a read is not worth its system call and a new block is made.
const LEAST_ROOM_BYTES: usize = 4 * 1024;

/// Bytes of a broken line shown on either side of the break.
const PREVIEW_BYTES: usize = 24;

/// One line, its line end removed (LF or CRLF).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Valid UTF-8 with something in it.
    Frame(Bytes),
    /// Not UTF-8. The reader has already moved past it; the next line is unharmed.
    NotUtf8 {
        /// Where the first wrong byte is, counted in bytes from the start of the line.
        at: usize,
        /// The surroundings of that byte, fit to be shown: U+FFFD for what is wrong, no control
        /// characters, at most 24 bytes on either side.
        preview: String,
    },
    /// Nothing, or only white space.
    Blank,
}

/// Why reading is over. The first error is final.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A line passed the limit. What follows cannot be trusted to start a line.
    #[error("a line is longer than {limit_bytes} bytes, which is the most a frame may have")]
    TooLong {
        /// [`Limits::frame_bytes`].
        limit_bytes: usize,
    },
    /// The stream ended inside a line. What had arrived is dropped, never handed out as a line.
    #[error("the stream ended {bytes} bytes into an unfinished line")]
    Torn {
        /// How much of that line had arrived.
        bytes: usize,
    },
    /// The operating system failed the read.
    #[error("reading failed: {cause}")]
    Io {
        /// The kind of failure.
        kind: io::ErrorKind,
        /// What the operating system said.
        cause: String,
    },
}

/// Reads lines from `R`.
///
/// # Limits
///
/// [`Limits::frame_bytes`], the line end not counted. Memory is bounded by about twice that.
#[derive(Debug)]
pub struct LineReader<R> {
    io: R,
    buffer: BytesMut,
    /// How far into `buffer` is known to hold no LF, so that no byte is searched twice.
    scanned: usize,
    limit: usize,
    end: Option<Result<(), ReadError>>,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// A reader with an empty buffer; of the limits it obeys [`Limits::frame_bytes`].
    pub fn new(io: R, limits: &Limits) -> Self {
        Self {
            io,
            buffer: BytesMut::new(),
            scanned: 0,
            limit: limits.frame_bytes,
            end: None,
        }
    }

    /// The next line, or `None` when the stream ended after a complete line.
    ///
    /// # Errors
    ///
    /// Each [`ReadError`] is fatal; asking again gives the same answer again.
    ///
    /// # Cancel safety
    ///
    /// Safe: what had arrived when the future was dropped is kept for the next call.
    pub async fn next(&mut self) -> Result<Option<Line>, ReadError> {
        loop {
            if let Some(end) = &self.end {
                return end.clone().map(|()| None);
            }
            match self.take() {
                Ok(Some(line)) => return Ok(Some(line)),
                Ok(None) => self.fill().await,
                Err(error) => self.finish(Err(error)),
            }
        }
    }

    /// Reads once; an end or a failure is remembered.
    async fn fill(&mut self) {
        if self.buffer.capacity() - self.buffer.len() < LEAST_ROOM_BYTES {
            self.buffer.reserve(BLOCK_BYTES);
        }
        match self.io.read_buf(&mut self.buffer).await {
            Ok(0) if self.buffer.is_empty() => self.finish(Ok(())),
            Ok(0) => {
                let bytes = self.buffer.len();
                self.finish(Err(ReadError::Torn { bytes }));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.finish(Err(ReadError::Io {
                kind: error.kind(),
                cause: error.to_string(),
            })),
        }
    }
}

impl<R> LineReader<R> {
    /// Gives the stream back; bytes that were read and not yet handed out are lost.
    pub fn into_inner(self) -> R {
        self.io
    }

    /// Cuts the next complete line out of the buffer.
    fn take(&mut self) -> Result<Option<Line>, ReadError> {
        let Some(found) = memchr::memchr(b'\n', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            return match self.too_long(&self.buffer) {
                true => Err(self.limit_passed()),
                false => Ok(None),
            };
        };
        let end = self.scanned + found;
        if self.too_long(&self.buffer[..end]) {
            return Err(self.limit_passed());
        }
        let mut line = self.buffer.split_to(end + 1);
        self.scanned = 0;
        if self.buffer.is_empty() && line.len() > BLOCK_BYTES {
            // Let go of a block that one large frame made grow.
            self.buffer = BytesMut::new();
        }
        let ends_in_cr = end > 0 && line[end - 1] == b'\r';
        line.truncate(if ends_in_cr { end - 1 } else { end });
        Ok(Some(sort(line.freeze())))
    }

    /// Whether `line`, which has no LF, is above the limit; one CR at its end may be half of a
    /// line end and is not counted.
    fn too_long(&self, line: &[u8]) -> bool {
        line.len() - usize::from(line.last() == Some(&b'\r')) > self.limit
    }

    fn limit_passed(&self) -> ReadError {
        ReadError::TooLong {
            limit_bytes: self.limit,
        }
    }

    fn finish(&mut self, end: Result<(), ReadError>) {
        self.buffer = BytesMut::new();
        self.scanned = 0;
        self.end = Some(end);
    }
}

fn sort(line: Bytes) -> Line {
    match std::str::from_utf8(&line) {
        Err(error) => Line::NotUtf8 {
            at: error.valid_up_to(),
            preview: preview(&line, error.valid_up_to()),
        },
        Ok(_) if line.iter().all(u8::is_ascii_whitespace) => Line::Blank,
        Ok(_) => Line::Frame(line),
    }
}

/// The surroundings of byte `at`. A character cut at the left edge is left out, so that the first
/// U+FFFD shown is the real break.
fn preview(line: &[u8], at: usize) -> String {
    let is_continuation = |index: usize| line[index] & 0b1100_0000 == 0b1000_0000;
    let from = (at.saturating_sub(PREVIEW_BYTES)..at)
        .find(|&index| !is_continuation(index))
        .unwrap_or(at);
    let to = line.len().min(at + PREVIEW_BYTES);
    String::from_utf8_lossy(&line[from..to])
        .chars()
        .filter(|character| !character.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn limits(frame_bytes: usize) -> Limits {
        Limits {
            frame_bytes,
            ..Limits::default()
        }
    }

    /// Hands out prepared pieces, one a read, then the end.
    struct Pieces(std::vec::IntoIter<Vec<u8>>);

    impl Pieces {
        fn new(pieces: &[&[u8]]) -> Self {
            let pieces: Vec<_> = pieces.iter().map(|piece| piece.to_vec()).collect();
            Self(pieces.into_iter())
        }
    }

    impl AsyncRead for Pieces {
        fn poll_read(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            into: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<io::Result<()>> {
            into.put_slice(&self.0.next().unwrap_or_default());
            std::task::Poll::Ready(Ok(()))
        }
    }

    async fn read_all<R: AsyncRead + Unpin>(
        mut reader: LineReader<R>,
    ) -> (Vec<Line>, Result<(), ReadError>) {
        let mut lines = Vec::new();
        loop {
            match reader.next().await {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => return (lines, Ok(())),
                Err(error) => return (lines, Err(error)),
            }
        }
    }

    async fn check(limit: usize, input: &[u8], lines: &[Line], end: Result<(), ReadError>) {
        let reader = LineReader::new(Pieces::new(&[input]), &limits(limit));
        assert_eq!(read_all(reader).await, (lines.to_vec(), end));
    }

    fn frame(text: &'static str) -> Line {
        Line::Frame(Bytes::from_static(text.as_bytes()))
    }

    #[tokio::test]
    async fn line_ends_are_removed_and_blank_lines_marked() {
        let lines = [
            frame("a"),
            frame("b"),
            Line::Blank,
            Line::Blank,
            frame("c\rd"),
        ];
        check(9, b"a\nb\r\n\n \t\r\nc\rd\n", &lines, Ok(())).await;
    }

    #[tokio::test]
    async fn the_limit_does_not_count_the_line_end() {
        let too_long = Err(ReadError::TooLong { limit_bytes: 3 });
        check(3, b"abc\nabc\r\n", &[frame("abc"), frame("abc")], Ok(())).await;
        check(3, b"abc\nabcd\n", &[frame("abc")], too_long.clone()).await;
        check(3, b"abcd\r\n", &[], too_long.clone()).await;
        check(3, b"abc\r\r\n", &[], too_long).await;
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up_at_the_limit() {
        let endless = tokio::io::repeat(b'x');
        let (lines, end) = read_all(LineReader::new(endless, &limits(200_000))).await;
        let too_long = ReadError::TooLong {
            limit_bytes: 200_000,
        };
        assert_eq!((lines, end), (vec![], Err(too_long)));
    }

    #[tokio::test]
    async fn an_unfinished_last_line_is_torn() {
        check(
            9,
            b"a\nbc",
            &[frame("a")],
            Err(ReadError::Torn { bytes: 2 }),
        )
        .await;
    }

    #[tokio::test]
    async fn the_first_error_is_final() {
        let mut reader = LineReader::new(Pieces::new(&[b"abcd\n", b"e\n"]), &limits(3));
        let error = reader.next().await.unwrap_err();
        assert_eq!(reader.next().await, Err(error));
    }

    #[tokio::test]
    async fn a_line_that_is_not_utf8_does_not_harm_the_next() {
        // The place counts bytes: "é" has two, and the tab, which is not shown, is one.
        let broken = Line::NotUtf8 {
            at: 5,
            preview: "ab\u{e9}\u{fffd}z".to_owned(),
        };
        let input = b"ab\xc3\xa9\t\xffz\nok\n";
        check(99, input, &[broken, frame("ok")], Ok(())).await;
    }

    #[test]
    fn a_preview_is_short_and_starts_at_a_character() {
        let mut line = "\u{20ac}".repeat(40).into_bytes();
        line.push(0xff);
        line.extend([b'y'; 90]);
        let preview = preview(&line, 120);
        assert_eq!(
            preview,
            format!("{}\u{fffd}{}", "\u{20ac}".repeat(8), "y".repeat(23))
        );
    }

    #[tokio::test]
    async fn a_frame_of_the_full_limit_arrives_in_small_pieces() {
        let limits = Limits::default();
        let (mut near, far) = tokio::io::duplex(8 * 1024);
        let size = limits.frame_bytes;
        let writer = tokio::spawn(async move {
            near.write_all(&vec![b'x'; size]).await.unwrap();
            near.write_all(b"\r\nnext\n").await.unwrap();
        });
        let mut reader = LineReader::new(far, &limits);
        match reader.next().await.unwrap() {
            Some(Line::Frame(frame)) => assert_eq!(frame.len(), size),
            other => panic!("{other:?}"),
        }
        assert_eq!(reader.next().await, Ok(Some(frame("next"))));
        writer.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_read_loses_nothing() {
        let (mut near, far) = tokio::io::duplex(64);
        let mut reader = LineReader::new(far, &Limits::default());
        near.write_all(b"hal").await.unwrap();
        let tick = std::time::Duration::from_millis(1);
        tokio::time::timeout(tick, reader.next()).await.unwrap_err();
        near.write_all(b"f\n").await.unwrap();
        assert_eq!(reader.next().await, Ok(Some(frame("half"))));
    }

    fn pieces_of_lines() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\xff".to_vec()),
            "[a-z\u{e9} ]{0,12}".prop_map(String::into_bytes),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(
            input in pieces_of_lines(),
            cuts in prop::collection::vec(1_usize..9, 1..60),
            limit in 5_usize..40,
        ) {
            let mut pieces = Vec::new();
            let mut rest = input.as_slice();
            for &cut in cuts.iter().cycle() {
                if rest.is_empty() { break; }
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let whole = LineReader::new(Pieces::new(&[&input]), &limits(limit));
            let whole = runtime.block_on(read_all(whole));
            let cut = LineReader::new(Pieces::new(&pieces), &limits(limit));
            let cut = runtime.block_on(read_all(cut));
            prop_assert_eq!(whole, cut);
        }
    }
}
