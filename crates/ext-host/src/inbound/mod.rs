//! What an extension may start by itself, frame by frame.
//!
//! Each frame either takes effect or leaves a diagnostic that says what to write instead; none
//! can do harm to another extension.

mod register;
pub(crate) mod say;

use std::sync::Arc;

use zeug_ext_protocol::{BadFrame, FromExtension};
use zeug_ext_wire::Line;

use crate::News;
use crate::gateway;
use crate::guest::Guest;
use crate::lifecycle::Lifecycle;
use crate::link::Link;
use crate::shared::Shared;

/// Frames whose `id` is that of a question. Other frames may have an `id` as well.
const ANSWERS: [&str; 3] = [
    "tool_result",
    "command_response",
    "event_intercept_response",
];

/// Frames that a successor may send before it is ready.
const STAGED: usize = 4 * zeug_ext_protocol::limits::REGISTRATIONS;

/// Whoever handles a frame needs these.
pub(crate) struct Desk<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) guest: &'a Arc<Guest>,
    pub(crate) link: &'a Arc<Link>,
}

impl Desk<'_> {
    /// Handles one line. True when the extension said that it is ready.
    pub(crate) async fn line(&self, line: Line, life: &Lifecycle) -> bool {
        let bytes = match line {
            Line::Frame(bytes) => bytes,
            Line::Blank => {
                self.guest.diagnose("blank line on stdout ignored");
                return false;
            }
            Line::NotUtf8 { at, preview } => {
                self.guest.diagnose(format!(
                    "line dropped: invalid UTF-8 at byte {at}, near {preview:?}"
                ));
                return false;
            }
        };
        // The reader has checked that the line is UTF-8.
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        tracing::trace!(target: "wire", extension = %self.guest.name(), frame = %text, "←");
        match FromExtension::decode(text) {
            Ok(FromExtension::Ready) => return true,
            Ok(frame) => self.frame(frame, life).await,
            Err(bad) => self.bad(bad, text),
        }
        false
    }

    fn bad(&self, bad: BadFrame, line: &str) {
        // The reason may quote the line, which may be long.
        let why = zeug_stdx::text::one_line(&bad.to_string(), 500);
        let shown = zeug_stdx::text::one_line(line, 120);
        self.guest.diagnose(format!("{why}: {shown}"));
        if let BadFrame::WrongShape {
            kind, id: Some(id), ..
        } = &bad
            && ANSWERS.contains(&kind.as_str())
        {
            self.link.unreadable(id, why);
        }
    }

    /// What the predecessor held is this extension's from now on: first everything that it
    /// registered takes effect, then what only the other had goes. Nobody is without a guard
    /// meanwhile.
    pub(crate) async fn succeed(&self, old: Option<&Arc<Guest>>, life: &Lifecycle) {
        if old.is_some() {
            let extension = self.guest.name().to_owned();
            self.shared.announce(News::Replaced { extension }).await;
        }
        self.shared.greeted(self.guest.name(), self.link);
        let first = self.shared.next_subscription();
        let staged = self.guest.about().staged.take();
        for frame in staged.into_iter().flatten() {
            self.frame(frame, life).await;
        }
        let Some(old) = old else {
            return;
        };
        let name = self.guest.name();
        let (tools, commands) = {
            let (before, now) = (old.about(), self.guest.about());
            (
                before.held.tools.without(&now.held.tools),
                before.held.commands.without(&now.held.commands),
            )
        };
        for tool in tools {
            self.shared.table.unregister(name, &tool);
        }
        for command in commands {
            self.shared.commands.unregister(name, &command);
        }
        let board = &self.shared.board;
        board.leave(|meta| meta.extension == name && meta.seq < first);
        self.shared.subscribers.dismiss(old);
        self.shared.stage().leave(name);
        old.retire();
    }

    async fn frame(&self, frame: FromExtension, life: &Lifecycle) {
        let frame = match self.staged(frame) {
            Some(frame) => frame,
            None => return,
        };
        match frame {
            FromExtension::RegisterTool(tool) => self.register_tool(tool, life).await,
            FromExtension::RegisterCommand(command) => self.register_command(command, life).await,
            FromExtension::UnregisterTool(tool) => self.unregister_tool(&tool.name).await,
            FromExtension::UnregisterCommand(command) => {
                self.unregister_command(&command.name).await;
            }
            FromExtension::Subscribe(subscribe) => self.subscribe(subscribe),
            FromExtension::Unsubscribe(unsubscribe) => self.unsubscribe(&unsubscribe.id),
            answer @ (FromExtension::ToolResult(_)
            | FromExtension::CommandResponse(_)
            | FromExtension::EventInterceptResponse(_)) => {
                if let Err(why) = self.link.resolve(answer) {
                    self.guest.diagnose(why);
                }
            }
            FromExtension::ToolProgress(progress) => {
                self.link.progress(&progress.id, &progress.text);
            }
            FromExtension::CallTool(call) => {
                let main = self.shared.gate();
                let called = gateway::call_tool(self.link, self.guest.name(), main, call);
                if let Err(why) = called {
                    self.guest.diagnose(why);
                }
            }
            FromExtension::CallToolCancel(cancel) => self.link.gateway().cancel(&cancel.id),
            FromExtension::Hello(_) => self.guest.diagnose("second hello ignored"),
            FromExtension::Unknown(kind) => {
                self.guest
                    .diagnose(format!("unknown frame type {kind:?} ignored"));
            }
            // Handled before, or an answer that nobody waits for.
            FromExtension::Ready | FromExtension::ShutdownAck => {}
            said @ (FromExtension::Notify(_)
            | FromExtension::ClearNotes
            | FromExtension::Submit(_)
            | FromExtension::SubmitSlash(_)
            | FromExtension::OpenPanel(_)
            | FromExtension::PanelRender(_)
            | FromExtension::PanelClose(_)
            | FromExtension::Status(_)
            | FromExtension::Widget(_)
            | FromExtension::WidgetClear(_)
            | FromExtension::Alert(_)) => self.say(said).await,
        }
    }

    /// Keeps what it says by itself for later, while the predecessor is in its place; else gives the
    /// frame back.
    fn staged(&self, frame: FromExtension) -> Option<FromExtension> {
        let is_answer = matches!(
            frame,
            FromExtension::ToolResult(_)
                | FromExtension::CommandResponse(_)
                | FromExtension::EventInterceptResponse(_)
                | FromExtension::CallTool(_)
                | FromExtension::CallToolCancel(_)
        );
        if is_answer {
            return Some(frame);
        }
        let mut about = self.guest.about();
        let Some(staged) = &mut about.staged else {
            return Some(frame);
        };
        if staged.len() < STAGED {
            staged.push(frame);
            return None;
        }
        drop(about);
        self.guest.diagnose_once(format!(
            "more than {STAGED} frames before ready: the rest is ignored"
        ));
        None
    }
}
