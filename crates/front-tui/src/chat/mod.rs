//! The conversation on the screen: events become entries of a list.
//!
//! Knows which entry a call has and which text streams. Does not know the keyboard.

mod calls;
mod pictures;
mod replay;

use std::time::Instant;

use zeug_paint::tool::{State, bytes};
use zeug_paint::{Canvas, Entry, Kind, List, Note, Op, User};
use zeug_rpc_protocol::{Block, Event, NoteLevel};
use zeug_transcript::Status;

use calls::Open;
use pictures::{Awaited, has_images};
pub(crate) use pictures::{Source, images};

/// The most bytes of a question beside the conversation.
const ASIDE_BYTES: usize = 512;

/// The conversation.
#[derive(Debug)]
pub(crate) struct Chat {
    list: List<Entry>,
    /// Calls of this conversation that have not settled, the oldest first. A provider may give two
    /// calls the same id.
    open: Vec<Open>,
    /// The entry whose text comes in.
    streaming: Option<usize>,
    /// Whether text of the answer that is coming has been shown.
    has_streamed: bool,
    /// Questions beside the conversation with their answers, which wait for the end of a text.
    asides: Vec<(String, String)>,
    /// Entries that wait for their images.
    awaited: Vec<Awaited>,
    /// The number of the last of them.
    last_awaited: u64,
    /// The entries of start-up and reload failures.
    failures: Vec<usize>,
    /// Where the last exchange begins.
    last_prompt: Option<usize>,
    /// The key that opens and closes, as it is shown.
    key: Option<String>,
    /// Whether the user wants everything unfolded.
    is_unfolded: bool,
}

impl Chat {
    pub(crate) fn new(canvas: Canvas) -> Self {
        Self {
            list: List::new(canvas, 80, 20),
            open: Vec::new(),
            streaming: None,
            has_streamed: false,
            asides: Vec::new(),
            awaited: Vec::new(),
            last_awaited: 0,
            failures: Vec::new(),
            last_prompt: None,
            key: Some("ctrl+o".to_owned()),
            is_unfolded: false,
        }
    }

    pub(crate) fn list(&mut self) -> &mut List<Entry> {
        &mut self.list
    }

    pub(crate) fn apply(&mut self, op: Op) {
        self.list.apply(op);
    }

    pub(crate) fn push(&mut self, entry: Entry) -> usize {
        self.streaming = None;
        self.list.push(entry)
    }

    /// Says something on zeug's behalf, to stay.
    pub(crate) fn note(&mut self, level: NoteLevel, owner: Option<String>, text: String) -> usize {
        self.push(Entry::note(Note { level, owner, text }))
    }

    /// An extension failed: told once, until a good reload.
    pub(crate) fn failed(&mut self, extension: String, message: String) {
        let is_same = |at: &usize| match self.list.get(*at).map(Entry::kind) {
            Some(Kind::Note(note)) => {
                note.owner.as_deref() == Some(&*extension) && note.text == message
            }
            _ => false,
        };
        if self.failures.iter().any(is_same) {
            return;
        }
        let at = self.note(NoteLevel::Error, Some(extension), message);
        self.failures.push(at);
    }

    /// How many failures are told now.
    pub(crate) fn failures(&self) -> usize {
        self.failures.len()
    }

    /// The first so many failures are mended.
    pub(crate) fn mended(&mut self, count: usize) {
        let count = count.min(self.failures.len());
        let mended = self.failures.drain(..count).collect();
        self.remove(mended);
    }

    /// The failures of this extension are mended, or all of them.
    pub(crate) fn mended_of(&mut self, extension: Option<&str>) {
        let list = &self.list;
        let is_of = |at: &usize| match list.get(*at).map(Entry::kind) {
            Some(Kind::Note(note)) => extension.is_none() || note.owner.as_deref() == extension,
            _ => false,
        };
        let mended: Vec<usize> = self.failures.iter().copied().filter(is_of).collect();
        self.failures.retain(|at| !mended.contains(at));
        self.remove(mended);
    }

    /// Takes these entries away, which are in order.
    fn remove(&mut self, mut mended: Vec<usize>) {
        while let Some(at) = mended.pop() {
            self.list.remove(at);
            let shift = |entry: &mut usize| *entry -= usize::from(*entry > at);
            self.open.iter_mut().for_each(|open| shift(&mut open.entry));
            self.failures.iter_mut().for_each(shift);
            let awaited = self.awaited.iter_mut();
            awaited.for_each(|awaited| shift(&mut awaited.entry));
            self.streaming.iter_mut().for_each(shift);
            self.last_prompt.iter_mut().for_each(shift);
        }
    }

    /// Forgets everything that is shown.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.open.clear();
        self.asides.clear();
        self.awaited.clear();
        self.failures.clear();
        self.streaming = None;
        self.last_prompt = None;
    }

    /// Takes in what happened.
    pub(crate) fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::UserMessage { content, .. } => self.user(&content),
            Event::AssistantStart => {
                self.finish();
                self.has_streamed = false;
            }
            Event::TextDelta { delta } => self.stream(&delta, false),
            Event::ThinkingDelta { delta } => self.stream(&delta, true),
            Event::AssistantMessage { content, .. } => self.assistant(&content),
            Event::ToolUseStart { id, name } => self.begin(id, &name, "", None),
            Event::ToolUseArgs { id, delta } => {
                if let Some(call) = self.call(&id) {
                    call.args.push_str(&delta);
                }
            }
            Event::ToolCall {
                id,
                name,
                args,
                args_raw,
                origin_extension,
            } => {
                let args = args_raw.unwrap_or_else(|| args.get().to_owned());
                self.called(id, &name, args, origin_extension.as_deref());
            }
            Event::ToolConfirmationRequested { tool_id, .. } => self.state(&tool_id, State::Asked),
            Event::ToolExecutionStarted { id, .. } => self.runs(&id, now),
            Event::ToolProgress { id, text } => self.progress(&id, &text),
            Event::ToolResult {
                id,
                is_error,
                content,
                status,
                ..
            } => {
                let status = status.unwrap_or(if is_error {
                    Status::Failed
                } else {
                    Status::Completed
                });
                self.settled(&id, status, &content, now);
            }
            Event::Error { message } => {
                self.finish();
                self.note(NoteLevel::Error, None, message);
            }
            Event::TurnEnd { .. } | Event::Done => self.finish(),
            _ => {}
        }
    }

    fn user(&mut self, content: &[Block]) {
        self.finish();
        let text: Vec<&str> = content.iter().filter_map(Block::as_text).collect();
        let mut user = User::new(&text.join("\n"));
        user.attachments = content.iter().filter_map(attachment).collect();
        let entry = self.push(Kind::User(user).into());
        self.last_prompt = Some(entry);
        if has_images(content) {
            self.await_images(entry, Source::User);
        }
    }

    fn stream(&mut self, delta: &str, is_thinking: bool) {
        let fits = |entry: &Entry| match entry.kind() {
            Kind::Assistant(_) => !is_thinking,
            Kind::Thinking(_) => is_thinking,
            _ => false,
        };
        let at = self
            .streaming
            .filter(|at| self.list.get(*at).is_some_and(fits));
        let at = at.unwrap_or_else(|| {
            self.finish();
            let mut entry = if is_thinking {
                Entry::thinking()
            } else {
                Entry::assistant()
            };
            entry.set_open(self.is_unfolded);
            let at = self.push(entry);
            self.streaming = Some(at);
            at
        });
        self.has_streamed |= !is_thinking;
        if let Some(text) = self.list.get_mut(at).and_then(Entry::markdown_mut) {
            text.push(delta);
        }
    }

    /// Nothing more comes for the text that streams.
    fn finish(&mut self) {
        let entry = self.streaming.take().and_then(|at| self.list.get_mut(at));
        if let Some(text) = entry.and_then(Entry::markdown_mut) {
            text.finish();
        }
        for (question, answer) in std::mem::take(&mut self.asides) {
            self.aside(&question, answer);
        }
    }

    /// Something was asked beside the conversation and answered; shown behind the text that streams.
    pub(crate) fn aside(&mut self, question: &str, answer: String) {
        if self.streaming.is_some() {
            self.asides.push((question.to_owned(), answer));
            return;
        }
        let question = zeug_stdx::text::one_line(question, ASIDE_BYTES);
        self.note(NoteLevel::Info, Some("/btw".to_owned()), question);
        self.answer(&answer);
    }

    /// An answer is complete; its text was streamed, or is shown now.
    fn assistant(&mut self, content: &[Block]) {
        let streamed = std::mem::take(&mut self.has_streamed);
        self.finish();
        if streamed {
            return;
        }
        let text: Vec<&str> = content.iter().filter_map(Block::as_text).collect();
        self.answer(&text.join("\n"));
    }

    fn answer(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let mut entry = Entry::assistant();
        if let Some(markdown) = entry.markdown_mut() {
            markdown.push(text);
            markdown.finish();
        }
        self.push(entry);
    }

    /// Opens or closes what is selected, else everything from now on.
    pub(crate) fn toggle(&mut self) {
        if let Some(selection) = self.list.selection() {
            if let Some(entry) = self.list.get_mut(selection.entry)
                && let Some(is_open) = entry.is_open()
            {
                entry.set_open(!is_open);
            }
            return;
        }
        self.is_unfolded = !self.is_unfolded;
        for at in 0..self.list.len() {
            if self.list.get(at).and_then(Entry::is_open) == Some(!self.is_unfolded)
                && let Some(entry) = self.list.get_mut(at)
            {
                entry.set_open(self.is_unfolded);
            }
        }
    }

    /// The last exchange, for the scrollback that stays: lines at a width.
    pub(crate) fn last_exchange(&mut self, width: usize) -> Vec<ratatui::text::Line<'static>> {
        use zeug_paint::Item as _;
        let Some(first) = self.last_prompt else {
            return Vec::new();
        };
        let canvas = self.list.canvas().clone();
        let mut lines = Vec::new();
        for at in first..self.list.len() {
            if let Some(entry) = self.list.get_mut(at) {
                let painted = entry.lines(&canvas, width);
                if !painted.is_empty() {
                    lines.extend_from_slice(painted);
                    lines.push(ratatui::text::Line::default());
                }
            }
        }
        lines
    }
}

fn attachment(block: &Block) -> Option<String> {
    match block {
        Block::Image {
            mime_type,
            bytes: size,
        } => {
            let size = usize::try_from(*size).unwrap_or(usize::MAX);
            Some(format!("{mime_type}, {}", bytes(size)))
        }
        _ => None,
    }
}
