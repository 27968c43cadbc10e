//! Reading one file: bounded, regular, UTF-8, and inside of where it has to stay.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The most bytes of a `SKILL.md`, all of which goes into the model's context at once. A skill
/// that needs more keeps it in files beside it, to be read when they are wanted.
pub const MAX_SKILL_BYTES: u64 = 256 * 1024;

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub(crate) enum Unusable {
    #[error("it is not there, or a link to it leads nowhere")]
    Missing,
    #[error("it leads out of {}, which is not allowed for an extension", .0.display())]
    Escapes(PathBuf),
    #[error("it is no regular file")]
    Special,
    #[error("it has more than {} KiB, the limit", .0 / 1024)]
    TooBig(u64),
    #[error("line {0} is not UTF-8 text")]
    NotUtf8(usize),
    #[error("cannot be read: {0}")]
    Io(io::Error),
}

impl From<io::Error> for Unusable {
    fn from(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Io(why),
        }
    }
}

/// Where a path really leads, if that is inside of `inside` (which has no links itself).
pub(crate) fn resolve(path: &Path, inside: Option<&Path>) -> Result<PathBuf, Unusable> {
    let real = path.canonicalize()?;
    match inside {
        Some(inside) if !real.starts_with(inside) => Err(Unusable::Escapes(inside.to_owned())),
        _ => Ok(real),
    }
}

/// The text of a file that [`resolve`] gave.
pub(crate) fn read(real: &Path, max_bytes: u64) -> Result<String, Unusable> {
    let meta = real.metadata()?;
    // Before it is opened: opening a pipe waits for its writer.
    if !meta.is_file() {
        return Err(Unusable::Special);
    }
    if meta.len() > max_bytes {
        return Err(Unusable::TooBig(max_bytes));
    }
    let mut bytes = Vec::new();
    File::open(real)?
        .take(max_bytes + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(Unusable::TooBig(max_bytes));
    }
    String::from_utf8(bytes).map_err(|why| {
        let good = &why.as_bytes()[..why.utf8_error().valid_up_to()];
        Unusable::NotUtf8(good.iter().filter(|byte| **byte == b'\n').count() + 1)
    })
}
