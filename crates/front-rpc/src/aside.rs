//! Lines beside the protocol, for whoever watches stderr.
//!
//! # Limits
//! Of 64 lines that nobody has read the rest is dropped: stderr must not stop the conversation.

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Duration, timeout};
use tokio_util::task::AbortOnDropHandle;
use zeug_stdx::text;

/// Lines that may wait.
const LINES: usize = 64;
/// How long the last ones may take.
const FINISH: Duration = Duration::from_millis(250);

pub(crate) struct Aside {
    lines: mpsc::Sender<String>,
    task: AbortOnDropHandle<()>,
}

impl Aside {
    pub(crate) fn new<E: AsyncWrite + Unpin + Send + 'static>(mut to: E) -> Self {
        let (lines, mut from) = mpsc::channel::<String>(LINES);
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            while let Some(line) = from.recv().await {
                // There is nobody to tell that stderr is gone.
                if to.write_all(line.as_bytes()).await.is_err() || to.flush().await.is_err() {
                    return;
                }
            }
        }));
        Self { lines, task }
    }

    pub(crate) fn say(&self, line: String) {
        drop(self.lines.try_send(line));
    }

    /// Gives the last lines a moment.
    pub(crate) async fn finish(self) {
        drop(self.lines);
        drop(timeout(FINISH, self.task).await);
    }
}

/// `words` with `who` before each of its lines, at least one.
pub(crate) fn prefixed(who: &str, words: &str) -> String {
    let words = text::plain(words);
    if words.is_empty() {
        return format!("{}\n", who.trim_end());
    }
    words.lines().map(|line| format!("{who}{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_says_who() {
        assert_eq!(prefixed("x: ", "a\n\u{1b}[1mb"), "x: a\nx: b\n");
        assert_eq!(prefixed("x: ", ""), "x:\n");
    }

    #[tokio::test]
    async fn a_stderr_that_nobody_reads_stops_nothing() {
        let (unread, _held) = tokio::io::duplex(1);
        let aside = Aside::new(unread);
        for n in 0..10 * LINES {
            aside.say(format!("line {n}\n"));
        }
        aside.finish().await;
    }
}
