//! Effects, carried out on the agent. What does not wait is done on the spot; what waits comes back
//! as an answer.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use zeug_app::Agent;

use crate::files;
use crate::help::with_keys;
use crate::word::{Answer, Effect};

/// What comes of an effect.
pub(crate) enum Done<'a> {
    /// Nothing more.
    Now,
    /// This, at once.
    Answer(Answer),
    /// This, when it is over.
    Later(BoxFuture<'a, Answer>),
    /// It is for whoever has the terminal.
    Terminal(Effect),
}

/// Carries an effect out.
pub(crate) fn carry_out(agent: &Agent, effect: Effect) -> Done<'_> {
    match effect {
        Effect::Approve(id, consent) => drop(agent.approve(&id, consent)),
        Effect::PanelKey { extension, id, key } => {
            if let Err(why) = agent.panel_key(&extension, &id, key) {
                tracing::debug!("{why}");
            }
        }
        Effect::ClosePanel { extension, id } => drop(agent.close_panel(&extension, &id)),
        Effect::PanelSize(width, height) => agent.set_panel_size(width, height),
        Effect::Commands => return Done::Answer(Answer::Commands(agent.commands())),
        Effect::Look => return Done::Answer(Answer::State(Box::new(agent.state()))),
        Effect::Replay => {
            let state = Box::new(agent.state());
            return Done::Answer(Answer::Conversation(state, agent.messages()));
        }
        Effect::Models => return Done::Answer(Answer::Models(agent.models())),
        Effect::List { command, args } => {
            let mut text = agent.listed(command, &args).unwrap_or_default();
            if command.name == "help" {
                text = with_keys(&text);
            }
            let title = format!("/{}", command.name);
            return Done::Answer(Answer::Text { title, text });
        }
        effect => return later(agent, effect),
    }
    Done::Now
}

fn later(agent: &Agent, effect: Effect) -> Done<'_> {
    let future = match effect {
        Effect::Prompt(prompt) => async move {
            let id = agent.prompt(prompt).await;
            Answer::Prompted(id.map_err(|refused| refused.to_string()))
        }
        .boxed(),
        Effect::Abort => async {
            agent.abort().await;
            Answer::State(Box::new(agent.state()))
        }
        .boxed(),
        Effect::Slash { by, line } => async move {
            let result = agent.slash(&line).await;
            Answer::Slashed { by, line, result }
        }
        .boxed(),
        Effect::Reload(name) => {
            async move { Answer::Reloaded(agent.reload(name.as_deref()).await) }.boxed()
        }
        Effect::Sessions(all) => async move {
            let listing = agent.sessions(all).await;
            Answer::Sessions(listing.map_err(|refused| refused.to_string()))
        }
        .boxed(),
        Effect::Tree => async {
            let nodes = agent.tree().await;
            Answer::Tree(nodes.map_err(|refused| refused.to_string()))
        }
        .boxed(),
        Effect::Branches => async {
            let branches = agent.branches().await;
            Answer::Branches(branches.map_err(|refused| refused.to_string()))
        }
        .boxed(),
        Effect::Fork(entry) => async move {
            let forked = agent.fork(Some(entry), false, None).await;
            let forked = forked.map(|forked| forked.said);
            Answer::Forked(forked.map_err(|refused| refused.to_string()))
        }
        .boxed(),
        Effect::Files => {
            let cwd = agent.state().cwd;
            blocking(
                move || Answer::Files(files::list(&cwd)),
                Answer::Files(Vec::new()),
            )
        }
        Effect::Attach(path) => {
            let failed = Answer::Image(path.clone(), Err("it could not be read".to_owned()));
            let path = agent.state().cwd.join(path);
            blocking(
                move || {
                    let image = files::image(&path);
                    Answer::Image(path, image)
                },
                failed,
            )
        }
        effect => return Done::Terminal(effect),
    };
    Done::Later(future)
}

/// Work that blocks, on a thread of its own; `failed` when it panics.
fn blocking(
    work: impl FnOnce() -> Answer + Send + 'static,
    failed: Answer,
) -> BoxFuture<'static, Answer> {
    let working = tokio::task::spawn_blocking(work);
    async move { working.await.unwrap_or(failed) }.boxed()
}
