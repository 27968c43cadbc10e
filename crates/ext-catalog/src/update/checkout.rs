//! An extension that is a git checkout: fetched and moved forward, never merged.
//!
//! Local changes are put aside and brought back. If anything fails, or the new version cannot
//! start, the checkout is put back as it was.

use std::fs;
use std::path::Path;

use zeug_ext_protocol::manifest::{FILE, Manifest};

use super::Status;
use crate::content::Bounds;
use crate::install::validate;
use crate::installed::Entry;
use crate::tools::{Patience, Tools};
use crate::{CatalogError, Content, Lock, Record, git, switch};

pub(super) async fn update(
    entry: &Entry,
    record: Option<Record>,
    check: bool,
    lock: &mut Lock,
    tools: &Tools,
) -> Result<Status, CatalogError> {
    let dir = entry.dir.as_path();
    let Some(branch) = branch(dir, tools).await? else {
        let at = record.and_then(|record| record.reference);
        let at = at.map_or(String::new(), |at| format!(" at {at}"));
        return Ok(Status::Skipped(format!("pinned{at}")));
    };
    let fetch = ["fetch", "--quiet", "--no-tags", "origin", &branch];
    tools.git(dir, fetch, Patience::Network).await?;
    let before = git::head(dir, tools).await?;
    let new = git::commit_of(dir, "FETCH_HEAD", tools).await?;
    if before == new || is_ancestor(dir, &new, &before, tools).await? {
        return Ok(Status::UpToDate);
    }
    if !is_ancestor(dir, &before, &new, tools).await? {
        return Ok(Status::Failed(format!(
            "{branch} at its source does not continue from here; remove it and install it again"
        )));
    }
    if check {
        return Ok(Status::Available);
    }
    tools.check()?;
    // From here on the steps are short and stay on this machine; none of them is cancelled, so
    // that the checkout is always put in order.
    let tools = &tools.uncancelled();
    let content = Checkout { dir, tools }.forward(&before, &new).await?;
    if let Some(record) = record {
        lock.put(Record {
            commit: Some(new),
            hash: content.hash,
            files: content.files,
            installed_at: jiff::Timestamp::now(),
            ..record
        })?;
    }
    Ok(Status::Updated)
}

/// The branch that is checked out, as its full name; `None` when a tag or a commit is.
async fn branch(dir: &Path, tools: &Tools) -> Result<Option<String>, CatalogError> {
    let args = ["rev-parse", "--symbolic-full-name", "HEAD"];
    let name = tools.git(dir, args, Patience::Local).await?;
    Ok((name != "HEAD").then_some(name))
}

async fn is_ancestor(
    dir: &Path,
    old: &str,
    new: &str,
    tools: &Tools,
) -> Result<bool, CatalogError> {
    let args = ["rev-list", "--count", old, &format!("^{new}")];
    // What `old` has and `new` has not.
    let count = tools.git(dir, args, Patience::Local).await?;
    Ok(count == "0")
}

struct Checkout<'a> {
    dir: &'a Path,
    tools: &'a Tools,
}

impl Checkout<'_> {
    /// From one commit to the other, with local changes, or not at all. Gives the content of the
    /// new commit.
    async fn forward(&self, before: &str, new: &str) -> Result<Content, CatalogError> {
        let enabled = self.put_switch_back().await?;
        let moved = self.forward_without_switch(before, new).await;
        if let Some(enabled) = enabled {
            switch::write(self.dir, enabled)?;
        }
        moved
    }

    async fn forward_without_switch(
        &self,
        before: &str,
        new: &str,
    ) -> Result<Content, CatalogError> {
        let stashed = self.stash().await?;
        let moved = self.move_to(new).await;
        if moved.is_err() {
            self.reset(before).await?;
        }
        if !stashed || self.git(&["stash", "pop", "--quiet"]).await.is_ok() {
            return moved;
        }
        // The changes do not fit the new version; they fit the old one. What is untracked now
        // came out of the stash.
        self.reset(before).await?;
        self.git(&["clean", "-d", "--force", "--quiet"]).await?;
        self.git(&["stash", "pop", "--quiet"]).await?;
        moved?;
        Err(CatalogError::unusable(
            self.dir,
            "your changes do not fit the new version; commit them on a branch, or take them back",
        ))
    }

    /// Whether the manifest differs from the commit's only in its switch: then it is restored,
    /// and the switch returned, so that it cannot be in the way of other changes near it.
    async fn put_switch_back(&self) -> Result<Option<bool>, CatalogError> {
        let Ok(here) = fs::read_to_string(self.dir.join(FILE)) else {
            return Ok(None);
        };
        let Some(enabled) = switch::read(&here) else {
            return Ok(None);
        };
        let committed = self.git(&["show", &format!("HEAD:./{FILE}")]).await;
        let Ok(committed) = committed else {
            return Ok(None);
        };
        let same = match (Manifest::parse(&here), Manifest::parse(&committed)) {
            (Ok(here), Ok(there)) => {
                let there = Manifest {
                    enabled: here.enabled,
                    ..there
                };
                here == there
            }
            _ => false,
        };
        if !same || switch::read(&committed) == Some(enabled) {
            return Ok(None);
        }
        self.git(&["checkout", "--quiet", "HEAD", "--", FILE])
            .await?;
        Ok(Some(enabled))
    }

    /// Puts local changes aside; false when there are none.
    async fn stash(&self) -> Result<bool, CatalogError> {
        let changes = self
            .git(&["status", "--porcelain", "--untracked-files=all"])
            .await?;
        if changes.is_empty() {
            return Ok(false);
        }
        self.git(&["stash", "push", "--quiet", "--include-untracked"])
            .await?;
        Ok(true)
    }

    async fn move_to(&self, new: &str) -> Result<Content, CatalogError> {
        self.git(&["merge", "--quiet", "--ff-only", new]).await?;
        validate::complete(self.dir, self.dir)?;
        let tracked = self.git(&["ls-files", "-z"]).await?;
        let mut content = Content::within(self.dir, Bounds::INSTALL)?;
        content.retain(tracked.split('\0'));
        Ok(content)
    }

    async fn reset(&self, commit: &str) -> Result<(), CatalogError> {
        self.git(&["reset", "--quiet", "--hard", commit])
            .await
            .map(drop)
    }

    async fn git(&self, args: &[&str]) -> Result<String, CatalogError> {
        self.tools.git(self.dir, args, Patience::Local).await
    }
}
