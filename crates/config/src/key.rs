//! One provider's key, from the best place that has one. Looks at no other provider's.
//!
//! # Order
//! `--api-key`, the environment, `auth.toml`, `api_key_command`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeug_process::{RunError, RunLimits, Spawner, Spec};

use crate::{Auth, ConfigError, Env, Paths, Secret, Setting, Settings};

/// How long an `api_key_command` may take: long enough to unlock a store on another device.
pub const KEY_COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// The most bytes kept of what it prints: the longest keys are tokens of a few thousand.
const MOST_BYTES: usize = 64 * 1024;

/// Whose key is wanted, and where it could be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The name of `[providers.NAME]`.
    pub provider: &'a str,
    /// The name in `auth.toml`.
    pub login: &'a str,
    /// The variables that customarily hold it, the usual one first. The user's `api_key_env`
    /// takes their place.
    pub variables: &'a [&'a str],
}

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// `--api-key`.
    Flag,
    /// This variable.
    Variable(String),
    /// `auth.toml`.
    Login,
    /// `api_key_command`.
    Command,
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("--api-key"),
            Self::Variable(name) => f.write_str(name),
            Self::Login => f.write_str("auth.toml"),
            Self::Command => f.write_str("api_key_command"),
        }
    }
}

/// A key and where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundKey {
    /// The key.
    pub secret: Secret,
    /// Where it was.
    pub source: KeySource,
}

/// The places in which keys are.
#[derive(Debug, Clone)]
pub struct Keyring<'a> {
    /// The environment.
    pub env: &'a Env,
    /// Where `auth.toml` is.
    pub paths: &'a Paths,
    /// Who has an `api_key_env` or an `api_key_command`.
    pub settings: &'a Settings,
    /// What `api_key_command` is started with.
    pub spawner: &'a Spawner,
}

impl Keyring<'_> {
    /// Where the key of a provider would be taken from; takes none, and starts nothing.
    #[must_use]
    pub fn source(&self, wanted: Wanted<'_>, auth: &Auth) -> Option<KeySource> {
        if let Some(name) = self.variable(wanted) {
            return Some(KeySource::Variable(name.to_owned()));
        }
        if auth.has(wanted.login) {
            return Some(KeySource::Login);
        }
        self.command(wanted).map(|_| KeySource::Command)
    }

    /// The key of one provider. `typed` is `--api-key`.
    ///
    /// # Errors
    /// When a place that is looked at cannot be used. A place with a better one before it is not
    /// looked at.
    ///
    /// # Limits
    /// [`KEY_COMMAND_TIMEOUT`], and 64 KiB of output.
    pub async fn find(
        &self,
        wanted: Wanted<'_>,
        typed: Option<&Secret>,
        cancel: &CancellationToken,
    ) -> Result<Option<FoundKey>, ConfigError> {
        let found = |secret, source| Ok(Some(FoundKey { secret, source }));
        if let Some(secret) = typed {
            return found(secret.clone(), KeySource::Flag);
        }
        if let Some(name) = self.variable(wanted)
            && let Some(secret) = self.env.secret(name)
        {
            return found(secret, KeySource::Variable(name.to_owned()));
        }
        if let Some(secret) = Auth::open(self.paths)?.key(wanted.login) {
            return found(secret, KeySource::Login);
        }
        match self.command(wanted) {
            Some(command) => {
                let secret = self.run(wanted.provider, command, cancel).await?;
                found(secret, KeySource::Command)
            }
            None => Ok(None),
        }
    }

    /// The first variable that holds a key.
    fn variable<'s>(&'s self, wanted: Wanted<'s>) -> Option<&'s str> {
        let own = self.settings.providers.get(wanted.provider);
        let has = |name: &&str| self.env.has_secret(name);
        match own.and_then(|own| own.api_key_env.value.as_deref()) {
            Some(name) => Some(name).filter(has),
            None => wanted.variables.iter().copied().find(has),
        }
    }

    fn command(&self, wanted: Wanted<'_>) -> Option<Setting<&[String]>> {
        let own = self.settings.providers.get(wanted.provider)?;
        Some(Setting {
            value: own.api_key_command.value.as_deref()?,
            origin: own.api_key_command.origin.clone(),
        })
    }

    /// What the command prints, without the white space around it.
    async fn run(
        &self,
        provider: &str,
        command: Setting<&[String]>,
        cancel: &CancellationToken,
    ) -> Result<Secret, ConfigError> {
        let failed = |why: String| ConfigError::KeyCommand {
            provider: provider.to_owned(),
            origin: Box::new(command.origin.clone()),
            why,
        };
        let [program, args @ ..] = command.value else {
            return Err(failed("it names no program".to_owned()));
        };
        // The directory of the file that names the program, not the project's: what a relative
        // path means must not depend on whose repository zeug is started in.
        let dir = self.paths.home();
        let mut spec = Spec::new(PathBuf::from(program), dir).args(args);
        for name in self.settings.withheld() {
            spec = spec.without_env(name);
        }
        let limits = RunLimits {
            timeout: KEY_COMMAND_TIMEOUT,
            max_output_bytes: MOST_BYTES,
        };
        let finished = match zeug_process::run(self.spawner, spec, limits, cancel).await {
            Ok(finished) => finished,
            Err(RunError::Cancelled { .. }) => return Err(ConfigError::Interrupted),
            Err(RunError::TimedOut { last_words, .. }) => {
                return Err(failed(too_slow(program, &last_words)));
            }
            Err(RunError::Spawn(error)) => return Err(failed(error.to_string())),
        };
        if !finished.report.exit.is_success() {
            let how = finished.report.with_last_words();
            return Err(failed(format!("{program} failed: {how}")));
        }
        let text = std::str::from_utf8(&finished.stdout).ok();
        text.filter(|_| !finished.truncated)
            .and_then(Secret::key)
            .ok_or_else(|| {
                let lines = finished.stdout.iter().filter(|byte| **byte == b'\n').count();
                failed(format!(
                    "{program} must print the key alone, on one line; it printed {} bytes with {lines} \
                     line ends",
                    finished.stdout.len()
                ))
            })
    }
}

fn too_slow(program: &str, last_words: &[String]) -> String {
    let limit = KEY_COMMAND_TIMEOUT.as_secs();
    let mut text = format!(
        "{program} took longer than {limit} s and was ended; it has no terminal to ask on, so \
         unlock what it reads first"
    );
    for line in last_words {
        text.push_str("\n  ");
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests;
