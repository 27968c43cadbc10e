//! `zeug login` and `zeug logout`: keys into `auth.toml`, and out of it.

use std::io::{self, Write as _};

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;
use zeug_config::{Auth, KeySource, Secret};
use zeug_stdx::suggest::nearest;
use zeug_stdx::text;

use super::connect::keyring;
use super::roster::{Entry, Roster};
use super::{PUPPET, prompt};
use crate::compose;
use crate::signals::INTERRUPTED;
use crate::world::World;

/// Takes a key and keeps it. It comes from a prompt that hides it, or from a pipe; an argument
/// would stay in the shell's history and be there for every process to see.
pub(crate) async fn login(
    provider: Option<String>,
    world: &World,
    interrupt: &CancellationToken,
) -> anyhow::Result<u8> {
    let roster = Roster::new(&world.loaded.settings.providers);
    let Some(word) = named(provider, &roster, interrupt).await? else {
        return Ok(INTERRUPTED);
    };
    let entry = entry(&roster, &word)?;
    // Opened first: a file that will be refused is refused before a key is typed.
    let mut auth = Auth::open(&world.paths)?;
    let name = entry.main();
    let question = format!("Key for {name} (it is not shown): ");
    let typed = if prompt::is_possible() {
        prompt::ask(&question, true, interrupt).await?
    } else {
        prompt::piped(interrupt).await.context("standard input")?
    };
    let Some(typed) = typed else {
        return Ok(INTERRUPTED);
    };
    let key = Secret::key(&typed)
        .context("no key came: a key is one line of text; type it at the prompt, or pipe it in")?;
    let replaced = auth.store(name, &key)?;
    let mut err = io::stderr();
    let done = if replaced { "replaced" } else { "stored" };
    let file = auth.file().display().to_string();
    writeln!(err, "{done} the key for {name} in {}", text::plain(&file))?;
    let spawner = compose::spawner();
    let source = keyring(world, &spawner).source(entry.wanted(), &auth);
    if let Some(KeySource::Variable(variable)) = source {
        writeln!(
            err,
            "note: {variable} is set and wins over it; unset it to use the stored one"
        )?;
    }
    if let Some(model) = entry.default_model() {
        writeln!(err, "try it: zeug -p --model {}/{model} hello", entry.name)?;
    }
    Ok(0)
}

/// Forgets a key.
pub(crate) fn logout(provider: Option<&str>, world: &World) -> anyhow::Result<u8> {
    let mut auth = Auth::open(&world.paths)?;
    let stored: Vec<String> = auth.names().map(str::to_owned).collect();
    let mut err = io::stderr();
    let name = match (provider, stored.as_slice()) {
        (None, []) => {
            writeln!(err, "no key is stored")?;
            return Ok(0);
        }
        (None, [only]) => only.clone(),
        (None, several) => anyhow::bail!(
            "keys are stored for {}: say which to forget, such as `zeug logout {}`",
            several.join(", "),
            several[0]
        ),
        // A provider that was taken out of the configuration can still have a key here.
        (Some(word), _) => Roster::new(&world.loaded.settings.providers)
            .find(word)
            .map_or(word, |entry| entry.main())
            .to_owned(),
    };
    let file = text::plain(&auth.file().display().to_string());
    if !auth.forget(&name)? {
        let there = match stored.as_slice() {
            [] => "there is none at all".to_owned(),
            names => format!("there are those for {}", names.join(", ")),
        };
        writeln!(
            err,
            "zeug: no key for {name:?} is stored in {file}; {there}"
        )?;
        return Ok(1);
    }
    writeln!(err, "removed the key for {name} from {file}")?;
    if let Some(entry) = Roster::new(&world.loaded.settings.providers).find(&name) {
        let spawner = compose::spawner();
        if let Some(source) = keyring(world, &spawner).source(entry.wanted(), &auth) {
            writeln!(err, "note: {source} still has one")?;
        }
    }
    Ok(0)
}

/// The provider's word; asked for when it was not given and somebody is there.
async fn named(
    provider: Option<String>,
    roster: &Roster<'_>,
    interrupt: &CancellationToken,
) -> anyhow::Result<Option<String>> {
    if provider.is_some() {
        return Ok(provider);
    }
    let all = roster.all();
    let names: Vec<&str> = all
        .iter()
        .filter(|it| it.is_main())
        .map(|it| it.name)
        .collect();
    anyhow::ensure!(
        prompt::is_possible(),
        "name the provider, such as `zeug login anthropic`; known are {}",
        names.join(", ")
    );
    let question = format!("Known are {}.\nProvider: ", names.join(", "));
    let line = prompt::ask(&question, false, interrupt).await?;
    Ok(line.map(|line| line.trim().to_owned()))
}

fn entry<'a>(roster: &Roster<'a>, word: &str) -> anyhow::Result<Entry<'a>> {
    anyhow::ensure!(word != PUPPET, "the puppet is built in and needs no key");
    roster.find(word).with_context(|| {
        let all = roster.all();
        let near = nearest(word, all.iter().map(|entry| entry.name));
        let near = near
            .map(|near| format!(" (did you mean {near:?}?)"))
            .unwrap_or_default();
        format!(
            "provider {word:?} is not known{near}: name a known one, or describe yours as \
             [providers.NAME] in config.toml first"
        )
    })
}
