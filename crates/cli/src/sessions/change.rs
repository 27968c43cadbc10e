//! `zeug sessions rename`, `export`, `import` and `delete`.

use std::io::Write;
use std::path::Path;

use zeug_app::Sessions;
use zeug_session::View;
use zeug_transcript::Timestamp;

use super::{aside, locate};

/// Gives a session a title.
pub(super) fn rename(id: &str, title: &str, sessions: &Sessions) -> anyhow::Result<()> {
    let found = locate(id, sessions)?;
    Ok(sessions.catalog.rename(&found.path, title)?)
}

/// Writes a session into a file for others.
pub(super) fn export(id: &str, file: &Path, sessions: &Sessions) -> anyhow::Result<()> {
    let skipped = View::open(&locate(id, sessions)?.path)?.export(file)?;
    if skipped > 0 {
        aside(&format!(
            "{skipped} entries were too damaged and are not in the copy"
        ));
    }
    Ok(())
}

/// Takes over a session, and prints its new id.
pub(super) fn import(file: &Path, sessions: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    let now = Timestamp::now();
    let copied = sessions.catalog.import(file, &sessions.cwd, now)?;
    if copied.skipped > 0 {
        aside(&format!(
            "{} entries were too damaged and were left out",
            copied.skipped
        ));
    }
    writeln!(out, "{}", copied.journal.view().id())?;
    copied.journal.close()?;
    Ok(())
}

/// Deletes sessions; the first that cannot be deleted ends it.
pub(super) fn delete(ids: &[String], sessions: &Sessions) -> anyhow::Result<()> {
    for id in ids {
        let found = locate(id, sessions)?;
        sessions.catalog.delete(&found)?;
    }
    Ok(())
}
