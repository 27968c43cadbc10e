//! 4 MiB, to the byte, in both directions, with a real process at the other end.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use super::python;
use crate::support::{Ran, World, have};

const LIMIT: usize = 4 * 1024 * 1024;

/// Says how long the lines were that it got; with `size`, answers with a line of so many bytes.
const WEIGHER: &str = r#"
say(type="hello", name="weigher")
say(type="register_tool", name="weigh")
say(type="register_tool", name="other")
say(type="ready")
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "tool_call" and "size" in frame["args"]:
        head = '{"type":"tool_result","id":"%s","content":[{"type":"text","text":"' % frame["id"]
        tail = '"}]}'
        sys.stdout.write(head + "x" * (frame["args"]["size"] - len(head) - len(tail)) + tail + "\n")
        sys.stdout.flush()
    elif frame["type"] == "tool_call": answer(frame, f"{len(line.rstrip(chr(10)).encode())} bytes")
    elif frame["type"] == "shutdown": break
"#;

/// Runs a prompt that is too long for an argument.
fn piped(world: &World, dir: &str, prompt: &str) -> Ran {
    let mut child = world
        .command(["-p", "-e", dir])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(prompt.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

#[test]
fn arguments_of_just_4_mib_arrive_and_a_byte_more_fails_the_call_alone() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = python(&world, "weigher", WEIGHER);
    // How long a frame is around its arguments, by its own word.
    let empty = piped(&world, &dir, r#"call weigh {"x":""}"#).exits(0);
    let around: usize = empty.stdout["weigh → ".len()..]
        .trim_end_matches(" bytes\n")
        .parse()
        .unwrap();
    let call = |more: usize| {
        let filling = "x".repeat(LIMIT - around + more);
        format!("call weigh {}\ncall other {{}}", json!({"x": filling}))
    };
    let ran = piped(&world, &dir, &call(0)).exits(0);
    assert!(
        ran.stdout.starts_with(&format!("weigh → {LIMIT} bytes\n")),
        "{ran:?}"
    );
    let ran = piped(&world, &dir, &call(1)).exits(0);
    let (refused, other) = ran.stdout.split_once("\nother → ").unwrap();
    assert!(refused.contains(&LIMIT.to_string()), "{refused}");
    assert!(other.ends_with(" bytes\n"), "it goes on: {other}");
    assert!(!ran.stderr.contains("weigher"), "{}", ran.stderr);
}

#[test]
fn a_result_of_just_4_mib_arrives_and_a_byte_more_ends_the_extension() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = python(&world, "weigher", WEIGHER);
    let call = |size: usize| {
        format!("call weigh {{\"size\":{size}}}\nthen\ncall other {{}}\nthen\nsay {{{{messages}}}}")
    };
    let ran = piped(&world, &dir, &call(LIMIT)).exits(0);
    assert!(
        ran.stdout.matches('x').count() > LIMIT - 200,
        "{}",
        ran.stdout.len()
    );
    assert!(!ran.stderr.contains("weigher"), "{}", ran.stderr);
    let ran = piped(&world, &dir, &call(LIMIT + 1)).exits(0);
    let why = format!("longer than {LIMIT} bytes");
    assert!(
        ran.stdout.contains(&why),
        "the model is told: {}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("no tool"),
        "and its tools are gone: {}",
        ran.stdout
    );
    let lines: Vec<_> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("weigher"))
        .collect();
    assert_eq!(lines.len(), 1, "the user is told once: {}", ran.stderr);
    assert!(lines[0].contains(&why), "{lines:?}");
}
