//! A program that has the terminal for a while: the user's editor.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;

/// Runs a program on this process's own terminal, and waits for it without a deadline: only the
/// user knows how long that takes. Blocks.
///
/// It is in this process's group, so that the terminal's keys reach it. Nothing ends it but itself
/// or the terminal; like every program that a shell starts, it survives this process.
///
/// # Errors
/// When it cannot be started.
pub fn foreground(program: &Path, args: &[OsString], cwd: &Path) -> io::Result<ExitStatus> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this room starts what the others may not"
    )]
    let mut command = std::process::Command::new(program);
    command.args(args).current_dir(cwd).status()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_the_program_ended() {
        let dir = tempfile::tempdir().unwrap();
        let run = |line: &str| {
            let args = ["-c".into(), line.into()];
            foreground(Path::new("/bin/sh"), &args, dir.path())
        };
        assert!(run("echo x > here").unwrap().success());
        assert!(dir.path().join("here").exists());
        assert_eq!(run("exit 3").unwrap().code(), Some(3));
        let gone = foreground(Path::new("/no/such/program"), &[], dir.path());
        assert_eq!(gone.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
