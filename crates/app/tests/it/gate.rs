//! A sub-agent's calls pass the gate that the main agent's pass.

use zeug_engine::{Approval, Ask, Consent};
use zeug_hook::{ToolAnswer, ToolCall};

use crate::kit::{Does, Fake, Rig, call, calls, listens, says, soon, task};

const RM: &str = r#"{"command":"rm -rf /"}"#;

#[tokio::test(start_paused = true)]
async fn a_guard_refuses_its_bash_as_it_refuses_the_main_agents() {
    let rig = Rig::new(vec![
        (
            "go",
            vec![
                calls(&[call("c1", "bash", RM), task("c2", "scout", "look")]),
                says("thanks"),
            ],
        ),
        (
            "look",
            vec![calls(&[call("k1", "bash", RM)]), says("refused")],
        ),
    ])
    .tool("bash", Does::Echo);
    let guard = listens::<ToolCall>(|facts, args| {
        match facts.tool == "bash" && args.get().contains("rm -rf") {
            true => ToolAnswer::Block("refused: rm -rf".into()),
            false => ToolAnswer::Allow,
        }
    });
    rig.setup.board.tool_call.join(guard);
    let mut agent = rig.start();
    agent.run("go").await;
    assert_eq!(
        agent.log.with("bash"),
        [
            "main: calls bash",
            "main: bash blocked",
            "scout/1: calls bash",
            "scout/1: bash blocked",
        ]
    );
    let told = &agent.model.requests("look")[1].messages[2];
    let zeug_transcript::Message::Tool(told) = told else {
        panic!("a result")
    };
    let told = zeug_transcript::Content::joined(&told.content);
    assert_eq!(told, "refused: rm -rf");
    assert_eq!(agent.results()[0], "c1 Blocked refused: rm -rf");
}

#[tokio::test(start_paused = true)]
async fn its_questions_name_it_and_starting_it_asks_nobody() {
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "scout", "look")]), says("thanks")],
        ),
        ("look", vec![calls(&[call("k1", "bash", RM)]), says("done")]),
    ])
    .tool("bash", Does::Echo)
    .set(|rig| {
        rig.setup.approval = Approval::Writes;
        rig.setup.can_ask = true;
    })
    .start();
    agent.prompt("go").await;
    let Ask::Approve {
        agent: asking,
        name,
        reply,
        ..
    } = soon(agent.asks.recv()).await.unwrap();
    let asking = asking.unwrap();
    assert_eq!(
        (asking.name.as_str(), asking.depth, name.as_str()),
        ("scout", 1, "bash")
    );
    reply.send(Consent::No);
    agent.until_done().await;
    assert_eq!(
        agent.log.with("bash"),
        ["scout/1: calls bash", "scout/1: bash blocked"]
    );
    assert_eq!(agent.results(), ["c1 Completed done"]);
}

#[tokio::test(start_paused = true)]
async fn who_wants_to_be_asked_about_everything_sees_what_it_will_be_told() {
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "scout", "look")]), says("thanks")],
        ),
        ("look", vec![says("done")]),
    ])
    .set(|rig| {
        rig.setup.approval = Approval::Always;
        rig.setup.can_ask = true;
    })
    .start();
    agent.prompt("go").await;
    let Ask::Approve { preview, reply, .. } = soon(agent.asks.recv()).await.unwrap();
    assert_eq!(preview.as_deref(), Some("scout\nlook"));
    reply.send(Consent::Once);
    agent.until_done().await;
    assert_eq!(agent.results(), ["c1 Completed done"]);
}

#[tokio::test(start_paused = true)]
async fn tools_that_wait_for_a_person_are_not_among_its_tools() {
    let mut panel = Fake::new("panel", Does::Echo);
    panel.spec.interactive = true;
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "scout", "look")]), says("thanks")],
        ),
        (
            "look",
            vec![calls(&[call("k1", "panel", "{}")]), says("done")],
        ),
    ])
    .fake(panel)
    .start();
    agent.run("go").await;
    assert_eq!(
        agent.log.with("panel"),
        ["scout/1: calls panel", "scout/1: panel failed"]
    );
    assert_eq!(agent.model.requests("go")[0].tools.len(), 2);
    assert_eq!(agent.model.requests("look")[0].tools.len(), 1);
}
