//! `zeug ext call` and `zeug ext command`: one tool or one command, without a model.

use std::io::Write;

use anyhow::Context as _;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Notice};
use zeug_ext_host::Action;
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_transcript::Content;

use crate::args::{ExtensionArgs, RunArgs};
use crate::compose;
use crate::models::Brain;
use crate::signals::INTERRUPTED;
use crate::world::World;

/// A started agent whose notices go to stderr.
struct Bench {
    agent: Agent,
    notices: tokio::task::JoinHandle<()>,
}

impl Bench {
    async fn start(
        world: &World,
        extensions: &ExtensionArgs,
        interrupt: &CancellationToken,
    ) -> anyhow::Result<Option<Self>> {
        let args = RunArgs {
            extensions: extensions.clone(),
            ..RunArgs::default()
        };
        // No model is asked, so none has to be announced, and nobody's key is looked for.
        let parts = compose::parts(world, &args, &compose::spawner(), Brain::puppet())?;
        let (agent, notices) = Agent::start(parts);
        let notices = tokio::spawn(show(notices));
        // Nobody presses a key: a panel ends at once.
        agent.set_face(false, false).await;
        let bench = Self { agent, notices };
        tokio::select! {
            () = bench.agent.ready() => Ok(Some(bench)),
            () = interrupt.cancelled() => {
                bench.stop().await;
                Ok(None)
            }
        }
    }

    async fn stop(self) {
        self.agent.quit().await;
        // It ends with the notices; an error would be a panic in there, which was reported.
        drop(self.notices.await);
    }
}

async fn show(mut notices: mpsc::Receiver<Notice>) {
    let mut err = std::io::stderr();
    while let Some(notice) = notices.recv().await {
        let lines = match notice {
            Notice::Note {
                extension,
                level,
                text,
            } => format!("[{extension}] {}: {text}", level.as_str()),
            Notice::ExtensionFailed { extension, message } => {
                format!("extension {extension}: {message}")
            }
            Notice::ExtensionGone { extension, message } => {
                format!("extension {extension} went away: {message}")
            }
            Notice::ExtensionSkipped { extension, reason } => {
                format!("extension {extension} skipped: {reason}")
            }
            Notice::Remark(text) => text,
            Notice::Status(item) => {
                format!("[{}] status {}: {}", item.extension, item.key, item.text)
            }
            Notice::Widget(widget) => {
                let title = widget.title.unwrap_or_default();
                let lines = widget.lines.join("\n  ");
                format!(
                    "[{}] widget {}: {title}\n  {lines}",
                    widget.extension, widget.id
                )
            }
            Notice::Alert { extension, reason } => format!("[{extension}] bell: {reason}"),
            Notice::SlashSubmitted { extension, text } => {
                format!("[{extension}] submit_slash: {text}")
            }
            Notice::Display { .. }
            | Notice::WidgetCleared { .. }
            | Notice::PanelOpened(_)
            | Notice::PanelDrawn(_)
            | Notice::PanelClosed { .. }
            | Notice::ChromeCleared { .. }
            | Notice::ClearNotes { .. }
            | Notice::Event(_)
            | Notice::Started(_)
            | Notice::Ended(..) => continue,
        };
        // A closed stderr takes the remarks with it; the result goes to stdout.
        drop(writeln!(err, "{}", text::plain(&lines)));
    }
}

/// Runs one tool and prints its result; 1 when the call failed.
pub(crate) async fn tool(
    name: &str,
    args: &str,
    extensions: &ExtensionArgs,
    world: &World,
    interrupt: &CancellationToken,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let args = RawJson::parse(args)
        .with_context(|| format!("the arguments of {name} are no JSON: {args}"))?;
    let Some(bench) = Bench::start(world, extensions, interrupt).await? else {
        return Ok(INTERRUPTED);
    };
    let report = bench.agent.call_tool(name, args, interrupt.clone()).await;
    bench.stop().await;
    let outcome = report?.outcome;
    let failed = outcome.status.is_error();
    let mut err = std::io::stderr();
    let sink: &mut dyn Write = if failed { &mut err } else { out };
    for block in &outcome.content {
        match block {
            Content::Text { text } => writeln!(sink, "{}", text.trim_end())?,
            Content::Image(image) => {
                writeln!(sink, "[{}, {} bytes]", image.mime_type, image.byte_len())?
            }
        }
    }
    Ok(match failed {
        _ if interrupt.is_cancelled() => INTERRUPTED,
        failed => u8::from(failed),
    })
}

/// Runs one slash command and prints what it wants to happen; 1 when it failed.
pub(crate) async fn command(
    name: &str,
    args: &str,
    extensions: &ExtensionArgs,
    world: &World,
    interrupt: &CancellationToken,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let Some(bench) = Bench::start(world, extensions, interrupt).await? else {
        return Ok(INTERRUPTED);
    };
    let reply = tokio::select! {
        reply = bench.agent.command(name.trim_start_matches('/'), args) => Some(reply),
        () = interrupt.cancelled() => None,
    };
    bench.stop().await;
    let action = match reply {
        None => return Ok(INTERRUPTED),
        Some(Err(error)) => {
            writeln!(
                std::io::stderr(),
                "zeug: {}",
                text::plain(&error.to_string())
            )?;
            return Ok(1);
        }
        Some(Ok(reply)) => reply.action,
    };
    match action {
        Action::Prompt(text) => writeln!(out, "prompt → {text}")?,
        Action::Insert(text) => writeln!(out, "insert → {text}")?,
        Action::Display(text) => writeln!(out, "display → {text}")?,
        Action::OpenPanel(panel) => {
            writeln!(out, "open_panel → {}", panel.title.unwrap_or(panel.id))?;
            for line in panel.lines.iter().chain(&panel.footer) {
                writeln!(out, "  {}", text::plain(line))?;
            }
        }
        Action::ToolPrompt { prompt, tool, args } => {
            writeln!(out, "tool_prompt → {tool} {args}, then: {prompt}")?;
        }
        Action::Noop => writeln!(out, "noop")?,
    }
    Ok(0)
}
