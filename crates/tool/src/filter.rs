//! Which tools the user allows in this run: `--tools` and `--no-tools`, extension tools included.

use std::collections::BTreeSet;

/// A choice among all tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Filter {
    /// Every tool.
    #[default]
    All,
    /// Only those named.
    Only(BTreeSet<String>),
    /// None.
    Nothing,
}

impl Filter {
    /// Whether the tool may be offered and called.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(name),
            Self::Nothing => false,
        }
    }
}
