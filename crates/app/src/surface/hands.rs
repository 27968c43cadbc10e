//! What a user does to panels, and the picture of everything that extensions show.
//!
//! Nothing here waits: a key is queued for its extension, and what is closed is closed at once,
//! whatever its extension does.

use std::sync::{MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio::time::Instant;
use zeug_ext_host::PanelWord;
use zeug_ext_protocol::panel::{PanelClose, PanelKey, PanelResize};

use super::{Key, Shown, Surface, Tell, Word};
use crate::agent::Agent;
use crate::forward::Shared;

impl Agent {
    /// A key for a panel; `esc` and `ctrl-c` are never keys, they close it
    /// ([`Agent::close_panel`]). Keys go out one after the other, as fast as the panel is drawn.
    ///
    /// # Errors
    /// A sentence, when the panel is not open (any more) or 4096 keys wait for it.
    pub fn panel_key(&self, extension: &str, id: &str, key: Key) -> Result<(), String> {
        let now = Instant::now();
        let told = self
            .shared
            .surface()
            .panels()
            .key(extension, id, key, now)?;
        match told {
            Some(tell) => self.shared.tell_owner(tell),
            // The loop looks at the time of those that wait.
            None => drop(self.flush.try_send(oneshot::channel().0)),
        }
        Ok(())
    }

    /// The user closes a panel, and its extension is told; false when it is not open (any more).
    pub fn close_panel(&self, extension: &str, id: &str) -> bool {
        let told = self.shared.surface().panels().dismiss(extension, id);
        let was_open = told.is_some();
        told.into_iter()
            .for_each(|tell| self.shared.tell_owner(tell));
        was_open
    }

    /// The body of a panel has so many columns and lines from now on.
    pub fn set_panel_size(&self, width: u16, height: u16) {
        let told = self.shared.surface().panels().resize(width, height);
        told.into_iter()
            .for_each(|tell| self.shared.tell_owner(tell));
    }

    /// What extensions show now.
    #[must_use]
    pub fn shown(&self) -> Shown {
        self.shared.surface().shown()
    }

    /// Says whether panels are shown to anybody. When they are not, those that are open and those
    /// to come end at once, so that no extension waits for a key in vain.
    pub(crate) fn show_panels(&self, shown: bool) {
        let told = self.shared.surface().set_shown(shown);
        told.into_iter()
            .for_each(|tell| self.shared.tell_owner(tell));
    }
}

impl Shared {
    pub(crate) fn surface(&self) -> MutexGuard<'_, Surface> {
        self.surface.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the owner of a panel.
    pub(crate) fn tell_owner(&self, tell: Tell) {
        let Tell {
            extension,
            panel_id,
            word,
        } = tell;
        let word = match word {
            Word::Key(Key { name: key, text }) => PanelWord::Key(PanelKey {
                panel_id,
                key,
                text,
            }),
            Word::Closed => PanelWord::Close(PanelClose { panel_id }),
            Word::Size(width, height) => PanelWord::Resize(PanelResize {
                panel_id,
                width,
                height,
            }),
        };
        self.ears.panel(&extension, word);
    }
}
