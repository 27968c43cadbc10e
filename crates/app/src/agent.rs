//! The one owner of both machines: started together, stopped in the right order.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use zeug_engine::{
    Approval, CallReport, CallRequest, Consent, EndReason, FirstCall, Prompt, PromptId, Refused,
};
use zeug_ext_host::{Action, Boundary, CommandError, GuestReport, Host};
use zeug_rpc_protocol::TraceData;
use zeug_skills::Skills;
use zeug_stdx::json::RawJson;
use zeug_stdx::nest::Nest;
use zeug_tool::{Entry, Origin, Table};
use zeug_transcript::{Message, Status};

use crate::Notice;
use crate::asks::Asks;
use crate::below::offer_task;
use crate::forward::{self, Shared, Sources};
use crate::journal::{Clerk, Desk, Opened, Sessions};
use crate::models::Models;
use crate::reload::Inviter;
use crate::sessions::{self, Ears};
use crate::state::{Standing, State};
use crate::task::TaskSetup;
use crate::trace;

/// Notices that may wait for the face before the machines wait for it.
const NOTICES: usize = 256;

/// Damaged places of a session that are told one by one.
const PROBLEMS: usize = 3;

/// What an agent is made of. Both setups share one table of tools and one board of listeners.
#[derive(Debug)]
pub struct Parts {
    /// The turn machine.
    pub engine: zeug_engine::Setup,
    /// The extension host.
    pub host: zeug_ext_host::Setup,
    /// What sub-agents are made of; `None` offers none.
    pub task: Option<TaskSetup>,
    /// The session that is open from the start. What it is, was said and was spent takes the place
    /// of what stands in the two setups.
    pub session: Opened,
    /// What `/skill:NAME` in a prompt stands for.
    pub skills: Arc<Skills>,
    /// Who looks for extensions again; `None` starts none anew.
    pub inviter: Option<Arc<dyn Inviter>>,
    /// The models that may answer instead of the first.
    pub models: Arc<dyn Models>,
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

impl CommandReply {
    /// What is to be queued for the model because of it.
    #[must_use]
    pub fn prompt(&self) -> Option<Prompt> {
        match &self.action {
            Action::Prompt(text) => Some(Prompt::text(text)),
            Action::ToolPrompt { prompt, tool, args } => Some(Prompt {
                first: Some(FirstCall {
                    origin: Origin::Command(self.extension.clone()),
                    tool: tool.clone(),
                    args: args.clone(),
                }),
                ..Prompt::text(prompt)
            }),
            Action::Insert(_) | Action::Display(_) | Action::OpenPanel(_) | Action::Noop => None,
        }
    }
}

/// One running agent.
pub struct Agent {
    pub(crate) engine: zeug_engine::Handle,
    host: Host,
    loops: Nest,
    pub(crate) shared: Arc<Shared>,
    /// Where sessions are; `None` keeps none.
    pub(crate) shelf: Option<Sessions>,
    pub(crate) system_prompt: Arc<str>,
    pub(crate) inviter: Option<Arc<dyn Inviter>>,
    pub(crate) models: Arc<dyn Models>,
    tools: Table,
    skills: Arc<Skills>,
    /// Asks the loop to carry over everything that is there.
    pub(crate) flush: mpsc::Sender<oneshot::Sender<()>>,
    /// The notices end with the loop that carries them, whoever else tells something.
    pub(crate) notices: mpsc::WeakSender<Notice>,
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
    pub fn start(mut parts: Parts) -> (Self, mpsc::Receiver<Notice>) {
        let (notices, receiver) = mpsc::channel(NOTICES);
        let Opened {
            book,
            conversation,
            info: session,
            sessions,
        } = parts.session;
        let system_prompt = Arc::clone(&parts.engine.system_prompt);
        let tools = parts.engine.tools.clone();
        sessions::open(&mut parts.host.facts, &session);
        parts.engine.session_id.clone_from(&session.id);
        parts.engine.history = conversation.history;
        parts.engine.spent = conversation.spent;
        tools.restore_activated(conversation.activated);
        let facts = parts.host.facts.clone();
        let (host, news) = Host::start(parts.host);
        let ears = Ears::of(Some(host.clone()), facts);
        ears.tell(Boundary::Opened, &session, conversation.states);
        let shared = Arc::new(Shared {
            asks: Asks::new(parts.engine.can_ask),
            standing: Standing::new(&parts.engine, session),
            clerk: Clerk::at(Desk::new(sessions.clone(), book)),
            ears,
            surface: Mutex::default(),
            reloading: AtomicBool::new(false),
        });
        let (engine, events, asks) = zeug_engine::start(parts.engine);
        host.set_gate(Arc::new(engine.common()));
        if let Some(setup) = parts.task {
            offer_task(&tools, setup, &engine, &shared);
        }
        let (flush, flushes) = mpsc::channel(1);
        let sources = Sources {
            engine: engine.clone(),
            events,
            asks,
            news,
            flushes,
        };
        let told = notices.downgrade();
        let mut loops = Nest::new();
        let mut first = parts.first;
        first.extend(remarks(conversation.problems));
        let carried = forward::run(first, sources, Arc::clone(&shared), notices);
        loops.spawn("notices", carried);
        loops.spawn("session start", start_session(host.clone(), engine.clone()));
        let agent = Self {
            engine,
            host,
            loops,
            shared,
            shelf: sessions,
            system_prompt,
            inviter: parts.inviter,
            models: parts.models,
            tools,
            skills: parts.skills,
            flush,
            notices: told,
        };
        (agent, receiver)
    }

    /// Waits until every extension is ready or has failed, and what there is to say about that
    /// is among the notices.
    pub async fn ready(&self) {
        self.host.settled().await;
        catch_up(&self.flush).await;
    }

    /// Gives the model something to do, behind what is queued already.
    ///
    /// # Errors
    /// When too much is queued, or the agent has stopped.
    pub async fn prompt(&self, prompt: Prompt) -> Result<PromptId, Refused> {
        let submission = self.shared.standing.submit();
        let id = self.engine.prompt(prompt).await?;
        submission.accepted();
        Ok(id)
    }

    /// What a text that a user typed says to the model, when it begins with `/skill:NAME`.
    ///
    /// # Errors
    /// A sentence, when there is no such skill or it cannot be read.
    pub fn expand(&self, typed: &str) -> Result<Option<String>, String> {
        zeug_skills::expand(typed, &self.skills).map_err(|why| why.to_string())
    }

    /// Gives up the running prompt. A token for whoever cannot wait.
    pub async fn abort(&self) {
        self.engine.abort().await;
    }

    /// Replaces the conversation by a summary of it, after the prompt that runs and before those
    /// that wait; the summary, empty when there was nothing to summarise.
    ///
    /// # Errors
    /// A sentence that says why the conversation stays as it is.
    pub async fn compact(&self) -> Result<String, String> {
        let report = self.engine.compact().await.map_err(|why| why.to_string())?;
        catch_up(&self.flush).await;
        if report.status == Status::Completed {
            return Ok(report
                .compacted
                .map(|done| done.summary)
                .unwrap_or_default());
        }
        Err(report.error.unwrap_or_else(|| {
            let how = report.status.as_str();
            format!("no room was made ({how}); the conversation is as it was")
        }))
    }

    /// Forgets the conversation, after the prompt that runs and before those that wait; a resume
    /// respects it by then. Notices must be taken meanwhile.
    ///
    /// # Errors
    /// When too much is queued, or the agent has stopped.
    pub async fn clear(&self) -> Result<(), Refused> {
        self.engine.clear().await?;
        catch_up(&self.flush).await;
        Ok(())
    }

    /// Answers a question about a call ([`Notice::Event`] with `tool_confirmation_requested`);
    /// false when no such question is open (any more).
    pub fn approve(&self, call_id: &str, consent: Consent) -> bool {
        self.shared.asks.answer(call_id, consent)
    }

    /// Says what the face can do from now on. When it cannot ask, open questions are answered with
    /// no; when it cannot interact, panels end at once. Until it is said, panels wait for a face.
    pub async fn set_face(&self, can_ask: bool, can_interact: bool) {
        if can_ask {
            // Before the machine may ask.
            self.shared.asks.set_heard(true);
        }
        self.show_panels(can_interact);
        self.engine.set_face(can_ask, can_interact).await;
        if !can_ask {
            self.shared.asks.set_heard(false);
        }
    }

    /// Changes which calls need approval; answers given before are forgotten.
    pub async fn set_approval(&self, approval: Approval) {
        self.engine.set_approval(approval).await;
    }

    /// The tools that the user allows, by name; also those that the model is not offered now.
    #[must_use]
    pub fn tools(&self) -> Vec<Entry> {
        let names = self.tools.names().into_iter();
        names
            .filter_map(|(name, _)| self.tools.lookup(&name))
            .collect()
    }

    /// The skills.
    #[must_use]
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// How the agent stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.shared.standing.snapshot(self.shared.asks.waiting())
    }

    /// The conversation as it stands.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.engine.transcript()
    }

    /// The decisions about the last 200 calls, oldest first.
    #[must_use]
    pub fn trail(&self) -> TraceData {
        trace::data(self.engine.trail())
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
                chain: Vec::new(),
                cancel,
                deadline: None,
            })
            .await
    }

    /// Runs a slash command of an extension. What it wants is done by the caller; what the
    /// extension said before it answered is among the notices then.
    ///
    /// # Errors
    /// [`CommandError`].
    pub async fn command(&self, name: &str, args: &str) -> Result<CommandReply, CommandError> {
        let reply = self.host.command(name, args).await;
        catch_up(&self.flush).await;
        let (extension, action) = reply?;
        Ok(CommandReply { extension, action })
    }

    /// Slash commands of extensions with their descriptions.
    #[must_use]
    pub fn commands(&self) -> Vec<(String, String)> {
        self.host.commands()
    }

    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// Has the system prompt prepared anew.
    pub(crate) async fn renew_prompt(&self) {
        self.engine.rebuild(Arc::clone(&self.system_prompt)).await;
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
        self.shared.ears.close();
        drop(self.engine);
        drop(self.host);
        drop(self.flush);
        self.loops.finished().await;
        let closed = self.shared.clerk.ask(Desk::close).await;
        match closed {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!("the session was not closed in order: {error}"),
            Err(gone) => tracing::error!("{gone}"),
        }
    }
}

/// What is damaged in a session, without filling the screen.
fn remarks(problems: Vec<String>) -> impl Iterator<Item = Notice> {
    let more = problems.len().saturating_sub(PROBLEMS);
    let rest = (more > 0).then(|| {
        format!("the session has {more} more damaged places; `zeug sessions show ID` lists them")
    });
    let told = problems.into_iter().take(PROBLEMS).chain(rest);
    told.map(Notice::Remark)
}

/// Waits until everything that both machines announced is written and among the notices.
pub(crate) async fn catch_up(flush: &mpsc::Sender<oneshot::Sender<()>>) {
    let (done, flushed) = oneshot::channel();
    if flush.send(done).await.is_ok() {
        // The loop ends only with its agent.
        drop(flushed.await);
    }
}

/// Announces the conversation when every extension can hear it. What happens before announces it,
/// too.
async fn start_session(host: Host, engine: zeug_engine::Handle) {
    host.settled().await;
    engine.open().await;
}
