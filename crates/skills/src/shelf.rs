//! The skills that are there now, for whoever asks later: a reload replaces them all at once.

use std::sync::{Arc, PoisonError, RwLock};

use crate::Skills;

/// A place for the current [`Skills`]. Cloning gives another handle to the same one.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Arc<RwLock<Arc<Skills>>>);

impl Shelf {
    /// A shelf with these.
    #[must_use]
    pub fn new(skills: Skills) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(skills))))
    }

    /// What is there now; does not change while the caller holds it.
    #[must_use]
    pub fn now(&self) -> Arc<Skills> {
        // Nothing can panic while the lock is held.
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts others in their place.
    pub fn replace(&self, skills: Skills) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(skills);
    }
}
