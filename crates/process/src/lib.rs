//! Children: own group, stderr kept, asked to stop, then made to, then reported.
//!
//! The only room of the house that starts programs. A [`Spawner`] turns a [`Spec`] into a
//! [`Child`]: its pipes, and a [`Handle`] to wait for it and to end it. Nothing that was started
//! here outlives its last handle, and with a [`Watchdog`] nothing outlives this process, however
//! this process ends.
//!
//! Unix only. Knows nothing of what children are for, what they say on their pipes, or where
//! logs belong.

mod cookie;
mod error;
mod foreground;
mod group;
mod handle;
mod log;
mod report;
mod run;
mod spawn;
mod spec;
mod stderr;
mod stdout;
mod sweep;
mod watchdog;
mod words;

pub use error::SpawnError;
pub use foreground::foreground;
pub use handle::{Handle, StopLadder};
pub use log::{LogLimits, RotatingLog};
pub use report::{Exit, ExitReport};
pub use run::{Finished, RunError, RunLimits, run};
pub use spawn::{Child, Spawner, Stdin};
pub use spec::{Output, Spec, StdinMode};
pub use stdout::Stdout;
pub use watchdog::{Watchdog, watchdog_main};
