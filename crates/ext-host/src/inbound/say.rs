//! What an extension shows, and what it says in place of the user.
//!
//! Shortens what is too long, so that little waits for whoever shows it; does not clean it, and
//! does not know what is open.

use zeug_ext_protocol::FromExtension;
use zeug_ext_protocol::chrome::{Notify, Status, Submit, Widget};
use zeug_ext_protocol::limits::{ID_BYTES, NAME_BYTES, NOTE_BYTES, PANEL_BYTES};
use zeug_ext_protocol::panel::{PanelRender, PanelSpec};
use zeug_stdx::text::prefix;

use super::Desk;
use crate::News;
use crate::news::Level;

/// Stands for what was cut.
const MORE: &str = "…";

impl Desk<'_> {
    /// Tells of a frame that shows or says something.
    pub(super) async fn say(&self, frame: FromExtension) {
        let extension = self.guest.name().to_owned();
        let news = match frame {
            FromExtension::Notify(notify) => note(extension, notify),
            FromExtension::ClearNotes => Some(News::ClearNotes { extension }),
            FromExtension::Status(item) => self.status(extension, item),
            FromExtension::Widget(widget) => self.widget(extension, widget),
            FromExtension::WidgetClear(clear) => self
                .is_id("widget_clear.id", &clear.id)
                .then_some(News::WidgetClear {
                    extension,
                    id: clear.id,
                }),
            FromExtension::Alert(alert) if alert.kind == "bell" => Some(News::Alert {
                extension,
                reason: cut(alert.reason, NOTE_BYTES),
            }),
            FromExtension::Alert(alert) => {
                let kind = zeug_stdx::text::one_line(&alert.kind, NAME_BYTES);
                self.guest.diagnose_once(format!(
                    "alert of kind {kind:?} ignored: the only kind is \"bell\""
                ));
                None
            }
            FromExtension::OpenPanel(open) => self.panel(extension, open.panel),
            FromExtension::PanelRender(render) => self
                .is_id("panel_render.panel_id", &render.panel_id)
                .then(|| News::PanelRender {
                    extension,
                    render: shortened(render),
                }),
            FromExtension::PanelClose(close) => self
                .is_id("panel_close.panel_id", &close.panel_id)
                .then_some(News::PanelClose {
                    extension,
                    panel_id: close.panel_id,
                }),
            FromExtension::Submit(submit) => submitted(extension, &submit),
            FromExtension::SubmitSlash(submit) => self.slash(extension, &submit),
            _ => None,
        };
        if let Some(news) = news {
            self.shared.announce(news).await;
        }
    }

    fn status(&self, extension: String, item: Status) -> Option<News> {
        self.is_id("status.key", &item.key).then(|| News::Status {
            extension,
            key: item.key,
            level: Level::of(item.level.as_deref().unwrap_or_default()),
            text: cut(item.text, NOTE_BYTES),
        })
    }

    fn widget(&self, extension: String, mut widget: Widget) -> Option<News> {
        if !self.is_id("widget.id", &widget.id) {
            return None;
        }
        widget.title = widget.title.map(|title| cut(title, NOTE_BYTES));
        fit(&mut widget.lines);
        Some(News::Widget { extension, widget })
    }

    fn panel(&self, extension: String, panel: PanelSpec) -> Option<News> {
        self.is_id("open_panel.panel.id", &panel.id)
            .then(|| News::PanelOpen {
                extension,
                panel: shortened_spec(panel),
            })
    }

    fn slash(&self, extension: String, submit: &Submit) -> Option<News> {
        let text = submit.text.trim();
        if text.starts_with('/') {
            let text = text.to_owned();
            return Some(News::SubmitSlash { extension, text });
        }
        self.guest.diagnose(
            "submit_slash refused: its text must begin with a slash; use submit for a prompt",
        );
        None
    }

    fn is_id(&self, field: &str, id: &str) -> bool {
        let fits = !id.trim().is_empty() && id.len() <= ID_BYTES;
        if !fits {
            self.guest.diagnose_once(format!(
                "frame ignored: {field} must have 1 to {ID_BYTES} bytes"
            ));
        }
        fits
    }
}

fn note(extension: String, notify: Notify) -> Option<News> {
    (!notify.message.trim().is_empty()).then(|| News::Note {
        extension,
        level: Level::of(&notify.level),
        text: cut(notify.message, NOTE_BYTES),
    })
}

fn submitted(extension: String, submit: &Submit) -> Option<News> {
    let text = submit.text.trim().to_owned();
    (!text.is_empty()).then_some(News::Submit { extension, text })
}

/// The panel of a command's answer, shortened like any other.
pub(crate) fn shortened_spec(mut panel: PanelSpec) -> PanelSpec {
    panel.title = panel.title.map(|title| cut(title, NOTE_BYTES));
    panel.footer = panel.footer.map(|footer| cut(footer, NOTE_BYTES));
    fit(&mut panel.lines);
    panel
}

fn shortened(mut render: PanelRender) -> PanelRender {
    render.title = render.title.map(|title| cut(title, NOTE_BYTES));
    render.footer = render.footer.map(|footer| cut(footer, NOTE_BYTES));
    fit(&mut render.lines);
    render
}

fn cut(text: String, max: usize) -> String {
    if text.len() <= max {
        return text;
    }
    prefix(&text, max).to_owned() + MORE
}

/// Keeps so many lines as fit into [`PANEL_BYTES`], an empty one counting as one byte.
fn fit(lines: &mut Vec<String>) {
    let mut room = PANEL_BYTES;
    for at in 0..lines.len() {
        let bytes = lines[at].len() + 1;
        if bytes > room {
            let line = prefix(&lines[at], room.saturating_sub(1)).to_owned() + MORE;
            lines.truncate(at);
            lines.push(line);
            lines.shrink_to_fit();
            return;
        }
        room -= bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_with_a_mark() {
        assert_eq!(cut("héllo".into(), 2), "h…");
        let mut lines = vec!["x".repeat(PANEL_BYTES - 4), "ab".into(), "gone".into()];
        fit(&mut lines);
        assert_eq!(lines[1..], ["ab", MORE]);
        let mut short = vec!["a".to_owned(); 3];
        fit(&mut short);
        assert_eq!(short, ["a", "a", "a"]);
        let mut empty = vec![String::new(); PANEL_BYTES + 10];
        fit(&mut empty);
        assert_eq!(empty.len(), PANEL_BYTES + 1);
    }
}
