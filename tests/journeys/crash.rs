//! Deaths: of an extension in the middle of a call, of zeug itself, and by Ctrl-C.

use std::process::Command;

use crate::support::{Ran, World, alive, have, pids, wait_until};

fn signal(name: &str, pid: u32) {
    let status = Command::new("kill")
        .args([name, &pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_death_in_mid_call_is_an_error_for_the_model_and_the_turn_goes_on() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let file = world.path().join("pids");
    let guest = world.guest(
        "fragile",
        &[
            "--tool",
            "fragile",
            "--die-at",
            "tool",
            "--die-how",
            "signal:SEGV",
            "--stderr",
            "last words",
            "--grandchild",
            "--pids",
            file.to_str().unwrap(),
        ],
    );
    let ran = world
        .run([
            "--stream",
            "-e",
            guest.to_str().unwrap(),
            "call fragile {}\nthen\nsay going on: {{last_result}}",
        ])
        .exits(0);
    assert!(
        ran.stdout
            .contains("going on: extension fragile/fragile failed: killed by SIGSEGV"),
        "{ran:?}"
    );
    let left: Vec<u32> = pids(&file).into_iter().filter(|pid| alive(*pid)).collect();
    assert!(!pids(&file).is_empty() && left.is_empty(), "{left:?}");
}

#[test]
fn nothing_survives_a_kill_of_zeug() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let file = world.path().join("pids");
    let guest = world.guest(
        "immortal",
        &[
            "--tool",
            "hang",
            "--slow-tool",
            "60000",
            "--immortal",
            "--grandchild",
            "--setsid",
            "--pids",
            file.to_str().unwrap(),
        ],
    );
    let mut child = world.start([
        "-p",
        "-e",
        guest.to_str().unwrap(),
        "call hang {}\ncall bash {\"command\":\"sleep 1000\"}",
    ]);
    wait_until("the guest and its child run", || pids(&file).len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("every process is gone", || {
        pids(&file).iter().all(|pid| !alive(*pid))
    });
}

#[test]
fn an_interrupt_ends_the_run_in_order_with_130() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let file = world.path().join("pids");
    let seen = world.path().join("seen");
    let guest = world.guest(
        "slow",
        &[
            "--tool",
            "slow",
            "--slow-tool",
            "60000",
            "--cancel",
            "--events",
            "turn_start,session_end",
            "--pids",
            file.to_str().unwrap(),
            "--log-events",
            seen.to_str().unwrap(),
        ],
    );
    for name in ["-INT", "-TERM"] {
        drop(std::fs::remove_file(&seen));
        let child = world.start(["--json", "-e", guest.to_str().unwrap(), "call slow {}"]);
        let has = |what: &str| {
            std::fs::read_to_string(&seen)
                .unwrap_or_default()
                .contains(what)
        };
        wait_until("the tool runs", || has(r#""type":"tool_call""#));
        signal(name, child.id());
        let ran = Ran::from(child.wait_with_output().unwrap()).exits(130);
        let events = ran.events();
        assert_eq!(events.last().unwrap()["type"], "done", "{ran:?}");
        let log = std::fs::read_to_string(&seen).unwrap();
        let at = |what: &str| {
            log.find(what)
                .unwrap_or_else(|| panic!("no {what} in {log}"))
        };
        assert!(at("tool_cancel") < at("session_end"));
        assert!(at("session_end") < at(r#""type":"shutdown""#));
        assert!(pids(&file).iter().all(|pid| !alive(*pid)));
    }
}
