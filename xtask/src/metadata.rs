//! What cargo knows about the workspace and its dependencies.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::repository::root;

/// The part of `cargo metadata` that is read here.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
}

/// A crate.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) description: Option<String>,
    /// Absent for crates of the workspace.
    pub(crate) source: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
    #[serde(default)]
    metadata: serde_json::Value,
}

/// An entry of a manifest's dependency tables.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build` or absent.
    pub(crate) kind: Option<String>,
    /// Where the crate is, when it is one of ours.
    pub(crate) path: Option<String>,
}

impl Package {
    /// `[package.metadata.floor] rank`.
    pub(crate) fn rank(&self) -> Option<u64> {
        self.metadata.pointer("/floor/rank")?.as_u64()
    }
}

/// The crates of the workspace alone.
pub(crate) fn workspace() -> Result<Metadata> {
    ask(&["--no-deps"])
}

/// The platforms that zeug is built for, as in `deny.toml`.
const PLATFORMS: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
];

/// Every crate that is built on some platform.
pub(crate) fn everything() -> Result<Metadata> {
    let filter: Vec<&str> = PLATFORMS
        .iter()
        .flat_map(|platform| ["--filter-platform", platform])
        .collect();
    ask(&filter)
}

#[allow(clippy::disallowed_methods)] // chores ask cargo; the product never runs this
fn ask(more: &[&str]) -> Result<Metadata> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(more)
        .current_dir(root())
        .output()
        .context("starting cargo metadata")?;
    if !output.status.success() {
        bail!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    serde_json::from_slice(&output.stdout).context("reading what cargo metadata printed")
}
