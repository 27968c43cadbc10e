//! Where zeug keeps what it keeps for the user; creates nothing.

use std::path::{Path, PathBuf};

use crate::{ConfigError, Env};

/// The state home and the places in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    home: PathBuf,
}

impl Paths {
    /// `ZEUG_HOME`; else `zeug` in `XDG_STATE_HOME`; else where the operating system keeps such.
    ///
    /// Always absolute, because children with other working directories get it. A relative
    /// `ZEUG_HOME` counts from `cwd`; a relative `XDG_STATE_HOME` is ignored, as the XDG base
    /// directory specification asks for.
    ///
    /// # Errors
    /// When nothing says where the user's home is.
    pub fn find(env: &Env, cwd: &Path) -> Result<Self, ConfigError> {
        if let Some(home) = &env.zeug_home {
            return Ok(Self::at(cwd.join(home)));
        }
        let xdg = env.xdg_state_home.as_deref().filter(|p| p.is_absolute());
        let base = match xdg {
            Some(base) => base.to_owned(),
            None => system_state(env).ok_or(ConfigError::NoHome)?,
        };
        Ok(Self::at(base.join("zeug")))
    }

    /// With this directory as the state home.
    #[must_use]
    pub fn at(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into() }
    }

    /// The state home itself.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The user's settings.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.home.join("config.toml")
    }

    /// What was typed into the terminal; mode 0600.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.home.join("history.jsonl")
    }

    /// Stored credentials; mode 0600.
    #[must_use]
    pub fn auth(&self) -> PathBuf {
        self.home.join("auth.toml")
    }

    /// Logs, those of extensions included.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.home.join("logs")
    }

    /// Sessions.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.home.join("sessions")
    }

    /// Extensions that are there in every project.
    #[must_use]
    pub fn extensions(&self) -> PathBuf {
        self.home.join("extensions")
    }

    /// Where each installed extension came from.
    #[must_use]
    pub fn extensions_lock(&self) -> PathBuf {
        self.home.join("extensions.lock")
    }

    /// Which project extensions the user trusted.
    #[must_use]
    pub fn trust(&self) -> PathBuf {
        self.home.join("trust.toml")
    }

    /// State that project extensions write.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// The user's skills.
    #[must_use]
    pub fn skills(&self) -> PathBuf {
        self.home.join("skills")
    }

    /// The user's themes.
    #[must_use]
    pub fn themes(&self) -> PathBuf {
        self.home.join("themes")
    }

    /// Instructions for every project.
    #[must_use]
    pub fn agents_md(&self) -> PathBuf {
        self.home.join("AGENTS.md")
    }

    /// The user's own system prompt.
    #[must_use]
    pub fn system_md(&self) -> PathBuf {
        self.home.join("SYSTEM.md")
    }
}

#[cfg(target_os = "macos")]
fn system_state(env: &Env) -> Option<PathBuf> {
    Some(env.user_home.as_ref()?.join("Library/Application Support"))
}

#[cfg(windows)]
fn system_state(env: &Env) -> Option<PathBuf> {
    env.local_app_data.clone()
}

#[cfg(not(any(target_os = "macos", windows)))]
fn system_state(env: &Env) -> Option<PathBuf> {
    Some(env.user_home.as_ref()?.join(".local/state"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(zeug: Option<&str>, xdg: Option<&str>, expect: &str) {
        let env = Env {
            zeug_home: zeug.map(PathBuf::from),
            xdg_state_home: xdg.map(PathBuf::from),
            user_home: Some("/u".into()),
            ..Env::default()
        };
        let paths = Paths::find(&env, Path::new("/w")).unwrap();
        assert_eq!(paths.home(), Path::new(expect));
    }

    #[test]
    fn zeug_home_beats_xdg_beats_the_system() {
        check(Some("/z"), Some("/x"), "/z");
        check(Some("z"), None, "/w/z");
        check(None, Some("/x"), "/x/zeug");
        #[cfg(target_os = "linux")]
        check(None, Some("x"), "/u/.local/state/zeug");
        #[cfg(target_os = "linux")]
        check(None, None, "/u/.local/state/zeug");
    }

    #[test]
    fn without_any_home_the_message_says_what_to_set() {
        let error = Paths::find(&Env::default(), Path::new("/w")).unwrap_err();
        assert!(error.to_string().contains("set ZEUG_HOME"), "{error}");
    }
}
