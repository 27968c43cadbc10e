//! Summaries in the place of what was said, and where a context may be cut.

use zeug_session::{Body, Compaction, Context, ForkAt, Journal, SessionError, Source, View};

use crate::support::{Cut, Desk, assert_paired, assistant, result, state, state_of, told, user};

fn context(journal: &Journal) -> Context {
    let view = journal.view();
    view.context(view.tip().unwrap()).unwrap()
}

/// Compacts with so many messages kept; what the model is told then, the summary as `u:…`.
fn compact(journal: &mut Journal, keep_last: usize, summary: &str) -> Vec<String> {
    let cut = Cut::of(&context(journal), keep_last).unwrap();
    journal
        .append(Body::Compaction(cut.compaction(summary)))
        .unwrap();
    told(journal.view())
}

fn conversation(journal: &mut Journal) {
    for body in [
        user("one"),
        assistant("", &["a", "b"]),
        result("a", "1"),
        state("clock", "1"),
        result("b", "2"),
        assistant("done", &[]),
        user("two"),
        assistant("yes", &[]),
    ] {
        journal.append(body).unwrap();
    }
}

fn heading(summary: &str) -> String {
    format!("u:{summary}")
}

#[test]
fn a_summary_stands_for_what_was_before_and_the_rest_stays() {
    let desk = Desk::new();
    let mut journal = desk.create();
    conversation(&mut journal);
    let told_after = compact(&mut journal, 2, "they talked");
    assert_eq!(told_after, [&heading("they talked"), "u:two", "a:yes"]);
    journal.append(user("three")).unwrap();
    drop(journal);
    let view = View::open(&desk.path).unwrap();
    assert_eq!(
        told(&view),
        [&heading("they talked"), "u:two", "a:yes", "u:three"]
    );
    assert_eq!(state_of(&view, "clock").as_deref(), Some("1"));
    let context = view.context(view.tip().unwrap()).unwrap();
    assert_eq!(context.items[0].source, Source::Summary);
}

#[test]
fn a_cut_never_parts_a_call_from_its_result() {
    let desk = Desk::new();
    let mut journal = desk.create();
    conversation(&mut journal);
    let all = context(&journal);
    let covered = |keep| Cut::of(&all, keep).map(|cut| cut.covered);
    // one, calls, a, b, done, two, yes
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 6, 7, 99].map(covered),
        [
            Some(7),
            Some(6),
            Some(5),
            Some(4),
            Some(1),
            Some(1),
            Some(1),
            None,
            None
        ]
    );
    for keep in 0..7 {
        let cut = Cut::of(&all, keep).unwrap();
        let mark = journal.append(Body::Clear).unwrap();
        journal.fork(ForkAt::Before(mark), None).unwrap();
        journal
            .append(Body::Compaction(cut.compaction("s")))
            .unwrap();
        let context = context(&journal);
        assert_paired(&context);
        assert_eq!(context.items.len(), 1 + 7 - cut.covered);
        assert!(context.items.iter().all(|i| i.source != Source::Mended));
    }
}

#[test]
fn a_call_that_still_runs_is_not_covered() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("one")).unwrap();
    journal.append(assistant("", &["a", "slow"])).unwrap();
    journal.append(result("a", "1")).unwrap();
    let told_then = compact(&mut journal, 0, "s");
    assert_eq!(
        told_then,
        [&heading("s"), "a:+a+slow", "t:a:1", "t:slow:lost"]
    );
    journal.append(result("slow", "2")).unwrap();
    assert_eq!(
        told(journal.view()),
        [&heading("s"), "a:+a+slow", "t:a:1", "t:slow:2"]
    );
}

#[test]
fn a_second_compaction_covers_the_first() {
    let desk = Desk::new();
    let mut journal = desk.create();
    conversation(&mut journal);
    compact(&mut journal, 2, "first");
    journal.append(user("three")).unwrap();
    // The kept part of the second reaches back behind the first.
    let told_then = compact(&mut journal, 2, "second");
    assert_eq!(told_then, [&heading("second"), "a:yes", "u:three"]);
    let told_then = compact(&mut journal, 0, "third");
    assert_eq!(told_then, [heading("third")]);
    assert_eq!(
        Cut::of(&context(&journal), 0),
        None,
        "a summary of a summary alone gains nothing"
    );
    journal.append(user("four")).unwrap();
    assert_eq!(told(journal.view()), [&heading("third"), "u:four"]);
}

#[test]
fn what_was_compacted_can_still_be_forked() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let one = journal.append(user("one")).unwrap();
    conversation(&mut journal);
    compact(&mut journal, 1, "s");
    let compacted = journal.append(user("after")).unwrap();
    let trunk = journal.view().active().unwrap();

    journal.fork(ForkAt::After(one), None).unwrap();
    assert_eq!(told(journal.view()), ["u:one"]);
    assert_eq!(state_of(journal.view(), "clock"), None);
    journal.fork(ForkAt::After(compacted), None).unwrap();
    assert_eq!(told(journal.view()), [&heading("s"), "a:yes", "u:after"]);
    assert_eq!(state_of(journal.view(), "clock").as_deref(), Some("1"));
    journal.append(user("beside")).unwrap();
    journal.switch(trunk).unwrap();
    drop(journal);
    let view = View::open(&desk.path).unwrap();
    assert_eq!(told(&view), [&heading("s"), "a:yes", "u:after"]);
}

#[test]
fn a_clear_after_a_compaction_and_a_compaction_after_a_clear() {
    let desk = Desk::new();
    let mut journal = desk.create();
    conversation(&mut journal);
    compact(&mut journal, 1, "s");
    journal.append(Body::Clear).unwrap();
    assert_eq!(told(journal.view()), [""; 0]);
    journal.append(user("new")).unwrap();
    journal.append(user("newer")).unwrap();
    let told_then = compact(&mut journal, 1, "t");
    assert_eq!(told_then, [&heading("t"), "u:newer"]);
}

#[test]
fn a_compaction_keeps_only_entries_of_its_branch() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let one = journal.append(user("one")).unwrap();
    let two = journal.append(user("two")).unwrap();
    journal.fork(ForkAt::After(one), None).unwrap();
    let refused = journal.append(Body::Compaction(Compaction {
        summary: "s".into(),
        first_kept: Some(two),
        covers_messages: 1,
        tokens_before: 0,
    }));
    assert!(matches!(refused, Err(SessionError::NoEntry { id, .. }) if id == two));
}
