//! What the model is told: pairs, and nothing from before a clear.

use zeug_session::{Body, ForkAt, Source, View};

use crate::support::{Desk, assert_paired, assistant, result, shorts, state, state_of, told, user};

#[test]
fn a_clear_is_respected_after_opening_again() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let old = journal.append(user("old")).unwrap();
    journal.append(state("clock", "1")).unwrap();
    journal.append(Body::Clear).unwrap();
    assert_eq!(told(journal.view()), [""; 0]);
    journal.append(user("new")).unwrap();
    drop(journal);
    let mut journal = desk.open();
    assert_eq!(told(journal.view()), ["u:new"]);
    // What an extension remembers is not the model's memory.
    assert_eq!(state_of(journal.view(), "clock").as_deref(), Some("1"));
    journal.fork(ForkAt::After(old), None).unwrap();
    assert_eq!(told(journal.view()), ["u:old"]);
}

#[test]
fn every_call_has_one_result_and_every_result_a_call() {
    let desk = Desk::new();
    let mut journal = desk.create();
    for body in [
        result("nobody", "orphan"),
        assistant("", &["a", "b"]),
        result("b", "2"),
        result("b", "again"),
        user("go on"),
        result("a", "too late"),
        assistant("", &["a"]),
    ] {
        journal.append(body).unwrap();
    }
    let view = View::open(&desk.path).unwrap();
    let context = view.context(view.tip().unwrap()).unwrap();
    assert_paired(&context);
    let expect = ["a:+a+b", "t:a:lost", "t:b:2", "u:go on", "a:+a", "t:a:lost"];
    assert_eq!(shorts(&context), expect);
    assert!(context.problems.is_empty());
    let mended = |i: &&zeug_session::Item| i.source == Source::Mended;
    assert_eq!(context.items.iter().filter(mended).count(), 2);
    // The same file gives the same context, so a provider's cache can be used.
    let again = view.context(view.tip().unwrap()).unwrap();
    assert_eq!(again.items, context.items);
}

#[test]
fn a_result_that_comes_after_a_mended_context_takes_its_place() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(assistant("", &["a"])).unwrap();
    assert_eq!(told(journal.view()), ["a:+a", "t:a:lost"]);
    journal.append(result("a", "done")).unwrap();
    assert_eq!(told(journal.view()), ["a:+a", "t:a:done"]);
}

#[test]
fn context_items_name_their_entries() {
    let desk = Desk::new();
    let mut journal = desk.create();
    let one = journal.append(user("one")).unwrap();
    let call = journal.append(assistant("", &["a"])).unwrap();
    let context = journal
        .view()
        .context(journal.view().tip().unwrap())
        .unwrap();
    let entries: Vec<_> = context.items.iter().map(|i| i.entry).collect();
    assert_eq!(entries, [Some(one), Some(call), None]);
    assert_eq!(context.messages().len(), 3);
}
