//! The stack and its keys, with a clock of their own.

use super::*;
use std::time::Duration;

fn panel(extension: &str, id: &str) -> Panel {
    Panel {
        extension: extension.to_owned(),
        id: id.to_owned(),
        title: "T".to_owned(),
        lines: Vec::new(),
        footer: None,
    }
}

fn opened(panels: &[(&str, &str)]) -> Panels {
    let mut all = Panels::default();
    for (extension, id) in panels {
        all.open(panel(extension, id), HashSet::new()).unwrap();
    }
    all
}

fn ids(panels: &Panels) -> Vec<String> {
    panels.stack().into_iter().map(|panel| panel.id).collect()
}

/// The text of the keys among these words.
fn typed(words: &[Tell]) -> String {
    let text = |tell: &Tell| match &tell.word {
        Word::Key(key) => key.text.clone(),
        _ => None,
    };
    words.iter().filter_map(text).collect()
}

#[test]
fn the_last_one_opened_is_on_top_and_the_first_comes_back() {
    let mut all = opened(&[("a", "1"), ("b", "2"), ("a", "1")]);
    assert_eq!(ids(&all), ["2", "1"]);
    assert!(all.close("a", "1") && !all.close("a", "1"));
    assert_eq!(ids(&all), ["2"]);
    let told = all.dismiss("b", "2").unwrap();
    assert_eq!((told.panel_id.as_str(), told.word), ("2", Word::Closed));
    assert_eq!(all.dismiss("b", "2"), None);
}

#[test]
fn the_same_id_of_two_extensions_is_two_panels() {
    let mut all = opened(&[("a", "x"), ("b", "x")]);
    assert_eq!(ids(&all), ["x", "x"]);
    assert_eq!(all.gone("a"), ["x"]);
    assert_eq!(all.stack()[0].extension, "b");
}

#[test]
fn a_key_waits_until_the_panel_is_drawn_or_25_ms_are_over() {
    let mut all = opened(&[("a", "1")]);
    let t = Instant::now();
    let mut out = Vec::new();
    for c in "héy!".chars() {
        out.extend(all.key("a", "1", Key::rune(c), t).unwrap());
    }
    assert_eq!(typed(&out), "h");
    assert_eq!(all.deadline(), Some(t + KEY_PACE));
    assert!(all.due(t + Duration::from_millis(24)).is_empty());
    let (drawn, next) = all
        .render(("a", "1"), None, vec!["h".into()], None, t)
        .unwrap();
    assert_eq!(drawn.lines, ["h"]);
    assert_eq!(typed(&[next.unwrap()]), "é");
    assert_eq!(typed(&all.due(t + KEY_PACE)), "y");
    assert_eq!(typed(&all.due(t + KEY_PACE * 2)), "!");
    assert_eq!(all.deadline(), None);
}

#[test]
fn a_late_drawing_lets_no_second_key_out() {
    let mut all = opened(&[("a", "1")]);
    let t = Instant::now();
    all.key("a", "1", Key::rune("x"), t).unwrap();
    let (_, next) = all.render(("a", "1"), None, vec![], None, t).unwrap();
    assert_eq!(next, None);
    let next = all.key("a", "1", Key::rune("y"), t).unwrap();
    assert_eq!(typed(&[next.unwrap()]), "y");
}

#[test]
fn keys_of_a_panel_that_closed_are_dropped() {
    let mut all = opened(&[("a", "1")]);
    let t = Instant::now();
    for c in "abc".chars() {
        all.key("a", "1", Key::rune(c), t).unwrap();
    }
    all.close("a", "1");
    all.open(panel("a", "1"), HashSet::new()).unwrap();
    assert!(all.due(t + KEY_PACE * 9).is_empty());
    assert!(all.key("a", "2", Key::rune("x"), t).is_err());
}

#[test]
fn too_many_keys_and_too_many_panels_are_refused() {
    let mut all = opened(&[("a", "1")]);
    let t = Instant::now();
    for _ in 0..=PANEL_KEYS {
        all.key("a", "1", Key::rune("x"), t).unwrap();
    }
    assert!(all.key("a", "1", Key::rune("x"), t).is_err());
    for n in 1..PANELS {
        all.open(panel("a", &format!("p{n}")), HashSet::new())
            .unwrap();
    }
    let refused = all.open(panel("a", "more"), HashSet::new()).unwrap_err();
    assert_eq!(
        (refused.panel_id.as_str(), refused.word),
        ("more", Word::Closed)
    );
    assert!(all.open(panel("b", "1"), HashSet::new()).is_ok());
}

#[test]
fn a_drawing_keeps_the_title_unless_it_brings_one() {
    let mut all = opened(&[("a", "1")]);
    let t = Instant::now();
    let footer = Some("f".to_owned());
    let (drawn, _) = all
        .render(("a", "1"), Some(" "), vec![], footer, t)
        .unwrap();
    assert_eq!(
        (drawn.title.as_str(), drawn.footer.as_deref()),
        ("T", Some("f"))
    );
    let (drawn, _) = all.render(("a", "1"), Some("N"), vec![], None, t).unwrap();
    assert_eq!((drawn.title.as_str(), drawn.footer), ("N", None));
    assert_eq!(all.render(("b", "1"), None, vec![], None, t), None);
}

#[test]
fn what_a_call_opened_closes_when_it_is_given_up() {
    let mut all = opened(&[("a", "before")]);
    let calls = HashSet::from(["c1".to_owned()]);
    all.open(panel("a", "ask"), calls.clone()).unwrap();
    all.open(panel("b", "other"), calls).unwrap();
    let told = all.given_up("a", "c1");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].panel_id, "ask");
    assert_eq!(ids(&all), ["before", "other"]);
}

#[test]
fn a_size_is_told_on_opening_and_on_change() {
    let mut all = opened(&[("a", "1")]);
    assert_eq!(all.resize(80, 20).len(), 1);
    assert!(all.resize(80, 20).is_empty());
    let told = all.open(panel("b", "2"), HashSet::new()).unwrap().unwrap();
    assert_eq!(told.word, Word::Size(80, 20));
}

#[test]
fn a_paste_is_a_run_of_characters() {
    let text: String = Key::paste("a\r\nb\u{1b}[2Jé")
        .into_iter()
        .filter_map(|key| key.text)
        .collect();
    assert_eq!(text, "a\nb[2Jé");
}
