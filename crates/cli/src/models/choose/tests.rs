//! Who is chosen, by what was said where and which keys are there.

use std::path::PathBuf;

use zeug_config::{OwnModel, ProviderSettings, Providers, Setting};

use super::*;
use crate::models::defaults::default_model;

/// Two servers of the user's own, one of them with an address.
fn own() -> Providers {
    let models = |names: &[&str]| {
        let named = |name: &&str| OwnModel {
            name: (*name).to_owned(),
            ..OwnModel::default()
        };
        names.iter().map(named).collect()
    };
    let shed = ProviderSettings {
        base_url: Setting {
            value: Some("http://shed".to_owned()),
            ..Setting::default()
        },
        models: models(&[
            "unique-shed-small",
            "unique-shed-large",
            "openai/unique-oss",
        ]),
        ..ProviderSettings::default()
    };
    let attic = ProviderSettings {
        models: models(&["unique-attic", "unique-shed-large"]),
        ..ProviderSettings::default()
    };
    Providers::from([("shed".to_owned(), shed), ("attic".to_owned(), attic)])
}

/// What was typed and configured: flags, the project's file, the user's.
#[derive(Default, Clone, Copy)]
struct Said {
    flags: (Option<&'static str>, Option<&'static str>),
    project: (Option<&'static str>, Option<&'static str>),
    user: (Option<&'static str>, Option<&'static str>),
    url: Option<&'static str>,
    key: bool,
}

fn decide(said: Said, keys: &[&str]) -> Result<Choice, ChoiceError> {
    let own = own();
    let sources = |entry: &Entry<'_>| {
        let there = keys.contains(&entry.name);
        Ok(there.then(|| KeySource::Variable(format!("{}_KEY", entry.name))))
    };
    let chooser = Chooser {
        roster: Roster::new(&own),
        sources: &sources,
    };
    let file = |name: &str| Origin::File {
        file: PathBuf::from(name),
        line: 7,
    };
    let origins = [
        file("user.toml"),
        file("project.toml"),
        Origin::Flag("--flag"),
    ];
    let pick = |layers: [Option<&'static str>; 3]| {
        let ranked = layers.into_iter().enumerate().rev();
        let mut said = ranked.filter_map(|(rank, text)| Some((rank, text?)));
        said.next().map(|(rank, text)| Word {
            text,
            origin: &origins[rank],
            rank: u8::try_from(rank).unwrap(),
        })
    };
    let Said {
        flags,
        project,
        user,
        ..
    } = said;
    chooser.choose(Wish {
        provider: pick([user.0, project.0, flags.0]),
        model: pick([user.1, project.1, flags.1]),
        configured: pick([user.0, project.0, None]),
        url: said.url,
        key: said.key,
    })
}

#[track_caller]
fn check(said: Said, keys: &[&str], expect: &str) -> Option<String> {
    let choice = decide(said, keys).unwrap();
    assert_eq!(format!("{}/{}", choice.provider, choice.model), expect);
    choice.remark
}

#[track_caller]
fn refused(said: Said, keys: &[&str]) -> String {
    decide(said, keys).unwrap_err().to_string()
}

fn typed(model: &'static str) -> Said {
    Said {
        flags: (None, Some(model)),
        ..Said::default()
    }
}

fn usual(provider: &str) -> String {
    format!("{provider}/{}", default_model(provider).unwrap())
}

#[test]
fn without_a_word_the_keys_decide() {
    let nothing = Said::default();
    let remark = check(nothing, &[], "puppet/puppet").unwrap();
    assert!(
        remark.contains("zeug login") && remark.contains("--base-url"),
        "{remark}"
    );
    let remark = check(nothing, &["anthropic"], &usual("anthropic")).unwrap();
    assert!(remark.contains("anthropic_KEY"), "{remark}");
    assert_eq!(remark.lines().count(), 1);
    let remark = check(nothing, &["anthropic", "openai"], "puppet/puppet").unwrap();
    assert!(
        remark.contains("anthropic (anthropic_KEY), openai (openai_KEY)"),
        "{remark}"
    );
    assert!(remark.contains("--model PROVIDER/NAME"), "{remark}");
    // One key of those that are often there for something else changes nothing.
    check(nothing, &["groq", "huggingface"], &usual("groq"));
    let remark = check(nothing, &["huggingface"], "puppet/puppet").unwrap();
    assert!(remark.contains("huggingface"), "{remark}");
    check(nothing, &["attic"], "attic/unique-attic");
    let whose = Said {
        key: true,
        ..nothing
    };
    assert!(refused(whose, &[]).contains("--provider"));
}

#[test]
fn flags_come_before_the_project_and_the_project_before_the_user() {
    let said = Said {
        flags: (None, Some("attic/unique-attic")),
        project: (Some("shed"), None),
        user: (Some("anthropic"), Some("x")),
        ..Said::default()
    };
    assert_eq!(check(said, &[], "attic/unique-attic"), None);
    let said = Said {
        flags: (None, None),
        ..said
    };
    check(said, &[], "shed/unique-shed-small");
    let said = Said {
        project: (None, Some("attic/unique-attic")),
        ..said
    };
    check(said, &[], "attic/unique-attic");
    let said = Said {
        flags: (Some("puppet"), None),
        ..said
    };
    assert_eq!(check(said, &["anthropic"], "puppet/puppet"), None);
}

#[test]
fn a_configured_model_belongs_to_the_provider_it_was_configured_with() {
    let user = (Some("shed"), Some("unique-shed-large"));
    let said = Said {
        user,
        ..Said::default()
    };
    check(said, &[], "shed/unique-shed-large");
    let same = Said {
        flags: (Some("shed"), None),
        ..said
    };
    check(same, &[], "shed/unique-shed-large");
    let other = Said {
        flags: (Some("openai"), None),
        ..said
    };
    check(other, &[], &usual("openai"));
    let prefixed = Said {
        flags: (Some("attic"), None),
        user: (None, Some("attic/unique-attic")),
        ..Said::default()
    };
    check(prefixed, &[], "attic/unique-attic");
}

#[test]
fn a_slash_in_a_name_is_the_providers_only_when_the_provider_is_open() {
    let at = |provider, model| Said {
        flags: (Some(provider), Some(model)),
        ..Said::default()
    };
    check(
        at("shed", "openai/unique-oss"),
        &[],
        "shed/openai/unique-oss",
    );
    check(
        at("shed", "shed/openai/unique-oss"),
        &[],
        "shed/openai/unique-oss",
    );
    check(
        typed("shed/openai/unique-oss"),
        &[],
        "shed/openai/unique-oss",
    );
    let unknown = check(typed("openai/unique-oss"), &[], "openai/unique-oss").unwrap();
    assert!(unknown.contains("not in the catalogue"), "{unknown}");
    let openrouter = default_model("openrouter").unwrap();
    assert_eq!(
        check(at("openrouter", openrouter), &[], &usual("openrouter")),
        None
    );
    check(
        at("google", "google/gemini-new-one"),
        &[],
        "gemini/gemini-new-one",
    );
    check(at("openai-chat", "gpt-99"), &[], "openai-chat/gpt-99");
}

#[test]
fn a_part_of_a_name_finds_the_model_or_asks_back() {
    let remark = check(typed("attic"), &[], "attic/unique-attic");
    assert_eq!(remark.unwrap(), "\"attic\" is taken for attic/unique-attic");
    let asked = refused(typed("unique shed"), &["attic"]);
    let expect = "--flag: which model is \"unique shed\"? Name one of these with --model:";
    assert!(asked.starts_with(expect), "{asked}");
    for model in [
        "shed/unique-shed-small",
        "shed/unique-shed-large",
        "attic/unique-shed-large",
    ] {
        assert!(asked.contains(&format!("\n  {model}")), "{asked}");
    }
    // One that has a key, or an address, comes before one that has none.
    check(typed("unique-shed-large"), &[], "shed/unique-shed-large");
    // And the configured one before both.
    let said = Said {
        user: (Some("attic"), None),
        ..typed("unique-shed-large")
    };
    check(said, &[], "attic/unique-shed-large");
    let new = Said {
        user: (Some("anthropic"), None),
        ..typed("claude-zzz-99")
    };
    let remark = check(new, &[], "anthropic/claude-zzz-99").unwrap();
    assert!(remark.contains("not in the catalogue"), "{remark}");
    assert!(refused(typed("qqqqqqqq"), &[]).contains("no model is called \"qqqqqqqq\""));
    let many = refused(typed("claude"), &[]);
    assert!(
        many.contains("more, which `zeug --list-models` shows"),
        "{many}"
    );
}

#[test]
fn an_unknown_provider_is_named_with_its_place() {
    let said = Said {
        user: (Some("shet"), None),
        ..Said::default()
    };
    let told = refused(said, &[]);
    assert!(
        told.starts_with("user.toml:7: provider \"shet\" is not known"),
        "{told}"
    );
    assert!(told.contains("did you mean \"shed\""), "{told}");
    let without_model = Said {
        flags: (Some("vllm"), None),
        ..Said::default()
    };
    assert!(refused(without_model, &[]).contains("--list-models --provider vllm"));
}

/// A typed address must not get the key of a provider that nobody typed.
#[test]
fn an_address_alone_is_a_server_without_a_name() {
    let url = Some("http://me:pw@openai:80/v1");
    let model = Some("openai/unique-oss");
    let said = Said {
        flags: (None, model),
        url,
        ..Said::default()
    };
    check(said, &["openai"], "server openai:80/openai/unique-oss");
    for hostile in [
        (Some("openai"), None),
        (Some("anthropic"), Some("anthropic/x")),
    ] {
        let said = Said {
            project: hostile,
            ..said
        };
        check(
            said,
            &["openai", "anthropic"],
            "server openai:80/openai/unique-oss",
        );
        let no_model = Said {
            flags: (None, None),
            ..said
        };
        assert!(refused(no_model, &["openai"]).contains("asks it which it has"));
    }
    let named = Said {
        flags: (Some("openai"), model),
        ..said
    };
    check(named, &[], "openai/openai/unique-oss");
    let own_word = Said {
        flags: (Some("my box"), model),
        ..said
    };
    check(own_word, &[], "my box/openai/unique-oss");
    let asked = refused(
        Said {
            url,
            ..Said::default()
        },
        &[],
    );
    assert!(
        asked.contains("http://openai:80/v1") && !asked.contains("pw"),
        "{asked}"
    );
    let usual_model = Said {
        flags: (Some("openai"), None),
        ..said
    };
    check(usual_model, &[], &usual("openai"));
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    assert_eq!(without_user("http://me:pw@h:1/v1/a@b"), "http://h:1/v1/a@b");
    assert_eq!(without_user("https://h"), "https://h");
    assert_eq!(without_user("me:pw@h:1"), "h:1");
    assert_eq!(nameless("http://me:pw@[::1]:1?x"), "server [::1]:1");
}
