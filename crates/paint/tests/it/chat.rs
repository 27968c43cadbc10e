//! A conversation in a list: scrolling, resizing, searching, selecting.

use std::cell::Cell;
use std::rc::Rc;

use ratatui_core::text::Line;
use zeug_paint::tool::{Call, State};
use zeug_paint::{Canvas, Entry, Extent, Highlighter, Item, List, Op, Role};
use zeug_transcript::Status;

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

pub(crate) fn answer(text: &str) -> Entry {
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

#[test]
fn pages_overlap_by_a_line_and_stop_at_both_ends() {
    let mut list = numbered(9);
    let end = seen(&mut list);
    list.apply(Op::Pages(-1));
    let above = seen(&mut list);
    assert_eq!(above[5], end[0]);
    list.apply(Op::Pages(1));
    assert_eq!(seen(&mut list), end);
    assert!(list.is_following());
    list.apply(Op::Pages(-99));
    assert_eq!(seen(&mut list)[0], "number 0 has some");
    list.apply(Op::Lines(isize::MAX));
    assert_eq!(seen(&mut list), end);
    list.apply(Op::Lines(isize::MIN));
    assert_eq!(seen(&mut list)[0], "number 0 has some");
}

#[test]
fn entries_are_walked_from_one_beginning_to_the_next() {
    let mut list = numbered(9);
    let mut check = |op: Op, expect: &str| {
        list.apply(op.clone());
        assert_eq!(seen(&mut list)[0], expect, "{op:?}");
    };
    check(Op::To(4), "number 4 has some");
    check(Op::Entries(1), "number 5 has some");
    check(Op::Lines(1), "words that wrap");
    check(Op::Entries(-1), "number 5 has some");
    check(Op::Entries(-2), "number 3 has some");
    check(Op::Share(0, 2), "number 0 has some");
    check(Op::Share(2, 2), "words that wrap");
    check(Op::First, "number 0 has some");
}

#[test]
fn a_search_goes_from_place_to_place_and_around() {
    let mut list = numbered(9);
    list.push(answer("An **ODD** thing, odd and odd"));
    list.apply(Op::Find("Odd".to_owned()));
    let hit = |list: &List<Entry>| list.hit().map(|hit| (hit.entry, hit.line, hit.range.start));
    assert_eq!(hit(&list), Some((9, 1, 4)));
    list.apply(Op::FindPrevious);
    assert_eq!(hit(&list), Some((9, 0, 14)));
    list.apply(Op::FindPrevious);
    assert_eq!(hit(&list), Some((9, 0, 3)));
    list.apply(Op::FindPrevious);
    assert_eq!(hit(&list), Some((9, 1, 4)));
    list.apply(Op::FindNext);
    assert_eq!(hit(&list), Some((9, 0, 3)));
    list.apply(Op::Find("number 3".to_owned()));
    assert_eq!(hit(&list), Some((3, 0, 0)));
    assert!(seen(&mut list).contains(&"number 3 has some".to_owned()));
    list.apply(Op::Find("not there".to_owned()));
    assert_eq!(hit(&list), None);
    list.apply(Op::Find(String::new()));
    assert!(list.needle().is_none());
}

#[test]
fn what_is_found_is_marked_and_the_place_differs_from_the_others() {
    let mut list = numbered(2);
    list.push(answer("same and same"));
    list.apply(Op::Find("SAME".to_owned()));
    let canvas = show::canvas();
    let view = list.view();
    let last = view
        .lines
        .last()
        .map(std::slice::from_ref)
        .unwrap_or_default();
    assert_eq!(
        show::marked(&canvas, last),
        "‹searchhit:same› and ‹searchcurrent:same›\n"
    );
}

#[test]
fn a_search_sees_through_markup_and_folds() {
    let mut list = numbered(1);
    list.push(answer("some **bold** words"));
    let mut call = Call::new("bash", r#"{"command":"x"}"#);
    call.state = State::Settled(Status::Completed);
    call.output = (0..50).map(|n| format!("row {n}.\n")).collect();
    list.push(Entry::tool(call));
    list.apply(Op::Find("bold words".to_owned()));
    // Nobody wrote it like that, so the raw text alone would not have it.
    assert_eq!(list.hit().map(|hit| hit.entry), Some(1));
    list.apply(Op::Find("row 25.".to_owned()));
    assert_eq!(list.hit().map(|hit| hit.entry), Some(2));
    assert_eq!(list.get(2).and_then(Entry::is_open), Some(true));
    assert!(seen(&mut list).iter().any(|line| line.contains("row 25.")));
}

#[test]
fn entries_and_blocks_are_selected_and_give_their_raw_text() {
    let mut list = numbered(2);
    list.push(answer(
        "Look **here**:\n\n```rust\nfn a() {}\n```\n\n> done",
    ));
    list.apply(Op::SelectEntries(-1));
    assert_eq!(
        list.selected_text().as_deref(),
        Some("Look **here**:\n\n```rust\nfn a() {}\n```\n\n> done")
    );
    list.apply(Op::SelectEntries(-1));
    assert_eq!(list.selection().map(|selection| selection.entry), Some(1));
    let view = list.view();
    let style = show::canvas().style(Role::Selection);
    for (line, row) in view.lines.iter().zip(&view.rows) {
        let is_selected = row.entry == 1 && row.line.is_some();
        assert_eq!(line.style.bg == style.bg, is_selected, "{row:?}");
    }
    list.apply(Op::Deselect);
    assert_eq!(list.selected_text(), None);
    list.apply(Op::Last);
    list.apply(Op::SelectBlocks(-1));
    assert_eq!(list.selected_text().as_deref(), Some("> done"));
    list.apply(Op::SelectBlocks(-1));
    assert_eq!(list.selected_text().as_deref(), Some("fn a() {}\n"));
    list.apply(Op::SelectBlocks(-2));
    assert_eq!(list.selection().map(|selection| selection.entry), Some(1));
    list.apply(Op::SelectBlocks(-99));
    assert_eq!(list.selection().map(|selection| selection.entry), Some(0));
}

#[test]
fn a_long_list_paints_only_what_is_seen() {
    let painted = Rc::new(Cell::new(0));
    let mut list = List::new(show::canvas(), 20, 10);
    for _ in 0..10_000 {
        list.push(Counted {
            painted: Rc::clone(&painted),
            lines: Vec::new(),
        });
    }
    let mut check = |op: Option<Op>, most: usize| {
        painted.set(0);
        if let Some(op) = op.clone() {
            list.apply(op);
        }
        list.view();
        assert!(painted.get() <= most, "{op:?} painted {}", painted.get());
    };
    check(None, 10);
    check(Some(Op::Pages(-1)), 10);
    check(Some(Op::Share(1, 3)), 20);
    check(Some(Op::Resize(40, 12)), 30);
    check(Some(Op::First), 20);
    check(Some(Op::Find("nothing".to_owned())), 20);
    // Its words are everywhere, so that markup might hide it anywhere: not all is tried.
    check(Some(Op::Find("x, x".to_owned())), 230);
}

/// Three lines, and a count of how often they were made.
struct Counted {
    painted: Rc<Cell<usize>>,
    lines: Vec<Line<'static>>,
}

impl Item for Counted {
    fn lines(&mut self, _: &Canvas, width: usize) -> &[Line<'static>] {
        self.painted.set(self.painted.get() + 1);
        self.lines = vec![Line::from("x".repeat(width)); 3];
        &self.lines
    }

    fn guess(&self, _: usize) -> usize {
        7
    }

    fn any_text(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        test("x")
    }

    fn text(&self) -> String {
        "x".to_owned()
    }
}

#[test]
fn a_wrong_guess_moves_the_bar_but_not_the_text() {
    let painted = Rc::new(Cell::new(0));
    let mut list = List::new(show::canvas(), 20, 10);
    for _ in 0..100 {
        list.push(Counted {
            painted: Rc::clone(&painted),
            lines: Vec::new(),
        });
    }
    let guessed = list.view().extent;
    assert!(guessed.total > 700, "{guessed:?}");
    list.apply(Op::To(50));
    let before = list.view();
    for _ in 0..30 {
        list.apply(Op::Pages(-1));
        list.view();
    }
    list.apply(Op::To(50));
    let after = list.view();
    assert_eq!(after.rows, before.rows);
    assert!(after.extent.above < before.extent.above);
}

#[test]
fn the_bar_touches_an_end_only_at_the_end() {
    let extent = |above, total| Extent {
        above,
        shown: 10,
        total,
    };
    assert_eq!(extent(0, 5).thumb(10), (0, 10));
    assert_eq!(extent(0, 1000).thumb(10), (0, 1));
    assert_eq!(extent(1, 1000).thumb(10), (1, 1));
    assert_eq!(extent(989, 1000).thumb(10), (8, 1));
    assert_eq!(extent(990, 1000).thumb(10), (9, 1));
}

#[test]
fn a_long_listing_gets_its_colours_over_some_frames() {
    let canvas = show::canvas().with_code(Highlighter::ready());
    let code = "let a = \"text\"; // why\n".repeat(300);
    for (text, is_finished) in [
        (format!("```rust\n{code}```\n\nafter\n"), true),
        (format!("```rust\n{code}```\n\nafter\n"), false),
        (format!("```rust\n{code}"), false),
    ] {
        let entry = || {
            let mut entry = Entry::assistant();
            if let Some(markdown) = entry.markdown_mut() {
                markdown.push(&text);
                if is_finished {
                    markdown.finish();
                }
            }
            entry
        };
        let mut list = List::new(canvas.clone(), 40, 400);
        list.push(entry());
        let first = list.view();
        assert!(first.is_behind, "all at once");
        let mut last = first.clone();
        while last.is_behind {
            last = list.view();
            assert_eq!(show::text(&last.lines), show::text(&first.lines));
        }
        assert_eq!(last.lines, entry().lines(&canvas, 40));
    }
}
