//! A client of a face that serves a whole agent.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf,
    WriteHalf, duplex, split,
};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Approval, ModelFacts, Models, Opened, Parts};
use zeug_ext_host::{Facts, HostLimits};
use zeug_front_rpc::{Pipes, Setup, serve};
use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Filter, Spec, Table, Tool};
use zeug_transcript::{Outcome, Status};

pub(crate) struct Client {
    /// `None` after the client closed its end.
    input: Option<WriteHalf<DuplexStream>>,
    output: Option<Lines<BufReader<ReadHalf<DuplexStream>>>>,
    task: JoinHandle<u8>,
    pub(crate) stop: CancellationToken,
    pub(crate) hangup: CancellationToken,
    /// Each permit lets one `hold` go on.
    pub(crate) gate: Arc<Semaphore>,
    /// One permit for each `hold` that runs.
    pub(crate) holding: Arc<Semaphore>,
}

/// How a face is started.
pub(crate) struct Start {
    pub(crate) token: Option<&'static str>,
    /// How much the pipes hold.
    pub(crate) pipe_bytes: usize,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            token: None,
            pipe_bytes: 64 * 1024,
        }
    }
}

impl Client {
    pub(crate) fn new() -> Self {
        Self::start(Start::default())
    }

    pub(crate) fn start(start: Start) -> Self {
        let (input, their_input) = duplex(start.pipe_bytes);
        let (output, their_output) = duplex(start.pipe_bytes);
        let (_, input) = split(input);
        let (output, _) = split(output);
        let gate = Arc::new(Semaphore::new(0));
        let holding = Arc::new(Semaphore::new(0));
        let parts = parts(&gate, &holding);
        let stop = CancellationToken::new();
        let hangup = CancellationToken::new();
        let (stops, hangs_up) = (stop.clone(), hangup.clone());
        let setup = Setup {
            version: "1.2.3".into(),
            token: start.token.map(str::to_owned),
            approval: Approval::Writes,
            interrupted: 130,
        };
        let task = tokio::spawn(async move {
            let (agent, mut notices) = Agent::start(parts);
            let pipes = Pipes {
                input: their_input,
                output: their_output,
                aside: tokio::io::sink(),
            };
            let gone = async move { hangs_up.cancelled().await };
            let code = serve(&agent, &mut notices, pipes, setup, stops, gone).await;
            let drain = async { while notices.recv().await.is_some() {} };
            tokio::join!(agent.quit(), drain);
            code
        });
        Self {
            input: Some(input),
            output: Some(BufReader::new(output).lines()),
            task,
            stop,
            hangup,
            gate,
            holding,
        }
    }

    pub(crate) async fn send(&mut self, line: &str) {
        self.write(&format!("{line}\n")).await;
    }

    pub(crate) async fn write(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).await.unwrap();
    }

    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Reads nothing any more, and lets the face know.
    pub(crate) fn close_output(&mut self) {
        self.output = None;
    }

    /// The next line, `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.output.as_mut().unwrap().next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// Reads up to a line of this type.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().await.unwrap();
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// Asks, and reads up to the response.
    pub(crate) async fn ask(&mut self, line: &str) -> Value {
        self.send(line).await;
        self.until("response").await
    }

    /// Reads up to the end; the lines and the exit code.
    pub(crate) async fn finish(mut self) -> (Vec<Value>, u8) {
        let mut lines = Vec::new();
        while let Some(line) = self.next().await {
            lines.push(line);
        }
        (lines, self.task.await.unwrap())
    }

    /// The exit code, without reading.
    pub(crate) async fn code(self) -> u8 {
        let Self { task, output, .. } = self;
        let code = task.await.unwrap();
        drop(output);
        code
    }

    /// Everything that is there, as text.
    pub(crate) async fn rest(mut self) -> String {
        let mut text = String::new();
        let mut output = self.output.take().unwrap().into_inner();
        output.read_to_string(&mut text).await.unwrap();
        text
    }
}

/// `type` of each line, or the command of a response.
pub(crate) fn kinds(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| match line["type"].as_str().unwrap() {
            "response" => line["command"].as_str().unwrap(),
            other => other,
        })
        .collect()
}

fn parts(gate: &Arc<Semaphore>, holding: &Arc<Semaphore>) -> Parts {
    let table = Table::new(Filter::All);
    let empty = RawJson::parse(r#"{"type":"object"}"#).unwrap();
    let touch = Touch(Spec::built_in("touch", "", empty.clone()));
    let hold = Hold {
        spec: Spec::built_in("hold", "", empty),
        gate: gate.clone(),
        holding: holding.clone(),
    };
    let tools: [Arc<dyn Tool>; 2] = [Arc::new(touch), Arc::new(hold)];
    for tool in tools {
        table.register("zeug", Order::BUILT_IN, tool).unwrap();
    }
    let board = Arc::<zeug_hook::Board>::default();
    Parts {
        models: Arc::new(Shelf),
        inviter: None,
        skills: Arc::default(),
        engine: zeug_engine::Setup {
            provider: zeug_providers::puppet(),
            model: "puppet".into(),
            reasoning: None,
            tools: table.clone(),
            board: board.clone(),
            system_prompt: "".into(),
            cwd: Arc::new(PathBuf::from("/project")),
            session_id: "s1".into(),
            history: Vec::new(),
            spent: zeug_transcript::Usage::default(),
            approval: Approval::Never,
            can_ask: false,
            can_interact: false,
            limits: zeug_engine::Limits::default(),
        },
        host: zeug_ext_host::Setup {
            invites: Vec::new(),
            limits: HostLimits::default(),
            table,
            board,
            facts: Facts {
                version: "1.2.3".into(),
                provider: "puppet".into(),
                model: "puppet".into(),
                cwd: "/project".into(),
                session_id: "s1".into(),
                session: None,
            },
        },
        task: None,
        session: Opened::unkept(),
        first: Vec::new(),
    }
}

/// Changes something, as it says.
struct Touch(Spec);

#[async_trait]
impl Tool for Touch {
    fn spec(&self) -> &Spec {
        &self.0
    }

    async fn preview(&self, _: &Call, _: &Context) -> Result<Option<String>, String> {
        Ok(Some("- old\n+ new".into()))
    }

    async fn execute(&self, _: &Call, _: &Context) -> Outcome {
        Outcome::ok("touched")
    }
}

/// Runs until it is let go on or cancelled.
struct Hold {
    spec: Spec,
    gate: Arc<Semaphore>,
    holding: Arc<Semaphore>,
}

#[async_trait]
impl Tool for Hold {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, _: &Call, cx: &Context) -> Outcome {
        self.holding.add_permits(1);
        tokio::select! {
            permit = self.gate.acquire() => {
                permit.unwrap().forget();
                Outcome::ok("held")
            }
            () = cx.cancel.cancelled() => Outcome::text(Status::Cancelled, "let go"),
        }
    }
}

/// Two models.
#[derive(Debug)]
struct Shelf;

impl Models for Shelf {
    fn of(&self, provider: &str) -> Vec<ModelFacts> {
        assert_eq!(provider, "puppet");
        let model = |name: &str, context_window| ModelFacts {
            name: name.into(),
            context_window,
            ..ModelFacts::default()
        };
        vec![model("puppet", None), model("marionette", Some(1000))]
    }

    fn find(&self, provider: &str, word: &str) -> Result<ModelFacts, String> {
        let mut models = self.of(provider).into_iter();
        let found = models.find(|model| model.name.starts_with(word));
        found.ok_or_else(|| format!("no model {word:?}"))
    }
}
