//! Version 1, as zot speaks it.

use super::{Rules, VersionKey};

pub(super) const RULES: Rules = Rules {
    version: 1,
    version_key: VersionKey::Zot,
};
