//! Why nobody was chosen, with what to write instead.

use zeug_config::ConfigError;

/// The most models that a question offers.
const OFFERED: usize = 12;
/// The most models that are offered instead of one that does not exist.
const RESEMBLING: usize = 3;

/// Why nobody was chosen.
#[derive(Debug, thiserror::Error)]
pub(in crate::models) enum ChoiceError {
    #[error(
        "{from}: provider {name:?} is not known{}; known are the puppet, those of \
         `zeug --list-models`, and [providers.NAME] in your config.toml",
        near(nearest.as_deref())
    )]
    UnknownProvider {
        from: String,
        name: String,
        nearest: Option<String>,
    },
    #[error(
        "no model is chosen for provider {provider:?}: name one with --model; \
         `zeug --list-models --provider {provider}` shows them"
    )]
    NoModel { provider: String },
    #[error(
        "no model is chosen for the server at {url}: name one with --model; \
         `zeug --list-models --base-url {url}` asks it which it has"
    )]
    NoModelThere { url: String },
    #[error("--api-key: whose key is it? Name the provider with --provider")]
    WhoseKey,
    #[error(
        "{from}: which model is {word:?}? Name one of these with --model:{}",
        lines(among)
    )]
    Ambiguous {
        from: String,
        word: String,
        among: Vec<String>,
    },
    #[error(
        "{from}: no model is called {word:?}{}; `zeug --list-models` shows those that are known, \
         provider/name asks for any other",
        offered(among)
    )]
    UnknownModel {
        from: String,
        word: String,
        among: Vec<String>,
    },
    #[error(transparent)]
    Config(#[from] ConfigError),
}

fn near(name: Option<&str>) -> String {
    name.map(|name| format!(" (did you mean {name:?}?)"))
        .unwrap_or_default()
}

fn lines(names: &[String]) -> String {
    let mut text: String = names
        .iter()
        .take(OFFERED)
        .map(|name| format!("\n  {name}"))
        .collect();
    if let Some(more) = names.len().checked_sub(OFFERED).filter(|more| *more > 0) {
        text.push_str(&format!(
            "\n  and {more} more, which `zeug --list-models` shows"
        ));
    }
    text
}

pub(super) fn offered(names: &[String]) -> String {
    let names = &names[..names.len().min(RESEMBLING)];
    match names {
        [] => String::new(),
        names => format!(" (did you mean {}?)", names.join(" or ")),
    }
}
