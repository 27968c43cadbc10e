//! What extensions show beside the conversation: panels, status items, widgets. Pure.
//!
//! News goes in; what a face is told, and what the owners of panels are told, comes out. Everything
//! in it is clean and bounded. Does not know who paints it.

mod hands;
mod panels;

use std::collections::{BTreeMap, HashSet};

use tokio::time::Instant;
use zeug_ext_host::{Level, News};
use zeug_ext_protocol::chrome;
use zeug_ext_protocol::limits::MARKS;
use zeug_ext_protocol::panel::{PanelRender, PanelSpec};
use zeug_stdx::text::coloured_line;

use crate::Notice;
pub use panels::{Key, Panel};
use panels::{Panels, body, headline};
pub(crate) use panels::{Tell, Word};

/// A short fact that an extension keeps on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusItem {
    /// Whose it is.
    pub extension: String,
    /// Its name within the extension.
    pub key: String,
    /// How serious.
    pub level: Level,
    /// One line, clean.
    pub text: String,
}

/// Some lines that an extension keeps on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widget {
    /// Whose it is.
    pub extension: String,
    /// Its name within the extension.
    pub id: String,
    /// Where it wants to be; a face may know better.
    pub position: Position,
    /// Its headline, without colours.
    pub title: Option<String>,
    /// Its body, clean.
    pub lines: Vec<String>,
}

/// Where a widget wants to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Position {
    /// Above the editor; unknown wishes count as this one.
    #[default]
    AboveInput,
    /// At the right.
    RightBar,
}

impl Position {
    fn of(word: Option<&str>) -> Self {
        match word.map(|word| word.trim().to_ascii_lowercase()).as_deref() {
            Some("right_bar") => Self::RightBar,
            _ => Self::AboveInput,
        }
    }

    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AboveInput => "above_input",
            Self::RightBar => "right_bar",
        }
    }
}

/// Everything that is shown, as a picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// The open panels, the visible one last.
    pub panels: Vec<Panel>,
    /// By extension, then by key.
    pub status: Vec<StatusItem>,
    /// By extension, then by id.
    pub widgets: Vec<Widget>,
}

/// What there is to do after news.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) notices: Vec<Notice>,
    pub(crate) tells: Vec<Tell>,
}

/// What is shown now.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    panels: Panels,
    /// Nobody is there to press a key: panels are answered with their end.
    is_unattended: bool,
    status: BTreeMap<(String, String), StatusItem>,
    widgets: BTreeMap<(String, String), Widget>,
}

impl Surface {
    /// Takes in news, when it is about something that is shown; else gives it back.
    pub(crate) fn news(
        &mut self,
        news: News,
        running: &HashSet<String>,
        now: Instant,
    ) -> Result<Changes, Box<News>> {
        let mut changes = Changes::default();
        match news {
            News::Status {
                extension,
                key,
                level,
                text,
            } => self.status(extension, key, level, &text, &mut changes),
            News::Widget { extension, widget } => self.widget(extension, widget, &mut changes),
            News::WidgetClear { extension, id } => {
                let key = (extension, id);
                if self.widgets.remove(&key).is_some() {
                    let (extension, id) = key;
                    changes
                        .notices
                        .push(Notice::WidgetCleared { extension, id });
                }
            }
            News::PanelOpen { extension, panel } => {
                self.open(extension, panel, running.clone(), &mut changes);
            }
            News::PanelRender { extension, render } => {
                self.render(&extension, render, now, &mut changes);
            }
            News::PanelClose {
                extension,
                panel_id,
            } => {
                if self.panels.close(&extension, &panel_id) {
                    changes.notices.push(Notice::PanelClosed {
                        extension,
                        id: panel_id,
                    });
                }
            }
            other => return Err(Box::new(other)),
        }
        Ok(changes)
    }

    fn status(
        &mut self,
        extension: String,
        key: String,
        level: Level,
        text: &str,
        changes: &mut Changes,
    ) {
        let text = coloured_line(text);
        let name = (extension.clone(), key.clone());
        if text.trim().is_empty() {
            if self.status.remove(&name).is_none() {
                return;
            }
        } else {
            if !has_room(&self.status, &name) {
                return;
            }
            let item = StatusItem {
                extension: extension.clone(),
                key: key.clone(),
                level,
                text: text.clone(),
            };
            if self.status.insert(name, item.clone()) == Some(item) {
                return;
            }
        }
        changes.notices.push(Notice::Status(StatusItem {
            extension,
            key,
            level,
            text,
        }));
    }

    fn widget(&mut self, extension: String, widget: chrome::Widget, changes: &mut Changes) {
        let name = (extension.clone(), widget.id.clone());
        if !has_room(&self.widgets, &name) {
            return;
        }
        let widget = Widget {
            extension,
            id: widget.id,
            position: Position::of(widget.position.as_deref()),
            title: widget
                .title
                .map(|title| headline(&title))
                .filter(|title| !title.trim().is_empty()),
            lines: body(&widget.lines),
        };
        if self.widgets.insert(name, widget.clone()).as_ref() != Some(&widget) {
            changes.notices.push(Notice::Widget(widget));
        }
    }

    fn open(
        &mut self,
        extension: String,
        spec: PanelSpec,
        running: HashSet<String>,
        changes: &mut Changes,
    ) {
        let title = spec.title.filter(|title| !title.trim().is_empty());
        let panel = Panel {
            title: title.map_or_else(|| extension.clone(), |title| headline(&title)),
            extension,
            id: spec.id,
            lines: body(&spec.lines),
            footer: footer(spec.footer),
        };
        if self.is_unattended {
            changes.tells.push(Tell {
                extension: panel.extension,
                panel_id: panel.id,
                word: Word::Closed,
            });
            return;
        }
        match self.panels.open(panel.clone(), running) {
            Ok(size) => {
                changes.tells.extend(size);
                changes.notices.push(Notice::PanelOpened(panel));
            }
            Err(refused) => changes.tells.push(refused),
        }
    }

    fn render(
        &mut self,
        extension: &str,
        render: PanelRender,
        now: Instant,
        changes: &mut Changes,
    ) {
        let drawn = self.panels.render(
            (extension, &render.panel_id),
            render.title.as_deref(),
            body(&render.lines),
            footer(render.footer),
            now,
        );
        if let Some((panel, next)) = drawn {
            changes.notices.push(Notice::PanelDrawn(panel));
            changes.tells.extend(next);
        }
    }

    /// An extension is gone, and everything it showed with it.
    pub(crate) fn gone(&mut self, extension: &str) -> Vec<Notice> {
        let of = |name: &(String, String)| name.0 == extension;
        self.status.retain(|name, _| !of(name));
        self.widgets.retain(|name, _| !of(name));
        let closed = self.panels.gone(extension).into_iter();
        let extension = extension.to_owned();
        let mut notices: Vec<Notice> = closed
            .map(|id| Notice::PanelClosed {
                extension: extension.clone(),
                id,
            })
            .collect();
        notices.push(Notice::ChromeCleared { extension });
        notices
    }

    /// A call of an extension's tool was given up.
    pub(crate) fn given_up(&mut self, extension: &str, call_id: &str) -> Changes {
        closed(self.panels.given_up(extension, call_id))
    }

    /// Whether some face shows panels. When none does, they end at once.
    pub(crate) fn set_shown(&mut self, shown: bool) -> Vec<Tell> {
        self.is_unattended = !shown;
        if shown {
            Vec::new()
        } else {
            self.panels.dismiss_all()
        }
    }

    /// Whether somebody is there to whom extensions can say something in place of the user.
    pub(crate) fn is_attended(&self) -> bool {
        !self.is_unattended
    }

    pub(crate) fn panels(&mut self) -> &mut Panels {
        &mut self.panels
    }

    pub(crate) fn shown(&self) -> Shown {
        Shown {
            panels: self.panels.stack(),
            status: self.status.values().cloned().collect(),
            widgets: self.widgets.values().cloned().collect(),
        }
    }
}

fn closed(tells: Vec<Tell>) -> Changes {
    let notice = |tell: &Tell| Notice::PanelClosed {
        extension: tell.extension.clone(),
        id: tell.panel_id.clone(),
    };
    Changes {
        notices: tells.iter().map(notice).collect(),
        tells,
    }
}

fn footer(footer: Option<String>) -> Option<String> {
    footer
        .map(|footer| coloured_line(&footer))
        .filter(|footer| !footer.trim().is_empty())
}

/// Whether an extension may show this one, too.
fn has_room<T>(marks: &BTreeMap<(String, String), T>, name: &(String, String)) -> bool {
    let mine = |other: &&(String, String)| other.0 == name.0;
    marks.contains_key(name) || marks.keys().filter(mine).count() < MARKS
}

#[cfg(test)]
mod tests;
