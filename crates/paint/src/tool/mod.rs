//! Tool calls: what is called with what, and what came of it.
//!
//! Arguments and output are untrusted. Knows the built-in tools by name and shape, no more; a tool
//! that nobody knows shows its arguments.

mod call;
mod fold;
mod summary;

pub use call::{Call, State};
pub use fold::{Fold, output};
pub use summary::{bytes, duration, summary};
