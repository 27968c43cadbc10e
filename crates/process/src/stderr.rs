//! The task that reads a child's standard error; does not decide when a child is over.

use tokio::io::AsyncReadExt;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::words::LastWords;
use crate::{RotatingLog, Stdout};

/// Most bytes taken out of the pipe when the child has ended: the largest pipe Linux has.
const REMAINDER_BYTES: usize = 1024 * 1024;

/// What the reading task learned by the child's end.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) last_words: Vec<String>,
    /// The beginning, as far as `keep_bytes` allowed.
    pub(crate) kept: Vec<u8>,
    /// Whether there was more than was kept.
    pub(crate) cut: bool,
}

/// Reads standard error until everybody has closed it or `over` is cancelled.
pub(crate) struct Listener {
    pub(crate) pipe: Stdout,
    pub(crate) log: Option<RotatingLog>,
    pub(crate) keep_bytes: usize,
    /// Asked once, when the child has exited.
    pub(crate) exited: oneshot::Receiver<oneshot::Sender<Said>>,
    /// Nobody is interested any more.
    pub(crate) over: CancellationToken,
}

impl Listener {
    pub(crate) async fn run(mut self) {
        let mut words = LastWords::default();
        let mut said = Said::default();
        let mut piece = vec![0; 8 * 1024];
        let mut asked = false;
        loop {
            let read = tokio::select! {
                biased;
                reply = &mut self.exited, if !asked => {
                    asked = true;
                    let Ok(reply) = reply else { return };
                    let mut rest = Vec::new();
                    self.pipe.read_available(&mut rest, REMAINDER_BYTES);
                    self.hear(&rest, &mut words, &mut said);
                    said.last_words = words.lines();
                    // The report does not wait for the disk.
                    let _ = reply.send(std::mem::take(&mut said));
                    self.keep(&rest).await;
                    continue;
                }
                read = self.pipe.read(&mut piece) => read,
                () = self.over.cancelled(), if asked => Ok(0),
            };
            match read {
                Ok(count) if count > 0 => {
                    self.hear(&piece[..count], &mut words, &mut said);
                    self.keep(&piece[..count]).await;
                }
                _ if asked => return,
                // Closed before the exit; the question is still to come.
                _ => {
                    if let Ok(reply) = (&mut self.exited).await {
                        said.last_words = words.lines();
                        let _ = reply.send(said);
                    }
                    return;
                }
            }
        }
    }

    fn hear(&self, piece: &[u8], words: &mut LastWords, said: &mut Said) {
        words.push(piece);
        let room = self.keep_bytes - said.kept.len().min(self.keep_bytes);
        said.kept.extend_from_slice(&piece[..piece.len().min(room)]);
        said.cut |= piece.len() > room;
    }

    async fn keep(&self, piece: &[u8]) {
        if let Some(log) = &self.log
            && !piece.is_empty()
        {
            log.append(piece.to_vec()).await;
        }
    }
}
