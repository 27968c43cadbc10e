//! The one owner of both machines: started together, stopped in the right order.

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use zeug_engine::{Ask, CallReport, CallRequest, EndReason, Prompt, PromptId, Refused};
use zeug_ext_host::{Action, CommandError, GuestReport, Host, News};
use zeug_stdx::json::RawJson;
use zeug_stdx::nest::Nest;
use zeug_tool::Origin;

use crate::{Notice, translate};

/// Notices that may wait for the face before the machines wait for it.
const NOTICES: usize = 256;

/// What an agent is made of. Both setups share one table of tools and one board of listeners.
#[derive(Debug)]
pub struct Parts {
    /// The turn machine.
    pub engine: zeug_engine::Setup,
    /// The extension host.
    pub host: zeug_ext_host::Setup,
    /// What the face is told first: skipped extensions, load errors, remarks.
    pub first: Vec<Notice>,
}

/// What came of a slash command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReply {
    /// Who ran it.
    pub extension: String,
    /// What it wants to happen.
    pub action: Action,
}

/// One running agent.
pub struct Agent {
    engine: zeug_engine::Handle,
    host: Host,
    loops: Nest,
    /// Asks the loop to carry over all news that is there.
    flush: mpsc::Sender<oneshot::Sender<()>>,
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent")
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

impl Agent {
    /// Starts both machines. The notices must be taken; they end after [`Agent::quit`].
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(parts: Parts) -> (Self, mpsc::Receiver<Notice>) {
        let (notices, receiver) = mpsc::channel(NOTICES);
        let (host, news) = Host::start(parts.host);
        let (engine, events, asks) = zeug_engine::start(parts.engine);
        let (flush, flushes) = mpsc::channel(1);
        let sources = Sources {
            events,
            asks,
            news,
            flushes,
        };
        let mut loops = Nest::new();
        loops.spawn("notices", forward(parts.first, sources, notices));
        let agent = Self {
            engine,
            host,
            loops,
            flush,
        };
        (agent, receiver)
    }

    /// Waits until every extension is ready or has failed, and what there is to say about that
    /// is among the notices.
    pub async fn ready(&self) {
        self.host.settled().await;
        let (done, flushed) = oneshot::channel();
        if self.flush.send(done).await.is_ok() {
            // The loop ends only with this agent.
            drop(flushed.await);
        }
    }

    /// Gives the model something to do, behind what is queued already.
    ///
    /// # Errors
    /// When too much is queued, or the agent has stopped.
    pub async fn prompt(&self, prompt: Prompt) -> Result<PromptId, Refused> {
        self.engine.prompt(prompt).await
    }

    /// Gives up the running prompt. A token for whoever cannot wait.
    pub async fn abort(&self) {
        self.engine.abort().await;
    }

    /// Another handle to the turn machine, for whoever must be able to abort while this agent is
    /// borrowed.
    #[must_use]
    pub fn engine(&self) -> zeug_engine::Handle {
        self.engine.clone()
    }

    /// Runs one tool for the user, through the gate like every call.
    ///
    /// # Errors
    /// When the agent has stopped.
    pub async fn call_tool(
        &self,
        name: &str,
        args: RawJson,
        cancel: CancellationToken,
    ) -> Result<CallReport, Refused> {
        self.engine
            .call(CallRequest {
                name: name.to_owned(),
                args,
                origin: Origin::User,
                cancel,
                deadline: None,
            })
            .await
    }

    /// Runs a slash command of an extension. What it wants is done by the caller.
    ///
    /// # Errors
    /// [`CommandError`].
    pub async fn command(&self, name: &str, args: &str) -> Result<CommandReply, CommandError> {
        let (extension, action) = self.host.command(name, args).await?;
        Ok(CommandReply { extension, action })
    }

    /// Slash commands of extensions with their descriptions.
    #[must_use]
    pub fn commands(&self) -> Vec<(String, String)> {
        self.host.commands()
    }

    /// How every extension stands.
    #[must_use]
    pub fn extensions(&self) -> Vec<GuestReport> {
        self.host.report()
    }

    /// Ends the conversation, then the extensions, which see `session_end` before `shutdown`.
    pub async fn quit(mut self) {
        self.engine.close(EndReason::Shutdown).await;
        self.host.stop().await;
        drop(self.engine);
        drop(self.host);
        drop(self.flush);
        self.loops.finished().await;
    }
}

/// What the loop takes from.
struct Sources {
    events: mpsc::Receiver<zeug_engine::Event>,
    asks: mpsc::Receiver<Ask>,
    news: mpsc::Receiver<News>,
    flushes: mpsc::Receiver<oneshot::Sender<()>>,
}

/// Carries announcements of both machines to the face until both are gone.
async fn forward(first: Vec<Notice>, mut from: Sources, notices: mpsc::Sender<Notice>) {
    // Without a face the machines still run to their ends, so a failed send is no reason to stop.
    for notice in first {
        drop(notices.send(notice).await);
    }
    loop {
        let notice = tokio::select! {
            Some(event) = from.events.recv() => translate::event(event),
            // No face of this version can ask: dropping the question answers it with no.
            Some(_ask) = from.asks.recv() => None,
            Some(news) = from.news.recv() => translate::news(news),
            Some(done) = from.flushes.recv() => {
                while let Ok(news) = from.news.try_recv() {
                    if let Some(notice) = translate::news(news) {
                        drop(notices.send(notice).await);
                    }
                }
                // Nobody waits any more when the start was interrupted.
                done.send(()).ok();
                None
            }
            else => return,
        };
        if let Some(notice) = notice {
            drop(notices.send(notice).await);
        }
    }
}
