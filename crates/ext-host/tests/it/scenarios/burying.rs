//! Extensions that go away by themselves.

use std::sync::{Arc, Mutex};

use zeug_hook::Observation;
use zeug_transcript::Status;

use crate::kit::*;

fn everything() -> [serde_json::Value; 3] {
    [
        json!({"type": "register_tool", "name": "look"}),
        json!({"type": "register_command", "name": "say"}),
        json!({"type": "subscribe", "events": ["turn_start"], "intercept": ["tool_call"]}),
    ]
}

#[tokio::test(start_paused = true)]
async fn names_and_listeners_are_gone_before_anybody_is_told() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let witness = |who: &'static str| {
        let (table, board, host) = (rig.table.clone(), Arc::clone(&rig.board), rig.host.clone());
        let seen = Arc::clone(&seen);
        move || {
            let left = (
                table.lookup("look").is_some(),
                host.commands().len(),
                board.tool_call.snapshot().len(),
            );
            seen.lock().unwrap().push((who, left));
        }
    };
    let (call, run, chain) = (
        rig.call("look", "{}"),
        rig.command("say", ""),
        rig.ask_tool("bash", "{}"),
    );
    let on = [witness("call"), witness("command"), witness("chain")];
    let [on_call, on_command, on_chain] = on;
    let waiters = tokio::spawn(async move {
        tokio::join!(
            async {
                let outcome = call.outcome().await;
                on_call();
                outcome
            },
            async {
                let answer = run.await.unwrap();
                on_command();
                answer
            },
            async {
                let verdict = chain.await.unwrap();
                on_chain();
                verdict
            },
        )
    });
    for _ in 0..3 {
        a.hear().await;
    }
    let start = Instant::now();
    drop(a);
    let (outcome, answer, verdict) = waiters.await.unwrap();
    assert!(start.elapsed() <= ms(110), "{:?}", start.elapsed());
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!(
        text(&outcome),
        "extension a/look failed: the extension closed its stdout"
    );
    assert!(answer.is_err());
    assert!(matches!(verdict.steps[0].did, zeug_hook::Did::Failed(_)));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    for (who, left) in seen.iter() {
        assert_eq!(*left, (false, 0, 0), "what the {who} saw");
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_is_told_once_and_the_others_go_on() {
    let mut rig = Rig::of(&["a", "b"]);
    let a = rig.joined("a", &everything()).await;
    let mut b = rig.joined("b", &everything()[2..]).await;
    drop(a);
    let gone = rig.next_news().await;
    let message = "the extension closed its stdout".to_owned();
    assert_eq!(
        gone,
        News::Gone {
            extension: "a".to_owned(),
            message: message.clone()
        }
    );
    let state = State::Gone(message);
    until("it is gone", || rig.state("a") == state).await;
    rig.diagnostic("a", "went away: the extension closed its stdout");
    rig.board.announce(&Observation::TurnStart { step: 1 });
    b.hear_a("event").await;
    let chain = rig.ask_tool("bash", "{}");
    b.opine("tool_call", json!({})).await;
    assert_eq!(chain.await.unwrap().steps.len(), 1);
    tokio::time::sleep(s(60)).await;
    assert_eq!(rig.waiting_news(), []);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_looked_up_before_fails_with_the_cause() {
    let mut rig = Rig::of(&["a"]);
    let a = rig.joined("a", &everything()).await;
    let entry = rig.table.lookup("look").unwrap();
    drop(a);
    rig.next_news().await;
    let table = zeug_tool::Table::default();
    let order = zeug_stdx::claims::Order(1);
    table.register("a", order, entry.tool).unwrap();
    rig.table = table;
    let start = Instant::now();
    let outcome = rig.call("look", "{}").outcome().await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(outcome.status, Status::Failed);
    assert!(text(&outcome).contains("the extension closed its stdout"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_written_before_the_end_counts() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "my last words").await;
    drop(a);
    assert_eq!(text(&call.outcome().await), "my last words");
}

#[tokio::test(start_paused = true)]
async fn an_answer_counts_also_when_writing_fails_first() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.shut_ears();
    rig.board.announce(&Observation::TurnStart { step: 1 });
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    a.answer(&frame, "my last words").await;
    drop(a);
    let outcome = call.outcome().await;
    assert_eq!(text(&outcome), "my last words");
    assert!(matches!(rig.next_news().await, News::Gone { .. }));
}

#[tokio::test(start_paused = true)]
async fn whoever_closes_only_its_stdin_is_disconnected_for_that() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    a.shut_ears();
    let start = Instant::now();
    let outcome = rig.call("look", "{}").outcome().await;
    took(start, ms(100));
    let said = text(&outcome);
    assert!(said.contains("the extension closed its stdin"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn half_a_line_at_the_end_is_dropped() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    let answer = json!({"type": "tool_result", "id": frame["id"], "content": []}).to_string();
    a.write(&answer.as_bytes()[..answer.len() - 1]).await;
    drop(a);
    let outcome = call.outcome().await;
    assert_eq!(outcome.status, Status::Failed);
}

#[tokio::test(start_paused = true)]
async fn a_line_over_the_limit_disconnects_with_a_message_that_names_it() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &everything()).await;
    let call = rig.call("look", "{}");
    a.hear_a("tool_call").await;
    let line = |bytes: usize| {
        let start = r#"{"type":"notify","message":""#;
        let fill = "x".repeat(bytes - start.len() - 2);
        format!("{start}{fill}\"}}")
    };
    a.line(&line(4 * 1024 * 1024)).await;
    assert!(matches!(rig.next_news().await, News::Note { .. }));
    let start = Instant::now();
    let write = tokio::spawn(async move {
        let mut a = a;
        let too_long = line(4 * 1024 * 1024 + 1) + "\n";
        a.try_write(too_long.as_bytes()).await;
        a
    });
    let outcome = call.outcome().await;
    assert_eq!(start.elapsed(), ms(0));
    let said = text(&outcome);
    assert!(said.contains("longer than 4194304 bytes"), "{said}");
    write.await.unwrap();
}
