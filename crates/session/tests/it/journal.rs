//! Writing and reading back: rows, files, limits.

use std::os::unix::fs::PermissionsExt as _;

use zeug_session::{
    ActivatedTools, Body, Closed, Journal, Kind, Meta, NewSession, Other, STATE_BYTES,
    SessionError, UsageRecord, View,
};
use zeug_stdx::json::RawJson;
use zeug_transcript::Usage;

use crate::support::{Desk, assistant, result, state, told, user};

#[test]
fn what_was_said_is_there_after_opening_again() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let id = journal.view().id();
    journal.append(user("hello")).unwrap();
    journal
        .append_all([state("clock", "1"), assistant("hi", &["c1"])])
        .unwrap();
    journal.append(result("c1", "sunny")).unwrap();
    journal.commit().unwrap();
    drop(journal);

    let journal = desk.open();
    assert_eq!(journal.view().id(), id);
    assert!(journal.view().problems().is_empty());
    assert_eq!(told(journal.view()), ["u:hello", "a:hi+c1", "t:c1:sunny"]);
}

#[test]
fn rows_are_lines_with_id_parent_time_and_kind() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let meta = journal.view().tip().unwrap();
    let said = journal.append(user("two\nlines")).unwrap();
    let text = String::from_utf8(desk.bytes()).unwrap();
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert!(text.ends_with('\n'));
    assert_eq!(rows[0]["kind"], "meta");
    assert_eq!(rows[0]["parent"], serde_json::Value::Null);
    assert_eq!(rows[0]["version"], 1);
    assert_eq!(rows[1]["id"], said.to_string());
    assert_eq!(rows[1]["parent"], meta.to_string());
    assert_eq!(rows[1]["role"], "user");
    assert!(rows[1]["time"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn files_and_directories_are_for_the_user_alone() {
    let desk = Desk::new();
    drop(desk.create());
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&desk.path), 0o600);
    assert_eq!(mode(desk.path.parent().unwrap()), 0o700);
}

#[test]
fn a_session_in_which_nothing_was_said_is_removed_when_it_is_closed() {
    let desk = Desk::new();
    assert_eq!(desk.create().close().unwrap(), Closed::Removed);
    assert!(!desk.path.exists());

    let mut journal = desk.create();
    journal.append(state("clock", "{}")).unwrap();
    assert_eq!(journal.close().unwrap(), Closed::Kept);
    assert!(desk.path.exists());
}

#[test]
fn a_session_is_not_created_over_another() {
    let desk = Desk::new();
    drop(desk.create());
    let again = Journal::create(&desk.path, NewSession::new());
    assert!(matches!(again, Err(SessionError::Exists { .. })));
}

#[test]
fn a_row_of_five_mebibytes_is_a_row() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let long = "ä\n".repeat(5 * 1024 * 1024 / 3);
    journal.append(user(&long)).unwrap();
    journal.append(user("after")).unwrap();
    drop(journal);
    let view = View::open(&desk.path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(told(&view), [format!("u:{long}"), "u:after".into()]);
}

#[test]
fn a_state_that_is_too_large_is_refused_and_the_last_one_stays() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(state("clock", "1")).unwrap();
    let large = format!("\"{}\"", "x".repeat(STATE_BYTES - 2));
    journal.append(state("big", &large)).unwrap();
    let larger = format!("\"{}\"", "x".repeat(STATE_BYTES - 1));
    let refused = journal.append_all([user("x"), state("clock", &larger)]);
    assert!(matches!(
        refused,
        Err(SessionError::StateTooLarge { bytes, .. }) if bytes == STATE_BYTES + 1
    ));
    assert_eq!(told(journal.view()), [""; 0], "nothing of it was written");
    assert_eq!(
        crate::support::state_of(journal.view(), "clock").as_deref(),
        Some("1")
    );
}

#[test]
fn a_null_state_forgets() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(state("clock", "1")).unwrap();
    journal.append(state("clock", " null")).unwrap();
    assert_eq!(crate::support::state_of(journal.view(), "clock"), None);
}

#[test]
fn kinds_of_tomorrow_are_kept_and_passed_over() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let other = Body::Other(Other {
        kind: "mood".into(),
        fields: RawJson::parse(r#"{"role":"user","value":[1.0]}"#).unwrap(),
    });
    journal.append(user("a")).unwrap();
    let id = journal.append(other.clone()).unwrap();
    journal.append(user("b")).unwrap();
    drop(journal);
    let view = View::open(&desk.path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(told(&view), ["u:a", "u:b"]);
    assert_eq!(view.read(id).unwrap().body, other);
    assert_eq!(view.head(id).unwrap().kind, Kind::Other);
}

#[test]
fn later_facts_amend_earlier_ones_and_the_id_stays() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let id = journal.view().id();
    let meta = |model: &str| {
        Body::Meta(Meta {
            session: Some(zeug_session::SessionId::random()),
            model: Some(model.into()),
            ..Meta::default()
        })
    };
    journal.append(meta("one")).unwrap();
    journal.append(meta("two")).unwrap();
    journal.rename("first title").unwrap();
    journal.rename("second title").unwrap();
    for view in [journal.view(), &View::open(&desk.path).unwrap()] {
        assert_eq!(view.id(), id);
        assert_eq!(view.meta().model.as_deref(), Some("two"));
        assert_eq!(view.title(), Some("second title"));
    }
    journal.rename("").unwrap();
    assert_eq!(journal.view().title(), None);
    assert_eq!(View::open(&desk.path).unwrap().title(), None);
}

#[test]
fn usage_and_activated_tools_are_those_of_the_tip() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let usage = |input_tokens| Usage {
        input_tokens,
        ..Usage::default()
    };
    let tools = |names: &[&str]| {
        Body::ActivatedTools(ActivatedTools {
            tools: names.iter().map(|n| (*n).to_owned()).collect(),
        })
    };
    journal.append(tools(&["b", "a"])).unwrap();
    let early = journal
        .append(Body::Usage(UsageRecord {
            usage: usage(1),
            cumulative: usage(1),
        }))
        .unwrap();
    journal.append(tools(&["a", "c"])).unwrap();
    journal
        .append(Body::Usage(UsageRecord {
            usage: usage(2),
            cumulative: usage(3),
        }))
        .unwrap();
    let now = journal
        .view()
        .context(journal.view().tip().unwrap())
        .unwrap();
    assert_eq!(now.activated_tools, ["b", "a", "c"]);
    assert_eq!(now.usage, usage(3));
    let then = journal.view().context(early).unwrap();
    assert_eq!(then.activated_tools, ["b", "a"]);
    assert_eq!(then.usage, usage(1));
}

#[test]
fn a_session_of_a_newer_format_is_read_and_not_written() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal
        .append(Body::Meta(Meta {
            version: Some(99),
            ..Meta::default()
        }))
        .unwrap();
    drop(journal);
    let before = desk.bytes();
    let refused = Journal::open(&desk.path).unwrap_err();
    assert!(matches!(refused, SessionError::Newer { version: 99, .. }));
    assert!(View::open(&desk.path).is_ok());
    assert_eq!(desk.bytes(), before);
}

#[test]
fn what_is_no_session_is_refused_and_left_alone() {
    let desk = Desk::new();
    let path = desk.dir.path().join("notes.txt");
    for text in ["", "dear diary\n", "dear diary"] {
        std::fs::write(&path, text).unwrap();
        let refused = Journal::open(&path).unwrap_err();
        assert!(matches!(refused, SessionError::NotASession { .. }));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    assert!(matches!(
        Journal::open(desk.dir.path()),
        Err(SessionError::Io { .. })
    ));
    assert!(matches!(
        Journal::open(&desk.dir.path().join("nowhere")),
        Err(SessionError::Io { .. })
    ));
}

#[test]
fn a_page_is_read_from_its_end() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let mut ids = Vec::new();
    for n in 0..10 {
        ids.push(journal.append(user(&n.to_string())).unwrap());
        journal.append(state("clock", "1")).unwrap();
    }
    let view = journal.view();
    let wanted = |kind| matches!(kind, Kind::Message(_));
    let page = view.page(view.tip().unwrap(), 3, wanted).unwrap();
    let seen: Vec<_> = page.iter().map(|entry| entry.id).collect();
    assert_eq!(seen, ids[7..]);
    let before = view.head(seen[0]).unwrap().parent.unwrap();
    let page = view.page(before, 100, wanted).unwrap();
    assert_eq!(page.len(), 7);
    assert_eq!(view.count_messages(before).unwrap(), 7);
}
