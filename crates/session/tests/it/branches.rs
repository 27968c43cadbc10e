//! Forks, switches, and what each branch keeps for itself.

use zeug_session::{Body, BranchId, ForkAt, SessionError, View};

use crate::support::{Desk, assistant, result, shorts, state, state_of, told, user};

#[test]
fn a_fork_copies_nothing_and_leaves_the_other_branch_as_it_was() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let trunk = journal.view().active().unwrap();
    journal.append(user("one")).unwrap();
    let two = journal.append(user("two")).unwrap();
    let before = desk.bytes().len();
    let branch = journal
        .fork(ForkAt::Before(two), Some("other".into()))
        .unwrap();
    assert!(desk.bytes().len() - before < 200);
    journal.append(user("three")).unwrap();
    assert_eq!(told(journal.view()), ["u:one", "u:three"]);
    assert_eq!(journal.view().active().unwrap(), branch);

    journal.switch(trunk).unwrap();
    assert_eq!(told(journal.view()), ["u:one", "u:two"]);
    journal.append(user("four")).unwrap();
    assert_eq!(told(journal.view()), ["u:one", "u:two", "u:four"]);
    drop(journal);

    let view = View::open(&desk.path).unwrap();
    assert_eq!(view.active().unwrap(), trunk);
    let branches = view.branches();
    assert_eq!(branches.len(), 2);
    assert_eq!(branches[0].id, trunk);
    assert!(branches[0].active && branches[0].parent.is_none());
    assert_eq!(branches[0].messages, 3);
    assert_eq!(branches[1].id, branch);
    assert_eq!(branches[1].name.as_deref(), Some("other"));
    assert_eq!(branches[1].parent, Some(trunk));
    assert_eq!((branches[1].fork_point, branches[1].messages), (1, 2));
    let other = view.context(branches[1].tip).unwrap();
    assert_eq!(shorts(&other), ["u:one", "u:three"]);
}

#[test]
fn each_branch_gives_an_extension_its_own_state_after_a_resume() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let trunk = journal.view().active().unwrap();
    let said = journal.append(user("plan")).unwrap();
    journal.append(state("phases", "\"shared\"")).unwrap();
    journal.append(state("clock", "1")).unwrap();
    let shared = journal.view().tip().unwrap();
    journal.append(state("phases", "\"trunk\"")).unwrap();
    journal.append(user("on the trunk")).unwrap();
    let branch = journal.fork(ForkAt::After(shared), None).unwrap();
    assert_eq!(
        state_of(journal.view(), "phases").as_deref(),
        Some("\"shared\"")
    );
    journal.append(state("phases", "\"branch\"")).unwrap();
    journal.append(user("on the branch")).unwrap();
    let early = journal.fork(ForkAt::Before(said), None).unwrap();
    drop(journal);

    let check = |id: BranchId, phases: Option<&str>, clock: Option<&str>| {
        let mut journal = desk.open();
        journal.switch(id).unwrap();
        drop(journal);
        let view = View::open(&desk.path).unwrap();
        assert_eq!(view.active().unwrap(), id);
        assert_eq!(state_of(&view, "phases").as_deref(), phases);
        assert_eq!(state_of(&view, "clock").as_deref(), clock);
    };
    check(trunk, Some("\"trunk\""), Some("1"));
    check(branch, Some("\"branch\""), Some("1"));
    check(early, None, None);
    check(trunk, Some("\"trunk\""), Some("1"));
}

#[test]
fn a_fork_after_a_call_takes_its_results_along() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("go")).unwrap();
    let calls = journal.append(assistant("", &["a", "b"])).unwrap();
    let first = journal.append(result("a", "1")).unwrap();
    journal
        .append_all([state("clock", "1"), result("b", "2")])
        .unwrap();
    journal.append(user("next")).unwrap();
    for at in [calls, first] {
        journal.fork(ForkAt::After(at), None).unwrap();
        assert_eq!(told(journal.view()), ["u:go", "a:+a+b", "t:a:1", "t:b:2"]);
        assert_eq!(state_of(journal.view(), "clock").as_deref(), Some("1"));
    }
}

#[test]
fn what_comes_late_goes_to_its_own_branch() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let trunk = journal.view().active().unwrap();
    let said = journal.append(user("go")).unwrap();
    journal.append(assistant("", &["slow"])).unwrap();
    let branch = journal.fork(ForkAt::After(said), None).unwrap();
    journal.append(user("meanwhile")).unwrap();
    let late = journal.append_on(trunk, result("slow", "done")).unwrap();
    assert_eq!(journal.view().branch_of(late).unwrap(), trunk);
    assert_eq!(journal.view().active().unwrap(), branch);
    journal.append(user("further")).unwrap();
    // On the active branch it is an append like any other.
    journal.append_on(branch, user("on")).unwrap();
    drop(journal);

    let view = View::open(&desk.path).unwrap();
    assert_eq!(told(&view), ["u:go", "u:meanwhile", "u:further", "u:on"]);
    let trunk = view.branch(trunk).unwrap();
    let context = view.context(trunk.tip).unwrap();
    assert_eq!(shorts(&context), ["u:go", "a:+slow", "t:slow:done"]);
}

#[test]
fn switching_to_the_active_branch_writes_nothing() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("x")).unwrap();
    let before = desk.bytes();
    let active = journal.view().active().unwrap();
    journal.switch(active).unwrap();
    assert_eq!(desk.bytes(), before);
}

#[test]
fn the_tree_shows_each_user_message_below_the_one_before() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let one = journal.append(user("one")).unwrap();
    journal.append(assistant("x", &[])).unwrap();
    let two = journal.append(user("two")).unwrap();
    journal.fork(ForkAt::Before(two), None).unwrap();
    let three = journal.append(user("three")).unwrap();
    let tree = journal.view().tree();
    let seen: Vec<_> = tree.iter().map(|n| (n.entry, n.parent, n.active)).collect();
    assert_eq!(
        seen,
        [
            (one, None, true),
            (two, Some(one), false),
            (three, Some(one), true)
        ]
    );
}

#[test]
fn unknown_entries_and_branches_are_named_in_the_refusal() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let meta = journal.view().tip().unwrap();
    let other = Desk::new();
    let foreign = other.create().append(user("x")).unwrap();
    let before = desk.bytes();
    assert!(matches!(
        journal.fork(ForkAt::After(foreign), None),
        Err(SessionError::NoEntry { id, .. }) if id == foreign
    ));
    assert!(matches!(
        journal.fork(ForkAt::Before(meta), None),
        Err(SessionError::NothingBefore { .. })
    ));
    assert!(matches!(
        journal.switch(BranchId(foreign)),
        Err(SessionError::NoBranch { .. })
    ));
    assert!(matches!(
        journal.append_on(BranchId(foreign), Body::Clear),
        Err(SessionError::NoBranch { .. })
    ));
    assert_eq!(desk.bytes(), before);
}
