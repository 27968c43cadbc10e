//! Base URLs as people write them.

use crate::known::Api;

/// Endpoints that people paste along with the address.
const ENDPOINTS: [&str; 6] = [
    "/chat/completions",
    "/completions",
    "/responses",
    "/messages",
    "/api/chat",
    "/models",
];

/// Vendors whose dialect appends the version itself.
const VERSIONED: [&str; 4] = ["mistral", "xai", "together", "huggingface"];
/// Vendors whose address has no version.
const UNVERSIONED: [&str; 2] = ["deepseek", "azure.openai"];

/// The URL that a vendor's paths are appended to; `None` when the text is no URL.
pub(crate) fn normal(url: &str, api: Api, vendor: &str) -> Option<String> {
    let url = url.trim();
    let parsed: ::http::Uri = url.parse().ok()?;
    let scheme = parsed.scheme_str()?;
    let whole = matches!(scheme, "http" | "https") && !parsed.host()?.is_empty();
    if !whole || parsed.query().is_some() {
        return None;
    }
    let mut url = url.trim_end_matches('/');
    for endpoint in ENDPOINTS {
        url = url.strip_suffix(endpoint).unwrap_or(url);
    }
    let without = |version: &str| url.strip_suffix(version).unwrap_or(url).to_owned();
    Some(match api {
        Api::Anthropic => without("/v1"),
        Api::Gemini => without("/v1beta"),
        Api::Ollama => {
            let url = without("/v1");
            url.strip_suffix("/api").unwrap_or(&url).to_owned()
        }
        Api::OpenAiChat | Api::OpenAiResponses if VERSIONED.contains(&vendor) => without("/v1"),
        Api::OpenAiChat | Api::OpenAiResponses => {
            let bare = parsed.path().trim_matches('/').is_empty();
            if bare && !UNVERSIONED.contains(&vendor) {
                format!("{url}/v1")
            } else {
                url.to_owned()
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_becomes_what_paths_are_appended_to() {
        let check = |api, vendor, url: &str, expect: Option<&str>| {
            assert_eq!(normal(url, api, vendor).as_deref(), expect, "{url}");
        };
        let chat = |url: &str, expect: &str| check(Api::OpenAiChat, "", url, Some(expect));
        chat("http://localhost:1234", "http://localhost:1234/v1");
        chat("http://localhost:1234/", "http://localhost:1234/v1");
        chat(" http://h/v1/ ", "http://h/v1");
        chat("https://h/v1/chat/completions", "https://h/v1");
        chat("https://h/custom/path", "https://h/custom/path");
        let vendor = |vendor, url: &str, expect: &str| {
            check(Api::OpenAiChat, vendor, url, Some(expect));
        };
        vendor(
            "deepseek",
            "https://api.deepseek.com",
            "https://api.deepseek.com",
        );
        vendor(
            "mistral",
            "https://api.mistral.ai/v1",
            "https://api.mistral.ai",
        );
        vendor("mistral", "http://h", "http://h");
        let other = |api, url: &str, expect: &str| check(api, "", url, Some(expect));
        other(Api::Anthropic, "https://h/v1/messages", "https://h");
        other(Api::Anthropic, "https://h/proxy", "https://h/proxy");
        other(Api::Gemini, "https://h/v1beta", "https://h");
        other(Api::Ollama, "http://h:11434/v1", "http://h:11434");
        other(Api::Ollama, "http://h:11434/api/", "http://h:11434");
        for wrong in [
            "",
            "localhost:1234",
            "ftp://h",
            "http://",
            "https://h/?key=1",
        ] {
            check(Api::OpenAiChat, "", wrong, None);
        }
    }
}
