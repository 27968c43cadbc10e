//! Why a skill cannot be handed out, in a sentence with the next step.

use std::path::PathBuf;

use thiserror::Error;

/// Why a skill cannot be handed out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkillError {
    /// Nobody said which.
    #[error("name a skill; {known}")]
    NoName {
        /// Which there are.
        known: String,
    },
    /// None has this name.
    #[error("no skill is named {name:?}{}; {known}", did_you_mean(near.as_deref()))]
    Unknown {
        /// What was asked for, shortened.
        name: String,
        /// The name that was perhaps meant.
        near: Option<String>,
        /// Which there are.
        known: String,
    },
    /// Its author left it to the user.
    #[error("only the user can start the skill {name}, with /skill:{name}; ask for that")]
    ForUserOnly {
        /// The skill.
        name: String,
    },
    /// It was found and cannot be read any more.
    #[error("the skill {name} cannot be read: {}: {why}", path.display())]
    Unreadable {
        /// The skill.
        name: String,
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!(" (did you mean {near}?)"))
        .unwrap_or_default()
}
