//! Events to ten subscribers that count them, against the same bytes pushed into ten queues
//! before ten children that count lines.
//!
//! A queue holds 256 frames and disconnects whoever lets it overflow. An engine never comes near:
//! it waits for a model. This bench has nothing to wait for, so it goes on only when the slowest
//! subscriber has confirmed all but the last [`WINDOW`] events. Subscribers confirm each 32nd one
//! with a note, which is the only way back that the protocol gives them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bytes::Bytes;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::mpsc;
use zeug_ext_host::News;
use zeug_ext_protocol::ToExtension;
use zeug_ext_protocol::event::{Event, Payload};
use zeug_ext_wire::{Limits, Sender, channel, write_loop};
use zeug_hook::Observation;
use zeug_process::Handle;
use zeug_stdx::json::RawJson;

use crate::effort::Effort;
use crate::guest::CONFIRM_EVERY;
use crate::house::{self, Guest, House};
use crate::payload;
use crate::row::Row;
use crate::samples::Samples;

const SUBSCRIBERS: usize = 10;

/// Most events that one subscriber may have ahead of it: below the 256 of a queue.
const WINDOW: u64 = 192;

/// Nothing is lost, or the bench ends with an error after this.
const PATIENCE: Duration = Duration::from_secs(20);

/// All in all: the encoding, once for ten, beside ten writes and twenty wake-ups.
const LIMIT: f64 = 1.5;

/// What the engine itself waits for: encode once and push ten times, against pushing alone.
const LIMIT_ANNOUNCE: f64 = 5.0;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let runtime = house::runtime()?;
    runtime.block_on(async move { tokio::spawn(measure(effort)).await? })
}

async fn measure(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let dir = house::logs()?;
    let house = House::open(Guest::ours(SUBSCRIBERS, "counter", &[])?, dir.path())?;
    house.ready().await?;
    let (host, board) = (house.host, house.board);
    let mut events = Course::new(confirmed_by_notes(house.news));
    let args = RawJson::from_value(&payload::args(100));
    let observation = Observation::ToolCall {
        call_id: "toolu_01A2b3C4d5".to_owned(),
        tool: "bash".to_owned(),
        args: Ok(args),
        origin_extension: None,
    };
    let line = same_bytes()?;
    let (queues, _children, confirmed) = ten_queues()?;
    let mut pushes = Course::new(confirmed);

    // 100,000 events in 25 slices.
    let slices = effort.pick(25, 2);
    let slice = effort.pick(4_000, 320) as u64;
    for _ in 0..slices {
        events.slice(slice, || board.announce(&observation)).await?;
        pushes
            .slice(slice, || {
                for queue in &queues {
                    drop(queue.push(line.clone()));
                }
            })
            .await?;
    }
    host.stop().await;
    let name = format!("event to {SUBSCRIBERS} subscribers");
    let whole = Row::new(
        format!("{name}, until confirmed"),
        &Samples::new(events.whole),
        format!("bytes into {SUBSCRIBERS} queues"),
        &Samples::new(pushes.whole),
    );
    let announce = Row::new(
        format!("{name}, announce only"),
        &Samples::new(events.announce),
        format!("push into {SUBSCRIBERS} queues only"),
        &Samples::new(pushes.announce),
    );
    Ok(vec![whole.limit(LIMIT), announce.limit(LIMIT_ANNOUNCE)])
}

/// An event frame as the host makes it of the observation.
fn same_bytes() -> anyhow::Result<Bytes> {
    let frame = ToExtension::Event(Event {
        event: "tool_call".to_owned(),
        session_id: Some("0190e4c2-0000-7000-8000-000000000000".to_owned()),
        cwd: Some("/home/someone/project".to_owned()),
        sequence: Some(10_000),
        payload: Payload {
            tool_id: Some("toolu_01A2b3C4d5".to_owned()),
            tool_name: Some("bash".to_owned()),
            tool_args: Some(payload::args(100)),
            ..Payload::default()
        },
        ..Event::default()
    });
    Ok(frame.encode()?.into())
}

/// Who has received how many.
type Confirmed = mpsc::Receiver<(usize, String)>;

/// Ten queues with their writers, before ten children that count lines.
fn ten_queues() -> anyhow::Result<(Vec<Sender>, Vec<Handle>, Confirmed)> {
    let spawner = house::spawner()?;
    let (say, confirmed) = mpsc::channel(256);
    let (mut queues, mut children) = (Vec::new(), Vec::new());
    for number in 0..SUBSCRIBERS {
        let child = spawner.spawn(house::bare(&["tally"])?)?;
        let (queue, outgoing) = channel(Limits::default());
        tokio::spawn(write_loop(child.stdin.context("no stdin")?, outgoing));
        let say = say.clone();
        let mut lines = BufReader::new(child.stdout).lines();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                if say.send((number, line)).await.is_err() {
                    return;
                }
            }
        });
        queues.push(queue);
        children.push(child.handle);
    }
    Ok((queues, children, confirmed))
}

/// The notes of the host's extensions.
fn confirmed_by_notes(mut news: mpsc::Receiver<News>) -> Confirmed {
    let (say, confirmed) = mpsc::channel(256);
    tokio::spawn(async move {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        while let Some(news) = news.recv().await {
            let (extension, text) = match news {
                News::Note {
                    extension, text, ..
                } => (extension, text),
                News::Gone { extension, message } => (extension, message),
                _ => continue,
            };
            let next = numbers.len();
            let number = *numbers.entry(extension).or_insert(next);
            if say.send((number, text)).await.is_err() {
                return;
            }
        }
    });
    confirmed
}

/// Sends as fast as the slowest confirms, and takes the times.
struct Course {
    confirmed: Confirmed,
    counts: [u64; SUBSCRIBERS],
    sent: u64,
    /// Of each slice: time per event until everybody confirmed everything.
    whole: Vec<f64>,
    /// Of each event: time in the call that sends it.
    announce: Vec<f64>,
}

impl Course {
    fn new(confirmed: Confirmed) -> Self {
        Self {
            confirmed,
            counts: [0; SUBSCRIBERS],
            sent: 0,
            whole: Vec::new(),
            announce: Vec::new(),
        }
    }

    /// Sends so many, a multiple of what is confirmed at a time, and waits for all receipts.
    async fn slice(&mut self, events: u64, mut send: impl FnMut()) -> anyhow::Result<()> {
        debug_assert_eq!(
            events % CONFIRM_EVERY,
            0,
            "the last ones are never confirmed"
        );
        let start = Instant::now();
        for _ in 0..events {
            self.until_behind_by(WINDOW - 1).await?;
            let before = Instant::now();
            send();
            self.announce.push(before.elapsed().as_nanos() as f64);
            self.sent += 1;
        }
        self.until_behind_by(0).await?;
        self.whole
            .push(start.elapsed().as_nanos() as f64 / events as f64);
        Ok(())
    }

    /// Waits until the slowest lacks `most` events at most.
    async fn until_behind_by(&mut self, most: u64) -> anyhow::Result<()> {
        while self.sent - self.counts.iter().min().copied().unwrap_or(0) > most {
            let said = tokio::time::timeout(PATIENCE, self.confirmed.recv()).await;
            let Ok(Some((number, text))) = said else {
                bail!(
                    "events were lost: {} sent, received {:?}",
                    self.sent,
                    self.counts
                );
            };
            let count = text
                .parse()
                .ok()
                .with_context(|| format!("subscriber {number} says: {text}"))?;
            self.counts[number] = count;
        }
        Ok(())
    }
}
