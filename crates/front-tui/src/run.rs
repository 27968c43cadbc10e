//! The loop: the terminal's events, the agent's notices, time, and answers of effects go into the
//! model; what it wants is carried out; what changed is painted.

use std::collections::VecDeque;
use std::io::{Stdout, Write, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream};
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc;
use tokio::time::{interval_at, sleep_until};
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Notice, Prompt};

use crate::elsewhere;
use crate::hands::{Done, beyond, carry_out, strangers};
use crate::look::Look;
use crate::model::{Facts, Model};
use crate::outside::Outside;
use crate::terminal::{self, Guard};
use crate::view::view;
use crate::word::{Answer, Effect, Input};

/// The shortest time between two frames: no eye sees more.
const FRAME: Duration = Duration::from_millis(16);
/// Notices that are taken before the next frame is due.
const NOTICES: usize = 512;
/// How often what moves is drawn.
const TICK: Duration = Duration::from_millis(100);
/// The same when nothing may move that need not.
const CALM_TICK: Duration = Duration::from_millis(1000);
/// Effects that may wait at the same time.
const MAX_WAITING: usize = 256;

/// How long a face that ends waits for what is put down for the next start.
const KEEPING: Duration = Duration::from_secs(1);

/// What a run begins with.
#[derive(Debug)]
pub struct Setup {
    /// zeug's version.
    pub version: String,
    /// How it looks and behaves.
    pub look: Look,
    /// What is asked first, when it was typed behind the command.
    pub prompt: Option<String>,
    /// Whether the list of sessions is open at first.
    pub has_list: bool,
    /// The world beyond the agent.
    pub outside: Arc<dyn Outside>,
}

/// Shows the agent on the terminal until the user leaves, or `interrupt` fires.
///
/// On the way out the last exchange, and how to go on with it, stay on the normal screen.
///
/// # Errors
/// When the terminal refuses.
pub async fn run(
    agent: &Agent,
    notices: &mut mpsc::Receiver<Notice>,
    setup: Setup,
    interrupt: CancellationToken,
) -> std::io::Result<()> {
    let has_list = setup.has_list;
    let mut face = Face::start(agent, setup)?;
    if has_list {
        face.carry_out(agent, vec![Effect::Sessions(false)])?;
    }
    let ended = face.converse(agent, notices, interrupt).await;
    let kept = async {
        while !face.keeping.is_empty() {
            // Nobody is there any more who could be told.
            drop(first(&mut face.keeping).await);
        }
    };
    // A disk that hangs must not keep the user.
    drop(tokio::time::timeout(KEEPING, kept).await);
    let farewell = face.farewell();
    drop(face);
    ended?;
    let mut out = stdout();
    out.write_all(farewell.as_bytes())?;
    out.flush()
}

/// The terminal's next event; none comes while another program has it.
async fn next(events: &mut Option<EventStream>) -> Option<std::io::Result<Event>> {
    match events {
        Some(events) => events.next().await,
        None => std::future::pending().await,
    }
}

/// What the first of these comes to, which is then done; none comes when there is none.
///
/// # Cancel safety
/// It goes on the next time.
async fn first(waiting: &mut VecDeque<BoxFuture<'_, Answer>>) -> Answer {
    let Some(future) = waiting.front_mut() else {
        return std::future::pending().await;
    };
    let answer = future.await;
    waiting.pop_front();
    answer
}

struct Face<'a> {
    model: Model,
    screen: Terminal<CrosstermBackend<Stdout>>,
    guard: Guard,
    /// The keys; `None` while another program has the terminal.
    events: Option<EventStream>,
    outside: Arc<dyn Outside>,
    waiting: FuturesUnordered<BoxFuture<'a, Answer>>,
    /// What is to be put down for the next start, one after the other.
    keeping: VecDeque<BoxFuture<'a, Answer>>,
    is_leaving: bool,
}

impl<'a> Face<'a> {
    fn start(agent: &'a Agent, setup: Setup) -> std::io::Result<Self> {
        let state = agent.state();
        let messages = agent.messages();
        let guard = Guard::take(setup.look.mouse)?;
        let screen = Terminal::new(CrosstermBackend::new(stdout()))?;
        let size = screen.size()?;
        let mut model = Model::new(
            setup.look,
            Facts::from(state),
            (size.width, size.height),
            Instant::now(),
        );
        model.greet(&setup.version);
        model.resume(&messages, &agent.shown());
        model.history.begin_with(setup.outside.history());
        if let Some(prompt) = setup.prompt {
            model.submit(Prompt::text(prompt.clone()), prompt, true);
        }
        let waiting = FuturesUnordered::new();
        let ready = async {
            agent.ready().await;
            Answer::Ready
        };
        waiting.push(ready.boxed());
        if let Done::Later(asked) = beyond(&setup.outside, strangers) {
            waiting.push(asked);
        }
        Ok(Self {
            model,
            screen,
            guard,
            events: Some(EventStream::new()),
            outside: setup.outside,
            waiting,
            keeping: VecDeque::new(),
            is_leaving: false,
        })
    }

    async fn converse(
        &mut self,
        agent: &'a Agent,
        notices: &mut mpsc::Receiver<Notice>,
        interrupt: CancellationToken,
    ) -> std::io::Result<()> {
        let tick = if self.model.look.calm {
            CALM_TICK
        } else {
            TICK
        };
        let mut ticks = interval_at(tokio::time::Instant::now() + tick, tick);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut next_frame = tokio::time::Instant::now();
        let mut is_dirty = true;
        let mut batch = Vec::with_capacity(NOTICES);
        while !self.is_leaving {
            is_dirty |= self.model.take_dirty();
            tokio::select! {
                // Keys before everything, so that they are answered also in a flood.
                biased;
                () = interrupt.cancelled() => return Ok(()),
                event = next(&mut self.events) => match event {
                    Some(Ok(event)) => self.take(agent, Input::Terminal(event))?,
                    Some(Err(error)) => return Err(error),
                    // Nobody is there any more.
                    None => return Ok(()),
                },
                () = sleep_until(next_frame), if is_dirty && self.events.is_some() => {
                    let is_behind = self.paint(agent)?;
                    is_dirty = is_behind;
                    next_frame = tokio::time::Instant::now() + FRAME;
                }
                Some(answer) = self.waiting.next() => self.take(agent, Input::Answer(answer))?,
                answer = first(&mut self.keeping) => self.take(agent, Input::Answer(answer))?,
                count = notices.recv_many(&mut batch, NOTICES) => {
                    if count == 0 {
                        return Ok(());
                    }
                    for notice in batch.drain(..) {
                        self.take(agent, Input::Notice(notice))?;
                    }
                }
                _ = ticks.tick(), if self.model.is_moving() => self.take(agent, Input::Tick)?,
            }
        }
        Ok(())
    }

    /// Lets something happen, and carries out what the model wants then.
    fn take(&mut self, agent: &'a Agent, input: Input) -> std::io::Result<()> {
        if let Input::Answer(Answer::Edited(_)) = &input {
            self.guard.take_back()?;
            self.draw_anew()?;
            self.events = Some(EventStream::new());
        }
        let effects = self.model.apply(input, Instant::now());
        self.carry_out(agent, effects)
    }

    fn carry_out(&mut self, agent: &'a Agent, effects: Vec<Effect>) -> std::io::Result<()> {
        for effect in effects {
            match carry_out(agent, &self.outside, effect) {
                Done::Now => {}
                Done::Answer(answer) => self.take(agent, Input::Answer(answer))?,
                Done::Later(future) if self.waiting.len() < MAX_WAITING => {
                    self.waiting.push(future);
                }
                Done::Kept(future) if self.keeping.len() < MAX_WAITING => {
                    self.keeping.push_back(future);
                }
                Done::Later(_) | Done::Kept(_) => self.model.overloaded(),
                Done::Terminal(effect) => self.on_terminal(agent, effect)?,
            }
        }
        Ok(())
    }

    /// Forgets what is on the screen. Not by `Terminal::clear`: it asks the terminal where the cursor
    /// is, and the answer is among the keys.
    fn draw_anew(&mut self) -> std::io::Result<()> {
        let size = self.screen.size()?;
        self.screen.resize(size.into())
    }

    fn on_terminal(&mut self, agent: &Agent, effect: Effect) -> std::io::Result<()> {
        match effect {
            Effect::Quit => self.is_leaving = true,
            Effect::Bell => terminal::bell()?,
            Effect::Mouse(has_mouse) => self.guard.set_mouse(has_mouse)?,
            Effect::Redraw => self.draw_anew()?,
            Effect::Edit(text) if self.events.is_some() => {
                // Whoever reads keys must have stopped before somebody else does.
                self.events = None;
                self.guard.lend();
                let cwd = agent.state().cwd;
                self.waiting.push(elsewhere::edit(&self.outside, cwd, text));
            }
            Effect::Copy(text) => {
                let is_copied = terminal::copy(&text)?;
                self.model.copied(&text, is_copied);
            }
            other => tracing::error!("nobody carries this out: {other:?}"),
        }
        Ok(())
    }

    /// Paints; whether it must be painted again though nothing happens.
    fn paint(&mut self, agent: &'a Agent) -> std::io::Result<bool> {
        let mut painted = None;
        let model = &mut self.model;
        self.screen
            .draw(|frame| painted = Some(view(model, frame)))?;
        let painted = painted.unwrap_or_default();
        self.carry_out(agent, painted.effects)?;
        Ok(painted.is_behind)
    }

    /// What stays on the normal screen.
    fn farewell(&mut self) -> String {
        crate::view::farewell(&mut self.model)
    }
}
