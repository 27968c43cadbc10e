//! Counts of a directory's sessions, kept beside them so that a list reads only what is new.
//!
//! Never needed: what is missing, old or damaged is counted again from the sessions themselves.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::summary::Tally;
use super::{Listing, session_files};
use crate::error::SessionError;
use crate::files;

const NAME: &str = "summaries.json";

/// Raised when counts of older versions mean something else.
const VERSION: u32 = 1;

/// The counts of one directory, by file name.
#[derive(Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Sidecar {
    version: u32,
    sessions: BTreeMap<String, Tally>,
}

/// Adds the sessions of a directory to a list.
pub(super) fn summaries(bucket: &Path, listing: &mut Listing) {
    let files = match session_files(bucket) {
        Ok(files) => files,
        Err(cause) => {
            let problem = SessionError::io(bucket, "list the sessions")(cause);
            listing.problems.push(problem);
            return;
        }
    };
    let old = read(bucket);
    let mut new = Sidecar {
        version: VERSION,
        ..Sidecar::default()
    };
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let known = old.sessions.get(name.as_ref());
        match count(&path, known) {
            Ok((tally, bytes)) => {
                listing.sessions.extend(tally.summary(&path, bytes));
                new.sessions.insert(name.into_owned(), tally);
            }
            // Deleted meanwhile.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => {
                let problem = SessionError::io(&path, "read the session")(cause);
                listing.problems.push(problem);
            }
        }
    }
    if new != old {
        // Without it the next list takes longer, and that is all.
        let _ = write(bucket, &new);
    }
}

fn count(path: &Path, known: Option<&Tally>) -> io::Result<(Tally, u64)> {
    let bytes = path.metadata()?.len();
    // A session never shrinks below a whole row: a shorter file is another one.
    let mut tally = known
        .filter(|tally| tally.seen_bytes <= bytes)
        .cloned()
        .unwrap_or_default();
    if tally.seen_bytes < bytes {
        tally.go_on(&files::open_read(path)?)?;
    }
    Ok((tally, bytes))
}

fn read(bucket: &Path) -> Sidecar {
    let text = fs::read(bucket.join(NAME)).unwrap_or_default();
    let read: Sidecar = serde_json::from_slice(&text).unwrap_or_default();
    if read.version == VERSION {
        read
    } else {
        Sidecar::default()
    }
}

fn write(bucket: &Path, sidecar: &Sidecar) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(bucket)?;
    file.write_all(&serde_json::to_vec(sidecar)?)?;
    file.persist(bucket.join(NAME))?;
    Ok(())
}
