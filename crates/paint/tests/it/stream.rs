//! A text that comes in pieces looks in the end like one that came at once.

use proptest::prelude::*;
use zeug_paint::{Highlighter, Markdown, Role};

use crate::shape::{check_lines, nasty};
use crate::show;

/// Pushes the text in pieces that end at these shares of it, and paints after each.
fn streamed(text: &str, cuts: &[usize], width: usize) -> Markdown {
    let canvas = show::canvas();
    let mut markdown = Markdown::new(Role::Assistant);
    let mut at = 0;
    let mut cuts: Vec<usize> = cuts
        .iter()
        .map(|cut| text.floor_char_boundary(cut % (text.len() + 1)))
        .collect();
    cuts.sort_unstable();
    for cut in cuts {
        markdown.push(&text[at..cut]);
        check_lines(markdown.lines(&canvas, width), width);
        at = cut;
    }
    markdown.push(&text[at..]);
    markdown
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn pieces_and_whole_look_the_same(
        text in nasty(),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
        width in 4_usize..80,
    ) {
        let canvas = show::canvas();
        let mut pieces = streamed(&text, &cuts, width);
        pieces.finish();
        let mut whole = Markdown::whole(Role::Assistant, &text);
        prop_assert_eq!(
            show::text(pieces.lines(&canvas, width)),
            show::text(whole.lines(&canvas, width)),
        );
        prop_assert_eq!(pieces.lines(&canvas, width), whole.lines(&canvas, width));
    }

    #[test]
    fn every_character_by_itself_makes_no_difference(text in nasty()) {
        let canvas = show::canvas();
        let all: Vec<usize> = (0..text.len()).collect();
        let mut pieces = streamed(&text, &all, 30);
        pieces.finish();
        let mut whole = Markdown::whole(Role::Assistant, &text);
        prop_assert_eq!(pieces.lines(&canvas, 30), whole.lines(&canvas, 30));
    }
}

#[test]
fn code_that_streams_has_the_colours_of_the_whole() {
    let text = "```rust\nfn main() {\n    /* a\n    b */ let x = \"s\";\n}\n```\n\nAfter.\n";
    let mut canvas = show::canvas();
    canvas.code = Highlighter::ready();
    let mut pieces = Markdown::new(Role::Assistant);
    for c in text.chars() {
        pieces.push(&c.to_string());
        pieces.lines(&canvas, 40);
    }
    pieces.finish();
    let mut whole = Markdown::whole(Role::Assistant, text);
    assert_eq!(pieces.lines(&canvas, 40), whole.lines(&canvas, 40));
}

#[test]
fn a_listing_that_grows_is_the_same_line_by_line() {
    let source = "Before.\n\n````rust\nfn a() {\n```\n    x\n````\nafter\n\n```\n\n\nfn b() {}\n  ```  \n- x\n";
    for ready in [Highlighter::default(), Highlighter::ready()] {
        let mut canvas = show::canvas();
        canvas.code = ready;
        for size in [1, 2, 3, 7] {
            let mut pieces = Markdown::new(Role::Assistant);
            for (at, piece) in source.as_bytes().chunks(size).enumerate() {
                pieces.push(std::str::from_utf8(piece).expect("ASCII"));
                let shown = pieces.lines(&canvas, 12).to_vec();
                let so_far = source.get(..(at + 1) * size).unwrap_or(source);
                // What is there by now is what a fresh reading of it shows.
                let mut fresh = Markdown::new(Role::Assistant);
                fresh.push(so_far);
                assert_eq!(shown, fresh.lines(&canvas, 12), "{so_far:?}");
                if so_far.ends_with('\n') {
                    let blocks = |markdown: &Markdown| {
                        (0..4).map(|at| markdown.block(at)).collect::<Vec<_>>()
                    };
                    assert_eq!(blocks(&pieces), blocks(&fresh), "{so_far:?}");
                }
            }
        }
    }
}
