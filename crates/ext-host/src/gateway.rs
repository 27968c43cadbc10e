//! `call_tool`: an extension has another tool run. Who is called, in which chain, and for how long.
//!
//! The call itself passes the gate of the agent, which the host knows only as a [`Gate`].
//!
//! # Order
//! A request is refused before it is announced when its extension may not make it; everything else
//! (the tool's name, its schema, guards, approvals) is for the gate to say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use zeug_ext_protocol::gateway::{CallTool, CallToolResult};
use zeug_ext_protocol::{ToExtension, capability, limits};
use zeug_stdx::nest::Nest;
use zeug_stdx::text;
use zeug_tool::{Gate, Nested, ToolRequest};
use zeug_transcript::{Observed, Outcome};

use crate::adapt::block;
use crate::link::Link;

/// Calls of one extension that may be without a result.
const OUTSTANDING: usize = 64;

/// The calls of one connection, in both directions.
#[derive(Default)]
pub(crate) struct Gateway(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    /// The host's calls that the extension is working on, by their ids on the wire.
    parents: HashMap<String, Parent>,
    /// The extension's calls that have no result yet, by its own ids.
    outstanding: HashMap<String, CancellationToken>,
    tasks: Nest,
    over: bool,
}

#[derive(Clone)]
struct Parent {
    nested: Nested,
    cancel: CancellationToken,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Gateway")
    }
}

impl Gateway {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The extension works on this call from now on, and may start others for it.
    pub(crate) fn began(&self, id: &str, nested: Nested, cancel: &CancellationToken) {
        let cancel = cancel.child_token();
        let parent = Parent { nested, cancel };
        self.lock().parents.insert(id.to_owned(), parent);
    }

    /// It works on it no more: what it started for it is given up.
    pub(crate) fn ended(&self, id: &str) {
        let parent = self.lock().parents.remove(id);
        if let Some(parent) = parent {
            parent.cancel.cancel();
        }
    }

    /// `call_tool_cancel`. An unknown id is that of a call that has its result.
    pub(crate) fn cancel(&self, id: &str) {
        let call = self.lock().outstanding.get(id).cloned();
        if let Some(call) = call {
            call.cancel();
        }
    }

    /// The connection is over: all calls of the extension are given up.
    pub(crate) fn bury(&self) {
        let mut inner = self.lock();
        inner.over = true;
        let parents = inner.parents.drain().map(|(_, parent)| parent.cancel);
        let mut given_up: Vec<_> = parents.collect();
        given_up.extend(inner.outstanding.drain().map(|(_, call)| call));
        drop(inner);
        given_up.iter().for_each(CancellationToken::cancel);
    }

    /// Takes a request on, or says why not.
    fn admit(&self, call: &CallTool, main: Option<Arc<dyn Gate>>) -> Result<Admitted, String> {
        let mut inner = self.lock();
        if inner.over {
            return Err("the extension is being stopped".to_owned());
        }
        if inner.outstanding.contains_key(&call.id) {
            return Err("its id is that of a call that has no result yet".to_owned());
        }
        if inner.outstanding.len() >= OUTSTANDING {
            return Err(format!("{OUTSTANDING} calls have no result yet"));
        }
        let (nested, cancel) = match &call.parent_id {
            Some(parent) => {
                let parent = inner.parents.get(parent).cloned().ok_or_else(|| {
                    "parent_id is not the id of a tool_call without a result".to_owned()
                })?;
                (parent.nested, parent.cancel.child_token())
            }
            None if inner.parents.is_empty() => {
                let chain = Vec::new();
                let gate = main;
                (Nested { gate, chain }, CancellationToken::new())
            }
            None => {
                return Err(
                    "while a tool_call has no result, parent_id must name the one it is for"
                        .to_owned(),
                );
            }
        };
        let chain = nested.chain;
        if chain.contains(&call.name) {
            let chain = chain.join(" → ");
            return Err(format!("it is in this chain of calls already: {chain}"));
        }
        if chain.len() >= limits::NESTED_CALLS {
            let chain = chain.join(" → ");
            let most = limits::NESTED_CALLS;
            return Err(format!("a chain has at most {most} calls: {chain}"));
        }
        let gate = nested
            .gate
            .ok_or_else(|| "no conversation is open yet".to_owned())?;
        inner.outstanding.insert(call.id.clone(), cancel.clone());
        Ok(Admitted {
            gate,
            chain,
            cancel,
        })
    }
}

struct Admitted {
    gate: Arc<dyn Gate>,
    chain: Vec<String>,
    cancel: CancellationToken,
}

/// Handles a request; its answer comes when there is one. `Err` is a remark for the author of a
/// request that was refused.
pub(crate) fn call_tool(
    link: &Arc<Link>,
    extension: &str,
    main: Option<Arc<dyn Gate>>,
    call: CallTool,
) -> Result<(), String> {
    if call.id.len() > limits::ID_BYTES {
        // What is too long to be said again is not answered.
        let most = limits::ID_BYTES;
        return Err(format!(
            "call_tool ignored: its id has more than {most} bytes"
        ));
    }
    let admitted = check(link, &call).and_then(|()| link.gateway().admit(&call, main));
    let Admitted {
        gate,
        chain,
        cancel,
    } = match admitted {
        Ok(admitted) => admitted,
        Err(why) => {
            let name = text::one_line(&call.name, limits::NAME_BYTES);
            let why = format!("call_tool {name} refused: {why}");
            answer(link, call.id, name, Outcome::failed(why.clone()));
            return Err(why);
        }
    };
    let wanted = ToolRequest {
        name: call.name.clone(),
        args: call.args,
        extension: extension.to_owned(),
        chain,
        cancel,
        deadline: limits::CALL_TOOL,
    };
    let caller = Arc::clone(link);
    let work = async move {
        let outcome = gate.call(wanted).await;
        // Whoever was given up because the connection is over has nobody to answer.
        if caller
            .gateway()
            .lock()
            .outstanding
            .remove(&call.id)
            .is_some()
        {
            answer(&caller, call.id, call.name, outcome);
        }
    };
    let mut inner = link.gateway().lock();
    inner.tasks.reap();
    inner.tasks.spawn("call_tool", work);
    Ok(())
}

/// What can be said without looking at other calls.
fn check(link: &Link, call: &CallTool) -> Result<(), String> {
    if !link.can(capability::CALL_TOOL) {
        return Err("hello.capabilities does not list call_tool".to_owned());
    }
    if call.id.is_empty() {
        return Err("its id must have 1 to 256 bytes".to_owned());
    }
    if call.name.len() > limits::NAME_BYTES {
        return Err("no tool has so long a name".to_owned());
    }
    if !call.args.is_object() {
        return Err("args must be an object".to_owned());
    }
    let bad_key = |key: &String| {
        key.len() > limits::DURABLE_KEY_BYTES || key.contains('/') || key.contains('\0')
    };
    if call.key.as_ref().is_some_and(bad_key) {
        let most = limits::DURABLE_KEY_BYTES;
        return Err(format!("a key has at most {most} bytes, no / and no NUL"));
    }
    Ok(())
}

fn answer(link: &Link, id: String, name: String, outcome: Outcome) {
    let seen = Observed::of(&outcome.content);
    let answer = ToExtension::ToolResult(CallToolResult {
        id,
        name,
        content: seen.content.iter().map(block).collect(),
        is_error: outcome.status.is_error(),
        truncated: seen.truncated,
    });
    // A link that is down buries itself.
    drop(link.tell(&answer));
}
