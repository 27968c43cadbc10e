//! The skills that come with zeug, in its binary.

/// Each as (name of its directory, text).
pub(crate) const ALL: [(&str, &str); 1] = [(
    "write-zeug-extension",
    include_str!("../builtin/write-zeug-extension/SKILL.md"),
)];
