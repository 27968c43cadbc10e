//! What the host tells an extension about itself; live values, read at each greeting.

pub use zeug_ext_protocol::greeting::Session;

/// The facts of `hello_ack` that are the same for every extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// zeug's version.
    pub version: String,
    /// The active provider's key.
    pub provider: String,
    /// The active model.
    pub model: String,
    /// The project directory.
    pub cwd: String,
    /// The open conversation.
    pub session_id: String,
    /// The branch of it that is open.
    pub session: Option<Session>,
}
