//! What a list says about a session, counted from the beginnings of its rows.
//!
//! A count can be taken up again where it ended, since a session only grows. Does not know where
//! counts are kept.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use zeug_stdx::text;
use zeug_transcript::{Content, Message, Timestamp};

use crate::entry::{Descent, Kind, Meta, Origin, Role};
use crate::files::Section;
use crate::scan::{self, Line};
use crate::view::{id_in_name, is_worth_keeping};
use crate::{SessionId, row};

/// The longest beginning of a prompt that a list shows.
const PROMPT_BYTES: usize = 160;

/// A longer row is not read for a list.
const READ_BYTES: u64 = 1024 * 1024;

/// What a list says about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: SessionId,
    /// Its file.
    pub path: PathBuf,
    /// The project directory.
    pub cwd: Option<String>,
    /// The title, when there is one.
    pub title: Option<String>,
    /// The beginning of the first thing the user said, in one line.
    pub first_prompt: Option<String>,
    /// The number of messages on all branches.
    pub messages: u64,
    /// When it began.
    pub created: Timestamp,
    /// When its last entry was written.
    pub last_activity: Timestamp,
    /// The size of its file.
    pub bytes: u64,
    /// The provider that was last used.
    pub provider: Option<String>,
    /// The model that was last used.
    pub model: Option<String>,
    /// The session that it came from.
    pub origin: Option<Origin>,
}

impl Summary {
    /// What to call it: the title, or how it began.
    #[must_use]
    pub fn label(&self) -> &str {
        let said = self.title.as_deref().or(self.first_prompt.as_deref());
        said.unwrap_or("(nothing said)")
    }

    /// Whether it is the conversation of a sub-agent.
    #[must_use]
    pub fn is_subagent(&self) -> bool {
        let origin = self.origin.as_ref();
        origin.is_some_and(|origin| origin.how == Descent::Subagent)
    }
}

/// A count of the rows of a file, as far as they were seen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tally {
    /// Where the first byte stands that was not seen.
    pub(crate) seen_bytes: u64,
    entries: u64,
    messages: u64,
    damaged: u64,
    worth_keeping: bool,
    meta: Meta,
    first_prompt: Option<String>,
    created: Option<Timestamp>,
    last_activity: Option<Timestamp>,
}

impl Tally {
    /// Goes on counting to the end of the file.
    pub(crate) fn go_on(&mut self, file: &File) -> io::Result<()> {
        let mut last_time = String::new();
        self.seen_bytes = scan::lines(file, self.seen_bytes, |line| {
            self.count(file, line, &mut last_time)
        })?;
        if let Ok(time) = last_time.parse() {
            self.last_activity = Some(time);
        }
        Ok(())
    }

    fn count(&mut self, file: &File, line: Line<'_>, last_time: &mut String) -> io::Result<()> {
        if line.shown.len() as u64 == line.len && line.shown.trim_ascii().is_empty() {
            return Ok(());
        }
        let all = Section::new(file, line.at, line.len);
        let head = match row::fast_head(line.shown) {
            Some(head) => head,
            None => match row::slow_head(all) {
                Ok(head) => head,
                Err(_) => {
                    self.damaged += 1;
                    return Ok(());
                }
            },
        };
        self.entries += 1;
        self.worth_keeping |= is_worth_keeping(head.kind);
        self.created = self.created.or_else(|| head.time.parse().ok());
        last_time.clear();
        last_time.push_str(&head.time);
        let wanted = match head.kind {
            Kind::Message(role) => {
                self.messages += 1;
                role == Role::User && self.first_prompt.is_none()
            }
            kind => matches!(kind, Kind::Meta | Kind::Rename),
        };
        if wanted && line.len <= READ_BYTES {
            self.learn(&Section::new(file, line.at, line.len).bytes()?);
        }
        Ok(())
    }

    fn learn(&mut self, row: &[u8]) {
        use crate::Body;
        match row::decode(row).map(|entry| entry.body) {
            Ok(Body::Message(Message::User(said))) => {
                let joined = Content::joined(&said.content);
                let line = text::one_line(joined.trim(), PROMPT_BYTES);
                self.first_prompt = Some(line).filter(|line| !line.is_empty());
            }
            Ok(body) => self.meta.learn(&body),
            Err(_) => {}
        }
    }

    /// What a list says; `None` when no row is an entry.
    pub(crate) fn summary(&self, path: &Path, bytes: u64) -> Option<Summary> {
        if self.entries == 0 {
            return None;
        }
        let meta = self.meta.clone();
        let created = self.created.unwrap_or(Timestamp::UNIX_EPOCH);
        Some(Summary {
            id: meta
                .session
                .or_else(|| id_in_name(path))
                .unwrap_or_else(SessionId::unknown),
            path: path.to_owned(),
            cwd: meta.cwd,
            title: meta.title,
            first_prompt: self.first_prompt.clone(),
            messages: self.messages,
            created,
            last_activity: self.last_activity.unwrap_or(created),
            bytes,
            provider: meta.provider,
            model: meta.model,
            origin: meta.origin,
        })
    }
}

/// Whether a file holds nothing that anybody could miss. One with damage is no such file: who
/// knows what it was.
pub(crate) fn is_void(file: &File) -> io::Result<bool> {
    let mut tally = Tally::default();
    tally.go_on(file)?;
    let seen_all = tally.seen_bytes == file.metadata()?.len();
    Ok(seen_all && tally.damaged == 0 && !tally.worth_keeping)
}
