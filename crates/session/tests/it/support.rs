//! Messages in few words, and sessions in directories that go with the test.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zeug_session::{
    Body, Compaction, Context, EntryId, ExtensionState, Item, Journal, NewSession, Source, View,
};
use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, Status, StopReason, Timestamp, ToolCall, ToolMessage,
    UserMessage,
};

pub(crate) const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// A place for one session.
pub(crate) struct Desk {
    pub(crate) dir: TempDir,
    pub(crate) path: PathBuf,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir
            .path()
            .join("bucket")
            .join("20260131-120000-0a1b2c3d.jsonl");
        Self { dir, path }
    }

    pub(crate) fn create(&self) -> Journal {
        Journal::create(&self.path, NewSession::new()).unwrap()
    }

    pub(crate) fn open(&self) -> Journal {
        Journal::open(&self.path).unwrap()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }
}

pub(crate) fn user(text: &str) -> Body {
    Body::Message(Message::User(UserMessage {
        content: vec![Content::text(text)],
        time: NOW,
    }))
}

/// An assistant message with a text and calls by id.
pub(crate) fn assistant(text: &str, calls: &[&str]) -> Body {
    let call = |id: &&str| {
        Part::ToolCall(ToolCall::new(
            (*id).to_owned(),
            "weather",
            r#"{"city":"Berlin"}"#,
        ))
    };
    Body::Message(Message::Assistant(AssistantMessage {
        parts: std::iter::once(Part::Text(text.to_owned()))
            .chain(calls.iter().map(call))
            .collect(),
        stop: StopReason::ToolUse,
        usage: None,
        provider: Some("puppet".into()),
        model: Some("puppet".into()),
        shown: None,
        time: NOW,
    }))
}

pub(crate) fn result(call: &str, text: &str) -> Body {
    Body::Message(Message::Tool(ToolMessage {
        call_id: call.to_owned(),
        tool_name: "weather".into(),
        content: vec![Content::text(text)],
        status: Status::Completed,
        time: NOW,
    }))
}

pub(crate) fn state(extension: &str, json: &str) -> Body {
    Body::ExtensionState(ExtensionState {
        extension: extension.to_owned(),
        state: RawJson::parse(json).unwrap(),
    })
}

/// A message in a few characters: `u:text`, `a:text+call`, `t:call:text`.
pub(crate) fn short(message: &Message) -> String {
    match message {
        Message::User(said) => format!("u:{}", Content::joined(&said.content)),
        Message::Assistant(said) => said
            .tool_calls()
            .fold(format!("a:{}", said.text("")), |all, call| {
                format!("{all}+{}", call.id)
            }),
        Message::Tool(t) if t.status == Status::Cancelled => format!("t:{}:lost", t.call_id),
        Message::Tool(t) => format!("t:{}:{}", t.call_id, Content::joined(&t.content)),
    }
}

pub(crate) fn shorts(context: &Context) -> Vec<String> {
    context.items.iter().map(|i| short(&i.message)).collect()
}

/// What the model is told on the active branch.
pub(crate) fn told(view: &View) -> Vec<String> {
    shorts(&view.context(view.tip().unwrap()).unwrap())
}

/// The state of one extension on the active branch.
pub(crate) fn state_of(view: &View, extension: &str) -> Option<String> {
    let context = view.context(view.tip().unwrap()).unwrap();
    context.states.get(extension).map(ToString::to_string)
}

/// Every call has one result right behind its message, and there is no other.
pub(crate) fn assert_paired(context: &Context) {
    let mut open: Vec<String> = Vec::new();
    for item in &context.items {
        match &item.message {
            Message::Tool(result) => {
                let at = open.iter().position(|id| *id == result.call_id);
                open.remove(at.expect("a result without a call"));
            }
            other => {
                assert!(open.is_empty(), "calls without results: {open:?}");
                if let Message::Assistant(said) = other {
                    open.extend(said.tool_calls().map(|call| call.id.clone()));
                }
            }
        }
    }
    assert!(open.is_empty(), "calls without results: {open:?}");
}

pub(crate) fn texts(view: &View) -> Vec<(EntryId, Body)> {
    let mut all: Vec<(EntryId, Body)> = view
        .branches()
        .iter()
        .flat_map(|branch| view.chain(branch.tip).unwrap().collect::<Vec<_>>())
        .filter_map(|head| Some((head.id, view.read(head.id).ok()?.body)))
        .collect();
    all.sort_by_key(|(id, _)| *id);
    all.dedup_by_key(|(id, _)| *id);
    all
}

/// Copies `bytes` to a place of their own, as a session.
pub(crate) fn lay_out(dir: &Path, bytes: &[u8]) -> PathBuf {
    let path = dir.join("20260131-120000-0a1b2c3d.jsonl");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Where a compaction divides a context, as the turn machine would divide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// So many items from the beginning are summarised.
    pub(crate) covered: usize,
    /// The first message that stays as it is.
    pub(crate) first_kept: Option<EntryId>,
}

impl Cut {
    /// At least the last `keep` messages stay, and calls stay with their results. `None` when
    /// nothing would be gained.
    pub(crate) fn of(context: &Context, keep: usize) -> Option<Self> {
        let items = &context.items;
        let lost = |item: &&Item| item.source == Source::Mended;
        let results = |item: &&Item| matches!(item.message, Message::Tool(_));
        let unanswered = items.iter().rev().take_while(results).filter(lost).count();
        let mut at = items.len().saturating_sub(keep);
        if unanswered > 0 {
            at = at.min(items.len() - unanswered);
        }
        while at > 0 && items.get(at).as_ref().is_some_and(results) {
            at -= 1;
        }
        let gains = items[..at]
            .iter()
            .any(|item| item.source != Source::Summary);
        let first_kept = match items.get(at) {
            None => None,
            Some(item) => Some(item.entry?),
        };
        gains.then_some(Self {
            covered: at,
            first_kept,
        })
    }

    /// The entry that puts it into effect.
    pub(crate) fn compaction(&self, summary: impl Into<String>) -> Compaction {
        Compaction {
            summary: summary.into(),
            first_kept: self.first_kept,
            covers_messages: self.covered as u64,
            tokens_before: 0,
        }
    }
}
