//! Who waits for which answer. Every waiter is told exactly once; after the burial nobody waits.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use zeug_ext_protocol::FromExtension;
use zeug_ext_protocol::command::CommandResponse;
use zeug_ext_protocol::intercept::EventInterceptResponse;
use zeug_ext_protocol::tool::ToolResult;
use zeug_tool::Progress;

/// The kind of answer that a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    Tool,
    Command,
    Intercept,
}

/// An answer, or why there is none.
#[derive(Debug)]
pub(crate) enum Reply {
    Tool(ToolResult),
    Command(CommandResponse),
    Intercept(EventInterceptResponse),
    /// The answer came but is no answer.
    Unreadable(String),
    /// The extension went away.
    Gone(String),
}

#[derive(Debug)]
struct Waiter {
    expect: Expect,
    answer: oneshot::Sender<Reply>,
    progress: Progress,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<String, Waiter>,
    buried: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Pending(Mutex<State>);

impl Pending {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a waiter; refused with the reason of the burial.
    pub(crate) fn expect(
        &self,
        id: String,
        expect: Expect,
        progress: Progress,
    ) -> Result<oneshot::Receiver<Reply>, String> {
        let mut state = self.lock();
        if let Some(why) = &state.buried {
            return Err(why.clone());
        }
        let (answer, wait) = oneshot::channel();
        state.waiting.insert(
            id,
            Waiter {
                expect,
                answer,
                progress,
            },
        );
        Ok(wait)
    }

    pub(crate) fn forget(&self, id: &str) {
        self.lock().waiting.remove(id);
    }

    pub(crate) fn resolve(&self, frame: FromExtension) -> Result<(), String> {
        let (id, kind, reply) = match frame {
            FromExtension::ToolResult(r) => (r.id.clone(), Expect::Tool, Reply::Tool(r)),
            FromExtension::CommandResponse(r) => (r.id.clone(), Expect::Command, Reply::Command(r)),
            FromExtension::EventInterceptResponse(r) => {
                (r.id.clone(), Expect::Intercept, Reply::Intercept(r))
            }
            other => return Err(format!("{} is no answer", other.kind())),
        };
        let Some(waiter) = self.lock().waiting.remove(&id) else {
            return Ok(());
        };
        if waiter.expect == kind {
            drop(waiter.answer.send(reply));
            return Ok(());
        }
        let why = format!("answered {:?} with a frame for {kind:?}", waiter.expect);
        drop(waiter.answer.send(Reply::Unreadable(why.clone())));
        Err(format!("{id}: {why}"))
    }

    pub(crate) fn unreadable(&self, id: &str, why: String) {
        let waiter = self.lock().waiting.remove(id);
        if let Some(waiter) = waiter {
            drop(waiter.answer.send(Reply::Unreadable(why)));
        }
    }

    pub(crate) fn progress(&self, id: &str, text: &str) {
        if let Some(waiter) = self.lock().waiting.get(id) {
            waiter.progress.show(text);
        }
    }

    pub(crate) fn bury(&self, why: &str) {
        let waiting = {
            let mut state = self.lock();
            state.buried.get_or_insert_with(|| why.to_owned());
            std::mem::take(&mut state.waiting)
        };
        for waiter in waiting.into_values() {
            drop(waiter.answer.send(Reply::Gone(why.to_owned())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(id: &str) -> FromExtension {
        FromExtension::ToolResult(ToolResult {
            id: id.to_owned(),
            ..ToolResult::default()
        })
    }

    #[test]
    fn answers_find_their_waiters_in_any_order() {
        let pending = Pending::default();
        let mut a = pending
            .expect("a".into(), Expect::Tool, Progress::nowhere())
            .unwrap();
        let mut b = pending
            .expect("b".into(), Expect::Tool, Progress::nowhere())
            .unwrap();
        pending.resolve(result("b")).unwrap();
        assert!(matches!(b.try_recv(), Ok(Reply::Tool(r)) if r.id == "b"));
        assert!(a.try_recv().is_err());
        pending.resolve(result("b")).unwrap();
        pending.resolve(result("never")).unwrap();
    }

    #[test]
    fn a_wrong_kind_of_answer_fails_the_waiter() {
        let pending = Pending::default();
        let mut a = pending
            .expect("a".into(), Expect::Intercept, Progress::nowhere())
            .unwrap();
        assert!(pending.resolve(result("a")).is_err());
        assert!(matches!(a.try_recv(), Ok(Reply::Unreadable(_))));
    }

    #[test]
    fn burial_tells_everybody_and_is_final() {
        let pending = Pending::default();
        let mut a = pending
            .expect("a".into(), Expect::Tool, Progress::nowhere())
            .unwrap();
        pending.bury("killed by SIGSEGV");
        pending.bury("later");
        assert!(matches!(a.try_recv(), Ok(Reply::Gone(why)) if why == "killed by SIGSEGV"));
        let refused = pending.expect("b".into(), Expect::Tool, Progress::nowhere());
        assert_eq!(refused.unwrap_err(), "killed by SIGSEGV");
    }
}
