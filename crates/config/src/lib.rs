//! Paths, settings, precedence; the only reader of the environment.
//!
//! Everything here is a plain value that is read once at start and then handed down. Knows
//! neither sessions nor extensions: it says where they are and what the user set for them.

mod auth;
mod credentials;
mod env;
mod error;
mod file;
mod key;
mod limits;
mod paths;
mod project;
mod providers;
mod replace;
mod settings;
mod terminal;

pub use auth::Auth;
pub use credentials::{CREDENTIALS, Secret};
pub use env::{Env, Variables};
pub use error::{ConfigError, Warning};
pub use key::{FoundKey, KEY_COMMAND_TIMEOUT, KeySource, Keyring, Wanted};
pub use limits::{LIMIT_KEYS, LimitKey, Limits};
pub use paths::Paths;
pub use project::{
    context_files, project_config, project_extensions, project_skills, project_themes,
};
pub use providers::{OwnModel, ProviderSettings, ProviderTimeouts, Providers};
pub use settings::{Approve, Extensions, Loaded, Locked, Origin, Setting, Settings};
pub use terminal::{Kept, Terminal};
