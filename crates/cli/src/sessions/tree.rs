//! `zeug sessions tree`: branches, where they part, and whose sub-agents worked where.

use std::io::Write;

use zeug_app::{Sessions, shapes};
use zeug_rpc_protocol::{BranchData, SummaryData};
use zeug_session::{Body, View};
use zeug_transcript::{Content, Message};

use super::list::json;
use super::{line, locate};

/// The most bytes of a message in a tree.
const TEXT_BYTES: usize = 70;

#[derive(Debug, clap::Args)]
pub(super) struct TreeArgs {
    /// Which.
    id: String,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

/// Prints the branches, their user messages and the sub-agents of a session.
pub(super) fn run(args: &TreeArgs, sessions: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    let view = View::open(&locate(&args.id, sessions)?.path)?;
    let branches: Vec<BranchData> = view.branches().iter().map(shapes::branch).collect();
    let nodes: Vec<Said> = view.tree().iter().map(|node| said(&view, node)).collect();
    let children = sessions.catalog.subagents(view.id());
    let children: Vec<SummaryData> = children.iter().map(shapes::summary).collect();
    if args.json {
        let nodes: Vec<_> = nodes.iter().map(Said::json).collect();
        let tree = serde_json::json!({
            "branches": branches, "nodes": nodes, "subagents": children,
        });
        return json(&tree, out);
    }
    for branch in &branches {
        let mark = if branch.active { '*' } else { ' ' };
        let name = branch.name.as_deref().map(|name| line(name, 40));
        let from = match &branch.parent {
            Some(parent) => format!(", leaves {parent} after {} messages", branch.fork_point),
            None => String::new(),
        };
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        writeln!(
            out,
            "{mark} {}{name}: {} messages{from}",
            branch.id, branch.messages
        )?;
        for said in nodes.iter().filter(|said| said.branch == branch.id) {
            writeln!(out, "    {}  {}", said.entry, line(&said.text, TEXT_BYTES))?;
        }
    }
    for child in &children {
        let (id, label) = (&child.session_id[..8], line(&child.label, TEXT_BYTES));
        writeln!(
            out,
            "  sub-agent {id}: {label}, {} messages",
            child.messages
        )?;
    }
    Ok(())
}

/// A user message in its place.
struct Said {
    entry: String,
    parent: Option<String>,
    branch: String,
    active: bool,
    text: String,
}

impl Said {
    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "entry": self.entry, "parent": self.parent, "branch": self.branch,
            "active": self.active, "text": self.text,
        })
    }
}

fn said(view: &View, node: &zeug_session::Node) -> Said {
    let text = match view.read(node.entry).map(|entry| entry.body) {
        Ok(Body::Message(Message::User(said))) => Content::joined(&said.content),
        _ => "(damaged)".to_owned(),
    };
    Said {
        entry: node.entry.to_string(),
        parent: node.parent.map(|parent| parent.to_string()),
        branch: node.branch.to_string(),
        active: node.active,
        text,
    }
}
