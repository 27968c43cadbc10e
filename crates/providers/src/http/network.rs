//! Connections of the operating system's network.
//!
//! Follows no redirect: a key must not travel to a host that nobody chose.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use futures::stream;
use reqwest::redirect::Policy;

use super::{
    Headers, HttpRequest, HttpResponse, ProxySettings, Timeouts, Transport, TransportError,
};

/// Opens connections and keeps idle ones for the next request. Cheap to clone; clones share them.
#[derive(Debug, Clone)]
pub struct Network(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    timeouts: Timeouts,
    proxy: ProxySettings,
    /// Made for the first request: reading the system's certificates takes a while.
    ready: OnceLock<Result<Ready, String>>,
}

#[derive(Debug)]
struct Ready {
    client: reqwest::Client,
    /// Why only unencrypted connections are possible: a system may come without certificates.
    plain_only: Option<String>,
}

impl Network {
    /// A network with these settings. What is wrong with them is said by the first request.
    #[must_use]
    pub fn new(timeouts: &Timeouts, proxy: &ProxySettings) -> Self {
        Self(Arc::new(Inner {
            timeouts: *timeouts,
            proxy: proxy.clone(),
            ready: OnceLock::new(),
        }))
    }
}

fn build(timeouts: &Timeouts, proxy: &ProxySettings) -> Result<Ready, String> {
    let reason = match builder(timeouts, proxy)?.build() {
        Ok(client) => {
            return Ok(Ready {
                client,
                plain_only: None,
            });
        }
        Err(error) => chain(&error),
    };
    let builder = builder(timeouts, proxy)?.tls_certs_only([]);
    match builder.build() {
        Ok(client) => Ok(Ready {
            client,
            plain_only: Some(reason),
        }),
        Err(_) => Err(reason),
    }
}

fn builder(timeouts: &Timeouts, proxy: &ProxySettings) -> Result<reqwest::ClientBuilder, String> {
    let mut builder = reqwest::Client::builder()
        .connect_timeout(timeouts.connect)
        .redirect(Policy::none())
        // The environment is not this crate's to read.
        .no_proxy();
    let exceptions = proxy
        .no_proxy
        .as_deref()
        .and_then(reqwest::NoProxy::from_string);
    // A proxy's URL may hold a password: the error names the scheme only.
    let wrong = |which: &str| format!("the proxy for {which} URLs is not a valid URL");
    if let Some(url) = &proxy.http {
        let proxy = reqwest::Proxy::http(url).map_err(|_| wrong("http"))?;
        builder = builder.proxy(proxy.no_proxy(exceptions.clone()));
    }
    if let Some(url) = &proxy.https {
        let proxy = reqwest::Proxy::https(url).map_err(|_| wrong("https"))?;
        builder = builder.proxy(proxy.no_proxy(exceptions));
    }
    Ok(builder)
}

#[async_trait]
impl Transport for Network {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let unsendable = |reason: &String| TransportError::Unsendable(reason.clone());
        let Inner {
            timeouts,
            proxy,
            ready,
        } = self.0.as_ref();
        let ready = ready.get_or_init(|| build(timeouts, proxy));
        let Ready { client, plain_only } = ready.as_ref().map_err(unsendable)?;
        if let Some(reason) = plain_only
            && !request.url.starts_with("http://")
        {
            return Err(unsendable(reason));
        }
        let method = reqwest::Method::from_bytes(request.method.as_bytes())
            .map_err(|error| TransportError::Unsendable(error.to_string()))?;
        let mut outgoing = client.request(method, &request.url).body(request.body);
        for header in request.headers.iter() {
            let mut value =
                reqwest::header::HeaderValue::from_str(&header.value).map_err(|_| {
                    let what = format!("the header {} has a value that HTTP forbids", header.name);
                    TransportError::Unsendable(what)
                })?;
            value.set_sensitive(header.secret);
            outgoing = outgoing.header(&header.name, value);
        }
        let response = outgoing.send().await.map_err(|error| failed(&error))?;
        Ok(incoming(response))
    }
}

fn incoming(response: reqwest::Response) -> HttpResponse {
    let headers: Headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())))
        .collect();
    let status = response.status().as_u16();
    // `None` after an error: it is the last thing that is heard.
    let body = stream::unfold(Some(response), |response| async {
        let mut response = response?;
        match response.chunk().await {
            Ok(Some(chunk)) => Some((Ok(chunk), Some(response))),
            Ok(None) => None,
            Err(error) => Some((Err(TransportError::Broken(chain(&error))), None)),
        }
    });
    HttpResponse {
        status,
        headers,
        body: Box::pin(body),
    }
}

fn failed(error: &reqwest::Error) -> TransportError {
    if error.is_builder() {
        return TransportError::Unsendable(chain(error));
    }
    if error.is_connect() || error.is_timeout() {
        let host = error
            .url()
            .map(|url| match (url.host_str(), url.port()) {
                (Some(host), Some(port)) => format!("{host}:{port}"),
                (host, _) => host.unwrap_or("the server").to_owned(),
            })
            .unwrap_or_else(|| "the server".to_owned());
        return TransportError::Connect {
            host,
            reason: chain(error),
        };
    }
    TransportError::Broken(chain(error))
}

/// The innermost causes: the outer layers only say that something went wrong. Without the URL,
/// which may hold a key.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    match causes.as_slice() {
        [] => "unknown reason".to_owned(),
        [.., last] => last.clone(),
    }
}
