//! What a profile makes of a sub-agent.

use std::sync::Arc;

use zeug_app::{Profile, Profiles, SystemPrompt};

use crate::kit::{Does, Rig, calls, says, task};

fn with_profiles(agent: &str) -> Rig {
    let mut wanted = task("c1", "scout", "look");
    wanted.2 =
        serde_json::json!({"description": "d", "prompt": "look", "agent": agent}).to_string();
    let text =
        "---\ndescription: Reviews a change\ntools: Read, mcp_*\nmodel: big\n---\nYou review.";
    Rig::new(vec![
        ("go", vec![calls(&[wanted]), says("thanks")]),
        ("look", vec![says("reviewed")]),
    ])
    .tool("read", Does::Echo)
    .tool("bash", Does::Echo)
    .tool("mcp_github", Does::Echo)
    .set(|rig| {
        rig.tasks.profiles = Profiles::new([Profile::parse("reviewer", text).unwrap()]);
        rig.tasks.prompt = SystemPrompt {
            identity: Some("You are the main agent.".into()),
            cwd: "/project".into(),
            context_files: vec![("AGENTS.md".into(), "Use tabs.".into())],
            appended: Vec::new(),
        };
    })
}

#[tokio::test(start_paused = true)]
async fn it_has_the_profiles_text_tools_and_model() {
    let mut agent = with_profiles("Reviewer").start();
    agent.run("go").await;
    assert_eq!(agent.results(), ["c1 Completed reviewed"]);
    let request = &agent.model.requests("look")[0];
    assert_eq!(request.model, "big");
    let system = request.system.as_deref().unwrap();
    assert!(system.starts_with("You review.") && system.contains("Use tabs."));
    assert!(!system.contains("main agent"));
    let tools: Vec<&str> = request.tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(tools, ["mcp_github", "read"]);
    assert_eq!(agent.model.requests("go")[0].model, "m1");
}

#[tokio::test(start_paused = true)]
async fn the_model_is_told_which_profiles_there_are() {
    let mut agent = with_profiles("reviewer").start();
    agent.run("go").await;
    let tools = agent.model.requests("go").swap_remove(0).tools;
    let offered = tools.iter().find(|t| t.name == "task").unwrap();
    assert!(offered.description.contains("- reviewer: Reviews a change"));
}

#[tokio::test(start_paused = true)]
async fn a_name_that_nobody_has_gets_help() {
    let mut agent = with_profiles("reviwer").start();
    agent.run("go").await;
    let result = agent.results().swap_remove(0);
    assert!(result.starts_with("c1 Failed there is no sub-agent profile"));
    assert!(result.contains("did you mean reviewer?"), "{result}");
    assert!(agent.log.with("starts").is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_window_of_another_model_is_looked_up() {
    let mut agent = with_profiles("reviewer")
        .set(|rig| {
            let asked = rig.log.clone();
            rig.tasks.windows = Some(Arc::new(move |model: &str| {
                asked.note(format!("window of {model}"));
                Some(1000)
            }));
        })
        .start();
    agent.run("go").await;
    assert_eq!(agent.log.with("window"), ["window of big"]);
}

#[tokio::test(start_paused = true)]
async fn an_empty_task_is_refused() {
    let mut agent = Rig::new(vec![(
        "go",
        vec![calls(&[task("c1", "scout", " ")]), says("thanks")],
    )])
    .start();
    agent.run("go").await;
    let result = agent.results().swap_remove(0);
    assert!(result.starts_with("c1 Failed prompt is empty"), "{result}");
}
