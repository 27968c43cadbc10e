//! A key is nowhere to be read: not in errors, not in what interceptors print, not in URLs.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use zeug_providers::http::{
    Inbound, Interceptor, Memory, Outbound, Refused, Reply, TransportError,
};

use crate::kit::grammar::Grammar;
use crate::kit::{KEY, Talk, described, saying};

#[tokio::test]
async fn a_key_that_a_server_repeats_is_masked_in_the_failure() {
    let body = format!("{{\"error\":{{\"message\":\"bad key {KEY} for you\"}}}}");
    let broken = |text: String| Reply::refused(TransportError::Broken(text));
    for (grammar, provider, model) in Grammar::ALL {
        let event = match grammar {
            Grammar::Ollama => format!("{{\"error\":\"bad key {KEY} for you\"}}\n"),
            Grammar::Anthropic => format!(
                "data: {}\n\n",
                body.replacen('{', "{\"type\":\"error\",", 1)
            ),
            _ => format!("data: {body}\n\n"),
        };
        for reply in [
            Reply::json(400, body.clone()),
            Reply::status(400).bytes(format!("<p>{KEY}</p>")),
            Reply::events(event),
            broken(format!("error sending request for https://h/?key={KEY}")),
            broken(format!("Authorization: Bearer {KEY}")),
        ] {
            let memory = Memory::new([reply]);
            let failure = Talk::new(provider, model, &memory)
                .user("Go.")
                .failure()
                .await;
            let shown = format!("{failure} {failure:?}");
            assert!(!shown.contains(KEY), "{provider}: {shown}");
            assert!(shown.contains("***"), "{provider}: {shown}");
        }
    }
}

#[tokio::test]
async fn the_key_is_in_one_header_and_the_url_has_none() {
    for (grammar, provider, model) in Grammar::ALL {
        let memory = Memory::new([saying(grammar, "ok")]);
        Talk::new(provider, model, &memory)
            .user("Go.")
            .answer()
            .await;
        let request = memory.seen().remove(0);
        assert!(!request.url.contains(KEY), "{provider}: {}", request.url);
        assert!(!request.url.contains("key="), "{provider}: {}", request.url);
        let carries = request
            .headers
            .iter()
            .filter(|header| header.value.contains(KEY));
        let carriers: Vec<_> = carries.collect();
        assert_eq!(carriers.len(), 1, "{provider}");
        assert!(carriers[0].secret);
        let shown = format!("{request:?}");
        assert!(!shown.contains(KEY), "{shown}");
    }
}

#[tokio::test]
async fn a_key_that_a_model_read_in_a_file_stays_in_its_words() {
    let said: &'static str = format!("Your key is {KEY}.").leak();
    for (grammar, provider, model) in Grammar::ALL {
        let memory = Memory::new([saying(grammar, said)]);
        let answer = Talk::new(provider, model, &memory)
            .user("Go.")
            .answer()
            .await;
        assert_eq!(answer.text(""), said, "{provider}");
    }
}

/// Prints all it sees, as somebody who searches for a mistake would.
#[derive(Default)]
struct Curious(Mutex<String>);

#[async_trait]
impl Interceptor for Curious {
    fn name(&self) -> &str {
        "curious"
    }

    async fn request(&self, outbound: &mut Outbound) -> Result<(), Refused> {
        let shown = format!("{outbound:?}");
        self.0.lock().unwrap().push_str(&shown);
        Ok(())
    }

    async fn response(&self, inbound: &Inbound<'_>) {
        let shown = format!("{inbound:?}");
        self.0.lock().unwrap().push_str(&shown);
    }
}

#[tokio::test]
async fn what_an_interceptor_prints_has_no_key() {
    let curious = Arc::new(Curious::default());
    let reply = saying(Grammar::Gemini, "ok").header("set-cookie", "session=hidden");
    let memory = Memory::new([reply]);
    let mut connect = described("gemini", "m", &memory);
    connect.headers = vec![("X-Custom".into(), "Token team-secret-42".into())];
    connect.http.interceptors.push(curious.clone());
    Talk::of(connect).user("Go.").answer().await;
    let shown = curious.0.lock().unwrap().clone();
    for secret in [KEY, "team-secret-42", "session=hidden"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert!(
        shown.contains("gemini") && shown.contains("x-custom"),
        "{shown}"
    );
}
