//! The one table of tool names. Built-ins hold their names; extensions hold theirs in load order.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeug_stdx::claims::{Claims, Order, Standing};

use crate::{BadSchema, Exposure, Filter, Schema, Tool};

/// A tool in the table, with its compiled schema.
#[derive(Clone)]
pub struct Entry {
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// Its arguments' schema.
    pub schema: Schema,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry")
            .field(&self.tool.spec().name)
            .finish()
    }
}

/// The table. Cloning gives another handle to the same one.
#[derive(Debug, Clone, Default)]
pub struct Table {
    filter: Filter,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    claims: Claims<Entry>,
    activated: BTreeSet<String>,
}

/// Whether a tool or command may have this name: `[A-Za-z0-9_-]+`, at most 64 bytes (the providers' limit).
#[must_use]
pub fn valid_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl Table {
    /// An empty table that shows what `filter` allows.
    #[must_use]
    pub fn new(filter: Filter) -> Self {
        Self {
            filter,
            inner: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // The critical sections below cannot panic half-way through a change.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a tool for `owner`. The caller has checked the name with [`valid_name`].
    ///
    /// # Errors
    /// When the schema is unusable; nothing is registered then.
    pub fn register(
        &self,
        owner: &str,
        order: Order,
        tool: Arc<dyn Tool>,
    ) -> Result<Standing, BadSchema> {
        let schema = Schema::compile(&tool.spec().schema)?;
        let name = tool.spec().name.clone();
        let entry = Entry { tool, schema };
        Ok(self.lock().claims.claim(&name, order, owner, entry))
    }

    /// Takes one tool of `owner` away; true when it was there.
    pub fn unregister(&self, owner: &str, name: &str) -> bool {
        self.lock().claims.release(name, owner)
    }

    /// Takes every tool of `owner` away.
    pub fn unregister_all(&self, owner: &str) {
        self.lock().claims.release_all(owner);
    }

    /// The tool that holds `name`, when the user allows it.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Entry> {
        if !self.filter.allows(name) {
            return None;
        }
        self.lock().claims.holder(name).map(|(_, e)| e.clone())
    }

    /// Makes deferred tools visible to the model; unknown names are ignored.
    pub fn activate<'a>(&self, names: impl IntoIterator<Item = &'a str>) {
        let mut inner = self.lock();
        for name in names {
            if inner.claims.holder(name).is_some() {
                inner.activated.insert(name.to_owned());
            }
        }
    }

    /// Makes these deferred tools the ones that are visible to the model, and no others: what held
    /// in a conversation that is taken up again. Names that nobody has yet count once somebody has.
    pub fn restore_activated(&self, names: impl IntoIterator<Item = String>) {
        self.lock().activated = names.into_iter().collect();
    }

    /// What the model is offered now, sorted by name.
    #[must_use]
    pub fn offered(&self) -> Vec<Entry> {
        let inner = self.lock();
        inner
            .claims
            .holders()
            .filter(|(name, _, entry)| {
                self.filter.allows(name)
                    && match entry.tool.spec().exposure {
                        Exposure::Direct | Exposure::ModelOnly => true,
                        Exposure::Deferred => inner.activated.contains(*name),
                        Exposure::Codemode => false,
                    }
            })
            .map(|(_, _, entry)| entry.clone())
            .collect()
    }

    /// What scripts may call, sorted by name. Whether the model is offered a tool says nothing here,
    /// but for those that are the model's alone.
    #[must_use]
    pub fn scripted(&self) -> Vec<Entry> {
        let inner = self.lock();
        inner
            .claims
            .holders()
            .filter(|(name, _, entry)| {
                self.filter.allows(name) && entry.tool.spec().exposure != Exposure::ModelOnly
            })
            .map(|(_, _, entry)| entry.clone())
            .collect()
    }

    /// Every name with its holder's owner, sorted by name.
    #[must_use]
    pub fn names(&self) -> Vec<(String, String)> {
        self.lock()
            .claims
            .holders()
            .map(|(name, owner, _)| (name.to_owned(), owner.to_owned()))
            .collect()
    }

    /// Every claim that lost, as (name, loser, winner).
    #[must_use]
    pub fn shadowed(&self) -> Vec<(String, String, String)> {
        self.lock()
            .claims
            .shadowed()
            .map(|(n, l, w)| (n.to_owned(), l.to_owned(), w.to_owned()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Context, Source, Spec};
    use zeug_stdx::json::RawJson;
    use zeug_transcript::Outcome;

    struct Fake(Spec);

    #[async_trait::async_trait]
    impl Tool for Fake {
        fn spec(&self) -> &Spec {
            &self.0
        }
        async fn execute(&self, _: &Call, _: &Context) -> Outcome {
            Outcome::ok("")
        }
    }

    fn fake(name: &str, owner: &str, exposure: Exposure) -> Arc<dyn Tool> {
        let mut spec = Spec::built_in(name, "", RawJson::empty_object());
        spec.source = Source::Extension(owner.to_owned());
        spec.exposure = exposure;
        Arc::new(Fake(spec))
    }

    #[test]
    fn built_ins_win_and_the_filter_covers_extensions() {
        let table = Table::new(Filter::Only(["read".to_owned(), "a".to_owned()].into()));
        for (owner, order, name) in [
            ("x", 1, "read"),
            ("zeug", 0, "read"),
            ("x", 1, "a"),
            ("x", 1, "b"),
        ] {
            table
                .register(owner, Order(order), fake(name, owner, Exposure::Direct))
                .unwrap();
        }
        let offered: Vec<_> = table
            .offered()
            .iter()
            .map(|e| e.tool.spec().source.to_string())
            .collect();
        assert_eq!(offered, ["extension x", "extension zeug"]);
        assert!(table.lookup("b").is_none());
        assert_eq!(
            table.shadowed(),
            [("read".to_owned(), "x".to_owned(), "zeug".to_owned())]
        );
    }

    #[test]
    fn a_deferred_tool_is_offered_once_activated() {
        let table = Table::default();
        let register = |name, exposure| table.register("x", Order(1), fake(name, "x", exposure));
        register("later", Exposure::Deferred).unwrap();
        register("script", Exposure::Codemode).unwrap();
        assert!(table.offered().is_empty());
        assert!(table.lookup("later").is_some());
        table.activate(["later", "nobody"]);
        assert_eq!(table.offered().len(), 1);
    }

    #[test]
    fn restored_activations_take_the_place_of_those_before_and_wait_for_their_tools() {
        let table = Table::default();
        let register = |name| table.register("x", Order(1), fake(name, "x", Exposure::Deferred));
        register("old").unwrap();
        table.activate(["old"]);
        table.restore_activated(["slow".to_owned()]);
        assert!(table.offered().is_empty());
        register("slow").unwrap();
        assert_eq!(table.offered()[0].tool.spec().name, "slow");
    }
}
