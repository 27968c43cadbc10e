//! The loop: lines and notices to the machine, its wishes to the agent, its lines to the pen.
//!
//! One task owns the conversation. It never waits for the client: what is read and what is written
//! are two of the things it looks at. The agent is waited for only where it answers at once.
//!
//! # Cancel safety
//! [`serve`] may be dropped; requests are then left without an answer.

use std::collections::VecDeque;
use std::pin::Pin;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Approval, CommandReply, Notice, Prompt, PromptId, Slashed};
use zeug_stdx::json::RawJson;

use crate::aside::Aside;
use crate::lines::{Line, Lines};
use crate::look;
use crate::machine::{DONE, Effect, Errand, FAILED, Machine, Slash, Ticket};
use crate::pen::Pen;
use crate::wish;

/// How long an interrupted run may take to say its last words: what runs has 5 s to stop
/// (`zeug-engine`), and then they have to be read.
const LAST_WORDS: Duration = Duration::from_secs(7);

/// How long an interrupt waits for what is only to be read.
const UNREAD: Duration = Duration::from_secs(1);

/// What a face is told at its start.
pub struct Setup {
    /// zeug's version.
    pub version: String,
    /// What `hello` must bring, when it must bring something.
    pub token: Option<String>,
    /// Which calls need approval once the client said that it can be asked.
    pub approval: Approval,
    /// The exit code of a run that was interrupted.
    pub interrupted: u8,
}

/// The three pipes to the client.
pub struct Pipes<R, W, E> {
    /// Requests.
    pub input: R,
    /// Responses and events, and nothing else.
    pub output: W,
    /// What is said beside the protocol.
    pub aside: E,
}

/// Serves one client until it closed its end and everything it asked for is done; the exit code.
/// `stop` ends it in order, `hangup` (the client is gone for good) at once.
///
/// The caller starts the agent before and ends it after, and goes on taking notices meanwhile.
///
/// # Limits
/// See `machine::out`: a client that does not read stops the agent, takes little memory, and can
/// still abort.
pub async fn serve<R, W, E>(
    agent: &Agent,
    notices: &mut mpsc::Receiver<Notice>,
    pipes: Pipes<R, W, E>,
    setup: Setup,
    stop: CancellationToken,
    hangup: impl Future<Output = ()>,
) -> u8
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
    E: AsyncWrite + Unpin + Send + 'static,
{
    let mut face = Face {
        agent,
        machine: Machine::new(setup.token.clone()),
        pen: Pen::new(pipes.output),
        aside: Aside::new(pipes.aside),
        background: FuturesUnordered::new(),
        came: VecDeque::new(),
        notices: 0,
        last_words: None,
        asked: false,
        gone: false,
        setup,
    };
    let mut lines = Lines::new(pipes.input);
    let mut hangup = std::pin::pin!(hangup);
    let code = face
        .converse(&mut lines, notices, &stop, hangup.as_mut())
        .await;
    face.finish(code, &stop, hangup).await
}

/// What came of something that took its time.
enum Came {
    Command(Ticket, Result<CommandReply, String>),
    Compacted(Result<String, String>),
    Granted(Ticket, bool, Result<Option<RawJson>, String>),
    Slashed(Slash, Result<Slashed, String>),
}

struct Face<'a> {
    agent: &'a Agent,
    setup: Setup,
    machine: Machine,
    pen: Pen,
    aside: Aside,
    background: FuturesUnordered<BoxFuture<'a, Came>>,
    /// What came, and after how many notices it counts.
    came: VecDeque<(u64, Came)>,
    /// How many notices were taken.
    notices: u64,
    /// When an interrupted run ends, whatever is left.
    last_words: Option<Instant>,
    /// Whether the approval policy of a client that can be asked is in force.
    asked: bool,
    /// Whether the client is gone for good.
    gone: bool,
}

impl<'a> Face<'a> {
    async fn converse<R: AsyncRead + Unpin>(
        &mut self,
        lines: &mut Lines<R>,
        notices: &mut mpsc::Receiver<Notice>,
        stop: &CancellationToken,
        mut hangup: Pin<&mut impl Future<Output = ()>>,
    ) -> u8 {
        let agent = self.agent;
        let mut ready = std::pin::pin!(agent.ready());
        loop {
            self.take_in();
            self.perform_all().await;
            if let Some(code) = self.machine.over()
                && !self.machine.has_lines()
            {
                return code;
            }
            let over = self.machine.over().is_some();
            tokio::select! {
                () = stop.cancelled(), if self.last_words.is_none() => {
                    self.last_words = Some(Instant::now() + LAST_WORDS);
                    self.machine.stop(self.setup.interrupted);
                }
                () = at(self.last_words) => return self.setup.interrupted,
                () = &mut hangup => {
                    self.gone = true;
                    return FAILED;
                }
                () = self.pen.broken() => return FAILED,
                true = self.pen.is_free(), if self.machine.has_lines() => {
                    self.pen.write(self.machine.take_lines());
                }
                line = lines.next(), if self.machine.takes_requests() => self.heard(line),
                notice = notices.recv(), if !over && self.machine.takes_notices() => match notice {
                    Some(notice) => {
                        self.notices += 1;
                        self.machine.notice(notice);
                    }
                    None => self.machine.cut_off(),
                },
                Some(came) = self.background.next() => {
                    // What was told before it comes before it.
                    let after = self.notices + notices.len() as u64;
                    self.came.push_back((after, came));
                }
                () = &mut ready, if !self.machine.is_ready() => self.machine.set_ready(),
            }
        }
    }

    fn heard(&mut self, line: std::io::Result<Line>) {
        match line {
            Ok(Line::Text(line)) => self.machine.line(&line),
            Ok(Line::TooLong) => self.machine.line_too_long(),
            Ok(Line::End) => self.machine.end_of_requests(DONE),
            Err(error) => {
                let words = format!(
                    "zeug: standard input cannot be read ({error}); no more requests are heard\n"
                );
                self.aside.say(words);
                self.machine.end_of_requests(FAILED);
            }
        }
    }

    /// Takes in what came, as soon as the notices before it are taken.
    fn take_in(&mut self) {
        while let Some((_, came)) = self.came.pop_front_if(|(after, _)| *after <= self.notices) {
            match came {
                Came::Command(ticket, reply) => self.machine.command(ticket, reply),
                Came::Slashed(slash, result) => self.machine.slashed(slash, result),
                Came::Compacted(result) => self.machine.compacted(result),
                Came::Granted(ticket, changes, result) => {
                    self.machine.granted(ticket, changes, result);
                }
            }
        }
    }

    /// Carries out the machine's wishes, and those that come of them.
    async fn perform_all(&mut self) {
        loop {
            let effects = self.machine.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.perform(effect).await;
            }
        }
    }

    async fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Prompt { prompt, typed } => {
                let taken = hand_over(self.agent, prompt, typed).await;
                self.machine.taken(taken);
            }
            Effect::Abort => self.agent.abort().await,
            Effect::Listen(listens) => self.listen(listens).await,
            Effect::Do(ticket, errand) => {
                let result = self.run(errand).await;
                self.machine.answer(ticket, result);
            }
            Effect::Compact => {
                let agent = self.agent;
                let compact = async { Came::Compacted(agent.compact().await) };
                self.background.push(Box::pin(compact));
            }
            Effect::Session(ticket, wish) => {
                let agent = self.agent;
                self.background.push(Box::pin(async move {
                    let changes = wish.changes();
                    Came::Granted(ticket, changes, wish::grant(agent, wish).await)
                }));
            }
            Effect::Command { ticket, name, args } => {
                let agent = self.agent;
                self.background.push(Box::pin(async move {
                    let reply = agent.command(&name, &args).await;
                    Came::Command(ticket, reply.map_err(|error| error.to_string()))
                }));
            }
            Effect::Slash(slash) => {
                let agent = self.agent;
                self.background.push(Box::pin(async move {
                    let result = do_line(agent, &slash.line).await;
                    Came::Slashed(slash, result)
                }));
            }
            Effect::Aside(words) => self.aside.say(words),
        }
    }

    async fn listen(&mut self, listens: bool) {
        if listens && !self.asked {
            self.asked = true;
            self.agent.set_approval(self.setup.approval).await;
        }
        self.agent.set_face(listens, listens).await;
    }

    async fn run(&mut self, errand: Errand) -> Result<Option<RawJson>, String> {
        let agent = self.agent;
        match errand {
            Errand::Hello { interactive } => {
                Ok(look::hello(agent, &self.setup.version, interactive))
            }
            Errand::State(moment) => Ok(look::state(agent, moment)),
            Errand::Messages => Ok(look::messages(agent)),
            Errand::Models => Ok(look::models(agent)),
            Errand::Commands => Ok(look::commands(agent)),
            Errand::Trace => Ok(look::trace(agent)),
            Errand::SetModel(word) => look::set_model(agent, &word).await,
            Errand::SetReasoning(word) => look::set_reasoning(agent, &word).await,
            Errand::Panel(act) => look::panel(agent, act),
            Errand::Approve(call, consent) => {
                if agent.approve(&call, consent) {
                    return Ok(None);
                }
                Err(format!(
                    "no call {call:?} waits for approval (any more); get_state lists those that do"
                ))
            }
        }
    }

    /// Waits until everything is read; the exit code. Without a deadline: a reader may take any
    /// time, unless the run is interrupted or the reader is gone.
    async fn finish(
        self,
        code: u8,
        stop: &CancellationToken,
        hangup: Pin<&mut impl Future<Output = ()>>,
    ) -> u8 {
        let Self {
            pen,
            aside,
            last_words,
            gone,
            setup,
            ..
        } = self;
        let interrupted = async {
            stop.cancelled().await;
            at(Some(last_words.unwrap_or(Instant::now() + UNREAD))).await;
        };
        let code = tokio::select! {
            written = pen.finish() => if written || code != DONE { code } else { FAILED },
            () = interrupted => setup.interrupted,
            () = async { if !gone { hangup.await } } => FAILED,
        };
        aside.finish().await;
        code
    }
}

/// Does what a line says. What only lists something is text here.
async fn do_line(agent: &Agent, line: &str) -> Result<Slashed, String> {
    let slashed = agent.slash(line).await.map_err(|why| why.to_string())?;
    if let Slashed::Face { command, args } = &slashed
        && let Some(text) = agent.listed(command, args)
    {
        return Ok(Slashed::Said(text));
    }
    Ok(slashed)
}

async fn hand_over(agent: &Agent, mut prompt: Prompt, typed: bool) -> Result<PromptId, String> {
    if typed && let Some(text) = agent.expand(&prompt.text)? {
        prompt.text = text;
    }
    let taken = agent.prompt(prompt).await;
    taken.map_err(|refused| refused.to_string())
}

async fn at(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}
