//! What an extension hears of a sub-agent, in frames.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use zeug_ext_host::{Body, Connection, Connector, Facts, Host, HostLimits, Invite, LaunchFailure};

use crate::kit::{Does, Rig, call, calls, says, soon, task};

/// Connects once.
struct Plug(Mutex<Option<Connection>>);

#[async_trait]
impl Connector for Plug {
    async fn connect(&self) -> Result<Connection, LaunchFailure> {
        let connection = self.0.lock().unwrap().take();
        connection.ok_or_else(|| LaunchFailure("it is gone".to_owned()))
    }
}

/// The far end: an extension.
struct Far {
    ears: Lines<BufReader<ReadHalf<DuplexStream>>>,
    mouth: WriteHalf<DuplexStream>,
}

impl Far {
    fn new() -> (Self, Plug) {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(near);
        let (ears, mouth) = tokio::io::split(far);
        let plug = Plug(Mutex::new(Some(Connection {
            reader: Box::new(reader),
            writer: Box::new(writer),
            body: Body::None,
        })));
        let ears = BufReader::new(ears).lines();
        (Self { ears, mouth }, plug)
    }

    async fn say(&mut self, frame: Value) {
        let line = format!("{frame}\n");
        self.mouth.write_all(line.as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = soon(self.ears.next_line()).await.unwrap();
        serde_json::from_str(&line.expect("the host hung up")).unwrap()
    }
}

/// A host with one extension that hears these events.
async fn host(rig: &Rig, events: &[&str]) -> (Host, Far) {
    let (mut far, plug) = Far::new();
    let (host, news) = Host::start(zeug_ext_host::Setup {
        invites: vec![Invite {
            name: "a".to_owned(),
            dir: PathBuf::from("/ext/a"),
            data_dir: PathBuf::from("/data/a"),
            restart_on_crash: false,
            on_failure: None,
            connector: Arc::new(plug),
            log: None,
        }],
        limits: HostLimits::default(),
        table: rig.setup.tools.clone(),
        board: Arc::clone(&rig.setup.board),
        facts: Facts {
            version: "0.1.0".to_owned(),
            provider: "fake".to_owned(),
            model: "m1".to_owned(),
            cwd: "/project".to_owned(),
            session_id: "s1".to_owned(),
            session: None,
        },
    });
    drop(news);
    far.say(json!({"type": "hello", "protocol_version": 2, "name": "a", "version": "1"}))
        .await;
    assert_eq!(far.hear().await["type"], "hello_ack");
    far.say(json!({"type": "subscribe", "events": events}))
        .await;
    far.say(json!({"type": "ready"})).await;
    host.settled().await;
    (host, far)
}

#[tokio::test(start_paused = true)]
async fn a_compaction_is_two_events_of_one_id() {
    let rig = Rig::new(vec![("go", vec![says("ok")])]);
    let (host, mut far) = host(&rig, &["pre_compact", "post_compact"]).await;
    let mut agent = rig.start();
    agent.run("go").await;
    let compacting = agent.handle.clone();
    let compacting = tokio::spawn(async move { compacting.compact().await });
    soon(compacting).await.unwrap().unwrap();
    let (pre, post) = (far.hear().await, far.hear().await);
    assert_eq!(
        (&pre["event"], &post["event"]),
        (&json!("pre_compact"), &json!("post_compact"))
    );
    assert_eq!(pre["compaction_id"], post["compaction_id"]);
    assert_eq!(
        (&pre["message_count"], &pre["token_estimate"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        (&post["status"], post.get("error")),
        (&json!("completed"), None)
    );
    assert_eq!((pre.get("status"), pre.get("agent_id")), (None, None));
    host.stop().await;
}

#[tokio::test(start_paused = true)]
async fn every_event_of_a_sub_agent_says_which_one_and_how_deep() {
    let rig = Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "scout", "look")]), says("thanks")],
        ),
        (
            "look",
            vec![calls(&[call("k1", "echo", "{}")]), says("found")],
        ),
    ])
    .tool("echo", Does::Echo);
    let events = [
        "subagent_start",
        "subagent_stop",
        "tool_call",
        "turn_end",
        "session_start",
    ];
    let (host, mut far) = host(&rig, &events).await;
    let mut agent = rig.start();
    agent.run("go").await;
    let mut frames = Vec::new();
    for _ in 0..9 {
        frames.push(far.hear().await);
    }
    let heard: Vec<String> = frames
        .iter()
        .map(|f| format!("{} {}", f["event"].as_str().unwrap(), f["depth"]))
        .collect();
    assert_eq!(
        heard,
        [
            "session_start null",
            "tool_call null",
            "turn_end null",
            "subagent_start 1",
            "tool_call 1",
            "turn_end 1",
            "turn_end 1",
            "subagent_stop 1",
            "turn_end null",
        ]
    );
    let start = &frames[3];
    assert_eq!(start["name"], "scout");
    assert_eq!(start["session_id"], "s1", "its agent's conversation");
    for frame in &frames[3..8] {
        assert_eq!(frame["agent_id"], start["agent_id"], "{frame}");
        assert_eq!(frame["agent_run_id"], start["agent_run_id"], "{frame}");
    }
    assert!(start["agent_id"].is_string() && start["agent_run_id"].is_string());
    assert_eq!(frames[7]["status"], "completed");
    assert!(frames[8].get("agent_id").is_none());
    host.stop().await;
}
