//! What the model is told on a branch, and what else holds there.
//!
//! Does not know who asks the model, and writes nothing.

use std::collections::BTreeMap;

use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Message, Timestamp, ToolMessage, Usage, UserMessage, pairing};

use crate::entry::{Body, Compaction, Kind};
use crate::error::{Problem, Problems, SessionError, Trouble};
use crate::view::{Rows, View};
use crate::{EntryId, row};

/// Everything that holds at an entry.
#[derive(Debug, Clone)]
pub struct Context {
    /// The entry.
    pub tip: EntryId,
    /// What the model is told, oldest first; every call has its result.
    pub items: Vec<Item>,
    /// The state of each extension that has one.
    pub states: BTreeMap<String, RawJson>,
    /// The deferred tools that are available, in the order of their activation.
    pub activated_tools: Vec<String>,
    /// The tokens used on the way here, as the last record of them says.
    pub usage: Usage,
    /// What had to be passed over.
    pub problems: Vec<Problem>,
}

/// One message that the model is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its entry; of a summary, the compaction's. `None` when it is in no file.
    pub entry: Option<EntryId>,
    /// Why it is here.
    pub source: Source,
    /// The message.
    pub message: Message,
}

/// Why a message is in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It was said.
    Said,
    /// It stands for what was compacted.
    Summary,
    /// It stands for a result that was lost.
    Mended,
}

impl Context {
    /// The messages alone, for the machine that talks to the model.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.items.iter().map(|i| i.message.clone()).collect()
    }
}

impl View {
    /// What holds at `tip`: the messages since the last clear, with a summary in the place of what
    /// was compacted, and the states and tools as they were left on the way there.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`]. Damaged rows are passed over and reported in the context.
    pub fn context(&self, tip: EntryId) -> Result<Context, SessionError> {
        let place = self.place(tip)?;
        let chain: Vec<u32> = self.index.chain(place).collect();
        let mut reader = Reader {
            view: self,
            rows: Rows::of(&self.file),
            problems: Problems::new(self.path.clone()),
        };
        let items = reader.items(&chain);
        let states = reader.states(&chain);
        let activated_tools = reader.activated_tools(&chain);
        let usage = reader.usage(&chain);
        Ok(Context {
            tip,
            items: pairing::pair(items, |item| &item.message, lost),
            states,
            activated_tools,
            usage,
            problems: reader.problems.list(),
        })
    }
}

/// Reads along a chain, which goes from new to old.
struct Reader<'a> {
    view: &'a View,
    rows: Rows<'a>,
    problems: Problems,
}

impl Reader<'_> {
    fn kind(&self, place: u32) -> Kind {
        self.view.index.slot(place).kind
    }

    /// A row's contents, or a problem.
    fn body(&mut self, place: u32) -> Option<(Timestamp, Body)> {
        let slot = self.view.index.slot(place);
        match self.rows.entry(slot) {
            Ok(entry) => Some((entry.time, entry.body)),
            Err(why) => {
                self.problems
                    .push(slot.at, Trouble::Damaged { id: slot.id, why });
                None
            }
        }
    }

    fn items(&mut self, chain: &[u32]) -> Vec<Item> {
        let (summary, mut places) = self.visible(chain);
        // Ascending, so that rows that lie together are read together.
        places.reverse();
        let mut items: Vec<Item> = Vec::with_capacity(places.len() + 1);
        items.extend(summary);
        for place in places {
            let slot = self.view.index.slot(place);
            let bytes = self.rows.bytes(slot).map_err(|error| error.to_string());
            match bytes.and_then(|b| row::message(b).map_err(|error| error.to_string())) {
                Ok(message) => items.push(Item {
                    entry: Some(slot.id),
                    source: Source::Said,
                    message,
                }),
                Err(why) => self
                    .problems
                    .push(slot.at, Trouble::Damaged { id: slot.id, why }),
            }
        }
        items
    }

    /// The last summary, and the messages that the model still sees as they were.
    fn visible(&mut self, chain: &[u32]) -> (Option<Item>, Vec<u32>) {
        let mut messages = Vec::new();
        let mut summary = None;
        let mut kept = Kept::All;
        for place in chain.iter().copied() {
            match self.kind(place) {
                Kind::Clear => break,
                Kind::Message(_) if self.keeps(kept, place) => messages.push(place),
                Kind::Message(_) => break,
                Kind::Compaction if summary.is_none() => {
                    // One that cannot be read hides nothing: too much context is better than none.
                    if let Some((time, Body::Compaction(compaction))) = self.body(place) {
                        kept = Kept::of(&compaction);
                        let id = self.view.index.slot(place).id;
                        summary = Some(summarised(id, time, &compaction));
                    }
                }
                _ => {}
            }
            if kept == Kept::Nothing {
                break;
            }
        }
        (summary, messages)
    }

    fn keeps(&self, kept: Kept, place: u32) -> bool {
        match kept {
            Kept::All => true,
            Kept::Nothing => false,
            // By place where it is known; ids ascend in the same order where it is damaged.
            Kept::From(first) => match self.view.index.find(first) {
                Some(first) => place >= first,
                None => self.view.index.slot(place).id >= first,
            },
        }
    }

    fn states(&mut self, chain: &[u32]) -> BTreeMap<String, RawJson> {
        let mut known: BTreeMap<u32, RawJson> = BTreeMap::new();
        for place in chain.iter().copied() {
            let owner = self.view.index.slot(place).extension;
            if self.kind(place) != Kind::ExtensionState || known.contains_key(&owner) {
                continue;
            }
            if let Some((_, Body::ExtensionState(state))) = self.body(place) {
                known.insert(owner, state.state);
            }
        }
        let names = &self.view.index.extensions;
        known
            .into_iter()
            .filter(|(_, state)| !state.is_null())
            .filter_map(|(owner, state)| Some((names.get(owner as usize)?.clone(), state)))
            .collect()
    }

    fn activated_tools(&mut self, chain: &[u32]) -> Vec<String> {
        let mut tools: Vec<String> = Vec::new();
        for place in chain.iter().rev().copied() {
            if self.kind(place) == Kind::ActivatedTools
                && let Some((_, Body::ActivatedTools(activated))) = self.body(place)
            {
                for tool in activated.tools {
                    if !tools.contains(&tool) {
                        tools.push(tool);
                    }
                }
            }
        }
        tools
    }

    fn usage(&mut self, chain: &[u32]) -> Usage {
        for place in chain.iter().copied() {
            if self.kind(place) == Kind::Usage
                && let Some((_, Body::Usage(record))) = self.body(place)
            {
                return record.cumulative;
            }
        }
        Usage::default()
    }
}

/// Which messages before a compaction the model still sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// All; there was no compaction.
    All,
    /// Those from this entry on.
    From(EntryId),
    /// None.
    Nothing,
}

impl Kept {
    fn of(compaction: &Compaction) -> Self {
        compaction.first_kept.map_or(Self::Nothing, Self::From)
    }
}

fn summarised(id: EntryId, time: Timestamp, compaction: &Compaction) -> Item {
    Item {
        entry: Some(id),
        source: Source::Summary,
        message: Message::User(UserMessage {
            content: vec![Content::text(compaction.summary.clone())],
            time,
        }),
    }
}

/// What stands for a lost result. The rows stay as they are.
fn lost(result: ToolMessage) -> Item {
    Item {
        entry: None,
        source: Source::Mended,
        message: Message::Tool(result),
    }
}
