//! How the run stands: read from its events, asked when it is over.
//!
//! Writes nothing. A turn that failed and was tried again with success did not fail.

use zeug_rpc_protocol::Event;
use zeug_transcript::StopReason;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It did what it could.
    Ok,
    /// The provider failed, the turn was blocked, or nobody reads the output any more.
    Failed,
    /// It was interrupted.
    Aborted,
}

impl Ended {
    /// The process's exit code, as the manual lists them.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Aborted => 130,
        }
    }
}

/// What the events said so far.
#[derive(Debug, Default)]
pub(crate) struct Run {
    begun: bool,
    stop: Option<StopReason>,
    turn_error: Option<String>,
    error: Option<String>,
}

impl Run {
    /// Takes note of one event.
    pub(crate) fn observe(&mut self, event: &Event) {
        match event {
            Event::UserMessage { .. } => self.begun = true,
            Event::TurnStart { .. } => {
                self.begun = true;
                self.stop = None;
                self.turn_error = None;
            }
            Event::RetryScheduled { .. } => {
                self.stop = None;
                self.turn_error = None;
            }
            Event::TurnEnd { stop, error } => {
                self.stop = Some(*stop);
                self.turn_error.clone_from(error);
            }
            Event::Error { message } => self.error = Some(message.clone()),
            _ => {}
        }
    }

    /// Whether the prompt was taken up; before that, extensions are still being started.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// How the run ends when it ends now.
    pub(crate) fn ended(&self) -> Ended {
        match self.stop {
            Some(StopReason::Aborted) => Ended::Aborted,
            Some(StopReason::Error) => Ended::Failed,
            _ if self.error.is_some() => Ended::Failed,
            _ => Ended::Ok,
        }
    }

    /// What the user should know about this end.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self.ended() {
            Ended::Failed => Some(
                self.error
                    .as_deref()
                    .or(self.turn_error.as_deref())
                    .unwrap_or("the turn failed, and nothing said why"),
            ),
            Ended::Ok if self.stop == Some(StopReason::Length) => {
                Some("the answer is cut: the model reached its output limit")
            }
            Ended::Ok | Ended::Aborted => None,
        }
    }
}
