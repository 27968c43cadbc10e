//! What a person writes as the source of an extension: a directory, or a repository with an
//! optional branch, tag or commit.

use std::path::{Path, PathBuf};

use crate::CatalogError;
use crate::tools::redact;

/// Where to install from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A directory on this machine.
    Path(PathBuf),
    /// A git repository.
    Git {
        /// Its address.
        url: String,
        /// A branch, tag or commit; none means the repository's default branch.
        reference: Option<String>,
    },
}

const SCHEMES: [&str; 5] = ["https://", "http://", "ssh://", "git://", "file://"];

impl Source {
    /// Reads `PATH` or `GIT[@REF]`.
    ///
    /// Git is what has an address (`https://…`, `ssh://…`, `git@host:…`) or ends in `.git`;
    /// everything else is a directory, relative to `cwd`.
    ///
    /// # Errors
    /// When the text is empty or its reference is unusable.
    pub fn parse(text: &str, cwd: &Path) -> Result<Self, CatalogError> {
        let bad = |message: &str| {
            Err(CatalogError::BadSource {
                source_text: redact(text),
                message: message.to_owned(),
            })
        };
        if text.trim().is_empty() {
            return bad("no source given; give a directory or the address of a git repository");
        }
        let Some((url, reference)) = split_git(text) else {
            return Ok(Self::Path(cwd.join(text)));
        };
        if url.starts_with('-') || reference.is_some_and(|r| r.is_empty() || r.starts_with('-')) {
            return bad("the part behind @ must name a branch, a tag or a commit");
        }
        let is_address = is_address(url);
        let url = if is_address {
            url.to_owned()
        } else {
            cwd.join(url).to_string_lossy().into_owned()
        };
        let reference = reference.map(str::to_owned);
        Ok(Self::Git { url, reference })
    }
}

fn is_address(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme)) || scp_host(text).is_some()
}

/// The length of `user@host:` when the text starts so, as ssh addresses do.
fn scp_host(text: &str) -> Option<usize> {
    let colon = text.find(':')?;
    let (user, host) = text[..colon].split_once('@')?;
    let plain = |s: &str| !s.is_empty() && !s.contains(['/', '@']);
    (plain(user) && plain(host)).then_some(colon + 1)
}

/// Address and reference, when the text means git.
fn split_git(text: &str) -> Option<(&str, Option<&str>)> {
    let path_at = match SCHEMES.iter().find(|scheme| text.starts_with(**scheme)) {
        Some(scheme) => {
            let host = scheme.len();
            host + text[host..].find('/').unwrap_or(text.len() - host)
        }
        None => match scp_host(text) {
            Some(at) => at,
            None if text.ends_with(".git") => return Some((text, None)),
            None => {
                let at = text.rfind(".git@")? + ".git".len();
                return Some((&text[..at], Some(&text[at + 1..])));
            }
        },
    };
    // `…/@user/repo` is a path, `…/repo@v1` a reference.
    let at = text[path_at..]
        .rfind('@')
        .map(|at| path_at + at)
        .filter(|at| *at > path_at && text.as_bytes()[at - 1] != b'/');
    Some(match at {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, url: &str, reference: Option<&str>) {
        let expect = Source::Git {
            url: url.into(),
            reference: reference.map(str::to_owned),
        };
        assert_eq!(
            Source::parse(text, Path::new("/w")).unwrap(),
            expect,
            "{text}"
        );
    }

    #[test]
    fn repositories_are_told_from_directories() {
        check("https://h/u/r", "https://h/u/r", None);
        check("https://h/u/r@v1.2", "https://h/u/r", Some("v1.2"));
        check(
            "https://h/u/r.git@feature/x",
            "https://h/u/r.git",
            Some("feature/x"),
        );
        check(
            "https://me:pw@h/u/r@main",
            "https://me:pw@h/u/r",
            Some("main"),
        );
        check("https://h/@u/r", "https://h/@u/r", None);
        check("git@h:u/r.git", "git@h:u/r.git", None);
        check("git@h:u/r@v1", "git@h:u/r", Some("v1"));
        check("ssh://git@h/u/r", "ssh://git@h/u/r", None);
        check("mine.git", "/w/mine.git", None);
        check("mine.git@v1", "/w/mine.git", Some("v1"));
        for path in [".", "../weather", "/abs/weather", "a@b", "git@x/y"] {
            let expect = Source::Path(Path::new("/w").join(path));
            assert_eq!(Source::parse(path, Path::new("/w")).unwrap(), expect);
        }
    }

    #[test]
    fn unusable_references_are_refused() {
        for text in [
            "https://h/u/r@",
            "https://h/u/r@--upload-pack=x",
            "-x.git",
            "",
        ] {
            assert!(Source::parse(text, Path::new("/w")).is_err(), "{text}");
        }
    }
}
