//! Files that were cut off or altered: they open, and a damaged row costs at most itself.

use zeug_session::{Body, Context, EntryId, ForkAt, Head, Journal, Kind, Role, Trouble, View};

use crate::support::{
    Cut, Desk, assert_paired, assistant, lay_out, result, state, texts, told, user,
};

/// A session with everything in it, two branches included.
fn specimen() -> Desk {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("before the clear")).unwrap();
    journal.append(Body::Clear).unwrap();
    journal.append(user("one")).unwrap();
    journal.append(assistant("", &["a", "b"])).unwrap();
    journal.append(result("a", "1")).unwrap();
    journal
        .append_all([
            state("clock", r#"{"x":{"id":"1234567"}}"#),
            result("b", "2"),
        ])
        .unwrap();
    let two = journal.append(user("two")).unwrap();
    let trunk = journal.view().active().unwrap();
    journal.fork(ForkAt::Before(two), Some("b".into())).unwrap();
    journal.append(user("two, in other words")).unwrap();
    journal.append(assistant("yes", &["c"])).unwrap();
    journal.switch(trunk).unwrap();
    journal.rename("a title").unwrap();
    let view = journal.view();
    let cut = view.context(view.tip().unwrap()).unwrap();
    let cut = Cut::of(&cut, 2).unwrap();
    journal
        .append(Body::Compaction(cut.compaction("they talked")))
        .unwrap();
    journal.append(user("three")).unwrap();
    journal.append(assistant("no", &["d"])).unwrap();
    journal
        .append_all([state("clock", "2"), result("d", "4")])
        .unwrap();
    journal.append(user("four")).unwrap();
    journal.commit().unwrap();
    desk
}

/// Where each row ends, its line break included.
fn row_ends(bytes: &[u8]) -> Vec<usize> {
    let breaks = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
    breaks.map(|(at, _)| at + 1).collect()
}

fn context(view: &View) -> Context {
    view.context(view.tip().unwrap()).unwrap()
}

#[test]
fn a_file_cut_anywhere_in_its_last_rows_opens_and_keeps_every_whole_row() {
    let desk = specimen();
    let bytes = desk.bytes();
    let all = texts(&View::open(&desk.path).unwrap());
    let ends = row_ends(&bytes);
    assert_eq!(all.len(), ends.len());
    let dir = tempfile::tempdir().unwrap();
    for cut in ends[ends.len() - 4]..=bytes.len() {
        let path = lay_out(dir.path(), &bytes[..cut]);
        // A row that lacks but its line break is whole.
        let whole = ends.iter().filter(|end| **end - 1 <= cut).count();
        let seen = View::open(&path).unwrap();
        assert_eq!(texts(&seen), all[..whole], "cut at {cut}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes[..cut], "reading wrote");

        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(texts(journal.view()), all[..whole], "cut at {cut}");
        assert_paired(&context(journal.view()));
        let torn = journal.view().problems();
        let ends_in_a_row = ends.iter().any(|end| cut == *end || cut + 1 == *end);
        assert_eq!(torn.is_empty(), ends_in_a_row, "cut at {cut}: {torn:?}");
        let id = journal.append(user("after")).unwrap();
        drop(journal);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after[..ends[whole - 1]], bytes[..ends[whole - 1]]);
        let view = View::open(&path).unwrap();
        assert!(view.problems().is_empty(), "cut at {cut}");
        assert_eq!(view.tip().unwrap(), id);
        assert_eq!(texts(&view).len(), whole + 1);
        assert_paired(&context(&view));
    }
}

/// What is there before the damage, to compare.
struct Whole {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    rows: Vec<(EntryId, Body)>,
    heads: Vec<Head>,
    told: Vec<EntryId>,
}

impl Whole {
    fn of(desk: &Desk) -> Self {
        let view = View::open(&desk.path).unwrap();
        let rows = texts(&view);
        let bytes = desk.bytes();
        Self {
            ends: row_ends(&bytes),
            bytes,
            heads: rows.iter().map(|(id, _)| view.head(*id).unwrap()).collect(),
            rows,
            told: context(&view)
                .items
                .iter()
                .filter_map(|i| i.entry)
                .collect(),
        }
    }

    /// Alters one byte and looks at what is left.
    fn check(&self, dir: &std::path::Path, at: usize, byte: u8) {
        let what = format!("byte {at} became {byte}");
        let mut bytes = self.bytes.clone();
        bytes[at] = byte;
        let path = lay_out(dir, &bytes);
        let hit = self.ends.iter().position(|end| at < *end).unwrap();
        let is_break = self.ends[hit] - 1 == at;
        let view = View::open(&path).expect(&what);
        for (place, (id, body)) in self.rows.iter().enumerate() {
            if place != hit || is_break {
                let entry = view.read(*id).expect(&what);
                assert_eq!(entry.body, *body, "{what}");
            }
        }
        for branch in view.branches() {
            assert_paired(&view.context(branch.tip).unwrap());
        }
        if !matches!(
            self.heads[hit].kind,
            Kind::Branch | Kind::Switch | Kind::Compaction
        ) || is_break
        {
            self.nobody_else_is_missing(&view, hit, &what);
        }
        drop(view);
        // Each value of the byte comes here in turn.
        if at.is_multiple_of(3) {
            Self::check_writing(&path, &bytes, &what);
        }
    }

    fn check_writing(path: &std::path::Path, bytes: &[u8], what: &str) {
        let mut journal = Journal::open(path).expect(what);
        let id = journal.append(user("after")).expect(what);
        drop(journal);
        let after = std::fs::read(path).unwrap();
        assert_eq!(
            &after[..bytes.len()],
            bytes,
            "{what}: earlier bytes changed"
        );
        let view = View::open(path).unwrap();
        assert_eq!(view.tip().unwrap(), id, "{what}");
        assert!(told(&view).contains(&"u:after".to_owned()));
    }

    /// Users' messages, since results may rightly go with their calls.
    fn nobody_else_is_missing(&self, view: &View, hit: usize, what: &str) {
        let now: Vec<_> = context(view).items.iter().filter_map(|i| i.entry).collect();
        for id in &self.told {
            let place = self.rows.iter().position(|(row, _)| row == id).unwrap();
            if place != hit && self.heads[place].kind == Kind::Message(Role::User) {
                assert!(now.contains(id), "{what}: {id} is missing");
            }
        }
    }
}

#[test]
fn one_altered_byte_costs_at_most_the_row_it_is_in() {
    let desk = specimen();
    let whole = Whole::of(&desk);
    let dir = tempfile::tempdir().unwrap();
    for at in 0..whole.bytes.len() {
        let byte = others(whole.bytes[at])[at % 4];
        whole.check(dir.path(), at, byte);
    }
}

#[test]
#[ignore = "the test above with all four values, which takes minutes"]
fn four_alterations_of_every_byte() {
    let desk = specimen();
    let whole = Whole::of(&desk);
    let dir = tempfile::tempdir().unwrap();
    for at in 0..whole.bytes.len() {
        for byte in others(whole.bytes[at]) {
            whole.check(dir.path(), at, byte);
        }
    }
}

/// A neighbour that often is as good in JSON, and three that are good for nothing.
fn others(old: u8) -> [u8; 4] {
    let other = |new| if new == old { b'7' } else { new };
    [old ^ 1, 0xff, other(b'\n'), other(b'"')]
}

#[test]
fn a_line_of_rubbish_anywhere_is_reported_and_kept() {
    let desk = specimen();
    let whole = Whole::of(&desk);
    let dir = tempfile::tempdir().unwrap();
    for rubbish in [
        &b"rubbish\n"[..],
        b"{}\n",
        b"\0\0\0\n",
        b"\xff\n",
        b"[1,2]\n",
    ] {
        for at in std::iter::once(0).chain(whole.ends.iter().copied()) {
            let mut bytes = whole.bytes.clone();
            bytes.splice(at..at, rubbish.iter().copied());
            let path = lay_out(dir.path(), &bytes);
            let journal = Journal::open(&path).unwrap();
            let problems = journal.view().problems();
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(matches!(problems[0].what, Trouble::NoEntry { .. }));
            assert_eq!(problems[0].at as usize, at);
            assert_eq!(texts(journal.view()), whole.rows);
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }
}

#[test]
fn blank_lines_and_carriage_returns_are_no_problem() {
    let desk = specimen();
    let whole = Whole::of(&desk);
    let text = String::from_utf8(whole.bytes.clone()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = lay_out(dir.path(), text.replace('\n', "\r\n\n \n").as_bytes());
    let view = View::open(&path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(texts(&view), whole.rows);
}

#[test]
fn a_tail_of_zeros_is_a_torn_row() {
    let desk = specimen();
    let whole = Whole::of(&desk);
    let mut bytes = whole.bytes.clone();
    bytes.extend_from_slice(&[0; 5000]);
    std::fs::write(&desk.path, &bytes).unwrap();
    let journal = desk.open();
    assert!(matches!(
        journal.view().problems()[..],
        [zeug_session::Problem {
            what: Trouble::Torn { bytes: 5000 },
            ..
        }]
    ));
    drop(journal);
    assert_eq!(desk.bytes(), whole.bytes);
}

#[test]
fn a_session_that_lost_its_first_row_is_named_by_its_file() {
    let desk = specimen();
    let mut bytes = desk.bytes();
    bytes[3] = b'!';
    std::fs::write(&desk.path, &bytes).unwrap();
    let view = View::open(&desk.path).unwrap();
    assert_eq!(view.id().short(), "0a1b2c3d");
    assert_eq!(view.meta().cwd, None);
}

#[test]
fn a_file_of_many_problems_lists_the_first_ones_and_counts_the_others() {
    let desk = specimen();
    let mut bytes = desk.bytes();
    bytes.extend_from_slice("rubbish\n".repeat(1000).as_bytes());
    std::fs::write(&desk.path, &bytes).unwrap();
    let problems = View::open(&desk.path).unwrap().problems();
    assert_eq!(problems.len(), 101);
    assert_eq!(problems[100].what, Trouble::More { count: 900 });
    assert!(problems[0].to_string().contains("0a1b2c3d.jsonl, byte "));
}

#[test]
fn a_damaged_body_is_reported_where_it_is_wanted() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let id = journal.append(user("damage here")).unwrap();
    journal.append(user("fine")).unwrap();
    drop(journal);
    let text = String::from_utf8(desk.bytes()).unwrap();
    std::fs::write(&desk.path, text.replace("damage here\"", "damage here!")).unwrap();
    let view = View::open(&desk.path).unwrap();
    assert!(view.problems().is_empty(), "bodies are not read at first");
    let context = context(&view);
    assert_eq!(context.items.len(), 1);
    assert!(matches!(
        &context.problems[..],
        [zeug_session::Problem { what: Trouble::Damaged { id: damaged, .. }, .. }] if *damaged == id
    ));
    assert!(view.read(id).unwrap_err().to_string().contains("damaged"));
}

#[test]
fn a_branch_whose_beginning_is_damaged_still_leaves_where_it_left() {
    for damaged in [1, 2] {
        let desk = Desk::new();
        let mut journal = desk.create();
        let one = journal.append(user("one")).unwrap();
        journal.append(user("two")).unwrap();
        journal.fork(ForkAt::After(one), None).unwrap();
        let mark = desk.bytes();
        let mark = row_ends(&mark)[row_ends(&mark).len() - 2];
        for text in ["three", "four", "five"] {
            journal.append(user(text)).unwrap();
        }
        drop(journal);
        let mut bytes = desk.bytes();
        // The first character of the mark, and of the row behind it.
        let ends = row_ends(&bytes);
        let first = ends.iter().position(|end| *end == mark).unwrap();
        for end in &ends[first..first + damaged] {
            bytes[*end] = b'!';
        }
        std::fs::write(&desk.path, bytes).unwrap();
        let expect = [
            &["u:one", "u:three", "u:four", "u:five"][..],
            &["u:one", "u:four", "u:five"],
        ];
        assert_eq!(told(&View::open(&desk.path).unwrap()), expect[damaged - 1]);
    }
}

#[test]
fn a_row_with_an_absurd_id_does_not_use_up_the_numbers() {
    let desk = specimen();
    let mut bytes = desk.bytes();
    let last = View::open(&desk.path).unwrap().tip().unwrap();
    let row = format!(r#"{{"id":"ffffffffffffffff","parent":"{last}","time":"","kind":"clear"}}"#);
    bytes.extend_from_slice(format!("{row}\n").as_bytes());
    std::fs::write(&desk.path, bytes).unwrap();
    let mut journal = desk.open();
    let ids: Vec<EntryId> = (0..3).map(|_| journal.append(user("x")).unwrap()).collect();
    assert!(ids[0] > last && ids.is_sorted());
    assert_eq!(told(journal.view()), ["u:x"; 3]);
    drop(journal);
    let view = View::open(&desk.path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(view.tip().unwrap(), ids[2]);
}
