//! Conversations with scripted models.

#[path = "../../../../../tests/model_grammar.rs"]
pub(crate) mod grammar;
pub(crate) mod server;

use std::sync::Arc;

use futures::StreamExt as _;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, Failure, Provider, Request, ToolDeclaration};
use zeug_providers::http::{HttpRequest, HttpSettings, Memory, Reply};
use zeug_providers::{Connect, Key, connect};
use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, Status, StopReason, Timestamp, ToolCall, ToolMessage,
    Usage, UserMessage,
};

pub(crate) const NOW: Timestamp = Timestamp::UNIX_EPOCH;
pub(crate) const KEY: &str = "sk-very-secret-0123456789";

/// A description of a provider that is in memory.
pub(crate) fn described(provider: &str, model: &str, memory: &Memory) -> Connect {
    Connect {
        key: Some(Key::new(KEY)),
        http: HttpSettings {
            transport: Some(Arc::new(memory.clone())),
            ..HttpSettings::default()
        },
        ..Connect::new(provider, model)
    }
}

/// A conversation that grows as the turn machine would grow it.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) request: Request,
}

impl Talk {
    pub(crate) fn of(described: Connect) -> Self {
        let model = described.model.clone();
        Self {
            provider: connect(described).unwrap(),
            request: Request {
                model,
                ..Request::default()
            },
        }
    }

    pub(crate) fn new(provider: &str, model: &str, memory: &Memory) -> Self {
        Self::of(described(provider, model, memory))
    }

    pub(crate) fn system(mut self, text: &str) -> Self {
        self.request.system = Some(text.into());
        self
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.said(vec![Content::text(text)])
    }

    pub(crate) fn said(mut self, content: Vec<Content>) -> Self {
        let user = UserMessage { content, time: NOW };
        self.request.messages.push(Message::User(user));
        self
    }

    pub(crate) fn tool(mut self, name: &str, schema: &str) -> Self {
        self.request.tools.push(ToolDeclaration {
            name: name.into(),
            description: format!("Does {name}."),
            schema: RawJson::parse(schema).unwrap(),
        });
        self
    }

    /// Answers a call of the last message, by its place.
    pub(crate) fn result(mut self, at: usize, content: Vec<Content>, status: Status) -> Self {
        let said = self.request.messages.iter().rev().find_map(|m| match m {
            Message::Assistant(said) => Some(said),
            _ => None,
        });
        let call = said.unwrap().tool_calls().nth(at).unwrap().clone();
        self.request.messages.push(Message::Tool(ToolMessage {
            call_id: call.id,
            tool_name: call.name,
            content,
            status,
            time: NOW,
        }));
        self
    }

    pub(crate) fn ok(self, at: usize, text: &str) -> Self {
        self.result(at, vec![Content::text(text)], Status::Completed)
    }

    /// The next answer, which is one of success.
    pub(crate) async fn answer(&self) -> AssistantMessage {
        let (pieces, failure) = self.pieces().await;
        assert_eq!(failure, None);
        self.message(&pieces)
    }

    pub(crate) fn message(&self, pieces: &[Delta]) -> AssistantMessage {
        let mut message = assemble(pieces);
        message.provider = Some(self.provider.key().to_owned());
        message.model = Some(self.request.model.clone());
        message
    }

    /// Takes the next answer into the conversation.
    pub(crate) async fn play(mut self) -> Self {
        let answer = self.answer().await;
        self.request.messages.push(Message::Assistant(answer));
        self
    }

    pub(crate) async fn pieces(&self) -> (Vec<Delta>, Option<Failure>) {
        let cancel = CancellationToken::new();
        let mut pieces = Vec::new();
        let mut stream = match self.provider.stream(self.request.clone(), cancel).await {
            Ok(stream) => stream,
            Err(failure) => return (pieces, Some(failure)),
        };
        while let Some(piece) = stream.next().await {
            match piece {
                Ok(piece) => pieces.push(piece),
                Err(failure) => {
                    assert!(stream.next().await.is_none(), "a failure is the end");
                    return (pieces, Some(failure));
                }
            }
        }
        assert!(matches!(pieces.last(), Some(Delta::Stop(_))), "{pieces:?}");
        (pieces, None)
    }

    pub(crate) async fn failure(&self) -> Failure {
        self.pieces().await.1.expect("a failure")
    }
}

/// Puts pieces together as the turn machine does.
pub(crate) fn assemble(pieces: &[Delta]) -> AssistantMessage {
    let mut parts: Vec<Part> = Vec::new();
    let mut usage = None;
    let mut stop = StopReason::Error;
    for piece in pieces {
        match piece {
            Delta::Usage(counted) => usage = Some(*counted),
            Delta::Stop(reason) => stop = *reason,
            Delta::ToolCallStart { id, name } => {
                assert!(call(&mut parts, id).is_none(), "{id} twice");
                let (id, name, args) = (id.clone(), name.clone(), String::new());
                parts.push(Part::ToolCall(ToolCall::new(id, name, args)));
            }
            Delta::ToolCallArgs { id, json } => {
                call(&mut parts, id).expect("it began").args.push_str(json);
            }
            Delta::ToolCallEnd { id } => assert!(call(&mut parts, id).is_some(), "{id}"),
            Delta::Text(_) | Delta::Thinking(_) | Delta::ThinkingSignature(_) => {
                say(&mut parts, piece);
            }
        }
    }
    AssistantMessage {
        parts,
        stop,
        usage,
        provider: None,
        model: None,
        shown: None,
        time: NOW,
    }
}

fn call<'a>(parts: &'a mut [Part], id: &str) -> Option<&'a mut ToolCall> {
    parts.iter_mut().find_map(|part| match part {
        Part::ToolCall(call) if call.id == id => Some(call),
        _ => None,
    })
}

fn say(parts: &mut Vec<Part>, piece: &Delta) {
    let new = |text: &str, proof: Option<&String>| Part::Thinking {
        text: text.to_owned(),
        signature: proof.cloned(),
    };
    match (piece, parts.last_mut()) {
        (Delta::Text(more), Some(Part::Text(text))) => text.push_str(more),
        (Delta::Text(more), _) => parts.push(Part::Text(more.clone())),
        (
            Delta::Thinking(more),
            Some(Part::Thinking {
                text,
                signature: None,
            }),
        ) => {
            text.push_str(more);
        }
        (Delta::Thinking(more), _) => parts.push(new(more, None)),
        (Delta::ThinkingSignature(proof), Some(Part::Thinking { signature, .. }))
            if signature.is_none() =>
        {
            *signature = Some(proof.clone());
        }
        (Delta::ThinkingSignature(proof), _) => parts.push(new("", Some(proof))),
        _ => {}
    }
}

/// A message without its notes.
pub(crate) fn plain(message: &AssistantMessage) -> Vec<Part> {
    let parts = message.parts.iter().filter_map(|part| match part {
        Part::Thinking { text, .. } if text.is_empty() => None,
        Part::Thinking { text, .. } => Some(Part::Thinking {
            text: text.clone(),
            signature: None,
        }),
        part => Some(part.clone()),
    });
    parts.collect()
}

/// The note that a message carries.
pub(crate) fn note(message: &AssistantMessage) -> Option<String> {
    message.parts.iter().find_map(|part| match part {
        Part::Thinking { signature, .. } => signature.clone(),
        _ => None,
    })
}

pub(crate) fn usage(input: u64, output: u64, read: u64, write: u64) -> Usage {
    Usage {
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: read,
        cache_write_tokens: write,
        ..Usage::default()
    }
}

pub(crate) fn body(request: &HttpRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// The body of the last request.
pub(crate) fn last_body(memory: &Memory) -> Value {
    body(memory.seen().last().unwrap())
}

/// An answer that says nothing but this.
pub(crate) fn saying(grammar: grammar::Grammar, text: &'static str) -> Reply {
    grammar.reply(&[grammar::Act::Text(text), grammar::Act::Stop])
}
