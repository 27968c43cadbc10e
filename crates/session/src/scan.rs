//! Lines of a file of any size, with a bounded view of each.
//!
//! Does not know what a line says.

use std::fs::File;
use std::io;

use crate::files::read_some;

/// How much of each line is shown: enough for the head of a row with a long extension name.
pub(crate) const SHOWN: usize = 512;

/// Large enough that the calls do not matter, small enough that the memory does not.
const CHUNK: usize = 256 * 1024;

/// A line that ended with a line break.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Where it begins in the file.
    pub(crate) at: u64,
    /// Its length without the line break.
    pub(crate) len: u64,
    /// Its first [`SHOWN`] bytes.
    pub(crate) shown: &'a [u8],
}

/// Shows each whole line from `from` on; where the first byte stands that belongs to none.
///
/// # Limits
/// One chunk of memory, whatever the length of a line.
pub(crate) fn lines<E: From<io::Error>>(
    file: &File,
    from: u64,
    mut each: impl FnMut(Line<'_>) -> Result<(), E>,
) -> Result<u64, E> {
    // Most sessions are small, and a list looks at many of them.
    let left = file.metadata()?.len().saturating_sub(from);
    let size = usize::try_from(left).map_or(CHUNK, |left| left.clamp(SHOWN, CHUNK));
    let mut chunk = vec![0; size];
    // The beginning of a line that reaches into the next chunk.
    let mut begun: Vec<u8> = Vec::with_capacity(SHOWN);
    let (mut at, mut start) = (from, from);
    loop {
        let read = read_some(file, &mut chunk, at)?;
        if read == 0 {
            return Ok(start);
        }
        let chunk = &chunk[..read];
        let mut done = 0;
        for end in memchr::memchr_iter(b'\n', chunk) {
            let piece = &chunk[done..end];
            let shown = if begun.is_empty() {
                &piece[..piece.len().min(SHOWN)]
            } else {
                show(&mut begun, piece);
                &begun
            };
            let len = at + end as u64 - start;
            each(Line {
                at: start,
                len,
                shown,
            })?;
            begun.clear();
            done = end + 1;
            start = at + done as u64;
        }
        show(&mut begun, &chunk[done..]);
        at += read as u64;
    }
}

fn show(begun: &mut Vec<u8>, piece: &[u8]) {
    let room = SHOWN.saturating_sub(begun.len());
    begun.extend_from_slice(&piece[..piece.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn check(bytes: &[u8]) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let mut seen = Vec::new();
        let end = lines(&file, 0, |line| {
            let all = &bytes[line.at as usize..][..line.len as usize];
            assert_eq!(line.shown, &all[..all.len().min(SHOWN)]);
            seen.push(all.to_vec());
            io::Result::Ok(())
        })
        .unwrap();
        let mut expect: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        let rest = expect.pop().unwrap();
        assert_eq!(end as usize, bytes.len() - rest.len());
        assert_eq!(seen, expect);
    }

    #[test]
    fn lines_are_found_wherever_chunks_end() {
        check(b"");
        check(b"\n\n");
        check(b"a\nbc");
        for before in [
            CHUNK - 600,
            CHUNK - 3,
            CHUNK - 2,
            CHUNK - 1,
            CHUNK,
            CHUNK + 1,
        ] {
            let mut bytes = vec![b'x'; before];
            bytes.extend_from_slice(b"\nab\n");
            bytes.extend_from_slice(&vec![b'y'; 2 * CHUNK]);
            bytes.extend_from_slice(b"\nz");
            check(&bytes);
        }
    }
}
