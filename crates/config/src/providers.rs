//! What the user says about model providers: `[providers.NAME]`. Knows no provider by name.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{CREDENTIALS, Origin, Secret, Setting, Settings};

/// One `[providers.NAME]`: a server of the user's own, or changes to a known one.
///
/// Only the user's own file may have it: a project must not decide where keys are sent, which
/// variable is one, or what is run to get one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProviderSettings {
    /// Where the table begins.
    pub origin: Origin,
    /// `api`: what the server speaks, as a word.
    pub api: Setting<Option<String>>,
    /// `base_url`: where it is.
    pub base_url: Setting<Option<String>>,
    /// `headers`: sent with every request; as good as keys.
    pub headers: Vec<(String, Secret)>,
    /// `api_key_env`: the variable its key is in, in place of the customary ones.
    pub api_key_env: Setting<Option<String>>,
    /// `api_key_command`: a program and its arguments, which prints the key. No shell sees it.
    pub api_key_command: Setting<Option<Vec<String>>>,
    /// `models`: in the order of the file; the first is the one to use when none is chosen.
    pub models: Vec<OwnModel>,
    /// `timeouts`.
    pub timeouts: ProviderTimeouts,
}

/// A model that the user describes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnModel {
    /// `name`: as the server knows it.
    pub name: String,
    /// `context_window`: tokens it holds.
    pub context_window: Option<u64>,
    /// `max_output`: tokens of an answer.
    pub max_output: Option<u64>,
    /// `images`: whether it sees them.
    pub images: Option<bool>,
    /// `input_price`: US dollars for a million tokens.
    pub input_price: Option<f64>,
    /// `output_price`.
    pub output_price: Option<f64>,
    /// `cache_read_price`.
    pub cache_read_price: Option<f64>,
    /// `cache_write_price`.
    pub cache_write_price: Option<f64>,
}

/// How long a provider may take; `None` leaves it at what is usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProviderTimeouts {
    /// `connect_ms`: until there is a connection.
    pub connect: Option<Duration>,
    /// `first_byte_ms`: from the request to the head of the answer.
    pub first_byte: Option<Duration>,
    /// `idle_ms`: between two pieces of the answer.
    pub idle: Option<Duration>,
}

/// A key of `[providers.NAME.timeouts]`.
pub(crate) struct TimeoutKey {
    pub(crate) name: &'static str,
    pub(crate) min: Duration,
    /// Every wait ends.
    pub(crate) max: Duration,
    pub(crate) field: fn(&mut ProviderTimeouts) -> &mut Option<Duration>,
}

const fn timeout(
    name: &'static str,
    max_secs: u64,
    field: fn(&mut ProviderTimeouts) -> &mut Option<Duration>,
) -> TimeoutKey {
    TimeoutKey {
        name,
        min: Duration::from_millis(50),
        max: Duration::from_secs(max_secs),
        field,
    }
}

/// An hour of silence is as much as a slow local model could need for a long prompt.
pub(crate) const TIMEOUT_KEYS: [TimeoutKey; 3] = [
    timeout("connect_ms", 600, |t| &mut t.connect),
    timeout("first_byte_ms", 3600, |t| &mut t.first_byte),
    timeout("idle_ms", 3600, |t| &mut t.idle),
];

impl Settings {
    /// Every variable that may hold a credential, which no child inherits unasked.
    #[must_use]
    pub fn withheld(&self) -> Vec<&str> {
        let own = self
            .providers
            .values()
            .filter_map(|provider| provider.api_key_env.value.as_deref());
        let mut names: Vec<&str> = CREDENTIALS.iter().copied().chain(own).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// `[providers]`, by name.
pub type Providers = BTreeMap<String, ProviderSettings>;
