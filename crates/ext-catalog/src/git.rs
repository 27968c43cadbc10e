//! What the catalog asks of git.

use std::ffi::OsStr;
use std::path::Path;

use crate::CatalogError;
use crate::tools::{Patience, Tools};

/// Clones without history into `into`, which does not exist yet.
pub(crate) async fn clone(
    url: &str,
    reference: Option<&str>,
    into: &Path,
    tools: &Tools,
) -> Result<(), CatalogError> {
    let Some(reference) = reference else {
        return shallow(url, None, into, tools).await;
    };
    if is_commit(reference) {
        return one_commit(url, reference, into, tools).await;
    }
    match shallow(url, Some(reference), into, tools).await {
        // A short commit is no name that a server knows.
        Err(CatalogError::Helper { .. }) if looks_like_commit(reference) => {
            full(url, reference, into, tools).await
        }
        done => done,
    }
}

async fn shallow(
    url: &str,
    branch: Option<&str>,
    into: &Path,
    tools: &Tools,
) -> Result<(), CatalogError> {
    let mut args: Vec<&OsStr> = vec!["clone".as_ref(), "--quiet".as_ref()];
    args.extend(["--depth".as_ref(), OsStr::new("1")]);
    if let Some(branch) = branch {
        args.extend(["--branch".as_ref(), OsStr::new(branch)]);
    }
    args.extend(["--".as_ref(), OsStr::new(url), into.as_os_str()]);
    tools
        .git(above(into), args, Patience::Network)
        .await
        .map(drop)
}

async fn one_commit(
    url: &str,
    commit: &str,
    into: &Path,
    tools: &Tools,
) -> Result<(), CatalogError> {
    let init: [&OsStr; 4] = [
        "init".as_ref(),
        "--quiet".as_ref(),
        "--".as_ref(),
        into.as_ref(),
    ];
    tools.git(above(into), init, Patience::Local).await?;
    let remote = ["remote", "add", "origin", url];
    tools.git(into, remote, Patience::Local).await?;
    let fetch = ["fetch", "--quiet", "--depth", "1", "origin", commit];
    match tools.git(into, fetch, Patience::Network).await {
        Ok(_) => {
            let checkout = ["checkout", "--quiet", "--detach", "FETCH_HEAD"];
            tools.git(into, checkout, Patience::Local).await.map(drop)
        }
        // The server does not give out single commits.
        Err(CatalogError::Helper { .. }) => full(url, commit, into, tools).await,
        Err(error) => Err(error),
    }
}

async fn full(url: &str, commit: &str, into: &Path, tools: &Tools) -> Result<(), CatalogError> {
    if into.exists() {
        let removed = std::fs::remove_dir_all(into);
        removed.map_err(|cause| CatalogError::io("remove", into, cause))?;
    }
    let clone: [&OsStr; 6] = [
        "clone".as_ref(),
        "--quiet".as_ref(),
        "--no-checkout".as_ref(),
        "--".as_ref(),
        url.as_ref(),
        into.as_ref(),
    ];
    tools.git(above(into), clone, Patience::Network).await?;
    let checkout = ["checkout", "--quiet", "--detach", commit];
    tools.git(into, checkout, Patience::Local).await.map(drop)
}

/// The commit that is checked out.
pub(crate) async fn head(dir: &Path, tools: &Tools) -> Result<String, CatalogError> {
    commit_of(dir, "HEAD", tools).await
}

/// The commit that a name means.
pub(crate) async fn commit_of(
    dir: &Path,
    name: &str,
    tools: &Tools,
) -> Result<String, CatalogError> {
    let args = ["rev-parse", "--verify", "--quiet", name];
    tools.git(dir, args, Patience::Local).await
}

fn is_commit(reference: &str) -> bool {
    matches!(reference.len(), 40 | 64) && looks_like_commit(reference)
}

fn looks_like_commit(reference: &str) -> bool {
    reference.len() >= 7 && reference.bytes().all(|b| b.is_ascii_hexdigit())
}

fn above(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}
