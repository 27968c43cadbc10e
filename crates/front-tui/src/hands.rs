//! Effects, carried out on the agent. What does not wait is done on the spot; what waits comes back
//! as an answer.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use zeug_app::Agent;
use zeug_paint::Picture;
use zeug_transcript::Image;

use crate::chat::images;
use crate::files;
use crate::help::with_keys;
use crate::outside::Outside;
use crate::word::{Answer, Effect};

/// What comes of an effect.
pub(crate) enum Done<'a> {
    /// Nothing more.
    Now,
    /// This, at once.
    Answer(Answer),
    /// This, when it is over.
    Later(BoxFuture<'a, Answer>),
    /// The same; it must not be lost when the face ends meanwhile.
    Kept(BoxFuture<'a, Answer>),
    /// It is for whoever has the terminal.
    Terminal(Effect),
}

/// Carries an effect out.
pub(crate) fn carry_out<'a>(
    agent: &'a Agent,
    outside: &Arc<dyn Outside>,
    effect: Effect,
) -> Done<'a> {
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
        Effect::Resources => {
            let loaded = resources(agent);
            return beyond(outside, move |outside| {
                let context = names("context", outside.context());
                Answer::Resources(format!("{context}\n{loaded}"))
            });
        }
        Effect::Pictures(id, source) => {
            let images = images(source, &agent.messages());
            let failed = Answer::Pictures(id, Vec::new());
            return Done::Later(blocking(
                move || Answer::Pictures(id, decoded(&images)),
                failed,
            ));
        }
        Effect::Strangers => return beyond(outside, strangers),
        Effect::Trust(strangers) => {
            return beyond(outside, move |outside| {
                Answer::Trusted(outside.trust(&strangers))
            });
        }
        Effect::Keep(name, value) => {
            return kept(outside, move |outside| outside.keep(name, &value));
        }
        Effect::Remember(text) => {
            return kept(outside, move |outside| outside.remember(&text));
        }
        effect => return later(agent, effect),
    }
    Done::Now
}

/// Something is put down for the next start.
fn kept<'a>(
    outside: &Arc<dyn Outside>,
    work: impl FnOnce(&dyn Outside) -> Result<(), String> + Send + 'static,
) -> Done<'a> {
    let outside = Arc::clone(outside);
    let failed = Answer::Kept(Err("this could not be kept: see the log".to_owned()));
    // It begins when it is waited for: one after the other, so that the last word counts.
    let keeping = async move { blocking(move || Answer::Kept(work(&*outside)), failed).await };
    Done::Kept(keeping.boxed())
}

/// Which extensions of the project wait for trust.
pub(crate) fn strangers(outside: &dyn Outside) -> Answer {
    Answer::Strangers(outside.strangers())
}

/// Asks the world beyond the agent, on a thread of its own.
pub(crate) fn beyond<'a>(
    outside: &Arc<dyn Outside>,
    work: impl FnOnce(&dyn Outside) -> Answer + Send + 'static,
) -> Done<'a> {
    let outside = Arc::clone(outside);
    let failed = Answer::Kept(Err("this could not be done: see the log".to_owned()));
    Done::Later(blocking(move || work(&*outside), failed))
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

fn names(what: &str, names: Vec<String>) -> String {
    match names.len() {
        0 => format!("{what}: none"),
        _ => format!("{what}: {}", names.join(", ")),
    }
}

/// Small copies of the images that can be decoded.
fn decoded(images: &[Image]) -> Vec<Picture> {
    let decode = |image: &Image| match Picture::decode(&image.to_bytes()?) {
        Ok(picture) => Some(picture),
        Err(why) => {
            tracing::debug!("{} cannot be shown: {why}", image.mime_type);
            None
        }
    };
    images.iter().filter_map(decode).collect()
}

/// What was loaded, in words.
fn resources(agent: &Agent) -> String {
    let tools = agent.tools();
    let tools = tools.iter().map(|entry| entry.tool.spec().name.to_string());
    let skills = agent.skills();
    let skills = skills.iter().map(|skill| skill.name.to_string());
    let extensions = agent.extensions();
    let extensions = extensions.iter().map(|report| report.name.clone());
    let parts = [
        names("extensions", extensions.collect()),
        names("skills", skills.collect()),
        names("tools", tools.collect()),
    ];
    parts.join("\n")
}

/// Work that blocks, on a thread of its own; `failed` when it panics.
pub(crate) fn blocking(
    work: impl FnOnce() -> Answer + Send + 'static,
    failed: Answer,
) -> BoxFuture<'static, Answer> {
    let working = tokio::task::spawn_blocking(work);
    async move { working.await.unwrap_or(failed) }.boxed()
}
