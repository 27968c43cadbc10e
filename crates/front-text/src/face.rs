//! One face, three modes: what of each notice goes to stdout, and what to stderr.
//!
//! Decides about words and order only; the writers may be anything.

use std::collections::HashMap;
use std::io::{self, Write};

use zeug_app::Notice;
use zeug_rpc_protocol::Event;
use zeug_stdx::text;

use crate::answer::{Answers, Rest, spoken};
use crate::run::{Ended, Run};
use crate::wording;

/// What stdout carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The last answer, when the run is over.
    Print,
    /// The answers as they come.
    Stream,
    /// Each event as a line of JSON.
    Json,
}

/// Where the run is after a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// More will come.
    Running,
    /// Nothing that comes is shown any more.
    Finished(Ended),
}

/// A face over two writers.
///
/// # Order
/// Notices appear in the order in which they are shown. On a terminal a note in the middle of
/// streamed text starts a new line; in a pipe the text stays in one piece.
#[derive(Debug)]
pub struct Face<O: Write, E: Write> {
    mode: Mode,
    out: O,
    err: E,
    out_is_terminal: bool,
    run: Run,
    answers: Answers,
    /// The names of the calls that have no result yet, by id.
    calls: HashMap<String, String>,
    /// The last character on stdout was no line feed.
    line_is_open: bool,
    ended: Option<Ended>,
}

impl<O: Write, E: Write> Face<O, E> {
    /// A face that writes answers or events to `out` and everything else to `err`.
    pub fn new(mode: Mode, out: O, err: E) -> Self {
        Self {
            mode,
            out,
            err,
            out_is_terminal: false,
            run: Run::default(),
            answers: Answers::default(),
            calls: HashMap::new(),
            line_is_open: false,
            ended: None,
        }
    }

    /// Says whether `out` is a terminal: then a model's control characters do not get there. What
    /// goes to a file or a pipe stays as it is.
    #[must_use]
    pub fn out_is_terminal(mut self, yes: bool) -> Self {
        self.out_is_terminal = yes;
        self
    }

    /// Shows one notice. After the end nothing is shown.
    ///
    /// # Errors
    /// When `out` cannot be written. A reader that went away is no error but an end
    /// ([`Ended::Failed`]), and trouble with `err` is ignored: there is nobody to tell.
    pub fn show(&mut self, notice: &Notice) -> io::Result<Progress> {
        if let Some(ended) = self.ended {
            return Ok(Progress::Finished(ended));
        }
        let shown = self.notice(notice);
        self.settle(shown)
    }

    /// Ends a run whose notices stopped without a `done`.
    ///
    /// # Errors
    /// As [`Face::show`].
    pub fn cut_off(&mut self) -> io::Result<Ended> {
        if self.ended.is_none() && self.run.ended() == Ended::Ok {
            let message = "the run stopped before it was done; the log says more".to_owned();
            self.show(&Notice::Event(Event::Error { message }))?;
        }
        match self.show(&Notice::Event(Event::Done))? {
            Progress::Finished(ended) => Ok(ended),
            Progress::Running => Ok(Ended::Failed),
        }
    }

    fn settle(&mut self, shown: io::Result<()>) -> io::Result<Progress> {
        match shown {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.ended = Some(Ended::Failed);
            }
            Err(error) => {
                self.ended = Some(Ended::Failed);
                return Err(error);
            }
        }
        Ok(self.ended.map_or(Progress::Running, Progress::Finished))
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        match notice {
            Notice::Event(event) => self.event(event),
            Notice::Note {
                extension,
                level,
                text,
            } => {
                let who = format!("[{}] {}: ", wording::name(extension), level.as_str());
                self.aside(&wording::prefixed(&who, text))
            }
            Notice::Display { extension, text } => {
                let who = format!("[{}] ", wording::name(extension));
                self.aside(&wording::prefixed(&who, text))
            }
            // There is no screen on which anything could stay, and nobody to press a key.
            Notice::ClearNotes { .. }
            | Notice::Started(_)
            | Notice::Ended(..)
            | Notice::Status(_)
            | Notice::Widget(_)
            | Notice::WidgetCleared { .. }
            | Notice::Alert { .. }
            | Notice::PanelOpened(_)
            | Notice::PanelDrawn(_)
            | Notice::PanelClosed { .. }
            | Notice::ChromeCleared { .. } => Ok(()),
            Notice::SlashSubmitted { extension, text } => {
                let who = format!("extension: {}: ", wording::name(extension));
                let why = format!("its command was not run, for nobody is there: {text}");
                self.aside(&wording::prefixed(&who, &why))
            }
            Notice::ExtensionFailed { extension, message } => {
                self.json(&Event::ExtFailed {
                    extension: extension.clone(),
                    message: message.clone(),
                })?;
                let what = if self.run.has_begun() {
                    "extension"
                } else {
                    "extension load"
                };
                let who = format!("{what}: {}: ", wording::name(extension));
                self.aside(&wording::prefixed(&who, message))
            }
            Notice::ExtensionGone { extension, message } => {
                self.json(&Event::ExtGone {
                    extension: extension.clone(),
                    message: message.clone(),
                })?;
                let who = format!("extension: {}: went away: ", wording::name(extension));
                self.aside(&wording::prefixed(&who, message))
            }
            Notice::ExtensionSkipped { extension, reason } => {
                self.json(&Event::ExtSkipped {
                    extension: extension.clone(),
                    reason: reason.clone(),
                })?;
                let who = format!("extension load: {} skipped: ", wording::name(extension));
                self.aside(&wording::prefixed(&who, reason))
            }
            Notice::Remark(text) => self.aside(&wording::prefixed("zeug: ", text)),
        }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.run.observe(event);
        self.answers.observe(event);
        match self.mode {
            Mode::Print => {}
            Mode::Stream => self.stream(event)?,
            // The last line is written last, when everything is said on stderr too.
            Mode::Json if *event == Event::Done => {}
            Mode::Json => self.json(event)?,
        }
        if *event == Event::Done {
            self.done()?;
        }
        Ok(())
    }

    fn done(&mut self) -> io::Result<()> {
        let ended = self.run.ended();
        if let Some(reason) = self.run.reason() {
            let reason = wording::prefixed("zeug: ", reason);
            self.aside(&reason)?;
        }
        match self.mode {
            Mode::Print if ended == Ended::Ok => {
                let last = self.answers.last().map(str::to_owned);
                if let Some(text) = last {
                    self.write(&text)?;
                }
                self.end_line()?;
            }
            Mode::Print => {}
            Mode::Stream => self.end_line()?,
            Mode::Json => self.json(&Event::Done)?,
        }
        self.out.flush()?;
        self.ended = Some(ended);
        Ok(())
    }

    fn stream(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::AssistantStart | Event::TurnEnd { .. } => self.end_line()?,
            Event::TextDelta { delta } => self.write(delta)?,
            Event::AssistantMessage { content, .. } => {
                let text = spoken(content);
                match self.answers.rest(&text) {
                    Rest::Missing(missing) => self.write(missing)?,
                    Rest::Instead(text) => {
                        self.end_line()?;
                        self.write(text)?;
                    }
                }
                self.end_line()?;
            }
            Event::ToolCall {
                id,
                name,
                args,
                args_raw,
                ..
            } => {
                self.calls.insert(id.clone(), name.clone());
                let args = args_raw.as_deref().unwrap_or(args.get());
                self.aside(&wording::call(name, args))?;
            }
            Event::ToolResult {
                id,
                is_error,
                content,
                status,
                ..
            } => {
                let tool = self.calls.remove(id).unwrap_or_else(|| id.clone());
                let wrong = is_error.then(|| status.map_or("failed", |s| s.as_str()));
                self.aside(&wording::result(&tool, wrong, content))?;
            }
            other => {
                if let Some(line) = wording::retry(other) {
                    self.end_line()?;
                    self.aside(&line)?;
                }
            }
        }
        self.out.flush()
    }

    /// Writes an event's line, in the mode that has such lines.
    fn json(&mut self, event: &Event) -> io::Result<()> {
        if self.mode == Mode::Json {
            let mut line = event.to_line();
            line.push('\n');
            self.out.write_all(line.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Writes words of the model.
    fn write(&mut self, words: &str) -> io::Result<()> {
        let plain;
        let words = if self.out_is_terminal {
            plain = text::plain(words);
            &plain
        } else {
            words
        };
        if let Some(last) = words.chars().last() {
            self.line_is_open = last != '\n';
        }
        self.out.write_all(words.as_bytes())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.line_is_open) {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes to stderr, beside the answer.
    fn aside(&mut self, lines: &str) -> io::Result<()> {
        if self.out_is_terminal && self.line_is_open {
            self.end_line()?;
            self.out.flush()?;
        }
        let _ = self.err.write_all(lines.as_bytes());
        let _ = self.err.flush();
        Ok(())
    }
}
