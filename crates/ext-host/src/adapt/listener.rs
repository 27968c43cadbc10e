//! An extension that is asked at a moment, in the frames of the two seeds.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use zeug_ext_protocol::intercept::{EventIntercept, EventInterceptResponse};
use zeug_ext_protocol::{ToExtension, limits};
use zeug_hook::{
    Agent, AgentFacts, AssistantAnswer, AssistantMessage, BeforeAgentStart, Listener, MessageFacts,
    Meta, Moment, Prompt, Silence, StepFacts, ToolAnswer, ToolCall, ToolFacts, TurnAnswer,
    TurnStart,
};
use zeug_stdx::id::IdSource;
use zeug_stdx::json::RawJson;
use zeug_tool::Progress;

use crate::guest::Guest;
use crate::link::{Expect, Link, Reply};

static QUESTIONS: IdSource = IdSource::new("ask");

/// One subscription of one extension; the same value serves whichever moment it is for.
pub(crate) struct Ear {
    pub(crate) meta: Meta,
    pub(crate) guest: Arc<Guest>,
    pub(crate) link: Arc<Link>,
    pub(crate) deadline: Duration,
}

impl Ear {
    /// Asks and waits. The chain drops this future at the deadline, which takes the question back.
    async fn question(
        &self,
        agent: Option<&Agent>,
        event: &str,
        fields: EventIntercept,
    ) -> Result<EventInterceptResponse, Silence> {
        let id = QUESTIONS.next();
        let frame = ToExtension::EventIntercept(EventIntercept {
            id: id.clone(),
            event: event.to_owned(),
            agent_id: agent.map(|agent| agent.agent_id.clone()),
            depth: agent.map(|agent| agent.depth),
            // The preparation of a prompt has an id of its own.
            agent_run_id: fields
                .agent_run_id
                .or_else(|| agent.map(|agent| agent.agent_run_id.clone())),
            ..fields
        });
        let mut asked = self
            .link
            .ask(&frame, id, Expect::Intercept, Progress::nowhere())
            .map_err(Silence::Gone)?;
        match asked.answer().await {
            Reply::Intercept(answer) => Ok(answer),
            Reply::Gone(why) => Err(Silence::Gone(why)),
            Reply::Unreadable(why) => Err(Silence::Nonsense(why)),
            Reply::Tool(_) | Reply::Command(_) => Err(Silence::Nonsense(
                "answered with another kind of frame".to_owned(),
            )),
        }
    }

    fn read<M: Question>(&self, answer: EventInterceptResponse) -> Result<M::Answer, Silence> {
        M::read(answer).inspect_err(|silence| {
            let remark = format!("event_intercept_response to {}: {silence}", M::EVENT);
            self.guest.diagnose(remark);
        })
    }
}

fn reason(answer: &mut EventInterceptResponse, default: &str) -> String {
    answer
        .reason
        .take()
        .filter(|r| !r.trim().is_empty())
        .unwrap_or_else(|| default.to_owned())
}

/// A moment as the frames of the two seeds put it.
trait Question: Moment {
    /// Its name on the wire.
    const EVENT: &'static str;

    /// What is asked.
    fn fields(facts: &Self::Facts, value: &Self::Value) -> EventIntercept;

    /// What an answer means.
    fn read(answer: EventInterceptResponse) -> Result<Self::Answer, Silence>;
}

#[async_trait]
impl<M: Question> Listener<M> for Ear {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn deadline(&self) -> Duration {
        self.deadline
    }

    async fn ask(&self, facts: &M::Facts, value: &M::Value) -> Result<M::Answer, Silence> {
        let fields = M::fields(facts, value);
        self.read::<M>(self.question(None, M::EVENT, fields).await?)
    }

    async fn ask_in(
        &self,
        agent: &Agent,
        facts: &M::Facts,
        value: &M::Value,
    ) -> Result<M::Answer, Silence> {
        let fields = M::fields(facts, value);
        self.read::<M>(self.question(Some(agent), M::EVENT, fields).await?)
    }

    fn failed(&self, silence: &Silence) {
        // A death, and an answer that cannot be read, are remarked where they are noticed.
        if let Silence::TimedOut(_) = silence {
            let remark = format!("event_intercept {}: {silence}", M::EVENT);
            self.guest.diagnose_once(remark);
        }
    }
}

impl Question for ToolCall {
    const EVENT: &'static str = "tool_call";

    fn fields(facts: &ToolFacts, value: &RawJson) -> EventIntercept {
        EventIntercept {
            tool_id: Some(facts.call_id.clone()),
            tool_name: Some(facts.tool.clone()),
            tool_args: Some(value.clone()),
            origin_extension: facts.origin_extension.clone(),
            ..EventIntercept::default()
        }
    }

    fn read(mut answer: EventInterceptResponse) -> Result<ToolAnswer, Silence> {
        if answer.block {
            let default = "tool call refused by extension guard";
            return Ok(ToolAnswer::Block(reason(&mut answer, default)));
        }
        match answer.modified_args {
            None => Ok(ToolAnswer::Allow),
            Some(args) if args.is_object() => Ok(ToolAnswer::Rewrite(args)),
            Some(_) => Err(Silence::Nonsense(
                "modified_args must be a JSON object".to_owned(),
            )),
        }
    }
}

impl Question for TurnStart {
    const EVENT: &'static str = "turn_start";

    fn fields(facts: &StepFacts, _: &String) -> EventIntercept {
        EventIntercept {
            step: Some(facts.step),
            ..EventIntercept::default()
        }
    }

    fn read(mut answer: EventInterceptResponse) -> Result<TurnAnswer, Silence> {
        if answer.block {
            let default = "turn blocked by extension guard";
            return Ok(TurnAnswer::Block(reason(&mut answer, default)));
        }
        let context = answer.context.unwrap_or_default();
        Ok(TurnAnswer::Go { context })
    }
}

impl Question for AssistantMessage {
    const EVENT: &'static str = "assistant_message";

    fn fields(_: &MessageFacts, value: &String) -> EventIntercept {
        EventIntercept {
            text: Some(value.clone()),
            ..EventIntercept::default()
        }
    }

    fn read(mut answer: EventInterceptResponse) -> Result<AssistantAnswer, Silence> {
        if answer.block {
            let default = "message withheld by an extension";
            return Ok(AssistantAnswer::Suppress(reason(&mut answer, default)));
        }
        Ok(match answer.replace_text {
            Some(text) => AssistantAnswer::Replace(text),
            None => AssistantAnswer::Show,
        })
    }
}

impl Question for BeforeAgentStart {
    const EVENT: &'static str = "before_agent_start";

    fn fields(facts: &AgentFacts, value: &Prompt) -> EventIntercept {
        EventIntercept {
            session_id: Some(facts.session_id.clone()),
            agent_run_id: Some(facts.agent_run_id.clone()),
            cwd: Some(facts.cwd.clone()),
            provider: Some(facts.provider.clone()),
            model: Some(facts.model.clone()),
            system_prompt: Some(value.to_string()),
            ..EventIntercept::default()
        }
    }

    fn read(answer: EventInterceptResponse) -> Result<Option<String>, Silence> {
        if let Some(prompt) = &answer.system_prompt {
            let bytes = RawJson::of(prompt).map_or(usize::MAX, |raw| raw.get().len());
            if bytes > limits::SYSTEM_PROMPT_BYTES {
                return Err(Silence::Nonsense(format!(
                    "system_prompt of {bytes} encoded bytes is over the limit of {} (1 MiB)",
                    limits::SYSTEM_PROMPT_BYTES
                )));
            }
        }
        Ok(answer.system_prompt)
    }
}
