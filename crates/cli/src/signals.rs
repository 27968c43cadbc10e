//! SIGINT, SIGTERM and SIGHUP: the first ends the run in order, the second at once.

use std::process::exit;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The exit code of an interrupted run.
pub(crate) const INTERRUPTED: u8 = 130;

/// A token that fires at the first signal. A second signal ends the process on the spot; its
/// children are then ended by the watchdog.
///
/// # Errors
/// When the operating system refuses the handlers.
pub(crate) fn interrupted() -> std::io::Result<CancellationToken> {
    let token = CancellationToken::new();
    let fired = token.clone();
    let mut int = signal(SignalKind::interrupt())?;
    let mut term = signal(SignalKind::terminate())?;
    let mut hup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                // ctrl+c in the user's editor is not for zeug.
                _ = int.recv() => if zeug_front_tui::is_lent() { continue },
                _ = term.recv() => {}
                _ = hup.recv() => {}
            }
            if fired.is_cancelled() {
                zeug_front_tui::restore();
                exit(i32::from(INTERRUPTED));
            }
            fired.cancel();
        }
    });
    Ok(token)
}
