//! Tokens as a provider counts them.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

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
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cache_read_tokens += other.cache_read_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
    }
}
