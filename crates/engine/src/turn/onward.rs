//! The announced calls go through the gate one after the other, and each result enters the
//! conversation.
//!
//! Does not know what a call does.
//!
//! # Order
//! One call runs after the other, but for neighbours whose tools may run together. Those pass the
//! gate in order as well, and their results enter the conversation in order.

use futures::StreamExt;
use futures::stream::FuturesOrdered;
use tokio_util::sync::CancellationToken;
use zeug_transcript::{Message, Timestamp, ToolMessage};

use super::Halt;
use crate::call::{self, CallReport, Open};
use crate::shared::Shared;

/// Runs the calls. All of them settle and get their result, also when they are given up.
pub(super) async fn run_calls(
    shared: &Shared,
    calls: Vec<Open>,
    cancel: &CancellationToken,
) -> Result<(), Halt> {
    let mut running = FuturesOrdered::new();
    for open in calls {
        let overlaps = open.may_overlap();
        if !overlaps {
            drain(shared, &mut running, cancel).await;
        }
        let gate = call::gate(open, cancel);
        let gated = meanwhile(shared, gate, &mut running, cancel).await;
        running.push_back(call::finish(gated, cancel, None));
        if !overlaps {
            drain(shared, &mut running, cancel).await;
        }
    }
    drain(shared, &mut running, cancel).await;
    if cancel.is_cancelled() {
        return Err(Halt::Aborted);
    }
    Ok(())
}

/// Does `work` while the calls before it run.
async fn meanwhile<T>(
    shared: &Shared,
    work: impl Future<Output = T>,
    running: &mut FuturesOrdered<impl Future<Output = CallReport>>,
    cancel: &CancellationToken,
) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            biased;
            Some(report) = running.next() => enter(shared, report, cancel).await,
            done = &mut work => return done,
        }
    }
}

/// Waits for all that run.
async fn drain(
    shared: &Shared,
    running: &mut FuturesOrdered<impl Future<Output = CallReport>>,
    cancel: &CancellationToken,
) {
    while let Some(report) = running.next().await {
        enter(shared, report, cancel).await;
    }
}

/// The result enters the conversation.
async fn enter(shared: &Shared, report: CallReport, cancel: &CancellationToken) {
    let message = ToolMessage {
        call_id: report.call_id,
        tool_name: report.tool,
        content: report.outcome.content,
        status: report.outcome.status,
        time: Timestamp::now(),
    };
    shared.append(Message::Tool(message), cancel).await;
}
