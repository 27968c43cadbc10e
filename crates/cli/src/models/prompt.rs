//! A line from the user that nobody who looks at the screen can read.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio_util::sync::CancellationToken;

/// The most bytes that are read: the longest keys are tokens of a few thousand.
const MOST_BYTES: u64 = 64 * 1024;

/// A terminal that shows nothing of what is typed, until the value goes away.
struct Hidden(Termios);

impl Hidden {
    fn new() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        // The end of the line is shown, so that the next output begins on a line of its own.
        quiet.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(io::stdin(), OptionalActions::Flush, &quiet)?;
        Ok(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // Without a terminal there is nothing to restore.
        tcsetattr(io::stdin(), OptionalActions::Drain, &self.0).ok();
    }
}

/// Whether somebody can be asked.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal()
}

/// Asks for a line; with `hidden`, nothing of it is shown. `None` when the user gave up.
pub(super) async fn ask(
    question: &str,
    hidden: bool,
    interrupt: &CancellationToken,
) -> io::Result<Option<String>> {
    // Before the question: whoever sees it can type at once, and nothing of that is shown or lost.
    let _hidden = hidden.then(Hidden::new).transpose()?;
    {
        let mut err = io::stderr();
        write!(err, "{question}")?;
        err.flush()?;
    }
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin()
            .lock()
            .take(MOST_BYTES)
            .read_line(&mut line)
            .map(|_| line)
    });
    tokio::select! {
        line = line => Ok(Some(line.map_err(io::Error::other)??)),
        // The thread keeps waiting for the line; the process does not wait for it.
        () = interrupt.cancelled() => Ok(None),
    }
}

/// All that is piped in. `None` when the user gave up.
pub(super) async fn piped(interrupt: &CancellationToken) -> io::Result<Option<String>> {
    let all = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(MOST_BYTES)
            .read_to_string(&mut text)
            .map(|_| text)
    });
    tokio::select! {
        all = all => Ok(Some(all.map_err(io::Error::other)??)),
        () = interrupt.cancelled() => Ok(None),
    }
}
