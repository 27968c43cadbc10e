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

/// Builds `source`, of which `staged` is a copy, into that copy.
pub(crate) async fn build(
    builder: Builder,
    source: &Path,
    staged: &Path,
    manifest: &Manifest,
    tools: &Tools,
) -> Result<(), CatalogError> {
    match builder {
        Builder::Go => {
            let to = output(builder, source, staged, manifest)?;
            let args = ["build".as_ref(), "-trimpath".as_ref(), "-o".as_ref()];
            let args = args.into_iter().chain([to.as_os_str(), ".".as_ref()]);
            tools.build("go", source, args).await.map(drop)
        }
        Builder::Cargo => {
            let to = output(builder, source, staged, manifest)?;
            cargo(source, &to, tools).await
        }
        Builder::Npm => {
            let clean = staged.join("package-lock.json").is_file();
            let verb = if clean { "ci" } else { "install" };
            let args = [verb, "--omit=dev", "--no-audit", "--no-fund"];
            tools.build("npm", staged, args).await.map(drop)
        }
    }
}

/// Where the program goes: the manifest must say so, inside the extension.
fn output(
    builder: Builder,
    source: &Path,
    staged: &Path,
    manifest: &Manifest,
) -> Result<PathBuf, CatalogError> {
    let inner = inner_program(&manifest.exec);
    let inner = inner.map_err(|message| CatalogError::unusable(source, message))?;
    let Some(inner) = inner else {
        let message = format!(
            "--build={} needs an exec inside the extension, such as \"./{}\", not {:?}",
            builder.name(),
            manifest.name,
            manifest.exec
        );
        return Err(CatalogError::unusable(source, message));
    };
    let to = staged.join(inner);
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir).map_err(|cause| CatalogError::io("create", dir, cause))?;
    }
    Ok(to)
}

/// The part of `cargo metadata` that says where programs come to lie.
#[derive(Debug, Deserialize)]
struct Metadata {
    target_directory: PathBuf,
}

async fn cargo(source: &Path, to: &Path, tools: &Tools) -> Result<(), CatalogError> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let args = ["metadata", "--format-version=1", "--no-deps"];
    let metadata = tools.build("cargo", source, args).await?;
    let metadata: Metadata = serde_json::from_str(&metadata).map_err(|e| CatalogError::Helper {
        what: "cargo metadata".to_owned(),
        message: e.to_string(),
    })?;
    let args = ["build", "--release", "--quiet", "--bin", &name];
    tools.build("cargo", source, args).await?;
    let built = metadata.target_directory.join("release").join(&*name);
    fs::copy(&built, to)
        .map(drop)
        .map_err(|cause| CatalogError::io("copy what cargo built,", &built, cause))
}
