//! What an error of a provider means.
//!
//! Codes decide where there are any. Words decide only where providers give no code: for a
//! conversation that is too long, for an empty account, for a wrong key. Those are listed here
//! with whose they are; a test has a real answer for each.

use std::time::Duration;

use serde_json::Value;
use zeug_provider::FailureKind;

use super::retry_after;

/// What an error's document says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// Codes and types, in lower case.
    pub(crate) codes: Vec<String>,
    /// The words for people.
    pub(crate) message: Option<String>,
    /// A status that is told in the document only.
    pub(crate) status: Option<u16>,
    /// How long to wait, when the document says so.
    pub(crate) retry_after: Option<Duration>,
}

const OVERFLOW_CODES: [&str; 5] = [
    "context_length_exceeded",       // OpenAI and who follows it
    "exceed_context_size_error",     // llama.cpp
    "model_context_window_exceeded", // Z.AI
    "request_too_large",             // Anthropic
    "context_window_exceeded",
];

/// Words about a conversation that is too long: all of a line must be there.
const OVERFLOW_WORDS: [&[&str]; 15] = [
    &["prompt is too long"],                       // Anthropic
    &["exceed context limit"],                     // Anthropic, with max_tokens
    &["maximum context length"],                   // OpenAI Chat, vLLM, DeepSeek, OpenRouter
    &["exceeds the context window"],               // OpenAI Responses
    &["input token count", "exceeds the maximum"], // Gemini
    &["maximum prompt length"],                    // xAI
    &["reduce the length of the messages"],        // Groq
    &["too large for model"],                      // Mistral
    &["exceeds the available context size"],       // llama.cpp
    &["greater than the context length"],          // LM Studio
    &["context window exceeds limit"],             // MiniMax
    &["exceeded model token limit"],               // Moonshot
    &["prompt too long"],                          // Ollama
    &["longer than the model's context length"],   // Together
    &["token limit exceeded"],                     // Cohere
];

const QUOTA_CODES: [&str; 8] = [
    "insufficient_quota",         // OpenAI
    "billing_hard_limit_reached", // OpenAI
    "billing_not_active",         // OpenAI
    "billing_error",              // Anthropic
    "insufficient_balance",
    "payment_required",
    "exceeded_current_quota_error", // Moonshot
    "invalid_request_balance",
];

const QUOTA_WORDS: [&[&str]; 3] = [
    &["credit balance is too low"],  // Anthropic
    &["insufficient balance"],       // DeepSeek
    &["used all available credits"], // xAI
];

const OVERLOAD_CODES: [&str; 8] = [
    "overloaded_error", // Anthropic
    "overloaded",
    "engine_overloaded_error", // Moonshot
    "server_overloaded",
    "model_overloaded",
    "slow_down",   // OpenAI
    "unavailable", // Google
    "service_unavailable",
];

const AUTHENTICATION_CODES: [&str; 8] = [
    "authentication_error",         // Anthropic
    "permission_error",             // Anthropic
    "invalid_api_key",              // OpenAI
    "invalid_authentication_error", // Moonshot
    "unauthenticated",              // Google
    "permission_denied",            // Google
    "api_key_invalid",              // Google
    "unauthorized",
];

const AUTHENTICATION_WORDS: [&[&str]; 2] = [
    &["incorrect api key"], // xAI
    &["api key not valid"], // Google
];

const RATE_CODES: [&str; 5] = [
    "rate_limit_error",         // Anthropic
    "rate_limit_exceeded",      // OpenAI
    "rate_limit_reached_error", // Moonshot
    "resource_exhausted",       // Google
    "too_many_requests",
];

const SERVER_CODES: [&str; 7] = [
    "api_error",     // Anthropic
    "timeout_error", // Anthropic
    "server_error",  // OpenAI
    "internal_server_error",
    "internal_error",
    "internal",          // Google
    "deadline_exceeded", // Google
];

const REQUEST_CODES: [&str; 5] = [
    "invalid_request_error",
    "invalid_argument",
    "not_found_error",
    "model_not_found",
    "invalid_prompt",
];

const REFUSAL_CODES: [&str; 3] = ["content_filter", "content_policy_violation", "safety"];

/// The kind of a failure.
pub(crate) fn kind(status: Option<u16>, said: &Said, words: &str) -> FailureKind {
    let words = words.to_lowercase();
    let coded = |codes: &[&str]| said.codes.iter().any(|code| codes.contains(&code.as_str()));
    let worded = |lists: &[&[&str]]| {
        lists
            .iter()
            .any(|list| list.iter().all(|part| words.contains(part)))
    };
    let limited = status == Some(429);
    if !limited && (coded(&OVERFLOW_CODES) || worded(&OVERFLOW_WORDS)) {
        return FailureKind::ContextOverflow;
    }
    if coded(&QUOTA_CODES) || worded(&QUOTA_WORDS) || status == Some(402) {
        return FailureKind::Quota;
    }
    if coded(&REFUSAL_CODES) {
        return FailureKind::Refused;
    }
    if coded(&OVERLOAD_CODES) {
        return FailureKind::Overloaded;
    }
    if coded(&AUTHENTICATION_CODES) || worded(&AUTHENTICATION_WORDS) {
        return FailureKind::Authentication;
    }
    if coded(&RATE_CODES) && status.is_none_or(|status| status == 429) {
        return FailureKind::RateLimited;
    }
    match status {
        Some(status) => FailureKind::of_status(status),
        None if coded(&REQUEST_CODES) && !coded(&SERVER_CODES) => FailureKind::BadRequest,
        // It broke in the middle of an answer.
        None => FailureKind::Server,
    }
}

/// Reads an error's document: OpenAI's, Anthropic's, Google's, Ollama's, and what resembles them.
pub(crate) fn read(document: &Value) -> Said {
    let document = match document {
        // Google's list of one.
        Value::Array(items) => items.first().unwrap_or(&Value::Null),
        document => document,
    };
    let mut said = Said::default();
    // Where the error is: `{"error":{…}}`, `{"response":{"error":{…}}}`, or the document itself.
    let error = [document.get("error"), document.pointer("/response/error")]
        .into_iter()
        .flatten()
        .find(|error| !error.is_null())
        .unwrap_or(document);
    if let Value::String(text) = error {
        said.message = Some(text.clone());
        codes(&mut said, document);
        return said;
    }
    codes(&mut said, error);
    details(&mut said, error);
    said.message = ["message", "detail", "msg", "error"]
        .iter()
        .find_map(|key| words(error.get(key)?))
        .or_else(|| words(document.get("message")?));
    // OpenRouter hides what the provider behind it said.
    if let Some(raw) = error.pointer("/metadata/raw").and_then(words) {
        let inner = serde_json::from_str::<Value>(&raw).map(|raw| read(&raw));
        if let Ok(inner) = inner {
            said.codes.extend(inner.codes);
            said.message = inner.message.or(said.message);
        }
    }
    said
}

/// Takes codes, and a status that stands among them.
fn codes(said: &mut Said, error: &Value) {
    for key in ["type", "code", "status"] {
        match error.get(key) {
            // The envelope's own type says nothing.
            Some(Value::String(code)) if code != "error" && code != "response.failed" => {
                said.codes.push(code.to_lowercase());
            }
            Some(Value::Number(number)) => {
                let status = number.as_u64().and_then(|n| u16::try_from(n).ok());
                let status = status.filter(|status| (400..600).contains(status));
                said.status = said.status.or(status);
            }
            _ => {}
        }
    }
}

/// Google's details: a reason, and how long to wait.
fn details(said: &mut Said, error: &Value) {
    for detail in error
        .get("details")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if let Some(reason) = detail.get("reason").and_then(Value::as_str) {
            said.codes.push(reason.to_lowercase());
        }
        if let Some(delay) = detail.get("retryDelay").and_then(Value::as_str) {
            said.retry_after = retry_after::written(delay);
        }
    }
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        // FastAPI's validation errors.
        Value::Array(items) => items.first().and_then(|item| words(item.get("msg")?)),
        _ => None,
    }
}
