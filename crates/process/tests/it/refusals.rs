//! Programs that do not start, and what the user is told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::tempdir;
use zeug_process::Spec;

use crate::support::spawner;

fn check(spec: Spec, directory: &Path, expected: &str) {
    let error = spawner().spawn(spec).unwrap_err().to_string();
    let error = error.replace(directory.to_str().unwrap(), "/ext");
    assert_eq!(error, expected);
}

fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[tokio::test]
async fn each_refusal_says_what_where_and_what_next() {
    let directory = tempdir().unwrap();
    let here = directory.path();
    write(&here.join("plain"), "#!/bin/sh\n", 0o644);
    write(&here.join("script"), "#!/no/such/python3 -u\r\n", 0o755);

    check(
        Spec::new("no-such-program-here", here),
        here,
        "cannot start \"no-such-program-here\" in /ext: not found on PATH; \
         install it or give its full path",
    );
    check(
        Spec::new("bin/run", here),
        here,
        "cannot start \"/ext/bin/run\" in /ext: there is no such file; \
         check the path or build the program first",
    );
    check(
        Spec::new("./plain", here),
        here,
        "cannot start \"/ext/./plain\" in /ext: the file is not executable; \
         run: chmod +x /ext/./plain",
    );
    check(
        Spec::new(here.join("script"), here),
        here,
        "cannot start \"/ext/script\" in /ext: its first line asks for /no/such/python3, \
         which is not there; install it or change that line",
    );
    check(
        Spec::new("sh", here.join("gone")),
        here,
        "cannot start \"sh\": its working directory /ext/gone does not exist; \
         create it or choose another",
    );
    check(
        Spec::new(here, here),
        here,
        "cannot start \"/ext\" in /ext: Permission denied (os error 13); \
         check that it is a file which you may execute",
    );
}

#[tokio::test]
async fn a_relative_program_counts_from_the_working_directory() {
    let directory = tempdir().unwrap();
    fs::create_dir(directory.path().join("bin")).unwrap();
    write(
        &directory.path().join("bin/run"),
        "#!/bin/sh\nexit 5\n",
        0o755,
    );
    let child = spawner()
        .spawn(Spec::new("bin/run", directory.path()))
        .unwrap();
    assert_eq!(child.handle.exited().await.to_string(), "exit status 5");
}
