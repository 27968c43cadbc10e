//! A model's facts.

use rig_core::catalog::ModelSpec;
use rig_core::completion::Effort as Level;
use zeug_provider::Effort;
use zeug_transcript::{Usage, Usd};

/// What a model can do and what it costs. Whatever is `None` is not known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelInfo {
    /// The provider's key.
    pub provider: String,
    /// The model's name at the provider.
    pub name: String,
    /// Its name for people.
    pub label: Option<String>,
    /// How many tokens it holds.
    pub context_window: Option<u64>,
    /// The most tokens of an answer.
    pub max_output_tokens: Option<u64>,
    /// What it takes beside text.
    pub input: Modalities,
    /// Whether it calls tools.
    pub tools: Option<bool>,
    /// Whether it reasons.
    pub reasons: Option<bool>,
    /// The levels of reasoning that it tells apart; empty also for a model with a budget.
    pub efforts: Vec<Effort>,
    /// What it costs.
    pub price: Option<Price>,
    /// Whether its provider wants to be rid of it.
    pub deprecated: bool,
}

/// What a model takes beside text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modalities {
    /// Images.
    pub images: bool,
    /// PDF documents.
    pub pdf: bool,
    /// Sound.
    pub audio: bool,
    /// Moving pictures.
    pub video: bool,
}

/// Prices in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of the request.
    pub input: f64,
    /// Of the answer.
    pub output: f64,
    /// Of the request, read from the cache; `None` costs what the rest of the request costs.
    pub cache_read: Option<f64>,
    /// Of the request, written to the cache; `None` costs what the rest of the request costs.
    pub cache_write: Option<f64>,
}

/// What a usage cost, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// The request, as far as no cache had to do with it.
    pub input: f64,
    /// The answer.
    pub output: f64,
    /// What was read from the cache.
    pub cache_read: f64,
    /// What was written to the cache.
    pub cache_write: f64,
}

impl Cost {
    /// All together.
    #[must_use]
    pub fn total(&self) -> Usd {
        Usd::of(self.input + self.output + self.cache_read + self.cache_write)
    }
}

impl Price {
    /// What a usage costs at the list price of the standard tier.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Cost {
        // Counts of tokens are far below 2^53.
        let of = |tokens: u64, price: f64| tokens as f64 / 1_000_000.0 * price;
        Cost {
            input: of(usage.input_tokens, self.input),
            output: of(usage.output_tokens, self.output),
            cache_read: of(
                usage.cache_read_tokens,
                self.cache_read.unwrap_or(self.input),
            ),
            cache_write: of(
                usage.cache_write_tokens,
                self.cache_write.unwrap_or(self.input),
            ),
        }
    }
}

impl ModelInfo {
    /// A model that nobody knows anything about.
    #[must_use]
    pub fn new(provider: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    /// `provider/name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.provider, self.name)
    }

    /// What a usage cost, when the price is known.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        self.price.map(|price| price.cost(usage))
    }

    pub(crate) fn of(provider: &str, spec: &ModelSpec) -> Self {
        let reasoning = &spec.reasoning;
        let mut efforts: Vec<Effort> = reasoning.levels.iter().filter_map(effort).collect();
        if reasoning.can_disable {
            efforts.push(Effort::Off);
        }
        efforts.sort_unstable();
        Self {
            provider: provider.to_owned(),
            name: spec.id.clone(),
            label: Some(spec.display_name.clone()),
            context_window: spec.context_window.map(u64::from),
            max_output_tokens: spec.max_output_tokens.map(u64::from),
            input: Modalities {
                images: spec.input.image,
                pdf: spec.input.pdf,
                audio: spec.input.audio,
                video: spec.input.video,
            },
            tools: Some(spec.tools),
            reasons: Some(reasoning.supported),
            efforts,
            price: spec.pricing.map(|pricing| Price {
                input: pricing.input,
                output: pricing.output,
                cache_read: pricing.cache_read,
                cache_write: pricing.cache_write,
            }),
            deprecated: spec.deprecated,
        }
    }
}

fn effort(level: &Level) -> Option<Effort> {
    match level {
        Level::Minimal => Some(Effort::Minimum),
        Level::Low => Some(Effort::Low),
        Level::Medium => Some(Effort::Medium),
        Level::High => Some(Effort::High),
        Level::XHigh => Some(Effort::Xhigh),
        Level::Max => Some(Effort::Max),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cached_has_its_own_price() {
        let price = Price {
            input: 3.0,
            output: 15.0,
            cache_read: Some(0.3),
            cache_write: None,
        };
        let cost = price.cost(&Usage {
            input_tokens: 1_000_000,
            output_tokens: 100_000,
            cache_read_tokens: 2_000_000,
            cache_write_tokens: 10_000,
            ..Usage::default()
        });
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(cost.input, 3.0);
        close(cost.output, 1.5);
        close(cost.cache_read, 0.6);
        close(cost.cache_write, 0.03);
        assert_eq!(cost.total(), Usd::of(5.13));
    }
}
