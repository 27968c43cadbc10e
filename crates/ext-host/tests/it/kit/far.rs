//! An extension as a host sees it: somebody at the far end of two pipes.

use std::task::Poll;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::sync::mpsc;
use tokio::time::timeout;
use zeug_ext_host::{Body, Connection, Connector, LaunchFailure};

use super::{Duration, s};

/// Longer than any deadline that a test waits for.
const IN_VAIN: Duration = s(300);

/// Connects to a new [`Far`] each time.
pub(crate) struct Plug {
    fars: mpsc::Sender<Far>,
    /// What each pipe holds.
    bytes: usize,
}

impl Plug {
    pub(crate) fn new(bytes: usize) -> (Self, mpsc::Receiver<Far>) {
        let (fars, meet) = mpsc::channel(16);
        (Self { fars, bytes }, meet)
    }
}

#[async_trait]
impl Connector for Plug {
    async fn connect(&self) -> Result<Connection, LaunchFailure> {
        let (mouth, reader) = tokio::io::duplex(self.bytes);
        let (writer, ears) = tokio::io::duplex(self.bytes);
        let far = Far {
            mouth: Some(mouth),
            ears: Some(BufReader::new(ears).lines()),
        };
        self.fars
            .send(far)
            .await
            .map_err(|_| LaunchFailure("nobody is at the far end".to_owned()))?;
        Ok(Connection {
            reader: Box::new(reader),
            writer: Box::new(writer),
            body: Body::None,
        })
    }
}

/// One run of an extension. Dropping it closes both pipes: it is gone.
pub(crate) struct Far {
    mouth: Option<DuplexStream>,
    ears: Option<Lines<BufReader<DuplexStream>>>,
}

impl Far {
    /// Writes bytes as they are.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        let mouth = self.mouth.as_mut().expect("the mouth was shut");
        mouth.write_all(bytes).await.expect("the host has hung up");
    }

    /// Writes bytes to a host that may hang up meanwhile.
    pub(crate) async fn try_write(&mut self, bytes: &[u8]) {
        let mouth = self.mouth.as_mut().expect("the mouth was shut");
        drop(mouth.write_all(bytes).await);
    }

    pub(crate) async fn line(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn say(&mut self, frame: Value) {
        self.line(&frame.to_string()).await;
    }

    /// Says all in one piece.
    pub(crate) async fn burst(&mut self, frames: &[Value]) {
        let lines: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
        self.write(lines.as_bytes()).await;
    }

    /// The next line, `None` at the end; the last one may be cut.
    pub(crate) async fn next(&mut self) -> Option<String> {
        let ears = self.ears.as_mut().expect("the ears were shut");
        let line = timeout(IN_VAIN, ears.next_line()).await;
        line.expect("listened in vain").unwrap()
    }

    pub(crate) async fn hear_line(&mut self) -> String {
        self.next().await.expect("the host hung up")
    }

    pub(crate) async fn hear(&mut self) -> Value {
        serde_json::from_str(&self.hear_line().await).unwrap()
    }

    /// The next frame, which must be of this type.
    pub(crate) async fn hear_a(&mut self, kind: &str) -> Value {
        let frame = self.hear().await;
        assert_eq!(frame["type"], kind, "{frame}");
        frame
    }

    /// All frames until the host hangs up.
    pub(crate) async fn hear_out(&mut self) -> Vec<Value> {
        let mut frames = Vec::new();
        while let Some(line) = self.next().await {
            frames.push(serde_json::from_str(&line).unwrap());
        }
        frames
    }

    /// The frames that are there now.
    pub(crate) async fn hear_waiting(&mut self) -> Vec<Value> {
        let mut frames = Vec::new();
        while let Some(ears) = &mut self.ears {
            let mut next = std::pin::pin!(ears.next_line());
            let now = std::future::poll_fn(|cx| Poll::Ready(next.as_mut().poll(cx))).await;
            match now {
                Poll::Ready(Ok(Some(line))) => match serde_json::from_str(&line) {
                    Ok(frame) => frames.push(frame),
                    // The last line may be cut.
                    Err(_) => break,
                },
                _ => break,
            }
        }
        frames
    }

    /// Asserts that the host says nothing for so long.
    pub(crate) async fn hear_nothing(&mut self, span: Duration) {
        let ears = self.ears.as_mut().expect("the ears were shut");
        if let Ok(line) = timeout(span, ears.next_line()).await {
            panic!("heard {line:?}");
        }
    }

    /// Says hello in version 2, with the capability to be told of cancelled calls.
    pub(crate) async fn hello(&mut self, name: &str) {
        self.say(json!({"type": "hello", "protocol_version": 2, "name": name,
            "version": "1.0.0", "capabilities": ["tool_cancel"]}))
            .await;
    }

    /// Hello, ack, `frames`, `ready`.
    pub(crate) async fn join(&mut self, name: &str, frames: &[Value]) {
        self.hello(name).await;
        self.hear_a("hello_ack").await;
        self.burst(frames).await;
        self.say(json!({"type": "ready"})).await;
    }

    /// Answers a frame with text, as the tool that was called.
    pub(crate) async fn answer(&mut self, call: &Value, text: &str) {
        self.say(json!({"type": "tool_result", "id": call["id"],
            "content": [{"type": "text", "text": text}]}))
            .await;
    }

    /// Answers a question with these fields.
    pub(crate) async fn reply(&mut self, question: &Value, fields: Value) {
        let mut answer = json!({"type": "event_intercept_response", "id": question["id"]});
        let fields = fields.as_object().expect("fields").clone();
        answer.as_object_mut().unwrap().extend(fields);
        self.say(answer).await;
    }

    /// Hears a question of this moment and answers it.
    pub(crate) async fn opine(&mut self, moment: &str, fields: Value) -> Value {
        let question = self.hear_a("event_intercept").await;
        assert_eq!(question["event"], moment, "{question}");
        self.reply(&question, fields).await;
        question
    }

    /// Closes the pipe that the host reads.
    pub(crate) fn shut_mouth(&mut self) {
        self.mouth = None;
    }

    /// Closes the pipe that the host writes to.
    pub(crate) fn shut_ears(&mut self) {
        self.ears = None;
    }
}
