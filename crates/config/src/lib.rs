//! Paths, settings, precedence; the only reader of the environment.
//!
//! Everything here is a plain value that is read once at start and then handed down. Knows
//! neither sessions nor extensions: it says where they are and what the user set for them.

mod credentials;
mod env;
mod error;
mod file;
mod limits;
mod paths;
mod project;
mod settings;

pub use credentials::{CREDENTIALS, Secret};
pub use env::Env;
pub use error::{ConfigError, Warning};
pub use limits::{LIMIT_KEYS, LimitKey, Limits};
pub use paths::Paths;
pub use project::{
    context_files, project_config, project_extensions, project_skills, project_themes,
};
pub use settings::{Approve, Extensions, Loaded, Locked, Origin, Setting, Settings};
