//! All of a long output, in a file. The file is named to the model, so it is not removed here;
//! whoever chose the directory for it cleans that up.
//!
//! Does not know what is shown of the output.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempPath;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::page;

/// The most bytes in the file: enough for any log, small for any disk.
const MAX_BYTES: u64 = 100 * 1024 * 1024;

/// The file, once it is needed.
#[derive(Debug)]
pub(super) struct Spill<'a> {
    temp_dir: &'a Path,
    state: State,
    written: u64,
}

#[derive(Debug)]
enum State {
    /// Short so far.
    Waiting(Vec<u8>),
    /// Removed when it is dropped.
    Open(File, TempPath),
    Failed(io::Error),
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Spilled {
    pub(super) path: Option<String>,
    pub(super) note: Option<String>,
}

impl<'a> Spill<'a> {
    pub(super) fn new(temp_dir: &'a Path) -> Self {
        Self {
            temp_dir,
            state: State::Waiting(Vec::new()),
            written: 0,
        }
    }

    /// Adds output; `needed` once what is shown is not all of it.
    pub(super) async fn push(&mut self, bytes: &[u8], needed: bool) {
        if let State::Waiting(early) = &mut self.state {
            early.extend_from_slice(bytes);
            if needed {
                let early = std::mem::take(early);
                self.state = open(self.temp_dir);
                self.write(&early).await;
            }
        } else {
            self.write(bytes).await;
        }
    }

    async fn write(&mut self, bytes: &[u8]) {
        let State::Open(file, _) = &mut self.state else {
            return;
        };
        let room = usize::try_from(MAX_BYTES.saturating_sub(self.written)).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        self.written += bytes.len() as u64;
        if let Err(why) = file.write_all(part).await {
            self.state = State::Failed(why);
        }
    }

    /// Closes the file and leaves it where it is.
    pub(super) async fn end(self) -> Spilled {
        let kept = match self.state {
            State::Waiting(_) => return Spilled::default(),
            State::Failed(why) => Err(why),
            State::Open(mut file, path) => match file.flush().await {
                Ok(()) => path.keep().map_err(|why| why.error),
                Err(why) => Err(why),
            },
        };
        match kept {
            Ok(path) => Spilled {
                path: Some(path.to_string_lossy().into_owned()),
                note: (self.written > MAX_BYTES)
                    .then(|| format!("only the first {} are in the file", page::size(MAX_BYTES))),
            },
            Err(why) => Spilled {
                path: None,
                note: Some(format!(
                    "all of the output could not be kept in {}: {why}",
                    self.temp_dir.display()
                )),
            },
        }
    }
}

fn open(dir: &Path) -> State {
    let create = || {
        fs::create_dir_all(dir)?;
        tempfile::Builder::new()
            .prefix("zeug-bash-")
            .suffix(".log")
            .tempfile_in(dir)
    };
    match create() {
        Ok(file) => {
            let (file, path) = file.into_parts();
            State::Open(File::from_std(file), path)
        }
        Err(why) => State::Failed(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_short_output_needs_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path());
        spill.push(b"a", false).await;
        assert_eq!(spill.end().await.path, None);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn the_file_has_what_came_before_it_was_needed() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path());
        spill.push(b"a", false).await;
        spill.push(b"b", true).await;
        spill.push(b"c", true).await;
        let path = spill.end().await.path.unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "abc");
    }

    #[tokio::test]
    async fn the_file_is_bounded_and_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path());
        spill.push(b"", true).await;
        spill.written = MAX_BYTES - 1;
        spill.push(b"ab", true).await;
        spill.push(b"c", true).await;
        let spilled = spill.end().await;
        assert_eq!(fs::read_to_string(spilled.path.unwrap()).unwrap(), "a");
        assert_eq!(
            spilled.note.unwrap(),
            "only the first 100.0 MiB are in the file"
        );
    }

    #[tokio::test]
    async fn a_file_that_nobody_asked_for_any_more_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path());
        spill.push(b"a", true).await;
        drop(spill);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_directory_that_cannot_be_used_costs_only_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let mut spill = Spill::new(&file);
        spill.push(b"a", true).await;
        let spilled = spill.end().await;
        assert_eq!(spilled.path, None);
        assert!(spilled.note.unwrap().contains("could not be kept in"));
    }
}
