//! Sessions in the shapes of the RPC protocol.

use zeug_rpc_protocol::{
    BranchData, ForkData, HitData, Keeping as Kept, NodeData, Role, SessionData, SummaryData,
};
use zeug_session::{Branch, Descent, Hit, Role as Speaker, Summary};

use crate::journal::{Forked, Keeping, SessionInfo, TreeNode};

impl From<&SessionInfo> for SessionData {
    fn from(session: &SessionInfo) -> Self {
        Self {
            session_id: session.id.clone(),
            path: session.path.as_ref().map(|p| p.display().to_string()),
            title: session.title.clone(),
            branch: session.branch.as_ref().map(branch),
            keeping: match session.keeping {
                Keeping::Written => Kept::Written,
                Keeping::ReadOnly => Kept::ReadOnly,
                Keeping::Unkept => Kept::Unkept,
            },
        }
    }
}

impl From<Forked> for ForkData {
    fn from(forked: Forked) -> Self {
        Self {
            session: SessionData::from(&forked.session),
            text: forked.said,
        }
    }
}

impl From<&TreeNode> for NodeData {
    fn from(tree: &TreeNode) -> Self {
        Self {
            entry: tree.node.entry.to_string(),
            parent: tree.node.parent.map(|parent| parent.to_string()),
            branch: tree.node.branch.to_string(),
            active: tree.node.active,
            time: tree.time,
            text: tree.text.clone(),
        }
    }
}

/// A branch as it is shown.
#[must_use]
pub fn branch(branch: &Branch) -> BranchData {
    BranchData {
        id: branch.id.to_string(),
        name: branch.name.clone(),
        parent: branch.parent.map(|parent| parent.to_string()),
        fork_point: branch.fork_point,
        messages: branch.messages,
        active: branch.active,
    }
}

/// A session in a list as it is shown.
#[must_use]
pub fn summary(summary: &Summary) -> SummaryData {
    let model = summary.provider.as_ref().zip(summary.model.as_ref());
    let origin = summary.origin.as_ref();
    SummaryData {
        session_id: summary.id.to_string(),
        path: summary.path.display().to_string(),
        label: summary.label().to_owned(),
        cwd: summary.cwd.clone(),
        messages: summary.messages,
        created: summary.created,
        last_activity: summary.last_activity,
        bytes: summary.bytes,
        model: model.map(|(provider, model)| format!("{provider}/{model}")),
        parent: origin.map(|origin| origin.session.to_string()),
        how: origin.map(|origin| descent(origin.how).to_owned()),
    }
}

fn descent(how: Descent) -> &'static str {
    match how {
        Descent::Fork => "fork",
        Descent::Import => "import",
        Descent::Subagent => "subagent",
    }
}

/// A find as it is shown.
#[must_use]
pub fn hit(hit: &Hit) -> HitData {
    HitData {
        session_id: hit.session.id.to_string(),
        entry: hit.entry.to_string(),
        role: match hit.role {
            Speaker::User => Role::User,
            Speaker::Assistant => Role::Assistant,
            Speaker::Tool => Role::Tool,
        },
        time: hit.time,
        snippet: hit.snippet.clone(),
    }
}
