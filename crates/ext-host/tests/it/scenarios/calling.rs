//! `call_tool`: who may have which tool run, and how it ends.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use zeug_tool::{Gate, Nested, ToolRequest};
use zeug_transcript::{Content, Outcome, Status};

use crate::kit::*;

/// A gate whose calls are settled by the test.
struct Desk(mpsc::Sender<(ToolRequest, oneshot::Sender<Outcome>)>);

#[async_trait]
impl Gate for Desk {
    async fn call(&self, wanted: ToolRequest) -> Outcome {
        let (settle, settled) = oneshot::channel();
        let cancel = wanted.cancel.clone();
        self.0.send((wanted, settle)).await.unwrap();
        tokio::select! {
            biased;
            () = cancel.cancelled() => Outcome::text(Status::Cancelled, "given up"),
            outcome = settled => outcome.unwrap(),
        }
    }
}

struct Scene {
    rig: Rig,
    far: Far,
    gate: Arc<dyn Gate>,
    calls: mpsc::Receiver<(ToolRequest, oneshot::Sender<Outcome>)>,
}

impl Scene {
    async fn new() -> Self {
        let mut rig = Rig::of(&["a"]);
        let (sink, calls) = mpsc::channel(64);
        let gate: Arc<dyn Gate> = Arc::new(Desk(sink));
        rig.host.set_gate(Arc::clone(&gate));
        let mut far = rig.meet("a").await;
        far.say(json!({"type": "hello", "name": "a", "capabilities": ["call_tool"]}))
            .await;
        far.hear_a("hello_ack").await;
        let tool = |name: &str| json!({"type": "register_tool", "name": name});
        far.burst(&[tool("outer"), json!({"type": "ready"})]).await;
        until("the tool is there", || rig.table.lookup("outer").is_some()).await;
        Self {
            rig,
            far,
            gate,
            calls,
        }
    }

    async fn ask(&mut self, id: &str, name: &str, parent: Option<&Value>) {
        let mut frame = json!({"type": "call_tool", "id": id, "name": name, "args": {"x": 1}});
        if let Some(parent) = parent {
            frame["parent_id"] = parent.clone();
        }
        self.far.say(frame).await;
    }

    async fn wanted(&mut self) -> (ToolRequest, oneshot::Sender<Outcome>) {
        let wanted = tokio::time::timeout(s(300), self.calls.recv()).await;
        wanted.expect("nobody called").unwrap()
    }

    /// The answer to a request, which must be an error; its text.
    async fn refused(&mut self, id: &str) -> String {
        let answer = self.far.hear_a("tool_result").await;
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["is_error"], true, "{answer}");
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Starts a call of the extension's own tool below these calls; its frame.
    async fn within(&mut self, chain: &[&str]) -> (Called, Value) {
        let nested = Nested {
            gate: Some(Arc::clone(&self.gate)),
            chain: chain.iter().map(|name| (*name).to_owned()).collect(),
        };
        let called = self.rig.call_within("outer", "{}", nested);
        let frame = self.far.hear_a("tool_call").await;
        (called, frame["id"].clone())
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_passes_the_gate_and_its_answer_comes_back() {
    let mut scene = Scene::new().await;
    scene.ask("r1", "read", None).await;
    let (wanted, settle) = scene.wanted().await;
    assert_eq!(
        (wanted.name.as_str(), wanted.extension.as_str()),
        ("read", "a")
    );
    assert_eq!(wanted.args.get(), r#"{"x":1}"#);
    assert_eq!((wanted.chain.len(), wanted.deadline), (0, s(60)));
    let outcome = Outcome::text(Status::Completed, "found");
    settle.send(outcome).unwrap();
    assert_eq!(
        scene.far.hear_line().await,
        r#"{"type":"tool_result","id":"r1","name":"read","content":[{"type":"text","text":"found"}],"is_error":false}"#
    );
}

#[tokio::test(start_paused = true)]
async fn a_long_answer_is_cut_and_says_so() {
    let mut scene = Scene::new().await;
    scene.ask("r1", "read", None).await;
    let (_, settle) = scene.wanted().await;
    let outcome = Outcome::text(Status::Completed, "x".repeat(300 * 1024));
    settle.send(outcome).unwrap();
    let answer = scene.far.hear_a("tool_result").await;
    assert_eq!(answer["truncated"], true);
    let said = answer["content"][0]["text"].as_str().unwrap();
    assert!(said.len() <= 256 * 1024);
    // So is one of many blocks.
    for (blocks, told, truncated) in [(128, 128, Value::Null), (129, 128, json!(true))] {
        scene.ask("r2", "read", None).await;
        let (_, settle) = scene.wanted().await;
        let mut outcome = Outcome::ok("");
        outcome.content = vec![Content::text("x"); blocks];
        settle.send(outcome).unwrap();
        let answer = scene.far.hear_a("tool_result").await;
        assert_eq!(answer["content"].as_array().unwrap().len(), told);
        assert_eq!(answer["truncated"], truncated);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_within_a_call_knows_its_chain() {
    let mut scene = Scene::new().await;
    let (called, parent) = scene.within(&["task", "outer"]).await;
    scene.ask("r1", "read", Some(&parent)).await;
    let (wanted, settle) = scene.wanted().await;
    assert_eq!(wanted.chain, ["task", "outer"]);
    settle.send(Outcome::failed("no such file")).unwrap();
    assert_eq!(scene.refused("r1").await, "no such file");
    let frame = json!({"id": parent});
    scene.far.answer(&frame, "done").await;
    assert_eq!(text(&called.outcome().await), "done");
    scene.ask("r2", "read", Some(&parent)).await;
    assert!(
        scene.refused("r2").await.contains("parent_id"),
        "it expired"
    );
}

#[tokio::test(start_paused = true)]
async fn a_chain_has_four_calls_and_no_name_twice() {
    let mut scene = Scene::new().await;
    let (_one, parent) = scene.within(&["one", "two", "outer"]).await;
    scene.ask("r1", "one", Some(&parent)).await;
    let why = scene.refused("r1").await;
    assert!(why.contains("one → two → outer"), "{why}");
    scene.ask("r2", "four", Some(&parent)).await;
    let (_wanted, _settle) = scene.wanted().await;
    let (_two, parent) = scene.within(&["one", "two", "three", "outer"]).await;
    scene.ask("r3", "five", Some(&parent)).await;
    let why = scene.refused("r3").await;
    assert!(why.contains("at most 4 calls"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn during_a_call_a_request_names_the_one_it_is_for() {
    let mut scene = Scene::new().await;
    let (called, parent) = scene.within(&["outer"]).await;
    scene.ask("r1", "read", None).await;
    assert!(scene.refused("r1").await.contains("parent_id must name"));
    scene.ask("r2", "read", Some(&json!("call-999"))).await;
    assert!(
        scene
            .refused("r2")
            .await
            .contains("not the id of a tool_call")
    );
    scene.far.answer(&json!({"id": parent}), "done").await;
    called.outcome().await;
    scene.ask("r3", "read", None).await;
    scene.wanted().await;
}

#[tokio::test(start_paused = true)]
async fn whoever_is_cancelled_takes_along_what_it_started() {
    let mut scene = Scene::new().await;
    let (called, parent) = scene.within(&["outer"]).await;
    scene.ask("r1", "read", Some(&parent)).await;
    let (wanted, _settle) = scene.wanted().await;
    called.cancel.cancel();
    assert_eq!(called.outcome().await.status, Status::Cancelled);
    wanted.cancel.cancelled().await;
    assert_eq!(scene.refused("r1").await, "given up");
}

#[tokio::test(start_paused = true)]
async fn an_answer_takes_along_what_was_started_for_it() {
    let mut scene = Scene::new().await;
    let (called, parent) = scene.within(&["outer"]).await;
    scene.ask("r1", "read", Some(&parent)).await;
    let (wanted, _settle) = scene.wanted().await;
    scene.far.answer(&json!({"id": parent}), "never mind").await;
    called.outcome().await;
    wanted.cancel.cancelled().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_can_be_taken_back_once() {
    let mut scene = Scene::new().await;
    scene.ask("r1", "read", None).await;
    let (wanted, _settle) = scene.wanted().await;
    let cancel = json!({"type": "call_tool_cancel", "id": "r1"});
    for _ in 0..2 {
        scene.far.say(cancel.clone()).await;
    }
    wanted.cancel.cancelled().await;
    assert_eq!(scene.refused("r1").await, "given up");
    scene.far.say(cancel).await;
    scene.far.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn an_extension_that_goes_gives_its_calls_up() {
    let mut scene = Scene::new().await;
    scene.ask("r1", "read", None).await;
    let (wanted, _settle) = scene.wanted().await;
    drop(scene.far);
    wanted.cancel.cancelled().await;
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_asked_for_is_refused_with_the_reason() {
    let mut scene = Scene::new().await;
    let call = |id: &str, more: Value| {
        let mut frame = json!({"type": "call_tool", "id": id, "name": "read", "args": {}});
        frame
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        frame
    };
    scene.far.say(call("r1", json!({}))).await;
    let (_wanted, _settle) = scene.wanted().await;
    for (id, more, why) in [
        ("r1", json!({}), "no result yet"),
        ("", json!({}), "1 to 256 bytes"),
        ("r2", json!({"args": [1]}), "must be an object"),
        ("r3", json!({"key": "a/b"}), "no /"),
        ("r3", json!({"key": "a\u{0}b"}), "no NUL"),
        ("r3", json!({"key": "k".repeat(129)}), "128 bytes"),
        (
            "r4",
            json!({"name": "n".repeat(4_000_000)}),
            "so long a name",
        ),
    ] {
        scene.far.say(call(id, more)).await;
        let said = scene.refused(id).await;
        assert!(said.contains(why), "{said}");
        scene.rig.diagnostic("a", why);
    }
    scene.far.say(call(&"i".repeat(257), json!({}))).await;
    for n in 0..63 {
        let key = json!({"key": "k".repeat(128)});
        scene.far.say(call(&format!("n{n}"), key)).await;
        scene.wanted().await;
    }
    scene.far.say(call("more", json!({}))).await;
    assert!(scene.refused("more").await.contains("64 calls"));
}

#[tokio::test(start_paused = true)]
async fn without_the_capability_or_a_conversation_nothing_is_called() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let call = json!({"type": "call_tool", "id": "r1", "name": "read", "args": {}});
    a.say(call.clone()).await;
    let answer = a.hear_a("tool_result").await;
    let said = answer["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("hello.capabilities"), "{said}");
    let mut rig = Rig::of(&["b"]);
    let mut b = rig.meet("b").await;
    b.say(json!({"type": "hello", "name": "b", "capabilities": ["call_tool"]}))
        .await;
    b.hear_a("hello_ack").await;
    b.say(call).await;
    let answer = b.hear_a("tool_result").await;
    let said = answer["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("no conversation is open"), "{said}");
}
