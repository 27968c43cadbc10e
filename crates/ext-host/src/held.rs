//! What one extension holds, counted against the bound that each kind has.

use std::collections::BTreeSet;

use zeug_ext_protocol::limits::REGISTRATIONS;

/// The registrations of one extension. What was taken back does not count, nor what replaces.
#[derive(Debug, Default)]
pub(crate) struct Held {
    pub(crate) tools: Names,
    pub(crate) commands: Names,
    interceptions: Vec<Option<String>>,
}

/// Names of one kind.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// Whether `name` may be registered.
    pub(crate) fn has_room_for(&self, name: &str) -> bool {
        self.0.len() < REGISTRATIONS || self.0.contains(name)
    }

    pub(crate) fn insert(&mut self, name: String) {
        self.0.insert(name);
    }

    /// Those that are not among these.
    pub(crate) fn without(&self, others: &Self) -> Vec<String> {
        self.0.difference(&others.0).cloned().collect()
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }
}

impl Held {
    /// Counts one more interception, with its id; false when there are too many.
    pub(crate) fn intercept(&mut self, id: Option<String>) -> bool {
        let has_room = self.interceptions.len() < REGISTRATIONS;
        if has_room {
            self.interceptions.push(id);
        }
        has_room
    }

    /// Those of this id were disposed of.
    pub(crate) fn unsubscribe(&mut self, id: &str) {
        self.interceptions
            .retain(|held| held.as_deref() != Some(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_back_makes_room() {
        let mut names = Names::default();
        (0..REGISTRATIONS).for_each(|n| names.insert(n.to_string()));
        assert!(names.has_room_for("0") && !names.has_room_for("new"));
        names.remove("0");
        assert!(names.has_room_for("new"));
        let mut held = Held::default();
        assert!((0..REGISTRATIONS).all(|_| held.intercept(Some("x".to_owned()))));
        assert!(!held.intercept(None));
        held.unsubscribe("x");
        assert!(held.intercept(None));
    }
}
