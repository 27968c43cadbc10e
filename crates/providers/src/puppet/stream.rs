//! Beats as a stream: pieces come out, pauses take time, failures and cancellation end it.
//!
//! Does not know scripts or requests.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::Stream;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, Failure};
use zeug_transcript::StopReason;

use super::answer::Beat;
use super::failed::Failed;

/// Plays the beats. A cancelled stream ends with [`StopReason::Aborted`], also out of a pause.
pub(crate) fn play(
    beats: VecDeque<Beat>,
    failed: Arc<Failed>,
    cancel: CancellationToken,
) -> impl Stream<Item = Result<Delta, Failure>> + Send + 'static {
    futures::stream::unfold(beats, move |mut beats| {
        let failed = Arc::clone(&failed);
        let cancel = cancel.clone();
        async move {
            let delta = next(&mut beats, &failed, &cancel).await?;
            if delta.is_err() {
                beats.clear();
            }
            Some((delta, beats))
        }
    })
}

async fn next(
    beats: &mut VecDeque<Beat>,
    failed: &Failed,
    cancel: &CancellationToken,
) -> Option<Result<Delta, Failure>> {
    loop {
        let beat = beats.pop_front()?;
        if cancel.is_cancelled() {
            beats.clear();
            return Some(Ok(Delta::Stop(StopReason::Aborted)));
        }
        match beat {
            Beat::Piece(delta) => return Some(Ok(delta)),
            // The loop's next round finds out when it was the token that ended the pause.
            Beat::Pause(duration) => tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(duration) => {}
            },
            Beat::Fail(fail) => {
                if let Err(failure) = failed.check(&fail) {
                    return Some(Err(failure));
                }
            }
        }
    }
}
