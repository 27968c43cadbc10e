//! Asking the listeners of a moment, each chain in a task of its own.

use tokio::task::JoinHandle;
use zeug_hook::{
    AgentFacts, AssistantMessage, BeforeAgentStart, Chain, MessageFacts, Outcome, StepFacts,
    ToolCall, ToolFacts, TurnStart,
};
use zeug_stdx::json::RawJson;

use super::Rig;

pub(crate) fn tool_facts(tool: &str) -> ToolFacts {
    ToolFacts {
        call_id: "toolu_1".to_owned(),
        tool: tool.to_owned(),
        origin_extension: None,
    }
}

pub(crate) fn step_facts(step: u32) -> StepFacts {
    StepFacts { step }
}

pub(crate) fn message_facts() -> MessageFacts {
    MessageFacts
}

pub(crate) fn agent_facts() -> AgentFacts {
    AgentFacts {
        session_id: "s-1".to_owned(),
        agent_run_id: "r-1".to_owned(),
        cwd: "/project".to_owned(),
        provider: "puppet".to_owned(),
        model: "puppet-1".to_owned(),
    }
}

impl Rig {
    /// Asks about a call of `tool` with these arguments.
    pub(crate) fn ask_tool(&self, tool: &str, args: &str) -> JoinHandle<Outcome<ToolCall>> {
        let (facts, args) = (tool_facts(tool), RawJson::parse(args).unwrap());
        let chain = Chain::of(&self.board.tool_call, &facts);
        tokio::spawn(async move { chain.run(&facts, args).await })
    }

    pub(crate) fn ask_turn(&self, step: u32) -> JoinHandle<Outcome<TurnStart>> {
        let facts = step_facts(step);
        let chain = Chain::of(&self.board.turn_start, &facts);
        tokio::spawn(async move { chain.run(&facts, String::new()).await })
    }

    pub(crate) fn ask_message(&self, text: &str) -> JoinHandle<Outcome<AssistantMessage>> {
        let (facts, text) = (message_facts(), text.to_owned());
        let chain = Chain::of(&self.board.assistant_message, &facts);
        tokio::spawn(async move { chain.run(&facts, text).await })
    }

    pub(crate) fn ask_agent(&self, prompt: &str) -> JoinHandle<Outcome<BeforeAgentStart>> {
        let (facts, prompt) = (agent_facts(), prompt.to_owned());
        let chain = Chain::of(&self.board.before_agent_start, &facts);
        tokio::spawn(async move { chain.run(&facts, prompt.into()).await })
    }
}
