//! Who stands between us and a server sees and changes what passes.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use zeug_provider::FailureKind;
use zeug_providers::http::{
    HttpSettings, Inbound, Interceptor, Memory, Outbound, Refused, Reply, Timeouts,
};
use zeug_providers::{Connect, ConnectError, Key, connect};

use crate::kit::grammar::Grammar;
use crate::kit::{Talk, body, described, last_body, saying};

/// Does as it is told, and writes down what it saw.
struct Told {
    name: &'static str,
    change: fn(&mut Outbound) -> Result<(), Refused>,
    seen: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Interceptor for Told {
    fn name(&self) -> &str {
        self.name
    }

    async fn request(&self, outbound: &mut Outbound) -> Result<(), Refused> {
        let url = outbound.url.clone();
        let line = format!("{} {} {url}", self.name, outbound.method);
        self.seen.lock().unwrap().push(line);
        (self.change)(outbound)
    }

    async fn response(&self, inbound: &Inbound<'_>) {
        let id = inbound.headers.get("request-id").unwrap_or("-");
        let line = format!("{} {} {id}", self.name, inbound.status);
        self.seen.lock().unwrap().push(line);
    }
}

type Change = fn(&mut Outbound) -> Result<(), Refused>;

fn intercepted(
    memory: &Memory,
    changes: &[(&'static str, Change)],
) -> (Connect, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let mut connect = described("anthropic", "claude-opus-4-6", memory);
    for (name, change) in changes {
        let seen = seen.clone();
        let told = Told {
            name,
            change: *change,
            seen,
        };
        connect.http.interceptors.push(Arc::new(told));
    }
    (connect, seen)
}

#[tokio::test]
async fn interceptors_change_requests_in_order_and_see_every_status() {
    let first: Change = |outbound| {
        outbound.url = "https://gateway/v1/messages".into();
        outbound.headers.set("x-trace", "1");
        outbound.body["metadata"] = json!({"user_id": "u"});
        Ok(())
    };
    let second: Change = |outbound| {
        assert_eq!(outbound.headers.get("x-trace"), Some("1"));
        outbound.body["metadata"]["more"] = json!(true);
        outbound.headers.remove("user-agent");
        Ok(())
    };
    let refused = Reply::json(529, "{}").header("request-id", "r1");
    let memory = Memory::new([refused, saying(Grammar::Anthropic, "ok")]);
    let (connect, seen) = intercepted(&memory, &[("one", first), ("two", second)]);
    let talk = Talk::of(connect).user("Go.");
    assert_eq!(talk.failure().await.kind, FailureKind::Overloaded);
    talk.answer().await;
    assert_eq!(
        *seen.lock().unwrap(),
        [
            "one POST https://api.anthropic.com/v1/messages",
            "two POST https://gateway/v1/messages",
            "one 529 r1",
            "two 529 r1",
            "one POST https://api.anthropic.com/v1/messages",
            "two POST https://gateway/v1/messages",
            "one 200 -",
            "two 200 -",
        ]
    );
    let request = memory.seen().remove(1);
    assert_eq!(request.url, "https://gateway/v1/messages");
    assert_eq!(request.headers.get("user-agent"), None);
    assert_eq!(
        body(&request)["metadata"],
        json!({"user_id": "u", "more": true})
    );
}

#[tokio::test]
async fn an_interceptor_can_stop_a_request() {
    let stop: Change = |_| Err(Refused("not on Sundays".into()));
    let memory = Memory::default();
    let (connect, _) = intercepted(&memory, &[("calendar", stop)]);
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert_eq!(failure.message, "stopped by calendar: not on Sundays");
    assert!(memory.seen().is_empty());
}

#[tokio::test]
async fn headers_of_a_description_win() {
    let memory = Memory::new([saying(Grammar::Anthropic, "ok")]);
    let mut connect = described("anthropic", "claude-opus-4-6", &memory);
    connect.headers = vec![
        ("User-Agent".into(), "mine/1".into()),
        ("anthropic-version".into(), "2099-01-01".into()),
    ];
    Talk::of(connect).user("Go.").answer().await;
    let request = memory.seen().remove(0);
    assert_eq!(request.headers.get("user-agent"), Some("mine/1"));
    assert_eq!(request.headers.get("anthropic-version"), Some("2099-01-01"));
}

#[tokio::test(start_paused = true)]
async fn a_stalled_answer_is_given_up_after_two_minutes() {
    let body = Grammar::Chat.body(&[crate::kit::grammar::Act::Text("Hello")]);
    let half = body[..body.find("llo").unwrap()].to_owned();
    for reply in [Reply::status(200).stalled(), Reply::events(half).stalled()] {
        let memory = Memory::new([reply]);
        let before = tokio::time::Instant::now();
        let (_, failure) = Talk::new("openrouter", "m", &memory)
            .user("Go.")
            .pieces()
            .await;
        let failure = failure.unwrap();
        assert_eq!(failure.kind, FailureKind::Network);
        assert_eq!(failure.message, "nothing more came for 120 s");
        assert_eq!(before.elapsed(), Timeouts::default().idle);
    }
}

fn refused(description: Connect) -> ConnectError {
    connect(description).err().unwrap()
}

#[test]
fn a_description_that_lacks_something_says_what() {
    let plain = |provider: &str, model: &str| Connect::new(provider, model);
    let unknown = refused(plain("antropic", "m")).to_string();
    assert!(unknown.contains("did you mean \"anthropic\"?"), "{unknown}");
    let key = refused(plain("anthropic", "m")).to_string();
    assert!(key.contains("ANTHROPIC_API_KEY"), "{key}");
    let keyed = |provider: &str| Connect {
        key: Some(Key::new("k")),
        ..plain(provider, "m")
    };
    assert!(matches!(
        refused(keyed("azure")),
        ConnectError::NoBaseUrl { .. }
    ));
    let model = Connect {
        model: String::new(),
        ..keyed("anthropic")
    };
    assert!(matches!(refused(model), ConnectError::NoModel { .. }));
    let url = Connect {
        base_url: Some("localhost:80".into()),
        ..keyed("openai")
    };
    assert!(matches!(refused(url), ConnectError::BadBaseUrl { .. }));
    let headers = vec![("bad name".into(), "x".into())];
    assert!(matches!(
        refused(Connect {
            headers,
            ..keyed("openai")
        }),
        ConnectError::BadHeader { .. }
    ));
    assert!(connect(plain("ollama", "qwen3")).is_ok());
    assert_eq!(connect(keyed("google")).unwrap().key(), "gemini");
}

#[tokio::test]
async fn openai_at_another_address_speaks_chat_unless_told_otherwise() {
    let chat = "https://h/v1/chat/completions";
    let responses = "https://h/v1/responses";
    let home = "https://api.openai.com/v1";
    for (provider, base_url, grammar, expect) in [
        (
            "openai",
            Some("https://h/v1"),
            Grammar::Chat,
            chat.to_owned(),
        ),
        (
            "openai",
            None,
            Grammar::Responses,
            format!("{home}/responses"),
        ),
        (
            "openai-chat",
            None,
            Grammar::Chat,
            format!("{home}/chat/completions"),
        ),
        (
            "openai-chat",
            Some("https://h"),
            Grammar::Chat,
            chat.to_owned(),
        ),
        (
            "openai-responses",
            Some("https://h/v1/"),
            Grammar::Responses,
            responses.to_owned(),
        ),
    ] {
        let memory = Memory::new([saying(grammar, "ok")]);
        let connect = Connect {
            base_url: base_url.map(str::to_owned),
            ..described(provider, "m", &memory)
        };
        let said = Talk::of(connect).user("Go.").answer().await;
        assert_eq!(said.text(""), "ok");
        assert_eq!(memory.seen()[0].url, expect, "{provider} {base_url:?}");
    }
}

#[tokio::test]
async fn a_server_of_ones_own_may_speak_any_grammar() {
    for (word, grammar, path) in [
        ("anthropic", Grammar::Anthropic, "https://h/v1/messages"),
        (
            "openai-responses",
            Grammar::Responses,
            "https://h/v1/responses",
        ),
        (
            "openai-chat",
            Grammar::Chat,
            "https://h/v1/chat/completions",
        ),
        (
            "gemini",
            Grammar::Gemini,
            "https://h/v1beta/models/m:streamGenerateContent?alt=sse",
        ),
        ("ollama", Grammar::Ollama, "https://h/api/chat"),
    ] {
        let memory = Memory::new([saying(grammar, "ok")]);
        let connect = Connect {
            base_url: Some("https://h".into()),
            api: zeug_providers::Api::parse(word),
            ..described("mine", "m", &memory)
        };
        let talk = Talk::of(connect).user("Go.");
        assert_eq!(talk.answer().await.text(""), "ok", "{word}");
        assert_eq!(talk.provider.key(), "mine");
        assert_eq!(memory.seen()[0].url, path);
    }
}

#[tokio::test]
async fn a_model_that_sees_nothing_is_told_where_an_image_was() {
    let memory = Memory::new([saying(Grammar::Chat, "ok")]);
    let connect = Connect {
        base_url: Some("https://h".into()),
        images: Some(false),
        ..described("mine", "m", &memory)
    };
    let image = zeug_transcript::Image::from_bytes("image/png", &[1, 2, 3]);
    let content = vec![zeug_transcript::Content::Image(image)];
    Talk::of(connect).said(content).answer().await;
    let sent: Value = last_body(&memory);
    assert_eq!(
        sent["messages"][0]["content"],
        "[an image that this model cannot see]"
    );
    assert!(HttpSettings::default().interceptors.is_empty());
}
