//! What must go back to the model that said it, and plain parts cannot hold: signed and encrypted
//! reasoning, items with ids, which call is signed, what the provider itself calls a call.
//!
//! It travels as one opaque note in [`Part::Thinking`]'s signature, at the end of the message: the
//! library knows some of it only when the answer is complete. The note does not repeat texts and
//! arguments; it says where they stand, and by a checksum for which texts it was written. When
//! somebody edited the message since, the note is void and the message goes back as plain parts.
//!
//! ```json
//! {"v":1,"api":"anthropic.messages","sum":"…","blocks":[
//!   {"is":"thinking","len":12,"item":{"type":"thinking","thinking":{"$":"text"},"signature":"…"}},
//!   {"is":"call","id":"toolu_1"}]}
//! ```

use rig_core::message::{
    AssistantContent, CallId, Opaque, Reasoning, Text, ToolCall, ToolFunction, ToolName,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use zeug_transcript::Part;

/// Shorter texts are not worth a reference.
const WORTH_BYTES: usize = 12;

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    v: u8,
    /// The grammar that the items are written in.
    api: String,
    /// For which texts the note was written.
    sum: String,
    blocks: Vec<Block>,
}

/// One block of the answer, in the provider's order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Block {
    Text {
        /// How many bytes of the message's text are its own.
        len: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Value>,
    },
    Thinking {
        /// How many bytes of the message's reasoning are its own.
        len: usize,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        redacted: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Value>,
    },
    Call {
        /// Our id.
        id: String,
        /// The provider's, when it is another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        theirs: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Value>,
    },
    /// Something that only the provider understands.
    Opaque { item: Value },
}

/// What was told of an answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) calls: Vec<ToldCall>,
}

/// A call as it was told.
#[derive(Debug, Clone)]
pub(crate) struct ToldCall {
    /// Our id.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) args: String,
    /// The provider's id, once it is known.
    pub(crate) theirs: Option<String>,
}

impl Told {
    /// What a stored message tells.
    fn of(parts: &[Part]) -> Self {
        let mut told = Self::default();
        for part in parts {
            match part {
                Part::Text(text) => told.text.push_str(text),
                Part::Thinking { text, .. } => told.thinking.push_str(text),
                Part::ToolCall(call) => told.calls.push(ToldCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    args: call.args.clone(),
                    theirs: None,
                }),
            }
        }
        told
    }

    fn sum(&self) -> String {
        let mut sum = Sum::default();
        sum.add(&self.text);
        sum.add(&self.thinking);
        for call in &self.calls {
            sum.add(&call.id);
            sum.add(&call.name);
            sum.add(&call.args);
        }
        format!("{:016x}", sum.0)
    }
}

/// FNV-1a: tells whether a text was edited, not whether somebody wanted to deceive.
struct Sum(u64);

impl Default for Sum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Sum {
    fn add(&mut self, text: &str) {
        // 0xff is in no UTF-8 text: it parts the texts from each other.
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The note for an answer; `None` when plain parts say all there is.
pub(crate) fn note(choice: &[AssistantContent], told: &Told, api: &str) -> Option<String> {
    let mut needed = false;
    let (mut text, mut thinking) = (0, 0);
    let mut calls = told.calls.iter();
    let mut blocks = Vec::with_capacity(choice.len());
    for content in choice {
        let item = content
            .native_item()
            .filter(|item| says_more(api, content, item));
        needed |= item.is_some();
        let mut item = item.cloned();
        blocks.push(match content {
            AssistantContent::Text(block) => {
                text += block.text.len();
                item.iter_mut()
                    .for_each(|item| refer(item, &block.text, None));
                let len = block.text.len();
                Block::Text { len, item }
            }
            AssistantContent::Reasoning(block) => {
                thinking += block.text.len();
                item.iter_mut()
                    .for_each(|item| refer(item, &block.text, None));
                Block::Thinking {
                    len: block.text.len(),
                    redacted: block.redacted,
                    item,
                }
            }
            AssistantContent::ToolCall(call) => {
                let told = calls.next()?;
                let args = &call.function.arguments;
                item.iter_mut()
                    .for_each(|item| refer(item, &told.args, Some(args)));
                let theirs = told.theirs.clone().filter(|theirs| *theirs != told.id);
                needed |= theirs.is_some();
                let id = told.id.clone();
                Block::Call { id, theirs, item }
            }
            AssistantContent::Opaque(opaque) if opaque.replay => {
                needed = true;
                let item = opaque.item.clone();
                Block::Opaque { item }
            }
            _ => continue,
        });
    }
    // A note about texts that were not told would fit no message.
    let fits = text == told.text.len() && thinking == told.thinking.len() && calls.next().is_none();
    let note = Note {
        v: 1,
        api: api.to_owned(),
        sum: told.sum(),
        blocks,
    };
    (needed && fits).then(|| serde_json::to_string(&note).ok())?
}

/// Whether an item says anything that the block does not.
fn says_more(api: &str, content: &AssistantContent, item: &Value) -> bool {
    let only = |allowed: &[&str]| {
        item.as_object()
            .is_some_and(|fields| fields.keys().all(|key| allowed.contains(&key.as_str())))
    };
    match (api, content) {
        // Its items are rebuilt from the blocks anyway.
        ("ollama.chat", _) => false,
        ("anthropic.messages", AssistantContent::Text(_)) => {
            !only(&["type", "text"]) || item.get("type") != Some(&json!("text"))
        }
        ("anthropic.messages", AssistantContent::ToolCall(_)) => {
            !only(&["type", "id", "name", "input"])
        }
        ("openai.chat", AssistantContent::ToolCall(_)) => {
            let plain = item.get("type").is_none_or(|kind| kind == "function");
            !(plain && only(&["id", "type", "function"]))
        }
        _ => true,
    }
}

/// Puts references in place of what the message's parts hold.
fn refer(value: &mut Value, text: &str, args: Option<&Map<String, Value>>) {
    match value {
        Value::String(held) if held.len() >= WORTH_BYTES && held == text => {
            *value = json!({ "$": "text" });
        }
        Value::Object(held) if args.is_some_and(|args| !held.is_empty() && held == args) => {
            *value = json!({ "$": "args" });
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, text, args)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| refer(field, text, args)),
        _ => {}
    }
}

/// Puts what the message's parts hold in place of references.
fn resolve(value: &mut Value, text: &str, args: Option<&Map<String, Value>>) {
    let reference = match value {
        Value::Object(fields) if fields.len() == 1 => fields.get("$").and_then(Value::as_str),
        _ => None,
    };
    match (reference, args) {
        (Some("text"), _) => *value = Value::String(text.to_owned()),
        (Some("args"), Some(args)) => *value = Value::Object(args.clone()),
        _ => match value {
            Value::Array(items) => items.iter_mut().for_each(|item| resolve(item, text, args)),
            Value::Object(fields) => {
                fields
                    .values_mut()
                    .for_each(|field| resolve(field, text, args));
            }
            _ => {}
        },
    }
}

/// A message's blocks as its note tells them, with our id of each call; `None` when there is no
/// note for this grammar, or the message was edited.
pub(crate) fn blocks(parts: &[Part], api: &str) -> Option<Vec<(AssistantContent, Option<String>)>> {
    let note = parts.iter().rev().find_map(|part| match part {
        Part::Thinking {
            signature: Some(note),
            ..
        } => serde_json::from_str::<Note>(note).ok(),
        _ => None,
    })?;
    let told = Told::of(parts);
    if note.v != 1 || note.api != api || note.sum != told.sum() {
        return None;
    }
    let (mut text, mut thinking) = (told.text.as_str(), told.thinking.as_str());
    let take = |len: usize, from: &mut &str| {
        let (own, rest) = from.split_at_checked(len)?;
        *from = rest;
        Some(own.to_owned())
    };
    let mut blocks = Vec::with_capacity(note.blocks.len());
    for block in note.blocks {
        blocks.push(match block {
            Block::Text { len, item } => {
                let own = take(len, &mut text)?;
                let block = AssistantContent::Text(Text::new(own.clone()));
                (with(block, item, &own, None), None)
            }
            Block::Thinking {
                len,
                redacted,
                item,
            } => {
                let own = take(len, &mut thinking)?;
                let mut reasoning = Reasoning::new(own.clone());
                reasoning.redacted = redacted;
                let block = AssistantContent::Reasoning(reasoning);
                (with(block, item, &own, None), None)
            }
            Block::Call { id, theirs, item } => {
                let call = told.calls.iter().find(|call| call.id == id)?;
                let wire = theirs.unwrap_or_else(|| id.clone());
                let function = function(&call.name, &call.args);
                let args = function.arguments.clone();
                let block = ToolCall::new(CallId::from_wire(wire), function);
                let block = AssistantContent::ToolCall(block);
                (with(block, item, &call.args, Some(&args)), Some(id))
            }
            Block::Opaque { item } => {
                let replay = true;
                (AssistantContent::Opaque(Opaque { item, replay }), None)
            }
        });
    }
    Some(blocks)
}

fn with(
    block: AssistantContent,
    item: Option<Value>,
    text: &str,
    args: Option<&Map<String, Value>>,
) -> AssistantContent {
    match item {
        None => block,
        Some(mut item) => {
            resolve(&mut item, text, args);
            block.with_native(item)
        }
    }
}

/// A call as the library knows it. It takes no empty name; a model that called nothing gets its
/// mistake back under one that no tool has.
pub(crate) fn function(name: &str, args: &str) -> ToolFunction {
    ToolFunction::parse(tool_name(name), args)
}

/// A tool's name as the library knows it.
pub(crate) fn tool_name(name: &str) -> ToolName {
    let named = ToolName::new(name).or_else(|_| ToolName::new("unnamed"));
    named.unwrap_or_else(|_| unreachable!("it is not empty"))
}
