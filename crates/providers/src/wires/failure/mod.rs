//! What went wrong, in the terms that lead to different behaviour, and what to do about it.

mod classify;
mod retry_after;

use std::sync::Arc;

use rig_core::error::ProviderError;
use rig_core::http_client::Error as HttpError;
use serde_json::Value;
use zeug_provider::{Failure, FailureKind};

use crate::connect::Endpoint;
use crate::http::{Mask, TransportError};
use crate::known::Api;

/// The most characters of a provider's own words; some answer with a page.
const WORDS: usize = 600;

/// Whose failure it is.
#[derive(Clone)]
pub(crate) struct Blame {
    endpoint: Arc<Endpoint>,
    model: String,
    mask: Mask,
}

impl Blame {
    pub(crate) fn new(endpoint: Arc<Endpoint>, model: String, mask: Mask) -> Self {
        Self {
            endpoint,
            model,
            mask,
        }
    }

    /// The library's error as a failure.
    pub(crate) fn failure(&self, error: &ProviderError) -> Failure {
        if let Some(response) = error.provider_response() {
            let status = response.status.map(|status| status.as_u16());
            // An error in the middle of a success.
            let status = status.filter(|status| !(200..300).contains(status));
            let retry_after = response
                .headers
                .as_ref()
                .and_then(|headers| retry_after::of(headers, jiff::Timestamp::now()));
            let mut failure = self.answered(status, &response.body);
            if response.refusal {
                failure.kind = FailureKind::Refused;
                failure.advice = None;
            }
            failure.retry_after = retry_after.or(failure.retry_after);
            return failure;
        }
        match error {
            ProviderError::Http(error) => self.unanswered(error),
            ProviderError::Truncated => {
                self.kind(FailureKind::Network, "the answer was cut off", None)
            }
            ProviderError::Json(error) if error.is_eof() => {
                self.kind(FailureKind::Network, "the answer was cut off", None)
            }
            ProviderError::Json(error) => self.kind(
                FailureKind::Server,
                &format!("the server sent something that is no answer: {error}"),
                Some(self.address("is it the right one?")),
            ),
            ProviderError::Response(said) | ProviderError::Provider(said) => {
                self.kind(FailureKind::Server, said, None)
            }
            error => self.kind(FailureKind::BadRequest, &error.to_string(), None),
        }
    }

    /// An answer that ended with a reason that is none of success.
    pub(crate) fn stopped(&self, reason: &str, filtered: bool) -> Failure {
        let kind = if filtered {
            FailureKind::Refused
        } else {
            FailureKind::Server
        };
        self.kind(kind, reason, None)
    }

    /// The server answered with an error.
    pub(crate) fn answered(&self, status: Option<u16>, body: &str) -> Failure {
        let document: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        let said = classify::read(&document);
        let status = status.or(said.status);
        let words = match &said.message {
            Some(message) => message.clone(),
            None => plain(body),
        };
        let kind = classify::kind(status, &said, &words);
        Failure {
            status,
            retry_after: said.retry_after,
            advice: self.advice(kind, status),
            ..self.kind(kind, &words, None)
        }
    }

    fn unanswered(&self, error: &HttpError) -> Failure {
        let transport = match error {
            HttpError::Instance(error) => error.downcast_ref::<TransportError>(),
            HttpError::InvalidContentType(kind) => {
                let kind = String::from_utf8_lossy(kind.as_bytes()).into_owned();
                let words = format!("the server answered with {kind:?} instead of a stream");
                let advice = Some(self.address("is it the right one?"));
                return self.kind(FailureKind::BadRequest, &words, advice);
            }
            _ => None,
        };
        let Some(transport) = transport else {
            return self.kind(FailureKind::Network, &error.to_string(), None);
        };
        let words = transport.to_string();
        match transport {
            TransportError::Connect { .. } => {
                let advice = if self.endpoint.api == Api::Ollama && self.endpoint.at_home {
                    "start Ollama (`ollama serve`), or say where it runs with --base-url".to_owned()
                } else {
                    self.address("does it run, and does a proxy stand in between?")
                };
                self.kind(FailureKind::Network, &words, Some(advice))
            }
            TransportError::FirstByte(_) | TransportError::Idle(_) | TransportError::Broken(_) => {
                self.kind(FailureKind::Network, &words, None)
            }
            TransportError::Unsendable(_) | TransportError::Stopped { .. } => {
                self.kind(FailureKind::BadRequest, &words, None)
            }
        }
    }

    fn kind(&self, kind: FailureKind, words: &str, advice: Option<String>) -> Failure {
        Failure {
            kind,
            provider: self.endpoint.provider.clone(),
            model: self.model.clone(),
            status: None,
            message: short(&self.mask.text(words)),
            retry_after: None,
            advice,
        }
    }

    fn address(&self, question: &str) -> String {
        let url = self.mask.text(&self.endpoint.base_url);
        format!("the address is {url}: {question}")
    }

    /// What to do where more is known than the kind.
    fn advice(&self, kind: FailureKind, status: Option<u16>) -> Option<String> {
        let Endpoint {
            provider,
            known,
            key,
            ..
        } = self.endpoint.as_ref();
        let env = known.and_then(|known| known.key_env.first());
        match (kind, status) {
            (FailureKind::Authentication, _) => {
                let what = if key.is_empty() {
                    "give a"
                } else {
                    "check the"
                };
                let env = env.map(|env| format!(", {env}")).unwrap_or_default();
                Some(format!(
                    "{what} key: --api-key{env} or `zeug login {provider}`"
                ))
            }
            (FailureKind::BadRequest, Some(404)) => {
                let url = self.mask.text(&self.endpoint.base_url);
                Some(format!(
                    "check the model's name (`zeug --list-models`) and the address {url}"
                ))
            }
            _ => None,
        }
    }
}

/// A page or a line as one line of words.
fn plain(body: &str) -> String {
    let mut out = String::new();
    let mut in_tag = false;
    for c in body.chars().take(WORDS * 8) {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => {
                in_tag = false;
                out.push(' ');
            }
            _ if in_tag => {}
            c => out.push(c),
        }
    }
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        "the server gave no reason".to_owned()
    } else {
        words
    }
}

fn short(words: &str) -> String {
    let words = words.trim();
    match words.char_indices().nth(WORDS) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words.to_owned(),
    }
}
