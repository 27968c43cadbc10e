//! With which session a run begins.

use super::{session_of, short, shown};
use crate::rpc::client::Rpc;
use crate::support::World;

fn files(world: &World) -> Vec<std::path::PathBuf> {
    let buckets = std::fs::read_dir(world.home().join("sessions"));
    let buckets = buckets.into_iter().flatten().flatten();
    let mut files: Vec<_> = buckets
        .flat_map(|bucket| std::fs::read_dir(bucket.path()).unwrap().flatten())
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    files.sort();
    files
}

#[test]
fn a_run_goes_on_where_the_last_one_stopped() {
    let world = World::new();
    let first = session_of(&world.run(["--json", "say one"]).exits(0));
    world.run(["-p", "say other"]).exits(0);
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(ran.stdout.contains("user: say other"), "{ran:?}");
    assert!(!ran.stdout.contains("say one"), "{ran:?}");
    let id = first["session_id"].as_str().unwrap();
    for resume in [id, &id[..8]] {
        let ran = world.run(["-r", resume, "-p", "say {{messages}}"]).exits(0);
        assert!(ran.stdout.contains("user: say one"), "{ran:?}");
    }
    let path = first["path"].as_str().unwrap();
    let ran = world
        .run(["--session", path, "-p", "say {{messages}}"])
        .exits(0);
    assert!(ran.stdout.contains("user: say one"), "{ran:?}");
    assert_eq!(files(&world).len(), 2);
}

#[test]
fn which_session_is_asked_for_with_a_list() {
    let world = World::new();
    let none = world.run(["hi", "--json", "-r"]).exits(2);
    assert!(none.stderr.contains("no sessions yet"), "{none:?}");
    let id = session_of(&world.run(["--json", "say one"]).exits(0))["session_id"].clone();
    let ran = world.run(["--json", "hi", "--resume"]).exits(2);
    assert!(ran.stderr.contains(&id.as_str().unwrap()[..8]), "{ran:?}");
    let wrong = world
        .run(["-p", "hi", "--resume", "ffffffff-nobody"])
        .exits(2);
    assert!(wrong.stderr.contains("ffffffff-nobody"), "{wrong:?}");
    for alone in ["--fork", "--read-only", "--branch=x"] {
        let ran = world.run(["-p", "hi", alone]).exits(2);
        assert!(ran.stderr.contains("--continue"), "{ran:?}");
    }
    world.run(["-p", "hi", "-c", "--no-session"]).exits(2);
}

#[test]
fn nothing_is_left_of_what_should_not_be_kept_and_of_what_was_never_said() {
    let world = World::new();
    let ran = world.run(["--json", "--no-session", "say secret"]).exits(0);
    assert_eq!(session_of(&ran)["keeping"], "unkept");
    assert!(files(&world).is_empty());
    let rpc = Rpc::start(&world, &[]);
    assert_eq!(rpc.close_and_finish().2, 0);
    assert!(files(&world).is_empty(), "nothing was said in it");
}

#[test]
fn an_empty_session_of_a_killed_process_goes_the_next_day() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    rpc.say(serde_json::json!({"id": "s", "type": "get_state"}));
    rpc.response("s");
    drop(rpc);
    let empty = files(&world);
    assert_eq!(empty.len(), 1, "it was killed");
    world.run(["-p", "hi"]).exits(0);
    assert_eq!(
        files(&world).len(),
        2,
        "somebody may be about to speak in it"
    );
    let yesterday = std::time::SystemTime::now() - std::time::Duration::from_secs(30 * 3600);
    let file = std::fs::File::options()
        .append(true)
        .open(&empty[0])
        .unwrap();
    file.set_modified(yesterday).unwrap();
    drop(file);
    world.run(["-c", "-p", "hi"]).exits(0);
    let left = files(&world);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(!left.contains(&empty[0]));
}

#[test]
fn what_was_spent_is_counted_on() {
    let world = World::new();
    world.run(["-p", "usage 1000 50\nsay one"]).exits(0);
    world.run(["-c", "-p", "usage 200 5\nsay two"]).exits(0);
    let mut rpc = Rpc::start(&world, &["-c"]);
    rpc.say(serde_json::json!({"id": "s", "type": "get_state"}));
    let state = rpc.response("s");
    assert_eq!(state["data"]["usage"]["input"], 1200, "{state}");
    assert_eq!(state["data"]["usage"]["output"], 55, "{state}");
    rpc.say(serde_json::json!({"id": "n", "type": "new_session"}));
    rpc.response("n");
    rpc.say(serde_json::json!({"id": "t", "type": "get_state"}));
    assert_eq!(rpc.response("t")["data"]["usage"]["input"], 0);
}

#[test]
fn a_new_file_can_be_named() {
    let world = World::new();
    let ran = world
        .run(["--json", "--session", "talk.jsonl", "say hi"])
        .exits(0);
    let path = world.project().join("talk.jsonl");
    assert_eq!(session_of(&ran)["path"], path.to_str().unwrap());
    let ran = world
        .run(["-p", "--session", "talk.jsonl", "say {{messages}}"])
        .exits(0);
    assert!(ran.stdout.contains("user: say hi"), "{ran:?}");
    std::fs::write(&path, "no session\n").unwrap();
    let ran = world.run(["-p", "--session", "talk.jsonl", "hi"]).exits(2);
    assert!(ran.stderr.contains("talk.jsonl"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "no session\n");
}

#[test]
fn a_session_that_is_open_elsewhere_is_refused_with_two_ways_out() {
    let world = World::new();
    let ran = world.run(["--json", "say one"]).exits(0);
    let id = session_of(&ran)["session_id"].as_str().unwrap().to_owned();
    let mut first = Rpc::start(&world, &["-r", &id]);
    first.say(serde_json::json!({"id": "s", "type": "get_state"}));
    first.response("s");
    let refused = world.run(["-c", "-p", "hi"]).exits(2);
    for word in [&first.pid().to_string(), "--read-only", "--fork"] {
        assert!(refused.stderr.contains(word), "{word}: {refused:?}");
    }
    let read = world
        .run(["-c", "--read-only", "--json", "say {{messages}}"])
        .exits(0);
    assert_eq!(session_of(&read)["keeping"], "read_only");
    assert!(read.stdout.contains("user: say one"), "{read:?}");
    assert!(read.stderr.contains("not kept"), "{read:?}");
    let forked = world
        .run(["-c", "--fork", "--json", "say {{messages}}"])
        .exits(0);
    let fork = session_of(&forked);
    assert_ne!(fork["session_id"], id.as_str());
    assert!(forked.stdout.contains("user: say one"), "{forked:?}");
    assert_eq!(first.close_and_finish().2, 0);
    assert_eq!(
        short(&shown(&world, &[&id])),
        ["user: say one", "assistant: one"]
    );
    let copy = shown(&world, &[fork["session_id"].as_str().unwrap()]);
    assert_eq!(copy.len(), 4);
}

#[test]
fn a_branch_can_be_chosen() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    let say = |rpc: &mut Rpc, text: &str| {
        rpc.say(serde_json::json!({"type": "prompt", "message": text}));
        rpc.until("done");
    };
    say(&mut rpc, "say trunk");
    rpc.say(serde_json::json!({"id": "f", "type": "fork", "name": "try"}));
    let forked = rpc.response("f");
    assert_eq!(forked["data"]["branch"]["name"], "try", "{forked}");
    say(&mut rpc, "say branch");
    assert_eq!(rpc.close_and_finish().2, 0);
    let id = forked["data"]["session_id"].as_str().unwrap();
    let trunk = forked["data"]["branch"]["parent"].as_str().unwrap();
    for (branch, expect) in [("try", true), (trunk, false)] {
        for access in [None, Some("--read-only")] {
            let mut args = vec!["-p", "say {{messages}}", "-r", id, "--branch", branch];
            args.extend(access);
            let ran = world.run(args).exits(0);
            assert_eq!(
                ran.stdout.contains("user: say branch"),
                expect,
                "{branch}: {ran:?}"
            );
        }
    }
    let ran = world
        .run(["-p", "hi", "-r", id, "--branch", "nowhere"])
        .exits(2);
    assert!(ran.stderr.contains("try"), "{ran:?}");
}

#[test]
fn damage_is_told_of_and_the_rest_is_gone_on_with() {
    let world = World::new();
    world.run(["-p", "say one"]).exits(0);
    let file = files(&world).remove(0);
    let whole = std::fs::read_to_string(&file).unwrap();
    let torn = format!("{whole}{}{{\"id\":\"9", "rubbish\n".repeat(10));
    std::fs::write(&file, torn).unwrap();
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(ran.stdout.contains("user: say one"), "{ran:?}");
    let told = |line: &&str| line.contains("is passed over") || line.contains("more damaged");
    let told = ran.stderr.lines().filter(told).count();
    assert_eq!(told, 4, "a few, and how many more: {ran:?}");
    let again = std::fs::read_to_string(&file).unwrap();
    assert!(
        again.starts_with(&whole) && again.ends_with("}\n"),
        "{again}"
    );
}

#[test]
fn what_was_cleared_stays_away_after_a_resume() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    for text in ["say old", "say new"] {
        rpc.say(serde_json::json!({"type": "prompt", "message": text}));
        rpc.until("done");
        if text == "say old" {
            rpc.say(serde_json::json!({"id": "c", "type": "clear"}));
            assert_eq!(rpc.response("c")["success"], true);
        }
    }
    assert_eq!(rpc.close_and_finish().2, 0);
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(ran.stdout.contains("user: say new"), "{ran:?}");
    assert!(!ran.stdout.contains("old"), "{ran:?}");
}

#[test]
fn a_conversation_that_cannot_be_written_goes_on_and_says_so_once() {
    let world = World::new();
    std::fs::write(world.home().join("sessions"), "in the way").unwrap();
    let ran = world
        .run(["-p", "call glob {\"pattern\":\"*\"}\nthen\nsay done"])
        .exits(0);
    assert_eq!(ran.stdout, "done\n");
    assert_eq!(ran.stderr.matches("not kept").count(), 1, "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_fills_up_stops_nothing() {
    let world = World::new();
    let lines = "call glob {\"pattern\":\"*\"}\nthen\n".repeat(20);
    // The shell ignores the signal that a file of more than a few KiB raises, so that zeug sees an
    // error as from a full disk.
    let command = world.command(["--json", &format!("{lines}say end")]);
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$@\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(command.get_program());
    shell.args(command.get_args()).current_dir(world.project());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let ran: crate::support::Ran = shell.output().unwrap().into();
    let ran = ran.exits(0);
    assert_eq!(ran.stderr.matches("is not kept").count(), 1, "{ran:?}");
    assert_eq!(ran.events().last().unwrap()["type"], "done");
    let id = session_of(&ran)["session_id"].as_str().unwrap().to_owned();
    let messages = shown(&world, &[&id]);
    assert!(messages.len() >= 3, "{messages:?}");
    super::assert_paired(&messages);
}
