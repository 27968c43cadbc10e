//! What `/help`, `/tools`, `/skills`, `/ext` and `/trace` say, as plain text: for faces that show
//! text. A face with dialogs of its own reads the same facts.

use std::fmt::Write as _;

use zeug_ext_host::State;
use zeug_stdx::text;
use zeug_tool::{Entry, Exposure, Source};

use super::{BUILT_INS, BuiltIn};
use crate::{Agent, trace};

/// The most bytes of one description.
const DESCRIPTION: usize = 160;
/// The calls that `/trace` shows without an argument.
const CALLS: usize = 20;

impl Agent {
    /// The text of a command that only lists something; `None` when it does something else. What
    /// extensions wrote in it is plain.
    #[must_use]
    pub fn listed(&self, command: &BuiltIn, args: &str) -> Option<String> {
        match command.name {
            "help" => Some(self.help()),
            "tools" => Some(or(lines(self.tools().iter().map(tool)), "no tools")),
            "skills" => Some(or(
                lines(
                    self.skills()
                        .iter()
                        .map(|skill| row(&skill.name, &skill.description)),
                ),
                "no skills",
            )),
            "ext" => Some(or(
                lines(self.extensions().iter().map(extension)),
                "no extensions",
            )),
            "trace" => Some(trace::page(&self.trail(), args.trim(), CALLS)),
            _ => None,
        }
    }

    fn help(&self) -> String {
        let ours = BUILT_INS.iter().filter(|command| !command.hidden);
        let mut help = lines(ours.map(|command| {
            let head = format!("/{} {}", command.name, command.args);
            row(head.trim_end(), command.what)
        }));
        help.push_str("\n/skill:NAME [TEXT]  begin a prompt with a skill");
        help.push_str("\n!COMMAND  run a shell command; the model sees it with the next prompt");
        let theirs = self.commands();
        if !theirs.is_empty() {
            help.push_str("\n\nextensions\n");
            help.push_str(&lines(
                theirs
                    .iter()
                    .map(|(name, what)| row(&format!("/{name}"), what)),
            ));
        }
        help
    }
}

fn tool(entry: &Entry) -> String {
    let spec = entry.tool.spec();
    let state = match spec.exposure {
        Exposure::Direct | Exposure::ModelOnly => "",
        Exposure::Deferred => ", deferred",
        Exposure::Codemode => ", for scripts",
    };
    let group = match &spec.source {
        Source::Extension(owner) if *owner != spec.namespace.name => {
            format!(", in {}", text::one_line(&spec.namespace.name, DESCRIPTION))
        }
        _ => String::new(),
    };
    let head = format!("{} ({}{group}{state})", spec.name, spec.source);
    row(&head, &spec.description)
}

fn extension(report: &zeug_ext_host::GuestReport) -> String {
    let state = match &report.state {
        State::Starting => "starting".to_owned(),
        State::Ready(how) => (*how).to_owned(),
        State::Failed(why) => format!("failed: {why}"),
        State::Gone(how) => format!("gone: {how}"),
        State::Stopped => "stopped".to_owned(),
    };
    let mut line = row(&report.name, &state);
    for (what, names) in [("tools", &report.tools), ("commands", &report.commands)] {
        if !names.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(line, "\n    {what}: {}", names.join(", "));
        }
    }
    line
}

fn row(head: &str, what: &str) -> String {
    format!("{head}  {}", text::one_line(what, DESCRIPTION))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn or(list: String, nothing: &str) -> String {
    if list.is_empty() {
        return nothing.to_owned();
    }
    list
}
