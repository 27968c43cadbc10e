//! What std should have had: raw JSON, bounded text, one-use replies, unique ids, name claims.
//!
//! Knows nothing of extensions, models or terminals; every crate may use it.

pub mod claims;
pub mod id;
pub mod json;
pub mod nest;
pub mod reply;
pub mod suggest;
pub mod text;
