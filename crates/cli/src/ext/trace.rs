//! `zeug ext trace`: the decision trail that a session keeps.

use std::io::Write;

use zeug_app::trace;
use zeug_rpc_protocol::CallData;
use zeug_session::View;
use zeug_transcript::Timestamp;

use super::Context;
use crate::session;
use crate::sessions::locate;

#[derive(Debug, clap::Args)]
pub(super) struct TraceArgs {
    /// Only the calls of this tool, or the one with this id.
    call: Option<String>,
    /// The session, by its id or the beginning of it; the project's latest when absent.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The last so many calls.
    #[arg(short = 'n', long = "last", value_name = "N", default_value_t = 20)]
    last: usize,
    /// One JSON object a call, as in `get_trace` of RPC, with its time.
    #[arg(long)]
    json: bool,
}

/// Prints decisions, oldest first.
pub(super) fn run(
    args: &TraceArgs,
    context: &Context<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let sessions = session::sessions(context.world);
    let path = match &args.session {
        Some(id) => Some(locate(id, &sessions)?.path),
        None => sessions
            .catalog
            .continue_latest(&sessions.cwd)
            .map(|latest| latest.path),
    };
    let Some(path) = path else {
        anyhow::bail!("this project has no session yet: --session ID names one of another");
    };
    let view = View::open(&path)?;
    let only = args.call.as_deref().unwrap_or_default();
    let kept = view.decisions(usize::MAX).into_iter();
    let mut calls: Vec<(Timestamp, CallData)> = kept
        // Rows of a version that knows more are read as far as this one understands them.
        .filter_map(|(time, call)| Some((time, call.view::<CallData>().ok()?)))
        .filter(|(_, call)| trace::is_about(call, only))
        .collect();
    let first = calls.len().saturating_sub(args.last);
    anyhow::ensure!(
        !calls.is_empty(),
        "session {} keeps no decision about {}",
        view.id().short(),
        if only.is_empty() { "a call" } else { only }
    );
    for (at, (time, call)) in calls.drain(first..).enumerate() {
        if args.json {
            let mut line = serde_json::to_value(&call)?;
            line["time"] = time.to_string().into();
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
        } else {
            let blank = if at == 0 { "" } else { "\n" };
            let time = time.strftime("%Y-%m-%d %H:%M:%S");
            writeln!(
                out,
                "{blank}{}\n  {:<10} {time}",
                trace::paragraph(&call),
                "at"
            )?;
        }
    }
    Ok(0)
}
