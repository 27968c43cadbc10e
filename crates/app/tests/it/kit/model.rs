//! A model with a script for each conversation, so that sub-agents at work at the same time do not
//! take each other's words.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, DeltaStream, Failure, FailureKind, Provider, Request};
use zeug_transcript::{Content, Message, StopReason, Usage};

/// One thing the model does while it answers.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Send(Delta),
    Fail(Failure),
    /// Says nothing more, for ever.
    Hang,
}

pub(crate) struct Model {
    scripts: Mutex<HashMap<String, VecDeque<Vec<Act>>>>,
    requests: Mutex<Vec<Request>>,
}

impl Model {
    pub(crate) fn new(scripts: Vec<(&str, Vec<Vec<Act>>)>) -> Self {
        let scripts = scripts.into_iter();
        Self {
            scripts: Mutex::new(scripts.map(|(k, v)| (k.to_owned(), v.into())).collect()),
            requests: Mutex::default(),
        }
    }

    /// What was asked in the conversation that begins with this text.
    pub(crate) fn requests(&self, begin: &str) -> Vec<Request> {
        let mut requests = self.requests.lock().unwrap().clone();
        requests.retain(|request| beginning(request) == begin);
        requests
    }
}

fn beginning(request: &Request) -> String {
    match request.messages.first() {
        Some(Message::User(said)) => Content::joined(&said.content),
        other => panic!("a conversation begins with a user: {other:?}"),
    }
}

#[async_trait::async_trait]
impl Provider for Model {
    fn key(&self) -> &str {
        "fake"
    }

    async fn stream(&self, request: Request, _: CancellationToken) -> Result<DeltaStream, Failure> {
        let begin = beginning(&request);
        self.requests.lock().unwrap().push(request);
        let mut scripts = self.scripts.lock().unwrap();
        let next = scripts.get_mut(&begin).and_then(VecDeque::pop_front);
        let acts = next.unwrap_or_else(|| panic!("no answer is left for {begin:?}"));
        let play = |act| async move {
            match act {
                Act::Send(delta) => Ok(delta),
                Act::Fail(failure) => Err(failure),
                Act::Hang => std::future::pending().await,
            }
        };
        Ok(futures::stream::iter(acts).then(play).boxed())
    }
}

/// An answer of text, with a count of tokens.
pub(crate) fn says(text: &str) -> Vec<Act> {
    let usage = Usage {
        input_tokens: 100,
        output_tokens: 7,
        ..Usage::default()
    };
    vec![
        Act::Send(Delta::Usage(usage)),
        Act::Send(Delta::Text(text.to_owned())),
        Act::Send(Delta::Stop(StopReason::EndTurn)),
    ]
}

/// An answer of calls, as (id, tool, arguments).
pub(crate) fn calls(calls: &[(String, String, String)]) -> Vec<Act> {
    let mut acts = Vec::new();
    for (id, name, json) in calls.iter().cloned() {
        acts.push(Act::Send(Delta::ToolCallStart {
            id: id.clone(),
            name,
        }));
        let args = Delta::ToolCallArgs {
            id: id.clone(),
            json,
        };
        acts.push(Act::Send(args));
        acts.push(Act::Send(Delta::ToolCallEnd { id }));
    }
    acts.push(Act::Send(Delta::Stop(StopReason::ToolUse)));
    acts
}

/// No answer.
pub(crate) fn fails(kind: FailureKind) -> Vec<Act> {
    vec![Act::Fail(Failure {
        kind,
        provider: "fake".into(),
        model: "m1".into(),
        status: None,
        message: "it broke".into(),
        retry_after: None,
        advice: None,
    })]
}
