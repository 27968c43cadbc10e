//! Keys, the mouse and pastes, from the topmost layer down to the conversation.

use crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent,
    MouseEventKind,
};
use zeug_app::Key;
use zeug_paint::Op;

use super::{LEAVING, Model};
use crate::layer::{Approval, Ask, Choice, Layer, Picker, Row, Search, Select};
use crate::word::{By, Effect};

/// Lines that one step of the wheel scrolls.
const WHEEL_LINES: isize = 3;
/// Bytes of a pasted text that can be a path.
const PATH_BYTES: usize = 4096;

impl Model {
    pub(super) fn terminal(&mut self, event: TerminalEvent) {
        match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => {
                self.typed = Some(self.now);
                self.key(key);
            }
            TerminalEvent::Mouse(mouse) => self.mouse(mouse),
            TerminalEvent::Paste(text) => self.paste(&text),
            TerminalEvent::Resize(width, height) => self.size = (width, height),
            _ => return,
        }
        self.touch();
    }

    fn key(&mut self, key: KeyEvent) {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_leave = ctrl && matches!(key.code, KeyCode::Char('c' | 'C'));
        if is_leave && self.is_leaving() {
            return self.effects.push(Effect::Quit);
        }
        if !is_leave {
            self.leaving = None;
        }
        if ctrl && matches!(key.code, KeyCode::Char('l')) {
            return self.effects.push(Effect::Redraw);
        }
        if self.layer_key(key) {
            // Closing something with ctrl+c counts as the first of the two that leave.
            if is_leave {
                self.leaving = Some(self.now + LEAVING);
            }
            return;
        }
        if self.pop_up_key(key) || self.chat_key(key) {
            return;
        }
        match key.code {
            KeyCode::Esc => self.escape(),
            KeyCode::Char('c' | 'C') if ctrl => self.interrupt(),
            KeyCode::Char('d') if ctrl && self.editor.is_empty() => self.effects.push(Effect::Quit),
            KeyCode::Char('d') if ctrl => {
                self.editor
                    .key(KeyEvent::new(KeyCode::Delete, KeyModifiers::NONE));
            }
            KeyCode::Enter if key.modifiers.is_empty() => self.enter(),
            KeyCode::Tab => self.editor.insert("\t"),
            _ => self.write(key),
        }
        self.refresh_pop_up();
    }

    /// Keys that are about the conversation or the face.
    fn chat_key(&mut self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::PageUp => self.chat.apply(Op::Pages(-1)),
            KeyCode::PageDown => self.chat.apply(Op::Pages(1)),
            KeyCode::Up if shift => self.chat.apply(Op::Lines(-1)),
            KeyCode::Down if shift => self.chat.apply(Op::Lines(1)),
            KeyCode::Home if ctrl && self.editor.is_empty() => self.chat.apply(Op::First),
            KeyCode::End if ctrl => self.chat.apply(Op::Last),
            KeyCode::Up | KeyCode::Down if alt => {
                self.chat.apply(Op::SelectEntries(0));
                self.layers.push(Layer::Select(Select));
            }
            KeyCode::Char('o') if ctrl => self.chat.toggle(),
            KeyCode::Char('f') if ctrl => self.layers.push(Layer::Search(Search::default())),
            KeyCode::Char('r') if ctrl => self.search_history(),
            KeyCode::Char('t') if ctrl => self.switch_mouse(),
            KeyCode::Char('g') if ctrl => {
                let text = self.editor.unfolded();
                self.effects.push(Effect::Edit(text));
            }
            KeyCode::Char('b') if ctrl => self.has_rail = !self.has_rail,
            _ => return false,
        }
        true
    }

    /// Keys of the editor; beyond its first and last row is what was sent before.
    fn write(&mut self, key: KeyEvent) {
        let is_plain = key.modifiers.is_empty();
        let is_draft = !self.history.is_browsing();
        if key.code == KeyCode::Up
            && is_plain
            && self.editor.is_empty()
            && let Some(text) = self.queue.take_back()
        {
            return self.editor.set(&text);
        }
        let before = self.editor.text().len();
        if self.editor.key(key) {
            if self.editor.text().len() != before && !is_draft {
                self.history.leave();
            }
            return;
        }
        match key.code {
            KeyCode::Up if is_plain => {
                let draft = self.editor.text().to_owned();
                if let Some(text) = self.history.older(&draft) {
                    self.editor.set(text);
                }
            }
            KeyCode::Down if is_plain => {
                if let Some(text) = self.history.newer() {
                    self.editor.set(text);
                }
            }
            _ => {}
        }
    }

    /// Esc gives control back: one thing at a time is closed, then the prompt that runs is given up.
    fn escape(&mut self) {
        if self.show_questions() || self.notes.clear() {
            return;
        }
        if self.is_busy() {
            self.stop();
        } else if !self.is_ready && self.queue.waiting().len() > 0 {
            self.take_all_back();
        } else if !self.chat.list().is_following() {
            self.chat.apply(Op::Last);
        }
    }

    /// Gives the prompt that runs up; what waits behind it comes back into the editor.
    fn stop(&mut self) {
        self.take_all_back();
        if !self.turn.is_stopping {
            self.turn.is_stopping = true;
            self.effects.push(Effect::Abort);
        }
    }

    fn take_all_back(&mut self) {
        let Some(mut text) = self.queue.take_all_back() else {
            return;
        };
        if !self.editor.is_empty() {
            text.push_str("\n\n");
            text.push_str(&self.editor.written().text);
        }
        self.editor.set(&text);
    }

    fn interrupt(&mut self) {
        if !self.editor.is_empty() {
            let written = self.editor.take();
            self.remember(&written.text);
        } else if self.is_busy() {
            self.stop();
        }
        self.leaving = Some(self.now + LEAVING);
    }

    fn enter(&mut self) {
        // For terminals that cannot tell shift+enter from enter.
        if self.editor.text()[..self.editor.cursor()].ends_with('\\') {
            self.editor
                .key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
            return self.editor.insert("\n");
        }
        // Whoever sends something is done typing: a question may be answered at once.
        self.typed = None;
        let written = self.editor.take();
        if written.text.trim().is_empty() && written.images.is_empty() {
            return;
        }
        self.remember(&written.text);
        self.chat.apply(Op::Last);
        self.show_questions();
        if written.images.is_empty() {
            return self.line(By::User, written.text);
        }
        let mut prompt = zeug_app::Prompt::text(written.text);
        prompt.images = written.images;
        self.submit(prompt, written.shown, true);
    }

    /// Keeps what was sent, for the next time too.
    fn remember(&mut self, text: &str) {
        if self.history.push(text) {
            self.effects
                .push(Effect::Remember(text.trim_end().to_owned()));
        }
    }

    fn search_history(&mut self) {
        let rows = self.history.latest_first().into_iter().map(|text| Row {
            label: zeug_stdx::text::one_line(text, 512),
            detail: String::new(),
            choice: Choice::Insert(text.to_owned()),
        });
        let rows = rows.collect();
        self.layers
            .push(Layer::Picker(Picker::new("What was sent before", rows)));
    }

    pub(super) fn switch_mouse(&mut self) {
        self.set_mouse(!self.has_mouse);
    }

    pub(super) fn set_mouse(&mut self, has_mouse: bool) {
        self.has_mouse = has_mouse;
        self.effects.push(Effect::Mouse(has_mouse));
    }

    pub(super) fn copy(&mut self, text: String) {
        self.effects.push(Effect::Copy(text));
    }

    /// A text is in the clipboard, or is too long for it.
    pub(crate) fn copied(&mut self, text: &str, is_copied: bool) {
        self.touch();
        if !is_copied {
            return self.wrong("too long for the terminal's clipboard: select a block".to_owned());
        }
        let lines = text.lines().count();
        let unit = if lines == 1 { "line" } else { "lines" };
        self.notes.push(
            zeug_rpc_protocol::NoteLevel::Success,
            None,
            format!("{lines} {unit} sent to the clipboard"),
        );
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let lines = match mouse.kind {
            MouseEventKind::ScrollUp => -WHEEL_LINES,
            MouseEventKind::ScrollDown => WHEEL_LINES,
            _ => return,
        };
        let top = self.top();
        match top.and_then(|at| self.layers.get_mut(at)) {
            Some(Layer::Panel(panel)) => panel.scroll_by(lines),
            Some(Layer::Sheet(sheet)) => sheet.scroll_by(lines),
            Some(Layer::Picker(picker)) => {
                picker.move_by(lines.signum());
                if let Some(at) = top {
                    self.preview_theme(at);
                }
            }
            Some(Layer::Approval(_) | Layer::Ask(_) | Layer::Search(_) | Layer::Select(_))
            | None => {
                self.chat.apply(Op::Lines(lines));
            }
        }
    }

    fn paste(&mut self, text: &str) {
        let top = self.top();
        match top.and_then(|at| self.layers.get_mut(at)) {
            Some(Layer::Panel(panel)) => {
                let (extension, id) = (&panel.panel.extension, &panel.panel.id);
                let keys = Key::paste(text).into_iter().map(|key| Effect::PanelKey {
                    extension: extension.clone(),
                    id: id.clone(),
                    key,
                });
                self.effects.extend(keys);
            }
            Some(Layer::Picker(picker)) => {
                let query = format!("{}{}", picker.query, zeug_paint::safe::plain_line(text));
                picker.narrow(query);
            }
            Some(Layer::Search(search)) => {
                let op = search.paste(text);
                self.chat.apply(op);
            }
            Some(Layer::Sheet(_) | Layer::Select(_)) => {}
            Some(Layer::Approval(Approval { stance, .. }) | Layer::Ask(Ask { stance, .. })) => {
                stance.is_blurred = true;
                self.paste_into_editor(text);
            }
            None => self.paste_into_editor(text),
        }
    }

    fn paste_into_editor(&mut self, text: &str) {
        match image_path(text) {
            Some(path) => self.effects.push(Effect::Attach(path)),
            None => {
                self.editor.paste(text);
                self.refresh_pop_up();
            }
        }
    }
}

/// The image file that a pasted text names: dropped on the terminal, or copied as a path.
fn image_path(text: &str) -> Option<std::path::PathBuf> {
    let text = text.trim();
    if text.len() > PATH_BYTES || text.contains('\n') {
        return None;
    }
    let text = text.trim_matches(['\'', '"']);
    let text = text.strip_prefix("file://").unwrap_or(text);
    let text = text.replace("\\ ", " ");
    let extension = text.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_image = matches!(extension.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp");
    (is_image && !text.starts_with("http")).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::image_path;

    #[test]
    fn dropped_images_are_known_by_their_paths() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(image_path(text), expect.map(Into::into), "{text}");
        };
        check("/tmp/a.png", Some("/tmp/a.png"));
        check("'/tmp/my shot.PNG' ", Some("/tmp/my shot.PNG"));
        check("/tmp/my\\ shot.webp", Some("/tmp/my shot.webp"));
        check("file:///tmp/a.jpeg", Some("/tmp/a.jpeg"));
        check("https://x.org/a.png", None);
        check("see /tmp/a.rs", None);
        check("a.png\nb", None);
    }
}
