//! Wishes about sessions and extensions, granted by the agent, in the shapes of responses.
//!
//! Takes its time: another conversation waits for the turn that runs, and a list for the disk.

use std::path::Path;

use serde::Serialize;
use zeug_app::{Access, Agent, SessionInfo, SessionRefused, Wanted, shapes};
use zeug_rpc_protocol::{
    BranchesData, ExportData, ForkData, NodeData, ReloadData, SessionData, SessionsData, TreeData,
};
use zeug_stdx::json::RawJson;

use crate::machine::Wish;

/// Grants a wish; what the response carries, or why it was not granted.
pub(crate) async fn grant(agent: &Agent, wish: Wish) -> Result<Option<RawJson>, String> {
    match wish {
        Wish::List { all, search } => list(agent, all, search).await,
        Wish::Clear => match agent.clear().await {
            Ok(()) => Ok(None),
            Err(refused) => Err(refused.to_string()),
        },
        Wish::New => session(agent.new_session().await),
        Wish::Open {
            session: wanted,
            branch,
            read_only,
            fork,
        } => {
            let access = match (read_only, fork) {
                (_, true) => Access::Fork,
                (true, false) => Access::ReadOnly,
                (false, false) => Access::Write,
            };
            session(
                agent
                    .open_session(Wanted::named(&wanted), access, branch)
                    .await,
            )
        }
        Wish::Fork { entry, after, name } => {
            let forked = agent.fork(entry, after, name).await;
            data(forked.map(ForkData::from))
        }
        Wish::Switch(branch) => session(agent.switch_branch(&branch).await),
        Wish::Branches => data(agent.branches().await.map(|branches| BranchesData {
            branches: branches.iter().map(shapes::branch).collect(),
        })),
        Wish::Tree => data(agent.tree().await.map(|tree| TreeData {
            nodes: tree.iter().map(NodeData::from).collect(),
        })),
        Wish::Rename(title) => session(agent.rename_session(&title).await),
        Wish::Export(path) => {
            data(
                agent
                    .export_session(Path::new(&path))
                    .await
                    .map(|path| ExportData {
                        path: path.display().to_string(),
                    }),
            )
        }
        Wish::Import(path) => session(agent.import_session(Path::new(&path)).await),
        Wish::Reload(name) => {
            let reloaded = agent.reload(name.as_deref()).await?;
            data(Ok(ReloadData {
                summary: reloaded.to_string(),
                stopped: reloaded.stopped,
                loaded: reloaded.loaded,
                ready: reloaded.ready,
                errors: reloaded.errors,
            }))
        }
        Wish::Delete(id) => match agent.delete_session(&id).await {
            Ok(()) => Ok(None),
            Err(refused) => Err(refused.to_string()),
        },
    }
}

async fn list(agent: &Agent, all: bool, search: Option<String>) -> Result<Option<RawJson>, String> {
    let listing = agent.sessions(all).await;
    let listing = listing.map_err(|refused| refused.to_string())?;
    let mut list = SessionsData {
        sessions: listing.sessions.iter().map(shapes::summary).collect(),
        hits: Vec::new(),
    };
    if let Some(words) = search {
        let hits = agent.search_sessions(&words, all).await;
        let hits = hits.map_err(|refused| refused.to_string())?;
        list.hits = hits.iter().map(shapes::hit).collect();
        let found = |id: &String| list.hits.iter().any(|hit| hit.session_id == *id);
        list.sessions.retain(|session| found(&session.session_id));
    }
    data(Ok(list))
}

fn session(session: Result<SessionInfo, SessionRefused>) -> Result<Option<RawJson>, String> {
    data(session.map(|session| SessionData::from(&session)))
}

fn data<T: Serialize>(data: Result<T, SessionRefused>) -> Result<Option<RawJson>, String> {
    let data = data.map_err(|refused| refused.to_string())?;
    RawJson::of(&data)
        .map(Some)
        .map_err(|error| error.to_string())
}
