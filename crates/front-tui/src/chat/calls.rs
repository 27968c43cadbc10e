//! Tool calls of the conversation, from the first letter of their arguments to their results.

use std::time::{Duration, Instant};

use zeug_paint::tool::{Call, State};
use zeug_paint::{Entry, Kind};
use zeug_rpc_protocol::Block;
use zeug_transcript::Status;

use super::pictures::has_images;
use super::{Chat, Source, attachment};

/// What a running tool says of its progress is kept up to so many bytes; older lines go.
const PROGRESS_BYTES: usize = 8 * 1024;

/// A call that has not settled.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) id: String,
    pub(super) entry: usize,
    /// When its tool began to run.
    since: Option<Instant>,
}

impl Chat {
    pub(super) fn begin(&mut self, id: String, name: &str, args: &str, owner: Option<&str>) {
        self.finish();
        let name = match owner {
            None => name.to_owned(),
            Some(owner) => format!("{owner}: {name}"),
        };
        let mut call = Call::new(name, args);
        call.key.clone_from(&self.key);
        call.fold.is_open = self.is_unfolded;
        let entry = self.push(Entry::tool(call));
        self.open.push(Open {
            id,
            entry,
            since: None,
        });
    }

    pub(super) fn called(&mut self, id: String, name: &str, args: String, owner: Option<&str>) {
        match self.call(&id).filter(|call| call.state == State::Written) {
            Some(call) => call.args = args,
            None => self.begin(id, name, &args, owner),
        }
    }

    /// The oldest open call of an id.
    pub(super) fn call(&mut self, id: &str) -> Option<&mut Call> {
        let at = self.open.iter().find(|open| open.id == id)?.entry;
        self.list.get_mut(at).and_then(Entry::call_mut)
    }

    /// What an open call is about, on one line.
    pub(crate) fn summary(&mut self, id: &str) -> Option<String> {
        self.call(id).map(|call| call.summary())
    }

    pub(super) fn state(&mut self, id: &str, state: State) {
        if let Some(call) = self.call(id) {
            call.state = state;
        }
    }

    /// Its tool begins to run.
    pub(super) fn runs(&mut self, id: &str, now: Instant) {
        self.state(id, State::Running);
        if let Some(open) = self.open.iter_mut().find(|open| open.id == id) {
            open.since = Some(now);
        }
    }

    pub(super) fn progress(&mut self, id: &str, text: &str) {
        let Some(call) = self.call(id) else {
            return;
        };
        if !call.progress.is_empty() {
            call.progress.push('\n');
        }
        call.progress.push_str(text.trim_end_matches('\n'));
        let over = call.progress.len().saturating_sub(PROGRESS_BYTES);
        if over > 0 {
            let mut from = over;
            while !call.progress.is_char_boundary(from) {
                from += 1;
            }
            call.progress.drain(..from);
        }
    }

    pub(super) fn settled(&mut self, id: &str, status: Status, content: &[Block], now: Instant) {
        let Some(at) = self.open.iter().position(|open| open.id == id) else {
            return;
        };
        let open = self.open.remove(at);
        if let Some(call) = self.list.get_mut(open.entry).and_then(Entry::call_mut) {
            call.state = State::Settled(status);
            call.output = written(content);
            call.progress.clear();
            call.elapsed = open.since.map(|since| now.duration_since(since));
        }
        if has_images(content) {
            self.await_images(open.entry, Source::Call(id.to_owned()));
        }
    }

    /// Running calls show how long they take by now; whether there are some.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        let mut is_running = false;
        for open in &self.open {
            let Some(since) = open.since else { continue };
            is_running = true;
            // Whole seconds, so that most ticks change nothing.
            let elapsed = Duration::from_secs(now.duration_since(since).as_secs());
            let known = match self.list.get(open.entry).map(Entry::kind) {
                Some(Kind::Tool(call)) => call.elapsed,
                _ => continue,
            };
            if known != Some(elapsed)
                && let Some(call) = self.list.get_mut(open.entry).and_then(Entry::call_mut)
            {
                call.elapsed = Some(elapsed);
            }
        }
        is_running
    }
}

/// A result as text.
fn written(content: &[Block]) -> String {
    let parts = content.iter().filter_map(|block| match block {
        Block::Text { text } => Some(text.clone()),
        block => attachment(block).map(|image| format!("[{image}]")),
    });
    parts.collect::<Vec<_>>().join("\n")
}
