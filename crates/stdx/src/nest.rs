//! Tasks with an owner: when the nest goes, its tasks go.
//!
//! Knows nothing about what the tasks do; names are for the log only.

use std::future::Future;

use tokio::task::JoinSet;

/// A set of named tasks. Dropping it ends them.
#[derive(Debug, Default)]
pub struct Nest {
    tasks: JoinSet<&'static str>,
}

impl Nest {
    /// An empty nest.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a task that the nest owns.
    pub fn spawn(&mut self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(async move {
            task.await;
            name
        });
    }

    /// Forgets the tasks that ended. For a nest that gets new ones as long as it lives.
    pub fn reap(&mut self) {
        while self.tasks.try_join_next().is_some() {}
    }

    /// Waits until every task ended by itself.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the remaining tasks running in the nest.
    pub async fn finished(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}
