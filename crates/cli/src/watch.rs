//! `--watch`: extensions are started anew when their files change.

use std::convert::Infallible;

use zeug_app::Agent;
use zeug_ext_catalog::{Changed, Watched, Watcher};

use crate::args::ExtensionArgs;
use crate::invite;
use crate::world::World;

/// Extensions that are watched.
pub(crate) struct Fresh<'a> {
    agent: &'a Agent,
    world: &'a World,
    extensions: &'a ExtensionArgs,
    watcher: Option<Watcher>,
}

impl<'a> Fresh<'a> {
    /// Begins to watch. What cannot be watched is told to the user, and is no reason to stop.
    pub(crate) async fn start(
        agent: &'a Agent,
        world: &'a World,
        extensions: &'a ExtensionArgs,
    ) -> Self {
        let mut roots = Vec::new();
        if !extensions.no_ext {
            let places = world.places();
            roots.extend(places.project);
            roots.push(places.global);
        }
        let watcher = match Watcher::start(roots) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                let why = format!("--watch: {error}; /reload-ext starts extensions anew");
                agent.remark(why).await;
                None
            }
        };
        let mut fresh = Self {
            agent,
            world,
            extensions,
            watcher,
        };
        fresh.look().await;
        fresh
    }

    /// Has the agent start anew what changed, for as long as it is polled.
    pub(crate) async fn keep(mut self) -> Infallible {
        self.agent.ready().await;
        loop {
            let changed = match &mut self.watcher {
                Some(watcher) => watcher.next().await,
                None => return std::future::pending().await,
            };
            if changed.contains(&Changed::All) {
                self.agent.refresh(None).await;
            } else {
                for one in &changed {
                    if let Changed::One(name) = one {
                        self.agent.refresh(Some(name)).await;
                    }
                }
            }
            self.look().await;
        }
    }

    /// Watches what is there now.
    async fn look(&mut self) {
        let Some(mut watcher) = self.watcher.take() else {
            return;
        };
        let (cwd, extensions) = (self.world.cwd.clone(), self.extensions.clone());
        let looking = tokio::task::spawn_blocking(move || {
            let found = World::look(Some(&cwd)).and_then(|world| invite::find(&world, &extensions));
            let candidates = found.map(|found| found.loadable).unwrap_or_default();
            let watched = candidates.into_iter().map(|candidate| Watched {
                name: candidate.name().to_owned(),
                keeps_state: candidate.data_dir == candidate.dir,
                dir: candidate.dir,
                program: candidate.program,
            });
            let refused = watcher.watch(watched.collect());
            (watcher, refused)
        });
        let refused = match looking.await {
            Ok((watcher, refused)) => {
                self.watcher = Some(watcher);
                refused
            }
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        };
        if let Some((dir, why)) = refused.first() {
            let more = match refused.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let text = format!(
                "--watch: {} is not watched: {why}{more}; /reload-ext starts extensions anew",
                dir.display()
            );
            self.agent.remark(text).await;
        }
    }
}
