//! Extensions that never take part, and what the user is told about them.

use std::sync::Arc;

use zeug_ext_host::{Connection, Connector, LaunchFailure};

use crate::kit::*;

/// What is announced about a guest whose output begins with `bytes`.
async fn failure_of(bytes: &[u8]) -> String {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.write(bytes).await;
    let message = failed(&mut rig).await;
    assert_eq!(a.hear_out().await, [""; 0], "nothing was said to it");
    message
}

async fn failed(rig: &mut Rig) -> String {
    let News::Failed { extension, message } = rig.next_news().await else {
        panic!("another announcement")
    };
    assert_eq!(extension, "a");
    let state = State::Failed(message.clone());
    until("it has failed", || rig.state("a") == state).await;
    message
}

#[tokio::test(start_paused = true)]
async fn a_version_that_nobody_speaks_is_refused_with_both_numbers() {
    for (version, shown) in [(3, "3"), (-1, "-1"), (99, "99")] {
        let hello =
            format!("{{\"type\":\"hello\",\"protocol_version\":{version},\"name\":\"a\"}}\n");
        let message = failure_of(hello.as_bytes()).await;
        let expect =
            format!("unsupported extension protocol version {shown} (this host speaks 1 and 2)");
        assert!(message.contains(&expect), "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_say_hello_first_is_refused() {
    let check = async |line: &[u8], expect: &str| {
        let message = failure_of(&[line, b"\n"].concat()).await;
        assert!(message.contains(expect), "{message}");
    };
    check(
        br#"{"type":"notify","message":"hi"}"#,
        r#"first frame must be hello (got "notify")"#,
    )
    .await;
    check(br#"{"type":"future"}"#, r#"(got "future")"#).await;
    check(b"", "first frame must be hello").await;
    check(b"\xff\xfe", "first frame must be hello").await;
    check(b"good morning", "parse hello").await;
    check(b"[1,2]", "parse hello").await;
    check(br#"{"name":"a"}"#, "parse hello").await;
    check(br#"{"type":"hello"}"#, "parse hello").await;
    check(br#"{"type":"hello","name":""}"#, "name is empty").await;
    check(
        br#"{"type":"hello","name":"a","protocol_version":"2"}"#,
        "parse hello",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_names_the_directory() {
    let message = failure_of(b"good morning\n").await;
    assert!(message.contains("/ext/a"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_line_over_the_limit_in_place_of_hello_is_refused() {
    let limits = HostLimits {
        wire: zeug_ext_wire::Limits {
            frame_bytes: 100,
            ..HostLimits::default().wire
        },
        ..HostLimits::default()
    };
    let mut rig = Rig::with(vec![Seat::new("a")], limits, zeug_tool::Table::default());
    let mut a = rig.meet("a").await;
    a.line(&"x".repeat(101)).await;
    let message = failed(&mut rig).await;
    assert!(message.contains("longer than 100 bytes"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_guest_is_given_up_after_30_s() {
    let mut rig = Rig::of(&["a"]);
    let start = Instant::now();
    let mut a = rig.meet("a").await;
    rig.host.settled().await;
    took(start, s(30));
    let message = failed(&mut rig).await;
    assert!(message.contains("no hello within 30 s"), "{message}");
    assert_eq!(a.hear_out().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn half_a_hello_is_no_hello() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.write(br#"{"type":"hello","na"#).await;
    let start = Instant::now();
    rig.host.settled().await;
    took(start, s(30));
}

#[tokio::test(start_paused = true)]
async fn whoever_hangs_up_before_hello_is_given_up_soon() {
    for begun in [&b""[..], br#"{"type":"hello","na"#] {
        let mut rig = Rig::of(&["a"]);
        let mut a = rig.meet("a").await;
        a.write(begun).await;
        a.shut_mouth();
        let start = Instant::now();
        rig.host.settled().await;
        assert!(start.elapsed() <= s(1) + ms(3), "{:?}", start.elapsed());
        let message = failed(&mut rig).await;
        assert!(
            message.contains("closed stdout before hello without exiting"),
            "{message}"
        );
    }
}

/// Never arrives, or fails at once.
struct NoWay(Option<&'static str>);

#[async_trait::async_trait]
impl Connector for NoWay {
    async fn connect(&self) -> Result<Connection, LaunchFailure> {
        match self.0 {
            Some(why) => Err(LaunchFailure(why.to_owned())),
            None => std::future::pending().await,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_cannot_be_started_is_reported_and_the_others_go_on() {
    let mut rig = Rig::new(vec![
        Seat {
            connector: Some(Arc::new(NoWay(Some("no such file: ./run")))),
            ..Seat::new("a")
        },
        Seat::new("b"),
    ]);
    let message = failed(&mut rig).await;
    assert!(message.contains("no such file: ./run"), "{message}");
    rig.joined("b", &[]).await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_never_comes_about_is_given_up_after_30_s() {
    let mut rig = Rig::new(vec![Seat {
        connector: Some(Arc::new(NoWay(None))),
        ..Seat::new("a")
    }]);
    let start = Instant::now();
    let settled = tokio::time::timeout(s(60), rig.host.settled()).await;
    assert!(settled.is_ok(), "the start waits for ever");
    took(start, s(30));
    failed(&mut rig).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_guest_does_not_hold_the_others_up() {
    let mut rig = Rig::of(&["a", "b"]);
    let _a = rig.meet("a").await;
    let start = Instant::now();
    let mut b = rig
        .joined("b", &[json!({"type": "register_tool", "name": "look"})])
        .await;
    let call = rig.call("look", "{}");
    let frame = b.hear_a("tool_call").await;
    b.answer(&frame, "seen").await;
    assert_eq!(text(&call.outcome().await), "seen");
    assert_eq!(start.elapsed(), ms(0));
}
