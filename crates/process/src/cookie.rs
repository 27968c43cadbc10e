//! The mark that a child and its offspring carry in their environment; does not look for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The variable that carries the mark.
pub(crate) const VARIABLE: &str = "ZEUG_SPAWN";

/// The common front of all cookies of one spawner: `<unique>.`, of `[a-z0-9-.]`.
#[derive(Debug, Clone)]
pub(crate) struct Family {
    front: Arc<str>,
    next: Arc<AtomicU64>,
}

impl Family {
    /// A family that no other spawner has had, on this machine and since it was started.
    pub(crate) fn new() -> Self {
        static SPAWNERS: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let number = SPAWNERS.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        Self {
            front: format!("{process:x}-{now:x}-{number}.").into(),
            next: Arc::default(),
        }
    }

    /// The mark of one more child.
    pub(crate) fn cookie(&self) -> Cookie {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Cookie(format!("{}{number}", self.front).into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.front
    }
}

/// The mark of one child and everything it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cookie(Arc<str>);

impl Cookie {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Cookie {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whose environments to look for.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// One child and its offspring.
    Child(Cookie),
    /// All children of a spawner, named by the front of their cookies.
    Family(String),
}

impl Mark {
    /// Whether an environment, as the kernel shows it (`A=1\0B=2\0`), carries the mark.
    pub(crate) fn is_in(&self, environment: &[u8]) -> bool {
        environment.split(|&byte| byte == 0).any(|entry| {
            let value = entry
                .strip_prefix(VARIABLE.as_bytes())
                .and_then(|entry| entry.strip_prefix(b"="));
            match (value, self) {
                (Some(value), Self::Child(cookie)) => value == cookie.as_str().as_bytes(),
                (Some(value), Self::Family(front)) => value.starts_with(front.as_bytes()),
                (None, _) => false,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_only_as_a_whole_entry() {
        let family = Family::new();
        let (first, second) = (family.cookie(), family.cookie());
        let environment = format!("A=1\0ZEUG_SPAWN={first}\0B=2\0").into_bytes();
        assert!(Mark::Child(first.clone()).is_in(&environment));
        assert!(!Mark::Child(second).is_in(&environment));
        assert!(Mark::Family(family.as_str().to_owned()).is_in(&environment));
        assert!(!Mark::Family(Family::new().as_str().to_owned()).is_in(&environment));
        let longer = format!("ZEUG_SPAWN={first}0\0").into_bytes();
        assert!(!Mark::Child(first.clone()).is_in(&longer));
        let elsewhere = format!("NOTE=ZEUG_SPAWN={first}\0").into_bytes();
        assert!(!Mark::Child(first).is_in(&elsewhere));
    }
}
