//! `hello` and `hello_ack`.

use crate::kit::*;

/// The whole answer to a `hello` with these version fields.
async fn ack_to(version: &str) -> String {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.line(&format!(
        r#"{{"type":"hello",{version}"name":"a","version":"1.0.0","capabilities":["tools"]}}"#
    ))
    .await;
    a.hear_line().await
}

fn ack(number: u32, key: &str) -> String {
    format!(
        r#"{{"type":"hello_ack","protocol_version":{number},"zeug_version":"0.1.0","{key}":"0.1.0","provider":"puppet","model":"puppet-1","cwd":"/project","extension_dir":"/ext/a","data_dir":"/data/a","capabilities":["call_tool","panel_resize","tool_progress","unregister"]}}"#
    )
}

#[tokio::test(start_paused = true)]
async fn version_2_is_answered_as_zut_would() {
    assert_eq!(
        ack_to(r#""protocol_version":2,"#).await,
        ack(2, "zut_version")
    );
}

#[tokio::test(start_paused = true)]
async fn no_version_or_0_or_1_is_answered_as_zot_would() {
    for version in ["", r#""protocol_version":0,"#, r#""protocol_version":1,"#] {
        assert_eq!(ack_to(version).await, ack(1, "zot_version"), "{version}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_ack_comes_before_every_event() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    rig.board.announce(&zeug_hook::Observation::SessionStart);
    a.burst(&[
        json!({"type": "hello", "name": "a"}),
        json!({"type": "subscribe", "events": ["turn_start"]}),
    ])
    .await;
    for step in 1..20 {
        rig.board
            .announce(&zeug_hook::Observation::TurnStart { step });
        tokio::task::yield_now().await;
    }
    rig.caught_up(&mut a).await;
    rig.board
        .announce(&zeug_hook::Observation::TurnStart { step: 20 });
    a.hear_a("hello_ack").await;
    a.hear_a("event").await;
}

#[tokio::test(start_paused = true)]
async fn what_was_written_in_one_burst_with_hello_is_kept() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.burst(&[
        json!({"type": "hello", "name": "a"}),
        json!({"type": "register_tool", "name": "look"}),
        json!({"type": "register_command", "name": "say"}),
        json!({"type": "subscribe", "events": ["turn_start"], "intercept": ["tool_call"]}),
        json!({"type": "ready"}),
    ])
    .await;
    rig.host.settled().await;
    a.hear_a("hello_ack").await;
    let report = rig.report("a");
    assert_eq!(report.state, State::Ready("ready"));
    assert_eq!(report.tools, ["look"]);
    assert_eq!(report.commands, ["say"]);
    assert_eq!(rig.board.tool_call.snapshot().len(), 1);
    assert_eq!(report.diagnostics, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn lines_may_end_as_on_windows() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.write(b"{\"type\":\"hello\",\"name\":\"a\"}\r\n{\"type\":\"ready\"}\r\n")
        .await;
    rig.host.settled().await;
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn the_ack_tells_what_holds_at_that_moment() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    let mut now = facts();
    now.model = "puppet-2".to_owned();
    now.cwd = "/elsewhere".to_owned();
    rig.host.set_facts(now);
    a.hello("a").await;
    let ack = a.hear_a("hello_ack").await;
    assert_eq!(ack["model"], "puppet-2");
    assert_eq!(ack["cwd"], "/elsewhere");
}

#[tokio::test(start_paused = true)]
async fn another_name_in_hello_is_remarked_and_the_invited_one_counts() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.join("b", &[json!({"type": "register_tool", "name": "look"})])
        .await;
    rig.host.settled().await;
    rig.diagnostic("a", "hello.name is \"b\"");
    assert_eq!(rig.table.names(), [("look".to_owned(), "a".to_owned())]);
    let greeting = rig.report("a").greeting.unwrap();
    assert_eq!(
        (greeting.name.as_str(), greeting.version.as_str()),
        ("b", "1.0.0")
    );
    assert_eq!(greeting.protocol_version, 2);
}

#[tokio::test(start_paused = true)]
async fn a_second_hello_is_ignored() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    a.hello("a").await;
    rig.caught_up(&mut a).await;
    rig.diagnostic("a", "second hello ignored");
    a.hear_nothing(s(1)).await;
}
