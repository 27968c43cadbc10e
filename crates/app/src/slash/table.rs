//! The commands of zeug itself, as data: what help, pop-ups and the dispatcher all read.

/// A slash command of zeug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// Without its slash.
    pub name: &'static str,
    /// What may stand behind it, as help shows it; empty when nothing may.
    pub args: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// Whether help and pop-ups leave it out.
    pub hidden: bool,
    /// Whether another conversation takes the place of the open one.
    pub changes: bool,
}

const fn shown(name: &'static str, args: &'static str, what: &'static str) -> BuiltIn {
    BuiltIn {
        name,
        args,
        what,
        hidden: false,
        changes: false,
    }
}

const fn changing(name: &'static str, args: &'static str, what: &'static str) -> BuiltIn {
    BuiltIn {
        changes: true,
        ..shown(name, args, what)
    }
}

const fn hidden(name: &'static str, args: &'static str, what: &'static str) -> BuiltIn {
    BuiltIn {
        hidden: true,
        ..shown(name, args, what)
    }
}

/// All of them, as help lists them. Their names are never an extension's
/// ([`BUILT_IN_COMMANDS`](zeug_ext_host::BUILT_IN_COMMANDS)).
pub const BUILT_INS: [BuiltIn; 26] = [
    shown("help", "", "what can be typed here"),
    shown("model", "[NAME]", "ask another model of this provider"),
    shown("login", "[PROVIDER]", "keep a provider's key"),
    shown("logout", "[PROVIDER]", "forget a provider's key"),
    changing("sessions", "[ID]", "go on with another session"),
    changing("new", "", "begin a new session"),
    changing("fork", "[ENTRY]", "begin a branch of this session"),
    changing("tree", "[BRANCH]", "go on with another branch"),
    shown("compact", "", "put a summary in place of the conversation"),
    changing("clear", "", "forget the conversation"),
    shown("title", "TEXT", "name this session"),
    shown("tools", "", "tools that the model may call"),
    shown("skills", "", "skills that are there"),
    shown("ext", "", "extensions and how they stand"),
    shown("reload-ext", "[NAME]", "start extensions anew"),
    shown(
        "trace",
        "[TOOL_ID]",
        "who decided what about the last calls",
    ),
    shown("settings", "", "how zeug looks and behaves"),
    shown("theme", "[NAME]", "other colours"),
    hidden("jail", "", "keep tools in the project directory"),
    shown(
        "approve",
        "[never|writes|always]",
        "which calls are asked about",
    ),
    shown("btw", "QUESTION", "ask beside the conversation"),
    shown("export", "PATH", "write this session into a file"),
    changing("import", "PATH", "take over a session from a file"),
    hidden("cd", "PATH", "work in another directory"),
    hidden("exit", "", "leave zeug"),
    shown("quit", "", "leave zeug"),
];

/// The built-in command of this name, in any spelling.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_INS
        .iter()
        .find(|command| command.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn extensions_cannot_take_any_of_these_names() {
        let ours: BTreeSet<&str> = BUILT_INS.iter().map(|command| command.name).collect();
        let kept: BTreeSet<&str> = zeug_ext_host::BUILT_IN_COMMANDS.into_iter().collect();
        assert_eq!(ours, kept);
    }

    #[test]
    fn a_name_is_found_in_any_spelling() {
        assert_eq!(built_in("Reload-EXT").map(|c| c.name), Some("reload-ext"));
        assert_eq!(built_in("reload"), None);
    }
}
