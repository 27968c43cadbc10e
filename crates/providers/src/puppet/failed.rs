//! The failures that already happened, so that a retry succeeds.
//!
//! Knows places as numbers only.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use zeug_provider::Failure;

use super::answer::Fail;

/// How many places are remembered; the oldest is forgotten, and would fail once more.
const REMEMBERED: usize = 1024;

/// A memory of places.
#[derive(Debug, Default)]
pub(crate) struct Failed {
    places: Mutex<VecDeque<u64>>,
}

impl Failed {
    /// Fails the first time at each place, and every time without one.
    ///
    /// # Errors
    /// The failure that is due.
    pub(crate) fn check(&self, fail: &Fail) -> Result<(), Failure> {
        if let Some(place) = fail.once_at {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            if places.contains(&place) {
                return Ok(());
            }
            if places.len() == REMEMBERED {
                places.pop_front();
            }
            places.push_back(place);
        }
        Err(fail.failure.clone())
    }
}
