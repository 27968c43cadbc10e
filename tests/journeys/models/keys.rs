//! Keys: kept, used, forgotten, and seen by no child and no log.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use super::server::Server;
use super::{KEY, with_env};
use crate::support::{Ran, World, have};

/// Runs `zeug` with something on its standard input.
fn piped(world: &World, args: &[&str], input: &str) -> Ran {
    let mut command = world.command(args);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_key_is_kept_used_and_forgotten() {
    let world = World::new();
    let server = Server::saying("from the server");
    world.config(&format!(
        "[providers.anthropic]\nbase_url = {:?}\n",
        server.url()
    ));
    let stored = piped(&world, &["login", "claude"], &format!("  {KEY}\n")).exits(0);
    assert!(
        stored.stderr.contains("stored the key for anthropic"),
        "{stored:?}"
    );
    assert!(
        stored.stdout.is_empty() && !stored.stderr.contains(KEY),
        "{stored:?}"
    );
    let file = world.home().join("auth.toml");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);

    let ran = world.run(["-p", "hi"]).exits(0);
    assert_eq!(ran.stdout, "from the server\n");
    assert!(ran.stderr.contains("(auth.toml)"), "{ran:?}");
    let heard = server.one();
    assert_eq!(heard.header("x-api-key"), Some(KEY));

    let again = piped(&world, &["login", "anthropic"], "other").exits(0);
    assert!(again.stderr.contains("replaced"), "{again:?}");
    let out = world.run(["logout"]).exits(0);
    assert!(
        out.stderr.contains("removed the key for anthropic"),
        "{out:?}"
    );
    world.run(["logout", "anthropic"]).exits(1);
    assert!(world.run(["-p", "hi"]).exits(0).stdout.contains("you said"));
}

#[test]
fn what_is_no_key_is_not_kept() {
    let world = World::new();
    for input in ["", "\n", "two\nlines", "a\u{1b}[2Jb"] {
        let ran = piped(&world, &["login", "openai"], input).exits(2);
        assert!(ran.stderr.contains("no key came"), "{ran:?}");
    }
    let unknown = piped(&world, &["login", "antropic"], KEY).exits(2);
    assert!(
        unknown.stderr.contains("did you mean \"anthropic\""),
        "{unknown:?}"
    );
    piped(&world, &["login"], KEY).exits(2);
    assert!(!world.home().join("auth.toml").exists());
}

/// `zeug login groq` on a terminal of its own, where somebody types; ends with whether the terminal
/// shows again what is typed.
fn on_a_terminal(world: &World, typed: &str) -> Ran {
    let script = r#"
import os, pty, signal, sys, termios
signal.alarm(60)
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "login", "groq"])
seen = b""
sent = False
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    seen += piece
    if not sent and b"not shown" in seen:
        os.write(fd, sys.argv[2].encode())
        os.write(fd, b"\n" if sys.argv[2] != "\x03" else b"")
        sent = True
print(seen.decode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print("echo is", "on" if termios.tcgetattr(fd)[3] & termios.ECHO else "off")
sys.exit(code)
"#;
    let mut command = std::process::Command::new("python3");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_zeug"), typed])
        .env("ZEUG_HOME", world.home())
        .current_dir(world.project());
    command.output().unwrap().into()
}

#[test]
fn a_terminal_shows_nothing_of_the_key() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ran = on_a_terminal(&world, KEY).exits(0);
    assert!(ran.stdout.contains("stored the key for groq"), "{ran:?}");
    assert!(!ran.stdout.contains(KEY), "{ran:?}");
    let kept = std::fs::read_to_string(world.home().join("auth.toml")).unwrap();
    assert!(kept.contains(KEY), "{kept}");
    let given_up = on_a_terminal(&world, "\u{3}").exits(130);
    assert!(given_up.stdout.contains("echo is on"), "{given_up:?}");
}

#[test]
fn keys_that_others_can_read_are_refused() {
    let world = World::new();
    let file = world.home().join("auth.toml");
    std::fs::write(&file, format!("[openai]\napi_key = \"{KEY}\"\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    for args in [
        &["-p", "hi"][..],
        &["--list-models"],
        &["logout"],
        &["-p", "--model", "openai/x", "hi"],
    ] {
        let ran = world.run(args).exits(2);
        let told = format!("chmod 600 {}", file.display());
        assert!(
            ran.stderr.contains(&told) && !ran.stderr.contains(KEY),
            "{ran:?}"
        );
    }
    // Nobody looks at it when it is not needed.
    world.run(["-p", "--provider", "puppet", "hi"]).exits(0);
}

#[test]
fn only_the_chosen_providers_command_runs() {
    let world = World::new();
    let server = Server::saying("unlocked");
    let url = server.url();
    world.config(&format!(
        "model = \"shed/m\"\n\
         [providers.shed]\nbase_url = {url:?}\napi_key_command = [\"printf\", \"{KEY}\"]\n\
         [providers.attic]\nbase_url = {url:?}\napi_key_command = [\"touch\", \"ran\"]\n\
         [providers.broken]\nbase_url = {url:?}\n\
         api_key_command = [\"sh\", \"-c\", \"echo vault is locked >&2; exit 3\"]\n"
    ));
    assert_eq!(world.run(["-p", "hi"]).exits(0).stdout, "unlocked\n");
    let bearer = format!("Bearer {KEY}");
    assert_eq!(server.one().header("authorization"), Some(bearer.as_str()));
    let failed = world.run(["-p", "--model", "broken/m", "hi"]).exits(2);
    assert!(failed.stderr.contains("config.toml:10"), "{failed:?}");
    assert!(failed.stderr.contains("vault is locked"), "{failed:?}");
    world.run(["--list-models", "--json"]).exits(0);
    assert!(!world.home().join("ran").exists());
}

/// What a child sees of the variables that hold keys.
fn extension(world: &World, permissions: &str) -> String {
    let dir = world.path().join("spy");
    std::fs::create_dir_all(&dir).unwrap();
    let program = "#!/bin/sh\nenv > \"$ZEUG_EXTENSION_DIR/env\"\n\
        echo '{\"type\":\"hello\",\"protocol_version\":2,\"name\":\"spy\",\"version\":\"1\"}'\n\
        while read -r line; do case $line in *hello_ack*) echo '{\"type\":\"ready\"}';; *shutdown*) exit;; esac; done\n";
    std::fs::write(dir.join("run"), program).unwrap();
    std::fs::set_permissions(dir.join("run"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let manifest = format!("{{\"name\":\"spy\",\"exec\":\"./run\"{permissions}}}");
    std::fs::write(dir.join("extension.json"), manifest).unwrap();
    dir.display().to_string()
}

#[test]
fn no_key_reaches_a_child() {
    let world = World::new();
    world.config(
        "[providers.shed]\nbase_url = \"http://127.0.0.1:1\"\napi_key_env = \"MY_OWN_KEY\"\n",
    );
    let spy = extension(&world, "");
    let vars = [
        ("ANTHROPIC_API_KEY", KEY),
        ("MY_OWN_KEY", KEY),
        ("ZEUG_API_KEY", KEY),
        ("XIAOMI_MIMO_API_KEY", KEY),
        ("HARMLESS", "seen"),
    ];
    let prompt = "call bash {\"command\":\"env\"}";
    let args = ["-p", "--provider", "puppet", "-e", &spy, prompt];
    let ran = with_env(&world, &vars, &args).exits(0);
    assert!(ran.stdout.contains("HARMLESS=seen"), "{ran:?}");
    assert!(!ran.stdout.contains(KEY), "{ran:?}");
    let seen = std::fs::read_to_string(world.path().join("spy/env")).unwrap();
    assert!(
        seen.contains("HARMLESS=seen") && !seen.contains(KEY),
        "{seen}"
    );

    let spy = extension(&world, ",\"permissions\":{\"env\":[\"MY_OWN_KEY\"]}");
    with_env(
        &world,
        &vars,
        &["-p", "--provider", "puppet", "-e", &spy, "hi"],
    )
    .exits(0);
    let seen = std::fs::read_to_string(world.path().join("spy/env")).unwrap();
    assert_eq!(seen.matches(KEY).count(), 1, "{seen}");
}

#[test]
fn no_log_and_no_event_shows_a_key() {
    let world = World::new();
    let server = Server::saying("quiet");
    world.config(&format!(
        "[providers.anthropic]\nbase_url = {0:?}\nheaders = {{ X-Team = \"{KEY}-header\" }}\n\
         [providers.gemini]\nbase_url = {0:?}\n",
        server.url()
    ));
    let spy = extension(&world, "");
    let keys = [
        ("ANTHROPIC_API_KEY", KEY),
        ("GEMINI_API_KEY", KEY),
        ("OPENAI_API_KEY", KEY),
        ("ZEUG_LOG", "trace"),
    ];
    let (url, tales) = (server.url(), Server::telling_tales());
    let told = tales.url();
    for model in [
        &["--provider", "anthropic"][..],
        &["--provider", "gemini"],
        &["--provider", "openai", "--base-url", &url],
        &["--provider", "openai", "--base-url", &told],
        &["--provider", "gemini", "--base-url", &told],
        &["--provider", "anthropic", "--base-url", &told],
        &["--base-url", &url, "--model", "m", "--api-key", KEY],
    ] {
        let args = [&["--json", "-e", &spy][..], model, &["hi"][..]].concat();
        let ran = with_env(&world, &keys, &args);
        assert!(ran.stderr.contains("TRACE"), "{model:?}");
        assert!(!ran.stderr.contains(KEY), "{model:?}: {}", ran.stderr);
        assert!(!ran.stdout.contains(KEY), "{model:?}: {}", ran.stdout);
    }
    assert!(
        server
            .heard()
            .iter()
            .any(|heard| heard.header("x-team").is_some())
    );
    let logs = world.home().join("logs");
    for file in std::fs::read_dir(logs).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        assert!(!text.contains(KEY), "{}", file.path().display());
    }
}
