//! The announced calls go through the gate one after the other, and each result enters the
//! conversation.
//!
//! Does not know what a call does.

use tokio_util::sync::CancellationToken;
use zeug_transcript::{Message, Timestamp, ToolMessage};

use super::Halt;
use crate::call::{self, Open};
use crate::shared::Shared;

/// Runs the calls in order. All of them settle and get their result, also when they are given up.
pub(super) async fn run_calls(
    shared: &Shared,
    calls: Vec<Open>,
    cancel: &CancellationToken,
) -> Result<(), Halt> {
    for open in calls {
        let report = call::pass(open, cancel, None).await;
        let message = ToolMessage {
            call_id: report.call_id,
            tool_name: report.tool,
            content: report.outcome.content,
            status: report.outcome.status,
            time: Timestamp::now(),
        };
        shared.append(Message::Tool(message), cancel).await;
    }
    if cancel.is_cancelled() {
        return Err(Halt::Aborted);
    }
    Ok(())
}
