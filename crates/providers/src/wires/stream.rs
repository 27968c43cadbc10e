//! The library's answer as our pieces.

use std::collections::{HashMap, HashSet, VecDeque};

use futures::{Stream, StreamExt as _, stream};
use rig_core::completion::{CompletionResponse, FinishReason, Usage as Counted};
use rig_core::message::{AssistantContent, StopReason as Stop};
use rig_core::streaming::{CompletionStream, Item, PartKind, StreamEvent};
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, Failure};
use zeug_transcript::{StopReason, Usage};

use super::calls::CallIds;
use super::failure::Blame;
use super::replay::{self, Told, ToldCall};

/// What is told of an image that the model made.
const IMAGE: &str = "[the model made an image, which cannot be shown here]";

/// The pieces of an answer. Ends after the stop or the first failure. A cancelled one ends with
/// [`StopReason::Aborted`]; that, and dropping it, closes the connection.
pub(crate) fn pieces(
    answer: CompletionStream,
    ids: CallIds,
    api: String,
    blame: Blame,
    cancel: CancellationToken,
) -> impl Stream<Item = Result<Delta, Failure>> + Send + 'static {
    let teller = Teller {
        answer: Some(answer),
        queue: VecDeque::new(),
        told: Told::default(),
        open: HashMap::new(),
        used: HashSet::new(),
        ids,
        api,
        blame,
    };
    stream::unfold((teller, cancel), |(mut teller, cancel)| async move {
        let piece = teller.next(&cancel).await?;
        Some((piece, (teller, cancel)))
    })
}

struct Teller {
    /// `None` when it is over.
    answer: Option<CompletionStream>,
    queue: VecDeque<Result<Delta, Failure>>,
    told: Told,
    /// Where in `told` the call of each of the library's parts is.
    open: HashMap<usize, usize>,
    used: HashSet<String>,
    ids: CallIds,
    api: String,
    blame: Blame,
}

impl Teller {
    async fn next(&mut self, cancel: &CancellationToken) -> Option<Result<Delta, Failure>> {
        loop {
            if let Some(piece) = self.queue.pop_front() {
                return Some(piece);
            }
            let answer = self.answer.as_mut()?;
            let item = tokio::select! {
                biased;
                () = cancel.cancelled() => {
                    self.answer = None;
                    return Some(Ok(Delta::Stop(StopReason::Aborted)));
                }
                item = answer.next() => item,
            };
            match item {
                Some(Ok(Item::Event(event))) => self.event(event),
                // What this version does not know is none of the answer.
                Some(Ok(Item::Unknown(_))) => {}
                Some(Err(error)) => {
                    self.answer = None;
                    self.queue.push_back(Err(self.blame.failure(&error)));
                }
                None => self.end().await,
            }
        }
    }

    fn tell(&mut self, delta: Delta) {
        self.queue.push_back(Ok(delta));
    }

    fn event(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Start {
                part,
                kind: PartKind::ToolCall,
                name,
            } => {
                let name = name.map(String::from).unwrap_or_default();
                self.begin(part.index(), name);
            }
            StreamEvent::Start { .. } => {}
            StreamEvent::Text { text, .. } => self.text(text),
            StreamEvent::Reasoning { text, .. } => {
                self.told.thinking.push_str(&text);
                self.tell(Delta::Thinking(text));
            }
            StreamEvent::Arguments { part, json } => {
                if let Some(call) = self.call(part.index()) {
                    call.args.push_str(&json);
                    let id = call.id.clone();
                    self.tell(Delta::ToolCallArgs { id, json });
                }
            }
            StreamEvent::End { part, content } => match content {
                AssistantContent::ToolCall(ended) => {
                    if let Some(call) = self.call(part.index()) {
                        call.theirs = ended.id.provider().map(|id| id.as_str().to_owned());
                        let id = call.id.clone();
                        self.tell(Delta::ToolCallEnd { id });
                    }
                }
                AssistantContent::Image(_) => self.text(IMAGE.to_owned()),
                _ => {}
            },
        }
    }

    fn text(&mut self, text: String) {
        self.told.text.push_str(&text);
        self.tell(Delta::Text(text));
    }

    fn begin(&mut self, part: usize, name: String) {
        // Providers give ids twice, or none.
        let id = self
            .ids
            .take(&name)
            .filter(|id| !self.used.contains(id))
            .unwrap_or_else(|| format!("call_{}", uuid::Uuid::now_v7().simple()));
        self.used.insert(id.clone());
        self.open.insert(part, self.told.calls.len());
        self.told.calls.push(ToldCall {
            id: id.clone(),
            name: name.clone(),
            args: String::new(),
            theirs: None,
        });
        self.tell(Delta::ToolCallStart { id, name });
    }

    fn call(&mut self, part: usize) -> Option<&mut ToldCall> {
        let at = *self.open.get(&part)?;
        self.told.calls.get_mut(at)
    }

    async fn end(&mut self) {
        let Some(answer) = self.answer.take() else {
            return;
        };
        match answer.finish().await {
            Ok(response) => self.finished(&response),
            Err(error) => self.queue.push_back(Err(self.blame.failure(&error))),
        }
    }

    fn finished(&mut self, response: &CompletionResponse) {
        if response.usage.is_reported() {
            self.tell(Delta::Usage(usage(&response.usage)));
        }
        let stop = match response.stop() {
            Stop::Stop => StopReason::EndTurn,
            Stop::ToolUse => StopReason::ToolUse,
            Stop::Length => StopReason::Length,
            Stop::Error(_) if called(response) => StopReason::ToolUse,
            Stop::Error(reason) | Stop::Aborted(reason) => {
                let filtered = response.finish_reason() == Some(FinishReason::ContentFilter);
                let failure = self.blame.stopped(&reason, filtered);
                return self.queue.push_back(Err(failure));
            }
            _ => StopReason::EndTurn,
        };
        if let Some(note) = replay::note(&response.choice, &self.told, &self.api) {
            self.tell(Delta::ThinkingSignature(note));
        }
        self.tell(Delta::Stop(stop));
    }
}

/// Whether it ended with a call, in a word that its grammar does not have but gateways use.
fn called(response: &CompletionResponse) -> bool {
    let reason = match response.finish_reason() {
        Some(FinishReason::Other(reason)) => reason.to_lowercase(),
        _ => return false,
    };
    ["function_call", "tool_call", "tool_calls", "tool_use"].contains(&reason.as_str())
        && response.tool_calls().next().is_some()
}

/// The library counts what was cached into the input; we keep them apart.
fn usage(counted: &Counted) -> Usage {
    let read = counted.cached_input_tokens.unwrap_or(0);
    let written = counted.cache_creation_input_tokens.unwrap_or(0);
    let input = counted.input_tokens.unwrap_or(0);
    Usage {
        input_tokens: input.saturating_sub(read).saturating_sub(written),
        output_tokens: counted.output_tokens.unwrap_or(0),
        cache_read_tokens: read,
        cache_write_tokens: written,
        ..Usage::default()
    }
}
