//! `zeug ext logs`: what an extension wrote to stderr, and what zeug noted about it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::MissedTickBehavior;
use zeug_ext_catalog::{check_name, find, log_file};

use super::{Context, say};

/// Between two looks at a log that is followed.
const LOOK: Duration = Duration::from_millis(200);
/// Lines shown before a log is followed.
const LINES: usize = 10;
/// Where those lines are looked for: at the end, so far back.
const BACK_BYTES: u64 = 64 * 1024;

#[derive(Debug, clap::Args)]
pub(crate) struct LogsArgs {
    /// The extension's name, or its directory's.
    name: String,
    /// Print the last ten lines, then what comes, until interrupted.
    #[arg(short, long)]
    follow: bool,
}

/// Prints the current log, whole; older ones lie beside it as `.1`, `.2`, `.3`.
///
/// With `--follow` it prints the last ten lines, then what is added, also when the log is rotated
/// or removed and made again. An interruption is the way to end that and no failure.
pub(crate) async fn run(
    args: LogsArgs,
    context: &Context<'_>,
    out: &mut dyn Write,
    _: &mut dyn Write,
) -> anyhow::Result<u8> {
    let path = log_of(&args.name, context)?;
    let shown = say::path(&path);
    let missing = || {
        format!(
            "no log for {:?} at {shown}; it has not been started",
            args.name
        )
    };
    let mut file = File::open(&path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => anyhow::anyhow!(missing()),
        _ => anyhow::anyhow!("cannot read {shown}: {e}"),
    })?;
    if !args.follow {
        io::copy(&mut file, out)?;
        out.flush()?;
        return Ok(0);
    }
    let (mut tail, last) = Tail::start(file, path)?;
    out.write_all(&last)?;
    out.flush()?;
    let mut ticks = tokio::time::interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = context.interrupt.cancelled() => return Ok(0),
            _ = ticks.tick() => {
                out.write_all(&tail.more()?)?;
                out.flush()?;
            }
        }
    }
}

/// The log of an installed extension by either name, or of one that was only named by `--ext`.
fn log_of(name: &str, context: &Context<'_>) -> anyhow::Result<PathBuf> {
    check_name(name)?;
    let logs = context.world.paths.logs();
    let of_name = log_file(&logs, name);
    let of_manifest = find(&context.places(), name).map(|entry| log_file(&logs, entry.name()));
    Ok(match of_manifest {
        Ok(log) if log.exists() || !of_name.exists() => log,
        _ => of_name,
    })
}

/// A file that grows, and is sometimes replaced by a new one of its name.
#[derive(Debug)]
pub(super) struct Tail {
    file: File,
    path: PathBuf,
}

impl Tail {
    /// Starts at the end, and gives the last lines before it.
    pub(super) fn start(mut file: File, path: PathBuf) -> io::Result<(Self, Vec<u8>)> {
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(BACK_BYTES)))?;
        let mut end = Vec::new();
        file.read_to_end(&mut end)?;
        let body = end.strip_suffix(b"\n").unwrap_or(&end);
        let breaks = body.iter().enumerate().rev().filter(|(_, b)| **b == b'\n');
        let start = breaks.map(|(at, _)| at + 1).nth(LINES - 1).unwrap_or(0);
        Ok((Self { file, path }, end.split_off(start)))
    }

    /// What was written since the last look.
    pub(super) fn more(&mut self) -> io::Result<Vec<u8>> {
        let mut new = Vec::new();
        let size = self.file.metadata()?.len();
        if size < self.file.stream_position()? {
            // Emptied and written anew.
            self.file.rewind()?;
        }
        self.file.read_to_end(&mut new)?;
        while let Some(next) = self.successor()? {
            self.file = next;
            self.file.read_to_end(&mut new)?;
        }
        Ok(new)
    }

    /// The file that has taken the name, when it is another one.
    fn successor(&self) -> io::Result<Option<File>> {
        let Some(next) = open(&self.path)? else {
            return Ok(None);
        };
        let (a, b) = (self.file.metadata()?, next.metadata()?);
        Ok(((a.dev(), a.ino()) != (b.dev(), b.ino())).then_some(next))
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}
