//! One-use replies: a question carries the only means of answering it, and dropping that answers too.
//!
//! Does not know what is asked.

use std::fmt;

use tokio::sync::oneshot;

/// The right to answer once. Dropped unanswered, it gives the safe default.
pub struct Reply<T> {
    inner: Option<(oneshot::Sender<T>, T)>,
}

/// A question that was asked and will be answered.
pub struct Answer<T> {
    inner: oneshot::Receiver<T>,
}

/// A pair for one question; `default` is what a dropped [`Reply`] answers.
#[must_use]
pub fn channel<T>(default: T) -> (Reply<T>, Answer<T>) {
    let (tx, rx) = oneshot::channel();
    (
        Reply {
            inner: Some((tx, default)),
        },
        Answer { inner: rx },
    )
}

impl<T> Reply<T> {
    /// Answers. Nobody may be listening any more; that is the asker's choice and no error.
    pub fn send(mut self, value: T) {
        if let Some((tx, _)) = self.inner.take() {
            drop(tx.send(value));
        }
    }
}

impl<T> Reply<T> {
    /// Whether the question was withdrawn: whatever is answered now, nobody hears it.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.inner.as_ref().is_none_or(|(tx, _)| tx.is_closed())
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some((tx, default)) = self.inner.take() {
            drop(tx.send(default));
        }
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

impl<T> Answer<T> {
    /// Waits for the answer. `None` only when the runtime dropped the reply half unrun.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question.
    pub async fn wait(self) -> Option<T> {
        self.inner.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_dropped_reply_answers_with_the_default() {
        let (reply, answer) = channel(false);
        drop(reply);
        assert_eq!(answer.wait().await, Some(false));

        let (reply, answer) = channel(false);
        reply.send(true);
        assert_eq!(answer.wait().await, Some(true));
    }

    #[test]
    fn a_withdrawn_question_is_known_as_such() {
        let (reply, answer) = channel(false);
        assert!(!reply.is_withdrawn());
        drop(answer);
        assert!(reply.is_withdrawn());
    }
}
