//! The example clients do what their READMEs say.

use crate::support::{Ran, World, have, repository};

/// Runs a client with this prompt.
fn run(program: &str, client: &str, prompt: &str, token: Option<&str>) -> Ran {
    let world = World::new();
    let path = repository("examples/rpc").join(client);
    let mut command = std::process::Command::new(program);
    command
        .arg(path)
        .arg(prompt)
        .current_dir(world.project())
        .env("ZEUG", env!("CARGO_BIN_EXE_zeug"))
        .env("ZEUG_HOME", world.home())
        .env_remove("ZEUG_LOG")
        .env_remove("ZEUG_RPC_TOKEN");
    if let Some(token) = token {
        command.env("ZEUG_RPC_TOKEN", token);
    }
    command.output().unwrap().into()
}

fn check(program: &str, client: &str) {
    if !have(program) {
        return;
    }
    let prompt = "call glob {\"pattern\":\"*\"}\nthen\nsay He said \"hi\\there\",\ttab, ü";
    for token in [None, Some("a \"b\"")] {
        let ran = run(program, client, prompt, token).exits(0);
        assert_eq!(ran.stdout, "He said \"hi\\there\",\ttab, ü\n", "{ran:?}");
        assert!(ran.stderr.contains("[tool] glob"), "{ran:?}");
    }
    let failed = run(program, client, "fail! 400 no such thing", None).exits(1);
    assert!(failed.stderr.contains("400 no such thing"), "{failed:?}");
    let refused = run(program, client, " ", None).exits(1);
    assert!(
        refused.stderr.contains("the prompt is empty"),
        "{refused:?}"
    );
}

#[test]
fn the_python_client_prints_the_answer() {
    check("python3", "python/client.py");
}

#[test]
fn the_node_client_prints_the_answer() {
    check("node", "node/client.mjs");
}

#[test]
fn the_shell_client_prints_the_answer() {
    check("sh", "shell/client.sh");
}

#[test]
fn each_client_has_a_readme() {
    for folder in ["", "python", "node", "shell"] {
        let readme = repository("examples/rpc").join(folder).join("README.md");
        assert!(readme.is_file(), "{}", readme.display());
    }
}
