//! Giving up: the tree of tokens is session → prompt → call, and every wait of the machine watches
//! its branch.
//!
//! Does not know why something is given up.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// How long a tool that was told to stop may take to say how it ended. Long enough for a child's
/// process group to be asked, then killed; short enough for a person who waits.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// The work was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// Waits for `work`, or drops it as soon as `cancel` fires.
pub(crate) async fn unless<T>(
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<T, Cancelled> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Cancelled),
        done = work => Ok(done),
    }
}
