//! Our requests in the library's words.

use std::collections::HashMap;

use rig_core::completion::{CacheRetention, CompletionRequest, OnUnsupported, ToolDefinition};
use rig_core::message::{
    AssistantContent, AssistantMessage as Said, CallId, ImageMediaType, Message as Rig, MimeType,
    Origin, Reasoning, StopReason as Stop, Text, ToolCall, ToolResult, ToolResultContent,
    UserContent,
};
use serde_json::Value;
use zeug_provider::Request;
use zeug_transcript::{AssistantMessage, Content, Image, Message, Part, StopReason, ToolMessage};

use super::{Line, effort, replay};
use crate::connect::Endpoint;

/// What stands in place of an image that the model cannot see.
const NO_IMAGE: &str = "[an image that this model cannot see]";

/// The library's form of a request.
pub(crate) fn rig(
    request: &Request,
    model: &str,
    endpoint: &Endpoint,
    line: &dyn Line,
) -> CompletionRequest {
    let mut history = Vec::with_capacity(request.messages.len() + 2);
    if let Some(system) = request.system.as_deref().filter(|text| !text.is_empty()) {
        history.push(Rig::system(system));
    }
    let mut speaker = Speaker {
        endpoint,
        model,
        api: line.api(),
        vendor: line.vendor(),
        calls: HashMap::new(),
    };
    for message in &request.messages {
        history.extend(speaker.message(message));
    }
    if let Some(context) = request.context.as_deref().filter(|text| !text.is_empty()) {
        history.push(if line.hears_late_instructions(model) {
            Rig::system(context)
        } else {
            Rig::user(format!("<context>\n{context}\n</context>"))
        });
    }
    let mut asked = CompletionRequest::from(history);
    asked.model = Some(model.to_owned());
    asked.tools = request
        .tools
        .iter()
        .map(|tool| {
            let name = replay::tool_name(&tool.name);
            ToolDefinition::new(name, tool.description.clone(), tool.schema.to_value())
        })
        .collect();
    asked.max_tokens = request.max_output_tokens.or(endpoint.max_output_tokens);
    // What a model cannot do is left out, not refused: a switch of models must not end the talk.
    asked.options = asked.options.on_unsupported(OnUnsupported::Ignore);
    if matches!(line.vendor().as_str(), "openrouter" | "minimax") {
        asked.options = asked.options.cache(CacheRetention::Short);
    }
    effort::apply(request.reasoning, &mut asked, model, endpoint, line);
    asked
}

/// Says a conversation again.
struct Speaker<'a> {
    endpoint: &'a Endpoint,
    model: &'a str,
    api: String,
    vendor: String,
    /// What the provider calls our calls.
    calls: HashMap<String, CallId>,
}

impl Speaker<'_> {
    fn message(&mut self, message: &Message) -> Option<Rig> {
        match message {
            Message::User(user) => {
                let content: Vec<_> = user.content.iter().map(|c| self.user(c)).collect();
                (!content.is_empty()).then_some(Rig::User { content })
            }
            Message::Assistant(said) => self.assistant(said),
            Message::Tool(result) => {
                let result = self.result(result);
                let content = vec![UserContent::ToolResult(result)];
                Some(Rig::User { content })
            }
        }
    }

    fn user(&self, content: &Content) -> UserContent {
        match content {
            Content::Text { text } => UserContent::text(text.as_str()),
            Content::Image(_) if self.blind() => UserContent::text(NO_IMAGE),
            Content::Image(image) => {
                UserContent::image_base64(image.data.as_ref(), media_type(image), None)
            }
        }
    }

    fn blind(&self) -> bool {
        self.endpoint.images == Some(false)
    }

    fn result(&self, result: &ToolMessage) -> ToolResult {
        let call = self
            .calls
            .get(&result.call_id)
            .cloned()
            .unwrap_or_else(|| CallId::from_wire(result.call_id.as_str()));
        let content = result.content.iter().map(|content| match content {
            Content::Text { text } => ToolResultContent::text(text.as_str()),
            Content::Image(_) if self.blind() => ToolResultContent::text(NO_IMAGE),
            Content::Image(image) => {
                ToolResultContent::image_base64(image.data.as_ref(), media_type(image), None)
            }
        });
        ToolResult {
            call,
            name: replay::tool_name(&result.tool_name),
            content: content.collect(),
            is_error: result.status.is_error(),
        }
    }

    fn assistant(&mut self, said: &AssistantMessage) -> Option<Rig> {
        let own = said.provider.as_deref() == Some(self.endpoint.provider.as_str())
            && said.model.as_deref() == Some(self.model);
        let noted = if own {
            replay::blocks(&said.parts, &self.api)
        } else {
            None
        };
        let content = match noted {
            Some(blocks) => {
                let mut content = Vec::with_capacity(blocks.len());
                for (block, id) in blocks {
                    if let (AssistantContent::ToolCall(call), Some(id)) = (&block, id) {
                        self.calls.insert(id, call.id.clone());
                    }
                    content.push(block);
                }
                content
            }
            None => self.plain(&said.parts, own),
        };
        if content.is_empty() {
            return None;
        }
        let origin = own.then(|| Origin::new(self.api.clone(), self.vendor.as_str(), self.model));
        let said = Said::new(content)
            .with_origin(origin)
            .with_stop(stop(said.stop));
        Some(Rig::Assistant(said))
    }

    /// The parts as everybody understands them. Reasoning goes back only to the model it is from,
    /// and only where it needs no signature.
    fn plain(&mut self, parts: &[Part], own: bool) -> Vec<AssistantContent> {
        let unsigned = own && matches!(self.api.as_str(), "openai.chat" | "ollama.chat");
        let mut content = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Part::Text(text) => {
                    content.push(AssistantContent::Text(Text::new(text.as_str())));
                }
                Part::Thinking { text, .. } if unsigned && !text.is_empty() => {
                    content.push(AssistantContent::Reasoning(Reasoning::new(text.as_str())));
                }
                Part::Thinking { .. } => {}
                Part::ToolCall(call) => {
                    let id = CallId::from_wire(call.id.as_str());
                    self.calls.insert(call.id.clone(), id.clone());
                    let function = replay::function(&call.name, &call.args);
                    content.push(AssistantContent::ToolCall(ToolCall::new(id, function)));
                }
            }
        }
        content
    }
}

fn media_type(image: &Image) -> Option<ImageMediaType> {
    ImageMediaType::from_mime_type(&image.mime_type)
}

fn stop(stop: StopReason) -> Stop {
    match stop {
        StopReason::EndTurn => Stop::Stop,
        StopReason::ToolUse => Stop::ToolUse,
        StopReason::Length => Stop::Length,
        StopReason::Error => Stop::Error(String::new()),
        StopReason::Aborted => Stop::Aborted(String::new()),
    }
}

/// Adds to what the wire passes on as it is.
pub(crate) fn pass_on(asked: &mut CompletionRequest, more: Value) {
    let params = asked
        .additional_params
        .get_or_insert_with(|| Value::Object(serde_json::Map::new()));
    merge(params, more);
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                match into.get_mut(&key) {
                    Some(held) => merge(held, value),
                    None => {
                        into.insert(key, value);
                    }
                }
            }
        }
        (into, more) => *into = more,
    }
}
