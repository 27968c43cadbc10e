//! What is read from outside once at the start: environment, directories, settings.

use std::path::PathBuf;

use anyhow::Context as _;
use zeug_config::{Env, Loaded, Paths, Settings};
use zeug_ext_catalog::Places;

/// zeug's version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The world as it was when zeug started.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) env: Env,
    pub(crate) paths: Paths,
    /// The project directory, absolute.
    pub(crate) cwd: PathBuf,
    pub(crate) loaded: Loaded,
}

impl World {
    /// Looks around. `cwd` is `--cwd`.
    pub(crate) fn look(cwd: Option<&PathBuf>) -> anyhow::Result<Self> {
        let env = Env::read();
        let here = std::env::current_dir().context("the working directory is gone")?;
        let cwd = match cwd {
            None => here.clone(),
            Some(dir) => here
                .join(dir)
                .canonicalize()
                .with_context(|| format!("--cwd {}", dir.display()))?,
        };
        anyhow::ensure!(cwd.is_dir(), "--cwd {}: not a directory", cwd.display());
        let paths = Paths::find(&env, &here)?;
        let loaded = Settings::load(&paths, &cwd)?;
        Ok(Self {
            env,
            paths,
            cwd,
            loaded,
        })
    }

    /// Where extensions are, for this project.
    pub(crate) fn places(&self) -> Places {
        Places::in_home(
            self.paths.home(),
            zeug_config::project_extensions(&self.cwd),
        )
    }
}
