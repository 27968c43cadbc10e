//! Exports, imports and forks into files of their own.

use std::path::Path;

use zeug_session::{Body, Catalog, Descent, ForkAt, NewSession, Other, SessionError, View};
use zeug_stdx::json::RawJson;

use crate::support::{Cut, Desk, NOW, assistant, result, shorts, state, state_of, told, user};

/// A session with a compaction and two branches, the trunk active.
fn specimen(desk: &Desk) -> View {
    let session = NewSession {
        cwd: Some("/home/somebody/project".into()),
        model: Some("puppet".into()),
        ..NewSession::new()
    };
    let mut journal = zeug_session::Journal::create(&desk.path, session).unwrap();
    journal.append(user("one")).unwrap();
    journal.append(state("clock", "1")).unwrap();
    let two = journal.append(user("two")).unwrap();
    let trunk = journal.view().active().unwrap();
    journal.rename("a title").unwrap();
    journal.append(assistant("", &["c"])).unwrap();
    journal.append(result("c", "r")).unwrap();
    let tip = journal.view().tip().unwrap();
    let cut = journal.view().context(tip).unwrap();
    let cut = Cut::of(&cut, 2).unwrap();
    journal
        .append(Body::Compaction(cut.compaction("s")))
        .unwrap();
    journal.fork(ForkAt::Before(two), None).unwrap();
    journal.append(user("other two")).unwrap();
    journal.append(state("clock", "2")).unwrap();
    journal
        .append(Body::Other(Other {
            kind: "mood".into(),
            fields: RawJson::parse(r#"{"x":1}"#).unwrap(),
        }))
        .unwrap();
    journal.switch(trunk).unwrap();
    drop(journal);
    View::open(&desk.path).unwrap()
}

fn all_told(view: &View) -> Vec<Vec<String>> {
    let tips = view.branches().into_iter().map(|branch| branch.tip);
    tips.map(|tip| shorts(&view.context(tip).unwrap()))
        .collect()
}

#[test]
fn an_import_is_the_exported_session_under_ids_of_its_own() {
    let desk = Desk::new();
    let source = specimen(&desk);
    let file = desk.dir.path().join("out").join("shared.zeugsession");
    assert_eq!(source.export(&file).unwrap(), 0);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("/home/somebody"), "the directory stays here");

    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    let import = || {
        let copied = catalog.import(&file, Path::new("/mine"), NOW).unwrap();
        assert_eq!(copied.skipped, 0);
        copied.journal
    };
    let (one, two) = (import(), import());
    for copy in [one.view(), two.view()] {
        assert!(copy.problems().is_empty());
        assert_eq!(all_told(copy), all_told(&source));
        assert_eq!(told(copy), told(&source));
        assert_eq!(state_of(copy, "clock"), state_of(&source, "clock"));
        assert_eq!(copy.title(), Some("a title"));
        assert_eq!(copy.meta().cwd.as_deref(), Some("/mine"));
        assert_eq!(copy.meta().model.as_deref(), Some("puppet"));
        let origin = copy.meta().origin.as_ref().unwrap();
        assert_eq!((origin.session, origin.how), (source.id(), Descent::Import));
    }
    assert_ne!(one.view().id(), source.id());
    assert_ne!(one.view().id(), two.view().id());
    for branch in source.branches() {
        assert_eq!(one.view().head(branch.tip), None, "an id means one entry");
    }
    assert_eq!(
        catalog.find(&one.view().id().to_string()).unwrap().path,
        one.view().path()
    );
}

#[test]
fn an_import_can_be_gone_on_with() {
    let desk = Desk::new();
    let source = specimen(&desk);
    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    let copied = catalog
        .import(source.path(), Path::new("/mine"), NOW)
        .unwrap();
    let mut copy = copied.journal;
    let before = told(copy.view());
    copy.append(user("on")).unwrap();
    let path = copy.view().path().to_owned();
    drop(copy);
    let view = View::open(&path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(told(&view).len(), before.len() + 1);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains(r#""kind":"mood","x":1"#),
        "what nobody knows comes along"
    );
}

#[test]
fn a_fork_into_a_new_file_has_one_branch_and_the_state_of_its_place() {
    let desk = Desk::new();
    let source = specimen(&desk);
    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    for branch in source.branches() {
        let at = ForkAt::After(branch.tip);
        let copied = catalog.fork_to_new_file(&source, at, Path::new("/mine"), NOW);
        let copy = copied.unwrap().journal;
        let there = source.context(branch.tip).unwrap();
        assert_eq!(told(copy.view()), shorts(&there));
        let state = there.states.get("clock").map(ToString::to_string);
        assert_eq!(state_of(copy.view(), "clock"), state);
        assert_eq!(copy.view().branches().len(), 1);
        let origin = copy.view().meta().origin.clone().unwrap();
        assert_eq!(
            (origin.entry, origin.how),
            (Some(branch.tip), Descent::Fork)
        );
    }
}

#[test]
fn damaged_entries_are_left_out_of_copies_and_counted() {
    let desk = Desk::new();
    let source = specimen(&desk);
    let text = std::fs::read_to_string(&desk.path).unwrap();
    let hit = text.replace(r#""text":"one""#, r#""text":"one!"#);
    assert_ne!(hit, text);
    std::fs::write(&desk.path, hit).unwrap();
    drop(source);
    let source = View::open(&desk.path).unwrap();
    let file = desk.dir.path().join("x.zeugsession");
    assert_eq!(source.export(&file).unwrap(), 1);
    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    let copied = catalog.import(&file, Path::new("/mine"), NOW).unwrap();
    assert!(copied.journal.view().problems().is_empty());
    assert_eq!(all_told(copied.journal.view()), all_told(&source));
    let copied = catalog.import(&desk.path, Path::new("/mine"), NOW).unwrap();
    assert_eq!(copied.skipped, 1);
    assert_eq!(all_told(copied.journal.view()), all_told(&source));
}

#[test]
fn an_export_overwrites_nothing_and_an_import_takes_sessions_only() {
    let desk = Desk::new();
    let source = specimen(&desk);
    let file = desk.dir.path().join("notes.txt");
    std::fs::write(&file, "dear diary\n").unwrap();
    let refused = source.export(&file).unwrap_err();
    assert!(matches!(refused, SessionError::Exists { .. }));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "dear diary\n");
    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    let refused = catalog.import(&file, Path::new("/mine"), NOW).unwrap_err();
    assert!(matches!(refused, SessionError::NotASession { .. }));
    let nothing = std::fs::read_dir(desk.dir.path().join("sessions"));
    assert!(nothing.is_err(), "nothing half-written");
}
