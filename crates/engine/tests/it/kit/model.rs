//! A model that says what the script says, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, DeltaStream, Failure, FailureKind, Provider, Request};
use zeug_transcript::{StopReason, Usage};

/// One thing the model does while it answers.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Sends a piece.
    Send(Delta),
    /// Fails.
    Fail(Failure),
    /// Refuses the request before anything is streamed. Must come first.
    Refuse(Failure),
    /// Says nothing more, for ever.
    Hang,
    /// Waits.
    Wait(Duration),
    /// Has a bug.
    Panic,
}

pub(crate) struct Model {
    answers: Mutex<VecDeque<Vec<Act>>>,
    pub(crate) requests: Mutex<Vec<Request>>,
    pub(crate) tokens: Mutex<Vec<CancellationToken>>,
}

impl Model {
    pub(crate) fn new(answers: Vec<Vec<Act>>) -> Self {
        Self {
            answers: Mutex::new(answers.into()),
            requests: Mutex::default(),
            tokens: Mutex::default(),
        }
    }

    pub(crate) fn asked(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait::async_trait]
impl Provider for Model {
    fn key(&self) -> &str {
        "fake"
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<DeltaStream, Failure> {
        self.requests.lock().unwrap().push(request);
        self.tokens.lock().unwrap().push(cancel);
        let next = self.answers.lock().unwrap().pop_front();
        let acts = next.unwrap_or_else(|| text("end of script"));
        if let Some(Act::Refuse(failure)) = acts.first() {
            return Err(failure.clone());
        }
        let play = |act| async move {
            match act {
                Act::Send(delta) => Some(Ok(delta)),
                Act::Fail(failure) | Act::Refuse(failure) => Some(Err(failure)),
                Act::Hang => std::future::pending().await,
                Act::Wait(time) => {
                    tokio::time::sleep(time).await;
                    None
                }
                Act::Panic => panic!("the model has a bug"),
            }
        };
        let stream = futures::stream::iter(acts).then(play);
        Ok(stream.filter_map(std::future::ready).boxed())
    }
}

/// An answer of text, streamed by word.
pub(crate) fn text(text: &str) -> Vec<Act> {
    let words = text.split_inclusive(' ').map(str::to_owned);
    let mut acts: Vec<Act> = words.map(|w| Act::Send(Delta::Text(w))).collect();
    acts.push(Act::Send(Delta::Stop(StopReason::EndTurn)));
    acts
}

/// The same answer, and the tokens that the provider counted for it.
pub(crate) fn counted(mut acts: Vec<Act>, input_tokens: u64) -> Vec<Act> {
    let usage = Usage {
        input_tokens,
        output_tokens: 10,
        ..Usage::default()
    };
    acts.insert(0, Act::Send(Delta::Usage(usage)));
    acts
}

/// The pieces of a call.
pub(crate) fn call(id: &str, name: &str, json: &str) -> Vec<Act> {
    let (id, name, json) = (id.to_owned(), name.to_owned(), json.to_owned());
    vec![
        Act::Send(Delta::ToolCallStart {
            id: id.clone(),
            name,
        }),
        Act::Send(Delta::ToolCallArgs {
            id: id.clone(),
            json,
        }),
        Act::Send(Delta::ToolCallEnd { id }),
    ]
}

/// An answer of calls, as (id, tool, arguments).
pub(crate) fn with_calls(calls: &[(&str, &str, &str)]) -> Vec<Act> {
    let mut acts: Vec<Act> = calls.iter().flat_map(|(i, n, a)| call(i, n, a)).collect();
    acts.push(Act::Send(Delta::Stop(StopReason::ToolUse)));
    acts
}

pub(crate) fn failure(kind: FailureKind, retry_after: Option<Duration>) -> Failure {
    Failure {
        kind,
        provider: "fake".into(),
        model: "m1".into(),
        status: Some(529),
        message: "too much to do".into(),
        retry_after,
        advice: None,
    }
}
