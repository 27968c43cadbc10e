//! Version 2, as zut speaks it.

use super::{Rules, VersionKey};

pub(super) const RULES: Rules = Rules {
    version: 2,
    version_key: VersionKey::Zut,
};
