//! The file commands with a home of their own; what is printed is looked at, not a terminal.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::Parser;
use tokio_util::sync::CancellationToken;
use zeug_config::{Env, Loaded, Paths};

use super::logs::Tail;
use super::{Context, ExtCommand, files};
use crate::args::{Args, Command};
use crate::world::World;

struct Bench {
    dir: tempfile::TempDir,
    world: World,
}

/// What a command printed, and its exit code.
struct Printed {
    code: u8,
    out: String,
    err: String,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("project")).unwrap();
        let world = World {
            env: Env {
                path: Some("/usr/bin:/bin".into()),
                ..Env::default()
            },
            paths: Paths::at(root.join("home")),
            cwd: root.join("project"),
            loaded: Loaded::default(),
        };
        Self { dir, world }
    }

    fn extension(&self, inner: &str, name: &str) {
        let dir = self.dir.path().join(inner);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(dir.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        let manifest = format!(
            r#"{{"name":"{name}","exec":"./run","version":"1.2","language":"sh\u001b[31m"}}"#
        );
        fs::write(dir.join("extension.json"), manifest).unwrap();
    }

    async fn run(&self, args: &[&str]) -> Printed {
        self.run_with(args, || Ok(String::new()), &CancellationToken::new())
            .await
    }

    async fn run_with(
        &self,
        args: &[&str],
        read_line: fn() -> std::io::Result<String>,
        interrupt: &CancellationToken,
    ) -> Printed {
        let args = Args::try_parse_from(["zeug", "ext"].iter().chain(args)).unwrap();
        let Some(Command::Ext(ext)) = args.command else {
            panic!("not an ext command")
        };
        let Some(ExtCommand::Files(command)) = ext.command else {
            panic!("not a file command")
        };
        let context = Context {
            world: &self.world,
            interrupt,
            read_line,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = files(command, &context, &mut out, &mut err).await;
        let root = format!("{}/", self.dir.path().canonicalize().unwrap().display());
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(&root, "");
        Printed {
            code,
            out: text(out),
            err: text(err),
        }
    }
}

fn home(world: &World) -> &Path {
    world.paths.home()
}

#[tokio::test]
async fn the_list_has_the_project_before_the_global_ones() {
    let bench = Bench::new();
    let empty = bench.run(&["list"]).await;
    assert_eq!((empty.code, empty.out.as_str()), (0, ""));
    assert!(empty.err.starts_with("no extensions installed\n"));

    bench.extension("project/.zut/extensions/mine", "mine");
    bench.extension("src", "weather");
    let manifest = bench.dir.path().join("src/extension.json");
    let described = fs::read_to_string(&manifest).unwrap().replacen(
        '{',
        r#"{"description":"weather\nfor \u001b[1mcities","#,
        1,
    );
    fs::write(&manifest, described).unwrap();
    bench.run(&["install", "../src"]).await;
    let list = bench.run(&["list"]).await;
    assert_eq!(
        list.out,
        "scope    name     version  enabled  trust                    language  description         dir\n\
         project  mine     1.2      yes      untrusted, unrestricted  sh        -                   project/.zut/extensions/mine\n\
         global   weather  1.2      yes      installed, unrestricted  sh        weather for cities  home/extensions/weather\n"
    );
    let json: serde_json::Value =
        serde_json::from_str(&bench.run(&["list", "--json"]).await.out).unwrap();
    assert_eq!(json[1]["name"], "weather");
    assert_eq!(json[1]["enabled"], true);
    assert_eq!(json[0]["unrestricted"], true);
    assert_eq!(json[1]["description"], "weather\nfor \u{1b}[1mcities");
}

#[tokio::test]
async fn install_toggle_and_remove_say_what_they_did() {
    let bench = Bench::new();
    bench.extension("src", "weather");
    let done = bench.run(&["install", "../src"]).await;
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert!(
        done.err
            .starts_with("installed weather to home/extensions/weather\nnote: "),
        "{}",
        done.err
    );
    let again = bench.run(&["install", "../src"]).await;
    assert_eq!(again.code, 1);
    assert!(
        again
            .err
            .starts_with("zeug: weather is already installed at ")
    );

    let done = bench.run(&["disable", "weather"]).await;
    assert_eq!(
        done.err,
        "disabled weather [global] (home/extensions/weather)\n"
    );
    let done = bench.run(&["disable", "weather"]).await;
    assert!(done.err.contains("is already disabled"), "{}", done.err);
    assert!(bench.run(&["list"]).await.out.contains("  no  "));
    bench.run(&["enable", "weather"]).await;

    let done = bench.run(&["rm", "weather", "-y"]).await;
    assert_eq!(done.err, "removed home/extensions/weather\n");
    let gone = bench.run(&["remove", "weather", "-y"]).await;
    assert_eq!(gone.code, 1);
    assert!(gone.err.starts_with("zeug: no extension \"weather\" here"));
    let escape = bench.run(&["remove", "..", "-y"]).await;
    assert_eq!(escape.code, 1);
    assert!(home(&bench.world).is_dir());
}

#[tokio::test]
async fn removing_asks_and_takes_only_yes() {
    let bench = Bench::new();
    bench.extension("src", "weather");
    bench.run(&["install", "../src"]).await;
    let dir = home(&bench.world).join("extensions/weather");
    let never = CancellationToken::new();
    for answer in [
        (|| Ok(String::new())) as fn() -> std::io::Result<String>,
        || Ok("n\n".into()),
        || Ok("\n".into()),
    ] {
        let asked = bench.run_with(&["remove", "weather"], answer, &never).await;
        assert_eq!(
            (asked.code, asked.err.as_str()),
            (0, "remove home/extensions/weather ? [y/N] aborted\n")
        );
        assert!(dir.is_dir());
    }
    let interrupted = CancellationToken::new();
    interrupted.cancel();
    let waits = || {
        std::thread::park();
        Ok(String::new())
    };
    let asked = bench.run_with(&["remove", "weather"], waits, &interrupted);
    assert_eq!(asked.await.code, 130);
    assert!(dir.is_dir());
    bench
        .run_with(&["remove", "weather"], || Ok("y\n".into()), &never)
        .await;
    assert!(!dir.exists());
}

#[tokio::test]
async fn updates_are_one_line_each_and_a_failure_is_an_exit_code() {
    let bench = Bench::new();
    bench.extension("a", "a");
    bench.extension("b", "b");
    bench.run(&["install", "../a"]).await;
    bench.run(&["install", "../b"]).await;
    fs::write(bench.dir.path().join("a/new"), "").unwrap();
    let check = bench.run(&["update", "--check"]).await;
    assert_eq!(check.out, "a  update available\nb  up-to-date\n");
    fs::remove_file(bench.dir.path().join("b/run")).unwrap();
    let done = bench.run(&["update"]).await;
    assert_eq!(done.code, 1);
    assert!(
        done.out.starts_with("a  updated\nb  failed: b: executable"),
        "{}",
        done.out
    );
    assert_eq!(
        done.err,
        "1 updated, 0 available, 0 up-to-date, 0 skipped, 1 failed\n"
    );
}

#[tokio::test]
async fn trust_is_given_listed_and_taken_back() {
    let bench = Bench::new();
    let none = bench.run(&["trust"]).await;
    assert_eq!(none.code, 1);
    bench.extension("project/.zeug/extensions/x", "x");
    bench.extension("project/.zot/extensions/y", "y");
    let done = bench.run(&["trust"]).await;
    assert_eq!(
        done.err,
        "trusted: project/.zeug/extensions/x (2 files)\n\
         trusted: project/.zot/extensions/y (2 files)\n"
    );
    fs::write(bench.world.cwd.join(".zeug/extensions/x/z"), "").unwrap();
    let list = bench.run(&["trust", "--list"]).await.out;
    assert!(list.starts_with("changed     2"), "{list}");
    assert_eq!(list.lines().count(), 2);
    let done = bench.run(&["trust", ".zeug/extensions/x"]).await;
    assert_eq!(
        done.err,
        "trusted again: project/.zeug/extensions/x (added z)\n"
    );
    let done = bench.run(&["trust", "y", "--remove"]).await;
    assert_eq!(done.err, "no longer trusted: project/.zot/extensions/y\n");
    assert_eq!(bench.run(&["trust", "--list"]).await.out.lines().count(), 1);
    let wrong = bench.run(&["trust", "nowhere"]).await;
    assert!(wrong.err.contains("holds no extension"), "{}", wrong.err);
}

#[tokio::test]
async fn logs_are_found_by_either_name_and_followed_until_interrupted() {
    let bench = Bench::new();
    bench.extension("home/extensions/dir-name", "weather");
    let none = bench.run(&["logs", "weather"]).await;
    assert_eq!(none.code, 1);
    assert!(
        none.err
            .starts_with("zeug: no log for \"weather\" at home/logs/ext-weather.log"),
        "{}",
        none.err
    );
    let logs = bench.world.paths.logs();
    fs::create_dir_all(&logs).unwrap();
    let text: String = (0..20).map(|n| format!("line {n}\n")).collect();
    fs::write(logs.join("ext-weather.log"), &text).unwrap();
    fs::write(logs.join("ext-once.log"), "only with --ext\n").unwrap();
    for name in ["weather", "dir-name"] {
        assert_eq!(bench.run(&["logs", name]).await.out, text);
    }
    assert_eq!(bench.run(&["logs", "once"]).await.out, "only with --ext\n");
    assert_eq!(bench.run(&["logs", "../once"]).await.code, 1);

    let interrupted = CancellationToken::new();
    interrupted.cancel();
    let eof = || Ok(String::new());
    let followed = bench.run_with(&["logs", "weather", "-f"], eof, &interrupted);
    let followed = followed.await;
    let last: String = (10..20).map(|n| format!("line {n}\n")).collect();
    assert_eq!((followed.code, followed.out), (0, last));
}

#[test]
fn a_followed_log_may_be_rotated_emptied_or_away_for_a_while() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    fs::write(&path, "a\nb").unwrap();
    let append = |text: &str| {
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    let (mut tail, last) = Tail::start(File::open(&path).unwrap(), path.clone()).unwrap();
    assert_eq!(last, b"a\nb");
    assert_eq!(tail.more().unwrap(), b"");
    append("c\n");
    assert_eq!(tail.more().unwrap(), b"c\n");

    append("end of the old\n");
    fs::rename(&path, dir.path().join("log.1")).unwrap();
    assert_eq!(tail.more().unwrap(), b"end of the old\n");
    append("new\n");
    assert_eq!(tail.more().unwrap(), b"new\n");

    fs::write(&path, "x\n").unwrap();
    assert_eq!(tail.more().unwrap(), b"x\n");
}
