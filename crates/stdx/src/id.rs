//! Ids that are unique in this process and never used again.
//!
//! Does not promise uniqueness across processes: what is stored carries a UUID instead.

use std::sync::atomic::{AtomicU64, Ordering};

/// A source of ids `<prefix>-<n>`.
///
/// The ids consist of `[a-z0-9-]` when the prefix does, so that an extension may take them out of
/// a line with a regular expression.
#[derive(Debug)]
pub struct IdSource {
    prefix: &'static str,
    next: AtomicU64,
}

impl IdSource {
    /// A source that starts at 1.
    #[must_use]
    pub const fn new(prefix: &'static str) -> Self {
        Self {
            prefix,
            next: AtomicU64::new(1),
        }
    }

    /// The next id.
    pub fn next(&self) -> String {
        format!(
            "{}-{}",
            self.prefix,
            self.next.fetch_add(1, Ordering::Relaxed)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_never_reused() {
        static IDS: IdSource = IdSource::new("t");
        let mut all: Vec<String> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..1000).map(|_| IDS.next()).collect::<Vec<_>>()))
                .collect();
            workers
                .into_iter()
                .flat_map(|w| w.join().unwrap())
                .collect()
        });
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4000);
    }
}
