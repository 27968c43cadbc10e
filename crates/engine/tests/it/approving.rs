//! When a person is asked, what is asked, and what the answer does.

use zeug_engine::{Approval, Ask, Consent, DoneOutcome};
use zeug_hook::{OnFailure, ToolAnswer, ToolCall};
use zeug_stdx::json::RawJson;

use crate::kit::{Act, Does, Fake, Rig, listens, outcome, soon, text, with_calls};

fn calls(ids: &[&str]) -> Vec<Vec<Act>> {
    let each: Vec<_> = ids.iter().map(|id| (*id, "a", "{}")).collect();
    vec![with_calls(&each), text("ok")]
}

fn asking(answers: Vec<Vec<Act>>) -> Rig {
    Rig::new(answers).set(|s| {
        s.approval = Approval::Always;
        s.can_ask = true;
    })
}

#[tokio::test(start_paused = true)]
async fn a_person_approves_once() {
    let mut machine = asking(calls(&["c1", "c2"])).tool("a", Does::Echo).start();
    let id = machine.prompt("go").await;
    machine.answer(Consent::Once).await;
    machine.answer(Consent::No).await;
    machine.until_done(id).await;
    assert_eq!(
        machine.results(),
        ["c1 Completed a {}", "c2 Blocked user declined"]
    );
    assert_eq!(
        machine.log.lines()[6..],
        [
            "turn_end tool_use",
            "confirmation c1 {}",
            "permission c1 approved user pre_execution",
            "run a {}",
            "tool_result c1 completed executed {}",
            "confirmation c2 {}",
            "permission c2 denied user pre_execution",
            "tool_result c2 blocked not executed {}",
            "turn_start 2",
            "assistant_message ok",
            "turn_end end_turn",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_for_the_tool_or_for_everything_is_remembered() {
    for (consent, other_asked) in [(Consent::Tool, true), (Consent::Session, false)] {
        let answers = vec![
            with_calls(&[("c1", "a", "{}"), ("c2", "a", "{}"), ("c3", "b", "{}")]),
            text("ok"),
        ];
        let mut machine = asking(answers)
            .tool("a", Does::Echo)
            .tool("b", Does::Echo)
            .start();
        let id = machine.prompt("go").await;
        machine.answer(consent).await;
        if other_asked {
            machine.answer(Consent::Once).await;
        }
        machine.until_done(id).await;
        assert_eq!(
            machine
                .log
                .count("permission c2 approved remembered pre_execution"),
            1
        );
        assert_eq!(
            machine.log.starting_with("confirmation c3").len(),
            usize::from(other_asked)
        );
        assert_eq!(machine.results().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_question_is_a_no() {
    let mut machine = asking(calls(&["c1"])).tool("a", Does::Echo).start();
    let id = machine.prompt("go").await;
    let question = soon(machine.asks.recv()).await;
    drop(question);
    machine.until_done(id).await;
    assert_eq!(machine.results(), ["c1 Blocked user declined"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_face_what_needs_asking_is_refused_with_the_flag_to_use() {
    let mut machine = asking(calls(&["c1"])).tool("a", Does::Echo).start();
    machine.asks.close();
    machine.run("go").await;
    let results = machine.results();
    assert!(results[0].starts_with("c1 Blocked"), "{results:?}");
    assert!(results[0].contains("--approve never"), "{results:?}");
    assert_eq!(
        machine.log.starting_with("permission"),
        ["permission c1 denied policy pre_execution"]
    );
    assert!(machine.log.starting_with("confirmation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn reading_needs_no_approval_unless_an_extension_says_it_reads() {
    let reads =
        |name: &str| Fake::new(name, Does::Echo).set(|f| f.spec.annotations.read_only = true);
    let answers = vec![
        with_calls(&[("c1", "read", "{}"), ("c2", "peek", "{}")]),
        text("ok"),
    ];
    let mut machine = asking(answers)
        .set(|s| s.approval = Approval::Writes)
        .fake(reads("read"))
        .fake(reads("peek").of_extension("x"))
        .start();
    let id = machine.prompt("go").await;
    assert_eq!(machine.answer(Consent::Once).await, "peek: {}");
    machine.until_done(id).await;
    assert_eq!(
        machine.log.starting_with("permission"),
        [
            "permission c1 approved policy pre_execution",
            "permission c2 approved user pre_execution"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_question_shows_the_rewritten_arguments() {
    let rewriter = listens::<ToolCall>("r", 1, |_, _| {
        Some(ToolAnswer::Rewrite(RawJson::parse(r#"{"n":7}"#).unwrap()))
    });
    let mut machine = asking(calls(&["c1"]))
        .tool("a", Does::Echo)
        .on_tool_call(rewriter)
        .start();
    let id = machine.prompt("go").await;
    assert_eq!(machine.answer(Consent::Once).await, r#"a: {"n":7}"#);
    machine.until_done(id).await;
    assert_eq!(machine.log.count(r#"confirmation c1 {"n":7}"#), 1);
}

#[tokio::test(start_paused = true)]
async fn the_question_carries_the_whole_preview_and_observers_a_short_line() {
    let diff = "- old\n+ new ".repeat(50);
    let preview = diff.clone();
    let edit = Fake::new("a", Does::Echo).set(|f| f.preview = Ok(Some(preview)));
    let mut machine = asking(calls(&["c1"])).fake(edit).start();
    let id = machine.prompt("go").await;
    let Some(Ask::Approve { preview, reply, .. }) = soon(machine.asks.recv()).await else {
        panic!("a question")
    };
    assert_eq!(preview, Some(diff));
    reply.send(Consent::Once);
    machine.until_done(id).await;
    let told = machine.log.starting_with("confirmation c1 ");
    let line = told[0].trim_start_matches("confirmation c1 ");
    assert!(
        line.len() <= 120 && line.starts_with("- old + new"),
        "{line}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failing_preview_refuses_the_call() {
    let edit = Fake::new("a", Does::Echo).set(|f| f.preview = Err("no such text".into()));
    let mut machine = asking(calls(&["c1"])).fake(edit).start();
    machine.run("go").await;
    assert_eq!(machine.results(), ["c1 Blocked no such text"]);
    assert_eq!(
        machine.log.starting_with("permission"),
        ["permission c1 denied policy pre_execution"]
    );
    assert!(machine.log.starting_with("confirmation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_silent_guard_asks_a_person_even_when_nothing_needs_approval() {
    let silent = listens::<ToolCall>("g", 1, |_, _| None).on_failure(OnFailure::Ask);
    let mut machine = asking(calls(&["c1"]))
        .set(|s| s.approval = Approval::Never)
        .tool("a", Does::Echo)
        .on_tool_call(silent)
        .start();
    let id = machine.prompt("go").await;
    let question = machine.answer(Consent::Once).await;
    assert!(
        question.contains("extension g did not answer"),
        "{question}"
    );
    machine.until_done(id).await;
    assert_eq!(machine.results(), ["c1 Completed a {}"]);
}

#[tokio::test(start_paused = true)]
async fn giving_up_while_a_person_is_asked_is_a_cancelled_decision() {
    let mut machine = asking(calls(&["c1", "c2"])).tool("a", Does::Echo).start();
    let id = machine.prompt("go").await;
    let question = soon(machine.asks.recv()).await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    drop(question);
    assert_eq!(
        machine.log.starting_with("permission"),
        ["permission c1 cancelled user pre_execution"]
    );
    assert_eq!(
        machine.log.starting_with("tool_result"),
        [
            "tool_result c1 cancelled not executed {}",
            "tool_result c2 cancelled not executed {}"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_needs_approval_can_change_while_the_machine_runs() {
    let mut answers = calls(&["c1"]);
    answers.extend(calls(&["c2"]));
    let mut machine = Rig::new(answers).tool("a", Does::Echo).start();
    machine.run("one").await;
    machine.handle.set_approval(Approval::Always).await;
    machine.handle.set_face(true, true).await;
    let id = machine.prompt("two").await;
    machine.answer(Consent::Once).await;
    machine.until_done(id).await;
    assert_eq!(
        machine.log.starting_with("permission"),
        [
            "permission c1 approved yolo pre_execution",
            "permission c2 approved user pre_execution"
        ]
    );
}
