//! What a face may do with sessions: look at them, and let another one take the place of the open
//! one.
//!
//! Decides the order: refuse what can be refused, give the running turn up, write what it still had
//! to say, change over, tell extensions and faces. Touches no disk itself.

mod ears;
pub mod shapes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::oneshot;
use zeug_engine::Adoption;
use zeug_ext_host::Boundary;
use zeug_session::{Branch, Filter, Hit, Listing};

use crate::agent::{Agent, catch_up};
use crate::journal::{
    Access, Change, Desk, Forked, Opening, SessionInfo, SessionRefused, Sessions, TreeNode, Turned,
    Wanted,
};

pub(crate) use ears::{Ears, open};

/// Hits of one search.
const HITS: usize = 100;

impl Agent {
    /// The open session.
    #[must_use]
    pub fn session(&self) -> SessionInfo {
        self.shared.standing.session()
    }

    /// Starts a new session in the place of the open one.
    ///
    /// # Order
    /// As with every change of the session: what runs is given up and settles on the branch that
    /// it belongs to, prompts that wait are taken back, then the change is made and told
    /// ([`Event::Session`](zeug_rpc_protocol::Event::Session)). Notices must be taken meanwhile.
    ///
    /// # Errors
    /// [`SessionRefused`]: the conversation is as it was, but for the turn that was given up when
    /// the disk failed only then.
    ///
    /// # Cancel safety
    /// Dropping the future takes nothing back.
    pub async fn new_session(&self) -> Result<SessionInfo, SessionRefused> {
        self.open_session(Wanted::New, Access::Write, None).await
    }

    /// Opens another session, on a branch of it by name or id. Order, errors and cancel safety as
    /// with [`Agent::new_session`].
    pub async fn open_session(
        &self,
        wanted: Wanted,
        access: Access,
        branch: Option<String>,
    ) -> Result<SessionInfo, SessionRefused> {
        let state = self.state();
        let opening = Opening {
            wanted,
            access,
            branch,
            provider: state.provider,
            model: state.model,
        };
        let open = move |desk: &mut Desk| desk.other(&opening);
        self.change(Boundary::Switched, open).await
    }

    /// Begins a branch before a message of the user (to say it in other words), or `after` it; at
    /// the end of the conversation when `at` names no entry. A session that is only read is copied
    /// into one of its own. Order, errors and cancel safety as with [`Agent::new_session`].
    pub async fn fork(
        &self,
        at: Option<String>,
        after: bool,
        name: Option<String>,
    ) -> Result<Forked, SessionRefused> {
        let (told, said) = oneshot::channel();
        let fork = move |desk: &mut Desk| {
            let (change, said) = desk.fork(at.as_deref(), after, name)?;
            drop(told.send(said));
            Ok(change)
        };
        let session = self.change(Boundary::Forked, fork).await?;
        // It was sent before the change was made.
        let said = said.await.unwrap_or_default();
        Ok(Forked { session, said })
    }

    /// Goes on with another branch, by its name or id. Order, errors and cancel safety as with
    /// [`Agent::new_session`].
    pub async fn switch_branch(&self, branch: &str) -> Result<SessionInfo, SessionRefused> {
        let branch = branch.to_owned();
        let switch = move |desk: &mut Desk| desk.branch(&branch);
        self.change(Boundary::Switched, switch).await
    }

    /// Takes over an exported session under an id of its own, and opens it. Order, errors and
    /// cancel safety as with [`Agent::new_session`].
    pub async fn import_session(&self, from: &Path) -> Result<SessionInfo, SessionRefused> {
        let from = self.in_project(from);
        let import = move |desk: &mut Desk| desk.imported(&from);
        self.change(Boundary::Switched, import).await
    }

    /// All branches of the open session, the oldest first.
    ///
    /// # Errors
    /// [`SessionRefused::Unkept`].
    pub async fn branches(&self) -> Result<Vec<Branch>, SessionRefused> {
        self.shared.clerk.ask(|desk| desk.branches()).await?
    }

    /// All user messages of the open session, the oldest first: where it can be forked.
    ///
    /// # Errors
    /// [`SessionRefused::Unkept`].
    pub async fn tree(&self) -> Result<Vec<TreeNode>, SessionRefused> {
        self.shared.clerk.ask(|desk| desk.tree()).await?
    }

    /// Gives the open session a title; an empty one takes it away.
    ///
    /// # Errors
    /// [`SessionRefused`].
    pub async fn rename_session(&self, title: &str) -> Result<SessionInfo, SessionRefused> {
        let title = title.to_owned();
        let renamed = self.shared.clerk.ask(move |desk| desk.rename(&title));
        let session = renamed.await??;
        self.shared.standing.set_session(session.clone());
        Ok(session)
    }

    /// Writes the open session into a file for others, which must not exist: below the project
    /// directory unless it is absolute. The file.
    ///
    /// # Errors
    /// [`SessionRefused`].
    pub async fn export_session(&self, to: &Path) -> Result<PathBuf, SessionRefused> {
        let to = self.in_project(to);
        self.shared.clerk.ask(move |desk| desk.export(&to)).await?
    }

    /// The sessions of this project, the one with the latest activity first; `all` are those of
    /// every project and of sub-agents.
    ///
    /// # Errors
    /// [`SessionRefused::Unkept`].
    pub async fn sessions(&self, all: bool) -> Result<Listing, SessionRefused> {
        let list = move |sessions: Sessions| sessions.catalog.list(&filter(&sessions, all));
        self.look("list sessions", list).await
    }

    /// Where words stand in what was said, in the sessions with the latest activity first.
    ///
    /// # Limits
    /// The first 100.
    ///
    /// # Errors
    /// [`SessionRefused::Unkept`].
    pub async fn search_sessions(
        &self,
        words: &str,
        all: bool,
    ) -> Result<Vec<Hit>, SessionRefused> {
        let words = words.to_owned();
        let search = move |sessions: Sessions| {
            let filter = filter(&sessions, all);
            sessions.catalog.search(&words, &filter, HITS)
        };
        self.look("search them", search).await
    }

    /// Deletes a session that is not open, by its id or the beginning of it.
    ///
    /// # Errors
    /// [`SessionRefused`].
    pub async fn delete_session(&self, id: &str) -> Result<(), SessionRefused> {
        let id = id.to_owned();
        let find = move |sessions: Sessions| sessions.catalog.find(&id);
        let found = self.look("delete sessions", find).await??;
        let path = found.path.clone();
        let open = self.shared.clerk.ask(move |desk| desk.has_open(&path));
        if open.await? {
            return Err(SessionRefused::Open);
        }
        let delete = move |sessions: Sessions| sessions.catalog.delete(&found);
        Ok(self.look("delete sessions", delete).await??)
    }

    fn in_project(&self, path: &Path) -> PathBuf {
        self.state().cwd.join(path)
    }

    /// Looks through the sessions beside the thread that writes.
    async fn look<T: Send + 'static>(
        &self,
        to: &'static str,
        look: impl FnOnce(Sessions) -> T + Send + 'static,
    ) -> Result<T, SessionRefused> {
        let Some(sessions) = self.shelf.clone() else {
            return Err(SessionRefused::Unkept(to));
        };
        let looked = tokio::task::spawn_blocking(move || look(sessions)).await;
        looked.map_err(|_| SessionRefused::Gone)
    }

    /// Lets another conversation take the place of this one.
    async fn change(
        &self,
        boundary: Boundary,
        stage: impl FnOnce(&mut Desk) -> Result<Change, SessionRefused> + Send + 'static,
    ) -> Result<SessionInfo, SessionRefused> {
        let change = self.shared.clerk.ask(stage).await??;
        let (report, reported) = oneshot::channel();
        let shared = Arc::clone(&self.shared);
        let flush = self.flush.clone();
        let load = async move {
            // Everything that the old conversation had to say is written then.
            catch_up(&flush).await;
            let turned = shared.clerk.ask(move |desk| desk.turn_over(change)).await;
            match turned.and_then(|turned| turned) {
                Ok(turned) => {
                    shared.standing.set_session(turned.session.clone());
                    shared.standing.set_usage(turned.conversation.spent);
                    drop(report.send(Ok((turned.session.clone(), turned.remark.clone()))));
                    Some(adoption(turned, boundary, shared.ears.clone()))
                }
                Err(refused) => {
                    drop(report.send(Err(refused)));
                    None
                }
            }
        };
        self.engine.adopt(load).await?;
        // Whoever is told here finds the change among the notices already.
        catch_up(&self.flush).await;
        let (session, remark) = reported.await.map_err(|_| SessionRefused::Gone)??;
        if let Some(remark) = remark {
            tracing::warn!("the session that was left: {remark}");
        }
        Ok(session)
    }
}

fn adoption(turned: Turned, boundary: Boundary, ears: Ears) -> Adoption {
    let Turned {
        session,
        conversation,
        ..
    } = turned;
    Adoption {
        session_id: session.id.clone(),
        history: conversation.history,
        spent: conversation.spent,
        activated: conversation.activated,
        between: Box::new(move || ears.tell(boundary, &session, conversation.states)),
    }
}

fn filter(sessions: &Sessions, all: bool) -> Filter {
    Filter {
        cwd: (!all).then(|| sessions.cwd.clone()),
        subagents: all,
    }
}
