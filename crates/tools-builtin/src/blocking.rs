//! Work with files on a thread that may block, and how it learns that nobody waits any more.
//!
//! Does not know what the work is.

use tokio::task::{JoinError, spawn_blocking};
use tokio_util::sync::CancellationToken;
use zeug_tool::Context;

use crate::failure::Failure;

/// Runs work that changes nothing. A cancelled call is answered at once; the thread sees `stop`
/// and ends soon after.
///
/// # Cancel safety
/// Dropping the future sets `stop`.
pub(crate) async fn look<T: Send + 'static>(
    cx: &Context,
    work: impl FnOnce(&CancellationToken) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let stop = cx.cancel.child_token();
    let _guard = stop.clone().drop_guard();
    let thread = spawn_blocking(move || work(&stop));
    tokio::select! {
        biased;
        () = cx.cancel.cancelled() => Err(Failure::Cancelled),
        done = thread => done.unwrap_or_else(|why| Err(bug(why))),
    }
}

/// Runs work that changes files. The answer waits for the thread even when the call is cancelled,
/// so that "cancelled" means that nothing was changed.
///
/// # Cancel safety
/// Dropping the future sets `stop`.
pub(crate) async fn change<T: Send + 'static>(
    cx: &Context,
    work: impl FnOnce(&CancellationToken) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let stop = cx.cancel.child_token();
    let _guard = stop.clone().drop_guard();
    spawn_blocking(move || work(&stop))
        .await
        .unwrap_or_else(|why| Err(bug(why)))
}

/// `Err` as soon as nobody waits for the work any more.
pub(crate) fn go_on(stop: &CancellationToken) -> Result<(), Failure> {
    if stop.is_cancelled() {
        Err(Failure::Cancelled)
    } else {
        Ok(())
    }
}

fn bug(why: JoinError) -> Failure {
    match why.try_into_panic() {
        Ok(panic) => Failure::Bug(message(&panic)),
        // The runtime is going down.
        Err(_) => Failure::Cancelled,
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}
