//! One exchange from end to end: the connection's own headers, the interceptors, the deadlines,
//! the log line, the mask.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use futures::StreamExt as _;
use serde_json::Value;

use super::{
    HttpRequest, HttpResponse, HttpSettings, Inbound, Mask, Network, Outbound, Timeouts, Transport,
    TransportError, watch,
};

/// What servers are told about us.
const USER_AGENT: &str = concat!("zeug/", env!("CARGO_PKG_VERSION"));

/// Whose requests these are.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The provider's key.
    pub(crate) provider: String,
    /// The model; empty when the requests are about none.
    pub(crate) model: String,
    /// Headers that every request carries, in place of what it had.
    pub(crate) headers: Vec<(String, String)>,
}

/// Sends requests of one connection. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    identity: Identity,
    mask: Mask,
    timeouts: Timeouts,
    settings: HttpSettings,
    transport: Arc<dyn Transport>,
}

impl Client {
    pub(crate) fn new(identity: Identity, mask: Mask, settings: HttpSettings) -> Self {
        let timeouts = settings.timeouts;
        let transport = settings
            .transport
            .clone()
            .unwrap_or_else(|| Arc::new(Network::new(&timeouts, &settings.proxy)));
        Self {
            inner: Arc::new(Inner {
                identity,
                mask,
                timeouts,
                settings,
                transport,
            }),
        }
    }

    pub(crate) fn mask(&self) -> &Mask {
        &self.inner.mask
    }

    /// Sends a request. Every answer is a success here, whatever its status.
    pub(crate) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        self.exchange(request)
            .await
            .map_err(|error| masked(&self.inner.mask, error))
    }

    async fn exchange(&self, mut request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let inner = &self.inner;
        self.dress(&mut request);
        let request = self.intercepted(request).await?;
        let url = request.url.clone();
        let started = Instant::now();
        let sent = inner.transport.send(request);
        let answer = watch::first_byte(inner.timeouts.first_byte, sent).await;
        self.log(&url, started, &answer);
        let answer = answer?;
        let inbound = Inbound {
            provider: &inner.identity.provider,
            model: &inner.identity.model,
            url: &url,
            status: answer.status,
            headers: &answer.headers,
        };
        for interceptor in &inner.settings.interceptors {
            interceptor.response(&inbound).await;
        }
        let mask = inner.mask.clone();
        let body = watch::idle(inner.timeouts.idle, answer.body)
            .map(move |piece| piece.map_err(|error| masked(&mask, error)));
        Ok(HttpResponse {
            body: body.boxed(),
            ..answer
        })
    }

    fn dress(&self, request: &mut HttpRequest) {
        if request.headers.get("user-agent").is_none() {
            request.headers.set("user-agent", USER_AGENT);
        }
        for (name, value) in &self.inner.identity.headers {
            request.headers.set(name, value.as_str());
        }
        for header in request.headers.iter_mut() {
            header.secret |= self.inner.mask.hits(&header.value);
        }
    }

    /// The request as the interceptors left it.
    async fn intercepted(&self, request: HttpRequest) -> Result<HttpRequest, TransportError> {
        let inner = &self.inner;
        if inner.settings.interceptors.is_empty() {
            return Ok(request);
        }
        let body = if request.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&request.body)
                .map_err(|error| TransportError::Unsendable(error.to_string()))?
        };
        let mut outbound = Outbound {
            provider: inner.identity.provider.clone(),
            model: inner.identity.model.clone(),
            method: request.method,
            url: request.url,
            headers: request.headers,
            body,
        };
        for interceptor in &inner.settings.interceptors {
            interceptor
                .request(&mut outbound)
                .await
                .map_err(|refused| TransportError::Stopped {
                    name: interceptor.name().to_owned(),
                    reason: refused.0,
                })?;
        }
        let body = match outbound.body {
            Value::Null => Bytes::new(),
            body => Bytes::from(body.to_string()),
        };
        Ok(HttpRequest {
            method: outbound.method,
            url: outbound.url,
            headers: outbound.headers,
            body,
        })
    }

    fn log(&self, url: &str, started: Instant, answer: &Result<HttpResponse, TransportError>) {
        let Identity {
            provider, model, ..
        } = &self.inner.identity;
        let url = self.inner.mask.text(url);
        let waited_ms = started.elapsed().as_millis();
        match answer {
            Ok(answer) => {
                let status = answer.status;
                tracing::debug!(provider, model, url, status, waited_ms, "answer");
            }
            Err(error) => {
                let error = self.inner.mask.text(&error.to_string());
                tracing::debug!(provider, model, url, error, waited_ms, "no answer");
            }
        }
    }
}

fn masked(mask: &Mask, error: TransportError) -> TransportError {
    match error {
        TransportError::Connect { host, reason } => TransportError::Connect {
            host: mask.text(&host),
            reason: mask.text(&reason),
        },
        TransportError::Broken(reason) => TransportError::Broken(mask.text(&reason)),
        TransportError::Unsendable(reason) => TransportError::Unsendable(mask.text(&reason)),
        TransportError::Stopped { name, reason } => TransportError::Stopped {
            name,
            reason: mask.text(&reason),
        },
        error @ (TransportError::FirstByte(_) | TransportError::Idle(_)) => error,
    }
}
