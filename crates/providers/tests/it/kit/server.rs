//! A server that does exactly what a script says, byte by byte, on a socket of this machine.
//!
//! HTTP is written by hand: a proper server would not split, cut and stall as it is told.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio_util::task::AbortOnDropHandle;

/// One thing the server does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Do {
    /// Status line and headers, with a chunked body to come.
    Head(u16, Vec<(&'static str, String)>),
    /// A chunk of the body.
    Chunk(Vec<u8>),
    /// A chunk written in pieces of this size, each flushed by itself.
    Pieces(Vec<u8>, usize),
    /// The proper end of the body.
    End,
    /// The end of the connection, in the middle of everything.
    Cut,
    /// Nothing more, until the client is gone.
    Stall,
}

pub(crate) const EVENTS: &str = "text/event-stream";

/// An answer of events.
pub(crate) fn events(body: &str) -> Vec<Do> {
    vec![head(200, EVENTS), Do::Chunk(body.into()), Do::End]
}

pub(crate) fn head(status: u16, kind: &str) -> Do {
    Do::Head(status, vec![("content-type", kind.to_owned())])
}

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// When a client went away during a [`Do::Stall`].
    gone: Mutex<mpsc::Receiver<Instant>>,
    stalled: Arc<Notify>,
    _running: AbortOnDropHandle<()>,
}

impl Server {
    /// Answers the requests in this order, whatever connection they come on.
    pub(crate) async fn start(answers: Vec<Vec<Do>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers = Arc::new(Mutex::new(answers.into_iter()));
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let stalled = Arc::new(Notify::new());
        let (tell, gone) = mpsc::channel(16);
        let running = tokio::spawn({
            let (seen, stalled) = (seen.clone(), stalled.clone());
            async move {
                let mut connections = tokio::task::JoinSet::new();
                while let Ok((stream, _)) = listener.accept().await {
                    let (answers, seen) = (answers.clone(), seen.clone());
                    let (tell, stalled) = (tell.clone(), stalled.clone());
                    connections.spawn(async move {
                        let mut connection = Connection {
                            stream,
                            tell,
                            stalled,
                        };
                        while let Some(request) = connection.request().await {
                            seen.lock().unwrap().push(request);
                            let answer = answers.lock().unwrap().next();
                            let Some(answer) = answer else { return };
                            if !connection.answer(answer).await {
                                return;
                            }
                        }
                    });
                }
            }
        });
        Self {
            url,
            seen,
            gone: Mutex::new(gone),
            stalled,
            _running: AbortOnDropHandle::new(running),
        }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until an answer stalls.
    pub(crate) async fn stalled(&self) {
        tokio::time::timeout(Duration::from_secs(10), self.stalled.notified())
            .await
            .expect("a stall");
    }

    /// When the client of a stalled answer went away.
    pub(crate) async fn gone(&self) -> Instant {
        let mut gone = {
            let (_, empty) = mpsc::channel(1);
            std::mem::replace(&mut *self.gone.lock().unwrap(), empty)
        };
        tokio::time::timeout(Duration::from_secs(10), gone.recv())
            .await
            .expect("the client goes away")
            .unwrap()
    }
}

struct Connection {
    stream: TcpStream,
    tell: mpsc::Sender<Instant>,
    stalled: Arc<Notify>,
}

impl Connection {
    /// The next request; `None` when the client is gone.
    async fn request(&mut self) -> Option<Seen> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            self.more(&mut bytes).await?;
            // Somebody wants to speak TLS.
            if bytes[0] == 0x16 {
                return None;
            }
        };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let length = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")
                    .map(|n| n.trim().parse::<usize>().unwrap())
            })
            .unwrap_or(0);
        while bytes.len() < end + length {
            self.more(&mut bytes).await?;
        }
        let (line, headers) = head.split_once("\r\n").unwrap();
        Some(Seen {
            line: line.to_owned(),
            headers: headers.to_owned(),
            body: bytes[end..].to_vec(),
        })
    }

    async fn more(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let mut piece = [0; 64 * 1024];
        match self.stream.read(&mut piece).await {
            Ok(0) | Err(_) => None,
            Ok(n) => {
                bytes.extend_from_slice(&piece[..n]);
                Some(())
            }
        }
    }

    /// Whether the connection lives on.
    async fn answer(&mut self, answer: Vec<Do>) -> bool {
        for step in answer {
            let bytes = match step {
                Do::Head(status, headers) => {
                    let headers: String = headers
                        .iter()
                        .map(|(name, value)| format!("{name}: {value}\r\n"))
                        .collect();
                    format!("HTTP/1.1 {status} X\r\n{headers}transfer-encoding: chunked\r\n\r\n")
                        .into_bytes()
                }
                Do::Chunk(body) => chunk(&body),
                Do::Pieces(body, size) => {
                    for piece in body.chunks(size) {
                        if self.stream.write_all(&chunk(piece)).await.is_err() {
                            return false;
                        }
                        self.stream.flush().await.unwrap();
                        // Lets the client read this piece before the next one.
                        tokio::task::yield_now().await;
                    }
                    continue;
                }
                Do::End => b"0\r\n\r\n".to_vec(),
                Do::Cut => return false,
                Do::Stall => {
                    self.stalled.notify_one();
                    let mut byte = [0];
                    // The client sends nothing any more: this ends when it closes.
                    let _ = self.stream.read(&mut byte).await;
                    let _ = self.tell.send(Instant::now()).await;
                    return false;
                }
            };
            if self.stream.write_all(&bytes).await.is_err() {
                return false;
            }
        }
        true
    }
}

fn chunk(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{:x}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes.extend_from_slice(b"\r\n");
    bytes
}
