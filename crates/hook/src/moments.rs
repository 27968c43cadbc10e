//! The four moments of the string interceptions: `tool_call`, `turn_start`, `assistant_message`,
//! `before_agent_start`.

use std::sync::Arc;

use zeug_stdx::json::RawJson;
use zeug_stdx::text;

use crate::{Fold, Moment};

/// Hidden turn context after joining, in bytes.
const CONTEXT_BYTES: usize = 16 * 1024;
const CONTEXT_CUT: &str = "\n[extension context truncated]";

/// A tool is about to be called; listeners may refuse or rewrite the arguments.
#[derive(Debug)]
pub struct ToolCall;

/// What is fixed about a tool call.
#[derive(Debug, Clone)]
pub struct ToolFacts {
    /// The transcript's id of the call.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// The extension that started the call, if one did.
    pub origin_extension: Option<String>,
}

/// An answer to [`ToolCall`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolAnswer {
    /// No objection.
    Allow,
    /// Refuse, with the reason that the model sees.
    Block(String),
    /// Use these arguments (an object) instead.
    Rewrite(RawJson),
}

impl Moment for ToolCall {
    const NAME: &'static str = "tool_call";
    const SECOND_PASS: bool = true;
    type Facts = ToolFacts;
    type Value = RawJson;
    type Answer = ToolAnswer;

    fn subject(facts: &ToolFacts) -> Option<&str> {
        Some(&facts.tool)
    }

    fn fold(value: &mut RawJson, _: &str, answer: ToolAnswer) -> Fold {
        match answer {
            ToolAnswer::Allow => Fold::Kept,
            ToolAnswer::Block(reason) => Fold::Refused(reason),
            ToolAnswer::Rewrite(args) if args == *value => Fold::Kept,
            ToolAnswer::Rewrite(args) => {
                *value = args;
                Fold::Changed
            }
        }
    }
}

/// The model is about to be asked; listeners may refuse the turn or add hidden context.
#[derive(Debug)]
pub struct TurnStart;

/// What is fixed about a step.
#[derive(Debug, Clone, Copy)]
pub struct StepFacts {
    /// Counts the model calls of one prompt, from 1.
    pub step: u32,
}

/// An answer to [`TurnStart`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnAnswer {
    /// Go on, with this context when it is not empty.
    Go {
        /// Hidden context for this request.
        context: String,
    },
    /// Refuse, with the reason that the user sees.
    Block(String),
}

impl Moment for TurnStart {
    const NAME: &'static str = "turn_start";
    type Facts = StepFacts;
    /// The joined context.
    type Value = String;
    type Answer = TurnAnswer;

    fn fold(value: &mut String, extension: &str, answer: TurnAnswer) -> Fold {
        match answer {
            TurnAnswer::Block(reason) => Fold::Refused(reason),
            TurnAnswer::Go { context } if context.trim().is_empty() => Fold::Kept,
            TurnAnswer::Go { context } => {
                if value.ends_with(CONTEXT_CUT) {
                    return Fold::Kept;
                }
                if !value.is_empty() {
                    value.push_str("\n\n");
                }
                value.push_str(&format!("[{extension}]\n{context}"));
                if value.len() > CONTEXT_BYTES {
                    let keep = text::prefix(value, CONTEXT_BYTES - CONTEXT_CUT.len()).len();
                    value.truncate(keep);
                    value.push_str(CONTEXT_CUT);
                }
                Fold::Changed
            }
        }
    }
}

/// A message of the model is complete; listeners may replace or suppress what the user sees.
#[derive(Debug)]
pub struct AssistantMessage;

/// What is fixed about a message.
#[derive(Debug, Clone, Copy)]
pub struct MessageFacts;

/// An answer to [`AssistantMessage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssistantAnswer {
    /// Show it.
    Show,
    /// Show nothing.
    Suppress(String),
    /// Show this instead.
    Replace(String),
}

impl Moment for AssistantMessage {
    const NAME: &'static str = "assistant_message";
    type Facts = MessageFacts;
    type Value = String;
    type Answer = AssistantAnswer;

    fn fold(value: &mut String, _: &str, answer: AssistantAnswer) -> Fold {
        match answer {
            AssistantAnswer::Show => Fold::Kept,
            AssistantAnswer::Suppress(reason) => Fold::Refused(reason),
            AssistantAnswer::Replace(text) if text.is_empty() || text == *value => Fold::Kept,
            AssistantAnswer::Replace(text) => {
                *value = text;
                Fold::Changed
            }
        }
    }
}

/// The system prompt was assembled; listeners may replace it whole.
#[derive(Debug)]
pub struct BeforeAgentStart;

/// What is fixed about one preparation of the agent.
#[derive(Debug, Clone)]
pub struct AgentFacts {
    /// The conversation.
    pub session_id: String,
    /// This pass; shared by the whole chain, new on each rebuild.
    pub agent_run_id: String,
    /// The project directory.
    pub cwd: String,
    /// The provider's key.
    pub provider: String,
    /// The model's name.
    pub model: String,
}

/// The system prompt as it stands; empty means none is sent.
pub type Prompt = Arc<str>;

impl Moment for BeforeAgentStart {
    const NAME: &'static str = "before_agent_start";
    const REFUSABLE: bool = false;
    type Facts = AgentFacts;
    type Value = Prompt;
    /// `None` keeps, a text replaces, an empty text removes.
    type Answer = Option<String>;

    fn fold(value: &mut Prompt, _: &str, answer: Option<String>) -> Fold {
        match answer {
            None => Fold::Kept,
            Some(text) if *text == **value => Fold::Kept,
            Some(text) => {
                *value = text.into();
                Fold::Changed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_join_and_are_bounded() {
        let mut value = String::new();
        let go = |c: &str| TurnAnswer::Go { context: c.into() };
        assert_eq!(TurnStart::fold(&mut value, "a", go("one")), Fold::Changed);
        assert_eq!(TurnStart::fold(&mut value, "b", go("  ")), Fold::Kept);
        assert_eq!(TurnStart::fold(&mut value, "c", go("two")), Fold::Changed);
        assert_eq!(value, "[a]\none\n\n[c]\ntwo");
        TurnStart::fold(&mut value, "d", go(&"é".repeat(CONTEXT_BYTES)));
        assert!(value.len() <= CONTEXT_BYTES && value.ends_with(CONTEXT_CUT));
        let full = value.clone();
        assert_eq!(TurnStart::fold(&mut value, "e", go("late")), Fold::Kept);
        assert_eq!(value, full);
    }

    #[test]
    fn an_empty_replacement_shows_the_message_but_removes_the_prompt() {
        let mut text = "hi".to_owned();
        let kept = AssistantMessage::fold(&mut text, "a", AssistantAnswer::Replace(String::new()));
        assert_eq!((kept, text.as_str()), (Fold::Kept, "hi"));
        let mut prompt: Prompt = "be kind".into();
        let changed = BeforeAgentStart::fold(&mut prompt, "a", Some(String::new()));
        assert_eq!((changed, &*prompt), (Fold::Changed, ""));
    }
}
