//! The order in which a face hears of calls and questions.

use std::path::PathBuf;

use zeug_engine::{Approval, Consent, Limits, Setup};
use zeug_hook::{PermissionDecision, PermissionSource, PermissionStage};
use zeug_rpc_protocol::Event as Shown;
use zeug_stdx::json::RawJson;
use zeug_stdx::reply::{self, Answer};
use zeug_tool::{Filter, Origin, Source, Table};

use super::*;
use crate::Level;
use crate::journal::{Desk, Opened};

/// A model that is never asked.
struct Nobody;

#[async_trait::async_trait]
impl zeug_provider::Provider for Nobody {
    fn key(&self) -> &str {
        "nobody"
    }

    async fn stream(
        &self,
        _: zeug_provider::Request,
        _: tokio_util::sync::CancellationToken,
    ) -> Result<zeug_provider::DeltaStream, zeug_provider::Failure> {
        Ok(Box::pin(futures::stream::empty()))
    }
}

struct Scene {
    events: mpsc::Sender<Event>,
    asks: mpsc::Sender<Ask>,
    news: mpsc::Sender<News>,
    flushes: mpsc::Sender<oneshot::Sender<()>>,
    from: Option<Sources>,
    shared: Arc<Shared>,
}

impl Scene {
    fn new() -> Self {
        let (events, from_events) = mpsc::channel(64);
        let (asks, from_asks) = mpsc::channel(64);
        let (news, from_news) = mpsc::channel(64);
        let (flushes, from_flushes) = mpsc::channel(1);
        let opened = Opened::unkept();
        let facts = zeug_ext_host::Facts {
            version: "1".into(),
            provider: "nobody".into(),
            model: "puppet".into(),
            cwd: "/".into(),
            session_id: "s".into(),
            session: None,
        };
        let setup = Setup {
            provider: Arc::new(Nobody),
            model: "puppet".into(),
            reasoning: None,
            tools: Table::new(Filter::All),
            board: Arc::default(),
            system_prompt: "".into(),
            cwd: Arc::new(PathBuf::from("/")),
            session_id: "s".into(),
            history: Vec::new(),
            spent: zeug_transcript::Usage::default(),
            approval: Approval::Always,
            can_ask: true,
            can_interact: false,
            limits: Limits::default(),
        };
        let standing = Standing::new(&setup, opened.info);
        let (engine, ..) = zeug_engine::start(setup);
        Self {
            events,
            asks,
            news,
            flushes,
            from: Some(Sources {
                engine,
                events: from_events,
                asks: from_asks,
                news: from_news,
                flushes: from_flushes,
            }),
            shared: Arc::new(Shared {
                asks: Asks::new(true),
                standing,
                clerk: Clerk::at(Desk::new(None, opened.book)),
                ears: Ears::of(None, facts),
                surface: Mutex::default(),
                reloading: AtomicBool::new(false),
            }),
        }
    }

    async fn call(&self, id: &str) {
        let called = Event::ToolCall {
            id: id.into(),
            name: "bash".into(),
            args: Ok(RawJson::empty_object()),
            origin: Origin::Model,
        };
        self.events.send(called).await.unwrap();
    }

    async fn ask(&self, id: &str) -> Answer<Consent> {
        let (reply, answer) = reply::channel(Consent::No);
        let ask = Ask::Approve {
            call_id: id.into(),
            name: "bash".into(),
            source: Source::BuiltIn,
            origin: Origin::Model,
            agent: None,
            summary: "ls".into(),
            preview: None,
            reason: None,
            reply,
        };
        self.asks.send(ask).await.unwrap();
        answer
    }

    async fn decide(&self, id: &str) {
        let decided = Event::PermissionDecision(PermissionDecision {
            call_id: id.into(),
            tool: "bash".into(),
            decision: "cancelled",
            source: PermissionSource::User,
            stage: PermissionStage::PreExecution,
            reason: None,
            origin_extension: None,
        });
        self.events.send(decided).await.unwrap();
    }

    /// Everything that was announced, as the face hears it.
    async fn heard(mut self) -> (Vec<String>, Vec<String>) {
        let (notices, mut heard) = mpsc::channel(64);
        let from = self.from.take().unwrap();
        let shared = Arc::clone(&self.shared);
        drop(self);
        run(Vec::new(), from, Arc::clone(&shared), notices).await;
        let mut all = Vec::new();
        while let Some(notice) = heard.recv().await {
            all.push(match notice {
                Notice::Event(Shown::ToolCall { id, .. }) => format!("call {id}"),
                Notice::Event(Shown::ToolConfirmationRequested { tool_id, .. }) => {
                    format!("ask {tool_id}")
                }
                Notice::Event(Shown::PermissionDecision { tool_id, .. }) => {
                    format!("decision {tool_id}")
                }
                other => format!("{other:?}"),
            });
        }
        (all, shared.asks.waiting())
    }
}

#[tokio::test]
async fn a_question_comes_after_its_call_and_before_its_decision() {
    // Which queue is looked at first is chance.
    for _ in 0..50 {
        let scene = Scene::new();
        scene.call("a").await;
        scene.call("b").await;
        let mut answers = Vec::new();
        for id in ["b", "a"] {
            answers.push(scene.ask(id).await);
        }
        scene.decide("b").await;
        let (heard, waiting) = scene.heard().await;
        let at = |what: &str| heard.iter().position(|heard| heard == what).unwrap();
        for id in ["a", "b"] {
            assert!(
                at(&format!("call {id}")) < at(&format!("ask {id}")),
                "{heard:?}"
            );
        }
        assert!(at("ask b") < at("decision b"), "{heard:?}");
        assert_eq!(waiting, ["a"], "{heard:?}");
    }
}

#[tokio::test]
async fn a_question_about_a_call_that_is_not_shown_is_shown_nevertheless() {
    let scene = Scene::new();
    let answer = scene.ask("of a sub-agent").await;
    let (heard, _) = scene.heard().await;
    assert_eq!(heard, ["ask of a sub-agent"]);
    drop(answer);
}

#[tokio::test]
async fn whoever_asks_for_it_knows_that_all_news_is_told() {
    let mut scene = Scene::new();
    let (notices, mut heard) = mpsc::channel(64);
    let from = scene.from.take().unwrap();
    let carried = tokio::spawn(run(Vec::new(), from, Arc::clone(&scene.shared), notices));
    for n in 0..20 {
        let note = News::Note {
            extension: "x".into(),
            level: zeug_ext_host::Level::Warn,
            text: n.to_string(),
        };
        scene.news.send(note).await.unwrap();
    }
    let (done, flushed) = oneshot::channel();
    scene.flushes.send(done).await.unwrap();
    flushed.await.unwrap();
    for n in 0..20 {
        let Ok(Notice::Note { level, text, .. }) = heard.try_recv() else {
            panic!("{n} is not there");
        };
        assert_eq!((level, text), (Level::Warn, n.to_string()));
    }
    drop(scene);
    carried.await.unwrap();
}

#[tokio::test]
async fn what_happened_before_a_prompt_ended_is_told_before_its_end() {
    // Which queue is looked at first is chance.
    for _ in 0..50 {
        let scene = Scene::new();
        let gone = News::Gone {
            extension: "x".into(),
            message: "exit status 3".into(),
        };
        scene.news.send(gone).await.unwrap();
        let engine = &scene.from.as_ref().unwrap().engine;
        let prompt = engine.prompt(Prompt::text("x")).await.unwrap();
        let done = Event::Done {
            prompt,
            outcome: zeug_engine::DoneOutcome::Finished,
        };
        scene.events.send(done).await.unwrap();
        let (heard, _) = scene.heard().await;
        let at = |what: &str| heard.iter().position(|heard| heard.contains(what)).unwrap();
        assert!(at("exit status 3") < at("Done"), "{heard:?}");
    }
}
