//! `zeug sessions show`: a conversation as the model would be told it.

use std::io::Write;

use zeug_app::{Sessions, find_branch};
use zeug_rpc_protocol::{Block, MessageBlock, MessageData, Role};
use zeug_session::View;
use zeug_stdx::text;

use super::{aside, line, locate};

/// The most bytes of a call's arguments.
const ARGS_BYTES: usize = 400;

#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// Which.
    id: String,
    /// A branch, by its name or id; the one last worked on when absent.
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    /// One JSON object a message, as `get_messages` of RPC has them.
    #[arg(long)]
    json: bool,
}

/// Prints the conversation on one branch.
pub(super) fn run(args: &ShowArgs, sessions: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut view = View::open(&locate(&args.id, sessions)?.path)?;
    if let Some(branch) = &args.branch {
        let branch = find_branch(&view, branch)?;
        view.look_from(branch)?;
    }
    let context = view.context(view.tip()?)?;
    for problem in view.problems().iter().chain(&context.problems) {
        aside(&problem.to_string());
    }
    for item in &context.items {
        let message = MessageData::from(&item.message);
        if args.json {
            serde_json::to_writer(&mut *out, &message)?;
            writeln!(out)?;
        } else {
            print(&message, out)?;
        }
    }
    Ok(())
}

fn print(message: &MessageData, out: &mut dyn Write) -> std::io::Result<()> {
    let who = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    writeln!(
        out,
        "── {who}  {}",
        message.time.strftime("%Y-%m-%d %H:%M:%S")
    )?;
    for block in &message.content {
        match block {
            MessageBlock::Plain(block) => print_block(block, out)?,
            MessageBlock::Result(result) => {
                let (name, how) = (line(&result.name, 64), result.status.as_str());
                writeln!(out, "{name}: {how}")?;
                for block in &result.content {
                    print_block(block, out)?;
                }
            }
        }
    }
    writeln!(out)
}

fn print_block(block: &Block, out: &mut dyn Write) -> std::io::Result<()> {
    match block {
        Block::Text { text } => writeln!(out, "{}", text::plain(text).trim_end()),
        Block::Image { mime_type, bytes } => {
            writeln!(out, "[{}, {bytes} bytes]", line(mime_type, 64))
        }
        Block::ToolCall {
            name,
            args,
            args_raw,
            ..
        } => {
            let args = args_raw.as_deref().unwrap_or(args.get());
            writeln!(out, "→ {} {}", line(name, 64), line(args, ARGS_BYTES))
        }
    }
}
