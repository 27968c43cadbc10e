//! The host's door: start all, run a command, look, stop all.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use zeug_ext_protocol::panel::{PanelClose, PanelKey, PanelResize};
use zeug_ext_protocol::{ToExtension, capability};
use zeug_hook::Board;
use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_stdx::nest::Nest;
use zeug_tool::{Gate, Table};

use crate::adapt::FanOut;
use crate::commands::{Action, CommandError, Commands};
use crate::guest::{Guest, Invite};
use crate::inbound::say::shortened_spec;
use crate::report::{GuestReport, State};
use crate::run;
use crate::sessions::Boundary;
use crate::shared::Shared;
use crate::subscribers::Subscribers;
use crate::{Facts, HostLimits, News};

/// Announcements that may wait for the owner.
const NEWS: usize = 256;

/// What a host is made of.
#[derive(Debug)]
pub struct Setup {
    /// The extensions in load order.
    pub invites: Vec<Invite>,
    /// Deadlines and bounds.
    pub limits: HostLimits,
    /// Where their tools go.
    pub table: Table,
    /// Where their listeners go.
    pub board: Arc<Board>,
    /// What they are told about the host.
    pub facts: Facts,
}

/// What the owner of a panel is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PanelWord {
    /// A key was pressed.
    Key(PanelKey),
    /// The user closed it.
    Close(PanelClose),
    /// It has this much room.
    Resize(PanelResize),
}

/// Running extensions. Cloning gives another handle to the same ones.
#[derive(Clone)]
pub struct Host {
    pub(crate) shared: Arc<Shared>,
    /// Owns the tasks; taken out by whoever stops the host.
    pub(crate) nest: Arc<Mutex<Option<Nest>>>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.shared.guests().iter().map(|g| g.name()))
            .finish()
    }
}

impl Host {
    /// Starts every extension at once and returns without waiting for any. The owner must take
    /// the news.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(setup: Setup) -> (Self, mpsc::Receiver<News>) {
        let (news, receiver) = mpsc::channel(NEWS);
        let leave = CancellationToken::new();
        let guests = (1..)
            .zip(setup.invites)
            .map(|(place, invite)| Guest::new(invite, Order(place), &leave));
        let guests = guests.collect::<Vec<_>>();
        let shared = Arc::new(Shared {
            guests: Mutex::new(guests.clone()),
            limits: setup.limits,
            table: setup.table,
            board: setup.board,
            subscribers: Subscribers::default(),
            commands: Commands::default(),
            news,
            leave,
            leave_by: OnceLock::new(),
            subscriptions: AtomicU64::new(0),
            facts: Mutex::new(setup.facts),
            links: Mutex::default(),
            gate: OnceLock::new(),
            stage: Mutex::default(),
        });
        shared.board.observe_with(Arc::new(FanOut {
            shared: Arc::downgrade(&shared),
        }));
        let mut nest = Nest::new();
        for guest in guests.iter() {
            nest.spawn(
                "extension",
                run::live(Arc::clone(guest), Arc::clone(&shared)),
            );
        }
        let host = Self {
            shared,
            nest: Arc::new(Mutex::new(Some(nest))),
        };
        (host, receiver)
    }

    /// Waits until every extension is ready or has failed: at most its `hello` and `ready`
    /// deadlines.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn settled(&self) {
        for guest in self.shared.guests() {
            let mut state = guest.state.subscribe();
            // The sender lives as long as the guest, so this cannot fail.
            drop(state.wait_for(State::is_settled).await);
        }
    }

    /// Runs a slash command of an extension; gives who ran it and what it wants to happen. A panel
    /// that it opens is news like any other, and comes before the answer.
    ///
    /// # Errors
    /// [`CommandError`]: unknown, late, gone, or the command's own error.
    ///
    /// # Cancel safety
    /// Dropping the future gives the command up; a late answer is ignored.
    pub async fn command(&self, name: &str, args: &str) -> Result<(String, Action), CommandError> {
        let reply = self.shared.limits.command_reply;
        let (extension, action) = self.shared.commands.run(name, args, reply).await?;
        if let Action::OpenPanel(panel) = &action {
            let (extension, panel) = (extension.clone(), shortened_spec(panel.clone()));
            let news = News::PanelOpen { extension, panel };
            self.shared.announce(news).await;
        }
        Ok((extension, action))
    }

    /// Tells an extension something about its panels; `panel_resize` only when it wants that. An
    /// extension that is gone is not told.
    pub fn panel(&self, extension: &str, word: PanelWord) {
        let Some(link) = self.shared.link(extension) else {
            return;
        };
        let frame = match word {
            PanelWord::Key(key) => ToExtension::PanelKey(key),
            PanelWord::Close(close) => ToExtension::PanelClose(close),
            PanelWord::Resize(_) if !link.can(capability::PANEL_RESIZE) => return,
            PanelWord::Resize(resize) => ToExtension::PanelResize(resize),
        };
        // A full queue disconnects that extension, and its own task tells the user.
        drop(link.tell(&frame));
    }

    /// Every command with its description, sorted by name.
    #[must_use]
    pub fn commands(&self) -> Vec<(String, String)> {
        self.shared
            .commands
            .lock()
            .holders()
            .map(|(_, _, command)| (command.name.clone(), command.description.clone()))
            .collect()
    }

    /// Changes what extensions greeted from now on are told.
    pub fn set_facts(&self, facts: Facts) {
        *self
            .shared
            .facts
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = facts;
    }

    /// What extensions call comes here from now on; the first gate stays.
    pub fn set_gate(&self, gate: Arc<dyn Gate>) {
        // A second one would be a second agent of one host.
        let _ = self.shared.gate.set(gate);
    }

    /// Another session, branch or state of it is the one that is open: extensions are told, each
    /// with what it remembers there, and those greeted from now on as well.
    ///
    /// # Order
    /// `session_opened` comes behind the first `session_start`, and for an extension that is not
    /// ready by then, when it is. The other events go at once to those who had `session_opened`.
    pub fn session(&self, boundary: Boundary, facts: Facts, states: BTreeMap<String, RawJson>) {
        let mut stage = self.shared.stage();
        self.set_facts(facts);
        stage.turn(&self.shared, boundary, states);
    }

    /// What extensions remember in the open session from now on; nobody is told.
    pub fn remember(&self, states: BTreeMap<String, RawJson>) {
        self.shared.stage().remember(states);
    }

    /// How every extension stands, in load order.
    #[must_use]
    pub fn report(&self) -> Vec<GuestReport> {
        let guests = self.shared.guests();
        guests.iter().map(|guest| self.report_of(guest)).collect()
    }

    fn report_of(&self, guest: &Guest) -> GuestReport {
        let name = guest.name();
        let tools = self.shared.table.names();
        let shadowed_tools = self.shared.table.shadowed();
        let commands = self.shared.commands.lock();
        let about = guest.about();
        let lost =
            |(n, loser, winner): (String, String, String)| (loser == name).then_some((n, winner));
        GuestReport {
            name: name.to_owned(),
            dir: guest.invite.dir.clone(),
            state: guest.state.borrow().clone(),
            greeting: about.greeting.clone(),
            tools: tools
                .into_iter()
                .filter_map(|(tool, owner)| (owner == name).then_some(tool))
                .collect(),
            shadowed_tools: shadowed_tools.into_iter().filter_map(lost).collect(),
            commands: commands
                .holders()
                .filter(|(_, owner, _)| *owner == name)
                .map(|(_, _, command)| command.name.clone())
                .collect(),
            shadowed_commands: commands
                .shadowed()
                .map(|(n, l, w)| (n.to_owned(), l.to_owned(), w.to_owned()))
                .filter_map(lost)
                .collect(),
            diagnostics: about.diagnostics.clone(),
            diagnostics_dropped: about.diagnostics_dropped,
            log: guest.invite.log.as_ref().map(|log| log.path().to_owned()),
        }
    }

    /// Stops every extension: queued frames, `shutdown`, end of stdin, 2 s for all together,
    /// SIGTERM to the groups, 1 s, SIGKILL. Calling it again waits for nothing.
    pub async fn stop(&self) {
        let by = Instant::now() + self.shared.limits.shutdown;
        self.shared.leave_by.get_or_init(|| by);
        self.shared.leave.cancel();
        let nest = self
            .nest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(mut nest) = nest {
            nest.finished().await;
        }
        for guest in self.shared.guests() {
            if let Some(log) = &guest.invite.log {
                log.flush().await;
            }
        }
    }
}
