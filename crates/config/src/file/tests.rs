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

fn providers(user: &str) -> crate::Providers {
    let loaded = Home::new(user, "").load().unwrap();
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    loaded.settings.providers
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
fn the_terminal_is_for_the_user_to_say() {
    let home = Home::new(
        "[terminal]\ntheme = \"sea\"\nbell = false",
        "[terminal]\nbell = true",
    );
    let loaded = home.load().unwrap();
    let terminal = loaded.settings.terminal;
    assert_eq!(terminal.theme.value.as_deref(), Some("sea"));
    assert_eq!(terminal.bell.value, Some(false));
    assert_eq!(terminal.mouse.value, None);
    assert!(
        loaded.warnings[0]
            .message
            .starts_with("terminal is ignored here: how your terminal")
    );
    assert_eq!(
        warnings("[terminal]\nmoose = true", ""),
        ["2: unknown key terminal.moose is ignored; did you mean terminal.mouse?"]
    );
    assert_eq!(
        error("[terminal]\nbell = 1"),
        ":2: terminal.bell must be true or false, not 1"
    );
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

#[test]
fn providers_and_their_models_are_read() {
    let user = r#"
reasoning = "high"

[providers.local]
api = "openai-chat"
base_url = "http://127.0.0.1:8080/v1"
headers = { X-Team = "blue", Authorization = "Bearer sk-1" }
api_key_env = "LOCAL_KEY"
api_key_command = ["pass", "show", "a b"]
models = [
    "plain",
    { name = "qwen3", context_window = 32_768, max_output = 4096, images = true, input_price = 0.25, output_price = 1, cache_read_price = 0.0, cache_write_price = 1e-1 },
]
timeouts = { connect_ms = 500, idle_ms = 600_000 }

[providers.anthropic.timeouts]
first_byte_ms = 60000
"#;
    let all = providers(user);
    let local = &all["local"];
    assert!(
        local.origin.to_string().ends_with("config.toml:4"),
        "{}",
        local.origin
    );
    assert_eq!(local.api.value.as_deref(), Some("openai-chat"));
    assert!(local.base_url.origin.to_string().ends_with(":6"));
    let mut headers = local.headers.clone();
    headers.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(headers[0].1.reveal(), "Bearer sk-1");
    assert_eq!(headers[1].0, "X-Team");
    assert!(!format!("{all:?}").contains("sk-1"));
    assert_eq!(
        local.api_key_command.value.as_deref().unwrap(),
        ["pass", "show", "a b"]
    );
    let qwen = crate::OwnModel {
        name: "qwen3".into(),
        context_window: Some(32_768),
        max_output: Some(4096),
        images: Some(true),
        input_price: Some(0.25),
        output_price: Some(1.0),
        cache_read_price: Some(0.0),
        cache_write_price: Some(0.1),
    };
    assert_eq!(local.models[0].name, "plain");
    assert_eq!(local.models[1], qwen);
    assert_eq!(local.timeouts.connect, Some(Duration::from_millis(500)));
    assert_eq!(local.timeouts.idle, Some(Duration::from_secs(600)));
    let first_byte = all["anthropic"].timeouts.first_byte;
    assert_eq!(first_byte, Some(Duration::from_secs(60)));
    let settings = Home::new(user, "reasoning = \"low\"")
        .load()
        .unwrap()
        .settings;
    assert_eq!(settings.reasoning.value, Some(Effort::Low));
    let withheld = settings.withheld();
    assert!(withheld.contains(&"LOCAL_KEY") && withheld.contains(&"OPENAI_API_KEY"));
}

#[test]
fn a_project_cannot_say_where_keys_go_or_come_from() {
    let user = "[providers.anthropic]\nbase_url = \"https://mine\"";
    for project in [
        "[providers.anthropic]\nbase_url = \"https://evil\"",
        "[providers.anthropic]\nheaders = { Host = \"evil\" }",
        "[providers.anthropic]\napi_key_command = [\"touch\", \"/tmp/owned\"]",
        "[providers.anthropic]\napi_key_env = \"HOME\"",
        "providers.anthropic.models = [\"dear\"]",
        "[providers.new]\nbase_url = \"https://evil\"",
        "[providers]",
        "providers = 3",
    ] {
        let settings = Home::new(user, project).load().unwrap().settings;
        let mut all = settings.providers;
        let mine = all.remove("anthropic").unwrap();
        assert_eq!(mine.base_url.value.as_deref(), Some("https://mine"));
        let rest = crate::ProviderSettings {
            base_url: Setting::default(),
            origin: Origin::Default,
            ..mine
        };
        assert_eq!(rest, crate::ProviderSettings::default(), "{project}");
        assert!(all.is_empty(), "{project}: {all:?}");
        let shown = warnings(user, project);
        assert_eq!(shown.len(), 1, "{project}: {shown:?}");
        assert!(
            shown[0].starts_with("1: providers is ignored here"),
            "{shown:?}"
        );
    }
    assert_eq!(
        warnings("", "base_url = \"https://evil\"\napi_key = \"x\""),
        [
            "1: unknown key base_url is ignored",
            "2: unknown key api_key is ignored"
        ]
    );
}

#[test]
fn what_is_wrong_with_a_provider_is_named_without_its_secrets() {
    let check = |text: &str, expect: &str| {
        assert_eq!(error(&format!("[providers.a]\n{text}")), expect, "{text}");
    };
    check(
        "api_key_env = \"sk-1\"",
        ":2: providers.a.api_key_env must be the name of an environment variable, not what stands there",
    );
    let command = "providers.a.api_key_command must be a program and its arguments such as [\"pass\", \"show\", \"anthropic\"], not what stands there";
    for text in ["\"pass show x\"", "[]", "[\"\"]", "[\"a\", 1]"] {
        check(
            &format!("api_key_command = {text}"),
            &format!(":2: {command}"),
        );
    }
    check(
        "headers = { a = 1 }",
        ":2: providers.a.headers.a must be a text in quotes, not what stands there",
    );
    check(
        "models = [\n{ context_window = 1 }]",
        ":3: providers.a.models must be a list of models that all have a name, not a value of type table",
    );
    check(
        "models = [{ name = \"x\", input_price = -1 }]",
        ":2: providers.a.models.input_price must be a price in US dollars for a million tokens, not -1",
    );
    check(
        "timeouts = { connect_ms = 1 }",
        ":2: providers.a.timeouts.connect_ms must be a whole number from 50 to 600000, not 1",
    );
    assert_eq!(
        warnings(
            "[providers.a]\nbase_ur = 1\napi_key = \"sk-1\"\n[providers.\"a/b\"]",
            ""
        ),
        [
            "2: unknown key providers.a.base_ur is ignored; did you mean providers.a.base_url?",
            "3: providers.a.api_key is ignored: keys are not kept in config.toml; run `zeug login a` and remove it here",
            "4: \"providers.a/b\" is ignored: a provider's name has no slash, white space or control character",
        ]
    );
    assert!(error("reasoning = \"hard\"").contains("\"off\" or \"minimum\""));
}
