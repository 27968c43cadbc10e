//! The stack of what lies on top: finding, closing, and what keys in it come to.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_app::Consent;
use zeug_paint::Op;

use super::Model;
use crate::layer::{
    Approval, Choice, Found, Layer, PanelLayer, Picked, Pressed, Question, Selected, Verdict,
    panel_key,
};
use crate::word::{By, Effect};

impl Model {
    pub(super) fn approval(&mut self) -> Option<&mut Approval> {
        self.layers.iter_mut().find_map(|layer| match layer {
            Layer::Approval(approval) => Some(approval),
            _ => None,
        })
    }

    /// Whether a question waits for an answer.
    pub(crate) fn has_question(&self) -> bool {
        self.layers.iter().any(|layer| layer.stance().is_some())
    }

    /// Shows questions again that the user set aside to write; whether there were some.
    pub(super) fn show_questions(&mut self) -> bool {
        let mut were_aside = false;
        for stance in self.layers.iter_mut().filter_map(Layer::stance_mut) {
            were_aside |= std::mem::take(&mut stance.is_blurred);
        }
        were_aside
    }

    pub(super) fn panel(&mut self, extension: &str, id: &str) -> Option<&mut PanelLayer> {
        self.layers.iter_mut().find_map(|layer| match layer {
            Layer::Panel(panel) if panel.is(extension, id) => Some(panel),
            _ => None,
        })
    }

    pub(super) fn remove_panel(&mut self, extension: &str, id: &str) {
        self.layers
            .retain(|layer| !matches!(layer, Layer::Panel(panel) if panel.is(extension, id)));
    }

    /// Takes out the questions that need no answer any more.
    pub(super) fn decided(&mut self, keep: impl Fn(&Question) -> bool) {
        if self
            .approval()
            .is_some_and(|approval| approval.retain(keep))
        {
            self.layers
                .retain(|layer| !matches!(layer, Layer::Approval(_)));
        }
    }

    /// The layer that gets the keys.
    pub(crate) fn top(&self) -> Option<usize> {
        self.layers.iter().rposition(Layer::has_keys)
    }

    /// Whether keys go to the editor.
    pub(crate) fn is_writing(&self) -> bool {
        self.top().is_none()
    }

    /// Gives a key to the topmost layer; false when none wants it.
    pub(super) fn layer_key(&mut self, key: KeyEvent) -> bool {
        let Some(at) = self.top() else {
            return false;
        };
        let now = self.now;
        match &mut self.layers[at] {
            Layer::Approval(approval) => match approval.key(key, now) {
                Verdict::Used => {}
                Verdict::Editor => return false,
                Verdict::Answer(id, consent) => self.approve(at, id, consent),
            },
            Layer::Ask(ask) => match ask.stance.key(key, now, ask.answers.len()) {
                Pressed::Used => {}
                Pressed::Editor => return false,
                Pressed::Chosen(answer) => self.answered(at, answer),
            },
            Layer::Panel(panel) => {
                let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
                let is_closing = key.code == KeyCode::Esc
                    || (ctrl && matches!(key.code, KeyCode::Char('c' | 'C')));
                let (extension, id) = (panel.panel.extension.clone(), panel.panel.id.clone());
                if is_closing {
                    // It goes at once, whatever its extension does.
                    self.layers.remove(at);
                    self.effects.push(Effect::ClosePanel { extension, id });
                } else {
                    let key = panel_key(key);
                    self.effects.push(Effect::PanelKey { extension, id, key });
                }
            }
            Layer::Sheet(sheet) => {
                if sheet.key(key) {
                    self.layers.remove(at);
                }
            }
            Layer::Picker(picker) => match picker.key(key) {
                Picked::Used => self.preview_theme(at),
                Picked::Closed => {
                    self.layers.remove(at);
                    self.end_preview();
                }
                Picked::Chosen(choice) => self.chosen(at, choice),
            },
            Layer::Search(search) => match search.key(key) {
                Found::Used => {}
                Found::Go(op) => self.chat.apply(op),
                Found::Closed => {
                    self.layers.remove(at);
                    self.chat.apply(Op::Find(String::new()));
                }
            },
            Layer::Select(select) => {
                let selected = select.key(key);
                self.selected(at, selected);
            }
        }
        true
    }

    fn approve(&mut self, at: usize, id: String, consent: Consent) {
        if matches!(&self.layers[at], Layer::Approval(approval) if approval.is_empty()) {
            self.layers.remove(at);
        }
        self.effects.push(Effect::Approve(id, consent));
    }

    /// The question about extensions of the project is answered.
    fn answered(&mut self, at: usize, answer: usize) {
        if let Layer::Ask(ask) = self.layers.remove(at) {
            let strangers = ask.strangers;
            if answer == 0 {
                self.effects.push(Effect::Trust(strangers));
            } else {
                self.left_out(&strangers);
            }
        }
    }

    fn selected(&mut self, at: usize, selected: Selected) {
        match selected {
            Selected::Go(op) => self.chat.apply(op),
            Selected::Copy => {
                if let Some(text) = self.chat.list().selected_text() {
                    self.copy(text);
                }
                self.deselect(at);
            }
            Selected::Toggle => self.chat.toggle(),
            Selected::Closed => self.deselect(at),
            Selected::Used => {}
        }
    }

    fn deselect(&mut self, at: usize) {
        self.layers.remove(at);
        self.chat.apply(Op::Deselect);
    }

    /// Something was chosen in a picker.
    fn chosen(&mut self, at: usize, choice: Choice) {
        match choice {
            Choice::Setting(setting) => self.change_setting(at, setting),
            Choice::Theme(name) => {
                self.layers.remove(at);
                self.before_preview = None;
                self.pick_theme(&name);
            }
            Choice::Line(line) => {
                self.layers.remove(at);
                self.line(By::User, line);
            }
            Choice::Insert(text) => {
                self.layers.remove(at);
                self.editor.set(&text);
            }
            Choice::Fork(entry) => {
                self.layers.remove(at);
                self.effects.push(Effect::Fork(entry));
            }
        }
    }
}
