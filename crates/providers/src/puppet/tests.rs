//! Whole answers: a conversation goes in, pieces come out.

use std::sync::Arc;

use futures::StreamExt as _;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, Failure, Provider, Request, ToolDeclaration};
use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, Status, StopReason, ToolCall, ToolMessage,
    UserMessage,
};

mod answers;
mod failures;
mod templates;
mod turns;

/// A conversation that grows as an engine would grow it.
struct Talk {
    puppet: Arc<dyn Provider>,
    request: Request,
}

impl Talk {
    fn new(prompt: &str) -> Self {
        Self {
            puppet: crate::puppet(),
            request: Request {
                model: "strings".into(),
                system: None,
                messages: Vec::new(),
                context: None,
                tools: Vec::new(),
                reasoning: None,
                max_output_tokens: None,
            },
        }
        .user(prompt)
    }

    fn user(self, text: &str) -> Self {
        self.content(vec![Content::text(text)])
    }

    fn content(mut self, content: Vec<Content>) -> Self {
        // Every message has its own second.
        let time = zeug_transcript::Timestamp::from_second(
            i64::try_from(self.request.messages.len()).unwrap(),
        )
        .unwrap();
        self.request
            .messages
            .push(Message::User(UserMessage { content, time }));
        self
    }

    fn result(mut self, name: &str, content: Vec<Content>, status: Status) -> Self {
        self.request.messages.push(Message::Tool(ToolMessage {
            call_id: "c".into(),
            tool_name: name.into(),
            content,
            status,
            time: zeug_transcript::Timestamp::UNIX_EPOCH,
        }));
        self
    }

    fn ok(self, name: &str, text: &str) -> Self {
        self.result(name, vec![Content::text(text)], Status::Completed)
    }

    fn tool(mut self, name: &str) -> Self {
        self.request.tools.push(ToolDeclaration {
            name: name.into(),
            description: String::new(),
            schema: RawJson::empty_object(),
        });
        self
    }

    /// The pieces of the next answer, which ends with a stop or a failure.
    async fn deltas(&self) -> Result<Vec<Delta>, (Vec<Delta>, Failure)> {
        let cancel = CancellationToken::new();
        let mut stream = match self.puppet.stream(self.request.clone(), cancel).await {
            Ok(stream) => stream,
            Err(failure) => return Err((Vec::new(), failure)),
        };
        let mut deltas = Vec::new();
        while let Some(delta) = stream.next().await {
            match delta {
                Ok(delta) => deltas.push(delta),
                Err(failure) => {
                    assert!(stream.next().await.is_none(), "a failure ends the stream");
                    return Err((deltas, failure));
                }
            }
        }
        assert!(matches!(deltas.last(), Some(Delta::Stop(_))));
        Ok(deltas)
    }

    /// The next answer as a message.
    async fn answer(&self) -> AssistantMessage {
        assemble(&self.deltas().await.unwrap())
    }

    /// Takes the next answer into the conversation.
    async fn play(mut self) -> Self {
        let answer = self.answer().await;
        self.request.messages.push(Message::Assistant(answer));
        self
    }

    /// The text of the next answer.
    async fn text(&self) -> String {
        self.answer().await.text("|")
    }
}

fn assemble(deltas: &[Delta]) -> AssistantMessage {
    let mut message = AssistantMessage {
        parts: Vec::new(),
        stop: StopReason::Error,
        usage: None,
        provider: None,
        model: None,
        shown: None,
        time: zeug_transcript::Timestamp::UNIX_EPOCH,
    };
    for delta in deltas {
        match (delta, message.parts.last_mut()) {
            (Delta::Text(more), Some(Part::Text(text))) => text.push_str(more),
            (Delta::Text(text), _) => message.parts.push(Part::Text(text.clone())),
            (Delta::Thinking(more), Some(Part::Thinking { text, .. })) => text.push_str(more),
            (Delta::Thinking(text), _) => message.parts.push(Part::Thinking {
                text: text.clone(),
                signature: None,
            }),
            (Delta::ToolCallStart { id, name }, _) => {
                message.parts.push(Part::ToolCall(ToolCall::new(
                    id.clone(),
                    name.clone(),
                    String::new(),
                )));
            }
            (Delta::ToolCallArgs { id, json }, Some(Part::ToolCall(call))) => {
                assert_eq!(*id, call.id);
                call.args.push_str(json);
            }
            (Delta::Usage(usage), _) => message.usage = Some(*usage),
            (Delta::Stop(stop), _) => message.stop = *stop,
            (Delta::ToolCallEnd { .. }, Some(Part::ToolCall(_))) => {}
            other => panic!("{other:?}"),
        }
    }
    message
}
