//! Something to choose from: a list that is narrowed by typing. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

/// A row to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// What it is called.
    pub(crate) label: String,
    /// More about it.
    pub(crate) detail: String,
    /// What choosing it means.
    pub(crate) choice: Choice,
}

/// What choosing a row means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Do this line.
    Line(String),
    /// Put this into the editor.
    Insert(String),
    /// Begin a branch before this message.
    Fork(String),
    /// Use this theme.
    Theme(String),
    /// Change this setting.
    Setting(usize),
}

/// Something to choose from.
#[derive(Debug)]
pub(crate) struct Picker {
    /// Its headline.
    pub(crate) title: String,
    rows: Vec<Row>,
    /// The rows that fit what was typed, the best first.
    shown: Vec<usize>,
    /// What was typed.
    pub(crate) query: String,
    /// Which of the shown is marked.
    pub(crate) at: usize,
    /// How many had room when it was drawn.
    pub(crate) room: usize,
}

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// Still choosing.
    Used,
    /// Nothing was chosen.
    Closed,
    /// This was chosen.
    Chosen(Choice),
}

impl Picker {
    pub(crate) fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        let shown = (0..rows.len()).collect();
        Self {
            title: title.into(),
            rows,
            shown,
            query: String::new(),
            at: 0,
            room: 1,
        }
    }

    /// The same list with other words; the mark stays.
    pub(crate) fn replace(&mut self, rows: Vec<Row>) {
        let at = self.at;
        self.rows = rows;
        self.narrow(self.query.clone());
        self.move_by(at.cast_signed());
    }

    /// With this row marked.
    pub(crate) fn marking(mut self, wanted: impl Fn(&Row) -> bool) -> Self {
        self.at = self.rows.iter().position(wanted).unwrap_or(0);
        self
    }

    /// The rows that fit, in order.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Row> {
        self.shown.iter().filter_map(|at| self.rows.get(*at))
    }

    /// The row that is marked.
    pub(crate) fn marked(&self) -> Option<&Row> {
        self.rows.get(*self.shown.get(self.at)?)
    }

    /// How many fit, and how many there are.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.shown.len(), self.rows.len())
    }

    pub(crate) fn move_by(&mut self, rows: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(rows).min(last);
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Picked {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let page = self.room.max(1).cast_signed();
        match key.code {
            KeyCode::Up => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab => self.move_by(1),
            KeyCode::Char('p') if ctrl => self.move_by(-1),
            KeyCode::Char('n' | 'r') if ctrl => self.move_by(1),
            KeyCode::PageUp => self.move_by(-page),
            KeyCode::PageDown => self.move_by(page),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.move_by(isize::MAX),
            KeyCode::Enter => {
                return self
                    .marked()
                    .map_or(Picked::Used, |row| Picked::Chosen(row.choice.clone()));
            }
            KeyCode::Esc => return Picked::Closed,
            KeyCode::Char('c') if ctrl => return Picked::Closed,
            KeyCode::Char('u') if ctrl => self.narrow(String::new()),
            KeyCode::Backspace => {
                let mut query = self.query.clone();
                query.pop();
                self.narrow(query);
            }
            KeyCode::Char(c) if !ctrl => self.narrow(format!("{}{c}", self.query)),
            _ => {}
        }
        Picked::Used
    }

    /// Shows what fits this.
    pub(crate) fn narrow(&mut self, query: String) {
        let of = |row: &Row| format!("{} {}", row.label, row.detail);
        self.shown = best(&query, self.rows.iter().map(of));
        self.query = query;
        self.at = 0;
    }
}

/// The places of those that fit a query, the best first; all of them when it is empty.
pub(crate) fn best(query: &str, texts: impl Iterator<Item = impl AsRef<str>>) -> Vec<usize> {
    if query.trim().is_empty() {
        return texts.enumerate().map(|(at, _)| at).collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(at, text)| {
            let text = Utf32Str::new(text.as_ref(), &mut buffer);
            Some((pattern.score(text, &mut matcher)?, at))
        })
        .collect();
    // Equal ones stay in order.
    scored.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    scored.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str) -> Row {
        Row {
            label: label.to_owned(),
            detail: String::new(),
            choice: Choice::Line(label.to_owned()),
        }
    }

    fn press(picker: &mut Picker, code: KeyCode) -> Picked {
        picker.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn typing_narrows_and_enter_chooses() {
        let mut picker = Picker::new("models", vec![row("opus"), row("sonnet"), row("haiku")]);
        press(&mut picker, KeyCode::Char('k'));
        assert_eq!(picker.counts(), (1, 3));
        let chosen = press(&mut picker, KeyCode::Enter);
        assert_eq!(chosen, Picked::Chosen(Choice::Line("haiku".into())));
        press(&mut picker, KeyCode::Char('x'));
        assert_eq!(
            press(&mut picker, KeyCode::Enter),
            Picked::Used,
            "nothing fits"
        );
        press(&mut picker, KeyCode::Backspace);
        press(&mut picker, KeyCode::Backspace);
        assert_eq!(picker.counts(), (3, 3));
        assert_eq!(press(&mut picker, KeyCode::Esc), Picked::Closed);
    }

    #[test]
    fn the_mark_stays_within_the_list() {
        let mut picker = Picker::new("x", vec![row("a"), row("b")]);
        press(&mut picker, KeyCode::Up);
        assert_eq!(picker.at, 0);
        press(&mut picker, KeyCode::End);
        press(&mut picker, KeyCode::Down);
        assert_eq!(picker.at, 1);
    }
}
