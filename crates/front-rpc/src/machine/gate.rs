//! Who is let in, and what is kept for them until then.
//!
//! Does not know what a request wants.

use std::collections::VecDeque;

use zeug_rpc_protocol::Event;

/// Events that are kept for a client that is not there yet; later ones are dropped (zot and zut).
const HELD: usize = 64;

pub(crate) struct Gate {
    token: Option<String>,
    open: bool,
    held: VecDeque<Event>,
}

impl Gate {
    pub(crate) fn new(token: Option<String>) -> Self {
        Self {
            token,
            open: false,
            held: VecDeque::new(),
        }
    }

    /// Whether somebody is there who may hear everything.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Somebody spoke. Without a token that is enough.
    pub(crate) fn knock(&mut self) {
        self.open |= self.token.is_none();
    }

    /// Somebody said `hello`; whether they are let in.
    pub(crate) fn admit(&mut self, token: Option<&str>) -> bool {
        self.open |= match &self.token {
            None => true,
            Some(expected) => token.is_some_and(|token| same(expected, token)),
        };
        self.open
    }

    /// Keeps an event for later.
    pub(crate) fn hold(&mut self, event: Event) {
        if self.held.len() < HELD {
            self.held.push_back(event);
        }
    }

    /// What was kept, once.
    pub(crate) fn held(&mut self) -> VecDeque<Event> {
        std::mem::take(&mut self.held)
    }
}

/// Compares without telling by its duration how much is right.
fn same(expected: &str, token: &str) -> bool {
    let differ = |(a, b): (u8, u8)| a ^ b;
    let pairs = expected.bytes().zip(token.bytes());
    expected.len() == token.len() && pairs.map(differ).fold(0, |all, one| all | one) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_opens() {
        let mut gate = Gate::new(Some("secret".into()));
        gate.knock();
        for wrong in [
            None,
            Some(""),
            Some("secreT"),
            Some("secrets"),
            Some("secre"),
        ] {
            assert!(!gate.admit(wrong), "{wrong:?}");
        }
        assert!(gate.admit(Some("secret")) && gate.is_open());
    }

    #[test]
    fn without_a_token_a_word_opens() {
        let mut gate = Gate::new(None);
        assert!(!gate.is_open());
        gate.knock();
        assert!(gate.is_open() && gate.admit(Some("anything")));
    }

    #[test]
    fn the_first_64_events_are_kept() {
        let mut gate = Gate::new(None);
        for step in 1..=HELD as u32 + 9 {
            gate.hold(Event::TurnStart { step });
        }
        let held = gate.held();
        assert_eq!(held.len(), HELD);
        assert_eq!(held[HELD - 1], Event::TurnStart { step: HELD as u32 });
        assert!(gate.held().is_empty());
    }
}
