//! Sessions found, listed, named and removed.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zeug_session::{
    Catalog, Descent, Filter, Journal, Located, NewSession, Origin, SessionError, SessionId,
};
use zeug_transcript::Timestamp;

use crate::support::{assistant, result, user};

struct Shelf {
    dir: TempDir,
    catalog: Catalog,
    cwd: PathBuf,
}

impl Shelf {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self {
            catalog: Catalog::new(dir.path().join("sessions")),
            cwd: dir.path().join("project"),
            dir,
        }
    }

    /// A session that began in a second of the epoch, and what was said in it.
    fn session(&self, cwd: &Path, second: i64, said: &[&str]) -> Located {
        let now = Timestamp::from_second(second).unwrap();
        let session = NewSession::new();
        let mut journal = self.catalog.create(cwd, session, now).unwrap();
        for text in said {
            journal.append(user(text)).unwrap();
        }
        journal.view().located()
    }

    fn labels(&self, filter: &Filter) -> Vec<String> {
        let listing = self.catalog.list(filter);
        assert!(listing.problems.is_empty(), "{:?}", listing.problems);
        listing
            .sessions
            .iter()
            .map(|s| s.label().to_owned())
            .collect()
    }
}

fn append(session: &Located, text: &str) {
    let mut journal = Journal::open(&session.path).unwrap();
    journal.append(user(text)).unwrap();
}

#[test]
fn a_file_is_named_by_project_time_and_id() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 90_061, &["x"]);
    let name = one.path.file_name().unwrap().to_str().unwrap();
    assert_eq!(name, format!("19700102-010101-{}.jsonl", one.id.short()));
    let bucket = one.path.parent().unwrap();
    assert_eq!(
        bucket,
        shelf.catalog.bucket(&shelf.cwd).canonicalize().unwrap()
    );
    assert_eq!(bucket.file_name().unwrap().len(), 16);
    let elsewhere = shelf.session(Path::new("/elsewhere"), 0, &["y"]);
    assert_ne!(bucket, elsewhere.path.parent().unwrap());
}

#[test]
fn a_list_has_the_latest_activity_first() {
    let shelf = Shelf::new();
    let old = shelf.session(&shelf.cwd, 1, &["the old one", "more"]);
    shelf.session(&shelf.cwd, 2, &["the new\none"]);
    shelf.session(Path::new("/elsewhere"), 3, &["elsewhere"]);
    let mine = Filter::of(&shelf.cwd);
    assert_eq!(shelf.labels(&mine), ["the new one", "the old one"]);
    // The clock of this machine is the one of the rows; later is later.
    append(&old, "again");
    while shelf.labels(&mine)[0] != "the old one" {
        append(&old, "again");
    }
    assert_eq!(shelf.labels(&Filter::default()).len(), 3);
    let latest = shelf.catalog.continue_latest(&shelf.cwd).unwrap();
    assert_eq!(latest, old);
    let summary = &shelf.catalog.list(&mine).sessions[0];
    assert_eq!(summary.id, old.id);
    assert_eq!(summary.cwd.as_deref(), shelf.cwd.to_str());
    assert!(summary.messages >= 3 && summary.bytes > 0);
    assert!(summary.created <= summary.last_activity);
}

#[test]
fn a_list_knows_titles_and_counts_without_its_sidecar() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 1, &["hello"]);
    shelf.catalog.rename(&one.path, "a title").unwrap();
    let mine = Filter::of(&shelf.cwd);
    let first = shelf.catalog.list(&mine).sessions;
    assert_eq!(first[0].label(), "a title");
    let sidecar = shelf.catalog.bucket(&shelf.cwd).join("summaries.json");
    for rubbish in [
        None,
        Some("rubbish"),
        Some(r#"{"version":99,"sessions":{}}"#),
    ] {
        match rubbish {
            None => std::fs::remove_file(&sidecar).unwrap(),
            Some(text) => std::fs::write(&sidecar, text).unwrap(),
        }
        assert_eq!(shelf.catalog.list(&mine).sessions, first);
        assert!(sidecar.exists());
    }
    append(&one, "more");
    let mut grown = Journal::open(&one.path).unwrap();
    grown.rename("another").unwrap();
    let now = &shelf.catalog.list(&mine).sessions[0];
    assert_eq!((now.label(), now.messages), ("another", 2));
    assert_eq!(now.first_prompt.as_deref(), Some("hello"));
}

#[test]
fn a_session_in_which_nothing_was_said_is_not_continued() {
    let shelf = Shelf::new();
    assert_eq!(shelf.catalog.continue_latest(&shelf.cwd), None);
    let one = shelf.session(&shelf.cwd, 1, &["x"]);
    shelf.session(&shelf.cwd, 2, &[]);
    assert_eq!(shelf.catalog.continue_latest(&shelf.cwd), Some(one));
}

#[test]
fn sub_agents_are_listed_only_when_asked_for() {
    let shelf = Shelf::new();
    let parent = shelf.session(&shelf.cwd, 1, &["parent"]);
    let session = NewSession {
        origin: Some(Origin {
            session: parent.id,
            entry: None,
            how: Descent::Subagent,
        }),
        ..NewSession::new()
    };
    let mut agent = shelf
        .catalog
        .create(&shelf.cwd, session, Timestamp::UNIX_EPOCH)
        .unwrap();
    agent.append(user("agent")).unwrap();
    let mut filter = Filter::of(&shelf.cwd);
    assert_eq!(shelf.labels(&filter), ["parent"]);
    filter.subagents = true;
    assert_eq!(shelf.labels(&filter).len(), 2);
    let id = agent.view().id();
    assert_eq!(shelf.catalog.find(&id.to_string()).unwrap().id, id);
}

#[test]
fn a_session_is_found_by_the_beginning_of_its_id_in_any_project() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 1, &["x"]);
    shelf.session(Path::new("/elsewhere"), 1, &["y"]);
    let id = one.id.to_string();
    for wanted in [&id, &id[..8], &id[..12], &id.to_uppercase()] {
        let found = shelf.catalog.find(wanted).unwrap();
        assert_eq!(found.id, one.id, "{wanted}");
    }
    for wanted in ["", "zz", &SessionId::random().to_string()] {
        let refused = shelf.catalog.find(wanted).unwrap_err();
        assert!(matches!(refused, SessionError::NoSession { .. }));
    }
}

#[test]
fn an_ambiguous_beginning_names_the_candidates() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 1, &["x"]);
    let copy = one
        .path
        .with_file_name(format!("copy-{}.jsonl", one.id.short()));
    std::fs::copy(&one.path, &copy).unwrap();
    let refused = shelf.catalog.find(&one.id.short()).unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, SessionError::Ambiguous { found, .. } if found.len() == 2));
    assert!(text.contains("copy-") && text.contains(&one.id.to_string()));
}

#[test]
fn a_removed_session_is_gone() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 1, &["x"]);
    shelf.catalog.delete(&one).unwrap();
    assert!(shelf.labels(&Filter::default()).is_empty());
    assert!(matches!(
        shelf.catalog.delete(&one),
        Err(SessionError::Io { .. })
    ));
}

#[test]
fn pruning_takes_old_empty_sessions_that_nobody_writes() {
    let shelf = Shelf::new();
    let future = Timestamp::from_second(32_503_680_000).unwrap();
    let said = shelf.session(&shelf.cwd, 1, &["x"]);
    let empty = shelf.session(&shelf.cwd, 2, &[]);
    let damaged = shelf.session(&shelf.cwd, 3, &[]);
    let held = shelf.session(&shelf.cwd, 4, &[]);
    let bytes = std::fs::read(&damaged.path).unwrap();
    std::fs::write(&damaged.path, [&bytes[..], b"{\"id\":"].concat()).unwrap();
    let lock = Journal::open(&held.path).unwrap();
    assert!(shelf.catalog.prune_empty(Timestamp::UNIX_EPOCH).is_empty());
    let removed = shelf.catalog.prune_empty(future);
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].file_name(), empty.path.file_name());
    assert!(said.path.exists() && damaged.path.exists() && held.path.exists());
    drop(lock);
}

#[test]
fn links_and_other_files_are_no_sessions() {
    let shelf = Shelf::new();
    let one = shelf.session(&shelf.cwd, 1, &["x"]);
    let outside = shelf.dir.path().join("outside.jsonl");
    std::fs::copy(&one.path, &outside).unwrap();
    let bucket = shelf.catalog.bucket(&shelf.cwd);
    std::os::unix::fs::symlink(&outside, bucket.join("link-00000000.jsonl")).unwrap();
    std::fs::write(bucket.join("notes.txt"), "x").unwrap();
    std::fs::write(bucket.join("diary-12345678.jsonl"), "dear diary\n").unwrap();
    std::fs::create_dir(bucket.join("dir-12345678.jsonl")).unwrap();
    assert_eq!(shelf.labels(&Filter::default()), ["x"]);
}

#[test]
fn a_search_finds_what_was_said_and_not_how_it_is_stored() {
    let shelf = Shelf::new();
    let mut one =
        Journal::open(&shelf.session(&shelf.cwd, 1, &["Say \"Grüße\"\nnow"]).path).unwrap();
    one.append(assistant("nothing of the kind", &["c"]))
        .unwrap();
    let id = one.append(result("c", "it is SUNNY in Berlin")).unwrap();
    shelf.session(Path::new("/elsewhere"), 2, &["sunny as well"]);
    let all = Filter::default();
    let find = |words: &str| shelf.catalog.search(words, &all, 10);
    assert_eq!(find("sunny").len(), 2);
    assert_eq!(shelf.catalog.search("sunny", &all, 1).len(), 1);
    let mine = shelf
        .catalog
        .search("sunny in", &Filter::of(&shelf.cwd), 10);
    assert_eq!(mine[0].entry, id);
    assert_eq!(mine[0].snippet, "it is SUNNY in Berlin");
    assert_eq!(find("say \"grüße\"\nNOW").len(), 1);
    assert_eq!(find("parent").len(), 0, "a field is not what was said");
    assert_eq!(find(" ").len(), 0);
}
