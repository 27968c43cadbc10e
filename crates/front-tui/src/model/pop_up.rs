//! The lists that open while a command or a file name is typed.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_app::{BUILT_INS, built_in};

use super::Model;
use crate::layer::best;
use crate::word::Effect;

/// The most rows that are kept.
const MAX_ROWS: usize = 200;

/// What a pop-up lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Command,
    File,
}

/// A row of a pop-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it puts in.
    pub(crate) label: String,
    pub(crate) detail: String,
    /// Above it stands a line that separates: what follows.
    pub(crate) under: Option<&'static str>,
}

/// A list below the cursor's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PopUp {
    pub(crate) subject: Subject,
    /// The bytes of the editor that a choice replaces.
    range: Range<usize>,
    pub(crate) lines: Vec<Line>,
    pub(crate) at: usize,
    /// The user closed it; it stays away while the same word is typed.
    pub(crate) is_closed: bool,
    /// Files are being looked for.
    pub(crate) is_waiting: bool,
}

impl PopUp {
    pub(crate) fn is_open(&self) -> bool {
        !self.is_closed && (!self.lines.is_empty() || self.is_waiting)
    }
}

impl Model {
    /// Looks anew what is typed at the cursor.
    pub(super) fn refresh_pop_up(&mut self) {
        // Up and down go through what was sent before, not through a list.
        let word = self
            .word_at_cursor()
            .filter(|_| !self.history.is_browsing());
        let Some((subject, range)) = word else {
            self.pop_up = None;
            return;
        };
        let old = self.pop_up.take();
        let same = |old: &PopUp| old.subject == subject && old.range.start == range.start;
        let old = old.filter(same);
        // Extensions come and go; files do so less, and are many.
        let is_typed = old.as_ref().is_none_or(|old| old.range != range);
        match subject {
            Subject::Command if is_typed => self.effects.push(Effect::Commands),
            Subject::File if old.is_none() => self.effects.push(Effect::Files),
            Subject::Command | Subject::File => {}
        }
        let query = self.editor.text()[range.start + 1..range.end].to_owned();
        let lines = match subject {
            Subject::Command => self.command_lines(&query),
            Subject::File => self.file_lines(&query),
        };
        self.pop_up = Some(PopUp {
            subject,
            range,
            at: 0,
            is_closed: old.is_some_and(|old| old.is_closed),
            is_waiting: subject == Subject::File && self.files.is_none(),
            lines,
        });
    }

    /// The word that a pop-up is about, with its sign.
    fn word_at_cursor(&self) -> Option<(Subject, Range<usize>)> {
        let before = &self.editor.text()[..self.editor.cursor()];
        let start = before.rfind(char::is_whitespace).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        let range = start..before.len();
        match before[start..].chars().next()? {
            '/' if start == 0 && !before[1..].contains('/') => Some((Subject::Command, range)),
            '@' => Some((Subject::File, range)),
            _ => None,
        }
    }

    fn command_lines(&self, query: &str) -> Vec<Line> {
        let line = |name: &str, what: &str| Line {
            label: format!("/{name}"),
            detail: zeug_paint::safe::plain_line(what).into_owned(),
            under: None,
        };
        let ours = BUILT_INS.iter().filter(|command| !command.hidden);
        let ours: Vec<Line> = ours
            .map(|command| line(command.name, command.what))
            .collect();
        let theirs = self.commands.iter();
        let theirs: Vec<Line> = theirs.map(|(name, what)| line(name, what)).collect();
        let (mut lines, mut theirs) = narrowed(query, ours, theirs);
        if let Some(first) = theirs.first_mut() {
            first.under = Some("extensions");
        }
        lines.extend(theirs);
        lines
    }

    fn file_lines(&self, query: &str) -> Vec<Line> {
        let Some(files) = &self.files else {
            return Vec::new();
        };
        let fitting = best(query, files.iter()).into_iter().take(MAX_ROWS);
        let fitting = fitting.filter_map(|at| files.get(at));
        fitting
            .map(|file| Line {
                label: format!("@{file}"),
                detail: String::new(),
                under: None,
            })
            .collect()
    }

    /// Gives a key to the pop-up; false when it does not want it.
    pub(super) fn pop_up_key(&mut self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let Some(pop_up) = self.pop_up.as_mut().filter(|pop_up| pop_up.is_open()) else {
            return false;
        };
        let count = pop_up.lines.len();
        match key.code {
            KeyCode::Esc => pop_up.is_closed = true,
            KeyCode::Up if count > 0 => pop_up.at = (pop_up.at + count - 1) % count,
            KeyCode::Down if count > 0 => pop_up.at = (pop_up.at + 1) % count,
            KeyCode::Char('p') if ctrl && count > 0 => pop_up.at = (pop_up.at + count - 1) % count,
            KeyCode::Char('n') if ctrl && count > 0 => pop_up.at = (pop_up.at + 1) % count,
            KeyCode::Tab if count > 0 => self.complete(),
            KeyCode::Enter if key.modifiers.is_empty() && count > 0 => {
                let is_command = pop_up.subject == Subject::Command;
                let label = pop_up.lines[pop_up.at].label.clone();
                self.complete();
                // A command that needs more words waits for them.
                let needs = |name: &str| {
                    let args = built_in(name).map_or("", |command| command.args);
                    !args.is_empty() && !args.starts_with('[')
                };
                if is_command && !needs(label.trim_start_matches('/')) {
                    return false;
                }
            }
            _ => return false,
        }
        true
    }

    fn complete(&mut self) {
        let Some(pop_up) = self.pop_up.take() else {
            return;
        };
        if let Some(line) = pop_up.lines.get(pop_up.at) {
            self.editor
                .replace(pop_up.range, &format!("{} ", line.label));
        }
    }
}

/// Those of both that begin like the query; when there are none, those that fit it otherwise.
fn narrowed(query: &str, ours: Vec<Line>, theirs: Vec<Line>) -> (Vec<Line>, Vec<Line>) {
    let begins = |line: &&Line| {
        let name = line.label.as_bytes().get(1..1 + query.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(query.as_bytes()))
    };
    let first = |lines: &[Line]| lines.iter().filter(begins).cloned().collect::<Vec<_>>();
    let (our_first, their_first) = (first(&ours), first(&theirs));
    if !our_first.is_empty() || !their_first.is_empty() {
        return (our_first, their_first);
    }
    let fitting = |lines: Vec<Line>| {
        let places = best(query, lines.iter().map(|line| &line.label));
        let fitting = places.into_iter().filter_map(|at| lines.get(at).cloned());
        fitting.collect()
    };
    (fitting(ours), fitting(theirs))
}
