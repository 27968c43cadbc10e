//! What the user set, and where: the defaults, then the user's file, then the project's, then
//! flags; each value remembers which of them it came from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use zeug_ext_protocol::register::OnFailure;
use zeug_provider::Effort;

use crate::file::{self, Place};
use crate::{ConfigError, Limits, Paths, Providers, Terminal, Warning, project_config};

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// Nobody set it.
    #[default]
    Default,
    /// A configuration file.
    File {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// A flag such as `--model`.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the default"),
            Self::File { file, line } => write!(f, "{}:{line}", file.display()),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub origin: Origin,
}

impl<T> Setting<T> {
    /// Replaces the value by one of higher precedence.
    pub fn set(&mut self, value: T, origin: Origin) {
        *self = Self { value, origin };
    }
}

/// Which calls need the user's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approve {
    /// None.
    Never,
    /// Those that change something.
    Writes,
    /// All.
    Always,
}

impl Approve {
    /// As it is written, on the command line too.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("never", Self::Never),
        ("writes", Self::Writes),
        ("always", Self::Always),
    ];
}

/// What happens when an installed extension's content is not what was installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locked {
    /// It starts, and the user is told.
    #[default]
    Warn,
    /// It does not start.
    Refuse,
}

impl Locked {
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("warn", Self::Warn), ("refuse", Self::Refuse)];
}

pub(crate) const ON_FAILURE: [(&str, OnFailure); 3] = [
    ("allow", OnFailure::Allow),
    ("block", OnFailure::Block),
    ("ask", OnFailure::Ask),
];

/// `[extensions]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extensions {
    /// `disabled`: names of extensions that do not start.
    pub disabled: Setting<BTreeSet<String>>,
    /// `locked`: `"warn"` or `"refuse"`.
    pub locked: Setting<Locked>,
    /// `[extensions.limits]`.
    pub limits: Limits,
    /// `[extensions.on_failure]`: what a silent guard counts as, by extension; it wins over what
    /// the extension asked for.
    pub on_failure: BTreeMap<String, Setting<OnFailure>>,
}

/// Everything that `config.toml` can say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// `provider`.
    pub provider: Setting<Option<String>>,
    /// `model`: a name, or `provider/name`.
    pub model: Setting<Option<String>>,
    /// `reasoning`: how much the model reasons before it answers.
    pub reasoning: Setting<Option<Effort>>,
    /// `[providers.NAME]`.
    pub providers: Providers,
    /// `approve`: `"never"`, `"writes"` or `"always"`; unset means that the face decides.
    pub approve: Setting<Option<Approve>>,
    /// `max_steps`: model calls in one turn of the user.
    pub max_steps: Setting<Option<u32>>,
    /// `[extensions]`.
    pub extensions: Extensions,
    /// `[terminal]`.
    pub terminal: Terminal,
}

/// Settings, and what in the files had no effect.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// What was ignored, in the order of the files.
    pub warnings: Vec<Warning>,
}

impl Settings {
    /// Reads the user's file and the project's, where they exist.
    ///
    /// A project's file cannot weaken security: of it only `provider`, `model`, `reasoning`
    /// and `max_steps` count, and everything else that is known is ignored with a warning.
    ///
    /// # Errors
    /// When a file is unreadable, no TOML, or has a value of the wrong kind.
    pub fn load(paths: &Paths, cwd: &Path) -> Result<Loaded, ConfigError> {
        let (user, project) = (paths.config(), project_config(cwd));
        let mut loaded = Loaded::default();
        file::apply(&user, Place::User, &mut loaded)?;
        let same = user == project
            || matches!((user.canonicalize(), project.canonicalize()), (Ok(a), Ok(b)) if a == b);
        if !same {
            file::apply(&project, Place::Project, &mut loaded)?;
        }
        Ok(loaded)
    }
}
