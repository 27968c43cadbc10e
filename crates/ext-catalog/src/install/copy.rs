//! A source directory into the staging place, as its `.gitignore` says; runs nothing.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use tokio_util::sync::CancellationToken;

use crate::CatalogError;
use crate::content::Bounds;

/// What to copy.
#[derive(Debug)]
pub(crate) struct Copy<'a> {
    /// From here; canonical.
    pub(crate) source: &'a Path,
    /// To here; does not exist yet.
    pub(crate) into: &'a Path,
    /// Files that go along even when they are ignored, relative to the source; those that do not
    /// exist are passed over.
    pub(crate) always: Vec<PathBuf>,
    /// Names at the top that never go along.
    pub(crate) never: &'a [&'a str],
    /// The directory of extensions, which may lie in the source and is then passed over.
    pub(crate) extensions: &'a Path,
    pub(crate) cancel: &'a CancellationToken,
}

impl Copy<'_> {
    /// Copies. Blocking.
    ///
    /// A symbolic link to a file inside the source becomes a copy of that file; any other link
    /// is refused.
    ///
    /// # Limits
    /// 100,000 files and 2 GiB, then an error.
    pub(crate) fn run(&self) -> Result<(), CatalogError> {
        let mut copied = Copied { files: 0, bytes: 0 };
        self.directory(self.source, &self.ignored()?, &mut copied)?;
        for inner in &self.always {
            let to = self.into.join(inner);
            let from = self.source.join(inner);
            if fs::symlink_metadata(&to).is_err() && from.is_file() {
                if let Some(parent) = to.parent() {
                    make(parent)?;
                }
                self.file(&from, &to, &mut copied)?;
            }
        }
        Ok(())
    }

    fn ignored(&self) -> Result<Gitignore, CatalogError> {
        let mut builder = GitignoreBuilder::new(self.source);
        let file = self.source.join(".gitignore");
        if file.is_file()
            && let Some(error) = builder.add(&file)
        {
            tracing::debug!(%error, "part of a .gitignore is not understood");
        }
        let built = builder.build();
        built.map_err(|e| CatalogError::unusable(self.source, format!(".gitignore: {e}")))
    }

    fn directory(
        &self,
        from: &Path,
        ignored: &Gitignore,
        copied: &mut Copied,
    ) -> Result<(), CatalogError> {
        let read = |cause| CatalogError::io("read", from, cause);
        let to = self.target(from);
        make(&to)?;
        for entry in fs::read_dir(from).map_err(read)? {
            if self.cancel.is_cancelled() {
                return Err(CatalogError::Cancelled);
            }
            let path = entry.map_err(read)?.path();
            let about = fs::symlink_metadata(&path)
                .map_err(|cause| CatalogError::io("read", &path, cause))?;
            if self.left_out(&path, about.is_dir(), ignored) {
                continue;
            }
            if about.is_dir() {
                self.directory(&path, ignored, copied)?;
            } else if about.is_file() || about.is_symlink() {
                self.file(&path, &self.target(&path), copied)?;
            }
        }
        Ok(())
    }

    fn target(&self, from: &Path) -> PathBuf {
        match from.strip_prefix(self.source) {
            Ok(inner) if inner.as_os_str().is_empty() => self.into.to_owned(),
            Ok(inner) => self.into.join(inner),
            Err(_) => self.into.to_owned(),
        }
    }

    fn left_out(&self, path: &Path, is_dir: bool, ignored: &Gitignore) -> bool {
        let name = path.file_name().unwrap_or_default();
        let at_top = path.parent() == Some(self.source);
        name == ".git"
            || (at_top && self.never.iter().any(|never| name == *never))
            || path == self.extensions
            || ignored.matched(path, is_dir).is_ignore()
    }

    fn file(&self, from: &Path, to: &Path, copied: &mut Copied) -> Result<(), CatalogError> {
        let real = target_of_link(self.source, from)?;
        let bytes = fs::copy(real.as_deref().unwrap_or(from), to)
            .map_err(|cause| CatalogError::io("copy", from, cause))?;
        copied.files += 1;
        copied.bytes += bytes;
        if copied.files > Bounds::INSTALL.files || copied.bytes > Bounds::INSTALL.bytes {
            return Err(Bounds::INSTALL.exceeded(self.source));
        }
        Ok(())
    }
}

struct Copied {
    files: usize,
    bytes: u64,
}

fn make(dir: &Path) -> Result<(), CatalogError> {
    fs::create_dir_all(dir).map_err(|cause| CatalogError::io("create", dir, cause))
}

/// The file that a symbolic link means; `None` for what is no link.
fn target_of_link(root: &Path, path: &Path) -> Result<Option<PathBuf>, CatalogError> {
    let Ok(target) = fs::read_link(path) else {
        return Ok(None);
    };
    let refused = |hint| {
        let inner = path.strip_prefix(root).unwrap_or(path);
        Err(CatalogError::Link {
            dir: root.to_owned(),
            link: format!("{} leads to {}", inner.display(), target.display()),
            hint,
        })
    };
    match path.canonicalize() {
        Err(_) => refused("nothing is there; remove the link"),
        Ok(real) if !real.starts_with(root) => {
            refused("that is outside of the extension; put a copy in its place")
        }
        Ok(real) if real.is_file() => Ok(Some(real)),
        Ok(_) => refused("that is no file; put a copy in its place"),
    }
}

/// Refuses a tree with a symbolic link that leads out of it.
pub(crate) fn refuse_links_out(root: &Path) -> Result<(), CatalogError> {
    let root = root
        .canonicalize()
        .map_err(|cause| CatalogError::io("open", root, cause))?;
    let mut waiting = vec![root.clone()];
    while let Some(dir) = waiting.pop() {
        let read = |cause| CatalogError::io("read", &dir, cause);
        for entry in fs::read_dir(&dir).map_err(read)? {
            let entry = entry.map_err(read)?;
            let kind = entry.file_type().map_err(read)?;
            if kind.is_dir() && entry.path() != root.join(".git") {
                waiting.push(entry.path());
            } else if kind.is_symlink() {
                refuse_link_out(&root, &entry.path())?;
            }
        }
    }
    Ok(())
}

/// A link inside a repository may lead to a directory, or to what a build will make.
fn refuse_link_out(root: &Path, link: &Path) -> Result<(), CatalogError> {
    let target = fs::read_link(link).map_err(|cause| CatalogError::io("read", link, cause))?;
    let inside = match link.canonicalize() {
        Ok(real) => real.starts_with(root),
        Err(_) => link
            .parent()
            .and_then(|dir| super::validate::lexical(&dir.join(&target)))
            .is_some_and(|real| real.starts_with(root)),
    };
    if inside {
        return Ok(());
    }
    let inner = link.strip_prefix(root).unwrap_or(link);
    Err(CatalogError::Link {
        dir: root.to_owned(),
        link: format!("{} leads to {}", inner.display(), target.display()),
        hint: "that is outside of the extension; ask its author to replace the link",
    })
}
