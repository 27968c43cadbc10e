//! What is logged, by us and by the library, has no key in it.
//!
//! Alone in its program: whether something is logged is decided once for all threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows test functions, not the functions that they call"
)]

#[path = "../it/kit/mod.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod kit;

use std::sync::{Arc, Mutex};

use tracing_subscriber::filter::LevelFilter;
use zeug_providers::http::{Memory, Reply, TransportError};

use kit::grammar::Grammar;
use kit::{KEY, Talk, saying};

/// A log that keeps everything, the library's own words included.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_log_has_the_key_however_much_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    for (grammar, provider, model) in Grammar::ALL {
        let error = format!("{{\"type\":\"error\",\"error\":{{\"message\":\"bad {KEY}\"}}}}");
        let event = match grammar {
            Grammar::Ollama => format!("{{\"error\":\"bad {KEY}\"}}\n"),
            _ => format!("data: {error}\n\n"),
        };
        let memory = Memory::new([
            saying(grammar, "ok"),
            Reply::json(401, error),
            Reply::events(event),
            Reply::refused(TransportError::Broken(format!("https://h/?key={KEY}"))),
        ]);
        let talk = Talk::new(provider, model, &memory).user("Go.");
        talk.answer().await;
        for _ in 0..3 {
            talk.failure().await;
        }
    }
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let leaks: Vec<&str> = text.lines().filter(|line| line.contains(KEY)).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    assert!(
        text.contains("zeug_providers") && text.contains("rig"),
        "both log: {text}"
    );
}
