//! Reading what peers in many languages write for "nothing": absent, `null`, or the empty value.

use serde::{Deserialize, Deserializer};
use zeug_stdx::json::RawJson;

/// `null` counts as the default: Go peers write it for an empty list.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Tells `null` (`Some`) from absent (`None`, with `#[serde(default)]`).
pub(crate) fn present<'de, D>(deserializer: D) -> Result<Option<RawJson>, D::Error>
where
    D: Deserializer<'de>,
{
    RawJson::deserialize(deserializer).map(Some)
}

/// `null` counts as `{}`: what a peer writes that has no arguments to give.
pub(crate) fn arguments<'de, D>(deserializer: D) -> Result<RawJson, D::Error>
where
    D: Deserializer<'de>,
{
    let raw = RawJson::deserialize(deserializer)?;
    Ok(if raw.is_null() {
        RawJson::empty_object()
    } else {
        raw
    })
}

/// For `skip_serializing_if` on plain flags.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}
