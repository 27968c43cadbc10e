//! From a description of a provider to a provider.
//!
//! Where the description comes from, and which of several keys was chosen, is not known here.

use std::sync::Arc;

use thiserror::Error;
use zeug_provider::Provider;
use zeug_stdx::suggest;

use crate::http::{Client, HttpSettings, Identity, Mask};
use crate::known::{Api, KnownProvider, known_provider, known_providers};
use crate::wires::{Wired, line};
use crate::{Key, base_url};

/// A provider and a model at it. Nothing is sent until a request is made.
#[derive(Debug, Clone, Default)]
pub struct Connect {
    /// The provider's key: a known one, or any word beside a `base_url`.
    pub provider: String,
    /// The model's name at the provider.
    pub model: String,
    /// Where the provider is, when not where it is known to be.
    pub base_url: Option<String>,
    /// The provider's key.
    pub key: Option<Key>,
    /// Headers of every request, in place of those it would have.
    pub headers: Vec<(String, String)>,
    /// How to reach it.
    pub http: HttpSettings,
    /// How many tokens the model holds. Only Ollama needs to be told: it cuts off what is more
    /// than it was started for.
    pub context_window: Option<u64>,
    /// The most tokens of an answer, for requests that name no number.
    pub max_output_tokens: Option<u64>,
    /// What the server speaks, when not what its provider is known to speak.
    pub api: Option<Api>,
    /// Whether the model sees images, when the catalogue does not know.
    pub images: Option<bool>,
}

/// What is missing in a description.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConnectError {
    /// Nobody knows the provider, and there is no address.
    #[error("provider {name:?} is not known{}: name a known one with --provider, or say where it is with --base-url", did_you_mean(.nearest))]
    UnknownProvider {
        /// The word.
        name: String,
        /// A known one that resembles it.
        nearest: Option<String>,
    },
    /// There is no model.
    #[error("no model is chosen for provider {provider:?}: use --model NAME")]
    NoModel {
        /// The provider.
        provider: String,
    },
    /// There is no key, and the provider wants one.
    #[error(
        "provider {provider:?} needs a key: set {env}, use --api-key or `zeug login {provider}`"
    )]
    NoKey {
        /// The provider.
        provider: String,
        /// The variable it is customarily found in.
        env: &'static str,
    },
    /// There is no address, and everybody has one of their own.
    #[error("provider {provider:?} is somewhere else for everybody: say where with --base-url")]
    NoBaseUrl {
        /// The provider.
        provider: String,
    },
    /// The address is none.
    #[error("{url:?} is no base URL: write one like https://host/v1")]
    BadBaseUrl {
        /// The text.
        url: String,
    },
    /// A header cannot be sent.
    #[error("the header {name:?} of provider {provider:?} has a name or value that HTTP forbids")]
    BadHeader {
        /// The provider.
        provider: String,
        /// Its name.
        name: String,
    },
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map(|name| format!(" (did you mean {name:?}?)"))
        .unwrap_or_default()
}

/// A description with nothing missing.
pub(crate) struct Endpoint {
    /// The provider's key.
    pub(crate) provider: String,
    /// The model; may be empty for a question about all of them.
    pub(crate) model: String,
    /// The provider, when it is a known one.
    pub(crate) known: Option<&'static KnownProvider>,
    /// Whether it is where it is known to be.
    pub(crate) at_home: bool,
    pub(crate) base_url: String,
    pub(crate) api: Api,
    pub(crate) key: Key,
    pub(crate) context_window: Option<u64>,
    pub(crate) max_output_tokens: Option<u64>,
    pub(crate) images: Option<bool>,
}

impl Connect {
    /// A model at a known provider.
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            ..Self::default()
        }
    }

    /// Checks the description, and fills in what is known.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, ConnectError> {
        let known = known_provider(&self.provider);
        let provider = known.map_or_else(|| self.provider.clone(), |known| known.key.to_owned());
        if known.is_none() && self.base_url.is_none() {
            let keys = known_providers().iter().map(|known| known.key);
            let nearest = suggest::nearest(&self.provider, keys).map(str::to_owned);
            let name = provider;
            return Err(ConnectError::UnknownProvider { name, nearest });
        }
        let key = self.key.clone().unwrap_or_default();
        // Whoever is told another address knows whether it wants a key.
        if let Some(known) = known
            && known.needs_key
            && key.is_empty()
            && self.base_url.is_none()
        {
            let env = known.key_env.first().copied().unwrap_or("its key");
            return Err(ConnectError::NoKey { provider, env });
        }
        let api = self.api.unwrap_or_else(|| match known {
            Some(known) if known.key == "openai" && self.base_url.is_some() => Api::OpenAiChat,
            Some(known) => known.api,
            None => Api::OpenAiChat,
        });
        let home = known.and_then(|known| known.base_url);
        let Some(url) = self.base_url.as_deref().or(home) else {
            return Err(ConnectError::NoBaseUrl { provider });
        };
        let vendor = known.map_or("", |known| known.vendor);
        let base_url =
            base_url::normal(url, api, vendor).ok_or_else(|| ConnectError::BadBaseUrl {
                url: url.to_owned(),
            })?;
        self.check_headers(&provider)?;
        Ok(Endpoint {
            provider,
            model: self.model.clone(),
            at_home: self.base_url.is_none() && home.is_some(),
            known,
            base_url,
            api,
            key,
            context_window: self.context_window,
            max_output_tokens: self.max_output_tokens,
            images: self.images,
        })
    }

    fn check_headers(&self, provider: &str) -> Result<(), ConnectError> {
        for (name, value) in &self.headers {
            let fine = ::http::HeaderName::from_bytes(name.as_bytes()).is_ok()
                && ::http::HeaderValue::from_str(value).is_ok();
            if !fine {
                return Err(ConnectError::BadHeader {
                    provider: provider.to_owned(),
                    name: name.clone(),
                });
            }
        }
        Ok(())
    }

    /// The way to the server.
    pub(crate) fn client(&self, endpoint: &Endpoint) -> Client {
        // What somebody put into a header is as good as a key.
        let values = self.headers.iter().map(|(_, value)| value.as_str());
        let mask = Mask::of(values.chain([endpoint.key.reveal()]));
        let identity = Identity {
            provider: endpoint.provider.clone(),
            model: endpoint.model.clone(),
            headers: self.headers.clone(),
        };
        Client::new(identity, mask, self.http.clone())
    }
}

/// Connects to a model. Nothing is sent yet.
///
/// # Errors
/// When the description lacks something.
pub fn connect(connect: Connect) -> Result<Arc<dyn Provider>, ConnectError> {
    let endpoint = connect.endpoint()?;
    if endpoint.model.is_empty() {
        let provider = endpoint.provider;
        return Err(ConnectError::NoModel { provider });
    }
    let client = connect.client(&endpoint);
    let line = line(&endpoint, client.clone());
    Ok(Arc::new(Wired::new(endpoint, line, client)))
}
