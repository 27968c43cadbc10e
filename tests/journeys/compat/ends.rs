//! How extensions leave, and how they fail to come.

use super::{fixture, python, said};
use crate::rpc::client::Rpc;
use crate::support::{World, have};

#[test]
fn leaving_on_the_end_of_stdin_is_a_clean_goodbye() {
    let world = World::new();
    let dir = fixture(&world, "burst");
    let start = std::time::Instant::now();
    let ran = world
        .run(["-p", "-e", &dir, r#"call shout {"text":"bye"}"#])
        .exits(0);
    // It says no shutdown_ack; had it been waited for, SIGTERM would have come after 2 s.
    assert!(start.elapsed().as_millis() < 2000, "{:?}", start.elapsed());
    assert!(!ran.stderr.contains("burst"), "{ran:?}");
    let log = std::fs::read_to_string(world.home().join("logs/ext-burst.log")).unwrap();
    assert!(log.contains("burst: nothing more to read"), "{log}");
}

/// A manifest for a program that leaves before it says hello.
fn broken(world: &World, name: &str, program: &str) -> String {
    let dir = python(world, name, program);
    let manifest =
        format!(r#"{{"name":"{name}","exec":"python3","args":["main.py"],"language":"python"}}"#);
    std::fs::write(format!("{dir}/extension.json"), manifest).unwrap();
    dir
}

#[test]
fn a_failed_start_says_who_where_what_and_why() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let exits = broken(&world, "exits", "sys.exit(4)");
    let killed = broken(&world, "killed", "os.kill(os.getpid(), 9)");
    let rude = broken(&world, "rude", "say(type='notify', message='hi')");
    let args = ["-p", "-e", &exits, "-e", &killed, "-e", &rude, "say hi"];
    let ran = world.run(args).exits(0);
    assert_eq!(ran.stdout, "hi\n");
    for (name, why) in [
        ("exits", "exited before hello: exit status 4"),
        ("killed", "exited before hello: killed by SIGKILL"),
        ("rude", "first frame must be hello (got \"notify\")"),
    ] {
        let line = ran.stderr.lines().find(|line| line.contains(why));
        let line = line.unwrap_or_else(|| panic!("{why}: {}", ran.stderr));
        assert!(line.contains(&format!("extensions/{name}")), "{line}");
        for part in ["python3", "language: python", &format!("ext-{name}.log")] {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
    }
}

#[test]
fn what_asks_for_less_than_all_rights_is_not_run_with_all() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = python(&world, "modest", "open('ran', 'w')");
    let manifest =
        r#"{"name":"modest","exec":"python3","args":["main.py"],"permissions":{"network":[]}}"#;
    std::fs::write(format!("{dir}/extension.json"), manifest).unwrap();
    let ran = world.run(["-p", "-e", &dir, "say hi"]).exits(0);
    assert!(ran.stderr.contains("\"permissions\" (network)"), "{ran:?}");
    assert!(!std::path::Path::new(&dir).join("ran").exists());
}

#[test]
fn a_failed_start_is_for_the_user_alone() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = broken(&world, "broken", "sys.exit('a typo in line 3')");
    let ran = world
        .run(["-p", "-e", &dir, "say {{messages}}{{system}}"])
        .exits(0);
    assert!(ran.stderr.contains("a typo in line 3"), "{ran:?}");
    assert!(
        !ran.stdout.contains("typo") && !ran.stdout.contains("broken"),
        "{ran:?}"
    );
    let json = world.run(["--json", "-e", &dir, "hi"]).exits(0);
    assert_eq!(json.events().last().unwrap()["type"], "done");
    let sessions = world.home().join("sessions");
    for place in std::fs::read_dir(sessions).unwrap().flatten() {
        for file in std::fs::read_dir(place.path()).unwrap().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap();
            assert!(!text.contains("typo"), "{}", file.path().display());
        }
    }
}

#[test]
fn the_doctor_keeps_the_lines_of_a_message() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = broken(&world, "broken", "sys.exit('line one\\n  line two')");
    let ran = world.run(["ext", "doctor", "-e", &dir]).exits(1);
    let lines = "error: DIR: extension exited before hello: exit status 1; last words:\n      \
                 line one\n        line two";
    assert!(ran.stdout.contains(&lines.replace("DIR", &dir)), "{ran:?}");
}

#[test]
fn a_reload_reads_the_manifests_again_and_finds_what_is_new() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let home = world.home().join("extensions");
    let put = |name: &str, tool: &str| {
        let program = format!(
            "say(type='hello', name='{name}')\nsay(type='register_tool', name=sys.argv[1])\n\
             say(type='ready')\nfor frame in frames():\n    if frame['type'] == 'shutdown': break\n"
        );
        let from = python(&world, name, &program);
        let manifest =
            serde_json::json!({"name": name, "exec": "python3", "args": ["main.py", tool]});
        std::fs::create_dir_all(home.join(name)).unwrap();
        std::fs::copy(format!("{from}/main.py"), home.join(name).join("main.py")).unwrap();
        std::fs::write(home.join(name).join("extension.json"), manifest.to_string()).unwrap();
    };
    put("first", "one");
    let mut rpc = Rpc::start(&world, &[]);
    let offered = said(&mut rpc, "say {{tools}}");
    assert!(offered.contains("one"), "{offered}");
    put("first", "changed");
    put("second", "found");
    rpc.say(serde_json::json!({"id": "r", "type": "reload_ext"}));
    let response = rpc.response("r");
    assert_eq!(response["data"]["ready"], 2, "{response}");
    let offered = said(&mut rpc, "say {{tools}}");
    for (tool, is) in [("changed", true), ("found", true), ("one", false)] {
        assert_eq!(
            offered.split(", ").any(|name| name == tool),
            is,
            "{offered}"
        );
    }
    // What is gone from the disk is gone from the next set.
    std::fs::remove_dir_all(home.join("second")).unwrap();
    rpc.say(serde_json::json!({"id": "s", "type": "reload_ext"}));
    let response = rpc.response("s");
    assert_eq!(response["data"]["stopped"], 2, "{response}");
    assert!(!said(&mut rpc, "say {{tools}}").contains("found"));
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_dot_is_the_directory_one_stands_in() {
    let world = World::new();
    let dir = fixture(&world, "burst");
    let output = world
        .command(["--ext", ".", "-p", r#"call shout {"text":"here"}"#])
        .current_dir(&dir)
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    assert_eq!(ran.stdout, "shout → HERE!\n");
    // Nothing of it is kept for the next run.
    let list = world.run(["ext", "list", "--json"]).exits(0);
    assert_eq!(list.stdout.trim(), "[]");
    let again = world.run(["-p", r#"call shout {"text":"here"}"#]).exits(0);
    assert!(!again.stdout.contains("HERE"), "{again:?}");
}
