//! A server on this machine that speaks to one client after the other and remembers what it heard.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::grammar::{Act, Grammar};

/// How a server answers.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// It refuses everybody, and says aloud what it was sent.
    TellsTales,
    /// With this text.
    Says(&'static str),
    /// With the next of these turns, in this grammar.
    Plays(Grammar, &'static [&'static [Act]]),
    /// In Anthropic's grammar: with signed reasoning, and then it wants `glob`. Once it has the
    /// result, with a text.
    Thinks,
}

/// The proof that a server gives of its reasoning.
pub(crate) const SIGNATURE: &str = "c2lnbmVkIGJ5IHRoZSBzZXJ2ZXI=";

/// What a client sent.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    /// `POST /v1/messages`
    pub(crate) line: String,
    /// Names in small letters.
    headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Heard {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The server; it ends with the test.
pub(crate) struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Server {
    /// Refuses everybody, and says aloud what it was sent.
    pub(crate) fn telling_tales() -> Self {
        Self::with(Manner::TellsTales)
    }

    /// Answers each prompt with `text`, in the grammar of the path it came to.
    pub(crate) fn saying(text: &'static str) -> Self {
        Self::with(Manner::Says(text))
    }

    /// Reasons, with a [`SIGNATURE`], before it calls `glob` and then answers `thought`.
    pub(crate) fn thinking() -> Self {
        Self::with(Manner::Thinks)
    }

    /// Answers the nth request with the nth of these turns.
    pub(crate) fn playing(grammar: Grammar, turns: &'static [&'static [Act]]) -> Self {
        Self::with(Manner::Plays(grammar, turns))
    }

    fn with(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that breaks off has seen enough.
                drop(serve(stream, manner, &ears));
            }
        });
        Self { port, heard }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// The only request.
    #[track_caller]
    pub(crate) fn one(&self) -> Heard {
        let heard = self.heard();
        assert_eq!(heard.len(), 1, "{heard:#?}");
        heard[0].clone()
    }
}

fn serve(stream: TcpStream, manner: Manner, ears: &Mutex<Vec<Heard>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (status, (kind, answer)) = match manner {
        Manner::TellsTales => {
            let message = format!("wrong key: {line} {headers:?}");
            let told = json!({"error": {"message": message, "type": "authentication_error"}});
            ("401 Unauthorized", ("application/json", told.to_string()))
        }
        Manner::Says(text) => ("200 OK", answer(&line, text)),
        Manner::Thinks => ("200 OK", thought(&body)),
        Manner::Plays(grammar, turns) => {
            let played = ears.lock().unwrap().len();
            let turn = turns.get(played).copied().unwrap_or_default();
            let kind = match grammar {
                Grammar::Ollama => "application/x-ndjson",
                _ => EVENTS,
            };
            ("200 OK", (kind, grammar.body(turn)))
        }
    };
    ears.lock().unwrap().push(Heard {
        line,
        headers,
        body,
    });
    write!(
        reader.into_inner(),
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
        answer.len()
    )
}

const EVENTS: &str = "text/event-stream";

/// An answer with reasoning and a call, or the text after the result.
fn thought(body: &Value) -> (&'static str, String) {
    let last = body["messages"].as_array().and_then(|all| all.last());
    let content = last.map(|last| &last["content"]);
    let has_result = content.is_some_and(|content| content.to_string().contains("tool_result"));
    let block = |index: usize, block: Value, deltas: Vec<Value>| {
        let start = json!({"type": "content_block_start", "index": index, "content_block": block});
        let deltas = deltas
            .into_iter()
            .map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta}));
        let stop = json!({"type": "content_block_stop", "index": index});
        std::iter::once(start)
            .chain(deltas)
            .chain([stop])
            .collect::<Vec<_>>()
    };
    let (mut blocks, stop) = if has_result {
        let text = json!({"type": "text", "text": ""});
        let said = json!({"type": "text_delta", "text": "thought"});
        (block(0, text, vec![said]), "end_turn")
    } else {
        let thinking = json!({"type": "thinking", "thinking": "", "signature": ""});
        let words = json!({"type": "thinking_delta", "thinking": "which files are there"});
        let signed = json!({"type": "signature_delta", "signature": SIGNATURE});
        let call = json!({"type": "tool_use", "id": "toolu_1", "name": "glob", "input": {}});
        let args = json!({"type": "input_json_delta", "partial_json": "{\"pattern\":\"*\"}"});
        let mut blocks = block(0, thinking, vec![words, signed]);
        blocks.extend(block(1, call, vec![args]));
        (blocks, "tool_use")
    };
    let mut events = vec![json!({"type": "message_start", "message": {"id": "msg_1",
        "type": "message", "role": "assistant", "content": [], "model": "m",
        "usage": {"input_tokens": 5, "output_tokens": 1}}})];
    events.append(&mut blocks);
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": stop},
        "usage": {"output_tokens": 5}}),
    );
    events.push(json!({"type": "message_stop"}));
    (EVENTS, lines(&events))
}

fn lines(events: &[Value]) -> String {
    let line = |event: &Value| {
        let kind = event["type"].as_str().unwrap_or_default();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    events.iter().map(line).collect()
}

fn answer(line: &str, text: &str) -> (&'static str, String) {
    if line.starts_with("GET") {
        let models = json!({"object": "list", "data": [
            {"id": "tiny-one", "object": "model", "created": 1, "owned_by": "me"},
            {"id": "evil\u{1b}[2Jtwo", "object": "model", "created": 1, "owned_by": "me"},
        ]});
        return ("application/json", models.to_string());
    }
    if line.ends_with("/v1/messages") {
        let events = [
            json!({"type": "message_start", "message": {"id": "msg_1", "type": "message",
                "role": "assistant", "content": [], "model": "m",
                "usage": {"input_tokens": 5, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "text_delta", "text": text}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 5}}),
            json!({"type": "message_stop"}),
        ];
        return (EVENTS, lines(&events));
    }
    let chunk = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        let chunk = json!({"id": "c1", "object": "chat.completion.chunk", "created": 1,
            "model": "m", "choices": [choice]});
        format!("data: {chunk}\n\n")
    };
    let said = chunk(json!({"role": "assistant", "content": text}), Value::Null);
    let ended = chunk(json!({}), json!("stop"));
    (EVENTS, said + &ended + "data: [DONE]\n\n")
}
