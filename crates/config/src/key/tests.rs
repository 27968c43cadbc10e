//! Which place wins, what is looked at, and what a command that fails says.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use zeug_process::Watchdog;

use super::*;

const WANTED: Wanted<'_> = Wanted {
    provider: "acme",
    login: "acme",
    variables: &["ACME_KEY", "ACME_TOKEN"],
};

struct Bench {
    dir: tempfile::TempDir,
    env: Env,
    paths: Paths,
    settings: Settings,
}

impl Bench {
    /// With these variables, this `config.toml`, and `acme`'s key in `auth.toml` when `login`.
    fn new(vars: &'static [(&'static str, &'static str)], config: &str, login: bool) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let paths = Paths::at(dir.path().join("home"));
        fs::create_dir(paths.home()).unwrap();
        fs::write(paths.config(), config).unwrap();
        if login {
            let mut auth = Auth::open(&paths).unwrap();
            auth.store("acme", &Secret::new("of-login")).unwrap();
        }
        let loaded = Settings::load(&paths, dir.path()).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        let find = |name: &str| vars.iter().find(|(known, _)| *known == name);
        Self {
            env: Env::from_lookup(move |name| Some(find(name)?.1.into()), None),
            settings: loaded.settings,
            paths,
            dir,
        }
    }

    async fn find(&self, typed: Option<&str>) -> Result<Option<FoundKey>, ConfigError> {
        let spawner = Spawner::new(Watchdog::Off);
        let typed = typed.map(Secret::new);
        let cancel = CancellationToken::new();
        let ring = self.ring(&spawner);
        let found = ring.find(WANTED, typed.as_ref(), &cancel).await?;
        if typed.is_none() {
            let auth = Auth::open(&self.paths).unwrap();
            let source = found.as_ref().map(|found| found.source.clone());
            assert_eq!(ring.source(WANTED, &auth), source, "asked without taking");
        }
        Ok(found)
    }

    fn ring<'a>(&'a self, spawner: &'a Spawner) -> Keyring<'a> {
        Keyring {
            env: &self.env,
            paths: &self.paths,
            settings: &self.settings,
            spawner,
        }
    }

    async fn failure(&self) -> String {
        self.find(None).await.unwrap_err().to_string()
    }
}

const COMMAND: &str =
    "[providers.acme]\napi_key_command = [\"printf\", \" of-%s \\n\", \"command\"]\n";
const OWN: &str = "[providers.acme]\napi_key_env = \"MY_KEY\"\n";
const VARS: &[(&str, &str)] = &[("ACME_TOKEN", "of-token"), ("OTHER", "x")];
const BOTH: &[(&str, &str)] = &[("ACME_TOKEN", "of-token"), ("ACME_KEY", "of-key")];
const MINE: &[(&str, &str)] = &[("ACME_KEY", "of-key"), ("MY_KEY", "mine")];

#[tokio::test]
async fn the_best_place_wins() {
    type Row = (
        Option<&'static str>,
        &'static [(&'static str, &'static str)],
        bool,
        &'static str,
        Option<(&'static str, &'static str)>,
    );
    let table: [Row; 9] = [
        (
            Some("typed"),
            VARS,
            true,
            COMMAND,
            Some(("typed", "--api-key")),
        ),
        (None, VARS, true, COMMAND, Some(("of-token", "ACME_TOKEN"))),
        (None, BOTH, true, COMMAND, Some(("of-key", "ACME_KEY"))),
        (None, MINE, true, OWN, Some(("mine", "MY_KEY"))),
        (None, BOTH, true, OWN, Some(("of-login", "auth.toml"))),
        (None, BOTH, false, OWN, None),
        (None, &[], true, COMMAND, Some(("of-login", "auth.toml"))),
        (
            None,
            &[],
            false,
            COMMAND,
            Some(("of-command", "api_key_command")),
        ),
        (None, &[], false, "", None),
    ];
    for (typed, vars, login, config, expect) in table {
        let found = Bench::new(vars, config, login).find(typed).await.unwrap();
        let found = found.map(|f| (f.secret.reveal().to_owned(), f.source.to_string()));
        let expect = expect.map(|(key, source)| (key.to_owned(), source.to_owned()));
        assert_eq!(found, expect, "{typed:?} {vars:?} {login} {config}");
    }
}

#[tokio::test]
async fn what_a_better_place_makes_needless_is_not_looked_at() {
    let config = "[providers.acme]\napi_key_command = [\"touch\", \"ran\"]\n\
                  [providers.other]\napi_key_command = [\"touch\", \"ran\"]\n";
    let bench = Bench::new(VARS, config, true);
    let file = bench.paths.auth();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let spawner = Spawner::new(Watchdog::Off);
    let cancel = CancellationToken::new();
    let found = bench
        .ring(&spawner)
        .find(WANTED, None, &cancel)
        .await
        .unwrap();
    assert_eq!(
        found.unwrap().source,
        KeySource::Variable("ACME_TOKEN".into())
    );

    let without = Bench {
        env: Env::default(),
        ..bench
    };
    let told = without.failure().await;
    assert!(told.contains("chmod 600"), "{told}");
    assert!(!without.paths.home().join("ran").exists());
}

#[tokio::test]
async fn a_command_runs_in_the_home_without_a_shell_and_without_keys() {
    let script = "#!/bin/sh\nprintf '%s|%s|%s' \"$PWD\" \"$1\" \"${CARGO_MANIFEST_DIR-unset}\"\n";
    let config = "[providers.acme]\napi_key_command = [\"./key\", \"$HOME;*\"]\n\
                  [providers.b]\napi_key_env = \"CARGO_MANIFEST_DIR\"\n";
    let bench = Bench::new(&[], config, false);
    let file = bench.paths.home().join("key");
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let found = bench.find(None).await.unwrap().unwrap();
    let home = bench.dir.path().canonicalize().unwrap().join("home");
    let expect = format!("{}|$HOME;*|unset", home.display());
    assert_eq!(found.secret.reveal(), expect);
}

#[tokio::test]
async fn a_command_that_fails_says_where_it_is_set_and_its_last_words() {
    let check = |command: &str| {
        let config = format!("\n[providers.acme]\napi_key_command = {command}\n");
        async move { Bench::new(&[], &config, false).failure().await }
    };
    let told = check(r#"["sh", "-c", "echo sk-1; echo locked >&2; exit 3"]"#).await;
    assert!(
        told.contains("config.toml:3: providers.acme.api_key_command: sh failed"),
        "{told}"
    );
    assert!(told.contains("exit status 3; last words: locked"), "{told}");
    assert!(!told.contains("sk-1"), "{told}");
    let told = check(r#"["no-such-program-here"]"#).await;
    assert!(told.contains("not found on PATH"), "{told}");
    let told = check(r#"["true"]"#).await;
    assert!(told.contains("0 bytes"), "{told}");
    let told = check(r#"["printf", "sk-1\nsk-2\n"]"#).await;
    assert!(
        told.contains("10 bytes with 2 line ends") && !told.contains("sk-1"),
        "{told}"
    );
    let told = check(r#"["head", "-c", "100000", "/dev/zero"]"#).await;
    assert!(told.contains("on one line"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_command_that_waits_for_somebody_is_ended() {
    let config = "[providers.acme]\napi_key_command = [\"sleep\", \"1000\"]\n";
    let told = Bench::new(&[], config, false).failure().await;
    assert!(
        told.contains("sleep took longer than 30 s and was ended"),
        "{told}"
    );
    assert!(told.contains("unlock"), "{told}");
}

#[tokio::test]
async fn whoever_gives_up_does_not_wait_for_the_command() {
    let config = "[providers.acme]\napi_key_command = [\"sleep\", \"1000\"]\n";
    let bench = Bench::new(&[], config, false);
    let (spawner, cancel) = (Spawner::new(Watchdog::Off), CancellationToken::new());
    cancel.cancel();
    let ring = bench.ring(&spawner);
    let given_up = ring.find(WANTED, None, &cancel).await;
    assert!(matches!(given_up, Err(ConfigError::Interrupted)));
}
