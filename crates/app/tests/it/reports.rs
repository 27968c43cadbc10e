//! What comes back from a sub-agent, and what is kept of it.

use zeug_app::Note;
use zeug_engine::{DoneOutcome, Event};
use zeug_hook::{AssistantAnswer, AssistantMessage, TurnAnswer, TurnStart};
use zeug_provider::FailureKind;
use zeug_transcript::{Message, Status};

use crate::kit::{Does, Rig, call, calls, fails, listens, says, task};

fn one(child: Vec<Vec<crate::kit::Act>>) -> Rig {
    Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "scout", "look")]), says("thanks")],
        ),
        ("look", child),
    ])
}

#[tokio::test(start_paused = true)]
async fn its_last_text_is_the_result_and_says_what_it_took() {
    let child = vec![calls(&[call("k1", "echo", "{}")]), says("It is there.")];
    let mut agent = one(child).tool("echo", Does::Echo).start();
    agent.prompt("go").await;
    let (events, outcome) = agent.until_done().await;
    assert_eq!(outcome, DoneOutcome::Finished);
    let result = events.iter().find_map(|e| match e {
        Event::ToolResult(result) => Some(result),
        _ => None,
    });
    let result = result.unwrap();
    assert_eq!(
        zeug_transcript::Content::joined(&result.content),
        "It is there.\n\n[scout: 2 steps, 1 tool calls, 100 tokens in, 7 tokens out]"
    );
    let structured = result.structured.as_ref().unwrap().to_value();
    assert_eq!(structured["status"], "completed");
    assert_eq!(structured["text"], "It is there.");
    assert_eq!(structured["usage"]["output_tokens"], 7);
    assert_eq!(
        agent.handle.transcript().len(),
        4,
        "no word of the sub-agent"
    );
}

#[tokio::test(start_paused = true)]
async fn it_knows_nothing_but_its_task() {
    let mut agent = one(vec![says("done")]).tool("echo", Does::Echo).start();
    agent.run("go").await;
    let request = &agent.model.requests("look")[0];
    assert_eq!(request.messages.len(), 1);
    let system = request.system.as_deref().unwrap();
    assert!(system.starts_with("You are a sub-agent") && !system.contains("main agent"));
    let tools: Vec<&str> = request.tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(tools, ["echo", "task"]);
}

#[tokio::test(start_paused = true)]
async fn its_progress_is_shown_while_it_works() {
    let child = vec![calls(&[call("k1", "echo", r#"{"a":1}"#)]), says("done")];
    let mut agent = one(child).tool("echo", Does::Echo).start();
    agent.prompt("go").await;
    let (events, _) = agent.until_done().await;
    let progress: Vec<&str> = events
        .iter()
        .filter_map(|e| match e {
            Event::ToolProgress { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(progress, [r#"scout: echo {"a":1}"#]);
}

#[tokio::test(start_paused = true)]
async fn its_conversation_is_told_from_its_start_to_its_end() {
    let child = vec![calls(&[call("k1", "echo", "{}")]), says("done")];
    let mut agent = one(child).tool("echo", Does::Echo).start();
    agent.run("go").await;
    let notes = agent.noted();
    let Some(Note::Started {
        agent: who,
        parent,
        call_id,
        prompt,
        ..
    }) = notes.first()
    else {
        panic!("{notes:?}")
    };
    assert_eq!((who.name.as_str(), who.depth), ("scout", 1));
    assert_eq!(
        (parent, call_id.as_str(), prompt.as_str()),
        (&None, "c1", "look")
    );
    let Some(Note::Returned(returned)) = notes.last() else {
        panic!("{notes:?}")
    };
    assert_eq!(&returned.agent, who);
    assert_eq!(returned.status, Status::Completed);
    assert_eq!(returned.usage.input_tokens, 100);
    let said: Vec<&str> = notes[1..notes.len() - 1]
        .iter()
        .filter_map(|note| match note {
            Note::Event { agent, event } => {
                assert_eq!(agent, who);
                match event.as_ref() {
                    Event::Appended(Message::User(_)) => Some("user"),
                    Event::Appended(Message::Assistant(_)) => Some("assistant"),
                    Event::Appended(Message::Tool(_)) => Some("tool"),
                    _ => None,
                }
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(said, ["user", "assistant", "tool", "assistant"]);
}

#[tokio::test(start_paused = true)]
async fn its_failure_is_a_failed_call_and_the_agent_goes_on() {
    let mut agent = one(vec![fails(FailureKind::BadRequest)]).start();
    assert_eq!(agent.run("go").await, DoneOutcome::Finished);
    let results = agent.results();
    let start = "c1 Failed the sub-agent failed: fake/m1: it broke";
    assert!(results[0].starts_with(start), "{results:?}");
    assert_eq!(agent.log.with("stops"), ["scout/1: stops failed"]);
    let Some(Note::Returned(returned)) = agent.noted().pop() else {
        panic!("it returned")
    };
    assert!(returned.error.unwrap().contains("it broke"));
}

#[tokio::test(start_paused = true)]
async fn at_its_step_cap_it_fails_with_its_last_words() {
    let again = |id: &str| {
        let mut acts = says("Still looking.");
        acts.pop();
        acts.extend(calls(&[call(id, "echo", "{}")]));
        acts
    };
    let mut agent = one(vec![again("k1"), again("k2")])
        .tool("echo", Does::Echo)
        .set(|rig| rig.tasks.max_steps = Some(2))
        .start();
    agent.run("go").await;
    let result = &agent.results()[0];
    assert!(result.contains("2 model calls"), "{result}");
    assert!(
        result.ends_with("Its last words:\nStill looking."),
        "{result}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_extension_that_stops_it_is_quoted() {
    let rig = one(vec![]);
    // The main agent's turns are let through: it has been asked something else.
    let count = std::sync::atomic::AtomicUsize::new(0);
    let guard = listens::<TurnStart>(move |_, _| {
        match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            1 => TurnAnswer::Block("no sub-agents today".into()),
            _ => TurnAnswer::Go {
                context: String::new(),
            },
        }
    });
    rig.setup.board.turn_start.join(guard);
    let mut agent = rig.start();
    agent.run("go").await;
    assert_eq!(
        agent.results(),
        ["c1 Failed an extension stopped the sub-agent: no sub-agents today"]
    );
}

#[tokio::test(start_paused = true)]
async fn what_an_extension_hides_from_the_user_does_not_come_out_as_a_result() {
    let rig = one(vec![says("The secret is swordfish.")]);
    let censor = listens::<AssistantMessage>(|_, text| match text.contains("swordfish") {
        true => AssistantAnswer::Replace("I may not say.".into()),
        false => AssistantAnswer::Show,
    });
    rig.setup.board.assistant_message.join(censor);
    let mut agent = rig.start();
    agent.run("go").await;
    assert_eq!(agent.results(), ["c1 Completed I may not say."]);
}

#[tokio::test(start_paused = true)]
async fn one_without_a_word_says_so() {
    let mut silent = says("");
    silent.remove(1);
    let mut agent = one(vec![silent]).start();
    agent.run("go").await;
    let expect = "c1 Completed the sub-agent ended without a word";
    assert_eq!(agent.results(), [expect]);
}
