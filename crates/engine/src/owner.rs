//! The one task that owns a conversation: takes words, runs prompts and chores one after the other,
//! ends.
//!
//! Does not know what a turn does. It never waits for a face: while a turn waits, words are heard.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use zeug_hook::Observation;
use zeug_transcript::Timestamp;

use crate::call::{self, CallReport, CallRequest};
use crate::handle::Command;
use crate::queue::{Accepted, MAX_QUEUED, Queue};
use crate::shared::Shared;
use crate::{
    Ask, Child, Common, CompactReport, DoneOutcome, EndReason, Event, Handle, Loading, Prompt,
    PromptId, Refused, Setup, Trigger, compact, turn,
};

/// Words that may wait; the owner takes them at once, so this is only about bursts.
const COMMANDS: usize = 64;
/// Questions that may wait; there is one for each call that waits for approval.
const ASKS: usize = 16;

pub(crate) fn start(setup: Setup) -> (Handle, mpsc::Receiver<Event>, mpsc::Receiver<Ask>) {
    let (events, event_receiver) = mpsc::channel(setup.limits.event_queue.max(1));
    let (asks, ask_receiver) = mpsc::channel(ASKS);
    let handle = own(Arc::new(Shared::new(setup, events, asks)));
    (handle, event_receiver, ask_receiver)
}

pub(crate) fn start_child(
    common: &Common,
    child: Child,
) -> Result<(Handle, mpsc::Receiver<Event>), Refused> {
    let parent = common.shared()?;
    let (events, event_receiver) = mpsc::channel(parent.limits.event_queue.max(1));
    let shared = Arc::new(parent.child(child, events));
    shared.herald.open();
    Ok((own(shared), event_receiver))
}

/// Starts the owner of a machine.
fn own(shared: Arc<Shared>) -> Handle {
    let (commands, inbox) = mpsc::channel(COMMANDS);
    // It was set by nobody else: a machine has one owner.
    let _ = shared.commands.set(commands.downgrade());
    let handle = Handle {
        commands,
        trail: shared.trail.clone(),
        transcript: shared.transcript.clone(),
        common: Common::of(&shared),
    };
    let owner = Owner {
        shared,
        inbox,
        deserted: false,
        chores: VecDeque::new(),
        queue: Queue::default(),
        running: None,
        calls: JoinSet::new(),
        closing: None,
        closers: Vec::new(),
    };
    tokio::spawn(owner.run());
    handle
}

/// Something to do to the conversation between prompts.
enum Chore {
    Compact(oneshot::Sender<Result<CompactReport, Refused>>),
    Clear(oneshot::Sender<Result<(), Refused>>),
    Adopt(Loading, oneshot::Sender<Result<bool, Refused>>),
    /// Nothing but the answer: no prompt runs.
    Rest(oneshot::Sender<()>),
}

impl Chore {
    fn refuse(self, why: Refused) {
        // Nobody waits any more when this fails.
        match self {
            Self::Compact(reply) => drop(reply.send(Err(why))),
            Self::Adopt(_, reply) => drop(reply.send(Err(why))),
            // Whoever waits hears that nothing runs any more.
            Self::Rest(reply) => drop(reply),
            Self::Clear(reply) => {
                let _ = reply.send(Err(why));
            }
        }
    }
}

struct Owner {
    shared: Arc<Shared>,
    inbox: mpsc::Receiver<Command>,
    /// Every handle is gone.
    deserted: bool,
    /// They come before waiting prompts.
    chores: VecDeque<Chore>,
    queue: Queue,
    running: Option<CancellationToken>,
    /// Calls that others than the model started.
    calls: JoinSet<()>,
    closing: Option<EndReason>,
    closers: Vec<oneshot::Sender<()>>,
}

impl Owner {
    async fn run(mut self) {
        let reason = loop {
            if let Some(reason) = self.closing {
                break reason;
            }
            if let Some(chore) = self.chores.pop_front() {
                self.tend(chore).await;
            } else if let Some(prompt) = self.queue.next() {
                self.serve(prompt).await;
            } else {
                self.attend().await;
            }
        };
        self.close(reason).await;
    }

    /// Runs one prompt to its end.
    async fn serve(&mut self, prompt: Accepted) {
        let cancel = self.shared.root.child_token();
        let turn = turn::serve(self.shared.clone(), prompt, cancel.clone());
        self.meanwhile(cancel, turn).await;
    }

    /// Does one chore.
    async fn tend(&mut self, chore: Chore) {
        let shared = self.shared.clone();
        match chore {
            Chore::Compact(reply) => {
                let cancel = shared.root.child_token();
                let work = compact::run(&shared, Trigger::Manual, &cancel);
                let report = self.meanwhile(cancel.clone(), work).await;
                let _ = reply.send(Ok(report));
            }
            Chore::Clear(reply) => {
                shared.transcript.replace(Vec::new());
                shared.system_prompt.renew();
                shared.out.owe(Event::Cleared);
                let _ = reply.send(Ok(()));
            }
            Chore::Rest(reply) => {
                let _ = reply.send(());
            }
            Chore::Adopt(load, reply) => {
                let load = async {
                    // Without a deadline: this waits for the face alone.
                    shared.out.finish().await;
                    load.await
                };
                // Nothing gives it up half-way: what it changes on its side would stay changed.
                let loaded = self.meanwhile(CancellationToken::new(), load).await;
                let adopted = loaded.is_some();
                if let Some(adoption) = loaded {
                    shared.adopt(adoption);
                }
                let _ = reply.send(Ok(adopted));
            }
        }
    }

    /// Works to the end, and hears what is said meanwhile.
    async fn meanwhile<T>(
        &mut self,
        cancel: CancellationToken,
        work: impl Future<Output = T>,
    ) -> T {
        self.running = Some(cancel);
        let mut work = std::pin::pin!(work);
        let done = loop {
            tokio::select! {
                biased;
                () = self.attend() => {}
                done = &mut work => break done,
            }
        };
        self.running = None;
        done
    }

    /// Waits until there is something to take care of, and does.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    async fn attend(&mut self) {
        tokio::select! {
            biased;
            word = self.inbox.recv(), if !self.deserted => match word {
                Some(command) => self.obey(command),
                None => {
                    self.deserted = true;
                    self.begin_to_close(EndReason::Shutdown);
                }
            },
            Some(ended) = self.calls.join_next() => if let Err(error) = ended {
                tracing::error!(%error, "a call's task broke off");
            },
            () = self.shared.out.deliver() => {}
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Open => self.shared.herald.open(),
            Command::Prompt(prompt, reply) => {
                let accepted = self.accept(prompt);
                let _ = reply.send(accepted);
            }
            Command::Withdraw(id, reply) => {
                let withdrawn = self.queue.withdraw(id);
                if withdrawn {
                    self.never_ran(id);
                }
                let _ = reply.send(withdrawn);
            }
            Command::Abort => self.abort(),
            Command::Adopt(load, reply) => {
                self.abort();
                while let Some(prompt) = self.queue.next() {
                    self.never_ran(prompt.id);
                }
                self.spare_room();
                self.put_off(Chore::Adopt(load, reply));
            }
            Command::Compact(reply) => self.put_off(Chore::Compact(reply)),
            Command::Rest(reply) => self.put_off(Chore::Rest(reply)),
            Command::Clear(reply) => self.put_off(Chore::Clear(reply)),
            Command::Reasoning(effort) => self.shared.system_prompt.set_reasoning(effort),
            Command::Window(window) => self.shared.system_prompt.set_window(window),
            Command::Rebuild(base) => self.shared.system_prompt.rebuild(base),
            Command::Switch(provider, model, base) => {
                self.shared.system_prompt.switch(provider, model, base);
            }
            Command::Approval(approval) => self.shared.with_policy(|p| p.set_approval(approval)),
            Command::Face {
                can_ask,
                can_interact,
            } => self.shared.with_policy(|p| {
                p.can_ask = can_ask;
                p.can_interact = can_interact;
            }),
            Command::Call(request, reply) => self.call(request, reply),
            Command::Close(reason, reply) => {
                self.closers.push(reply);
                self.begin_to_close(reason);
            }
        }
    }

    /// Makes no room in a conversation that another one takes the place of: a summary takes long.
    fn spare_room(&mut self) {
        let chores = std::mem::take(&mut self.chores);
        for chore in chores {
            match chore {
                Chore::Compact(_) => chore.refuse(Refused::Replaced),
                chore => self.chores.push_back(chore),
            }
        }
    }

    /// Gives up what runs.
    fn abort(&self) {
        if let Some(running) = &self.running {
            running.cancel();
        }
    }

    /// Does a chore as soon as no prompt runs.
    fn put_off(&mut self, chore: Chore) {
        if self.closing.is_some() {
            chore.refuse(Refused::Closed);
        } else if self.chores.len() >= MAX_QUEUED {
            chore.refuse(Refused::QueueFull(MAX_QUEUED));
        } else {
            self.chores.push_back(chore);
        }
    }

    fn accept(&mut self, prompt: Prompt) -> Result<PromptId, Refused> {
        if self.closing.is_some() {
            return Err(Refused::Closed);
        }
        if self.queue.is_full() {
            return Err(Refused::QueueFull(MAX_QUEUED));
        }
        if !prompt.ends_there {
            self.shared.herald.announce(&Observation::UserPromptSubmit {
                text: prompt.text.clone(),
                queued: self.running.is_some() || !self.queue.is_empty() || !self.chores.is_empty(),
                image_count: prompt.images.len(),
            });
        }
        Ok(self.queue.accept(prompt, Timestamp::now()))
    }

    fn never_ran(&self, prompt: PromptId) {
        let outcome = DoneOutcome::Withdrawn;
        self.shared.out.owe(Event::Done { prompt, outcome });
    }

    fn call(&mut self, request: CallRequest, reply: oneshot::Sender<Result<CallReport, Refused>>) {
        if self.closing.is_some() {
            drop(reply.send(Err(Refused::Closed)));
            return;
        }
        let shared = self.shared.clone();
        self.calls.spawn(async move {
            let report = call::from_outside(shared, request).await;
            drop(reply.send(Ok(report)));
        });
    }

    fn begin_to_close(&mut self, reason: EndReason) {
        self.closing.get_or_insert(reason);
        self.shared.root.cancel();
    }

    async fn close(mut self, reason: EndReason) {
        for chore in self.chores.drain(..) {
            chore.refuse(Refused::Closed);
        }
        while let Some(prompt) = self.queue.next() {
            self.never_ran(prompt.id);
        }
        // Cancelled calls settle within their grace.
        while !self.calls.is_empty() {
            self.attend().await;
        }
        self.inbox.close();
        while let Some(command) = self.inbox.recv().await {
            self.obey(command);
        }
        self.shared.herald.end(reason);
        for closer in self.closers.drain(..) {
            let _ = closer.send(());
        }
        // Without a deadline: this waits for the face alone, and ends with its receiver.
        self.shared.out.finish().await;
    }
}
