//! Earlier states of a text. Letters typed in a row are one step, up to the next space.

/// The most steps that are kept.
const MAX_STEPS: usize = 200;
/// The most bytes that are kept in all steps together.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What kind of change follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A letter.
    Typed,
    /// White space: the end of a step.
    Space,
    /// A cluster was deleted.
    Deleted,
    /// Anything else: a step of its own.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    text: String,
    cursor: usize,
}

/// Earlier states, and those that were undone.
#[derive(Debug, Default)]
pub(super) struct Undo {
    past: Vec<State>,
    future: Vec<State>,
    last: Option<Kind>,
}

impl Undo {
    /// Keeps the state before a change.
    pub(super) fn save(&mut self, kind: Kind, text: &str, cursor: usize) {
        self.future.clear();
        let goes_on = self.last == Some(kind) && matches!(kind, Kind::Typed | Kind::Deleted);
        self.last = Some(kind);
        if goes_on {
            return;
        }
        self.past.push(State {
            text: text.to_owned(),
            cursor,
        });
        let mut bytes: usize = self.past.iter().map(|state| state.text.len()).sum();
        while self.past.len() > MAX_STEPS || (bytes > MAX_BYTES && self.past.len() > 1) {
            bytes -= self.past.remove(0).text.len();
        }
    }

    /// A move of the cursor ends a step.
    pub(super) fn pause(&mut self) {
        self.last = None;
    }

    /// The state before, when there is one.
    pub(super) fn undo(&mut self, text: &mut String, cursor: &mut usize) -> bool {
        self.last = None;
        change(&mut self.past, &mut self.future, text, cursor)
    }

    /// What was undone last.
    pub(super) fn redo(&mut self, text: &mut String, cursor: &mut usize) -> bool {
        self.last = None;
        change(&mut self.future, &mut self.past, text, cursor)
    }
}

fn change(
    from: &mut Vec<State>,
    to: &mut Vec<State>,
    text: &mut String,
    cursor: &mut usize,
) -> bool {
    let Some(state) = from.pop() else {
        return false;
    };
    to.push(State {
        text: std::mem::replace(text, state.text),
        cursor: std::mem::replace(cursor, state.cursor),
    });
    true
}
