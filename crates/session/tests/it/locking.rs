//! One writer a session, also across processes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};

use zeug_session::{Catalog, ForkAt, Journal, SessionError, View};

use crate::support::{Desk, NOW, told, user};

/// This test program once more, running one of its ignored tests as another process.
#[expect(
    clippy::disallowed_methods,
    reason = "a second process is what is tested, and it must die as it is told"
)]
pub(crate) fn again(test: &str) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .args(["--test-threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The same in a shell that lets it write 64 blocks to a file, after the shell did `first`. Past the
/// limit a write is cut short, and the next one brings the signal XFSZ, which kills.
#[expect(
    clippy::disallowed_methods,
    reason = "a second process is what is tested, and it must die as it is told"
)]
pub(crate) fn again_limited(test: &str, first: &str) -> Child {
    std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{first} ulimit -c 0; ulimit -f 64; exec \"$@\""))
        .arg("sh")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The first line on stdin, for tests that play the other process.
pub(crate) fn instruction() -> Option<String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

#[test]
fn a_second_handle_is_refused_and_may_read_or_fork() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("one")).unwrap();
    let refused = Journal::open(&desk.path).unwrap_err();
    assert!(matches!(&refused, SessionError::Locked { .. }));
    assert!(refused.to_string().contains("read-only, or fork"));

    let view = View::open(&desk.path).unwrap();
    let catalog = Catalog::new(desk.dir.path().join("sessions"));
    let cwd = desk.dir.path();
    let tip = ForkAt::After(view.tip().unwrap());
    let mut copy = catalog
        .fork_to_new_file(&view, tip, cwd, NOW)
        .unwrap()
        .journal;
    copy.append(user("two")).unwrap();
    journal.append(user("three")).unwrap();
    assert_eq!(told(copy.view()), ["u:one", "u:two"]);
    assert_eq!(told(journal.view()), ["u:one", "u:three"]);
    assert!(matches!(
        catalog.delete(&view.located()),
        Err(SessionError::Locked { .. })
    ));
    drop(journal);
    assert_eq!(told(desk.open().view()), ["u:one", "u:three"]);
}

#[test]
fn a_link_to_a_session_is_the_session() {
    let desk = Desk::new();
    let journal = desk.create();
    let link = desk.dir.path().join("link.jsonl");
    std::os::unix::fs::symlink(&desk.path, &link).unwrap();
    assert!(matches!(
        Journal::open(&link),
        Err(SessionError::Locked { .. })
    ));
    drop(journal);
    let through = Journal::open(&link).unwrap();
    assert_eq!(through.view().path(), desk.path.canonicalize().unwrap());
}

#[test]
fn another_process_that_writes_is_named() {
    let desk = Desk::new();
    let mut journal = desk.create();
    journal.append(user("x")).unwrap();
    drop(journal);
    let mut child = again("locking::holds_a_session_until_stdin_ends");
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", desk.path.display()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.any(|line| line.unwrap().contains("held")));

    let SessionError::Locked { pid, .. } = Journal::open(&desk.path).unwrap_err() else {
        panic!("another refusal");
    };
    assert!(pid.is_none_or(|pid| pid == child.id()));
    assert_eq!(told(&View::open(&desk.path).unwrap()), ["u:x"]);
    drop(input);
    assert!(child.wait().unwrap().success());
    assert!(Journal::open(&desk.path).is_ok());
}

#[test]
#[ignore = "the other process of another test"]
fn holds_a_session_until_stdin_ends() {
    let Some(path) = instruction() else { return };
    let journal = Journal::open(path.as_ref()).unwrap();
    println!("\nheld");
    let mut rest = String::new();
    std::io::stdin().read_to_string(&mut rest).unwrap();
    drop(journal);
}
