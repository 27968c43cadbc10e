//! What the agent shows, in the shapes of responses.
//!
//! Reads snapshots; [`set_model`], [`set_reasoning`] and [`panel`] alone change something.

use serde::Serialize;
use zeug_app::{Agent, BUILT_INS, Effort};
use zeug_rpc_protocol::{
    CommandData, CommandsData, HelloData, MessageData, MessagesData, ModelData, ModelsData,
    RPC_VERSION, SessionData, SetModelData, StateData,
};
use zeug_stdx::json::RawJson;
use zeug_stdx::text;

use crate::machine::{Moment, PanelAct};

pub(crate) fn hello(agent: &Agent, version: &str, interactive: bool) -> Option<RawJson> {
    let state = agent.state();
    data(&HelloData {
        protocol_version: RPC_VERSION,
        version: version.to_owned(),
        provider: state.provider,
        model: state.model,
        cwd: state.cwd.display().to_string(),
        session: SessionData::from(&state.session),
        interactive,
    })
}

pub(crate) fn state(agent: &Agent, moment: Moment) -> Option<RawJson> {
    let state = agent.state();
    data(&StateData {
        busy: moment.busy || state.is_busy(),
        queued: moment.queued,
        ready: moment.ready,
        interactive: moment.interactive,
        message_count: agent.messages().len(),
        provider: state.provider,
        model: state.model,
        cwd: state.cwd.display().to_string(),
        session: SessionData::from(&state.session),
        reasoning: state.reasoning.map(|effort| effort.as_str().to_owned()),
        waiting_for_approval: state.waiting_for_approval,
        usage: state.usage.into(),
    })
}

pub(crate) fn messages(agent: &Agent) -> Option<RawJson> {
    let messages = agent.messages().iter().map(MessageData::from).collect();
    data(&MessagesData { messages })
}

pub(crate) fn models(agent: &Agent) -> Option<RawJson> {
    let state = agent.state();
    let listed = agent.models().into_iter();
    let models = listed.map(|model| ModelData {
        current: model.name == state.model,
        id: model.name,
        provider: state.provider.clone(),
        label: model.label,
        context_window: model.context_window,
        max_output: model.max_output_tokens,
        reasoning: model.reasons,
    });
    data(&ModelsData {
        models: models.collect(),
    })
}

/// Another model answers from now on; what the word was taken for.
pub(crate) async fn set_model(agent: &Agent, word: &str) -> Result<Option<RawJson>, String> {
    let model = agent.choose_model(word).await?;
    Ok(data(&SetModelData { model: model.name }))
}

/// The model reasons so much from now on.
pub(crate) async fn set_reasoning(agent: &Agent, word: &str) -> Result<Option<RawJson>, String> {
    let Some(effort) = Effort::parse(word) else {
        let known = Effort::ALL.map(Effort::as_str).join(", ");
        let word = text::one_line(word, 64);
        return Err(format!(
            "{word:?} is no level of reasoning: use one of {known}"
        ));
    };
    agent.set_reasoning(Some(effort)).await;
    Ok(None)
}

/// Does something to a panel.
pub(crate) fn panel(agent: &Agent, act: PanelAct) -> Result<Option<RawJson>, String> {
    match act {
        PanelAct::Keys(extension, id, keys) => {
            for key in keys {
                agent.panel_key(&extension, &id, key)?;
            }
        }
        PanelAct::Close(extension, id) => {
            if !agent.close_panel(&extension, &id) {
                return Err(format!(
                    "extension {extension} has no panel {id:?} open (any more)"
                ));
            }
        }
        PanelAct::Resize(width, height) => agent.set_panel_size(width, height),
    }
    Ok(None)
}

pub(crate) fn commands(agent: &Agent) -> Option<RawJson> {
    let ours = BUILT_INS.iter().filter(|command| !command.hidden);
    let ours = ours.map(|command| CommandData {
        name: command.name.to_owned(),
        description: command.what.to_owned(),
        built_in: true,
    });
    let theirs = agent.commands().into_iter();
    let theirs = theirs.map(|(name, description)| CommandData {
        name,
        description,
        built_in: false,
    });
    data(&CommandsData {
        commands: ours.chain(theirs).collect(),
    })
}

pub(crate) fn trace(agent: &Agent) -> Option<RawJson> {
    data(&agent.trail())
}

fn data<T: Serialize>(data: &T) -> Option<RawJson> {
    // Plain values: nothing in them can fail to be written.
    RawJson::of(data).ok()
}
