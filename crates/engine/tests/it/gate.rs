//! Looking up, validating, intercepting and running a call.

use zeug_engine::{DoneOutcome, Event};
use zeug_hook::{Did, OnFailure, ToolAnswer, ToolCall};
use zeug_stdx::json::RawJson;
use zeug_tool::{Exposure, Filter, Table};
use zeug_transcript::{Outcome, Status};

use crate::kit::{Act, Does, Fake, Rig, Running, listens, names, outcome, text, with_calls};

fn one_call(name: &str, args: &str) -> Vec<Vec<Act>> {
    vec![with_calls(&[("c1", name, args)]), text("ok")]
}

fn json(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

async fn result_of(mut machine: Running) -> (String, Running) {
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    let results = machine.results();
    assert_eq!(results.len(), 1, "{results:?}");
    (results[0].clone(), machine)
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_told_the_nearest_name() {
    let rig = Rig::new(one_call("wether", "{}")).tool("weather", Does::Echo);
    let (result, machine) = result_of(rig.start()).await;
    assert!(result.contains("Failed"), "{result}");
    assert!(result.contains("did you mean weather?"), "{result}");
    assert_eq!(
        machine.log.starting_with("tool_result"),
        ["tool_result c1 failed not executed {}"]
    );
    assert!(machine.log.starting_with("permission").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_filtered_tool_is_not_allowed_in_this_run() {
    let rig = Rig::new(one_call("bash", "{}"))
        .set(|s| s.tools = Table::new(Filter::Nothing))
        .tool("bash", Does::Echo);
    let (result, machine) = result_of(rig.start()).await;
    assert!(result.contains("not allowed in this run"), "{result}");
    assert!(machine.model.requests()[0].tools.is_empty());
}

#[tokio::test(start_paused = true)]
async fn arguments_are_checked_before_anybody_is_asked() {
    let rig = Rig::new(one_call("a", r#"{"n":"three"}"#))
        .tool("a", Does::Echo)
        .on_tool_call(listens("g", 1, |_, _| Some(ToolAnswer::Allow)));
    let (result, machine) = result_of(rig.start()).await;
    assert!(
        result.contains("/n") && result.contains("integer"),
        "{result}"
    );
    assert!(machine.log.starting_with("ask").is_empty());
    assert!(machine.log.starting_with("run").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_guard_refuses_and_nothing_is_executed() {
    let rig = Rig::new(one_call("bash", "{}"))
        .tool("bash", Does::Echo)
        .on_tool_call(listens("guard", 1, |_, _| {
            Some(ToolAnswer::Block("too dangerous".into()))
        }));
    let (result, machine) = result_of(rig.start()).await;
    assert_eq!(result, "c1 Blocked too dangerous");
    assert_eq!(
        machine.log.lines()[3..8],
        [
            "assistant_message -",
            "tool_call c1 {}",
            "turn_end tool_use",
            "ask guard tool_call",
            "permission c1 denied policy pre_execution",
        ]
    );
    assert_eq!(
        machine.log.lines()[8],
        "tool_result c1 blocked not executed {}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_guard_without_a_reason_gets_the_usual_one() {
    let rig = Rig::new(one_call("bash", "{}"))
        .tool("bash", Does::Echo)
        .on_tool_call(listens("g", 1, |_, _| {
            Some(ToolAnswer::Block(String::new()))
        }));
    let (result, _) = result_of(rig.start()).await;
    assert_eq!(result, "c1 Blocked tool call refused by extension guard");
}

#[tokio::test(start_paused = true)]
async fn rewrites_chain_and_the_transcript_keeps_what_the_model_wrote() {
    let add = |_: &_, args: &RawJson| {
        let n = args.to_value()["n"].as_i64().unwrap_or(0);
        Some(ToolAnswer::Rewrite(json(&format!(r#"{{"n":{}}}"#, n + 1))))
    };
    let rig = Rig::new(one_call("a", r#"{"n":1}"#))
        .tool("a", Does::Echo)
        .on_tool_call(listens("one", 1, add))
        .on_tool_call(listens("two", 2, add));
    let (result, machine) = result_of(rig.start()).await;
    assert_eq!(result, r#"c1 Completed a {"n":3}"#);
    assert_eq!(machine.log.count(r#"tool_call c1 {"n":1}"#), 1);
    assert_eq!(
        machine
            .log
            .count(r#"tool_result c1 completed executed {"n":3}"#),
        1
    );
    let calls = format!("{:?}", machine.handle.transcript());
    assert!(
        calls.contains(r#"{\"n\":1}"#) || calls.contains(r#""n":1"#),
        "{calls}"
    );
    let trail = machine.handle.trail();
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].asked, Ok(json(r#"{"n":1}"#)));
    assert_eq!(trail[0].rewritten, Some(json(r#"{"n":3}"#)));
    let asked: Vec<_> = trail[0]
        .steps
        .iter()
        .map(|s| (s.extension.as_str(), s.did == Did::Changed, s.again))
        .collect();
    assert_eq!(
        asked,
        [
            ("one", true, false),
            ("two", true, false),
            ("one", false, true)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_listener_may_refuse_what_a_later_one_made_of_the_call() {
    let rig = Rig::new(one_call("a", r#"{"n":1}"#))
        .tool("a", Does::Echo)
        .on_tool_call(listens("guard", 1, |_, args: &RawJson| {
            Some(if args.get().contains('9') {
                ToolAnswer::Block("no nines".into())
            } else {
                ToolAnswer::Allow
            })
        }))
        .on_tool_call(listens("rewriter", 2, |_, _| {
            Some(ToolAnswer::Rewrite(json(r#"{"n":9}"#)))
        }));
    let (result, machine) = result_of(rig.start()).await;
    assert_eq!(result, "c1 Blocked no nines");
    assert_eq!(
        machine.log.starting_with("tool_result"),
        [r#"tool_result c1 blocked not executed {"n":9}"#]
    );
}

#[tokio::test(start_paused = true)]
async fn a_rewrite_that_does_not_fit_the_schema_names_its_author() {
    let rig = Rig::new(one_call("a", "{}"))
        .tool("a", Does::Echo)
        .on_tool_call(listens("clumsy", 1, |_, _| {
            Some(ToolAnswer::Rewrite(json(r#"{"n":"x"}"#)))
        }));
    let (result, machine) = result_of(rig.start()).await;
    assert!(
        result.contains("clumsy") && result.contains("/n"),
        "{result}"
    );
    assert!(machine.log.starting_with("run").is_empty());
}

async fn with_a_silent_guard(on_failure: OnFailure) -> (String, Running) {
    let silent = listens::<ToolCall>("silent", 1, |_, _| None).on_failure(on_failure);
    let rig = Rig::new(one_call("a", "{}"))
        .tool("a", Does::Echo)
        .on_tool_call(silent);
    let before = tokio::time::Instant::now();
    let done = result_of(rig.start()).await;
    assert_eq!(before.elapsed().as_secs(), 5, "one deadline");
    done
}

#[tokio::test(start_paused = true)]
async fn a_silent_guard_does_not_stall_the_agent() {
    let (result, machine) = with_a_silent_guard(OnFailure::Allow).await;
    assert_eq!(result, "c1 Completed a {}");
    let trail = machine.handle.trail();
    assert!(matches!(trail[0].steps[0].did, Did::Failed(_)));
}

#[tokio::test(start_paused = true)]
async fn a_silent_guard_blocks_when_it_asked_for_that() {
    let (result, _) = with_a_silent_guard(OnFailure::Block).await;
    assert!(
        result.starts_with("c1 Blocked extension silent did not answer"),
        "{result}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_silent_guard_that_wants_a_person_blocks_when_there_is_none() {
    let (result, machine) = with_a_silent_guard(OnFailure::Ask).await;
    assert!(result.starts_with("c1 Blocked"), "{result}");
    assert!(
        result.contains("silent") && result.contains("nobody can be asked"),
        "{result}"
    );
    assert!(machine.log.starting_with("confirmation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_interactive_tool_is_rejected_where_nobody_can_answer() {
    let ask = || Fake::new("ask_user", Does::Echo).set(|f| f.spec.interactive = true);
    let rig = Rig::new(one_call("ask_user", "{}")).fake(ask());
    let (result, machine) = result_of(rig.start()).await;
    assert!(
        result.contains("c1 Failed ask_user waits for a person"),
        "{result}"
    );
    assert!(machine.log.starting_with("permission").is_empty());

    let rig = Rig::new(one_call("ask_user", "{}"))
        .fake(ask())
        .set(|s| s.can_interact = true);
    let (result, _) = result_of(rig.start()).await;
    assert_eq!(result, "c1 Completed ask_user {}");
}

#[tokio::test(start_paused = true)]
async fn a_panicking_tool_has_failed_and_the_turn_goes_on() {
    let rig = Rig::new(one_call("a", "{}")).tool("a", Does::Panic);
    let (result, machine) = result_of(rig.start()).await;
    assert!(result.starts_with("c1 Failed a broke off"), "{result}");
    assert_eq!(machine.log.count("tool_result c1 failed executed {}"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_refuses_by_itself_has_a_second_decision() {
    let refusal = Outcome::text(Status::Blocked, "outside the jail");
    let rig = Rig::new(one_call("a", "{}")).tool("a", Does::Give(refusal));
    let (_, machine) = result_of(rig.start()).await;
    assert_eq!(
        machine.log.starting_with("permission"),
        [
            "permission c1 approved yolo pre_execution",
            "permission c1 denied policy tool_execution"
        ]
    );
    assert_eq!(machine.log.count("tool_result c1 blocked executed {}"), 1);
}

#[tokio::test(start_paused = true)]
async fn activated_tools_are_offered_with_the_next_request() {
    let mut found = Outcome::failed("found one");
    found.activate_tools = vec!["later".into(), "nobody".into()];
    let later = Fake::new("later", Does::Echo).set(|f| f.spec.exposure = Exposure::Deferred);
    let rig = Rig::new(one_call("search", "{}"))
        .tool("search", Does::Give(found))
        .fake(later);
    let (_, machine) = result_of(rig.start()).await;
    let offered = |n: usize| -> Vec<String> {
        let request = &machine.model.requests()[n];
        request.tools.iter().map(|t| t.name.clone()).collect()
    };
    assert_eq!(offered(0), ["search"]);
    assert_eq!(offered(1), ["later", "search"]);
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_that_is_too_large_is_dropped_and_the_result_stands() {
    let with_details = |bytes: usize| {
        let mut outcome = Outcome::ok("done");
        outcome.details = Some(json(&format!("\"{}\"", "x".repeat(bytes - 2))));
        outcome
    };
    for (bytes, kept) in [(256 * 1024, true), (256 * 1024 + 1, false)] {
        let mut machine = Rig::new(one_call("a", "{}"))
            .tool("a", Does::Give(with_details(bytes)))
            .start();
        let events = machine.run("go").await;
        let details = events.iter().find_map(|e| match e {
            Event::ToolResult(r) => Some(r.details.is_some()),
            _ => None,
        });
        assert_eq!(details, Some(kept));
        let warned = names(&events).iter().any(|n| n.starts_with("warning a:"));
        assert_eq!(warned, !kept);
        assert_eq!(machine.results(), ["c1 Completed done"]);
    }
}

#[tokio::test(start_paused = true)]
async fn progress_is_shown_and_never_sent_to_the_model() {
    let rig = Rig::new(one_call("a", "{}")).tool("a", Does::Progress(vec!["10 %", "90 %"]));
    let mut machine = rig.start();
    let events = machine.run("go").await;
    let seen = names(&events);
    let from = seen.iter().position(|n| n == "execution c1").unwrap();
    assert_eq!(
        seen[from + 1..from + 4],
        ["progress 10 %", "progress 90 %", "result c1 completed"]
    );
    assert_eq!(machine.results(), ["c1 Completed shown"]);
}

#[tokio::test(start_paused = true)]
async fn a_result_without_content_still_says_something() {
    let mut empty = Outcome::ok("");
    empty.content.clear();
    let rig = Rig::new(one_call("a", "{}")).tool("a", Does::Give(empty));
    let (result, _) = result_of(rig.start()).await;
    assert_eq!(result, "c1 Completed (a returned no content)");
}
