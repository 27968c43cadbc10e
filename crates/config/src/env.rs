//! The environment, read once at start into a plain value; nobody else reads it.
//!
//! Credentials are the exception: whether one is set may be asked of many, and its value is
//! fetched when it is wanted and not kept.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::Secret;

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
    /// `ZEUG_RPC_TOKEN`, else `ZUTCORE_RPC_TOKEN`, else `ZOTCORE_RPC_TOKEN`: what a client of `zeug rpc` must show.
    pub rpc_token: Option<Secret>,
    /// Everything else, looked up by name.
    pub variables: Variables,
}

/// The variables with the token of `zeug rpc`: ours, zut's, zot's.
const RPC_TOKENS: [&str; 3] = ["ZEUG_RPC_TOKEN", "ZUTCORE_RPC_TOKEN", "ZOTCORE_RPC_TOKEN"];

/// The variables behind an [`Env`], of which it holds no copy.
#[derive(Clone)]
pub struct Variables(Arc<Lookup>);

type Lookup = dyn Fn(&str) -> Option<OsString> + Send + Sync;

impl Default for Variables {
    /// None at all.
    fn default() -> Self {
        Self(Arc::new(|_| None))
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Variables(…)")
    }
}

impl Variables {
    fn get(&self, name: &str) -> Option<OsString> {
        (self.0)(name).filter(|value| !value.is_empty())
    }
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
        lookup: impl Fn(&str) -> Option<OsString> + Send + Sync + 'static,
        user_home: Option<PathBuf>,
    ) -> Self {
        let variables = Variables(Arc::new(lookup));
        let get = |name: &str| variables.get(name);
        Self {
            zeug_home: get("ZEUG_HOME").map(PathBuf::from),
            xdg_state_home: get("XDG_STATE_HOME").map(PathBuf::from),
            local_app_data: get("LOCALAPPDATA").map(PathBuf::from),
            user_home,
            path: get("PATH"),
            log: get("ZEUG_LOG").and_then(|value| value.into_string().ok()),
            no_color: get("NO_COLOR").is_some(),
            editor: get("VISUAL").or_else(|| get("EDITOR")),
            // What is no Unicode stays a token, though one that nobody can show.
            rpc_token: RPC_TOKENS
                .into_iter()
                .find_map(get)
                .map(|token| Secret::new(token.to_string_lossy())),
            variables,
        }
    }

    /// Whether a variable has a value that can be a key; the value itself is not kept.
    #[must_use]
    pub fn has_secret(&self, name: &str) -> bool {
        self.secret(name).is_some()
    }

    /// The key in a variable, fetched now.
    #[must_use]
    pub fn secret(&self, name: &str) -> Option<Secret> {
        Secret::key(self.variables.get(name)?.to_str()?)
    }

    /// The text in a variable that is no secret, such as a proxy's address.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.variables.get(name)?.into_string().ok()
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
        assert!(env.zeug_home.is_none() && !env.no_color);
        assert!(!env.has_secret("OPENAI_API_KEY") && env.text("https_proxy").is_none());
    }

    #[test]
    fn the_token_of_rpc_has_three_names_and_is_never_shown() {
        let check = |names: &'static [&str], expect: Option<&str>| {
            let token = |name: &str| names.contains(&name).then(|| name.to_lowercase().into());
            let env = Env::from_lookup(token, None);
            let found = env.rpc_token.as_ref().map(Secret::reveal);
            assert_eq!(found, expect, "{names:?}");
            assert!(!format!("{env:?}").contains("_token\""), "{env:?}");
        };
        check(&[], None);
        check(&["ZOTCORE_RPC_TOKEN"], Some("zotcore_rpc_token"));
        let both = &["ZOTCORE_RPC_TOKEN", "ZUTCORE_RPC_TOKEN"];
        check(both, Some("zutcore_rpc_token"));
        let all = &["ZEUG_RPC_TOKEN", "ZOTCORE_RPC_TOKEN", "ZUTCORE_RPC_TOKEN"];
        check(all, Some("zeug_rpc_token"));
    }

    #[test]
    fn credentials_are_fetched_one_by_one_and_never_shown() {
        let env = Env::from_lookup(
            |name| (name == "OPENAI_API_KEY").then(|| " sk-1\n".into()),
            None,
        );
        assert_eq!(env.secret("OPENAI_API_KEY"), Some(Secret::new("sk-1")));
        assert_eq!(env.secret("GROQ_API_KEY"), None);
        assert!(!format!("{env:?}").contains("sk-1"));
    }
}
