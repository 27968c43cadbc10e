//! What lies on top of the conversation. The topmost gets the keys first.

mod approval;
mod ask;
mod panel;
mod picker;
mod search;
mod select;
mod sheet;
mod stance;

pub(crate) use approval::{Approval, CHOICES, Question, Verdict};
pub(crate) use ask::Ask;
pub(crate) use panel::{PanelLayer, is_marked, key as panel_key};
pub(crate) use picker::{Choice, Picked, Picker, Row, best};
pub(crate) use search::{Found, Search};
pub(crate) use select::{Select, Selected};
pub(crate) use sheet::Sheet;
pub(crate) use stance::{Pressed, Stance};

/// Something that lies on top.
#[derive(Debug)]
pub(crate) enum Layer {
    /// Calls that wait for an answer.
    Approval(Approval),
    /// A question of zeug itself.
    Ask(Ask),
    /// A panel of an extension.
    Panel(PanelLayer),
    /// A text to read.
    Sheet(Sheet),
    /// Something to choose from.
    Picker(Picker),
    /// A search in the conversation.
    Search(Search),
    /// A message is selected.
    Select(Select),
}

impl Layer {
    /// Whether it takes keys now; what does not, lets them through.
    pub(crate) fn has_keys(&self) -> bool {
        self.stance().is_none_or(|stance| !stance.is_blurred)
    }

    /// How it stands, if it is a question.
    pub(crate) fn stance(&self) -> Option<&Stance> {
        match self {
            Self::Approval(approval) => Some(&approval.stance),
            Self::Ask(ask) => Some(&ask.stance),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn stance_mut(&mut self) -> Option<&mut Stance> {
        match self {
            Self::Approval(approval) => Some(&mut approval.stance),
            Self::Ask(ask) => Some(&mut ask.stance),
            _ => None,
        }
    }
}
