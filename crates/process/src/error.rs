//! Why a program could not be started, and what to do about it; starts nothing.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Longest first line of a script that is looked at for its `#!`, in bytes: what Linux reads.
const SHEBANG_BYTES: usize = 256;

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// A bare name that no directory on `PATH` has.
    #[error(
        "cannot start \"{}\" in {}: not found on PATH; install it or give its full path",
        program.display(), cwd.display()
    )]
    NotOnPath {
        /// The name.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
    },
    /// A path at which there is no file.
    #[error(
        "cannot start \"{}\" in {}: there is no such file; check the path or build the program first",
        program.display(), cwd.display()
    )]
    NoSuchFile {
        /// The path, as far as it could be made absolute.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
    },
    /// The file is there, but not marked as a program.
    #[error(
        "cannot start \"{0}\" in {1}: the file is not executable; run: chmod +x {0}",
        program.display(), cwd.display()
    )]
    NotExecutable {
        /// The path, as far as it could be made absolute.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
    },
    /// A script whose first line names an interpreter that is not there.
    #[error(
        "cannot start \"{}\" in {}: its first line asks for {interpreter}, which is not there; \
         install it or change that line",
        program.display(), cwd.display()
    )]
    NoInterpreter {
        /// The script.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
        /// What stands behind `#!`.
        interpreter: String,
    },
    /// The file is neither a program of this machine nor a script with a `#!` line.
    #[error(
        "cannot start \"{}\" in {}: not a program for this machine; \
         a script needs a first line such as #!/bin/sh",
        program.display(), cwd.display()
    )]
    WrongFormat {
        /// The path, as far as it could be made absolute.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
    },
    /// The working directory is missing or no directory.
    #[error(
        "cannot start \"{}\": its working directory {} does not exist; create it or choose another",
        program.display(), cwd.display()
    )]
    NoWorkingDirectory {
        /// The program.
        program: PathBuf,
        /// The missing directory.
        cwd: PathBuf,
    },
    /// Anything else the operating system objected to.
    #[error(
        "cannot start \"{}\" in {}: {cause}{}",
        program.display(), cwd.display(), hint(cause)
    )]
    Other {
        /// The program.
        program: PathBuf,
        /// Where it should have run.
        cwd: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
}

impl SpawnError {
    /// Looks at the file system to tell apart what the operating system reports alike.
    pub(crate) fn explain(program: &Path, cwd: &Path, cause: io::Error) -> Self {
        let (program, cwd) = (program.to_owned(), cwd.to_owned());
        if !cwd.is_dir() {
            return Self::NoWorkingDirectory { program, cwd };
        }
        let bare_name = program.components().count() == 1 && program.is_relative();
        match cause.kind() {
            io::ErrorKind::NotFound if bare_name => Self::NotOnPath { program, cwd },
            io::ErrorKind::NotFound => match interpreter(&program) {
                Some(interpreter) => Self::NoInterpreter {
                    program,
                    cwd,
                    interpreter,
                },
                None if program.exists() => Self::Other {
                    program,
                    cwd,
                    cause,
                },
                None => Self::NoSuchFile { program, cwd },
            },
            io::ErrorKind::PermissionDenied if !bare_name && is_plain(&program) => {
                Self::NotExecutable { program, cwd }
            }
            _ if cause.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                Self::WrongFormat { program, cwd }
            }
            _ => Self::Other {
                program,
                cwd,
                cause,
            },
        }
    }
}

fn hint(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::ArgumentListTooLong => "; shorten the arguments or pass them by a file",
        io::ErrorKind::WouldBlock => "; too many processes are running: end some",
        io::ErrorKind::PermissionDenied => "; check that it is a file which you may execute",
        _ => "",
    }
}

/// A regular file that nobody may execute.
fn is_plain(program: &Path) -> bool {
    fs::metadata(program)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 == 0)
}

/// What stands behind `#!` in the first line of an existing script.
fn interpreter(program: &Path) -> Option<String> {
    use std::io::Read;

    let mut start = Vec::with_capacity(SHEBANG_BYTES);
    let file = fs::File::open(program).ok()?;
    file.take(SHEBANG_BYTES as u64)
        .read_to_end(&mut start)
        .ok()?;
    let line = start
        .strip_prefix(b"#!")?
        .split(|&byte| byte == b'\n')
        .next()?;
    let line = String::from_utf8_lossy(line);
    // A script written on Windows asks for an interpreter whose name ends in CR.
    let line = line.replace('\r', "\\r");
    Some(line.split_whitespace().next()?.to_owned())
}
