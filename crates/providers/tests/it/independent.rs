//! The wires against a server that somebody else wrote: `@copilotkit/aimock` from npm, a mock of
//! many providers' APIs.
//!
//! `npm install --prefix DIR @copilotkit/aimock`, then `ZEUG_FAKE_LLM=DIR/node_modules/.bin/llmock`,
//! or have `llmock` on the `PATH`. Skipped by name where it is not installed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::TcpStream;
use zeug_process::{Child, Spawner, Spec, StopLadder, Watchdog};
use zeug_provider::FailureKind;
use zeug_providers::{Api, Connect, Key};
use zeug_transcript::{Part, StopReason};

use crate::kit::{KEY, Talk, plain};

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string"}}}"#;

/// The server's program, where it is installed.
#[expect(
    clippy::disallowed_methods,
    reason = "the switch of a test, not of the product"
)]
fn program() -> Option<PathBuf> {
    let named = std::env::var_os("ZEUG_FAKE_LLM").map(PathBuf::from);
    named
        .filter(|path| path.is_file())
        .or_else(|| which::which("llmock").ok())
}

struct Fake {
    url: String,
    child: Child,
}

impl Fake {
    /// `None` where it is not installed; the test says that it is skipped.
    #[expect(clippy::print_stdout, reason = "clippy knows test functions only")]
    async fn start(test: &str) -> Option<Self> {
        let Some(program) = program() else {
            println!("skipped: {test}: no llmock (npm package @copilotkit/aimock) on this machine");
            return None;
        };
        let port = {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/independent");
        let fixtures = fixtures.join("fixtures.json");
        let spec = Spec::new(program, env!("CARGO_TARGET_TMPDIR")).args([
            "--port".into(),
            port.to_string(),
            "--fixtures".into(),
            fixtures.display().to_string(),
            "--log-level".into(),
            "silent".into(),
        ]);
        let child = Spawner::new(Watchdog::Off).spawn(spec).unwrap();
        let ready = async {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let limit = Duration::from_secs(20);
        tokio::time::timeout(limit, ready)
            .await
            .expect("llmock listens");
        let url = format!("http://127.0.0.1:{port}");
        Some(Self { url, child })
    }

    fn wires(&self) -> Vec<(&'static str, Connect)> {
        let of = |provider: &str, model: &str, path: &str| Connect {
            base_url: Some(format!("{}{path}", self.url)),
            key: Some(Key::new(KEY)),
            ..Connect::new(provider, model)
        };
        vec![
            ("anthropic", of("anthropic", "claude-opus-4-6", "")),
            ("responses", of("openai-responses", "gpt-5.2", "/v1")),
            ("chat", of("openai", "gpt-5.2", "/v1")),
            ("openrouter", of("openrouter", "openai/gpt-5.2", "/api/v1")),
            ("gemini", of("gemini", "gemini-3-flash-preview", "")),
            ("ollama", of("ollama", "qwen3", "")),
            (
                "own",
                Connect {
                    api: Some(Api::Anthropic),
                    ..of("mine", "m", "")
                },
            ),
        ]
    }

    async fn stop(self) {
        self.child.handle.stop(StopLadder::AT_ONCE).await;
    }
}

fn says(connect: &Connect, words: &str) -> Talk {
    Talk::of(connect.clone()).user(words).tool("read", SCHEMA)
}

#[tokio::test]
async fn an_independent_server_streams_text_and_parallel_calls() {
    let test = "an_independent_server_streams_text_and_parallel_calls";
    let Some(fake) = Fake::start(test).await else {
        return;
    };
    for (name, connect) in fake.wires() {
        let talk = says(&connect, "read both").play().await;
        let said = match talk.request.messages.last() {
            Some(zeug_transcript::Message::Assistant(said)) => said.clone(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(said.stop, StopReason::ToolUse, "{name}");
        assert_eq!(said.text(""), "Reading both of them.", "{name}");
        let thought = plain(&said).into_iter().find_map(|part| match part {
            Part::Thinking { text, .. } => Some(text),
            _ => None,
        });
        println!("{name}: reasoning {thought:?}, usage {:?}", said.usage);
        let calls: Vec<_> = said.tool_calls().map(|call| call.args.as_str()).collect();
        assert_eq!(
            calls,
            [r#"{"path":"a.rs"}"#, r#"{"path":"b.rs"}"#],
            "{name}"
        );
        let end = talk.ok(0, "fn a() {}").ok(1, "fn b() {}").answer().await;
        assert_eq!(end.text(""), "Both are fine. äöü 世界 🦀", "{name}");
        assert_eq!(end.stop, StopReason::EndTurn, "{name}");
    }
    fake.stop().await;
}

#[tokio::test]
async fn an_independent_server_says_what_is_wrong() {
    let test = "an_independent_server_says_what_is_wrong";
    let Some(fake) = Fake::start(test).await else {
        return;
    };
    for (name, connect) in fake.wires() {
        for (words, status, kind, said) in [
            ("too fast", 429, FailureKind::RateLimited, "slow down"),
            ("who am I", 401, FailureKind::Authentication, "nobody"),
            ("break", 500, FailureKind::Server, "broken"),
        ] {
            let failure = says(&connect, words).failure().await;
            assert_eq!(failure.kind, kind, "{name}: {failure:?}");
            assert_eq!(failure.status, Some(status), "{name}: {failure:?}");
            assert_eq!(failure.message, said, "{name}: {failure:?}");
            if status == 429 {
                println!("{name}: retry after {:?}", failure.retry_after);
            }
        }
    }
    fake.stop().await;
}
