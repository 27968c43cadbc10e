//! Notes.

use zeug_ext_protocol::chrome::Notify;

use super::Desk;
use crate::News;
use crate::news::Level;

impl Desk<'_> {
    pub(super) async fn notify(&self, notify: Notify) {
        if notify.message.trim().is_empty() {
            return;
        }
        self.shared
            .announce(News::Note {
                extension: self.guest.name().to_owned(),
                level: Level::of(&notify.level),
                text: notify.message,
            })
            .await;
    }
}
