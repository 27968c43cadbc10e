//! A request and its answer as plain values.

use std::fmt;

use bytes::Bytes;
use futures::stream::BoxStream;

use super::TransportError;

/// Header names whose values are secret whatever they hold.
const SECRET_NAMES: [&str; 8] = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "set-cookie",
    "x-auth-token",
];

/// One header.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// The name, in lower case.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether the value must not be seen.
    pub secret: bool,
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.secret { "…" } else { &self.value };
        write!(f, "{}: {value}", self.name)
    }
}

/// Headers, in order. Names are compared without regard to case.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<Header>);

impl Headers {
    /// No headers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The first value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| header.value.as_str())
    }

    /// Sets a value in place of all that the name had.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.remove(name);
        self.add(name, value);
    }

    /// Adds a value to those that the name has.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        let name = name.to_ascii_lowercase();
        self.0.push(Header {
            secret: SECRET_NAMES.contains(&name.as_str()),
            name,
            value: value.into(),
        });
    }

    /// Takes a name away.
    pub fn remove(&mut self, name: &str) {
        self.0
            .retain(|header| !header.name.eq_ignore_ascii_case(name));
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Header> {
        self.0.iter()
    }

    /// All of them, in order, open to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Header> {
        self.0.iter_mut()
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut headers = Self::new();
        for (name, value) in pairs {
            headers.add(name.as_ref(), value);
        }
        headers
    }
}

/// A request. Its `Debug` form shows neither the query of the URL nor the body.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// `POST` or `GET`.
    pub method: String,
    /// Where to; with the query.
    pub url: String,
    /// Its headers.
    pub headers: Headers,
    /// What is sent; may be empty.
    pub body: Bytes,
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.url.split('?').next().unwrap_or_default();
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &url)
            .field("headers", &self.headers)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// The body of an answer as it arrives. An error is its last item.
pub type Body = BoxStream<'static, Result<Bytes, TransportError>>;

/// An answer.
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// Its headers.
    pub headers: Headers,
    /// What arrives.
    pub body: Body,
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_set_replaces() {
        let mut headers: Headers = [("X-One", "1"), ("x-one", "2"), ("Two", "3")]
            .into_iter()
            .collect();
        assert_eq!(headers.get("x-ONE"), Some("1"));
        headers.set("X-ONE", "4");
        let all: Vec<_> = headers.iter().map(|h| (&*h.name, &*h.value)).collect();
        assert_eq!(all, [("two", "3"), ("x-one", "4")]);
    }

    #[test]
    fn nothing_secret_is_printed() {
        let request = HttpRequest {
            method: "POST".into(),
            url: "https://host/path?key=hidden".into(),
            headers: [("Authorization", "Bearer hidden"), ("accept", "seen")]
                .into_iter()
                .collect(),
            body: Bytes::from_static(b"hidden"),
        };
        let shown = format!("{request:?}");
        assert!(!shown.contains("hidden"), "{shown}");
        assert!(shown.contains("accept: seen"), "{shown}");
    }
}
