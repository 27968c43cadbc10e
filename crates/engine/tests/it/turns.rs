//! What a prompt looks like from outside when nothing goes wrong, and when the model does.

use zeug_engine::DoneOutcome;
use zeug_provider::Delta;
use zeug_transcript::{Message, Part, StopReason, Usage};

use crate::kit::{Act, Does, Rig, call, error, names, outcome, shown, text, with_calls};

#[tokio::test(start_paused = true)]
async fn a_plain_answer() {
    let mut machine = Rig::new(vec![text("Hello you.")]).start();
    let events = machine.run("hi").await;
    assert_eq!(
        names(&events),
        [
            "user_message hi",
            "turn_start 1",
            "request_started 1",
            "assistant_start",
            "text Hello ",
            "text you.",
            "message Hello you.",
            "turn_end end_turn",
            "done Finished",
        ]
    );
    assert_eq!(
        machine.log.lines(),
        [
            "session_start",
            "user_prompt_submit hi now",
            "turn_start 1",
            "assistant_message Hello you.",
            "turn_end end_turn",
        ]
    );
    let request = &machine.model.requests()[0];
    assert_eq!(request.system.as_deref(), Some("base"));
    assert_eq!(request.messages.len(), 1);
    assert_eq!(machine.handle.transcript().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn several_calls_are_announced_together_and_run_in_order() {
    let mut first = text("On it.");
    first.pop();
    first.extend(with_calls(&[("c1", "a", "{}"), ("c2", "b", r#"{"n":2}"#)]));
    let mut machine = Rig::new(vec![first, text("Both done.")])
        .tool("a", Does::Echo)
        .tool("b", Does::Echo)
        .start();
    let events = machine.run("go").await;
    assert_eq!(
        machine.log.lines(),
        [
            "session_start",
            "user_prompt_submit go now",
            "turn_start 1",
            "assistant_message On it.",
            "tool_call c1 {}",
            "tool_call c2 {\"n\":2}",
            "turn_end tool_use",
            "permission c1 approved yolo pre_execution",
            "run a {}",
            "tool_result c1 completed executed {}",
            "permission c2 approved yolo pre_execution",
            "run b {\"n\":2}",
            "tool_result c2 completed executed {\"n\":2}",
            "turn_start 2",
            "assistant_message Both done.",
            "turn_end end_turn",
        ]
    );
    let seen = names(&events);
    let from = seen.iter().position(|n| n == "message On it.").unwrap();
    assert_eq!(
        seen[from..from + 11],
        [
            "message On it.",
            "tool_call c1",
            "tool_call c2",
            "turn_end tool_use",
            "permission c1 approved",
            "execution c1",
            "result c1 completed",
            "permission c2 approved",
            "execution c2",
            "result c2 completed",
            "turn_start 2",
        ]
    );
    assert_eq!(
        machine.results(),
        ["c1 Completed a {}", "c2 Completed b {\"n\":2}"]
    );
}

#[tokio::test(start_paused = true)]
async fn everything_that_enters_the_conversation_is_told_to_whoever_stores_it() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "")]), text("ok")])
        .tool("a", Does::Echo)
        .start();
    let events = machine.run("go").await;
    let stored: Vec<Message> = events
        .into_iter()
        .filter_map(|e| match e {
            zeug_engine::Event::Appended(message) => Some(message),
            _ => None,
        })
        .collect();
    assert_eq!(stored, machine.handle.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_message_of_calls_only_has_no_text() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("ok")])
        .tool("a", Does::Echo)
        .start();
    machine.run("go").await;
    assert_eq!(machine.log.count("assistant_message -"), 1);
}

#[tokio::test(start_paused = true)]
async fn steps_count_from_one_for_every_prompt() {
    let mut machine = Rig::new(vec![
        with_calls(&[("c1", "a", "{}")]),
        text("one"),
        text("two"),
    ])
    .tool("a", Does::Echo)
    .start();
    machine.run("first").await;
    machine.run("second").await;
    assert_eq!(
        machine.log.starting_with("turn_start"),
        ["turn_start 1", "turn_start 2", "turn_start 1"]
    );
    assert_eq!(machine.log.count("session_start"), 1);
}

#[tokio::test(start_paused = true)]
async fn the_step_cap_ends_the_prompt_and_leaves_a_valid_conversation() {
    let again = |id| with_calls(&[(id, "a", "{}")]);
    let mut machine = Rig::new(vec![again("c1"), again("c2"), text("on")])
        .tool("a", Does::Echo)
        .set(|s| s.limits.max_steps = Some(2))
        .start();
    let events = machine.run("loop").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(
        error(&events).contains("--max-steps 2"),
        "{}",
        error(&events)
    );
    assert_eq!(machine.results().len(), 2);
    assert_eq!(machine.model.asked(), 2);
    let events = machine.run("go on").await;
    assert_eq!(
        outcome(&events),
        DoneOutcome::Finished,
        "a new prompt has its own steps"
    );
}

#[tokio::test(start_paused = true)]
async fn a_model_with_a_bug_fails_the_prompt_and_nothing_else() {
    let mut machine = Rig::new(vec![vec![Act::Panic], text("better")]).start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(error(&events).contains("internal error"));
    let events = machine.run("again").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn calls_decide_how_an_answer_ended() {
    let mut calls = call("c1", "a", "{}");
    calls.push(Act::Send(Delta::Stop(StopReason::EndTurn)));
    let none = vec![
        Act::Send(Delta::Text("done".into())),
        Act::Send(Delta::Stop(StopReason::ToolUse)),
    ];
    let mut machine = Rig::new(vec![calls, none]).tool("a", Does::Echo).start();
    machine.run("go").await;
    assert_eq!(
        machine.log.starting_with("turn_end"),
        ["turn_end tool_use", "turn_end end_turn"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_the_output_limit_cut_is_told_so_and_not_run() {
    let mut cut = call("c1", "a", r#"{"n":"#);
    cut.pop();
    cut.push(Act::Send(Delta::Stop(StopReason::Length)));
    let mut machine = Rig::new(vec![cut, text("sorry")])
        .tool("a", Does::Echo)
        .start();
    let events = machine.run("go").await;
    assert!(names(&events).contains(&"tool_use_end c1".to_owned()));
    assert_eq!(machine.log.count("turn_end length"), 1);
    assert!(machine.log.starting_with("run").is_empty());
    assert!(machine.results()[0].contains("not valid JSON"));
    assert_eq!(
        machine.log.starting_with("tool_result"),
        ["tool_result c1 failed not executed raw:{\"n\":"]
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_nothing_ends_the_prompt_and_is_not_kept() {
    let nothing = vec![Act::Send(Delta::Stop(StopReason::EndTurn))];
    let mut machine = Rig::new(vec![nothing]).start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(machine.handle.transcript().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn reasoning_is_kept_with_its_signature() {
    let thoughtful = vec![
        Act::Send(Delta::Thinking("hm".into())),
        Act::Send(Delta::ThinkingSignature("proof".into())),
        Act::Send(Delta::Text("yes".into())),
        Act::Send(Delta::Stop(StopReason::EndTurn)),
    ];
    let mut machine = Rig::new(vec![thoughtful]).start();
    let events = machine.run("hi").await;
    assert_eq!(shown(&events), "hmyes");
    let transcript = machine.handle.transcript();
    let Some(Message::Assistant(message)) = transcript.last() else {
        panic!("{transcript:?}")
    };
    let signature = Some("proof".to_owned());
    let text = "hm".to_owned();
    assert_eq!(message.parts[0], Part::Thinking { text, signature });
}

#[tokio::test(start_paused = true)]
async fn tokens_add_up_over_requests_and_the_last_count_of_a_request_counts() {
    let spent = |n| {
        Act::Send(Delta::Usage(Usage {
            output_tokens: n,
            ..Usage::default()
        }))
    };
    let answer = |counts: &[u64]| {
        let mut acts: Vec<Act> = counts.iter().map(|n| spent(*n)).collect();
        acts.extend(text("ok"));
        acts
    };
    let mut machine = Rig::new(vec![answer(&[1, 5]), answer(&[2])]).start();
    let mut events = machine.run("a").await;
    events.extend(machine.run("b").await);
    let counts: Vec<String> = names(&events)
        .into_iter()
        .filter(|n| n.starts_with("usage"))
        .collect();
    assert_eq!(counts, ["usage 1", "usage 5", "usage 7"]);
}

#[tokio::test(start_paused = true)]
async fn a_torn_history_is_mended_before_it_is_sent() {
    let mut first = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("ok")])
        .tool("a", Does::Echo)
        .start();
    first.run("go").await;
    let mut history = first.handle.transcript();
    history.truncate(2);
    let mut machine = Rig::new(vec![text("on")])
        .set(|s| s.history = history)
        .start();
    machine.run("go on").await;
    let sent = &machine.model.requests()[0].messages;
    assert!(matches!(&sent[2], Message::Tool(t) if t.call_id == "c1"));
    assert!(matches!(&sent[3], Message::User(_)));
}
