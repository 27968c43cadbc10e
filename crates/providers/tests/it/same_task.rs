//! One task over every wire: the transcripts are the same but for what providers sign and call
//! things.

use zeug_providers::http::{HttpSettings, Memory};
use zeug_transcript::{AssistantMessage, Content, Message, Part, Status, StopReason};

use crate::kit::grammar::{Act, Grammar};
use crate::kit::{Talk, plain, usage};

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string"}}}"#;

/// Read two files at once, edit, run something, tell about it.
const TURNS: [&[Act]; 4] = [
    &[
        Act::Think("Let me look at both files first."),
        Act::Text("I read them. äöü 世界"),
        Act::Call("c1", "read", r#"{"path":"a.rs"}"#),
        Act::Call("c2", "read", r#"{"path":"b.rs"}"#),
        Act::Stop,
    ],
    &[
        Act::Think("One edit is enough."),
        Act::Call("c3", "edit", r#"{"path":"a.rs","old":"x","new":"\"y\"\n"}"#),
        Act::Stop,
    ],
    &[
        Act::Call("c4", "bash", r#"{"command":"cargo test"}"#),
        Act::Stop,
    ],
    &[Act::Text("Done: the tests pass."), Act::Stop],
];

async fn transcript(grammar: Grammar, provider: &str, model: &str) -> Vec<AssistantMessage> {
    let memory = Memory::new(TURNS.map(|acts| grammar.reply(acts)));
    let mut talk = Talk::new(provider, model, &memory)
        .system("You write code.")
        .user("Fix it.")
        .tool("read", SCHEMA)
        .tool("edit", SCHEMA)
        .tool("bash", SCHEMA);
    let mut messages = Vec::new();
    for _ in TURNS {
        talk = talk.play().await;
        let Some(Message::Assistant(said)) = talk.request.messages.last().cloned() else {
            unreachable!()
        };
        for at in 0..said.tool_calls().count() {
            let status = if at == 1 {
                Status::Failed
            } else {
                Status::Completed
            };
            talk = talk.result(at, vec![Content::text("result")], status);
        }
        messages.push(said);
    }
    assert_eq!(memory.seen().len(), TURNS.len());
    messages
}

#[tokio::test]
async fn the_same_task_has_the_same_transcript_over_every_wire() {
    let mut first: Option<Vec<Vec<Part>>> = None;
    for (grammar, provider, model) in Grammar::ALL {
        let messages = transcript(grammar, provider, model).await;
        let stops: Vec<StopReason> = messages.iter().map(|message| message.stop).collect();
        let expect = [StopReason::ToolUse; 3]
            .into_iter()
            .chain([StopReason::EndTurn]);
        assert_eq!(stops, expect.collect::<Vec<_>>(), "{provider}");
        for message in &messages {
            assert_eq!(message.usage, Some(usage(6, 5, 4, 0)), "{provider}");
        }
        let parts: Vec<Vec<Part>> = messages.iter().map(plain).collect();
        match &first {
            None => first = Some(parts),
            Some(first) => assert_eq!(&parts, first, "{provider}"),
        }
    }
    let first = first.unwrap();
    assert_eq!(first[0].len(), 4);
    assert_eq!(first[3], [Part::Text("Done: the tests pass.".into())]);
}

#[test]
fn a_description_shows_no_key() {
    let memory = Memory::default();
    let described = crate::kit::described("anthropic", "m", &memory);
    let shown = format!("{described:?} {:?}", HttpSettings::default());
    assert!(!shown.contains(crate::kit::KEY), "{shown}");
}
