//! States that come with results of calls which belong to no turn: they are kept on the branch on
//! which their call began, whatever is open by then.
//!
//! Does not know who began the calls.

use std::collections::HashMap;
use std::path::PathBuf;

use zeug_engine::Event;
use zeug_session::{Body, BranchId, ExtensionState, Journal, SessionError};

use super::Book;
use super::book::state_of;

/// A place for a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Home {
    path: PathBuf,
    branch: BranchId,
}

impl Home {
    /// Where the work goes on now; `None` when it is not written.
    pub(super) fn now(book: &Book) -> Option<Self> {
        Some(Self {
            branch: book.branch()?,
            path: book.view()?.path().to_owned(),
        })
    }

    /// Keeps a state there.
    pub(super) fn keep(self, book: &mut Book, state: ExtensionState) -> Result<(), SessionError> {
        if book.view().is_some_and(|view| view.path() == self.path) {
            return book.keep_state(Some(self.branch), state);
        }
        if !self.path.exists() {
            // It was deleted, or nothing had been said in it.
            return Ok(());
        }
        let mut journal = Journal::open(&self.path)?;
        journal.append_on(self.branch, Body::ExtensionState(state))?;
        journal.commit()
    }
}

/// The homes of calls that others than the model began.
#[derive(Debug, Default)]
pub(super) struct Late(HashMap<String, Home>);

impl Late {
    /// Follows calls that belong to no turn; whether the event was of one.
    pub(super) fn record(&mut self, book: &mut Book, event: &Event) -> Result<bool, SessionError> {
        match event {
            Event::ToolCall { id, origin, .. } if !origin.is_in_transcript() => {
                if let Some(home) = Home::now(book) {
                    self.0.insert(id.clone(), home);
                }
                Ok(true)
            }
            Event::ToolResult(result) if !result.origin.is_in_transcript() => {
                let home = self.0.remove(&result.id);
                match (state_of(result), home) {
                    (None, _) => {}
                    (Some(state), Some(home)) => home.keep(book, state)?,
                    (Some(state), None) => book.keep_state(None, state)?,
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
