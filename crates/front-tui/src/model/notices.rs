//! What the agent says.

use zeug_app::{DoneOutcome, Notice, PromptId};
use zeug_rpc_protocol::{Event, NoteLevel};

use super::chrome::level;
use super::{Model, Turn};
use crate::layer::{Approval, Layer, PanelLayer, Question};
use crate::word::{By, Effect};

impl Model {
    pub(super) fn notice(&mut self, notice: Notice) {
        self.touch();
        match notice {
            Notice::Event(event) => self.event(event),
            Notice::Started(id) => self.started(id),
            Notice::Ended(id, outcome) => self.ended(id, outcome),
            Notice::Note {
                extension,
                level: of,
                text,
            } => self.notes.push(level(of), Some(extension), text),
            Notice::Display { extension, text } => {
                self.notes.push(NoteLevel::Info, Some(extension), text);
            }
            Notice::ClearNotes { extension } => self.notes.clear_of(&extension),
            Notice::Status(item) => self.chrome.set(item),
            Notice::Widget(widget) => self.chrome.put(widget),
            Notice::WidgetCleared { extension, id } => self.chrome.remove(extension, id),
            Notice::Alert { .. } if self.look.bell => self.effects.push(Effect::Bell),
            Notice::Alert { .. } => {}
            Notice::PanelOpened(panel) => self.layers.push(Layer::Panel(PanelLayer::new(panel))),
            Notice::PanelDrawn(panel) => {
                if let Some(layer) = self.panel(&panel.extension, &panel.id) {
                    layer.draw(panel);
                }
            }
            Notice::PanelClosed { extension, id } => self.remove_panel(&extension, &id),
            Notice::ChromeCleared { extension } => {
                self.notes.clear_of(&extension);
                self.chrome.clear_of(&extension);
            }
            Notice::SlashSubmitted { extension, text } => {
                self.line(By::Extension(extension), text);
            }
            Notice::ExtensionFailed { extension, message }
            | Notice::ExtensionGone { extension, message } => self.chat.failed(extension, message),
            Notice::ExtensionSkipped { extension, reason } => {
                self.chat.note(NoteLevel::Warn, Some(extension), reason);
            }
            Notice::Remark(text) => {
                self.chat.note(NoteLevel::Info, None, text);
            }
        }
    }

    fn event(&mut self, event: Event) {
        match &event {
            Event::Session(_) => {
                self.effects.push(Effect::Replay);
                return;
            }
            Event::ExtReloaded {
                extension,
                summary,
                errors,
                ..
            } => self.refreshed(extension.as_deref(), summary, errors),
            Event::Usage { .. } => self.effects.push(Effect::Look),
            Event::RetryScheduled {
                attempt,
                max_attempts,
                delay_ms,
                ..
            } => {
                let seconds = delay_ms.div_ceil(1000);
                let words = format!("attempt {attempt} of {max_attempts} in {seconds} s");
                self.turn.retry = Some(words);
            }
            Event::AssistantStart | Event::Done => self.turn.retry = None,
            Event::ToolConfirmationRequested { .. } => self.asked(&event),
            Event::PermissionDecision { tool_id, .. } => {
                self.decided(|question| question.id != *tool_id);
            }
            _ => {}
        }
        self.chat.event(event, self.now);
    }

    fn asked(&mut self, event: &Event) {
        let Event::ToolConfirmationRequested {
            tool_id,
            tool_name,
            tool_preview,
            preview,
            reason,
            origin_extension,
            agent_id,
            ..
        } = event
        else {
            return;
        };
        let summary = self.chat.summary(tool_id);
        let question = Question {
            id: tool_id.clone(),
            tool: tool_name.clone(),
            summary: summary.unwrap_or_else(|| tool_preview.clone()),
            preview: preview.clone(),
            reason: reason.clone(),
            owner: origin_extension.clone(),
            agent: agent_id.clone(),
        };
        match self.approval() {
            Some(approval) => approval.push(question),
            None => {
                let approval = Approval::new(question, self.now, self.typed);
                self.layers.push(Layer::Approval(approval));
            }
        }
    }

    fn started(&mut self, id: PromptId) {
        self.notes.clear();
        self.turn = Turn {
            running: Some(id),
            since: Some(self.now),
            ..Turn::default()
        };
    }

    fn ended(&mut self, id: PromptId, outcome: DoneOutcome) {
        self.queue.ended(id);
        if self.turn.running == Some(id) {
            self.turn = Turn::default();
            // Questions of sub-agents end with the prompt they work for, and nobody says so.
            self.decided(|question| question.agent.is_none());
        }
        match outcome {
            DoneOutcome::Aborted => {
                self.chat.note(NoteLevel::Warn, None, "stopped".to_owned());
            }
            DoneOutcome::Withdrawn
            | DoneOutcome::Finished
            | DoneOutcome::Blocked
            | DoneOutcome::Failed => {}
        }
        self.effects.push(Effect::Look);
        self.go_on();
    }
}
