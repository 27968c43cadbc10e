//! Deadlines over an exchange.

use std::time::Duration;

use futures::{StreamExt as _, stream};
use tokio::time::timeout;

use super::{Body, HttpResponse, TransportError};

/// The head of an answer, if it comes in time.
pub(crate) async fn first_byte(
    limit: Duration,
    answer: impl Future<Output = Result<HttpResponse, TransportError>>,
) -> Result<HttpResponse, TransportError> {
    match timeout(limit, answer).await {
        Ok(answer) => answer,
        Err(_) => Err(TransportError::FirstByte(limit)),
    }
}

/// The same body, with an end when nothing comes for too long. An error is its last item.
pub(crate) fn idle(limit: Duration, body: Body) -> Body {
    let watched = stream::unfold(Some(body), move |body| async move {
        let mut body = body?;
        match timeout(limit, body.next()).await {
            Ok(Some(Ok(piece))) => Some((Ok(piece), Some(body))),
            Ok(Some(Err(error))) => Some((Err(error), None)),
            Ok(None) => None,
            Err(_) => Some((Err(TransportError::Idle(limit)), None)),
        }
    });
    watched.boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    #[tokio::test(start_paused = true)]
    async fn a_stall_ends_the_body_and_slow_pieces_do_not() {
        let limit = Duration::from_secs(120);
        let slow = stream::iter(0..3_u8).then(|n| async move {
            tokio::time::sleep(Duration::from_secs(100)).await;
            Ok(Bytes::copy_from_slice(&[n]))
        });
        let stalled = slow.chain(stream::pending()).boxed();
        let heard: Vec<_> = idle(limit, stalled).collect().await;
        assert_eq!(heard.len(), 4);
        assert_eq!(heard[2], Ok(Bytes::from_static(&[2])));
        assert_eq!(heard[3], Err(TransportError::Idle(limit)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_is_given_up() {
        let limit = Duration::from_secs(7);
        let silent = std::future::pending();
        let given_up = first_byte(limit, silent).await.err();
        assert_eq!(given_up, Some(TransportError::FirstByte(limit)));
    }
}
