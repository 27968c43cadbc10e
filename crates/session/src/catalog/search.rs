//! Finding words in what was said.
//!
//! A plain scan: no index to keep, and a bound on what is read at once.

use memchr::memmem;
use zeug_stdx::text;
use zeug_transcript::{Content, Message, Timestamp};

use super::{Catalog, Filter};
use crate::entry::{Body, Role};
use crate::error::Located;
use crate::files::{self, Section};
use crate::scan::{self, Line};
use crate::{EntryId, Kind, row};

/// A longer row is not searched.
const SEARCHED_ROW_BYTES: u64 = 8 * 1024 * 1024;

/// How much of the text around a find is shown, on each side.
const AROUND_BYTES: usize = 60;

/// A place where the words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The session.
    pub session: Located,
    /// The message's entry.
    pub entry: EntryId,
    /// Who said it.
    pub role: Role,
    /// When it was said.
    pub time: Timestamp,
    /// The words with what stands around them, in one line.
    pub snippet: String,
}

impl Catalog {
    /// Messages in which `words` stand, in the sessions with the latest activity first.
    ///
    /// Capital letters of ASCII are like small ones.
    ///
    /// # Limits
    /// At most `limit` hits; rows above 8 MiB are passed over, and so are sessions that cannot be
    /// read.
    #[must_use]
    pub fn search(&self, words: &str, filter: &Filter, limit: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        let wanted = words.trim().to_ascii_lowercase();
        if wanted.is_empty() {
            return hits;
        }
        for summary in self.list(filter).sessions {
            let session = Located {
                id: summary.id,
                path: summary.path,
            };
            // Stopping at the limit is the only other way to an error.
            let _ = search_file(&session, &wanted, limit, &mut hits);
            if hits.len() >= limit {
                break;
            }
        }
        hits
    }
}

fn search_file(
    session: &Located,
    wanted: &str,
    limit: usize,
    hits: &mut Vec<Hit>,
) -> std::io::Result<()> {
    let file = files::open_read(&session.path)?;
    // As the words look within a row.
    let quoted = serde_json::to_string(wanted)?;
    let finder = memmem::Finder::new(&quoted.as_bytes()[1..quoted.len() - 1]);
    scan::lines(&file, 0, |line| {
        let Line { at, len, shown } = line;
        let is_message =
            row::fast_head(shown).is_some_and(|head| matches!(head.kind, Kind::Message(_)));
        if !is_message || len > SEARCHED_ROW_BYTES {
            return Ok(());
        }
        let row = Section::new(&file, at, len).bytes()?;
        if finder.find(&row.to_ascii_lowercase()).is_some() {
            hits.extend(hit(session, &row, wanted));
        }
        if hits.len() >= limit {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        Ok(())
    })
    .map(drop)
}

/// The hit, when the words stand in the text and not just in the row's structure.
fn hit(session: &Located, row: &[u8], wanted: &str) -> Option<Hit> {
    let entry = row::decode(row).ok()?;
    let Body::Message(message) = entry.body else {
        return None;
    };
    let said = match &message {
        Message::User(said) => Content::joined(&said.content),
        Message::Assistant(said) => said.text("\n"),
        Message::Tool(result) => Content::joined(&result.content),
    };
    // Making ASCII small moves no byte, so places in one are places in the other.
    let at = said.to_ascii_lowercase().find(wanted)?;
    let before = text::suffix(&said[..at], AROUND_BYTES);
    let found = &said[at..at + wanted.len()];
    let after = text::prefix(&said[at + wanted.len()..], AROUND_BYTES);
    let snippet = format!("{before}{found}{after}");
    Some(Hit {
        session: session.clone(),
        entry: entry.id,
        role: Role::of(&message),
        time: entry.time,
        snippet: text::one_line(&snippet, snippet.len()),
    })
}
