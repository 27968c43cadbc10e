//! A panel of an extension on the screen: which lines are seen, and keys in its words. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_app::{Key, Panel};

/// Marks at the beginning of the line that is chosen.
const MARKS: [&str; 5] = ["▸", "●", "›", ">", "\u{200b}"];

/// A panel on the screen.
#[derive(Debug)]
pub(crate) struct PanelLayer {
    /// What it shows.
    pub(crate) panel: Panel,
    /// The first line that is seen.
    scroll: usize,
    /// The user scrolled: until it is drawn again, the marked line may be out of view.
    is_free: bool,
}

impl PanelLayer {
    pub(crate) fn new(panel: Panel) -> Self {
        Self {
            panel,
            scroll: 0,
            is_free: false,
        }
    }

    pub(crate) fn is(&self, extension: &str, id: &str) -> bool {
        self.panel.extension == extension && self.panel.id == id
    }

    /// It shows something else.
    pub(crate) fn draw(&mut self, panel: Panel) {
        self.panel = panel;
        self.is_free = false;
    }

    pub(crate) fn scroll_by(&mut self, lines: isize) {
        self.scroll = self.scroll.saturating_add_signed(lines);
        self.is_free = true;
    }

    /// The first line that is seen of so many, of which so many have room.
    pub(crate) fn top(&mut self, lines: usize, room: usize, marked: Option<usize>) -> usize {
        if let Some(marked) = marked.filter(|_| !self.is_free) {
            if marked < self.scroll {
                self.scroll = marked;
            } else if room > 0 && marked >= self.scroll + room {
                self.scroll = marked + 1 - room;
            }
        }
        self.scroll = self.scroll.min(lines.saturating_sub(room));
        self.scroll
    }
}

/// Whether a line of a panel, without its colours, is marked.
pub(crate) fn is_marked(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    MARKS.iter().any(|mark| line.starts_with(mark))
}

/// A key in the words of extensions. Closing it is no key.
pub(crate) fn key(key: KeyEvent) -> Key {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let name = match key.code {
        // AltGr arrives as both.
        KeyCode::Char(c) if !ctrl || alt => return Key::rune(c),
        KeyCode::Up => "up",
        KeyCode::Down => "down",
        KeyCode::Left => "left",
        KeyCode::Right => "right",
        KeyCode::Enter => "enter",
        KeyCode::Tab => "tab",
        KeyCode::Backspace => "backspace",
        KeyCode::Delete => "delete",
        KeyCode::Home => "home",
        KeyCode::End => "end",
        KeyCode::PageUp => "pageup",
        KeyCode::PageDown => "pagedown",
        _ => "unknown",
    };
    Key::named(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_names_that_extensions_know() {
        let press = |code, modifiers| key(KeyEvent::new(code, modifiers));
        assert_eq!(
            press(KeyCode::Char(' '), KeyModifiers::NONE),
            Key::rune(' ')
        );
        assert_eq!(press(KeyCode::Char('é'), KeyModifiers::ALT), Key::rune('é'));
        assert_eq!(
            press(KeyCode::Enter, KeyModifiers::SHIFT),
            Key::named("enter")
        );
        assert_eq!(
            press(KeyCode::BackTab, KeyModifiers::SHIFT),
            Key::named("unknown")
        );
        assert_eq!(
            press(KeyCode::Char('x'), KeyModifiers::CONTROL),
            Key::named("unknown")
        );
        for code in [
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Delete,
            KeyCode::F(1),
        ] {
            let name = press(code, KeyModifiers::NONE).name;
            assert!(Key::NAMES.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn the_marked_line_stays_in_view_until_the_user_scrolls() {
        let panel = Panel {
            extension: "e".into(),
            id: "p".into(),
            title: String::new(),
            lines: Vec::new(),
            footer: None,
        };
        let mut layer = PanelLayer::new(panel.clone());
        assert_eq!(layer.top(50, 10, Some(30)), 21);
        assert_eq!(layer.top(50, 10, Some(25)), 21);
        assert_eq!(layer.top(50, 10, Some(3)), 3);
        layer.scroll_by(30);
        assert_eq!(layer.top(50, 10, Some(3)), 33);
        layer.draw(panel);
        assert_eq!(layer.top(50, 10, Some(3)), 3);
        assert_eq!(layer.top(5, 10, None), 0);
    }

    #[test]
    fn marks_are_those_of_the_protocol() {
        for line in ["▸ a", "  › b", "> c", "● d", "\u{200b}e"] {
            assert!(is_marked(line), "{line}");
        }
        assert!(!is_marked("a > b"));
    }
}
