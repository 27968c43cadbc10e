//! What is kept, who may see it, and what a failure leaves.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::fs::symlink;

use super::*;

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn paths(&self) -> Paths {
        Paths::at(self.0.path().join("state/zeug"))
    }

    fn open(&self) -> Result<Auth, ConfigError> {
        Auth::open(&self.paths())
    }

    fn write(&self, text: &str, mode: u32) {
        let file = self.paths().auth();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    }

    fn refused(&self) -> String {
        let told = self.open().unwrap_err().to_string();
        told.replace(&self.paths().auth().display().to_string(), "FILE")
    }
}

fn mode(file: &Path) -> u32 {
    file.metadata().unwrap().mode() & 0o7777
}

#[test]
fn a_key_is_kept_until_it_is_forgotten() {
    let home = Home::new();
    let mut auth = home.open().unwrap();
    assert_eq!(auth.names().count(), 0);
    assert!(!auth.store("anthropic", &Secret::new("sk-1")).unwrap());
    assert!(auth.store("anthropic", &Secret::new("sk-2")).unwrap());
    assert!(!auth.store("my server", &Secret::new("a \"b\"")).unwrap());

    let mut auth = home.open().unwrap();
    assert_eq!(auth.names().collect::<Vec<_>>(), ["anthropic", "my server"]);
    assert_eq!(auth.key("anthropic"), Some(Secret::new("sk-2")));
    assert_eq!(auth.key("my server"), Some(Secret::new("a \"b\"")));
    assert!(auth.forget("anthropic").unwrap());
    assert!(!auth.forget("anthropic").unwrap());
    assert_eq!(
        home.open().unwrap().names().collect::<Vec<_>>(),
        ["my server"]
    );
}

#[test]
fn only_the_owner_can_read_what_is_written_and_nothing_else_is_left() {
    let home = Home::new();
    home.open().unwrap().store("a", &Secret::new("k")).unwrap();
    let file = home.paths().auth();
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_that_others_can_reach_is_refused() {
    let home = Home::new();
    for mode in [0o644, 0o640, 0o604, 0o620, 0o602] {
        home.write("[a]\napi_key = \"sk-secret\"\n", mode);
        let told = home.refused();
        assert!(told.contains(&format!("mode {mode:04o}")), "{told}");
        assert!(told.contains("chmod 600 FILE"), "{told}");
        assert!(!told.contains("sk-secret"), "{told}");
    }
    home.write("[a]\napi_key = \"k\"\n", 0o400);
    assert!(home.open().unwrap().has("a"));
}

#[test]
fn a_file_of_somebody_else_is_refused() {
    let home = Home::new();
    home.write("", 0o600);
    let file = home.paths().auth();
    if std::os::unix::fs::chown(&file, Some(12345), None).is_err() {
        return; // Only root can give files away.
    }
    let told = home.refused();
    assert!(told.contains("12345") && told.contains("chown"), "{told}");
}

#[test]
fn what_cannot_be_understood_is_named_without_a_key() {
    let home = Home::new();
    let check = |text: &str, expect: &str| {
        home.write(text, 0o600);
        let told = home.refused();
        assert!(told.starts_with(expect), "{text}: {told}");
        assert!(!told.contains("sk-"), "{text}: {told}");
    };
    check("[a]\napi_key = sk-1\n", "FILE:2: ");
    check("a = \"sk-1\"\n", "FILE: the entry \"a\" ");
    check("[a]\napi_key = [\"sk-1\"]\n", "FILE: the entry \"a\" ");
    fs::remove_file(home.paths().auth()).unwrap();
    fs::create_dir(home.paths().auth()).unwrap();
    assert!(home.refused().contains("no file"));
}

#[test]
fn other_entries_survive_and_an_empty_key_is_none() {
    let home = Home::new();
    home.write("[later]\ntoken = \"t\"\n[none]\napi_key = \"\"\n", 0o600);
    let mut auth = home.open().unwrap();
    assert_eq!(auth.names().count(), 0);
    auth.store("a", &Secret::new("k")).unwrap();
    let text = fs::read_to_string(home.paths().auth()).unwrap();
    assert!(text.contains("token = \"t\""), "{text}");
}

#[test]
fn a_link_stays_a_link() {
    let home = Home::new();
    let real = home.0.path().join("real.toml");
    fs::write(&real, "").unwrap();
    fs::set_permissions(&real, Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(home.paths().home()).unwrap();
    symlink(&real, home.paths().auth()).unwrap();
    home.open().unwrap().store("a", &Secret::new("k")).unwrap();
    assert!(home.paths().auth().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("api_key"));
}

#[test]
fn a_failed_write_leaves_the_file_as_it_was() {
    let home = Home::new();
    home.write("[a]\napi_key = \"k\"\n", 0o600);
    let mut auth = home.open().unwrap();
    auth.file = home.0.path().join("state/zeug/auth.toml/below/a/file");
    let told = auth
        .store("b", &Secret::new("sk-2"))
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("not stored") && !told.contains("sk-2"),
        "{told}"
    );
    assert!(!home.open().unwrap().has("b"));
}
