//! How much to reason, in the words of each provider.
//!
//! The wire knows what its models take, so it is asked: the wanted level first, then the nearest
//! ones, then a budget of tokens.

use rig_core::catalog::{Catalog, ModelSpec};
use rig_core::completion::{CompletionRequest, Effort as Level, Reasoning};
use rig_core::providers::registry::ProviderId;
use serde_json::json;
use zeug_provider::Effort;

use super::Line;
use super::request::pass_on;
use crate::connect::Endpoint;
use crate::known::Api;

/// The library's levels, from the lowest up.
const LEVELS: [Level; 6] = [
    Level::Minimal,
    Level::Low,
    Level::Medium,
    Level::High,
    Level::XHigh,
    Level::Max,
];

/// Tokens for models that take a budget instead of a level, by level.
const BUDGETS: [u32; 6] = [1024, 4096, 8192, 16_384, 24_576, 32_768];

/// The most tokens of an answer when nobody says how many: enough for long files, and small enough
/// to leave most of a 200,000-token window to the conversation.
const ANSWER_TOKENS: u64 = 32_000;
/// For a model that nobody knows anything about.
const UNKNOWN_ANSWER_TOKENS: u64 = 8192;

/// What the catalogue knows about a model at an endpoint.
pub(crate) fn spec(endpoint: &Endpoint, model: &str) -> Option<&'static ModelSpec> {
    let vendor = endpoint.known?.vendor;
    let provider = ProviderId::catalog(vendor)?;
    Catalog::builtin().find(provider, model)
}

/// Writes the effort into the request, and what follows from it.
pub(crate) fn apply(
    effort: Option<Effort>,
    asked: &mut CompletionRequest,
    model: &str,
    endpoint: &Endpoint,
    line: &dyn Line,
) {
    let spec = spec(endpoint, model);
    let reasons = spec.map(|spec| spec.reasoning.supported);
    let chosen = effort.and_then(|effort| choose(effort, spec, asked, line));
    if let Some(reasoning) = chosen {
        asked.options = std::mem::take(&mut asked.options).reasoning(reasoning);
    }
    if endpoint.api == Api::Anthropic && asked.max_tokens.is_none() {
        asked.max_tokens = Some(answer_tokens(spec, chosen));
    }
    if endpoint.api == Api::OpenAiResponses {
        // Nothing is kept at the provider: its reasoning travels encrypted, with the conversation.
        pass_on(asked, json!({"store": false}));
        let told = matches!(chosen, Some(Reasoning::Effort(_))) && reasons != Some(false);
        if told && line.vendor() == "openai" {
            pass_on(asked, json!({"reasoning": {"summary": "auto"}}));
        }
    }
    if endpoint.api == Api::Gemini && reasons == Some(true) && effort != Some(Effort::Off) {
        let thoughts = json!({"thinkingConfig": {"includeThoughts": true}});
        pass_on(asked, json!({ "generationConfig": thoughts }));
    }
    if endpoint.api == Api::Ollama
        && let Some(window) = endpoint.context_window
    {
        pass_on(asked, json!({"options": {"num_ctx": window}}));
    }
    if line.vendor() == super::build::COMPATIBLE
        && let Some(word) = effort.and_then(customary)
    {
        pass_on(asked, json!({ "reasoning_effort": word }));
    }
}

fn choose(
    effort: Effort,
    spec: Option<&ModelSpec>,
    asked: &CompletionRequest,
    line: &dyn Line,
) -> Option<Reasoning> {
    let takes = |reasoning: &Reasoning| line.takes(asked, *reasoning);
    let Some(wanted) = rank(effort) else {
        return Some(Reasoning::Off).filter(takes);
    };
    if spec.is_some_and(|spec| !spec.reasoning.supported) {
        return None;
    }
    let mut nearest: Vec<usize> = (0..LEVELS.len()).collect();
    // Of two at the same distance the lower one costs less.
    nearest.sort_by_key(|rank| (rank.abs_diff(wanted), *rank));
    let level = nearest
        .iter()
        .map(|rank| Reasoning::Effort(LEVELS[*rank]))
        .find(takes);
    level.or_else(|| {
        let range = spec.and_then(|spec| spec.reasoning.budget.clone())?;
        let (start, end) = range.into_inner();
        let tokens = BUDGETS[wanted].clamp(start, end.max(start));
        Some(Reasoning::Budget { tokens }).filter(takes)
    })
}

fn rank(effort: Effort) -> Option<usize> {
    let level = match effort {
        Effort::Off => return None,
        Effort::Minimum => 0,
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 3,
        Effort::Xhigh => 4,
        Effort::Max => 5,
    };
    Some(level)
}

/// The words that servers which imitate OpenAI have in common.
fn customary(effort: Effort) -> Option<&'static str> {
    match effort {
        Effort::Off => None,
        Effort::Minimum => Some("minimal"),
        Effort::Low => Some("low"),
        Effort::Medium => Some("medium"),
        Effort::High | Effort::Xhigh | Effort::Max => Some("high"),
    }
}

/// Anthropic wants a number in every request, and the budget is a part of it.
fn answer_tokens(spec: Option<&ModelSpec>, chosen: Option<Reasoning>) -> u64 {
    let Some(most) = spec.and_then(|spec| spec.max_output_tokens).map(u64::from) else {
        return UNKNOWN_ANSWER_TOKENS;
    };
    let budget = match chosen {
        Some(Reasoning::Budget { tokens }) => u64::from(tokens),
        _ => 0,
    };
    most.min(ANSWER_TOKENS + budget)
}
