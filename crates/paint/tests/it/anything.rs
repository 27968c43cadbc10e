//! Whatever happens to a list, in any order, its view is what it should be.

use proptest::prelude::*;
use ratatui_core::text::Line;
use zeug_paint::{Entry, Item as _, List, Op, Row, View};

use crate::chat::answer;
use crate::shape::{check_lines, nasty};
use crate::show;

/// What the view should be, from all entries painted in full.
fn naive(list: &List<Entry>, view: &View) -> String {
    let mut all = Vec::new();
    let mut rows = Vec::new();
    for (at, entry) in list.iter().enumerate() {
        let mut entry = entry.clone();
        let lines = entry.lines(list.canvas(), list.width()).to_vec();
        let gap = usize::from(!lines.is_empty() && at + 1 < list.len());
        rows.extend((0..lines.len()).map(|line| Row {
            entry: at,
            line: Some(line),
        }));
        rows.extend((0..gap).map(|_| Row {
            entry: at,
            line: None,
        }));
        all.extend(lines);
        all.extend((0..gap).map(|_| Line::default()));
    }
    let start = view
        .rows
        .first()
        .and_then(|first| rows.iter().position(|row| row == first));
    let start = start.unwrap_or(all.len());
    let end = (start + list.height()).min(all.len());
    assert_eq!(rows[start..end], view.rows);
    assert_eq!(view.is_at_end, end == all.len());
    show::text(&all[start..end])
}

/// Anything that can be done to a list.
fn ops() -> impl Strategy<Value = Op> {
    let count = -30_isize..30;
    prop_oneof![
        (1_usize..90, 1_usize..20).prop_map(|(width, height)| Op::Resize(width, height)),
        count.clone().prop_map(Op::Lines),
        count.clone().prop_map(Op::Pages),
        count.clone().prop_map(Op::HalfPages),
        count.clone().prop_map(Op::Entries),
        count.clone().prop_map(Op::SelectEntries),
        count.prop_map(Op::SelectBlocks),
        (0_usize..20, 0_usize..20).prop_map(|(part, whole)| Op::Share(part, whole)),
        (0_usize..20).prop_map(Op::To),
        (0_usize..20).prop_map(Op::Select),
        "[a-c]{0,2}".prop_map(Op::Find),
        prop::sample::select(vec![
            Op::First,
            Op::Last,
            Op::Deselect,
            Op::FindNext,
            Op::FindPrevious
        ]),
    ]
}

/// What can happen to a list while somebody reads.
#[derive(Debug, Clone)]
enum Step {
    Do(Op),
    Push(String),
    Grow(usize, String),
    Insert(usize, String),
    Remove(usize),
    Clear,
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => ops().prop_map(Step::Do),
        3 => nasty().prop_map(Step::Push),
        2 => (0_usize..10, nasty()).prop_map(|(at, text)| Step::Grow(at, text)),
        1 => (0_usize..10, nasty()).prop_map(|(at, text)| Step::Insert(at, text)),
        1 => (0_usize..10).prop_map(Step::Remove),
        1 => Just(Step::Clear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn whatever_happens_the_view_is_full_and_fits(steps in prop::collection::vec(steps(), 0..40)) {
        let mut list = List::new(show::canvas(), 30, 8);
        for step in steps {
            match step {
                Step::Do(op) => list.apply(op),
                Step::Push(text) => {
                    list.push(answer(&text));
                }
                Step::Insert(at, text) => list.insert(at, answer(&text)),
                Step::Grow(at, text) => {
                    if let Some(markdown) = list.get_mut(at).and_then(Entry::markdown_mut) {
                        markdown.push(&text);
                    }
                }
                Step::Remove(at) => drop(list.remove(at)),
                Step::Clear => list.clear(),
            }
            let view = list.view();
            check_lines(&view.lines, list.width());
            prop_assert_eq!(view.lines.len(), view.rows.len());
            prop_assert!(view.lines.len() <= list.height());
            let extent = view.extent;
            prop_assert!(extent.above + extent.shown <= extent.total, "{:?}", extent);
            // There is an empty line in the view only where there is none to fill it with.
            if view.lines.len() < list.height() {
                prop_assert_eq!(extent.above, 0);
            }
            prop_assert_eq!(&show::text(&view.lines), &naive(&list, &view));
            list.selected_text();
            let again = list.view();
            prop_assert_eq!(again.lines, view.lines);
        }
    }
}
