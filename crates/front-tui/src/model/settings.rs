//! How the face looks and behaves, changed while it runs.

use super::Model;
use crate::layer::{Choice, Layer, Picker, Row};
use crate::look::Look;
use crate::outside::Kept;
use crate::word::Effect;

/// What can be switched, in order: its name as it is kept, what it does, where it is.
type Switch = (&'static str, &'static str, fn(&mut Look) -> &mut bool);

const SWITCHES: [Switch; 5] = [
    (
        "mouse",
        "the wheel scrolls; off, the terminal selects text",
        |look| &mut look.mouse,
    ),
    ("bell", "extensions may ring the bell", |look| {
        &mut look.bell
    }),
    ("calm", "nothing moves that need not", |look| &mut look.calm),
    ("unicode", "boxes and marks beyond ASCII", |look| {
        &mut look.unicode
    }),
    ("resources", "list at the start what was loaded", |look| {
        &mut look.resources
    }),
];

/// The theme that follows the terminal's background.
const AUTO: &str = "auto";

impl Model {
    pub(super) fn open_settings(&mut self) {
        let rows = self.setting_rows();
        self.layers
            .push(Layer::Picker(Picker::new("Settings", rows)));
    }

    fn setting_rows(&self) -> Vec<Row> {
        let mut look = self.look.clone();
        let switch = |(at, (name, what, of)): (usize, &Switch)| Row {
            label: format!("{name}: {}", if *of(&mut look) { "on" } else { "off" }),
            detail: (*what).to_owned(),
            choice: Choice::Setting(at),
        };
        let mut rows: Vec<Row> = SWITCHES.iter().enumerate().map(switch).collect();
        let line = |label: String, detail: &str, line: &str| Row {
            label,
            detail: detail.to_owned(),
            choice: Choice::Line(line.to_owned()),
        };
        let theme = self.look.wanted.as_deref().unwrap_or(AUTO);
        rows.push(line(format!("theme: {theme}"), "colours", "/theme"));
        rows.push(line(
            "approvals".to_owned(),
            "which calls are asked about",
            "/approve",
        ));
        rows.push(line(
            format!("model: {}", self.facts.model),
            "who answers",
            "/model",
        ));
        rows
    }

    /// Switches a setting, for the next start too; the list stays open.
    pub(super) fn change_setting(&mut self, layer: usize, at: usize) {
        let Some((name, _, of)) = SWITCHES.get(at) else {
            return;
        };
        let mut look = self.look.clone();
        let value = of(&mut look);
        *value = !*value;
        let kept = Kept::Switch(*value);
        self.set_look(look);
        self.effects.push(Effect::Keep(name, kept));
        match *name {
            "mouse" => self.set_mouse(self.look.mouse),
            "resources" if self.look.resources => self.effects.push(Effect::Resources),
            _ => {}
        }
        let rows = self.setting_rows();
        if let Some(Layer::Picker(picker)) = self.layers.get_mut(layer) {
            picker.replace(rows);
        }
    }

    /// Another theme, for the next start too: the one of this name, else one that is chosen from a
    /// list.
    pub(super) fn pick_theme(&mut self, name: &str) {
        let name = name.trim();
        if !name.is_empty() {
            return match self.look.themed(name) {
                Some(look) => {
                    let kept = Kept::Name(look.wanted.clone().unwrap_or(AUTO.to_owned()));
                    self.set_look(look);
                    self.effects.push(Effect::Keep("theme", kept));
                }
                None => self.wrong(format!("no theme {name:?}; /theme lists them")),
            };
        }
        let row = |name: &str, detail: &str| Row {
            label: name.to_owned(),
            detail: detail.to_owned(),
            choice: Choice::Theme(name.to_owned()),
        };
        let auto = row(AUTO, "dark or light, as the terminal is");
        let named = self.look.themes.iter().map(|theme| row(&theme.name, ""));
        let rows = std::iter::once(auto).chain(named).collect();
        let current = self.look.wanted.clone().unwrap_or(AUTO.to_owned());
        let picker = Picker::new("Themes", rows).marking(|row| row.label == current);
        self.before_preview = Some(self.look.clone());
        self.layers.push(Layer::Picker(picker));
    }

    /// Shows the theme that is marked in the list.
    pub(super) fn preview_theme(&mut self, layer: usize) {
        let Some(Layer::Picker(picker)) = self.layers.get(layer) else {
            return;
        };
        if let Some(Choice::Theme(name)) = picker.marked().map(|row| &row.choice)
            && let Some(look) = self.look.themed(name)
            && look.theme != self.look.theme
        {
            self.set_look(look);
        }
    }

    /// No theme was chosen: it looks again as before.
    pub(super) fn end_preview(&mut self) {
        if let Some(look) = self.before_preview.take() {
            self.set_look(look);
        }
    }
}
