//! An extension that was copied from a directory: copied again when that has other content.
//!
//! What the extension or the user changed or added here since is kept. A file that was changed
//! both here and at the source stops the update, which then changes nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Status;
use crate::content::Bounds;
use crate::install::{Builder, Staged, blocking, stage_path};
use crate::installed::Entry;
use crate::tools::Tools;
use crate::{CatalogError, Change, Content, Lock, Places, Record, switch};
use zeug_ext_protocol::manifest;

pub(super) async fn update(
    places: &Places,
    entry: &Entry,
    record: Record,
    check: bool,
    lock: &mut Lock,
    tools: &Tools,
) -> Result<Status, CatalogError> {
    let source = PathBuf::from(&record.source);
    if !source.is_dir() {
        let why = format!("its source {} is gone", source.display());
        return Ok(Status::Skipped(why));
    }
    let builder = record.build.as_deref().and_then(Builder::named);
    let staged = stage_path(places, &source, builder, tools).await?;
    if staged.content.hash == record.hash {
        return Ok(Status::UpToDate);
    }
    if check {
        return Ok(Status::Available);
    }
    refuse_other_name(entry, &staged)?;
    let renewed = Record {
        hash: staged.content.hash.clone(),
        files: staged.content.files.clone(),
        installed_at: jiff::Timestamp::now(),
        ..record.clone()
    };
    let dir = entry.dir.clone();
    let staged = blocking(move || {
        carry_over(&dir, &record.content(), &staged)?;
        Ok(staged)
    })
    .await?;
    tools.check()?;
    // The record first: a record that is ahead of the directory is only a warning, and the next
    // update would put it right.
    let before = lock.get(&entry.entry).cloned();
    lock.put(renewed)?;
    if let Err(error) = staged.staging.swap(&entry.dir) {
        if let Some(before) = before {
            lock.put(before)?;
        }
        return Err(error);
    }
    Ok(Status::Updated)
}

/// The name is what logs, settings and other extensions know it by.
fn refuse_other_name(entry: &Entry, staged: &Staged) -> Result<(), CatalogError> {
    let (old, new) = (entry.name(), &staged.manifest.name);
    if entry.manifest.is_err() || old == new {
        return Ok(());
    }
    let message = format!(
        "it is named {new} at its source; remove {old} and install {new} from {}",
        staged.source.display()
    );
    Err(CatalogError::unusable(&entry.dir, message))
}

/// Takes what was changed or added in `dir` since it was installed into the staged copy.
fn carry_over(dir: &Path, installed: &Content, staged: &Staged) -> Result<(), CatalogError> {
    let here = Content::within(dir, Bounds::INSTALL)?;
    let new = &staged.content;
    let mut both = Change::default();
    let mut kept = Vec::new();
    for (path, hash) in &here.files {
        let then = installed.files.get(path);
        let source = new.files.get(path);
        if then == Some(hash) || source == Some(hash) {
            continue;
        }
        if source == then {
            kept.push(path);
        } else {
            both.changed.push(path.clone());
        }
    }
    if !both.is_empty() {
        return Err(CatalogError::Conflict {
            dir: dir.to_owned(),
            change: both,
        });
    }
    let payload = staged.staging.payload();
    for path in kept {
        let (from, to) = (dir.join(path), payload.join(path));
        keep(&from, &to).map_err(|cause| CatalogError::io("keep", &from, cause))?;
    }
    keep_switch(dir, &payload)
}

fn keep(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let about = fs::symlink_metadata(from)?;
    if about.is_symlink() {
        if fs::symlink_metadata(to).is_ok() {
            fs::remove_file(to)?;
        }
        std::os::unix::fs::symlink(fs::read_link(from)?, to)
    } else if about.is_file() {
        fs::copy(from, to).map(drop)
    } else {
        Ok(())
    }
}

/// Whether it was switched on or off here counts, whatever the source says.
fn keep_switch(dir: &Path, payload: &Path) -> Result<(), CatalogError> {
    let text = |dir: &Path| fs::read_to_string(dir.join(manifest::FILE)).unwrap_or_default();
    match switch::read(&text(dir)) {
        Some(enabled) if switch::read(&text(payload)) != Some(enabled) => {
            switch::write(payload, enabled)
        }
        _ => Ok(()),
    }
}
