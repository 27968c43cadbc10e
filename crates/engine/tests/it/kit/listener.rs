//! A listener that answers from a closure, or stays silent.

use std::sync::Arc;

use zeug_hook::{Listener, Matcher, Meta, Moment, OnFailure, Silence};
use zeug_stdx::claims::Order;

use super::Log;

type Answers<M> = dyn Fn(&<M as Moment>::Facts, &<M as Moment>::Value) -> Option<<M as Moment>::Answer>
    + Send
    + Sync;

/// A listener of `M`; `None` is silence for ever.
pub(crate) struct Listens<M: Moment> {
    meta: Meta,
    answers: Box<Answers<M>>,
    log: Log,
}

/// A listener of the extension of this name, which is loaded as the `order`th.
pub(crate) fn listens<M: Moment>(
    extension: &str,
    order: u32,
    answers: impl Fn(&M::Facts, &M::Value) -> Option<M::Answer> + Send + Sync + 'static,
) -> Listens<M> {
    Listens {
        meta: Meta {
            extension: extension.to_owned(),
            order: Order(order),
            priority: 0,
            seq: 0,
            id: None,
            matcher: Matcher::default(),
            on_failure: OnFailure::Allow,
        },
        answers: Box::new(answers),
        log: Log::default(),
    }
}

impl<M: Moment> Listens<M> {
    pub(crate) fn on_failure(mut self, on_failure: OnFailure) -> Self {
        self.meta.on_failure = on_failure;
        self
    }

    pub(super) fn logged(mut self, log: &Log) -> Arc<Self> {
        self.log = log.clone();
        Arc::new(self)
    }
}

#[async_trait::async_trait]
impl<M: Moment> Listener<M> for Listens<M> {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    async fn ask(&self, facts: &M::Facts, value: &M::Value) -> Result<M::Answer, Silence> {
        self.log
            .note(format!("ask {} {}", self.meta.extension, M::NAME));
        match (self.answers)(facts, value) {
            Some(answer) => Ok(answer),
            None => std::future::pending().await,
        }
    }
}
