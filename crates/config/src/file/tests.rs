//! What a `config.toml` does, line by line.

use std::path::PathBuf;
use std::time::Duration;

use zeug_ext_protocol::register::OnFailure;

use super::*;
use crate::{Paths, Settings};

struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new(user: &str, project: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("w/.zeug")).unwrap();
        std::fs::create_dir_all(dir.path().join("home")).unwrap();
        std::fs::write(dir.path().join("home/config.toml"), user).unwrap();
        std::fs::write(dir.path().join("w/.zeug/config.toml"), project).unwrap();
        Self { dir }
    }

    fn load(&self) -> Result<Loaded, ConfigError> {
        let paths = Paths::at(self.dir.path().join("home"));
        Settings::load(&paths, &self.dir.path().join("w"))
    }

    fn project_file(&self) -> PathBuf {
        self.dir.path().join("w/.zeug/config.toml")
    }
}

fn error(user: &str) -> String {
    let error = Home::new(user, "").load().unwrap_err().to_string();
    error.rsplit_once("config.toml").unwrap().1.to_owned()
}

fn warnings(user: &str, project: &str) -> Vec<String> {
    let loaded = Home::new(user, project).load().unwrap();
    let shown = loaded
        .warnings
        .iter()
        .map(|w| format!("{}: {}", w.line, w.message));
    shown.collect()
}

#[test]
fn the_project_file_wins_over_the_users_and_says_so() {
    let home = Home::new(
        "provider = \"anthropic\"\nmodel = \"a\"\nmax_steps = 5",
        "# ours\nmodel = \"b\"",
    );
    let settings = home.load().unwrap().settings;
    assert_eq!(settings.provider.value.as_deref(), Some("anthropic"));
    assert_eq!(settings.model.value.as_deref(), Some("b"));
    let file = home.project_file();
    assert_eq!(settings.model.origin, Origin::File { file, line: 2 });
    assert_eq!(settings.max_steps.value, Some(5));
    assert_eq!(settings.approve.origin, Origin::Default);
}

#[test]
fn a_project_cannot_weaken_what_protects_the_user() {
    let project = "approve = \"never\"\n[extensions]\nlocked = \"warn\"\ndisabled = [\"guard\"]";
    let user = "approve = \"always\"\n[extensions]\nlocked = \"refuse\"";
    let loaded = Home::new(user, project).load().unwrap();
    assert_eq!(loaded.settings.approve.value, Some(Approve::Always));
    assert_eq!(loaded.settings.extensions.locked.value, Locked::Refuse);
    assert!(loaded.settings.extensions.disabled.value.is_empty());
    let shown = warnings(user, project);
    assert!(
        shown[0].starts_with("1: approve is ignored here"),
        "{shown:?}"
    );
    assert!(
        shown[1].starts_with("2: extensions is ignored here"),
        "{shown:?}"
    );
    assert_eq!(shown.len(), 2);
}

#[test]
fn extension_settings_are_read() {
    let user = r#"
[extensions]
disabled = ["a", "b"]
[extensions.limits]
hello_ms = 1_000
tool_reply_ms = 120000
[extensions.on_failure]
guard = "block"
"#;
    let extensions = Home::new(user, "").load().unwrap().settings.extensions;
    assert!(extensions.disabled.value.contains("a"));
    assert_eq!(extensions.limits.hello, Duration::from_secs(1));
    assert_eq!(extensions.limits.tool_reply, Duration::from_secs(120));
    assert_eq!(extensions.limits.ready, crate::Limits::default().ready);
    assert_eq!(extensions.on_failure["guard"].value, OnFailure::Block);
}

#[test]
fn unknown_keys_are_named_with_the_nearest_known_one() {
    let user = "modle = \"x\"\ncolour = 1\n[extensions.limits]\nhelo_ms = 1000";
    assert_eq!(
        warnings(user, ""),
        [
            "1: unknown key modle is ignored; did you mean model?",
            "2: unknown key colour is ignored",
            "4: unknown key extensions.limits.helo_ms is ignored; did you mean extensions.limits.hello_ms?",
        ]
    );
}

#[test]
fn wrong_values_name_the_file_and_the_line() {
    let check = |text: &str, expect: &str| assert_eq!(error(text), expect, "{text}");
    check(
        "\nmodel = 3",
        ":2: model must be a text in quotes that is not empty, not 3",
    );
    check(
        "approve = \"nevr\"",
        ":1: approve must be \"never\" or \"writes\" or \"always\", not \"nevr\"",
    );
    check(
        "max_steps = 0",
        ":1: max_steps must be a whole number from 1 to 4294967295, not 0",
    );
    check(
        "[extensions.limits]\nready_idle_ms = 1",
        ":2: extensions.limits.ready_idle_ms must be a whole number from 10 to 60000, not 1",
    );
    check(
        "[extensions]\ndisabled = [\"a\",\n 1]",
        ":3: extensions.disabled must be a list of names such as [\"weather\"], not 1",
    );
    check(
        "extensions = true",
        ":1: extensions must be a table, not a value of type boolean",
    );
    assert!(error("a = \n").starts_with(":1: "));
}

#[test]
fn missing_files_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let loaded = Settings::load(&Paths::at(dir.path().join("none")), dir.path()).unwrap();
    assert_eq!(loaded, Loaded::default());
}

#[test]
fn a_home_inside_the_project_is_read_once_and_as_the_users() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join(".zeug");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), "approve = \"always\"").unwrap();
    let loaded = Settings::load(&Paths::at(&home), dir.path()).unwrap();
    assert_eq!(loaded.settings.approve.value, Some(Approve::Always));
    assert!(loaded.warnings.is_empty());
}
