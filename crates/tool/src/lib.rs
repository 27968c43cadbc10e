//! What a tool is, and the one table of tool names.
//!
//! Does not know who runs a tool or why; the gate that every call passes is in `engine`.

mod call;
mod filter;
mod gate;
mod schema;
mod spec;
mod table;

pub use call::{Call, Context, Origin, Progress};
pub use filter::Filter;
pub use gate::{Gate, Nested, ToolRequest};
pub use schema::{BadSchema, Schema, Violation};
pub use spec::{Annotations, Exposure, Namespace, Source, Spec, Tool};
pub use table::{Entry, Table, valid_name};
