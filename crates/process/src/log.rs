//! A log file that never grows without bound and never fails its writers.
//!
//! One task owns the file; everybody else has a queue to it. Does not know who writes, and adds
//! no times: the header line that a caller gives is the place for them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tokio::sync::{mpsc, oneshot};

/// Pieces that wait for the disk before a writer waits.
const QUEUED_PIECES: usize = 64;

/// How large a log may get and how many old ones stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLimits {
    /// Size in bytes at which a new file is begun.
    pub file_bytes: u64,
    /// Old files kept beside the current one, as `.1` (youngest), `.2`, ….
    pub old_files: u32,
}

impl Default for LogLimits {
    /// 5 MiB and three old files.
    fn default() -> Self {
        Self {
            file_bytes: 5 * 1024 * 1024,
            old_files: 3,
        }
    }
}

/// A queue to one log file. Clones share the file; the last one closes it.
///
/// # Limits
///
/// [`LogLimits`]; 64 pieces wait for the disk. What cannot be written, because the disk is full
/// or the file cannot be made, is dropped and counted, and the count is written as soon as
/// something can be. Two logs of one path at the same time do not destroy each other's lines, but
/// one may go on in a file that the other has renamed.
#[derive(Debug, Clone)]
pub struct RotatingLog {
    queue: mpsc::Sender<Entry>,
    path: PathBuf,
}

#[derive(Debug)]
enum Entry {
    Piece(Vec<u8>),
    Note(String),
    Flush(oneshot::Sender<()>),
}

impl RotatingLog {
    /// Opens `path` for appending, with its directory if needed, and writes `header` on a line of
    /// its own. A new file gets mode 0644 less the umask.
    ///
    /// # Errors
    ///
    /// None: a log that cannot be opened is tried again with each entry, and a warning is traced.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn open(path: impl Into<PathBuf>, header: impl Into<String>, limits: LogLimits) -> Self {
        let path = path.into();
        let (queue, entries) = mpsc::channel(QUEUED_PIECES);
        let writer = LogFile::new(path.clone(), limits);
        tokio::spawn(own(writer, header.into(), entries));
        Self { queue, path }
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a remark of this program, as `[zeug] text` on a line of its own.
    ///
    /// Never waits: dropped when the queue to the disk is full.
    pub fn note(&self, text: &str) {
        if self.queue.try_send(Entry::Note(text.to_owned())).is_err() {
            tracing::debug!(path = %self.path.display(), text, "a note for a log was dropped");
        }
    }

    /// Waits until everything given before was written or dropped.
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.queue.send(Entry::Flush(done)).await.is_ok() {
            // An error says that the runtime is ending, and then there is nothing to wait for.
            let _ = flushed.await;
        }
    }

    /// Writes a piece of a stream as it is. Waits while the queue is full, so that a child which
    /// writes faster than the disk is slowed down.
    pub(crate) async fn append(&self, piece: Vec<u8>) {
        // An error says that the runtime is ending.
        let _ = self.queue.send(Entry::Piece(piece)).await;
    }
}

/// The owner: takes what has queued up and writes it where blocking is allowed.
async fn own(mut file: LogFile, header: String, mut entries: mpsc::Receiver<Entry>) {
    let mut batch = vec![Entry::Note(header)];
    let mut first = true;
    loop {
        let written = tokio::task::spawn_blocking(move || {
            for entry in batch.drain(..) {
                match entry {
                    Entry::Note(header) if first => file.line(&header),
                    Entry::Note(text) => file.line(&format!("[zeug] {text}")),
                    Entry::Piece(piece) => file.append(&piece),
                    // Nobody may be waiting any more.
                    Entry::Flush(done) => drop(done.send(())),
                }
                first = false;
            }
            (file, batch)
        });
        let Ok(back) = written.await else { return };
        (file, batch) = back;
        first = false;
        if entries.recv_many(&mut batch, QUEUED_PIECES).await == 0 {
            return;
        }
    }
}

/// The file itself. Blocking.
#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    limits: LogLimits,
    open: Option<(File, u64)>,
    /// Whether the last byte written ended a line.
    at_line_start: bool,
    /// Bytes dropped since the last success.
    lost: u64,
}

impl LogFile {
    fn new(path: PathBuf, limits: LogLimits) -> Self {
        Self {
            path,
            limits,
            open: None,
            at_line_start: true,
            lost: 0,
        }
    }

    /// Text on a line of its own.
    fn line(&mut self, text: &str) {
        let start = if self.at_line_start { "" } else { "\n" };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.append(format!("{start}{text}{end}").as_bytes());
    }

    /// Bytes as they are.
    fn append(&mut self, piece: &[u8]) {
        match self.try_append(piece) {
            Ok(()) => {}
            Err(error) => {
                if self.lost == 0 {
                    tracing::warn!(path = %self.path.display(), %error, "a log cannot be written");
                }
                self.lost += piece.len() as u64;
                // Opened anew next time: the directory may have been removed and made again.
                self.open = None;
            }
        }
    }

    fn try_append(&mut self, piece: &[u8]) -> io::Result<()> {
        if self.lost > 0 {
            let lost = format!("\n[zeug] {} bytes of this log were lost\n", self.lost);
            self.write(lost.as_bytes())?;
            self.lost = 0;
        }
        let mut rest = piece;
        loop {
            let (_, size) = self.opened()?;
            let size = *size;
            let room = self.limits.file_bytes.saturating_sub(size);
            let room = usize::try_from(room).unwrap_or(usize::MAX);
            if rest.len() <= room {
                return self.write(rest);
            }
            // Up to the last line end that fits; a line longer than a file is cut.
            let fits = &rest[..room];
            let cut = match fits.iter().rposition(|&byte| byte == b'\n') {
                Some(at) => at + 1,
                None if size == 0 => room.max(1),
                None => 0,
            };
            self.write(&rest[..cut])?;
            self.rotate()?;
            rest = &rest[cut..];
        }
    }

    fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        let (file, size) = self.opened()?;
        file.write_all(piece)?;
        *size += piece.len() as u64;
        if let Some(&last) = piece.last() {
            self.at_line_start = last == b'\n';
        }
        Ok(())
    }

    fn opened(&mut self) -> io::Result<&mut (File, u64)> {
        let opened = match self.open.take() {
            Some(opened) => opened,
            None => {
                if let Some(directory) = self.path.parent() {
                    fs::create_dir_all(directory)?;
                }
                let file = OpenOptions::new()
                    .append(true)
                    .create(true)
                    .mode(0o644)
                    .open(&self.path)?;
                let size = file.metadata()?.len();
                (file, size)
            }
        };
        Ok(self.open.insert(opened))
    }

    /// `log` becomes `log.1`, `log.1` becomes `log.2`, the oldest goes.
    fn rotate(&mut self) -> io::Result<()> {
        self.open = None;
        for age in (1..self.limits.old_files).rev() {
            rename_if_there(&self.old(age), &self.old(age + 1))?;
        }
        if self.limits.old_files > 0 {
            rename_if_there(&self.path, &self.old(1))
        } else {
            fs::remove_file(&self.path)
        }
    }

    fn old(&self, age: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{age}"));
        name.into()
    }
}

fn rename_if_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed,
    }
}
