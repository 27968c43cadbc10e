//! A sub-agent's machine: the same listeners, the same permissions, the same person, and on
//! everything whose doing it is.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::sync::mpsc::Receiver;
use zeug_engine::{
    Approval, Ask, Child, Consent, DoneOutcome, EndReason, Event, Handle, Prompt, Refused,
    start_child,
};
use zeug_hook::{
    Agent, Listener, Matcher, Meta, OnFailure, Silence, ToolAnswer, ToolCall, ToolFacts,
};
use zeug_provider::FailureKind;
use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_tool::{Filter, Table};

use crate::kit::{
    Act, Does, Fake, Rig, Running, counted, failure, listens, names, outcome, soon, text,
    with_calls,
};

fn agent() -> Agent {
    Agent {
        agent_id: "a-1".into(),
        agent_run_id: "r-1".into(),
        name: "scout".into(),
        depth: 1,
    }
}

struct Young {
    handle: Handle,
    events: Receiver<Event>,
}

/// A sub-agent with this tool.
fn child(of: &Running, fake: Option<Fake>) -> Young {
    let tools = Table::new(Filter::All);
    if let Some(mut fake) = fake {
        fake.log = of.log.clone();
        let registered = tools.register("zeug", Order(0), Arc::new(fake));
        registered.unwrap();
    }
    let child = Child {
        agent: agent(),
        tools,
        system_prompt: "You scout.".into(),
        model: None,
        context_window: None,
        max_steps: Some(5),
    };
    let (handle, events) = start_child(&of.handle.common(), child).unwrap();
    Young { handle, events }
}

impl Young {
    async fn run(&mut self, text: &str) -> Vec<Event> {
        self.handle.prompt(Prompt::text(text)).await.unwrap();
        let mut seen = Vec::new();
        loop {
            let event = soon(self.events.recv()).await.expect("an event");
            let last = matches!(event, Event::Done { .. });
            seen.push(event);
            if last {
                return seen;
            }
        }
    }

    async fn close(&self) {
        self.handle.close(EndReason::Shutdown).await;
    }
}

#[tokio::test(start_paused = true)]
async fn everything_about_it_says_whose_doing_it_is() {
    let machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("found it")]).start();
    let mut young = child(&machine, Some(Fake::new("a", Does::Echo)));
    let events = young.run("look").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    young.close().await;
    let expect = [
        "subagent_start scout",
        "user_prompt_submit look now",
        "turn_start 1",
        "assistant_message -",
        "tool_call c1 {}",
        "turn_end tool_use",
        "permission c1 approved yolo pre_execution",
        "run a {}",
        "tool_result c1 completed executed {}",
        "turn_start 2",
        "assistant_message found it",
        "turn_end end_turn",
        "subagent_stop scout completed",
    ]
    .map(|line| match line {
        "run a {}" => line.to_owned(),
        line => format!("[a-1 r-1 1] {line}"),
    });
    assert_eq!(machine.log.lines(), expect);
    let request = &machine.model.requests()[0];
    assert_eq!(request.system.as_deref(), Some("You scout."));
    assert_eq!(request.model, "m1");
    assert!(machine.handle.transcript().is_empty());
}

/// Notes in which agent it is asked.
struct Attentive(Meta, Mutex<Vec<Option<Agent>>>);

#[async_trait]
impl Listener<ToolCall> for Attentive {
    fn meta(&self) -> &Meta {
        &self.0
    }

    async fn ask(&self, _: &ToolFacts, _: &RawJson) -> Result<ToolAnswer, Silence> {
        self.1.lock().unwrap().push(None);
        Ok(ToolAnswer::Allow)
    }

    async fn ask_in(
        &self,
        agent: &Agent,
        _: &ToolFacts,
        _: &RawJson,
    ) -> Result<ToolAnswer, Silence> {
        self.1.lock().unwrap().push(Some(agent.clone()));
        Ok(ToolAnswer::Allow)
    }
}

#[tokio::test(start_paused = true)]
async fn who_is_asked_hears_in_which_agent_it_is() {
    let script = vec![
        with_calls(&[("c1", "a", "{}")]),
        text("end"),
        with_calls(&[("c2", "a", "{}")]),
        text("end"),
    ];
    let meta = Meta {
        extension: "x".into(),
        order: Order(1),
        priority: 0,
        seq: 0,
        id: None,
        matcher: Matcher::default(),
        on_failure: OnFailure::Allow,
    };
    let attentive = Arc::new(Attentive(meta, Mutex::default()));
    let mut machine = Rig::new(script).tool("a", Does::Echo).start();
    machine.board.tool_call.join(attentive.clone());
    machine.run("go").await;
    let mut young = child(&machine, Some(Fake::new("a", Does::Echo)));
    young.run("look").await;
    assert_eq!(*attentive.1.lock().unwrap(), [None, Some(agent())]);
    let trail = machine.handle.trail();
    let agents: Vec<_> = trail.iter().map(|t| t.agent.clone()).collect();
    assert_eq!(agents, [None, Some(agent())], "one trail for both");
}

#[tokio::test(start_paused = true)]
async fn a_guard_refuses_its_call_as_it_refuses_the_main_agents() {
    let guard = listens::<ToolCall>("guard", 1, |facts, args| {
        let bad = facts.tool == "bash" && args.get().contains("rm -rf");
        Some(match bad {
            true => ToolAnswer::Block("refused: rm -rf".into()),
            false => ToolAnswer::Allow,
        })
    });
    let bash = || Fake::new("bash", Does::Echo);
    let wanted = || with_calls(&[("c1", "bash", r#"{"command":"rm -rf /"}"#)]);
    let mut machine = Rig::new(vec![wanted(), text("no"), wanted(), text("no")])
        .fake(bash())
        .on_tool_call(guard)
        .start();
    machine.run("go").await;
    let mut young = child(&machine, Some(bash()));
    young.run("look").await;
    assert_eq!(machine.results(), ["c1 Blocked refused: rm -rf"]);
    let lines = machine.log.lines();
    let settled: Vec<&String> = lines.iter().filter(|l| l.contains("tool_result")).collect();
    assert_eq!(settled.len(), 2);
    assert_eq!(*settled[1], format!("[a-1 r-1 1] {}", settled[0]));
    assert!(lines.iter().all(|l| !l.starts_with("run bash")));
}

#[tokio::test(start_paused = true)]
async fn its_questions_go_to_the_same_person_and_the_answer_holds_for_both() {
    let script = vec![
        with_calls(&[("c1", "bash", "{}")]),
        text("end"),
        with_calls(&[("c2", "bash", "{}")]),
        text("end"),
    ];
    let mut machine = Rig::new(script)
        .tool("bash", Does::Echo)
        .set(|s| {
            s.approval = Approval::Writes;
            s.can_ask = true;
        })
        .start();
    let mut young = child(&machine, Some(Fake::new("bash", Does::Echo)));
    let running = tokio::spawn(async move {
        let events = young.run("look").await;
        young.close().await;
        events
    });
    let Ask::Approve {
        agent: asked_by,
        reply,
        ..
    } = soon(machine.asks.recv()).await.unwrap();
    assert_eq!(asked_by, Some(agent()));
    reply.send(Consent::Tool);
    soon(running).await.unwrap();
    machine.run("go").await;
    assert_eq!(
        machine.log.starting_with("permission"),
        ["permission c2 approved remembered pre_execution"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_change_of_the_policy_holds_for_it_at_once() {
    let script = vec![with_calls(&[("c1", "bash", "{}")]), text("end")];
    let machine = Rig::new(script).start();
    let mut young = child(&machine, Some(Fake::new("bash", Does::Echo)));
    machine.handle.set_approval(Approval::Always).await;
    machine.handle.open().await;
    young.run("look").await;
    let denied = "[a-1 r-1 1] permission c1 denied policy pre_execution";
    assert_eq!(machine.log.count(denied), 1, "nobody can be asked");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_waits_for_a_person_is_not_for_it() {
    let script = vec![with_calls(&[("c1", "panel", "{}")]), text("end")];
    let machine = Rig::new(script).set(|s| s.can_interact = true).start();
    let panel = Fake::new("panel", Does::Echo).set(|f| f.spec.interactive = true);
    let mut young = child(&machine, Some(panel));
    let events = young.run("look").await;
    assert!(names(&events).contains(&"result c1 failed".to_owned()));
    assert!(machine.log.lines().iter().all(|l| !l.starts_with("run")));
}

#[tokio::test(start_paused = true)]
async fn its_stop_says_how_it_ended() {
    let refused = failure(FailureKind::BadRequest, None);
    for (script, how) in [
        (vec![text("ok")], "completed"),
        (
            vec![vec![Act::Refuse(refused)]],
            "failed: fake/m1: 529 too much to do",
        ),
        (vec![vec![Act::Panic]], "failed: internal error"),
    ] {
        let machine = Rig::new(script).start();
        let mut young = child(&machine, None);
        young.run("look").await;
        young.close().await;
        let stop = format!("[a-1 r-1 1] subagent_stop scout {how}");
        let stops = machine.log.starting_with("[a-1 r-1 1] subagent_stop");
        assert!(stops.len() == 1 && stops[0].starts_with(&stop), "{stops:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_never_ran_was_cancelled() {
    let machine = Rig::new(vec![]).start();
    let young = child(&machine, None);
    drop(young.handle);
    machine
        .logged("[a-1 r-1 1] subagent_stop scout cancelled")
        .await;
    assert_eq!(
        machine.log.lines().first().map(String::as_str),
        Some("[a-1 r-1 1] subagent_start scout")
    );
}

#[tokio::test(start_paused = true)]
async fn it_is_given_up_together_with_its_agent() {
    let script = vec![with_calls(&[("c1", "w", "{}")])];
    let machine = Rig::new(script).start();
    let mut young = child(&machine, Some(Fake::new("w", Does::WaitForCancel)));
    let running = tokio::spawn(async move { young.run("look").await });
    machine.logged("run w {}").await;
    machine.handle.close(EndReason::Shutdown).await;
    let events = soon(running).await.unwrap();
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    let settled = "[a-1 r-1 1] tool_result c1 cancelled executed {}";
    assert_eq!(machine.log.count(settled), 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_can_be_started_under_an_agent_that_is_over() {
    let Running { handle, log, .. } = Rig::new(vec![]).start();
    let common = handle.common();
    assert!(common.tools().is_ok());
    handle.close(EndReason::Shutdown).await;
    drop(handle);
    tokio::task::yield_now().await;
    assert_eq!(common.tools().err(), Some(Refused::Closed));
    let orphan = Child {
        agent: agent(),
        tools: Table::default(),
        system_prompt: "".into(),
        model: None,
        context_window: None,
        max_steps: None,
    };
    assert!(start_child(&common, orphan).is_err());
    assert!(log.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn it_makes_room_like_its_agent_and_says_so() {
    let script = vec![
        counted(text("one"), 900),
        counted(text("two"), 900),
        counted(text("three"), 900),
        text("They talked."),
        text("four"),
    ];
    let machine = Rig::new(script)
        .set(|s| s.limits.context_window = Some(1000))
        .start();
    let mut young = child(&machine, None);
    for text in ["1", "2", "3", "4"] {
        young.run(text).await;
    }
    assert_eq!(machine.log.count("[a-1 r-1 1] pre_compact 7"), 1);
    assert_eq!(machine.log.count("[a-1 r-1 1] post_compact 5 completed"), 1);
}
