//! What is shown after news.

use super::*;

fn take(surface: &mut Surface, news: News) -> Changes {
    surface.news(news, &HashSet::new(), Instant::now()).unwrap()
}

fn status(key: &str, text: &str) -> News {
    News::Status {
        extension: "a".into(),
        key: key.into(),
        level: Level::Info,
        text: text.into(),
    }
}

fn panel(id: &str) -> News {
    News::PanelOpen {
        extension: "a".into(),
        panel: PanelSpec {
            id: id.into(),
            lines: vec!["\u{1b}[31mred\u{1b}[2J".into()],
            ..PanelSpec::default()
        },
    }
}

#[test]
fn a_status_is_told_when_it_changes_and_cleared_by_nothing() {
    let mut surface = Surface::default();
    assert_eq!(take(&mut surface, status("k", "1\n2")).notices.len(), 1);
    assert!(take(&mut surface, status("k", "1\n2")).notices.is_empty());
    assert_eq!(surface.shown().status[0].text, "1 ↩ 2");
    assert_eq!(take(&mut surface, status("k", " ")).notices.len(), 1);
    assert!(take(&mut surface, status("k", "")).notices.is_empty());
    assert!(surface.shown().status.is_empty());
}

#[test]
fn nobody_fills_the_screen() {
    let mut surface = Surface::default();
    for n in 0..MARKS + 5 {
        take(&mut surface, status(&n.to_string(), "x"));
    }
    assert_eq!(surface.shown().status.len(), MARKS);
    assert_eq!(take(&mut surface, status("0", "y")).notices.len(), 1);
    for n in 0..50 {
        take(&mut surface, panel(&n.to_string()));
    }
    assert_eq!(surface.shown().panels.len(), 16);
}

#[test]
fn panels_are_clean_and_named_after_their_extension() {
    let mut surface = Surface::default();
    take(&mut surface, panel("p"));
    let shown = surface.shown().panels.remove(0);
    assert_eq!(shown.title, "a");
    assert_eq!(shown.lines, ["\u{1b}[31mred\u{1b}[0m"]);
}

#[test]
fn an_extension_takes_everything_with_it() {
    let mut surface = Surface::default();
    take(&mut surface, panel("p"));
    take(&mut surface, status("k", "x"));
    let notices = surface.gone("a");
    assert!(matches!(
        notices.as_slice(),
        [Notice::PanelClosed { .. }, Notice::ChromeCleared { .. }]
    ));
    assert_eq!(surface.shown(), Shown::default());
}

#[test]
fn without_a_face_for_them_panels_end_at_once() {
    let mut surface = Surface::default();
    take(&mut surface, panel("p"));
    assert_eq!(surface.set_shown(false).len(), 1);
    let refused = take(&mut surface, panel("q"));
    assert_eq!(refused.tells[0].word, Word::Closed);
    assert!(refused.notices.is_empty());
    surface.set_shown(true);
    assert_eq!(take(&mut surface, panel("q")).notices.len(), 1);
}
