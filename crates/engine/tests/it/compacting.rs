//! Making room when somebody says so: what becomes of the conversation, and that every attempt has
//! a beginning and an end.

use std::time::Duration;

use zeug_engine::{CompactReport, EndReason, Event, Refused, Trigger, summary_message};
use zeug_provider::{Delta, FailureKind};
use zeug_transcript::{Content, Message, Status, StopReason, Timestamp};

use crate::kit::{
    Act, Does, Rig, Running, counted, exchanges, failure, names, soon, text, with_calls, words,
};

fn remembering(answers: Vec<Vec<Act>>, exchanged: usize) -> Rig {
    Rig::new(answers).set(|s| s.history = exchanges(exchanged))
}

/// Makes room, and the events up to the end of that.
async fn compacted(machine: &mut Running) -> (CompactReport, Vec<Event>) {
    let handle = machine.handle.clone();
    let compacting = tokio::spawn(async move { handle.compact().await });
    let events = machine
        .until(|e| matches!(e, Event::CompactionEnded { .. }))
        .await;
    (soon(compacting).await.unwrap().unwrap(), events)
}

/// That observers heard these two and nothing else of it.
fn bracketed(machine: &Running, pre: &str, post: &str) {
    let mut heard = machine.log.starting_with("pre_compact");
    heard.extend(machine.log.starting_with("post_compact"));
    assert_eq!(heard, [pre, post]);
}

#[tokio::test(start_paused = true)]
async fn a_summary_takes_the_place_of_all_but_the_last_four() {
    let mut machine = remembering(vec![counted(text("They talked."), 700)], 5).start();
    let (report, events) = compacted(&mut machine).await;
    assert_eq!(
        names(&events),
        [
            "compaction Manual 10",
            "compacted 6 kept 4",
            "compaction_ended completed",
        ]
    );
    bracketed(&machine, "pre_compact 10", "post_compact 5 completed");

    let now = machine.handle.transcript();
    let shown: Vec<String> = now[1..].iter().map(words).collect();
    assert_eq!(shown, ["question 3", "answer 3", "question 4", "answer 4"]);
    let done = report.compacted.unwrap();
    assert_eq!(
        (report.status, report.trigger, done.summary.as_str()),
        (Status::Completed, Trigger::Manual, "They talked.")
    );
    assert_eq!(now[0], Message::User(done.message.clone()));
    let marked = summary_message("They talked.", Timestamp::UNIX_EPOCH);
    assert_eq!(done.message.content, marked.content);
    assert_eq!(done.usage.input_tokens, 700);
    assert!(done.tokens_before > 0 && done.tokens_after > 0);
}

#[tokio::test(start_paused = true)]
async fn the_model_is_asked_without_tools_and_sees_what_goes() {
    let mut machine = remembering(vec![text("Done.")], 5)
        .tool("a", Does::Echo)
        .start();
    compacted(&mut machine).await;
    let request = &machine.model.requests()[0];
    assert!(request.tools.is_empty() && request.context.is_none());
    assert_ne!(request.system.as_deref(), Some("base"));
    assert_eq!(request.messages.len(), 1);
    let asked = words(&request.messages[0]);
    assert!(asked.contains("question 0") && asked.contains("answer 2"));
    assert!(!asked.contains("question 3"), "it stays as it is");
}

#[tokio::test(start_paused = true)]
async fn the_conversation_goes_on_behind_the_summary() {
    let mut machine = remembering(vec![text("They talked."), text("ok")], 5).start();
    compacted(&mut machine).await;
    machine.run("next").await;
    let messages = &machine.model.requests()[1].messages;
    assert_eq!(messages.len(), 6);
    assert!(words(&messages[0]).contains("They talked."));
    assert_eq!(words(&messages[5]), "next");
}

#[tokio::test(start_paused = true)]
async fn a_second_summary_is_made_of_the_first() {
    let script = vec![text("first"), text("ok"), text("second")];
    let mut machine = remembering(script, 5).start();
    compacted(&mut machine).await;
    machine.run("next").await;
    let (report, _) = compacted(&mut machine).await;
    let done = report.compacted.unwrap();
    assert_eq!((done.first_kept, done.kept), (3, 4));
    let asked = words(&machine.model.requests()[2].messages[0]);
    assert!(asked.contains("first") && asked.contains("answer 3"));
    let now = machine.handle.transcript();
    assert!(words(&now[0]).contains("second") && !words(&now[0]).contains("first"));
}

#[tokio::test(start_paused = true)]
async fn nothing_to_summarise_is_an_attempt_that_changes_nothing() {
    for history in [0, 2] {
        let mut machine = remembering(vec![], history).start();
        let (report, events) = compacted(&mut machine).await;
        assert_eq!((report.status, report.compacted), (Status::Completed, None));
        assert_eq!(names(&events).len(), 2, "no compacted event");
        let n = history * 2;
        bracketed(
            &machine,
            &format!("pre_compact {n}"),
            &format!("post_compact {n} completed"),
        );
        assert_eq!(machine.model.asked(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_summary_leaves_everything_as_it_was() {
    let refusal = failure(FailureKind::Authentication, None);
    let cut = vec![Act::Send(Delta::Text("half a".into()))];
    let stuck = vec![Act::Send(Delta::Stop(StopReason::EndTurn))];
    for (answers, why) in [
        (vec![vec![Act::Refuse(refusal)]], "too much to do"),
        (vec![cut; 5], "cut off"),
        (vec![stuck], "gave no summary"),
        (vec![vec![Act::Panic]], "internal error"),
    ] {
        let mut machine = remembering(answers, 5).start();
        let before = machine.handle.transcript();
        let (report, events) = compacted(&mut machine).await;
        assert_eq!((report.status, report.compacted), (Status::Failed, None));
        let error = report.error.unwrap();
        assert!(error.contains(why), "{error}");
        assert_eq!(machine.handle.transcript(), before);
        let end = format!("post_compact 10 failed: {error}");
        bracketed(&machine, "pre_compact 10", &end);
        assert_eq!(names(&events).len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn the_summary_has_retries_of_its_own() {
    let busy = vec![Act::Fail(failure(FailureKind::Overloaded, None))];
    let mut machine = remembering(vec![busy.clone(), busy, text("at last")], 5).start();
    let (report, events) = compacted(&mut machine).await;
    assert_eq!(report.status, Status::Completed);
    assert_eq!(machine.model.asked(), 3);
    assert_eq!(names(&events).len(), 3, "no turn, no request to be seen");
}

#[tokio::test(start_paused = true)]
async fn a_summary_that_is_too_long_to_ask_for_is_asked_for_with_less() {
    let mut history = exchanges(60);
    for message in &mut history {
        if let Message::User(said) = message {
            said.content.push(Content::text("x".repeat(500)));
        }
    }
    let too_long = vec![Act::Refuse(failure(FailureKind::ContextOverflow, None))];
    let mut machine = Rig::new(vec![too_long.clone(), too_long, text("short")])
        .set(|s| {
            s.history = history;
            s.limits.context_window = Some(10_000);
        })
        .start();
    let (report, _) = compacted(&mut machine).await;
    assert_eq!(report.status, Status::Completed);
    let sizes: Vec<usize> = machine
        .model
        .requests()
        .iter()
        .map(|r| words(&r.messages[0]).len())
        .collect();
    let bounds = [20_000, 10_000, 5_000].map(|budget| budget + 1_200);
    for (size, bound) in sizes.iter().zip(bounds) {
        assert!((bound / 2..bound).contains(size), "{sizes:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn giving_up_ends_the_attempt_and_changes_nothing() {
    let mut machine = remembering(vec![vec![Act::Hang]], 5).start();
    let handle = machine.handle.clone();
    let compacting = tokio::spawn(async move { handle.compact().await });
    machine
        .until(|e| matches!(e, Event::CompactionStarted { .. }))
        .await;
    machine.handle.abort().await;
    let report = soon(compacting).await.unwrap().unwrap();
    assert_eq!(report.status, Status::Cancelled);
    bracketed(
        &machine,
        "pre_compact 10",
        "post_compact 10 cancelled: given up",
    );
    assert_eq!(machine.handle.transcript().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_silent_model_runs_out_of_time() {
    let mut machine = remembering(vec![vec![Act::Hang]], 5)
        .set(|s| s.limits.compact_deadline = Duration::from_secs(7))
        .start();
    let (report, _) = compacted(&mut machine).await;
    assert_eq!(report.status, Status::TimedOut);
    let end = "post_compact 10 timed_out: no summary within 7s";
    bracketed(&machine, "pre_compact 10", end);
    assert!(machine.model.tokens.lock().unwrap()[0].is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn it_waits_for_the_running_prompt_and_comes_before_those_that_wait() {
    let script = vec![
        with_calls(&[("c1", "slow", "{}")]),
        text("first"),
        text("summary"),
        text("second"),
    ];
    let mut machine = remembering(script, 5)
        .tool("slow", Does::Wait(Duration::from_secs(3)))
        .start();
    let _first = machine.prompt("one").await;
    machine
        .until(|e| matches!(e, Event::ToolExecutionStarted { .. }))
        .await;
    let second = machine.prompt("two").await;
    let handle = machine.handle.clone();
    let compacting = tokio::spawn(async move { handle.compact().await });
    let events = machine.until_done(second).await;
    let seen = names(&events);
    let at = |what: &str| seen.iter().position(|n| n == what).expect(what);
    assert!(at("done Finished") < at("compaction Manual 14"));
    assert!(at("compaction_ended completed") < at("user_message two"));
    assert_eq!(
        soon(compacting).await.unwrap().unwrap().status,
        Status::Completed
    );
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_running_attempt_and_refuses_those_that_wait() {
    let mut machine = remembering(vec![vec![Act::Hang]], 5).start();
    let compact = |handle: zeug_engine::Handle| tokio::spawn(async move { handle.compact().await });
    let running = compact(machine.handle.clone());
    machine
        .until(|e| matches!(e, Event::CompactionStarted { .. }))
        .await;
    let waiting = compact(machine.handle.clone());
    tokio::task::yield_now().await;
    machine.handle.close(EndReason::Shutdown).await;
    let report = soon(running).await.unwrap().unwrap();
    assert_eq!(report.status, Status::Cancelled);
    assert_eq!(soon(waiting).await.unwrap(), Err(Refused::Closed));
    assert_eq!(machine.handle.compact().await, Err(Refused::Closed));
    bracketed(
        &machine,
        "pre_compact 10",
        "post_compact 10 cancelled: given up",
    );
    let end = machine.log.lines().pop();
    assert_eq!(end.as_deref(), Some("session_end shutdown"));
}
