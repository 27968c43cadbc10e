//! What lies on top of the conversation. The topmost gets the keys first.

mod approval;
mod panel;
mod picker;
mod search;
mod select;
mod sheet;

pub(crate) use approval::{Approval, CHOICES, Question, Verdict};
pub(crate) use panel::{PanelLayer, is_marked, key as panel_key};
pub(crate) use picker::{Choice, Picked, Picker, Row, best};
pub(crate) use search::{Found, Search};
pub(crate) use select::{Select, Selected};
pub(crate) use sheet::Sheet;

/// Something that lies on top.
#[derive(Debug)]
pub(crate) enum Layer {
    /// Calls that wait for an answer.
    Approval(Approval),
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
        match self {
            Self::Approval(approval) => !approval.is_blurred,
            _ => true,
        }
    }
}
