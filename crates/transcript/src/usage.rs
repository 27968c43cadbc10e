//! Tokens as a provider counts them, and what they cost.

use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Token counts of one request, or a sum of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request that were neither read from a cache nor written to one.
    pub input_tokens: u64,
    /// Tokens of the answer, reasoning included.
    pub output_tokens: u64,
    /// Tokens of the request that came from the provider's cache.
    pub cache_read_tokens: u64,
    /// Tokens of the request that were written to the provider's cache.
    pub cache_write_tokens: u64,
    /// What they cost; `None` when the price of any of them is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Usd>,
}

impl Usage {
    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.input_tokens == 0
            && self.output_tokens == 0
            && self.cache_read_tokens == 0
            && self.cache_write_tokens == 0
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        // Nothing costs nothing, whether or not somebody said so.
        self.cost_usd = match (self.is_empty(), other.is_empty()) {
            (true, _) => other.cost_usd,
            (false, true) => self.cost_usd,
            (false, false) => self
                .cost_usd
                .zip(other.cost_usd)
                .map(|(a, b)| a.saturating_add(b)),
        };
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cache_read_tokens += other.cache_read_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
    }
}

/// An amount of US dollars, exact to a billionth. In JSON a number of dollars: `0.0123`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Usd {
    nanos: u64,
}

impl Usd {
    const NANOS: f64 = 1e9;

    /// The nearest amount; what is below zero or no number is nothing.
    #[must_use]
    pub fn of(dollars: f64) -> Self {
        Self {
            // Saturates at both ends.
            nanos: (dollars * Self::NANOS).round() as u64,
        }
    }

    /// As a number of dollars.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.nanos as f64 / Self::NANOS
    }

    /// The sum, as far as it can be told.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self {
            nanos: self.nanos.saturating_add(other.nanos),
        }
    }
}

/// `$1.23`, with as many more decimals as a small amount needs: `$0.0042`.
impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.nanos {
            0 | 100_000_000.. => 2,
            1_000_000.. => 4,
            _ => 6,
        };
        write!(f, "${:.decimals$}", self.dollars())
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.dollars().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(input_tokens: u64, cost: Option<f64>) -> Usage {
        Usage {
            input_tokens,
            cost_usd: cost.map(Usd::of),
            ..Usage::default()
        }
    }

    #[test]
    fn a_sum_has_a_cost_when_all_of_it_has_one() {
        let sum = |usages: &[Usage]| {
            let mut sum = Usage::default();
            usages.iter().for_each(|usage| sum += *usage);
            sum.cost_usd.map(Usd::dollars)
        };
        assert_eq!(sum(&[]), None);
        assert_eq!(sum(&[used(1, Some(0.1)), used(1, Some(0.2))]), Some(0.3));
        assert_eq!(sum(&[used(1, Some(0.1)), used(0, None)]), Some(0.1));
        assert_eq!(sum(&[used(1, Some(0.1)), used(1, None)]), None);
        assert_eq!(sum(&[used(1, None), used(1, Some(0.1))]), None);
    }

    #[test]
    fn amounts_are_numbers_in_json_and_short_for_people() {
        let json = serde_json::to_string(&Usd::of(0.1 + 0.2)).unwrap();
        assert_eq!(json, "0.3");
        assert_eq!(serde_json::from_str::<Usd>("0.3").unwrap(), Usd::of(0.3));
        let shown = |dollars| Usd::of(dollars).to_string();
        assert_eq!(shown(0.0), "$0.00");
        assert_eq!(shown(12.345), "$12.35");
        assert_eq!(shown(0.0042), "$0.0042");
        assert_eq!(shown(0.000_012), "$0.000012");
        assert_eq!(Usd::of(-1.0), Usd::default());
        assert_eq!(Usd::of(f64::NAN), Usd::default());
    }
}
