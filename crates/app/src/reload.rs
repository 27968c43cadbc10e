//! Starting extensions anew: who is invited is asked of the door, which alone knows where they lie.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use std::time::Duration;

use tokio::time::timeout;
use zeug_ext_host::{Invite, Reloaded};
use zeug_rpc_protocol::Event;

use crate::Notice;
use crate::agent::{Agent, catch_up};

/// How long the running turn may take to end (compatibility: 2 s).
const GIVE_UP: Duration = Duration::from_secs(2);

/// How often it is looked whether something else is over that nobody announces.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Looks for extensions again.
pub trait Inviter: fmt::Debug + Send + Sync {
    /// Those that may start now, in load order. Blocks on the disk.
    ///
    /// # Errors
    /// A sentence, when nobody can be looked for at all.
    fn look(&self) -> Result<Invited, String>;
}

/// Who was found.
#[derive(Debug, Default)]
pub struct Invited {
    /// Those that may start.
    pub invites: Vec<Invite>,
    /// Those that may not, by name or by directory when they have no name yet, and why.
    pub errors: Vec<(String, String)>,
}

/// One at a time: a second reload would take the first one's instances for the old ones.
struct Reloading<'a>(&'a AtomicBool);

impl<'a> Reloading<'a> {
    fn begin(running: &'a AtomicBool) -> Option<Self> {
        (!running.swap(true, Ordering::AcqRel)).then_some(Self(running))
    }
}

impl Drop for Reloading<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Agent {
    /// Starts extensions anew because their files changed: all, or the one of this name. Waits until
    /// no prompt runs and nobody else does this. What came of it is among the notices.
    pub async fn refresh(&self, name: Option<&str>) {
        loop {
            self.engine.rest().await;
            let is_free = !self.state().is_busy() && !self.shared.reloading.load(Ordering::Acquire);
            if is_free {
                break;
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        let (summary, reloaded) = match self.reload(name).await {
            Ok(reloaded) => (reloaded.to_string(), reloaded),
            Err(why) => {
                let who = format!("{}: ", name.unwrap_or("reload"));
                let why = why.strip_prefix(&who).unwrap_or(&why).to_owned();
                let errors = vec![format!("{who}{why}")];
                let failed = Reloaded {
                    errors,
                    ..Reloaded::default()
                };
                (why, failed)
            }
        };
        let told = Event::ExtReloaded {
            extension: name.map(str::to_owned),
            summary,
            stopped: reloaded.stopped,
            loaded: reloaded.loaded,
            ready: reloaded.ready,
            errors: reloaded.errors,
        };
        self.tell(Notice::Event(told)).await;
    }

    /// Says something to whoever shows the notices.
    pub async fn remark(&self, text: String) {
        self.tell(Notice::Remark(text)).await;
    }

    async fn tell(&self, notice: Notice) {
        if let Some(notices) = self.notices.upgrade() {
            // Without a face nobody is to be told.
            drop(notices.send(notice).await);
        }
    }

    /// Starts all extensions anew, or the one of this name. The turn that runs is given up. Each new
    /// instance takes the place of the old one when it is ready; where that fails, the old one goes
    /// on. Notices must be taken meanwhile.
    ///
    /// # Errors
    /// A sentence, when nothing was done.
    pub async fn reload(&self, name: Option<&str>) -> Result<Reloaded, String> {
        let Some(_only) = Reloading::begin(&self.shared.reloading) else {
            return Err("extensions are being started anew already: wait for that".to_owned());
        };
        let Some(inviter) = self.inviter.clone() else {
            return Err("this run cannot start extensions anew: start zeug again".to_owned());
        };
        let looked = tokio::task::spawn_blocking(move || inviter.look()).await;
        let mut invited =
            looked.map_err(|error| format!("extensions were not found: {error}"))??;
        if let Some(name) = name {
            invited.invites.retain(|invite| invite.name == name);
            invited.errors.retain(|(who, _)| who == name);
            if invited.invites.is_empty() {
                let why = invited
                    .errors
                    .pop()
                    .map(|(who, why)| format!("{who}: {why}"));
                return Err(why.unwrap_or_else(|| {
                    format!("no extension {name:?} may start here: zeug ext doctor says why")
                }));
            }
        }
        self.engine.abort().await;
        // What does not stop by then loses its extensions while it runs.
        drop(timeout(GIVE_UP, self.engine.rest()).await);
        let mut reloaded = self.host().reload(invited.invites, name.is_none()).await;
        let errors = invited.errors.into_iter();
        reloaded
            .errors
            .extend(errors.map(|(who, why)| format!("{who}: {why}")));
        // Tools and whoever rewrites the prompt may be others now.
        self.renew_prompt().await;
        catch_up(&self.flush).await;
        Ok(reloaded)
    }
}
