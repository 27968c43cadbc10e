//! A conversation that takes the place of the one that is open.
//!
//! Does not know where it comes from.

use std::fmt;

use futures::future::BoxFuture;
use zeug_transcript::{Message, Usage};

/// Finds out which conversation comes; `None` leaves the one that is open.
pub(crate) type Loading = BoxFuture<'static, Option<Adoption>>;

/// A conversation that takes the place of the one that is open.
pub struct Adoption {
    /// Its id.
    pub session_id: String,
    /// What was said, oldest first; calls without a result are given one.
    pub history: Vec<Message>,
    /// The tokens that this took.
    pub spent: Usage,
    /// The deferred tools that the model is offered.
    pub activated: Vec<String>,
    /// Done between the end of the old conversation and the start of the new one is told. It must
    /// not wait.
    pub between: Box<dyn FnOnce() + Send>,
}

impl fmt::Debug for Adoption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adoption")
            .field("session_id", &self.session_id)
            .field("messages", &self.history.len())
            .field("activated", &self.activated)
            .finish_non_exhaustive()
    }
}
