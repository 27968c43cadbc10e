//! Branches and where they part.
//!
//! A branch is a line of entries: it begins with the first entry of the file or with a branch
//! mark, and every entry of it but the first continues the one before. Does not read what entries
//! say, except the names of branches.

use crate::entry::{Body, Kind, Role};
use crate::error::SessionError;
use crate::index::NONE;
use crate::view::View;
use crate::{BranchId, EntryId};

/// A branch of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its id.
    pub id: BranchId,
    /// What the user calls it.
    pub name: Option<String>,
    /// The branch that it left; `None` for the trunk.
    pub parent: Option<BranchId>,
    /// The entry at which it left it.
    pub forked_from: Option<EntryId>,
    /// The number of messages it shares with its parent.
    pub fork_point: usize,
    /// Its last entry.
    pub tip: EntryId,
    /// The number of messages on the way to its tip.
    pub messages: usize,
    /// Whether the work goes on here.
    pub active: bool,
}

/// A user message in its place among the others, for a picture of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The message's entry.
    pub entry: EntryId,
    /// The user message before it, on whichever branch that is.
    pub parent: Option<EntryId>,
    /// The branch it is on.
    pub branch: BranchId,
    /// Whether the active tip continues it.
    pub active: bool,
}

/// Where a fork begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkAt {
    /// The entry is the last that both branches share. Results of its tool calls are shared, too.
    After(EntryId),
    /// The entry is not shared: to say the same thing in other words.
    Before(EntryId),
}

impl View {
    /// The branch on which the work goes on.
    ///
    /// # Errors
    /// [`SessionError::NotASession`] when there is no entry, which an opened session has.
    pub fn active(&self) -> Result<BranchId, SessionError> {
        self.tip().and_then(|tip| self.branch_of(tip))
    }

    /// The branch of an entry.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`].
    pub fn branch_of(&self, entry: EntryId) -> Result<BranchId, SessionError> {
        let place = self.place(entry)?;
        Ok(self.branch_at(place))
    }

    fn branch_at(&self, place: u32) -> BranchId {
        let first = self.index.slot(place).branch;
        BranchId(self.index.slot(first).id)
    }

    /// All branches, the oldest first.
    #[must_use]
    pub fn branches(&self) -> Vec<Branch> {
        // Counted once for all, so that many long branches do not take long.
        let mut counts: Vec<usize> = Vec::with_capacity(self.len());
        for slot in self.index.slots() {
            let above = counts.get(slot.parent as usize).copied().unwrap_or(0);
            counts.push(above + usize::from(matches!(slot.kind, Kind::Message(_))));
        }
        self.index
            .branches()
            .map(|(first, tip)| self.describe(first, tip, |place| counts[place as usize]))
            .collect()
    }

    /// One branch.
    ///
    /// # Errors
    /// [`SessionError::NoBranch`].
    pub fn branch(&self, id: BranchId) -> Result<Branch, SessionError> {
        let (first, tip) = self.branch_places(id)?;
        Ok(self.describe(first, tip, |place| self.messages_up_to(place)))
    }

    /// The first and the last slot of a branch.
    pub(crate) fn branch_places(&self, id: BranchId) -> Result<(u32, u32), SessionError> {
        let first = self.index.find(id.0);
        first
            .and_then(|first| Some((first, self.index.tip(first)?)))
            .ok_or_else(|| SessionError::NoBranch {
                path: self.path.to_path_buf(),
                id,
            })
    }

    fn describe(&self, first: u32, tip: u32, messages: impl Fn(u32) -> usize) -> Branch {
        let slot = self.index.slot(first);
        let forked = Some(slot.parent).filter(|parent| *parent != NONE);
        let name = match self.read_place(first).map(|entry| entry.body) {
            Ok(Body::Branch(mark)) => mark.name,
            _ => None,
        };
        Branch {
            id: BranchId(slot.id),
            name,
            parent: forked.map(|parent| self.branch_at(parent)),
            forked_from: forked.map(|parent| self.index.slot(parent).id),
            fork_point: forked.map_or(0, &messages),
            tip: self.index.slot(tip).id,
            messages: messages(tip),
            active: self.here() == Some(tip),
        }
    }

    /// All user messages of all branches, the oldest first.
    #[must_use]
    pub fn tree(&self) -> Vec<Node> {
        let slots = self.index.slots();
        let mut active = vec![false; slots.len()];
        for place in self.here().iter().flat_map(|l| self.index.chain(*l)) {
            active[place as usize] = true;
        }
        let mut nodes = Vec::new();
        // For each slot the nearest user message at or before it.
        let mut nearest: Vec<u32> = Vec::with_capacity(slots.len());
        for (place, slot) in slots.iter().enumerate() {
            let above = nearest.get(slot.parent as usize).copied().unwrap_or(NONE);
            if slot.kind == Kind::Message(Role::User) {
                nodes.push(Node {
                    entry: slot.id,
                    parent: (above != NONE).then(|| self.index.slot(above).id),
                    branch: self.branch_at(place as u32),
                    active: active[place],
                });
                nearest.push(place as u32);
            } else {
                nearest.push(above);
            }
        }
        nodes
    }

    /// The last slot that a fork shares with the branch it leaves.
    pub(crate) fn fork_place(&self, at: ForkAt) -> Result<u32, SessionError> {
        match at {
            ForkAt::After(id) => Ok(self.with_results(self.place(id)?)),
            ForkAt::Before(id) => {
                let parent = self.index.slot(self.place(id)?).parent;
                if parent == NONE {
                    return Err(SessionError::NothingBefore {
                        path: self.path.to_path_buf(),
                        id,
                    });
                }
                Ok(parent)
            }
        }
    }

    /// The same slot, or that of the last result of its calls: a fork between a call and its
    /// result would tell the model that the call was interrupted.
    fn with_results(&self, place: u32) -> u32 {
        if self.index.slot(place).kind == Kind::Message(Role::User) {
            return place;
        }
        let Some(tip) = self.index.tip(self.index.slot(place).branch) else {
            return place;
        };
        let mut behind: Vec<u32> = self
            .index
            .chain(tip)
            .take_while(|after| *after > place)
            .collect();
        behind.reverse();
        let mut last = place;
        for after in behind {
            match self.index.slot(after).kind {
                Kind::Message(Role::Tool) => last = after,
                Kind::Message(_) | Kind::Compaction | Kind::Clear | Kind::Branch => break,
                _ => {}
            }
        }
        last
    }
}
