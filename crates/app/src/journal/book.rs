//! One conversation as it is kept: which of its announcements become entries, and where.
//!
//! Blocks on the disk. Does not know which conversation comes next.
//!
//! # Order
//! A result is written when its call settles, which is when a face hears of it, so results of
//! calls that ran together may stand in another order than in the conversation; reading puts them
//! right. A state and the tools that a result brought stand in the same write as the result.

use std::collections::{BTreeMap, HashMap};

use zeug_engine::{Compacted, Event, ToolResult};
use zeug_session::{
    ActivatedTools, Body, BranchId, Compaction, Context, EntryId, ExtensionState, Journal,
    STATE_BYTES, SessionError, SessionId, UsageRecord, View,
};
use zeug_stdx::json::RawJson;
use zeug_tool::{Source, valid_name};
use zeug_transcript::{Message, Timestamp, ToolMessage, Usage};

use super::{Keeping, SessionInfo, SessionRefused};

/// Names of tools that one result may activate; the protocol allows no more.
const ACTIVATED: usize = 256;

/// Where a conversation is kept.
enum Pages {
    Written(Box<Journal>),
    ReadOnly(Box<View>),
    Unkept(SessionId),
}

/// One conversation as it is kept.
pub(crate) struct Book {
    pages: Pages,
    /// The entries of the messages that the turn machine has, in its order; `None` for those that
    /// are in no file.
    entries: Vec<Option<EntryId>>,
    /// Results that are written and have not entered the conversation yet, by call.
    results: HashMap<String, EntryId>,
    /// What the last request took.
    usage: Option<UsageRecord>,
    /// What each extension remembers here, also where nothing is written.
    states: BTreeMap<String, RawJson>,
}

/// A conversation as the turn machine and the extensions take it up.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) history: Vec<Message>,
    pub(crate) spent: Usage,
    pub(crate) activated: Vec<String>,
    /// By extension.
    pub(crate) states: BTreeMap<String, RawJson>,
    /// What had to be passed over, in words.
    pub(crate) problems: Vec<String>,
}

impl Book {
    /// A conversation without a file.
    pub(crate) fn unkept(id: SessionId) -> Self {
        Self::over(Pages::Unkept(id))
    }

    /// A conversation that is written.
    pub(crate) fn written(journal: Journal) -> Self {
        Self::over(Pages::Written(Box::new(journal)))
    }

    /// A conversation to which nothing is added on disk.
    pub(crate) fn read_only(view: View) -> Self {
        Self::over(Pages::ReadOnly(Box::new(view)))
    }

    fn over(pages: Pages) -> Self {
        Self {
            pages,
            entries: Vec::new(),
            results: HashMap::new(),
            usage: None,
            states: BTreeMap::new(),
        }
    }

    /// The file, to read.
    pub(crate) fn view(&self) -> Option<&View> {
        match &self.pages {
            Pages::Written(journal) => Some(journal.view()),
            Pages::ReadOnly(view) => Some(view),
            Pages::Unkept(_) => None,
        }
    }

    /// The file, to read; `to` says what for.
    pub(crate) fn must_view(&self, to: &'static str) -> Result<&View, SessionRefused> {
        self.view().ok_or(SessionRefused::Unkept(to))
    }

    /// The file, to write; `to` says what for.
    pub(crate) fn must_write(&mut self, to: &'static str) -> Result<&mut Journal, SessionRefused> {
        match &mut self.pages {
            Pages::Written(journal) => Ok(journal),
            Pages::ReadOnly(_) => Err(SessionRefused::ReadOnly(to)),
            Pages::Unkept(_) => Err(SessionRefused::Unkept(to)),
        }
    }

    /// The branch on which the work goes on, when it is written.
    pub(crate) fn branch(&self) -> Option<BranchId> {
        match &self.pages {
            Pages::Written(journal) => journal.view().active().ok(),
            Pages::ReadOnly(_) | Pages::Unkept(_) => None,
        }
    }

    /// What others are told about it.
    pub(crate) fn info(&self) -> Result<SessionInfo, SessionError> {
        let info = match &self.pages {
            Pages::Written(journal) => SessionInfo::of(journal.view(), Keeping::Written)?,
            Pages::ReadOnly(view) => SessionInfo::of(view, Keeping::ReadOnly)?,
            Pages::Unkept(id) => SessionInfo::unkept(id.to_string()),
        };
        Ok(info)
    }

    /// Takes up the active branch as it stands.
    pub(crate) fn take_up(&mut self) -> Result<Conversation, SessionError> {
        let Some(view) = self.view() else {
            return Ok(Conversation::default());
        };
        let context: Context = view.context(view.tip()?)?;
        let known = view.problems();
        let problems = known.iter().chain(&context.problems);
        let conversation = Conversation {
            history: context.messages(),
            spent: context.usage,
            problems: problems.map(ToString::to_string).collect(),
            activated: context.activated_tools,
            states: context.states,
        };
        self.entries = context.items.iter().map(|item| item.entry).collect();
        self.states.clone_from(&conversation.states);
        self.results.clear();
        self.usage = None;
        Ok(conversation)
    }

    /// Whether something of an event is kept.
    pub(crate) fn keeps(event: &Event) -> bool {
        match event {
            Event::ToolCall { origin, .. } => !origin.is_in_transcript(),
            Event::ToolResult(_)
            | Event::Appended(_)
            | Event::Compacted(_)
            | Event::Cleared
            | Event::Usage { .. }
            | Event::TurnEnd { .. }
            | Event::Done { .. } => true,
            _ => false,
        }
    }

    /// Writes what is to be kept of an event of this conversation's own turns.
    pub(crate) fn record(&mut self, event: &Event) -> Result<(), SessionError> {
        if let Event::ToolResult(result) = event
            && let Some(state) = state_of(result)
        {
            self.remember(state);
        }
        let Pages::Written(journal) = &mut self.pages else {
            return Ok(());
        };
        match event {
            Event::ToolResult(result) if result.origin.is_in_transcript() => self.settled(result),
            Event::Appended(message) => self.appended(message),
            Event::Compacted(compacted) => self.compacted(compacted),
            Event::Cleared => {
                self.entries.clear();
                journal.append(Body::Clear).map(drop)
            }
            Event::Usage { usage, cumulative } => {
                self.usage = Some(UsageRecord {
                    usage: *usage,
                    cumulative: *cumulative,
                });
                Ok(())
            }
            Event::TurnEnd { .. } => match self.usage.take() {
                Some(usage) => journal.append(Body::Usage(usage)).map(drop),
                None => Ok(()),
            },
            Event::Done { .. } => journal.commit(),
            _ => Ok(()),
        }
    }

    fn settled(&mut self, result: &ToolResult) -> Result<(), SessionError> {
        if self.results.contains_key(&result.id) {
            // Of two calls with one id a provider accepts one result; the first stands.
            return Ok(());
        }
        let message = Message::Tool(ToolMessage {
            call_id: result.id.clone(),
            tool_name: result.name.clone(),
            content: result.content.clone(),
            status: result.status,
            time: Timestamp::now(),
        });
        let state = state_of(result).map(Body::ExtensionState);
        let mut bodies: Vec<Body> = state.into_iter().collect();
        let tools: Vec<String> = result
            .activated
            .iter()
            .filter(|name| valid_name(name))
            .take(ACTIVATED)
            .cloned()
            .collect();
        if !tools.is_empty() {
            bodies.push(Body::ActivatedTools(ActivatedTools { tools }));
        }
        bodies.push(Body::Message(message));
        if let Pages::Written(journal) = &mut self.pages {
            let entry = journal.append_all(bodies)?;
            self.results.insert(result.id.clone(), entry);
        }
        Ok(())
    }

    fn appended(&mut self, message: &Message) -> Result<(), SessionError> {
        let known = match message {
            Message::Tool(result) => self.results.get(&result.call_id).copied(),
            Message::User(_) | Message::Assistant(_) => {
                self.results.clear();
                None
            }
        };
        if known.is_some() {
            self.entries.push(known);
            return Ok(());
        }
        let Pages::Written(journal) = &mut self.pages else {
            return Ok(());
        };
        let entry = journal.append(Body::Message(message.clone()));
        self.entries.push(entry.as_ref().ok().copied());
        entry.map(drop)
    }

    fn compacted(&mut self, compacted: &Compacted) -> Result<(), SessionError> {
        let covered = self.entries.len().saturating_sub(compacted.kept);
        let kept = self.entries.split_off(covered);
        let body = Body::Compaction(Compaction {
            summary: zeug_transcript::Content::joined(&compacted.message.content),
            first_kept: kept.iter().flatten().next().copied(),
            covers_messages: covered as u64,
            tokens_before: compacted.tokens_before,
        });
        self.entries.clear();
        let Pages::Written(journal) = &mut self.pages else {
            return Ok(());
        };
        let entry = journal.append(body);
        self.entries.push(entry.as_ref().ok().copied());
        self.entries.extend(kept);
        entry.map(drop)
    }

    /// What each extension remembers here.
    pub(crate) fn states(&self) -> BTreeMap<String, RawJson> {
        self.states.clone()
    }

    fn remember(&mut self, ExtensionState { extension, state }: ExtensionState) {
        if state.is_null() {
            self.states.remove(&extension);
        } else {
            self.states.insert(extension, state);
        }
    }

    /// Keeps what an extension wants to remember on a branch, which need not be the active one;
    /// `None` is where the work goes on.
    pub(crate) fn keep_state(
        &mut self,
        branch: Option<BranchId>,
        state: ExtensionState,
    ) -> Result<(), SessionError> {
        if branch == self.branch() {
            self.remember(state.clone());
        }
        let body = Body::ExtensionState(state);
        match (&mut self.pages, branch) {
            (Pages::Written(journal), Some(branch)) => journal.append_on(branch, body).map(drop),
            (Pages::Written(journal), None) => journal.append(body).map(drop),
            (Pages::ReadOnly(_) | Pages::Unkept(_), _) => Ok(()),
        }
    }

    /// Ends the writing; a session in which nothing was said is removed.
    pub(crate) fn close(self) -> Result<(), SessionError> {
        match self.pages {
            Pages::Written(journal) => journal.close().map(drop),
            Pages::ReadOnly(_) | Pages::Unkept(_) => Ok(()),
        }
    }
}

/// What an extension wants to remember with a result of its own tool.
pub(crate) fn state_of(result: &ToolResult) -> Option<ExtensionState> {
    let Some(Source::Extension(extension)) = &result.source else {
        return None;
    };
    let state = result.details.clone()?;
    // The turn machine has said so when it was too large.
    (state.get().len() <= STATE_BYTES).then(|| ExtensionState {
        extension: extension.clone(),
        state,
    })
}
