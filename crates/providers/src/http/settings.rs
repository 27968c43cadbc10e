//! How to reach servers. Does not know where any of it was configured.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Interceptor, Transport};

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection, TLS included.
    pub connect: Duration,
    /// From sending the request to the head of the answer.
    pub first_byte: Duration,
    /// Between two pieces of the answer. Servers that let a model think send signs of life.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(120),
            idle: Duration::from_secs(120),
        }
    }
}

/// Which proxies to use: URLs, `http`, `https` or `socks5`, with user and password if need be.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProxySettings {
    /// For `http` URLs.
    pub http: Option<String>,
    /// For `https` URLs.
    pub https: Option<String>,
    /// Hosts to reach directly, separated by commas.
    pub no_proxy: Option<String>,
}

impl ProxySettings {
    /// Reads the customary variables from whoever knows the environment.
    #[must_use]
    pub fn of(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let any = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| lookup(name).filter(|value| !value.trim().is_empty()))
        };
        let all = any(&["ALL_PROXY", "all_proxy"]);
        Self {
            // HTTP_PROXY in capitals can be set by a web request in a CGI program.
            http: any(&["http_proxy"]).or_else(|| all.clone()),
            https: any(&["HTTPS_PROXY", "https_proxy"]).or(all),
            no_proxy: any(&["NO_PROXY", "no_proxy"]),
        }
    }
}

impl fmt::Debug for ProxySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxySettings")
            .field("http", &self.http.is_some())
            .field("https", &self.https.is_some())
            .field("no_proxy", &self.no_proxy)
            .finish()
    }
}

/// How to reach a server.
#[derive(Clone, Default)]
pub struct HttpSettings {
    /// How long things may take.
    pub timeouts: Timeouts,
    /// Which proxies to use.
    pub proxy: ProxySettings,
    /// Who looks at requests and answers, in this order.
    pub interceptors: Vec<Arc<dyn Interceptor>>,
    /// What sends; `None` opens connections of its own. A [`Network`](super::Network) can be
    /// shared, a [`Memory`](super::Memory) needs no network.
    pub transport: Option<Arc<dyn Transport>>,
}

impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSettings")
            .field("timeouts", &self.timeouts)
            .field("proxy", &self.proxy)
            .field("interceptors", &self.interceptors.len())
            .field("transport", &self.transport.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_customary_variables_name_the_proxies() {
        let of = |vars: &[(&str, &str)]| {
            ProxySettings::of(|name| {
                let found = vars.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let all = of(&[("ALL_PROXY", "socks5://a:1"), ("https_proxy", "http://b:2")]);
        assert_eq!(all.http.as_deref(), Some("socks5://a:1"));
        assert_eq!(all.https.as_deref(), Some("http://b:2"));
        assert_eq!(
            of(&[("HTTP_PROXY", "http://evil:1")]),
            ProxySettings::default()
        );
        assert_eq!(of(&[("NO_PROXY", " ")]).no_proxy, None);
    }
}
