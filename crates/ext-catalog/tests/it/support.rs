//! A zeug home, a project and sources of extensions in a temporary directory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeug_ext_catalog::{
    CatalogError, Found, Installed, Places, Request, Roots, Source, Tools, Trust, discover, install,
};
use zeug_process::{RunLimits, Spawner, Spec, Watchdog};

pub(crate) struct World {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) places: Places,
    pub(crate) tools: Tools,
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let project = [".zeug", ".zot", ".zut"]
            .map(|d| root.join("project").join(d).join("extensions"))
            .to_vec();
        Self {
            places: Places::in_home(&root.join("home"), project),
            tools: Tools {
                spawner: Spawner::new(Watchdog::Off),
                cancel: CancellationToken::new(),
                path: None,
                withheld: vec!["ZEUG_TEST_SECRET".to_owned()],
            },
            dir,
        }
    }

    /// A path in the temporary directory, which it cannot leave.
    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        let root = self.dir.path().canonicalize().unwrap();
        inner
            .split('/')
            .filter(|part| !part.is_empty())
            .fold(root, |path, part| path.join(part))
    }

    /// Writes a file with its directories.
    pub(crate) fn write(&self, inner: &str, text: &str) -> PathBuf {
        let path = self.path(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn write_program(&self, inner: &str, text: &str) {
        executable(&self.write(inner, text));
    }

    /// A directory with a manifest that needs no file beside it.
    pub(crate) fn bare(&self, inner: &str, name: &str) -> PathBuf {
        self.manifest(inner, &format!(r#"{{"name":"{name}","exec":"sh"}}"#))
    }

    pub(crate) fn manifest(&self, inner: &str, text: &str) -> PathBuf {
        self.write(&format!("{inner}/extension.json"), text);
        self.path(inner)
    }

    /// A complete extension with a program of its own.
    pub(crate) fn complete(&self, inner: &str, name: &str) -> PathBuf {
        self.write_program(&format!("{inner}/run.sh"), "#!/bin/sh\n");
        self.write(&format!("{inner}/notes.txt"), "one\n");
        let text = format!("{{\n  \"name\": \"{name}\",\n  \"exec\": \"./run.sh\"\n}}\n");
        self.manifest(inner, &text)
    }

    pub(crate) fn roots(&self) -> Roots {
        Roots::new(self.places.clone(), Some("/usr/bin:/bin".into()), "0.1.0")
    }

    pub(crate) fn trust(&self) -> Trust {
        Trust::load(&self.places.trust).unwrap()
    }

    pub(crate) fn trust_all(&self) -> Found {
        discover(&self.roots(), &self.trust().everything())
    }

    pub(crate) async fn install(&self, source: &str) -> Result<Installed, CatalogError> {
        self.install_with(source, None).await
    }

    pub(crate) async fn install_with(
        &self,
        source: &str,
        build: Option<zeug_ext_catalog::Builder>,
    ) -> Result<Installed, CatalogError> {
        let request = Request {
            source: Source::parse(source, &self.path(""))?,
            build,
            version: "0.1.0".to_owned(),
        };
        install(&self.places, &request, &self.tools).await
    }

    /// Everything in the directory of extensions, hidden entries too.
    pub(crate) fn extensions(&self) -> Vec<String> {
        names(&self.places.global)
    }

    pub(crate) async fn git(&self, dir: &Path, args: &[&str]) -> String {
        let spec = Spec::new("git", dir)
            .args(["-c", "user.name=Test", "-c", "user.email=test@localhost"])
            .args(["-c", "init.defaultBranch=main"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        let limits = RunLimits {
            timeout: Duration::from_secs(60),
            max_output_bytes: 1024 * 1024,
        };
        let spawner = &self.tools.spawner;
        let cancel = CancellationToken::new();
        let done = zeug_process::run(spawner, spec, limits, &cancel).await;
        let done = done.unwrap();
        assert!(
            done.report.exit.is_success(),
            "git {args:?}: {}",
            done.report.with_last_words()
        );
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    pub(crate) async fn commit(&self, repo: &Path, message: &str) -> String {
        self.git(repo, &["add", "--all"]).await;
        self.git(repo, &["commit", "--quiet", "-m", message]).await;
        self.git(repo, &["rev-parse", "HEAD"]).await
    }

    /// A repository with a complete extension in it; gives its address.
    pub(crate) async fn repository(&self, inner: &str, name: &str) -> String {
        let repo = self.complete(inner, name);
        self.git(&repo, &["init", "--quiet"]).await;
        self.commit(&repo, "first").await;
        format!("file://{}", repo.display())
    }
}

pub(crate) fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The names in a directory, hidden ones too; none when it does not exist.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub(crate) fn read(dir: &Path, file: &str) -> String {
    fs::read_to_string(dir.join(file)).unwrap()
}
