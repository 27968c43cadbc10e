//! Rows to the end of the file, and to the index when they are there.

use std::io::Write as _;

use zeug_transcript::Timestamp;

use super::Journal;
use crate::EntryId;
use crate::entry::{Body, Compaction, ExtensionState, Kind, STATE_BYTES};
use crate::error::SessionError;
use crate::row::{self, RowHead};

/// What a row continues.
#[derive(Debug, Clone, Copy)]
pub(super) enum Onto {
    /// The row before it.
    Last,
    /// A slot.
    Slot(u32),
}

impl Journal {
    pub(super) fn sure(&self) -> Result<(), SessionError> {
        if self.uncertain {
            let path = self.view.path.to_path_buf();
            return Err(SessionError::Uncertain { path });
        }
        Ok(())
    }

    /// Writes rows in one go and tells the index. The id of the first.
    pub(super) fn write(&mut self, rows: &[(Onto, Body)]) -> Result<EntryId, SessionError> {
        self.sure()?;
        let index = &self.view.index;
        let mut text = Vec::new();
        let mut heads: Vec<(EntryId, Option<EntryId>, usize)> = Vec::with_capacity(rows.len());
        let time = self.now();
        let mut last = index.last().map(|last| index.slot(last).id);
        for (number, (onto, body)) in (index.next_number()..).zip(rows) {
            self.check(*onto, body)?;
            let parent = match onto {
                Onto::Last => last,
                Onto::Slot(place) => Some(index.slot(*place).id),
            };
            let id = EntryId::new(number, self.seed);
            row::encode(&mut text, id, parent, time, body).map_err(|cause| {
                let path = self.view.path.to_path_buf();
                SessionError::Encode { path, cause }
            })?;
            heads.push((id, parent, text.len()));
            last = Some(id);
        }
        self.put(&text)?;
        let mut start = 0;
        for ((id, parent, end), (_, body)) in heads.iter().zip(rows) {
            self.note(*id, *parent, body, (start, *end));
            start = *end;
        }
        self.view.index.end += text.len() as u64;
        heads
            .first()
            .map_or_else(|| self.view.tip(), |(id, ..)| Ok(*id))
    }

    fn now(&self) -> Timestamp {
        // Milliseconds are enough for people, and three characters instead of nine.
        let now = (self.clock)();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    fn check(&self, onto: Onto, body: &Body) -> Result<(), SessionError> {
        match body {
            Body::ExtensionState(ExtensionState { extension, state })
                if state.get().len() > STATE_BYTES =>
            {
                Err(SessionError::StateTooLarge {
                    extension: extension.clone(),
                    bytes: state.get().len(),
                })
            }
            Body::Compaction(Compaction {
                first_kept: Some(id),
                ..
            }) => {
                let kept = self.view.place(*id)?;
                let from = match onto {
                    Onto::Last => self.view.index.last(),
                    Onto::Slot(place) => Some(place),
                };
                let mut chain = from.into_iter().flat_map(|f| self.view.index.chain(f));
                if chain.any(|place| place == kept) {
                    return Ok(());
                }
                Err(SessionError::NoEntry {
                    path: self.view.path.to_path_buf(),
                    id: *id,
                })
            }
            _ => Ok(()),
        }
    }

    /// Appends bytes: all of them, or none as far as that can be brought about.
    fn put(&mut self, text: &[u8]) -> Result<(), SessionError> {
        self.dirty = true;
        let Err(cause) = self.view.file.write_all(text) else {
            return Ok(());
        };
        // A full disk leaves a part of a row behind, and the next row must not join it.
        if self.view.file.set_len(self.view.index.end).is_err() {
            self.uncertain = true;
        }
        Err(SessionError::io(&self.view.path, "append to the session")(
            cause,
        ))
    }

    fn note(
        &mut self,
        id: EntryId,
        parent: Option<EntryId>,
        body: &Body,
        (start, end): (usize, usize),
    ) {
        let extension = match body {
            Body::ExtensionState(state) => Some(state.extension.as_str().into()),
            _ => None,
        };
        let head = RowHead {
            id,
            parent,
            time: "".into(),
            kind: body.kind(),
            extension,
        };
        let at = self.view.index.end + start as u64;
        self.view.index.push(&head, at, (end - start - 1) as u64);
        if matches!(body.kind(), Kind::Meta | Kind::Rename) {
            self.view.learn(body);
        }
    }
}
