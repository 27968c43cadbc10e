//! What was typed into the terminal, kept from run to run: lines of JSON, readable by the user
//! alone.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A larger file loses its older half when it is read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// The most texts of a project that are given out.
const MAX_TEXTS: usize = 1000;

/// What was typed in a project.
#[derive(Debug)]
pub(super) struct History {
    file: PathBuf,
    cwd: String,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    cwd: String,
    text: String,
}

impl History {
    pub(super) fn new(file: PathBuf, cwd: &Path) -> Self {
        let cwd = cwd.display().to_string();
        Self { file, cwd }
    }

    /// What was typed here, the oldest first. Lines that cannot be read are passed over.
    pub(super) fn load(&self) -> Vec<String> {
        let rows = match self.rows() {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!("{}: {error}", self.file.display());
                return Vec::new();
            }
        };
        let rows = rows
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let here = rows.filter(|row: &Row| row.cwd == self.cwd);
        let mut texts: Vec<String> = here.map(|row| row.text).collect();
        texts.drain(..texts.len().saturating_sub(MAX_TEXTS));
        texts
    }

    fn rows(&self) -> io::Result<String> {
        let mut file = match std::fs::File::open(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
            Err(error) => return Err(error),
        };
        let len = file.metadata()?.len();
        let over = len > MAX_BYTES;
        if over {
            file.seek(SeekFrom::Start(len - MAX_BYTES / 2))?;
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let mut rows = String::from_utf8_lossy(&bytes).into_owned();
        if over {
            // It begins somewhere in a line.
            rows.drain(..rows.find('\n').map_or(rows.len(), |end| end + 1));
            self.shorten(&rows)?;
        }
        Ok(rows)
    }

    fn shorten(&self, rows: &str) -> io::Result<()> {
        let dir = self.file.parent().unwrap_or(Path::new("."));
        // Such a file is readable by the user alone.
        let mut fresh = tempfile::Builder::new()
            .prefix(".history")
            .tempfile_in(dir)?;
        fresh.write_all(rows.as_bytes())?;
        fresh.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }

    /// Keeps a text.
    pub(super) fn add(&self, text: &str) -> Result<(), String> {
        let row = Row {
            cwd: self.cwd.clone(),
            text: text.to_owned(),
        };
        let write = || -> io::Result<()> {
            let mut line = serde_json::to_string(&row)?;
            line.push('\n');
            let dir = self.file.parent().unwrap_or(Path::new("."));
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
            let options = OpenOptions::new()
                .append(true)
                .create(true)
                .mode(0o600)
                .clone();
            // In one piece, so that lines of several runs do not mix.
            options.open(&self.file)?.write_all(line.as_bytes())
        };
        write().map_err(|error| format!("{}: {error}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn each_project_finds_what_was_typed_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("home/history.jsonl");
        let [here, there] =
            ["/here", "/there"].map(|cwd| History::new(file.clone(), Path::new(cwd)));
        assert!(here.load().is_empty());
        for text in ["one", "two\nlines"] {
            here.add(text).unwrap();
            there.add("other").unwrap();
        }
        let mut torn = OpenOptions::new().append(true).open(&file).unwrap();
        torn.write_all(b"{\"cwd\":\"/here\",\"te\n").unwrap();
        here.add("three").unwrap();
        assert_eq!(here.load(), ["one", "two\nlines", "three"]);
        assert_eq!(there.load(), ["other", "other"]);
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_large_file_loses_its_older_half() {
        let dir = tempfile::tempdir().unwrap();
        let history = History::new(dir.path().join("history.jsonl"), Path::new("/"));
        let text = "x".repeat(1024 * 1024);
        for at in 0..5 {
            history.add(&format!("{at}{text}")).unwrap();
        }
        assert_eq!(history.load().len(), 1);
        assert!(history.file.metadata().unwrap().len() < MAX_BYTES);
        history.add("last").unwrap();
        let texts = history.load();
        assert!(texts[0].starts_with('4') && texts[1] == "last");
        let mode = history.file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
