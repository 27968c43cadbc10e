//! A tool that lives in an extension.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep_until};
use zeug_ext_protocol::tool::{Block, Cancel, ToolCall, ToolResult};
use zeug_ext_protocol::{ToExtension, capability};
use zeug_stdx::id::IdSource;
use zeug_tool::{Call, Context, Spec, Tool};
use zeug_transcript::{Content, Image, Outcome, Status};

use crate::link::{Asked, Expect, Link, Reply};

static CALLS: IdSource = IdSource::new("call");

/// The proxy that the table holds.
pub(crate) struct RemoteTool {
    pub(crate) spec: Spec,
    pub(crate) extension: String,
    pub(crate) link: Arc<Link>,
    pub(crate) reply: Duration,
}

impl RemoteTool {
    fn failure(&self, status: Status, why: impl std::fmt::Display) -> Outcome {
        let text = format!(
            "extension {}/{} failed: {why}",
            self.extension, self.spec.name
        );
        Outcome::text(status, text)
    }

    fn outcome(&self, result: ToolResult) -> Outcome {
        let mut status = if result.is_error {
            Status::Failed
        } else {
            Status::Completed
        };
        let mut content = Vec::with_capacity(result.content.len());
        for block in result.content {
            self.convert(block, &mut content, &mut status);
        }
        if content.is_empty() {
            content.push(Content::text("(extension returned no content)"));
        }
        Outcome {
            status,
            content,
            // Whoever runs tools bounds it, and tells the user.
            details: result.details,
            structured: result.structured_content,
            activate_tools: result.activate_tools,
        }
    }

    fn convert(&self, block: Block, content: &mut Vec<Content>, status: &mut Status) {
        match block.kind.as_str() {
            "text" => {
                let text = block.text.unwrap_or_default();
                if !text.is_empty() {
                    content.push(Content::Text { text });
                }
            }
            "image" => {
                let mime_type = block.mime_type.unwrap_or_default();
                match Image::from_base64(mime_type, &block.data.unwrap_or_default()) {
                    Ok(image) => content.push(Content::Image(image)),
                    Err(e) => {
                        *status = Status::Failed;
                        content.push(Content::text(format!(
                            "extension {}/{} returned undecodable image: {e}",
                            self.extension, self.spec.name
                        )));
                    }
                }
            }
            other => content.push(Content::text(format!(
                "[unknown block type {other:?} from extension {}]",
                self.extension
            ))),
        }
    }
}

#[async_trait]
impl Tool for RemoteTool {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        let id = CALLS.next();
        let frame = ToExtension::ToolCall(ToolCall {
            id: id.clone(),
            name: self.spec.name.clone(),
            args: call.args.clone(),
        });
        let progress = cx.progress.clone();
        // Before it can be heard of: its first word may be a call of its own.
        self.link
            .gateway()
            .began(&id, cx.nested.clone(), &cx.cancel);
        let asked = match self.link.ask(&frame, id.clone(), Expect::Tool, progress) {
            Ok(asked) => asked,
            Err(why) => {
                self.link.gateway().ended(&id);
                return self.failure(Status::Failed, why);
            }
        };
        let deadline = (!self.spec.interactive).then(|| asked.since() + self.reply);
        let mut running = Running {
            link: &self.link,
            id,
            asked,
        };
        // However this ends without an answer, also by being dropped, the call is given up.
        tokio::select! {
            biased;
            reply = running.asked.answer() => match reply {
                Reply::Tool(result) => self.outcome(result),
                Reply::Unreadable(why) | Reply::Gone(why) => self.failure(Status::Failed, why),
                Reply::Command(_) | Reply::Intercept(_) => {
                    self.failure(Status::Failed, "answered with another kind of frame")
                }
            },
            () = cx.cancel.cancelled() => {
                self.failure(Status::Cancelled, "the call was cancelled")
            }
            () = until(deadline) => {
                let why = format!("no answer within {} s", self.reply.as_secs_f32());
                self.failure(Status::TimedOut, why)
            }
        }
    }
}

/// A call that waits for its answer. When it is dropped before, the call is given up, and an
/// extension that wants to know is told.
struct Running<'a> {
    link: &'a Arc<Link>,
    id: String,
    asked: Asked,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.link.gateway().ended(&self.id);
        if self.asked.take_back() && self.link.can(capability::TOOL_CANCEL) {
            let id = std::mem::take(&mut self.id);
            // Nobody is left to be told when this fails: the link is down then.
            drop(self.link.tell(&ToExtension::ToolCancel(Cancel { id })));
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
