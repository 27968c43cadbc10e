//! How the face looks and behaves, changed while it runs.

use zeug_paint::Theme;

use super::Model;
use crate::layer::{Choice, Layer, Picker, Row};
use crate::look::Look;

/// What can be switched, in order: its name, what it does, where it is.
type Switch = (&'static str, &'static str, fn(&mut Look) -> &mut bool);

const SWITCHES: [Switch; 4] = [
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
];

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
        let theme = format!("theme: {}", self.look.theme.name);
        rows.push(line(theme, "colours", "/theme"));
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

    /// Switches a setting; the list stays open.
    pub(super) fn change_setting(&mut self, layer: usize, at: usize) {
        let Some((name, _, of)) = SWITCHES.get(at) else {
            return;
        };
        if *name == "mouse" {
            self.switch_mouse();
            self.look.mouse = self.has_mouse;
        } else {
            let mut look = self.look.clone();
            let value = of(&mut look);
            *value = !*value;
            self.set_look(look);
        }
        let rows = self.setting_rows();
        if let Some(Layer::Picker(picker)) = self.layers.get_mut(layer) {
            picker.replace(rows);
        }
    }

    /// Another theme: the one of this name, else one that is chosen from a list.
    pub(super) fn pick_theme(&mut self, name: &str) {
        let name = name.trim();
        if !name.is_empty() {
            let fits = |theme: &&Theme| theme.name.eq_ignore_ascii_case(name);
            match self.look.themes.iter().find(fits).cloned() {
                Some(theme) => self.set_theme(theme),
                None => self.wrong(format!("no theme {name:?}; /theme lists them")),
            }
            return;
        }
        let row = |theme: &Theme| Row {
            label: theme.name.clone(),
            detail: String::new(),
            choice: Choice::Line(format!("/theme {}", theme.name)),
        };
        let rows = self.look.themes.iter().map(row).collect();
        let current = self.look.theme.name.clone();
        let picker = Picker::new("Themes", rows).marking(|row| row.label == current);
        self.layers.push(Layer::Picker(picker));
    }

    fn set_theme(&mut self, theme: Theme) {
        let look = Look {
            theme,
            ..self.look.clone()
        };
        self.set_look(look);
    }
}
