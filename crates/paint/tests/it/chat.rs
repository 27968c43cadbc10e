//! A conversation in a list: scrolling, resizing, searching, selecting.

use zeug_paint::{Entry, List, Op};

use crate::show;

/// Answers `0` to `count - 1`, each of three lines at 20 cells.
fn numbered(count: usize) -> List<Entry> {
    let mut list = List::new(show::canvas(), 20, 6);
    for number in 0..count {
        list.push(answer(&format!(
            "number {number} has some words that wrap twice"
        )));
    }
    list
}

fn answer(text: &str) -> Entry {
    let mut entry = Entry::assistant();
    if let Some(markdown) = entry.markdown_mut() {
        markdown.push(text);
        markdown.finish();
    }
    entry
}

fn seen(list: &mut List<Entry>) -> Vec<String> {
    let view = list.view();
    assert_eq!(view.lines.len(), view.rows.len());
    view.lines.iter().map(|line| line.to_string()).collect()
}

#[test]
fn the_end_is_followed_until_somebody_scrolls() {
    let mut list = numbered(3);
    assert_eq!(seen(&mut list)[5], "twice");
    list.push(answer("new"));
    assert_eq!(seen(&mut list)[5], "new");
    list.apply(Op::Lines(-1));
    let before = seen(&mut list);
    assert_eq!(before[5], "");
    list.push(answer("newer"));
    assert_eq!(seen(&mut list), before);
    assert!(!list.is_following());
    list.apply(Op::Last);
    assert_eq!(seen(&mut list)[5], "newer");
}

#[test]
fn what_grows_below_or_above_moves_nothing() {
    let mut list = numbered(9);
    list.apply(Op::To(4));
    let before = seen(&mut list);
    assert_eq!(before[0], "number 4 has some");
    for at in [0, 8] {
        if let Some(markdown) = list.get_mut(at).and_then(Entry::markdown_mut) {
            markdown.push("\n\nmore\n\nand more\n\n- x\n- y");
        }
        assert_eq!(seen(&mut list), before, "after a change of {at}");
    }
    list.insert(1, answer("between"));
    assert_eq!(seen(&mut list), before);
    list.remove(0);
    assert_eq!(seen(&mut list), before);
}

#[test]
fn a_resize_keeps_the_place_and_back_again_is_where_it_was() {
    let text: Vec<String> = (0..200).map(|n| format!("word{n}")).collect();
    let mut list = numbered(3);
    list.push(answer(&text.join(" ")));
    list.push(answer("end"));
    list.apply(Op::To(3));
    list.apply(Op::Lines(20));
    let before = seen(&mut list);
    let word = before[0]
        .split(' ')
        .next()
        .map(str::to_owned)
        .expect("a word");
    for width in [50, 13, 31, 7, 90] {
        list.apply(Op::Resize(width, 6));
        let lines = seen(&mut list);
        assert!(lines[0].contains(&word), "{word} at {width}: {lines:?}");
    }
    list.apply(Op::Resize(20, 6));
    assert_eq!(seen(&mut list), before);
}
