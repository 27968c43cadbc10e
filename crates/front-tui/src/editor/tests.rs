//! Keys, and what they make of a text. `|` is the cursor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Editor, FOLDED_LINES, rows};

fn editor(text: &str) -> Editor {
    let cursor = text.find('|').expect("a cursor");
    let mut editor = Editor::default();
    editor.set_width(80);
    editor.set(&text.replace('|', ""));
    editor.cursor = cursor;
    editor
}

fn shown(editor: &Editor) -> String {
    let mut text = editor.text().to_owned();
    text.insert(editor.cursor(), '|');
    text
}

fn key(word: &str) -> KeyEvent {
    let (modifiers, name) = match word.split_once('+') {
        Some(("ctrl", name)) => (KeyModifiers::CONTROL, name),
        Some(("alt", name)) => (KeyModifiers::ALT, name),
        _ => (KeyModifiers::NONE, word),
    };
    let code = match name {
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "enter" => KeyCode::Enter,
        other => KeyCode::Char(other.chars().next().expect("a character")),
    };
    KeyEvent::new(code, modifiers)
}

fn check(before: &str, keys: &str, after: &str) {
    let mut editor = editor(before);
    for word in keys.split(' ') {
        editor.key(key(word));
    }
    assert_eq!(shown(&editor), after, "{before:?} after {keys}");
}

#[test]
fn clusters_are_passed_and_deleted_whole() {
    check("ab|", "left", "a|b");
    check("👩‍👩‍👧|", "left", "|👩‍👩‍👧");
    check("e\u{301}x|", "backspace backspace", "|");
    check("日本|語", "delete", "日本|");
    check("|", "backspace left right delete", "|");
}

#[test]
fn words_and_lines_are_moved_over_and_cut() {
    check("one two-three|", "alt+b", "one two-|three");
    check("one  two|", "ctrl+w", "one  |");
    check("|one two", "alt+f", "one| two");
    check("one\ntw|o", "ctrl+u", "one\n|o");
    check("one\nt|wo", "ctrl+k ctrl+y ctrl+y", "one\ntwowo|");
    check("one\ntwo|", "ctrl+a", "one\n|two");
    check("a|", "alt+enter b", "a\nb|");
}

#[test]
fn undo_takes_words_and_single_steps_back() {
    check("|", "a b ctrl+z", "|");
    let mut text = editor("|");
    for part in ["one", " ", "two"] {
        text.insert(part);
    }
    text.key(key("ctrl+z"));
    assert_eq!(shown(&text), "one |");
    text.key(key("ctrl+z"));
    assert_eq!(shown(&text), "one|");
    text.key(key("alt+z"));
    assert_eq!(shown(&text), "one |");
}

#[test]
fn up_and_down_keep_their_column_over_short_rows() {
    check(
        "long line\nx\nanother |one",
        "up up",
        "long lin|e\nx\nanother one",
    );
    check("one|", "up", "one|");
    check("日本語|\nab", "down", "日本語\nab|");
}

#[test]
fn rows_break_at_spaces_and_never_exceed_the_width() {
    let show = |text: &str, width| {
        let editor = editor(text);
        let rows = rows(&editor, width);
        let shown: Vec<String> = (0..rows.rows.len())
            .map(|at| rows.shown(&editor, at))
            .collect();
        (shown, rows.cursor)
    };
    let all = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
    assert_eq!(show("one two|", 5), (all(&["one ", "two"]), (1, 3)));
    assert_eq!(show("abcdefg|", 3), (all(&["abc", "def", "g"]), (2, 1)));
    assert_eq!(show("abc|", 3), (all(&["abc", ""]), (1, 0)));
    assert_eq!(show("日本語|", 5), (all(&["日本", "語"]), (1, 2)));
    assert_eq!(show("a\n\n|b", 5), (all(&["a", "", "b"]), (2, 0)));
}

#[test]
fn a_big_paste_is_one_piece_and_whole_for_the_model() {
    let mut editor = editor("see |!");
    let lines = "line\n".repeat(FOLDED_LINES + 1);
    editor.paste(&lines);
    let written = editor.written();
    assert_eq!(written.text, format!("see {lines}!"));
    assert_eq!(written.shown, "see [paste 1: 9 lines]!");
    editor.key(key("backspace"));
    assert_eq!(editor.written().text, "see !");
    editor.key(key("ctrl+z"));
    assert_eq!(editor.written().text, format!("see {lines}!"));
}

#[test]
fn nothing_typed_or_pasted_drives_the_terminal_or_forges_a_piece() {
    let mut editor = editor("|");
    editor.paste("a\u{1b}[2Jb\u{f0000}\r\nc");
    assert_eq!(editor.text(), "ab\nc");
}
