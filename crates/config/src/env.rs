//! The environment, read once at start into a plain value; nobody else reads it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::credentials::{CREDENTIALS, Secret};

/// What zeug wants to know of its environment.
///
/// A variable that is empty counts as not set.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// `ZEUG_HOME`: the state home outright.
    pub zeug_home: Option<PathBuf>,
    /// `XDG_STATE_HOME`: where state homes are.
    pub xdg_state_home: Option<PathBuf>,
    /// `LOCALAPPDATA`, on Windows.
    pub local_app_data: Option<PathBuf>,
    /// The user's home directory.
    pub user_home: Option<PathBuf>,
    /// `PATH`, for looking up programs.
    pub path: Option<OsString>,
    /// `ZEUG_LOG`: a filter for the log.
    pub log: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// `EDITOR`, or `VISUAL` when that is set.
    pub editor: Option<OsString>,
    /// Values of those of [`CREDENTIALS`] that are set.
    pub credentials: BTreeMap<&'static str, Secret>,
}

impl Env {
    /// Reads the environment.
    #[must_use]
    pub fn read() -> Self {
        Self::from_lookup(
            |name| {
                #[expect(
                    clippy::disallowed_methods,
                    reason = "this is the one place that reads the environment"
                )]
                std::env::var_os(name)
            },
            etcetera::home_dir().ok(),
        )
    }

    /// Reads an environment given as a function; for tests.
    #[must_use]
    pub fn from_lookup(
        lookup: impl Fn(&str) -> Option<OsString>,
        user_home: Option<PathBuf>,
    ) -> Self {
        let get = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let text = |name: &str| get(name).and_then(|value| value.into_string().ok());
        Self {
            zeug_home: get("ZEUG_HOME").map(PathBuf::from),
            xdg_state_home: get("XDG_STATE_HOME").map(PathBuf::from),
            local_app_data: get("LOCALAPPDATA").map(PathBuf::from),
            user_home,
            path: get("PATH"),
            log: text("ZEUG_LOG"),
            no_color: get("NO_COLOR").is_some(),
            editor: get("VISUAL").or_else(|| get("EDITOR")),
            credentials: CREDENTIALS
                .iter()
                .filter_map(|&name| Some((name, Secret::new(text(name)?))))
                .collect(),
        }
    }

    /// The value of a credential variable.
    #[must_use]
    pub fn credential(&self, name: &str) -> Option<&str> {
        self.credentials.get(name).map(Secret::reveal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_not_set() {
        let env = Env::from_lookup(
            |name| Some(if name == "PATH" { "/bin" } else { "" }.into()),
            None,
        );
        assert_eq!(env.path, Some("/bin".into()));
        assert!(env.zeug_home.is_none() && env.credentials.is_empty() && !env.no_color);
    }

    #[test]
    fn credentials_are_found_and_never_shown() {
        let env = Env::from_lookup(
            |name| (name == "OPENAI_API_KEY").then(|| "sk-1".into()),
            None,
        );
        assert_eq!(env.credential("OPENAI_API_KEY"), Some("sk-1"));
        assert_eq!(env.credential("GROQ_API_KEY"), None);
        assert!(!format!("{env:?}").contains("sk-1"));
    }
}
