//! From a source to an installed extension: stage, validate, move into place. A failure at any
//! point, a cancellation too, leaves nothing behind.

mod build;
mod copy;
mod source;
mod staging;
pub(crate) mod validate;

use std::fs;
use std::path::{Path, PathBuf};

use zeug_ext_protocol::manifest::{self, Manifest};

use crate::content::Bounds;
use crate::directory::{key, list_directories, read_manifest};
use crate::tools::{Tools, redact};
use crate::{CatalogError, Content, Lock, Places, Record, SourceKind, git};

pub use build::Builder;
pub use source::Source;
pub(crate) use staging::Staging;

/// What to install.
#[derive(Debug, Clone)]
pub struct Request {
    /// From where.
    pub source: Source,
    /// How to build it; only for a directory.
    pub build: Option<Builder>,
    /// The version of zeug, for notes about `requires`.
    pub version: String,
}

/// What was installed.
#[derive(Debug, Clone)]
pub struct Installed {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub dir: PathBuf,
    /// What the user should know: missing programs, missing permissions.
    pub notes: Vec<String>,
}

/// Installs an extension for all projects.
///
/// # Errors
/// When the source is none, is incomplete, or its name is taken. Nothing is left behind.
///
/// # Cancel safety
/// A cancelled token ends helpers with everything they started and removes what was staged; so
/// does dropping the future, except that a copy which is going on ends first.
pub async fn install(
    places: &Places,
    request: &Request,
    tools: &Tools,
) -> Result<Installed, CatalogError> {
    tools.check()?;
    let lock = Lock::load(&places.lock)?;
    let staged = match &request.source {
        Source::Path(path) => {
            let staged = stage_path(places, path, request.build, tools).await?;
            (staged, None)
        }
        Source::Git { url, reference } => {
            if request.build.is_some() {
                return Err(CatalogError::BadSource {
                    source_text: redact(url),
                    message: "--build is for directories; clone the repository, look at it, and \
                              install the clone"
                        .to_owned(),
                });
            }
            let reference = reference.as_deref();
            let (staged, commit) = stage_git(places, url, reference, tools).await?;
            (staged, Some(commit))
        }
    };
    put_in_place(places, request, lock, staged, tools)
}

fn put_in_place(
    places: &Places,
    request: &Request,
    mut lock: Lock,
    (staged, commit): (Staged, Option<String>),
    tools: &Tools,
) -> Result<Installed, CatalogError> {
    let name = &staged.manifest.name;
    refuse_taken(&places.global, name)?;
    let dir = places.global.join(name);
    let notes = validate::notes(
        &staged.staging.payload(),
        &staged.manifest,
        tools.path.as_deref(),
        &request.version,
    );
    let record = record(name, request, commit, &staged);
    tools.check()?;
    staged.staging.release(&dir)?;
    if let Err(error) = lock.put(record) {
        staged.staging.take_back(&dir);
        return Err(error);
    }
    Ok(Installed {
        name: name.clone(),
        dir,
        notes,
    })
}

fn record(name: &str, request: &Request, commit: Option<String>, staged: &Staged) -> Record {
    let (kind, source, reference) = match &request.source {
        Source::Path(_) => {
            let source = staged.source.to_string_lossy().into_owned();
            (SourceKind::Path, source, None)
        }
        Source::Git { url, reference } => (SourceKind::Git, redact(url), reference.clone()),
    };
    Record {
        name: name.to_owned(),
        kind,
        source,
        reference,
        commit,
        build: request.build.map(|builder| builder.name().to_owned()),
        hash: staged.content.hash.clone(),
        installed_at: jiff::Timestamp::now(),
        files: staged.content.files.clone(),
    }
}

/// A complete extension in a staging place.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) staging: Staging,
    pub(crate) manifest: Manifest,
    pub(crate) content: Content,
    /// The directory it was copied from; empty for a repository.
    pub(crate) source: PathBuf,
}

impl Staged {
    async fn look(staging: Staging, source: PathBuf, shown: PathBuf) -> Result<Self, CatalogError> {
        blocking(move || {
            let payload = staging.payload();
            copy::refuse_links_out(&payload)?;
            let manifest = validate::complete(&payload, &shown)?;
            let content = Content::within(&payload, Bounds::INSTALL)?;
            Ok(Self {
                staging,
                manifest,
                content,
                source,
            })
        })
        .await
    }
}

/// Copies a directory into a staging place, builds it there, and looks whether it is complete.
pub(crate) async fn stage_path(
    places: &Places,
    path: &Path,
    builder: Option<Builder>,
    tools: &Tools,
) -> Result<Staged, CatalogError> {
    let source = directory(path)?;
    let manifest = validate::manifest(&source)?;
    if let (Some(builder), true) = (builder, manifest.exec.is_empty()) {
        let message = format!("--build={}: it has no exec to build", builder.name());
        return Err(CatalogError::unusable(&source, message));
    }
    let program = validate::inner_program(&manifest.exec)
        .map_err(|message| CatalogError::unusable(&source, message))?;
    let mut always = vec![PathBuf::from(manifest::FILE)];
    always.extend(program);
    let staging = Staging::new(&places.global)?;
    let built = match builder {
        Some(builder) => build::before_copy(builder, &source, &manifest, tools).await?,
        None => None,
    };
    let staging = {
        let source = source.clone();
        let cancel = tools.cancel.clone();
        let extensions = places.global.canonicalize();
        let extensions = extensions.unwrap_or_else(|_| places.global.clone());
        let never = builder.map_or::<&[_], _>(&[], Builder::leftovers);
        blocking(move || {
            let copy = copy::Copy {
                source: &source,
                into: &staging.payload(),
                always,
                never,
                extensions: &extensions,
                cancel: &cancel,
            };
            copy.run()?;
            Ok(staging)
        })
        .await?
    };
    if let Some(builder) = builder {
        let payload = staging.payload();
        build::after_copy(builder, &source, &payload, &manifest, built, tools).await?;
    }
    Staged::look(staging, source.clone(), source).await
}

async fn stage_git(
    places: &Places,
    url: &str,
    reference: Option<&str>,
    tools: &Tools,
) -> Result<(Staged, String), CatalogError> {
    let staging = Staging::new(&places.global)?;
    git::clone(url, reference, &staging.payload(), tools).await?;
    let commit = git::head(&staging.payload(), tools).await?;
    let staged = Staged::look(staging, PathBuf::new(), PathBuf::from(redact(url))).await?;
    Ok((staged, commit))
}

fn directory(path: &Path) -> Result<PathBuf, CatalogError> {
    let bad = |message: String| CatalogError::BadSource {
        source_text: path.display().to_string(),
        message,
    };
    let dir = path.canonicalize().map_err(|cause| {
        bad(format!(
            "{cause}; give a directory, or the address of a git repository such as https://…"
        ))
    })?;
    if dir.is_dir() {
        return Ok(dir);
    }
    let hint = format!(
        "not a directory; give the one that holds {}",
        manifest::FILE
    );
    Err(bad(hint))
}

/// Refuses a name that another extension has, as its directory's or its manifest's name, also
/// when only the case differs: some file systems would take both for one.
fn refuse_taken(extensions: &Path, name: &str) -> Result<(), CatalogError> {
    for (entry, dir) in list_directories(extensions)? {
        let named = read_manifest(&dir).map(|manifest| manifest.name);
        let named = named.unwrap_or_else(|_| entry.clone());
        if key(&named) == key(name) || key(&entry) == key(name) {
            return Err(CatalogError::AlreadyInstalled { name: named, dir });
        }
    }
    let dir = extensions.join(name);
    if fs::symlink_metadata(&dir).is_ok() {
        let name = name.to_owned();
        return Err(CatalogError::AlreadyInstalled { name, dir });
    }
    Ok(())
}

/// Runs what blocks where blocking is allowed.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CatalogError> + Send + 'static,
) -> Result<T, CatalogError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(CatalogError::Cancelled),
    }
}
