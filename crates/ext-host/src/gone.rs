//! What happens when an extension is no longer there, in the one order that is right.

use std::sync::Arc;

use crate::News;
use crate::guest::Guest;
use crate::held::Held;
use crate::link::Link;
use crate::shared::Shared;

/// Takes everything of `guest` away and ends every wait for it with `why`.
///
/// # Order
/// Names leave the tables first, so that nobody starts a new call; then listeners leave the
/// chains; then `news` is announced, and then the waiters are told, who may look at all of it: a
/// run that ends because of this does not end before the user can know why. The news comes back
/// when there is no room for it, since nobody who waits is to wait for that.
pub(crate) fn bury(
    shared: &Shared,
    guest: &Guest,
    link: &Arc<Link>,
    why: &str,
    news: Option<News>,
) -> Option<News> {
    let name = guest.name();
    if guest.is_retired() || guest.is_staged() {
        // Its names and its place are another's, its successor's or its predecessor's.
        shared.unlink(name, link);
        shared.subscribers.leave(link);
        link.bury(why);
        return news;
    }
    shared.unlink(name, link);
    shared.table.unregister_all(name);
    shared.commands.lock().release_all(name);
    shared.board.leave(|meta| meta.extension == name);
    shared.subscribers.leave(link);
    shared.stage().leave(name);
    let late = news.and_then(|news| shared.announce_now(news));
    link.bury(why);
    guest.about().held = Held::default();
    late
}
