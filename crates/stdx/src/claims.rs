//! Names that several may claim and one holds: the lowest order wins, whoever came first in time.
//!
//! Used for tools and for slash commands, so that both resolve conflicts alike.

use std::collections::BTreeMap;

/// Where a claimant stands: built-ins are 0, extensions follow in load order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(pub u32);

impl Order {
    /// The order of everything built in.
    pub const BUILT_IN: Self = Self(0);
}

#[derive(Debug)]
struct Claim<T> {
    order: Order,
    owner: String,
    value: T,
}

/// A table from name to the claims on it, best first.
#[derive(Debug)]
pub struct Claims<T> {
    by_name: BTreeMap<String, Vec<Claim<T>>>,
}

impl<T> Default for Claims<T> {
    fn default() -> Self {
        Self {
            by_name: BTreeMap::new(),
        }
    }
}

/// How a claim stands after it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Nobody better claims the name. `beaten` names the holder that was pushed aside, if any.
    Holds {
        /// The owner that held the name until now.
        beaten: Option<String>,
    },
    /// `by` holds the name; this claim waits behind it.
    Shadowed {
        /// The owner that holds the name.
        by: String,
    },
}

impl<T> Claims<T> {
    /// Claims `name` for `owner`; a second claim of one owner replaces its first.
    pub fn claim(&mut self, name: &str, order: Order, owner: &str, value: T) -> Standing {
        let claims = self.by_name.entry(name.to_owned()).or_default();
        let before = claims.first().map(|c| c.owner.clone());
        claims.retain(|c| c.owner != owner);
        let at = claims.partition_point(|c| c.order <= order);
        claims.insert(
            at,
            Claim {
                order,
                owner: owner.to_owned(),
                value,
            },
        );
        if at == 0 {
            Standing::Holds {
                beaten: before.filter(|b| b != owner),
            }
        } else {
            Standing::Shadowed {
                by: claims[0].owner.clone(),
            }
        }
    }

    /// Gives up one claim; true when there was one.
    pub fn release(&mut self, name: &str, owner: &str) -> bool {
        let Some(claims) = self.by_name.get_mut(name) else {
            return false;
        };
        let before = claims.len();
        claims.retain(|c| c.owner != owner);
        let released = claims.len() < before;
        if claims.is_empty() {
            self.by_name.remove(name);
        }
        released
    }

    /// Gives up every claim of `owner`.
    pub fn release_all(&mut self, owner: &str) {
        self.by_name.retain(|_, claims| {
            claims.retain(|c| c.owner != owner);
            !claims.is_empty()
        });
    }

    /// Who holds `name`, and with what.
    #[must_use]
    pub fn holder(&self, name: &str) -> Option<(&str, &T)> {
        let claim = self.by_name.get(name)?.first()?;
        Some((&claim.owner, &claim.value))
    }

    /// Every name with its holder, sorted by name.
    pub fn holders(&self) -> impl Iterator<Item = (&str, &str, &T)> {
        self.by_name.iter().filter_map(|(name, claims)| {
            let claim = claims.first()?;
            Some((name.as_str(), claim.owner.as_str(), &claim.value))
        })
    }

    /// Every claim that another one shadows, as (name, loser, winner).
    pub fn shadowed(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.by_name.iter().flat_map(|(name, claims)| {
            let winner = claims.first().map_or("", |c| c.owner.as_str());
            claims
                .iter()
                .skip(1)
                .map(move |c| (name.as_str(), c.owner.as_str(), winner))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_decides_not_time() {
        let mut claims = Claims::default();
        let late = claims.claim("x", Order(2), "second", 2);
        assert_eq!(late, Standing::Holds { beaten: None });
        let early = claims.claim("x", Order(1), "first", 1);
        assert_eq!(
            early,
            Standing::Holds {
                beaten: Some("second".into())
            }
        );
        assert_eq!(claims.holder("x"), Some(("first", &1)));
        assert_eq!(
            claims.shadowed().collect::<Vec<_>>(),
            [("x", "second", "first")]
        );
        claims.release_all("first");
        assert_eq!(claims.holder("x"), Some(("second", &2)));
    }

    #[test]
    fn a_second_claim_of_one_owner_replaces_its_first() {
        let mut claims = Claims::default();
        claims.claim("x", Order(1), "a", 1);
        assert_eq!(
            claims.claim("x", Order(1), "a", 9),
            Standing::Holds { beaten: None }
        );
        assert_eq!(claims.holder("x"), Some(("a", &9)));
        assert!(claims.release("x", "a"));
        assert!(!claims.release("x", "a"));
        assert_eq!(claims.holders().count(), 0);
    }
}
