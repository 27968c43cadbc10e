//! Lines of a client, of a bounded length.
//!
//! Does not look inside. A line that is too long is passed over up to its end; what follows is
//! read as before.

use std::io;

use memchr::memchr;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line without its end (zot and zut: 16 MiB).
pub(crate) const LINE_BYTES: usize = 16 * 1024 * 1024;
/// How much is read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line that is not blank, without its end. The last one may have had none.
    Text(Vec<u8>),
    /// A line passed the limit; said when it does.
    TooLong,
    /// There are no more.
    End,
}

pub(crate) struct Lines<R> {
    from: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    /// The rest of a line that is too long is being passed over.
    skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self::with_limit(from, LINE_BYTES)
    }

    fn with_limit(from: R, limit: usize) -> Self {
        Self {
            from: BufReader::with_capacity(CHUNK_BYTES, from),
            line: Vec::new(),
            limit,
            skipping: false,
        }
    }

    /// The next line that is not blank.
    ///
    /// # Errors
    /// When the pipe cannot be read.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub(crate) async fn next(&mut self) -> io::Result<Line> {
        loop {
            let chunk = self.from.fill_buf().await?;
            if chunk.is_empty() {
                let last = std::mem::take(&mut self.line);
                return Ok(if is_blank(&last) {
                    Line::End
                } else {
                    Line::Text(last)
                });
            }
            let end = memchr(b'\n', chunk);
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            let used = piece.len() + usize::from(end.is_some());
            let fits = self.line.len() + piece.len() <= self.limit;
            if !self.skipping && fits {
                self.line.extend_from_slice(piece);
            }
            self.from.consume(used);
            let was_skipping = std::mem::replace(&mut self.skipping, false);
            match (was_skipping, fits, end) {
                (true, _, None) => self.skipping = true,
                (true, _, Some(_)) | (false, true, None) => {}
                (false, false, end) => {
                    self.line = Vec::new();
                    self.skipping = end.is_none();
                    return Ok(Line::TooLong);
                }
                (false, true, Some(_)) => {
                    let line = std::mem::take(&mut self.line);
                    if !is_blank(&line) {
                        return Ok(Line::Text(line));
                    }
                }
            }
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pieces::chunks;

    /// A reader that gives what it is told to, piece by piece.
    mod pieces {
        use std::collections::VecDeque;
        use std::io;
        use std::pin::Pin;
        use std::task::{Context, Poll};

        use tokio::io::{AsyncRead, ReadBuf};

        pub(super) struct Chunks(VecDeque<Vec<u8>>);

        pub(super) fn chunks(chunks: &[&[u8]]) -> Chunks {
            Chunks(chunks.iter().map(|chunk| chunk.to_vec()).collect())
        }

        impl AsyncRead for Chunks {
            fn poll_read(
                mut self: Pin<&mut Self>,
                _: &mut Context<'_>,
                into: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                if let Some(chunk) = self.0.pop_front() {
                    into.put_slice(&chunk);
                }
                Poll::Ready(Ok(()))
            }
        }
    }

    async fn read(pieces: &[&[u8]]) -> Vec<Line> {
        let mut lines = Lines::with_limit(chunks(pieces), 8);
        let mut all = Vec::new();
        loop {
            let line = lines.next().await.unwrap();
            if line == Line::End {
                return all;
            }
            all.push(line);
        }
    }

    async fn check(pieces: &[&[u8]], expect: &[&str]) {
        let found = read(pieces).await;
        let found: Vec<&str> = found
            .iter()
            .map(|line| match line {
                Line::Text(text) => std::str::from_utf8(text).unwrap(),
                Line::TooLong => "TOO LONG",
                Line::End => "END",
            })
            .collect();
        assert_eq!(found, expect, "{pieces:?}");
    }

    #[tokio::test]
    async fn lines_are_found_wherever_the_pieces_end() {
        check(&[b"a\nb\n"], &["a", "b"]).await;
        check(&[b"a", b"b", b"\n", b"c\nd"], &["ab", "c", "d"]).await;
        check(&[], &[]).await;
    }

    #[tokio::test]
    async fn blank_lines_are_passed_over() {
        check(&[b"\n \r\n\t\na\r\n\n", b" "], &["a\r"]).await;
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_said_once_and_the_next_one_is_read() {
        check(&[b"12345678\n"], &["12345678"]).await;
        check(&[b"123456789\nb\n"], &["TOO LONG", "b"]).await;
        let pieces: [&[u8]; 5] = [b"12345", b"67890", b"x", b"yz\nb", b"\n"];
        check(&pieces, &["TOO LONG", "b"]).await;
        check(&[b"123456789", b"0123"], &["TOO LONG"]).await;
        let twice: [&[u8]; 3] = [b"1234567890\n1234567890", b"\n", b"c"];
        check(&twice, &["TOO LONG", "TOO LONG", "c"]).await;
    }
}
