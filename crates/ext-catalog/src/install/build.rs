//! Builders: asked for by name, never chosen here.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use zeug_ext_protocol::manifest::Manifest;

use super::validate::inner_program;
use crate::{CatalogError, tools::Tools};

/// How to build a local source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builder {
    /// `go build` in the source.
    Go,
    /// `cargo build --release` in the source.
    Cargo,
    /// `npm` in the installed copy.
    Npm,
}

impl Builder {
    /// As they are written behind `--build=`.
    pub const NAMES: [(&'static str, Self); 3] =
        [("go", Self::Go), ("cargo", Self::Cargo), ("npm", Self::Npm)];

    /// The builder of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, builder)| *builder)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Cargo => "cargo",
            Self::Npm => "npm",
        }
    }

    /// Names at the top of a source that a build leaves there and an installed copy does not
    /// need.
    pub(crate) fn leftovers(self) -> &'static [&'static str] {
        match self {
            Self::Go => &[],
            Self::Cargo => &["target"],
            Self::Npm => &["node_modules"],
        }
    }
}

/// Builds what is built in the source, before that is copied: cargo leaves a `Cargo.lock` there,
/// which belongs to the copy. Gives the program.
pub(crate) async fn before_copy(
    builder: Builder,
    source: &Path,
    manifest: &Manifest,
    tools: &Tools,
) -> Result<Option<PathBuf>, CatalogError> {
    match builder {
        Builder::Cargo => {
            let program = program(builder, source, manifest)?;
            cargo(source, &program, tools).await.map(Some)
        }
        Builder::Go | Builder::Npm => Ok(None),
    }
}

/// Builds into the copy, or puts there what was built before.
pub(crate) async fn after_copy(
    builder: Builder,
    source: &Path,
    staged: &Path,
    manifest: &Manifest,
    built: Option<PathBuf>,
    tools: &Tools,
) -> Result<(), CatalogError> {
    if builder == Builder::Npm {
        let clean = staged.join("package-lock.json").is_file();
        let verb = if clean { "ci" } else { "install" };
        let args = [verb, "--omit=dev", "--no-audit", "--no-fund"];
        return tools.build("npm", staged, args).await.map(drop);
    }
    let to = staged.join(program(builder, source, manifest)?);
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir).map_err(|cause| CatalogError::io("create", dir, cause))?;
    }
    if let Some(built) = built {
        return fs::copy(&built, to)
            .map(drop)
            .map_err(|cause| CatalogError::io("copy what cargo built,", &built, cause));
    }
    let args = ["build".as_ref(), "-trimpath".as_ref(), "-o".as_ref()];
    let args = args.into_iter().chain([to.as_os_str(), ".".as_ref()]);
    tools.build("go", source, args).await.map(drop)
}

/// Where in the extension its program goes: the manifest must say so.
fn program(builder: Builder, source: &Path, manifest: &Manifest) -> Result<PathBuf, CatalogError> {
    let inner = inner_program(&manifest.exec);
    let inner = inner.map_err(|message| CatalogError::unusable(source, message))?;
    inner.ok_or_else(|| {
        let message = format!(
            "--build={} needs an exec inside the extension, such as \"./{}\", not {:?}",
            builder.name(),
            manifest.name,
            manifest.exec
        );
        CatalogError::unusable(source, message)
    })
}

/// The part of `cargo metadata` that says where programs come to lie.
#[derive(Debug, Deserialize)]
struct Metadata {
    target_directory: PathBuf,
}

async fn cargo(source: &Path, program: &Path, tools: &Tools) -> Result<PathBuf, CatalogError> {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let args = ["metadata", "--format-version=1", "--no-deps"];
    let metadata = tools.build("cargo", source, args).await?;
    let metadata: Metadata = serde_json::from_str(&metadata).map_err(|e| CatalogError::Helper {
        what: "cargo metadata".to_owned(),
        message: e.to_string(),
    })?;
    let args = ["build", "--release", "--quiet", "--bin", &name];
    tools.build("cargo", source, args).await?;
    Ok(metadata.target_directory.join("release").join(&*name))
}
