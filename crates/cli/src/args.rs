//! What was typed, as typed. What follows from it is decided in `plan` and `compose`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Parser, Subcommand, ValueEnum};
use zeug_config::Secret;
use zeug_provider::Effort;

use crate::{ext, sessions, themes};

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 failed (the model's provider failed, or a turn was blocked), 2 wrong usage or
configuration, 130 interrupted. stdout carries only the answer or the events; everything else goes
to stderr.

A model is connected by one of these:
  zeug login anthropic                                 keeps a key in auth.toml
  ANTHROPIC_API_KEY=... zeug -p hi                     the only key there is chooses its provider
  zeug -p --base-url http://127.0.0.1:8080/v1 --model NAME hi      any OpenAI-compatible server
  model = \"provider/name\" in config.toml; zeug --list-models shows names
A key is taken from --api-key, else the provider's variable, else auth.toml, else the
api_key_command of its [providers.NAME] in config.toml.

Without a configured model the built-in puppet answers: it does what the prompt says, offline.
  zeug -p 'call read {\"path\":\"README.md\",\"limit\":3}'
  zeug -p 'think hm
say Hello {{tools}}'

Conversations are kept: zeug -c goes on with the latest one of this directory, zeug sessions lists
and shows them.

Files: $ZEUG_HOME, else $XDG_STATE_HOME/zeug, else ~/.local/state/zeug (config.toml, auth.toml,
extensions/, sessions/, logs/, trust.toml). ZEUG_LOG=wire prints every frame to and from extensions on stderr.";

const AFTER_RPC_HELP: &str = "\
One prompt without a client:
  printf '%s\\n' '{\"type\":\"prompt\",\"message\":\"say hi\"}' | zeug rpc

When ZEUG_RPC_TOKEN, ZUTCORE_RPC_TOKEN or ZOTCORE_RPC_TOKEN is set, the first request must be
{\"type\":\"hello\",\"token\":\"...\"}. Exit codes: 0 the client closed its end and everything is done,
1 wrong token, or the client is gone, 2 wrong usage or configuration, 130 interrupted.";

/// Flags of a single run that mean nothing where a program asks.
const NOT_FOR_RPC: [&str; 5] = ["prompt", "print", "stream", "json", "list_models"];

fn hidden_from_rpc(arg: Arg) -> Arg {
    let hidden = NOT_FOR_RPC.contains(&arg.get_id().as_str());
    arg.hide(hidden)
}

/// A terminal coding agent that anyone extends in any language.
#[derive(Debug, Parser)]
#[command(name = "zeug", version, after_help = AFTER_HELP)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List, install, examine and run extensions.
    Ext(ext::ExtArgs),
    /// Serve one program: requests on standard input, responses and events on standard output, one
    /// JSON object a line (protocol/RPC.md).
    #[command(after_help = AFTER_RPC_HELP)]
    #[command(mut_args(|arg| hidden_from_rpc(arg)))]
    Rpc(Box<RunArgs>),
    /// List, read, search, name, copy and delete sessions.
    Sessions(sessions::SessionsArgs),
    /// List the themes of the user, the project and extensions, and check them.
    Themes(themes::ThemesArgs),
    /// Keep a provider's key in auth.toml; typed at a prompt that hides it, or piped in.
    Login {
        /// Whose key, such as `anthropic`; asked for when it is missing.
        provider: Option<String>,
    },
    /// Remove a provider's key from auth.toml.
    Logout {
        /// Whose key; not needed when only one is stored.
        provider: Option<String>,
    },
    /// Ends what a killed zeug left behind; started by zeug itself.
    #[command(name = "__watchdog", hide = true)]
    Watchdog,
}

/// One run of the agent.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    /// The prompt; piped standard input is appended to it.
    pub(crate) prompt: Vec<String>,

    /// Print the last answer and exit.
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(crate) print: bool,
    /// Print answers as they come.
    #[arg(long, conflicts_with = "json")]
    pub(crate) stream: bool,
    /// Print one JSON event a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Work in this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) extensions: ExtensionArgs,
    /// Start extensions anew when their files change: in a terminal and with `zeug rpc`.
    #[arg(long, conflicts_with_all = ["print", "stream", "json"])]
    pub(crate) watch: bool,

    /// Offer only these tools, extension tools included.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// Offer no tools at all.
    #[arg(long, conflicts_with = "tools")]
    pub(crate) no_tools: bool,

    /// Say this instead of who zeug is.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system_prompt: Option<String>,
    /// Append this to the system prompt; may be repeated.
    #[arg(long, value_name = "TEXT")]
    pub(crate) append_system_prompt: Vec<String>,
    /// Leave out skills: those of the user, the project, extensions, and the built-in one.
    #[arg(long, alias = "no-skill")]
    pub(crate) no_skills: bool,
    /// Leave out AGENTS.md files.
    #[arg(long)]
    pub(crate) no_context_files: bool,
    /// End a prompt after this many model calls.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: Option<u32>,

    #[command(flatten)]
    pub(crate) session: SessionArgs,

    /// Which tool calls need an approval. A face that cannot ask runs everything unless this is
    /// given, and then refuses what would need one.
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) approve: Option<ApproveArg>,
    /// The same as `--approve never`.
    #[arg(long, conflicts_with_all = ["approve", "no_yolo"])]
    pub(crate) yolo: bool,
    /// The same as `--approve always`.
    #[arg(long, conflicts_with = "approve")]
    pub(crate) no_yolo: bool,

    // Last, because its heading is that of everything after it.
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

/// Which session the run is in.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SessionArgs {
    /// Go on with this project's latest session.
    #[arg(short = 'c', long = "continue", conflicts_with_all = ["resume", "session", "no_session"])]
    pub(crate) continue_latest: bool,
    /// Go on with the session of this id, or whose id begins like this; in a terminal without an id:
    /// choose from a list.
    #[arg(short, long, value_name = "ID", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["session", "no_session"])]
    pub(crate) resume: Option<String>,
    /// Go on with the session in this file; a new one there when there is none.
    #[arg(long, value_name = "PATH", conflicts_with = "no_session")]
    pub(crate) session: Option<PathBuf>,
    /// Keep nothing of this conversation.
    #[arg(long)]
    pub(crate) no_session: bool,
    /// With an older session: go on with this branch of it, by its name or id.
    #[arg(long, value_name = "BRANCH", conflicts_with = "no_session")]
    pub(crate) branch: Option<String>,
    /// With an older session: read it, also when another zeug has it open; what is said now is
    /// not kept.
    #[arg(long, conflicts_with_all = ["fork", "no_session"])]
    pub(crate) read_only: bool,
    /// With an older session: go on in a session of its own that begins as a copy of its branch.
    #[arg(long, conflicts_with = "no_session")]
    pub(crate) fork: bool,
}

/// Who answers.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// The provider; `puppet` is the built-in one.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The model: its name, provider/name, or enough of it to tell it from others.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The provider's key. Other programs on this machine can see it here: better a variable, or
    /// `zeug login`.
    #[arg(long, value_name = "KEY", value_parser = secret)]
    pub(crate) api_key: Option<Secret>,
    /// Where the provider is. Without --provider: an OpenAI-compatible server, whose key, if it
    /// wants one, is in ZEUG_API_KEY.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// How much the model reasons before it answers.
    #[arg(long, value_name = "LEVEL", value_parser = effort())]
    pub(crate) reasoning: Option<Effort>,
    /// Print the models there are, with --json as JSON, and exit.
    #[arg(long, conflicts_with_all = ["prompt", "print", "stream"])]
    pub(crate) list_models: bool,
}

/// Refuses nothing: what is wrong with it is said later, without the key.
fn secret(text: &str) -> Result<Secret, std::convert::Infallible> {
    Ok(Secret::new(text))
}

fn effort() -> impl TypedValueParser<Value = Effort> {
    let words = Effort::ALL.map(Effort::as_str);
    PossibleValuesParser::new(words)
        .try_map(|word| Effort::parse(&word).ok_or("no such level of reasoning"))
}

/// Which extensions take part.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ExtensionArgs {
    /// Load an extension from this directory for this run; may be repeated.
    #[arg(short = 'e', long = "ext", value_name = "DIR")]
    pub(crate) ext: Vec<PathBuf>,
    /// Load no installed extensions, only those of --ext.
    #[arg(long, alias = "no-extensions")]
    pub(crate) no_ext: bool,
    /// Start untrusted extensions of this project, for this run.
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApproveArg {
    /// Nothing.
    Never,
    /// Everything that may change something.
    Writes,
    /// Everything.
    Always,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_prompt_is_no_command() {
        let args = Args::try_parse_from(["zeug", "-p", "-e", "a", "-e", "b", "call x {}"]).unwrap();
        assert!(args.command.is_none());
        assert_eq!(args.run.prompt, ["call x {}"]);
        assert_eq!(args.run.extensions.ext.len(), 2);
    }

    #[test]
    fn rpc_takes_the_flags_of_a_run_and_shows_those_that_mean_something() {
        let args = ["zeug", "rpc", "--model", "m", "-e", "a", "--no-tools"];
        let args = Args::try_parse_from(args).unwrap();
        let Some(Command::Rpc(run)) = args.command else {
            panic!("{args:?}");
        };
        assert_eq!(run.model.model.as_deref(), Some("m"));
        let mut command = Args::command();
        let rpc = command.find_subcommand_mut("rpc").unwrap();
        let help = rpc.render_long_help().to_string();
        assert!(
            help.contains("--model") && !help.contains("--stream"),
            "{help}"
        );
        assert!(!help.contains("PROMPT"), "{help}");
    }

    #[test]
    fn a_typed_key_is_in_no_debug_output() {
        let args = Args::try_parse_from(["zeug", "-p", "--api-key", "sk-1", "hi"]).unwrap();
        let key = args.run.model.api_key.as_ref().unwrap();
        assert_eq!(key.reveal(), "sk-1");
        assert!(!format!("{args:?}").contains("sk-1"));
    }

    #[test]
    fn every_level_of_reasoning_has_its_word() {
        for level in Effort::ALL {
            let args = ["zeug", "--reasoning", level.as_str()];
            let args = Args::try_parse_from(args).unwrap();
            assert_eq!(args.run.model.reasoning, Some(level));
        }
        assert!(Args::try_parse_from(["zeug", "--reasoning", "hard"]).is_err());
    }
}
