//! Answers from memory: the twin of [`Network`](super::Network) that needs none.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt as _, stream};

use super::{Headers, HttpRequest, HttpResponse, Transport, TransportError};

/// What is answered to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Headers,
    pieces: Vec<Piece>,
    refused: Option<TransportError>,
}

#[derive(Debug, Clone)]
enum Piece {
    Bytes(Bytes),
    Broken,
    Stall,
}

impl Reply {
    /// An answer with this status and no body yet.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Headers::new(),
            pieces: Vec::new(),
            refused: None,
        }
    }

    /// A stream of events.
    #[must_use]
    pub fn events(body: impl Into<Bytes>) -> Self {
        Self::status(200)
            .header("content-type", "text/event-stream")
            .bytes(body)
    }

    /// A JSON document.
    #[must_use]
    pub fn json(status: u16, body: impl Into<Bytes>) -> Self {
        Self::status(status)
            .header("content-type", "application/json")
            .bytes(body)
    }

    /// No answer at all.
    #[must_use]
    pub fn refused(error: TransportError) -> Self {
        Self {
            refused: Some(error),
            ..Self::status(0)
        }
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.add(name, value);
        self
    }

    /// With one more piece of the body.
    #[must_use]
    pub fn bytes(mut self, piece: impl Into<Bytes>) -> Self {
        self.pieces.push(Piece::Bytes(piece.into()));
        self
    }

    /// The body so far, cut anew into pieces of `size` bytes.
    #[must_use]
    pub fn split(mut self, size: usize) -> Self {
        let whole: Vec<u8> = self
            .pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Bytes(bytes) => Some(bytes.as_ref()),
                Piece::Broken | Piece::Stall => None,
            })
            .collect::<Vec<_>>()
            .concat();
        self.pieces = whole
            .chunks(size.max(1))
            .map(|piece| Piece::Bytes(Bytes::copy_from_slice(piece)))
            .collect();
        self
    }

    /// The connection breaks here.
    #[must_use]
    pub fn broken(mut self) -> Self {
        self.pieces.push(Piece::Broken);
        self
    }

    /// Nothing more comes from here on.
    #[must_use]
    pub fn stalled(mut self) -> Self {
        self.pieces.push(Piece::Stall);
        self
    }
}

/// A transport that answers from a list and remembers what it was asked. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct Memory(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Reply>,
    seen: Vec<HttpRequest>,
}

impl Memory {
    /// Answers the requests in this order; the one after the last has no answer.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies = replies.into_iter().collect();
        let seen = Vec::new();
        Self(Arc::new(Mutex::new(State { replies, seen })))
    }

    /// Adds an answer behind the others.
    pub fn push(&self, reply: Reply) {
        self.lock().replies.push_back(reply);
    }

    /// The requests so far.
    #[must_use]
    pub fn seen(&self) -> Vec<HttpRequest> {
        self.lock().seen.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Transport for Memory {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let reply = {
            let mut state = self.lock();
            state.seen.push(request);
            state.replies.pop_front()
        };
        let none = || TransportError::Broken("there is no answer to this request".to_owned());
        let reply = reply.ok_or_else(none)?;
        if let Some(error) = reply.refused {
            return Err(error);
        }
        let body = stream::iter(reply.pieces).then(|piece| async {
            match piece {
                Piece::Bytes(bytes) => Ok(bytes),
                Piece::Broken => Err(TransportError::Broken("the peer went away".to_owned())),
                Piece::Stall => std::future::pending().await,
            }
        });
        Ok(HttpResponse {
            status: reply.status,
            headers: reply.headers,
            body: Box::pin(body),
        })
    }
}
