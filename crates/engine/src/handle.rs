//! What may be told to the machine. Every word goes through one queue, so that words of one caller
//! take effect in the order in which they were said.
//!
//! Does not know who speaks.

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use zeug_provider::{Effort, Provider};
use zeug_transcript::Message;

use crate::trail::{Trace, Trail};
use crate::transcript::Transcript;
use crate::{
    Adoption, Approval, CallReport, CallRequest, Common, CompactReport, Loading, Prompt, PromptId,
    compact,
};

/// Why a conversation closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndReason {
    /// The program ends.
    #[default]
    Shutdown,
    /// Another conversation takes its place.
    SessionSwitch,
    /// The project directory changes.
    CwdChange,
}

impl EndReason {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shutdown => "shutdown",
            Self::SessionSwitch => "session_switch",
            Self::CwdChange => "cwd_change",
        }
    }
}

/// Why the machine did not take something on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refused {
    /// It was closed.
    #[error("this conversation is closed; start or resume one to go on")]
    Closed,
    /// Too much waits already.
    #[error("{0} prompts or commands wait already; wait for one to finish or withdraw one")]
    QueueFull(usize),
    /// Another conversation took the place of the one that it was about.
    #[error("another conversation took the place of this one before that was done")]
    Replaced,
    /// A bug ended the call before it could report; it has settled as failed.
    #[error("the call broke off with an internal error; the log says where")]
    BrokeOff,
}

/// The door for words. Cheap to clone; when the last one is dropped the conversation closes.
#[derive(Debug, Clone)]
pub struct Handle {
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) trail: Arc<Trail>,
    pub(crate) transcript: Arc<Transcript>,
    pub(crate) common: Common,
}

pub(crate) enum Command {
    Open,
    Prompt(Prompt, oneshot::Sender<Result<PromptId, Refused>>),
    Withdraw(PromptId, oneshot::Sender<bool>),
    Abort,
    Compact(oneshot::Sender<Result<CompactReport, Refused>>),
    Clear(oneshot::Sender<Result<(), Refused>>),
    Rest(oneshot::Sender<()>),
    Rebuild(Arc<str>),
    Switch(Arc<dyn Provider>, String, Arc<str>),
    Window(Option<u64>),
    Reasoning(Option<Effort>),
    Adopt(Loading, oneshot::Sender<Result<bool, Refused>>),
    Approval(Approval),
    Face { can_ask: bool, can_interact: bool },
    Call(CallRequest, oneshot::Sender<Result<CallReport, Refused>>),
    Close(EndReason, oneshot::Sender<()>),
}

impl Handle {
    async fn say(&self, command: Command) -> Result<(), Refused> {
        self.commands
            .send(command)
            .await
            .map_err(|_| Refused::Closed)
    }

    async fn tell(&self, command: Command) {
        // A closed machine has nothing left that could be changed.
        let _ = self.say(command).await;
    }

    /// Announces that the conversation is active, unless that was done. Otherwise the first
    /// observation does it.
    pub async fn open(&self) {
        self.tell(Command::Open).await;
    }

    /// Gives the model something to do. It waits while another prompt runs.
    ///
    /// # Errors
    /// When the machine is closed, or 64 prompts wait already.
    pub async fn prompt(&self, prompt: Prompt) -> Result<PromptId, Refused> {
        let (reply, answer) = oneshot::channel();
        self.say(Command::Prompt(prompt, reply)).await?;
        answer.await.unwrap_or(Err(Refused::Closed))
    }

    /// Takes a waiting prompt back; false when it runs or ran already.
    pub async fn withdraw(&self, id: PromptId) -> bool {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Withdraw(id, reply)).await;
        answer.await.unwrap_or(false)
    }

    /// Gives the running prompt up, or the attempt to make room. What waits stays, and comes next.
    pub async fn abort(&self) {
        self.tell(Command::Abort).await;
    }

    /// Waits until the prompt that runs has ended; those that wait come after that. At once when
    /// none runs, or the machine is closed. Without a deadline.
    pub async fn rest(&self) {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Rest(reply)).await;
        // An error means that nothing runs any more.
        drop(answer.await);
    }

    /// Makes room: a summary takes the place of all but the last messages. Runs now, or after the
    /// prompt that runs, and before those that wait. What came of it is in the report, also when
    /// it was given up with [`Handle::abort`].
    ///
    /// # Errors
    /// When the machine is closed, or too much waits already.
    ///
    /// # Cancel safety
    /// Dropping the future takes nothing back.
    pub async fn compact(&self) -> Result<CompactReport, Refused> {
        let (reply, answer) = oneshot::channel();
        self.say(Command::Compact(reply)).await?;
        answer.await.unwrap_or(Err(Refused::Closed))
    }

    /// Forgets the conversation, now or after the prompt that runs, and before those that wait: a
    /// prompt that should not go on is given up first. The system prompt is prepared anew; what
    /// was permitted stays permitted.
    ///
    /// # Errors
    /// When the machine is closed, or too much waits already.
    ///
    /// # Cancel safety
    /// Dropping the future takes nothing back.
    pub async fn clear(&self) -> Result<(), Refused> {
        let (reply, answer) = oneshot::channel();
        self.say(Command::Clear(reply)).await?;
        answer.await.unwrap_or(Err(Refused::Closed))
    }

    /// Starts over with this system prompt at the next request.
    pub async fn rebuild(&self, system_prompt: impl Into<Arc<str>>) {
        self.tell(Command::Rebuild(system_prompt.into())).await;
    }

    /// Asks another model from the next request on. How much fits into its window is unknown until
    /// [`Handle::set_context_window`] says so.
    pub async fn set_model(
        &self,
        provider: Arc<dyn Provider>,
        model: impl Into<String>,
        system_prompt: impl Into<Arc<str>>,
    ) {
        let switch = Command::Switch(provider, model.into(), system_prompt.into());
        self.tell(switch).await;
    }

    /// Says how many tokens fit into the window of the model that is asked now.
    pub async fn set_context_window(&self, tokens: Option<u64>) {
        self.tell(Command::Window(tokens)).await;
    }

    /// Says how much the model reasons from the next request on; `None` leaves it to the provider.
    pub async fn set_reasoning(&self, effort: Option<Effort>) {
        self.tell(Command::Reasoning(effort)).await;
    }

    /// Lets another conversation take the place of this one. What runs is given up and settles
    /// first, and the prompts that wait are taken back: they were meant for the conversation that
    /// was open. Then `load` runs; everything that the old conversation had to say has been
    /// announced by then, and nothing else of it happens but calls from outside. `None` leaves the
    /// conversation as it is.
    ///
    /// Whether there is another conversation now. `session_end` and `session_start` bracket the
    /// change, and [`Event::Adopted`](crate::Event::Adopted) follows it.
    ///
    /// # Errors
    /// When the machine is closed, or too much waits already; `load` did not run then.
    ///
    /// # Cancel safety
    /// Dropping the future takes nothing back.
    pub async fn adopt(
        &self,
        load: impl Future<Output = Option<Adoption>> + Send + 'static,
    ) -> Result<bool, Refused> {
        let (reply, answer) = oneshot::channel();
        self.say(Command::Adopt(Box::pin(load), reply)).await?;
        answer.await.unwrap_or(Err(Refused::Closed))
    }

    /// Changes which calls a person must approve; answers given before are forgotten.
    pub async fn set_approval(&self, approval: Approval) {
        self.tell(Command::Approval(approval)).await;
    }

    /// Says what the face can do from now on.
    pub async fn set_face(&self, can_ask: bool, can_interact: bool) {
        self.tell(Command::Face {
            can_ask,
            can_interact,
        })
        .await;
    }

    /// Runs a tool for somebody else than the model, through the same gate, also while a prompt
    /// runs. What comes of it is no part of the conversation.
    ///
    /// # Errors
    /// When the machine is closed, or a bug ended the call.
    ///
    /// # Cancel safety
    /// Dropping the future gives the call up; it still settles.
    pub async fn call(&self, request: CallRequest) -> Result<CallReport, Refused> {
        let mut request = request;
        request.cancel = request.cancel.child_token();
        let _given_up = request.cancel.clone().drop_guard();
        let (reply, answer) = oneshot::channel();
        self.say(Command::Call(request, reply)).await?;
        answer.await.unwrap_or(Err(Refused::BrokeOff))
    }

    /// Gives everything up, announces the end and ends the machine. Safe to repeat: the first
    /// reason counts, and every caller waits for the end.
    pub async fn close(&self, reason: EndReason) {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Close(reason, reply)).await;
        // An error means that it is over already.
        drop(answer.await);
    }

    /// What sub-agents of this agent share with it.
    #[must_use]
    pub fn common(&self) -> Common {
        self.common.clone()
    }

    /// The conversation as it stands.
    #[must_use]
    pub fn transcript(&self) -> Vec<Message> {
        self.transcript.snapshot()
    }

    /// The conversation as text, for a model that is asked about it: the middle of a long one is
    /// left out, so that it fits into half of the window, or into 256 KiB.
    #[must_use]
    pub fn retold(&self) -> String {
        // Nobody is asked any more when the machine is gone.
        let window = self.common.shared().ok();
        let window = window.and_then(|shared| shared.system_prompt.brain().window);
        self.transcript
            .look(|messages| compact::retold(messages, window))
    }

    /// The decisions about the last 200 calls, oldest first.
    #[must_use]
    pub fn trail(&self) -> Vec<Trace> {
        self.trail.snapshot()
    }

    /// The decisions that came after the first `seen` ones, as far as they are among the last 200;
    /// and how many there ever were.
    #[must_use]
    pub fn trail_after(&self, seen: u64) -> (Vec<Trace>, u64) {
        self.trail.after(seen)
    }
}
