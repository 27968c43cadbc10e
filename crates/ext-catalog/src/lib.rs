//! Which extensions exist here; install, update, trust, lock.
//!
//! Looks at directories and manifests and never starts an extension. Knows nothing of the
//! protocol beyond `extension.json`; reads no environment: places and `PATH` come as arguments.

mod candidate;
mod content;
mod directory;
mod discover;
mod error;
mod file;
mod git;
mod install;
mod installed;
mod layout;
mod lock;
mod remove;
mod requires;
mod switch;
mod tools;
mod trust;
mod update;
mod watch;

pub use candidate::{Candidate, DisabledBy, Found, LoadError, Scope, Skipped, Warning, Why};
pub use content::{Change, Content};
pub use discover::{Locked, Roots, discover};
pub use error::CatalogError;
pub use install::{Builder, Installed, Request, Source, install};
pub use installed::{Entry, check_name, find, installed};
pub use layout::{Places, log_file};
pub use lock::{Lock, Record, SourceKind};
pub use remove::remove;
pub use switch::set_enabled;
pub use tools::Tools;
pub use trust::{Standing, Trust};
pub use update::{Status, Updated, update};
pub use watch::{Changed, Watched, Watcher};
