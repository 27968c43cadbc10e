//! What the agent tells, as lines for the client and for stderr.
//!
//! Events go through; beginnings and ends of prompts are matched with the requests they answer.

use zeug_app::{Level, Notice, Panel, PromptId};
use zeug_rpc_protocol::{Event, NoteLevel, PanelData};

use super::jobs::Running;
use super::{Effect, Machine, requests};
use crate::aside::prefixed;

impl Machine {
    /// The agent tells something.
    pub(crate) fn notice(&mut self, notice: Notice) {
        if self.over().is_some() {
            return;
        }
        match notice {
            Notice::Started(id) => self.prompt_started(id),
            Notice::Ended(id, _) => self.prompt_ended(id),
            // Said when the prompt has ended, so that it is said once for each.
            Notice::Event(Event::Done) => {}
            Notice::Event(event) => self.emit(event),
            Notice::Remark(text) => self.aside("zeug: ", &text),
            of_extension => self.extension(of_extension),
        }
        self.go_on();
    }

    fn prompt_started(&mut self, id: PromptId) {
        match self.jobs.running.take() {
            Some(Running::Handed {
                ticket,
                id: Some(ours),
            }) if ours == id => {
                self.settle(ticket, Ok(requests::started()));
                self.jobs.running = Some(Running::Prompt(id));
            }
            other => {
                self.jobs.running = other;
                self.jobs.foreign = Some(id);
            }
        }
    }

    fn prompt_ended(&mut self, id: PromptId) {
        if self.jobs.foreign == Some(id) {
            self.jobs.foreign = None;
            self.emit(Event::Done);
            return;
        }
        match self.jobs.running.take() {
            Some(Running::Prompt(ours)) if ours == id => self.emit(Event::Done),
            Some(Running::Handed {
                ticket,
                id: Some(ours),
            }) if ours == id => {
                let error = "the conversation closed, or another took its place, before this prompt started";
                self.settle(ticket, Err(error.to_owned()));
            }
            other => self.jobs.running = other,
        }
    }

    /// What extensions say, and what is said about them.
    fn extension(&mut self, notice: Notice) {
        match notice {
            Notice::Note {
                extension,
                level,
                text: message,
            } => self.emit(Event::ExtNotify {
                extension,
                level: note_level(level),
                message,
            }),
            Notice::Display { extension, text } => {
                self.emit(Event::ExtDisplay { extension, text });
            }
            Notice::ClearNotes { extension } => self.emit(Event::ExtClearNotes { extension }),
            Notice::ExtensionFailed { extension, message } => {
                self.aside(&format!("extension load: {extension}: "), &message);
                self.emit(Event::ExtFailed { extension, message });
            }
            Notice::ExtensionGone { extension, message } => {
                self.aside(&format!("extension: {extension}: went away: "), &message);
                self.emit(Event::ExtGone { extension, message });
            }
            Notice::ExtensionSkipped { extension, reason } => {
                self.aside(&format!("extension load: {extension} skipped: "), &reason);
                self.emit(Event::ExtSkipped { extension, reason });
            }
            Notice::SlashSubmitted { extension, text } => self.submitted(extension, text),
            shown => self.shown(shown),
        }
    }

    /// What extensions show.
    fn shown(&mut self, notice: Notice) {
        self.emit(match notice {
            Notice::Status(item) => Event::ExtStatus {
                extension: item.extension,
                key: item.key,
                level: note_level(item.level),
                text: item.text,
            },
            Notice::Widget(widget) => Event::ExtWidget {
                extension: widget.extension,
                id: widget.id,
                position: widget.position.as_str().to_owned(),
                title: widget.title,
                lines: widget.lines,
            },
            Notice::WidgetCleared { extension, id } => Event::ExtWidgetClear { extension, id },
            Notice::Alert { extension, reason } => Event::ExtAlert {
                extension,
                kind: "bell".to_owned(),
                reason,
            },
            Notice::PanelOpened(panel) => Event::ExtPanelOpen(panel_data(panel)),
            Notice::PanelDrawn(panel) => Event::ExtPanelRender(panel_data(panel)),
            Notice::PanelClosed {
                extension,
                id: panel_id,
            } => Event::ExtPanelClose {
                extension,
                panel_id,
            },
            Notice::ChromeCleared { extension } => Event::ExtChromeClear { extension },
            Notice::Started(_)
            | Notice::Ended(..)
            | Notice::Event(_)
            | Notice::Remark(_)
            | Notice::Note { .. }
            | Notice::Display { .. }
            | Notice::ClearNotes { .. }
            | Notice::ExtensionFailed { .. }
            | Notice::ExtensionGone { .. }
            | Notice::ExtensionSkipped { .. }
            | Notice::SlashSubmitted { .. } => return,
        });
    }

    pub(super) fn aside(&mut self, who: &str, words: &str) {
        self.todo.push(Effect::Aside(prefixed(who, words)));
    }
}

fn panel_data(panel: Panel) -> PanelData {
    PanelData {
        extension: panel.extension,
        panel_id: panel.id,
        title: panel.title,
        lines: panel.lines,
        footer: panel.footer,
    }
}

pub(super) fn note_level(level: Level) -> NoteLevel {
    match level {
        Level::Info => NoteLevel::Info,
        Level::Success => NoteLevel::Success,
        Level::Warn => NoteLevel::Warn,
        Level::Error => NoteLevel::Error,
    }
}
