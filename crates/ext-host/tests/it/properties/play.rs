//! A host, one extension, and everybody who waits for it; knows what must come of each step.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::sync::CancellationToken;
use zeug_ext_host::{Action, CommandError};
use zeug_hook::{Did, Silence, Verdict};
use zeug_transcript::Status;

use super::{Kind, Step};
use crate::kit::*;

/// How a wait ended.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Answered(String),
    Failed,
    Cancelled,
    TimedOut,
    /// Whoever waited is gone.
    Dropped,
}

/// Somebody who waits.
struct Waiter {
    kind: Kind,
    task: JoinHandle<(End, Instant)>,
    cancel: CancellationToken,
    drop: AbortHandle,
    since: Instant,
    cancelled: bool,
    dropped: bool,
    /// An answer that is none was given before any other.
    spoilt: bool,
}

pub(super) struct Play {
    rig: Rig,
    far: Option<Far>,
    waiters: Vec<Waiter>,
    /// Ids that the extension has heard, with whom they are for.
    heard: BTreeMap<String, usize>,
    taken_back: BTreeSet<String>,
    entry: zeug_tool::Table,
    stop: Option<JoinHandle<()>>,
    /// The connection was ended on purpose.
    ended: bool,
    /// Nothing more can be written to the extension: new questions fail.
    deafened: bool,
    /// When the connection was last known to stand.
    last_up: Instant,
}

/// Waits for `task`, and notes when and how it ended.
fn watched<T: Send + 'static>(
    task: JoinHandle<T>,
    end: impl FnOnce(T) -> End + Send + 'static,
) -> (JoinHandle<(End, Instant)>, AbortHandle) {
    let drop = task.abort_handle();
    let watch = tokio::spawn(async move {
        let end = match task.await {
            Ok(value) => end(value),
            Err(error) if error.is_cancelled() => End::Dropped,
            Err(error) => panic!("{error}"),
        };
        (end, Instant::now())
    });
    (watch, drop)
}

/// Lets everybody do what can be done without time passing.
async fn quiet() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

impl Play {
    pub(super) async fn new(pipe_bytes: usize) -> Self {
        let mut rig = Rig::new(vec![Seat {
            pipe_bytes,
            ..Seat::new("a")
        }]);
        let frames = [
            json!({"type": "register_tool", "name": "look"}),
            json!({"type": "register_command", "name": "say"}),
            json!({"type": "subscribe", "intercept": ["tool_call"]}),
        ];
        let far = Some(rig.joined("a", &frames).await);
        // A table of our own, which nobody clears: calls come also after the end.
        let entry = zeug_tool::Table::default();
        let tool = rig.table.lookup("look").unwrap().tool;
        entry
            .register("a", zeug_stdx::claims::Order(1), tool)
            .unwrap();
        Self {
            rig,
            far,
            waiters: Vec::new(),
            heard: BTreeMap::new(),
            taken_back: BTreeSet::new(),
            entry,
            stop: None,
            ended: false,
            deafened: false,
            last_up: Instant::now(),
        }
    }

    fn ask(&mut self, kind: Kind) {
        let n = self.waiters.len();
        let args = format!(r#"{{"n":{n}}}"#);
        let mut cancel = CancellationToken::new();
        let (task, drop) = match kind {
            Kind::Tool => {
                let theirs = std::mem::replace(&mut self.rig.table, self.entry.clone());
                let call = self.rig.call("look", &args);
                self.rig.table = theirs;
                cancel = call.cancel.clone();
                watched(call.task, |outcome| match outcome.status {
                    Status::Completed => End::Answered(text(&outcome)),
                    Status::Cancelled => End::Cancelled,
                    Status::TimedOut => End::TimedOut,
                    Status::Failed | Status::Blocked => End::Failed,
                })
            }
            Kind::Command => watched(
                self.rig.command("say", &n.to_string()),
                |reply| match reply {
                    Ok((_, Action::Display(text))) => End::Answered(text),
                    Ok(other) => panic!("{other:?}"),
                    Err(CommandError::Timeout { .. }) => End::TimedOut,
                    Err(_) => End::Failed,
                },
            ),
            Kind::Question => watched(self.rig.ask_tool("bash", &args), |out| {
                match (out.verdict, out.steps.first().map(|step| &step.did)) {
                    (Verdict::Refused { reason, .. }, _) => End::Answered(reason),
                    (_, Some(Did::Failed(Silence::TimedOut(_)))) => End::TimedOut,
                    // Nobody listens any more, or the listener failed.
                    _ => End::Failed,
                }
            }),
        };
        self.waiters.push(Waiter {
            kind,
            task,
            cancel,
            drop,
            since: Instant::now(),
            cancelled: false,
            dropped: false,
            spoilt: false,
        });
    }

    /// Reads what is there, and checks that nothing comes that must not.
    async fn hear(&mut self) {
        for _ in 0..20 {
            let frames = match &mut self.far {
                Some(far) => far.hear_waiting().await,
                None => return,
            };
            for frame in frames {
                self.heard_one(&frame);
            }
            tokio::task::yield_now().await;
        }
    }

    fn heard_one(&mut self, frame: &Value) {
        let id = || frame["id"].as_str().unwrap().to_owned();
        let n = match frame["type"].as_str().unwrap() {
            "tool_call" => frame["args"]["n"].as_u64().unwrap(),
            "command_invoked" => frame["args"].as_str().unwrap().parse().unwrap(),
            "event_intercept" => frame["tool_args"]["n"].as_u64().unwrap(),
            "tool_cancel" => {
                let waiter = &self.waiters[self.heard[&id()]];
                assert_eq!(waiter.kind, Kind::Tool);
                assert!(self.taken_back.insert(id()), "taken back twice");
                return;
            }
            "shutdown" => return,
            other => panic!("heard {other}"),
        };
        let again = self.heard.insert(id(), usize::try_from(n).unwrap());
        assert_eq!(again, None, "heard twice");
    }

    /// One of the questions that were heard.
    fn pick(&self, choice: usize) -> Option<(String, usize)> {
        let at = choice.checked_rem(self.heard.len())?;
        self.heard.iter().nth(at).map(|(id, n)| (id.clone(), *n))
    }

    async fn say(&mut self, frame: Value) {
        if let Some(far) = &mut self.far {
            far.try_write(format!("{frame}\n").as_bytes()).await;
        }
    }

    async fn answer(&mut self, id: &str, n: usize) {
        let text = format!("for {n}");
        let mut frame = json!({"type": self.waiters[n].kind.answer(), "id": id});
        let fields = match self.waiters[n].kind {
            Kind::Tool => json!({"content": [{"type": "text", "text": text}]}),
            Kind::Command => json!({"action": "display", "display": text}),
            Kind::Question => json!({"block": true, "reason": text}),
        };
        let fields = fields.as_object().unwrap().clone();
        frame.as_object_mut().unwrap().extend(fields);
        quiet().await;
        let waits = !self.waiters[n].task.is_finished() && self.is_up();
        self.say(frame).await;
        quiet().await;
        if waits {
            let waiter = &self.waiters[n];
            assert!(waiter.task.is_finished(), "answered, and still waits");
        }
    }

    fn is_up(&self) -> bool {
        !self.ended && matches!(self.rig.state("a"), State::Ready(_))
    }

    async fn spoil(&mut self, n: usize, frame: Value) {
        quiet().await;
        self.waiters[n].spoilt |= !self.waiters[n].task.is_finished();
        self.say(frame).await;
        quiet().await;
    }

    pub(super) async fn step(&mut self, step: Step) {
        self.act(step).await;
        quiet().await;
        if self.is_up() && !self.deafened {
            self.last_up = Instant::now();
        }
    }

    async fn act(&mut self, step: Step) {
        match step {
            Step::Ask(kind) => self.ask(kind),
            Step::Cancel(choice) | Step::Drop(choice) if self.waiters.is_empty() => {
                let _ = choice;
            }
            Step::Cancel(choice) => {
                let at = choice % self.waiters.len();
                let waiter = &mut self.waiters[at];
                waiter.cancelled |= !waiter.task.is_finished();
                waiter.cancel.cancel();
            }
            Step::Drop(choice) => {
                let at = choice % self.waiters.len();
                let waiter = &mut self.waiters[at];
                waiter.dropped |= !waiter.task.is_finished();
                waiter.drop.abort();
            }
            Step::Hear => self.hear().await,
            Step::Answer(choice) => {
                if let Some((id, n)) = self.pick(choice) {
                    self.answer(&id, n).await;
                }
            }
            Step::WrongKind(choice) => {
                if let Some((id, n)) = self.pick(choice) {
                    let kind = match self.waiters[n].kind {
                        Kind::Tool => Kind::Command,
                        Kind::Command => Kind::Question,
                        Kind::Question => Kind::Tool,
                    };
                    let frame = json!({"type": kind.answer(), "id": id});
                    self.spoil(n, frame).await;
                }
            }
            Step::Malformed(choice) => {
                if let Some((id, n)) = self.pick(choice) {
                    let frame = json!({"type": self.waiters[n].kind.answer(), "id": id,
                        "content": 7, "action": 7, "block": 7});
                    self.spoil(n, frame).await;
                }
            }
            Step::Progress(choice) => {
                if let Some((id, _)) = self.pick(choice) {
                    self.say(json!({"type": "tool_progress", "id": id, "text": "…"}))
                        .await;
                }
            }
            Step::Nobodys => {
                self.say(json!({"type": "tool_result", "id": "call-0"}))
                    .await;
            }
            Step::Time(span) => tokio::time::sleep(ms(span)).await,
            Step::ShutMouth => {
                self.ended = true;
                self.far = None;
            }
            Step::ShutEars => {
                self.deafened = true;
                if let Some(far) = &mut self.far {
                    far.shut_ears();
                }
            }
            Step::Die => {
                self.ended = true;
                self.far = None;
            }
            Step::Stop => self.stop(),
        }
    }

    fn stop(&mut self) {
        if self.stop.is_none() {
            self.ended = true;
            let host = self.rig.host.clone();
            self.stop = Some(tokio::spawn(async move { host.stop().await }));
        }
    }

    /// The end of everything: nobody may wait any longer.
    pub(super) async fn finish(mut self) {
        self.hear().await;
        self.far = None;
        // What the host needs to be sure that nothing more comes.
        tokio::time::sleep(ms(205)).await;
        quiet().await;
        for (n, waiter) in self.waiters.into_iter().enumerate() {
            assert!(waiter.task.is_finished(), "{n} still waits");
            let (end, at) = waiter.task.await.unwrap();
            let took = at - waiter.since;
            let deadline = waiter.kind.deadline();
            assert!(took <= deadline + ms(3), "{n} waited {took:?}");
            match end {
                End::Answered(text) => {
                    assert_eq!(text, format!("for {n}"));
                    let back = self.heard.iter().find(|(_, m)| **m == n).unwrap().0;
                    assert!(!self.taken_back.contains(back), "answered and taken back");
                }
                End::Cancelled => assert!(waiter.cancelled, "{n} was cancelled by nobody"),
                End::TimedOut => assert!(took >= deadline, "{n} timed out after {took:?}"),
                End::Dropped => assert!(waiter.dropped, "{n} was dropped by nobody"),
                End::Failed => {
                    let over = at >= self.last_up;
                    assert!(waiter.spoilt || over, "{n} failed for no reason");
                }
            }
        }
        let start = Instant::now();
        self.rig.host.stop().await;
        if let Some(stop) = self.stop {
            stop.await.unwrap();
        }
        assert!(start.elapsed() <= s(2) + ms(3));
        assert!(matches!(
            self.rig.state("a"),
            State::Gone(_) | State::Stopped
        ));
        assert_eq!(self.rig.table.names(), []);
        assert_eq!(self.rig.host.commands(), []);
        assert_eq!(self.rig.board.tool_call.snapshot().len(), 0);
    }
}
