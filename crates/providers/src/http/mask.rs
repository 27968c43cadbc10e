//! Secrets taken out of texts before anybody reads them.

/// What stands in place of a secret.
const MASKED: &str = "***";

/// Shorter texts would tear holes into innocent ones; no provider issues such keys.
const SHORTEST_BYTES: usize = 6;

/// Names of query parameters that carry keys.
const QUERY_NAMES: [&str; 4] = ["key", "api_key", "api-key", "access_token"];

/// The secrets of one connection.
#[derive(Clone, Default)]
pub(crate) struct Mask {
    secrets: Vec<String>,
}

impl Mask {
    /// A mask over these texts, and over how they look in a URL.
    pub(crate) fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for secret in secrets {
            // `Bearer KEY`: the key is secret by itself, too.
            for text in [secret, secret.rsplit(' ').next().unwrap_or_default()] {
                if text.len() >= SHORTEST_BYTES {
                    all.push(text.to_owned());
                    all.push(percent(text));
                }
            }
        }
        // Longer ones first: a part of one must not leave the rest of it standing.
        all.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        all.dedup();
        Self { secrets: all }
    }

    /// The text without secrets.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for secret in &self.secrets {
            if masked.contains(secret) {
                masked = masked.replace(secret, MASKED);
            }
        }
        query(&masked)
    }

    /// Whether there is a secret in the text.
    pub(crate) fn hits(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| text.contains(secret))
    }
}

impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mask({})", self.secrets.len())
    }
}

/// `text` as it is written in a query.
fn percent(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Masks the values of query parameters that carry keys, also of keys that are not ours.
fn query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['?', '&']) {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        rest = after;
        let named = QUERY_NAMES.iter().find_map(|name| {
            let value = rest.strip_prefix(name)?.strip_prefix('=')?;
            Some((name.len() + 1, value))
        });
        if let Some((name, value)) = named {
            out.push_str(&rest[..name]);
            out.push_str(MASKED);
            let end = value
                .find(|c: char| c.is_whitespace() || "&#\"'<>)".contains(c))
                .unwrap_or(value.len());
            rest = &value[end..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_masked_wherever_it_stands() {
        let mask = Mask::of(["sk-secret/1", "Bearer other-token"]);
        for (text, expect) in [
            ("sk-secret/1", "***"),
            ("a sk-secret/1, b", "a ***, b"),
            ("https://h/p?x=sk-secret%2F1&y=2", "https://h/p?x=***&y=2"),
            ("token other-token.", "token ***."),
            ("authorization: Bearer other-token", "authorization: ***"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(mask.text(text), expect);
        }
    }

    #[test]
    fn a_key_in_a_query_is_masked_though_nobody_named_it() {
        let check = |text: &str, expect: &str| assert_eq!(Mask::default().text(text), expect);
        check(
            "(https://h/v1?alt=sse&key=abc)",
            "(https://h/v1?alt=sse&key=***)",
        );
        check(
            "https://h/?key=abc&x=1 and more",
            "https://h/?key=***&x=1 and more",
        );
        check("what is the key=value?", "what is the key=value?");
        check("monkey?monkey=1&turkey=2", "monkey?monkey=1&turkey=2");
        check("äöü? ä&key=ß", "äöü? ä&key=***");
    }

    #[test]
    fn a_short_text_is_no_secret() {
        assert_eq!(Mask::of(["none", ""]).text("none at all"), "none at all");
        assert!(!Mask::of(["none"]).hits("none"));
    }
}
