//! What becomes of announcements, on a desk without a thread.

use std::path::PathBuf;

use tempfile::TempDir;
use zeug_engine::{Event, ToolResult};
use zeug_session::{Catalog, View};
use zeug_stdx::json::RawJson;
use zeug_tool::{Origin, Source};
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, Status, StopReason, Timestamp, ToolCall, ToolMessage,
    UserMessage,
};

use super::{Access, Desk, Keeping, Opened, Opening, Sessions, Wanted};

struct Room {
    dir: TempDir,
    desk: Desk,
}

fn opening(wanted: Wanted) -> Opening {
    Opening {
        wanted,
        access: Access::Write,
        branch: None,
        provider: "puppet".into(),
        model: "puppet".into(),
    }
}

impl Room {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sessions = Sessions {
            catalog: Catalog::new(dir.path().join("sessions")),
            cwd: dir.path().join("project"),
        };
        let Opened { book, sessions, .. } = sessions.open(&opening(Wanted::New)).unwrap();
        let desk = Desk::new(sessions, book);
        Self { dir, desk }
    }

    fn tell(&mut self, event: &Event) {
        assert_eq!(self.desk.record(event), None, "{event:?}");
    }

    fn say(&mut self, text: &str) {
        let said = UserMessage {
            content: vec![Content::text(text)],
            time: Timestamp::UNIX_EPOCH,
        };
        self.tell(&Event::Appended(Message::User(said)));
    }

    fn asks(&mut self, ids: &[&str]) {
        let call = |id: &&str| Part::ToolCall(ToolCall::new(*id, "t", "{}"));
        let said = AssistantMessage {
            parts: ids.iter().map(call).collect(),
            stop: StopReason::ToolUse,
            usage: None,
            provider: None,
            model: None,
            shown: None,
            time: Timestamp::UNIX_EPOCH,
        };
        self.tell(&Event::Appended(Message::Assistant(said)));
    }

    fn settles(&mut self, id: &str, origin: Origin, details: Option<&str>, activated: &[&str]) {
        self.tell(&Event::ToolResult(Box::new(ToolResult {
            id: id.to_owned(),
            name: "t".into(),
            source: Some(Source::Extension("clock".into())),
            origin,
            status: Status::Completed,
            executed: true,
            content: vec![Content::text(format!("result of {id}"))],
            structured: None,
            details: details.map(|json| RawJson::parse(json.to_owned()).unwrap()),
            activated: activated.iter().map(|name| (*name).to_owned()).collect(),
        })));
    }

    fn enters(&mut self, id: &str) {
        let result = ToolMessage {
            call_id: id.to_owned(),
            tool_name: "t".into(),
            content: vec![Content::text(format!("result of {id}"))],
            status: Status::Completed,
            time: Timestamp::UNIX_EPOCH,
        };
        self.tell(&Event::Appended(Message::Tool(result)));
    }

    fn begins_outside(&mut self, id: &str) {
        self.tell(&Event::ToolCall {
            id: id.to_owned(),
            name: "t".into(),
            args: Ok(RawJson::empty_object()),
            origin: Origin::User,
        });
    }

    fn fork(&mut self, name: &str) {
        let (change, _) = self.desk.fork(None, false, Some(name.to_owned())).unwrap();
        self.desk.turn_over(change).unwrap();
    }

    fn path(&self) -> PathBuf {
        self.desk.book.view().unwrap().path().to_owned()
    }
}

/// What a resume of a branch finds: the messages in short, the state of `clock`, the tools.
fn resumed(
    path: &std::path::Path,
    branch: Option<&str>,
) -> (Vec<String>, Option<String>, Vec<String>) {
    let mut view = View::open(path).unwrap();
    if let Some(branch) = branch {
        let branch = super::find_branch(&view, branch).unwrap();
        view.look_from(branch).unwrap();
    }
    let context = view.context(view.tip().unwrap()).unwrap();
    let short = |item: &zeug_session::Item| match &item.message {
        Message::User(said) => Content::joined(&said.content),
        Message::Assistant(said) => format!("{} calls", said.tool_calls().count()),
        Message::Tool(result) => Content::joined(&result.content),
    };
    (
        context.items.iter().map(short).collect(),
        context
            .states
            .get("clock")
            .map(|state| state.get().to_owned()),
        context.activated_tools,
    )
}

#[test]
fn a_result_brings_its_state_and_tools_and_is_written_once() {
    let mut room = Room::new();
    room.say("go");
    room.asks(&["a", "b"]);
    // They ran together, and the second was faster.
    room.settles("b", Origin::Model, Some("{\"n\":1}"), &["later"]);
    let (_, state, tools) = resumed(&room.path(), None);
    assert_eq!(
        (state.as_deref(), tools),
        (Some("{\"n\":1}"), vec!["later".to_owned()])
    );
    room.settles("a", Origin::Model, None, &["", "no name"]);
    room.enters("a");
    room.enters("b");
    let (messages, state, tools) = resumed(&room.path(), None);
    assert_eq!(messages, ["go", "2 calls", "result of a", "result of b"]);
    assert_eq!((state.as_deref(), tools.len()), (Some("{\"n\":1}"), 1));
    room.asks(&["a"]);
    room.settles("a", Origin::Model, Some("null"), &[]);
    assert_eq!(resumed(&room.path(), None).1, None, "null forgets it");
}

#[test]
fn a_state_that_comes_late_stays_on_the_branch_of_its_call() {
    let mut room = Room::new();
    room.say("go");
    room.begins_outside("x");
    room.fork("try");
    room.settles("x", Origin::User, Some("\"late\""), &[]);
    let path = room.path();
    assert_eq!(resumed(&path, Some("try")).1, None);
    let trunk = View::open(&path).unwrap().branches()[0].id.to_string();
    assert_eq!(resumed(&path, Some(&trunk)).1.as_deref(), Some("\"late\""));
    room.say("on the new branch");
    assert_eq!(resumed(&path, None).0, ["go", "on the new branch"]);
}

#[test]
fn a_state_that_comes_when_another_session_is_open_goes_to_its_own_file() {
    let mut room = Room::new();
    room.say("go");
    let old = room.path();
    room.begins_outside("x");
    let change = room.desk.other(&opening(Wanted::New)).unwrap();
    room.desk.turn_over(change).unwrap();
    room.settles("x", Origin::User, Some("\"late\""), &[]);
    assert_ne!(room.path(), old);
    assert_eq!(resumed(&old, None).1.as_deref(), Some("\"late\""));
    assert_eq!(resumed(&room.path(), None).1, None);
}

#[test]
fn a_compaction_keeps_the_last_messages_also_behind_an_earlier_one() {
    let compacted = |kept: usize, words: &str| {
        let message = zeug_engine::summary_message(words, Timestamp::UNIX_EPOCH);
        Event::Compacted(Box::new(zeug_engine::Compacted {
            compaction_id: "c".into(),
            trigger: zeug_engine::Trigger::Manual,
            summary: words.into(),
            message,
            first_kept: 0,
            kept,
            tokens_before: 100,
            tokens_after: 10,
            usage: zeug_transcript::Usage::default(),
        }))
    };
    let mut room = Room::new();
    for n in 0..6 {
        room.say(&format!("m{n}"));
    }
    room.tell(&compacted(2, "first"));
    let (messages, ..) = resumed(&room.path(), None);
    assert!(messages[0].contains("first"), "{messages:?}");
    assert_eq!(messages[1..], ["m4", "m5"]);
    room.say("m6");
    // The machine now has a summary and three messages, of which the last two stay.
    room.tell(&compacted(2, "second"));
    let (messages, ..) = resumed(&room.path(), None);
    assert!(messages[0].contains("second"), "{messages:?}");
    assert_eq!(messages[1..], ["m5", "m6"]);
    room.tell(&Event::Cleared);
    assert!(resumed(&room.path(), None).0.is_empty());
}

#[test]
fn a_fork_says_what_was_said_there_and_a_reader_gets_a_copy() {
    let mut room = Room::new();
    room.say("one");
    room.say("two");
    let tree = room.desk.tree().unwrap();
    assert_eq!(
        tree.iter().map(|n| n.text.as_str()).collect::<Vec<_>>(),
        ["one", "two"]
    );
    let entry = tree[1].node.entry.to_string();
    let (change, said) = room.desk.fork(Some(&entry), false, None).unwrap();
    assert_eq!(said.as_deref(), Some("two"));
    let turned = room.desk.turn_over(change).unwrap();
    assert_eq!(turned.conversation.history.len(), 1);
    let key = &turned.session.branch_key;
    assert!(
        key.starts_with(&turned.session.id) && *key != turned.session.id,
        "{key}"
    );
    assert_eq!(
        turned.session.parent_key.as_deref(),
        Some(turned.session.id.as_str())
    );
    let path = room.path();
    let reading = Opening {
        access: Access::ReadOnly,
        ..opening(Wanted::File(path.clone()))
    };
    let change = room.desk.other(&reading).unwrap();
    assert_eq!(
        room.desk.turn_over(change).unwrap().session.keeping,
        Keeping::ReadOnly
    );
    let before = std::fs::read(&path).unwrap();
    room.say("nobody keeps this");
    assert!(
        room.desk
            .rename("x")
            .unwrap_err()
            .to_string()
            .contains("read-only")
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let (change, _) = room.desk.fork(None, false, None).unwrap();
    let copy = room.desk.turn_over(change).unwrap().session;
    assert_ne!(copy.path.as_deref(), Some(path.as_path()));
    assert_eq!(copy.keeping, Keeping::Written);
    assert!(room.dir.path().join("sessions").exists());
}
