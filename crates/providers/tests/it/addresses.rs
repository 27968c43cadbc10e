//! Over real sockets: where requests go, and where they do not.

use zeug_provider::FailureKind;
use zeug_providers::{Connect, Key, live_models};

use crate::kit::grammar::{Act, Grammar};
use crate::kit::server::{Do, Server, events, head};
use crate::kit::{KEY, Talk};

const ACTS: [Act; 2] = [Act::Text("Hi."), Act::Stop];

#[tokio::test]
async fn a_key_does_not_follow_to_another_host() {
    let thief = Server::start(vec![events(&Grammar::Chat.body(&ACTS))]).await;
    let moved = Do::Head(
        307,
        vec![("location", format!("{}/v1/chat/completions", thief.url))],
    );
    let server = Server::start(vec![vec![moved, Do::End]]).await;
    let connect = Connect {
        base_url: Some(server.url.clone()),
        key: Some(Key::new(KEY)),
        ..Connect::new("openai", "local")
    };
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.status, Some(307));
    assert!(thief.seen().is_empty());
}

#[tokio::test]
async fn nobody_there_is_said_with_the_address() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let connect = Connect {
        base_url: Some(gone.clone()),
        ..Connect::new("openai", "local")
    };
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.kind, FailureKind::Network);
    let host = gone.strip_prefix("http://").unwrap();
    assert!(failure.message.contains(host), "{failure}");
    assert!(failure.message.contains("refused"), "{failure}");
}

#[tokio::test]
async fn what_speaks_no_tls_is_no_server_for_https() {
    let server = Server::start(vec![events("")]).await;
    let connect = Connect {
        base_url: Some(server.url.replace("http:", "https:")),
        ..Connect::new("openai", "local")
    };
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.kind, FailureKind::Network, "{failure}");
    assert!(
        failure.message.starts_with("no connection to 127.0.0.1"),
        "{failure}"
    );
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_and_exceptions_are_not() {
    let proxy = Server::start(vec![events(&Grammar::Chat.body(&ACTS))]).await;
    let mut connect = Connect {
        base_url: Some("http://model.example/v1".into()),
        ..Connect::new("mine", "m")
    };
    connect.http.proxy.http = Some(proxy.url.clone());
    Talk::of(connect.clone()).user("Go.").answer().await;
    let line = &proxy.seen()[0].line;
    assert!(
        line.starts_with("POST http://model.example/v1/chat/completions "),
        "{line}"
    );

    let direct = Server::start(vec![events(&Grammar::Chat.body(&ACTS))]).await;
    connect.base_url = Some(direct.url.clone());
    connect.http.proxy.no_proxy = Some("127.0.0.1".into());
    Talk::of(connect.clone()).user("Go.").answer().await;
    assert_eq!((proxy.seen().len(), direct.seen().len()), (1, 1));

    connect.http.proxy.http = Some("http://user:hidden-word@".into());
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert!(!failure.to_string().contains("hidden-word"), "{failure}");
}

#[tokio::test]
async fn a_local_server_needs_two_words() {
    let server = Server::start(vec![
        events(&Grammar::Chat.body(&[Act::Text("Hi."), Act::Stop])),
        vec![
            head(200, "application/json"),
            Do::Chunk(br#"{"object":"list","data":[{"id":"local","object":"model"}]}"#.to_vec()),
            Do::End,
        ],
    ])
    .await;
    let connect = Connect {
        base_url: Some(server.url.clone()),
        ..Connect::new("openai", "local")
    };
    let said = Talk::of(connect.clone()).user("Hello.").answer().await;
    assert_eq!(said.text(""), "Hi.");
    let models = live_models(connect).await.unwrap();
    assert_eq!(models[0].full_name(), "openai/local");
    let seen = server.seen();
    assert!(
        !seen[0]
            .headers
            .to_ascii_lowercase()
            .contains("authorization"),
        "{seen:?}"
    );
    assert!(
        seen[1].line.starts_with("GET /v1/models "),
        "{}",
        seen[1].line
    );
}
