//! A host with guests, and everything that their doings can be seen by.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;
use zeug_ext_host::{Connector, Facts, GuestReport, Host, HostLimits, Invite, News, Setup, State};
use zeug_hook::{Board, OnFailure};
use zeug_tool::Table;

use super::{Far, Plug, s};

/// Polls without letting time pass.
pub(crate) async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..10_000 {
        if condition() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("waited in vain: {what}");
}

/// What every extension is told.
pub(crate) fn facts() -> Facts {
    Facts {
        version: "0.1.0".to_owned(),
        provider: "puppet".to_owned(),
        model: "puppet-1".to_owned(),
        cwd: "/project".to_owned(),
        session_id: "s-1".to_owned(),
        session: None,
    }
}

/// An extension that will be at the far end of a pipe.
pub(crate) struct Seat {
    pub(crate) name: String,
    pub(crate) restart_on_crash: bool,
    pub(crate) on_failure: Option<OnFailure>,
    /// What each of its pipes holds.
    pub(crate) pipe_bytes: usize,
    /// Reached by this instead.
    pub(crate) connector: Option<Arc<dyn Connector>>,
}

impl Seat {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            restart_on_crash: false,
            on_failure: None,
            pipe_bytes: 64 * 1024,
            connector: None,
        }
    }
}

/// A running host.
pub(crate) struct Rig {
    pub(crate) host: Host,
    pub(crate) news: mpsc::Receiver<News>,
    pub(crate) table: Table,
    pub(crate) board: Arc<Board>,
    doors: HashMap<String, mpsc::Receiver<Far>>,
}

impl Rig {
    /// Guests of these names, in this order, under the protocol's own limits.
    pub(crate) fn of(names: &[&str]) -> Self {
        Self::new(names.iter().map(|name| Seat::new(name)).collect())
    }

    pub(crate) fn new(seats: Vec<Seat>) -> Self {
        Self::with(seats, HostLimits::default(), Table::default())
    }

    pub(crate) fn with(seats: Vec<Seat>, limits: HostLimits, table: Table) -> Self {
        let mut doors = HashMap::new();
        let invites = seats
            .into_iter()
            .map(|seat| {
                let (plug, door) = Plug::new(seat.pipe_bytes);
                doors.insert(seat.name.clone(), door);
                Invite {
                    dir: PathBuf::from(format!("/ext/{}", seat.name)),
                    data_dir: PathBuf::from(format!("/data/{}", seat.name)),
                    name: seat.name,
                    restart_on_crash: seat.restart_on_crash,
                    on_failure: seat.on_failure,
                    connector: seat.connector.unwrap_or_else(|| Arc::new(plug)),
                    log: None,
                }
            })
            .collect();
        Self::start(invites, limits, table, doors)
    }

    pub(crate) fn start(
        invites: Vec<Invite>,
        limits: HostLimits,
        table: Table,
        doors: HashMap<String, mpsc::Receiver<Far>>,
    ) -> Self {
        let board = Arc::new(Board::default());
        let (host, news) = Host::start(Setup {
            invites,
            limits,
            table: table.clone(),
            board: Arc::clone(&board),
            facts: facts(),
        });
        Self {
            host,
            news,
            table,
            board,
            doors,
        }
    }

    /// The far end of the next connection to this guest.
    pub(crate) async fn meet(&mut self, name: &str) -> Far {
        let door = self.doors.get_mut(name).expect("an invited guest");
        let far = timeout(s(300), door.recv()).await;
        far.expect("nobody connected").expect("the plug is gone")
    }

    /// A guest that said hello, `frames` and `ready`, and counts as ready.
    pub(crate) async fn joined(&mut self, name: &str, frames: &[Value]) -> Far {
        let mut far = self.meet(name).await;
        far.join(name, frames).await;
        until("a guest is ready", || {
            matches!(self.state(name), State::Ready(_))
        })
        .await;
        far
    }

    pub(crate) fn report(&self, name: &str) -> GuestReport {
        let all = self.host.report();
        let found = all.into_iter().find(|guest| guest.name == name);
        found.expect("an invited guest")
    }

    pub(crate) fn state(&self, name: &str) -> State {
        self.report(name).state
    }

    /// The diagnostic of this guest that has `part` in it.
    pub(crate) fn diagnostic(&self, name: &str, part: &str) -> String {
        let all = self.report(name).diagnostics;
        let found = all.iter().find(|text| text.contains(part));
        found
            .unwrap_or_else(|| panic!("{name}: nothing about {part:?} in {all:#?}"))
            .clone()
    }

    pub(crate) async fn next_news(&mut self) -> News {
        let news = timeout(s(300), self.news.recv()).await;
        news.expect("no news came").expect("the host is gone")
    }

    /// Waits until everything that the guest said up to now took effect; gives what was announced
    /// meanwhile.
    pub(crate) async fn caught_up(&mut self, far: &mut Far) -> Vec<News> {
        far.say(json!({"type": "notify", "message": "that was all"}))
            .await;
        let mut before = Vec::new();
        loop {
            match self.next_news().await {
                News::Note { text, .. } if text == "that was all" => return before,
                other => before.push(other),
            }
        }
    }

    /// What was announced and not taken yet.
    pub(crate) fn waiting_news(&mut self) -> Vec<News> {
        std::iter::from_fn(|| self.news.try_recv().ok()).collect()
    }
}
