//! The programs that help: git and builders. Says how they are run, not what for.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeug_process::{Finished, RunError, RunLimits, Spawner, Spec};

use crate::CatalogError;

/// A clone, a fetch.
const NETWORK: Duration = Duration::from_secs(10 * 60);
/// A git command that stays on this machine.
const LOCAL: Duration = Duration::from_secs(60);
/// A build.
const BUILD: Duration = Duration::from_secs(30 * 60);
/// Output kept of each; more is dropped.
const OUTPUT_BYTES: usize = 8 * 1024 * 1024;
/// Lines of a failed helper's last words that are shown.
const SHOWN_LINES: usize = 8;

/// Where git looks for a repository other than where it is told to.
const GIT_PLACES: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// What is needed to run helpers.
#[derive(Debug, Clone)]
pub struct Tools {
    /// Starts them.
    pub spawner: Spawner,
    /// Ends them, with everything they started; what was staged then goes too.
    pub cancel: CancellationToken,
    /// `PATH`, where they are looked for and which they get.
    pub path: Option<OsString>,
    /// Variables that they do not get: zeug's credentials.
    pub withheld: Vec<String>,
}

/// How long a helper may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    Network,
    Local,
    Build,
}

impl Tools {
    /// The same tools, not cancelled: for putting things back after a cancellation.
    pub(crate) fn uncancelled(&self) -> Self {
        Self {
            cancel: CancellationToken::new(),
            ..self.clone()
        }
    }

    pub(crate) fn check(&self) -> Result<(), CatalogError> {
        if self.cancel.is_cancelled() {
            Err(CatalogError::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Runs git; gives its standard output without white space around it.
    pub(crate) async fn git<I>(
        &self,
        dir: &Path,
        args: I,
        patience: Patience,
    ) -> Result<String, CatalogError>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let args: Vec<OsString> = args.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let what = match args.first() {
            Some(verb) => format!("git {}", verb.to_string_lossy()),
            None => "git".to_owned(),
        };
        let mut spec = Spec::new("git", dir)
            .args([
                "-c",
                "protocol.ext.allow=never",
                "-c",
                "core.hooksPath=/dev/null",
            ])
            .args(args)
            .env("GIT_TERMINAL_PROMPT", "0");
        for name in GIT_PLACES {
            spec = spec.without_env(name);
        }
        let finished = self.run(&what, spec, patience).await?;
        Ok(String::from_utf8_lossy(&finished.stdout).trim().to_owned())
    }

    /// Runs a builder.
    pub(crate) async fn build<I>(
        &self,
        program: &str,
        dir: &Path,
        args: I,
    ) -> Result<String, CatalogError>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let args: Vec<OsString> = args.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let what = format!(
            "{program} {}",
            args.first().map_or("".into(), |a| a.to_string_lossy())
        );
        let spec = Spec::new(program, dir).args(args);
        let finished = self.run(&what, spec, Patience::Build).await?;
        Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
    }

    async fn run(
        &self,
        what: &str,
        mut spec: Spec,
        patience: Patience,
    ) -> Result<Finished, CatalogError> {
        if let Some(path) = &self.path {
            spec = spec.env("PATH", path);
        }
        for name in &self.withheld {
            spec = spec.without_env(name);
        }
        let limits = RunLimits {
            timeout: match patience {
                Patience::Network => NETWORK,
                Patience::Local => LOCAL,
                Patience::Build => BUILD,
            },
            max_output_bytes: OUTPUT_BYTES,
        };
        let failed = |message: String| CatalogError::Helper {
            what: what.trim_end().to_owned(),
            message: redact(&message),
        };
        match zeug_process::run(&self.spawner, spec, limits, &self.cancel).await {
            Ok(finished) if finished.report.exit.is_success() => Ok(finished),
            Ok(finished) => Err(failed(last_words(&finished))),
            Err(RunError::Cancelled { .. }) => Err(CatalogError::Cancelled),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// The end of what a failed helper said, and how it ended.
fn last_words(finished: &Finished) -> String {
    let report = &finished.report;
    let said = &report.last_words;
    let shown = said[said.len().saturating_sub(SHOWN_LINES)..].join("\n  ");
    if shown.is_empty() {
        return report.exit.to_string();
    }
    format!("{}\n  {shown}", report.exit)
}

/// The text without what stands between `://` and `@`: names and passwords in addresses.
pub(crate) fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after
            .find(|c: char| c == '/' || c.is_whitespace() || c == '\'' || c == '"')
            .unwrap_or(after.len());
        let authority = &after[..end];
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        out.push_str(host);
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        let check = |text: &str, expect: &str| assert_eq!(redact(text), expect);
        check("https://u:p@h/x.git", "https://h/x.git");
        check(
            "fatal: 'https://t@h/x' and ssh://git@h:22/y",
            "fatal: 'https://h/x' and ssh://h:22/y",
        );
        check("https://h/@u/x@v1", "https://h/@u/x@v1");
        check("git@h:u/x", "git@h:u/x");
    }
}
