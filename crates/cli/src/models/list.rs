//! `zeug --list-models`: what there is to choose from, and for what a key is there.
//!
//! Servers at an address of the user's own, and Ollama, are asked. Nobody's key is fetched for
//! that but the one of the provider that `--provider` names.

mod ask;
mod print;

use std::io;

use serde::Serialize;
use tokio_util::sync::CancellationToken;
use zeug_config::{Auth, KeySource};
use zeug_providers::catalog::{ModelInfo, Price};

use self::ask::{Answer, Question};
use super::PUPPET;
use super::choose::nameless;
use super::connect::{description, key, keyring, typed_key, wanted};
use super::roster::{Entry, Roster};
use crate::args::ModelArgs;
use crate::compose;
use crate::signals::INTERRUPTED;
use crate::world::World;

/// The one local server that is asked without being mentioned anywhere.
const OLLAMA: &str = "ollama";

/// One model. The field names are those of `--json`.
#[derive(Debug, Serialize)]
struct Row {
    provider: String,
    model: String,
    /// For people.
    label: Option<String>,
    context_window: Option<u64>,
    max_output: Option<u64>,
    /// US dollars for a million tokens.
    input_price: Option<f64>,
    output_price: Option<f64>,
    cache_read_price: Option<f64>,
    cache_write_price: Option<f64>,
    images: bool,
    tools: Option<bool>,
    reasons: Option<bool>,
    efforts: Vec<&'static str>,
    deprecated: bool,
    /// Whether it is taken when its provider is chosen and no model is.
    default: bool,
    /// `config`, `server` or `catalogue`.
    source: &'static str,
    /// Where its provider's key would be taken from; `null` when there is none.
    credential: Option<String>,
    needs_key: bool,
}

/// A provider with its models.
struct Section<'a> {
    /// `None` for a server that has only an address.
    entry: Option<Entry<'a>>,
    name: String,
    credential: Option<KeySource>,
    /// What the server said, if it was asked.
    answer: Option<Answer>,
}

/// Prints the models: those of the user's own servers, of providers with a key, of the rest.
pub(crate) async fn run(
    args: &ModelArgs,
    json: bool,
    world: &World,
    interrupt: &CancellationToken,
) -> anyhow::Result<u8> {
    let mut notes = Vec::new();
    let mut sections = match chosen(args, world, interrupt, &mut notes).await? {
        Some(section) => vec![section],
        None => everybody(world, &mut notes)?,
    };
    let questions = sections.iter_mut().map(|section| section.answer.as_mut());
    if !ask::all(questions, interrupt).await {
        return Ok(INTERRUPTED);
    }
    let only = args.provider.is_some() || args.base_url.is_some();
    for section in &sections {
        if let Some(Answer::Silent { url, why }) = &section.answer {
            notes.push(format!("{}: no list from {url}: {why}", section.name));
        }
    }
    // Stable: within a rank the order is that of the roster.
    sections.sort_by_key(|section| match (&section.entry, &section.credential) {
        (Some(entry), _) if entry.known.is_none() => 0,
        (_, Some(_)) => 1,
        _ => 2,
    });
    let rows: Vec<Row> = sections
        .iter()
        .flat_map(|section| section.rows(only))
        .collect();
    let shown = print::rows(&rows, json, &mut io::stdout())
        .and_then(|()| print::notes(&rows, json, &notes));
    match shown {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(0),
    }
}

/// The one provider that the flags name.
async fn chosen<'a>(
    args: &'a ModelArgs,
    world: &'a World,
    interrupt: &CancellationToken,
    notes: &mut Vec<String>,
) -> anyhow::Result<Option<Section<'a>>> {
    let roster = Roster::new(&world.loaded.settings.providers);
    let (entry, name) = match (&args.provider, &args.base_url) {
        (None, None) => return Ok(None),
        (None, Some(url)) => (None, nameless(url)),
        (Some(word), url) => {
            anyhow::ensure!(
                word != PUPPET,
                "the puppet has no models: it does what the prompt says"
            );
            let entry = roster.find(word);
            anyhow::ensure!(
                entry.is_some() || url.is_some(),
                "provider {word:?} is not known: `zeug --list-models` shows those that are"
            );
            (
                entry,
                entry.map_or(word.as_str(), |entry| entry.name).to_owned(),
            )
        }
    };
    let spawner = compose::spawner();
    let keyring = keyring(world, &spawner);
    let wanted = wanted(entry.as_ref(), &name);
    let typed = typed_key(args)?;
    let found = key(&keyring, wanted, entry.as_ref(), typed.as_ref(), interrupt).await?;
    let credential = match typed {
        Some(_) => Some(KeySource::Flag),
        None => keyring.source(wanted, &Auth::open(&world.paths)?),
    };
    let keyless = found.is_none();
    let mut connect = description(world, entry.as_ref(), args.base_url.as_deref())?;
    connect.provider.clone_from(&name);
    connect.key = found;
    let home = entry
        .and_then(|entry| entry.known)
        .and_then(|known| known.base_url);
    let url = connect.base_url.clone().or_else(|| home.map(str::to_owned));
    let needs_key = entry.is_some_and(|entry| entry.needs_key()) && args.base_url.is_none();
    let answer = match url {
        Some(url) if !(needs_key && keyless) => {
            Some(Answer::Open(Box::new(Question { connect, url })))
        }
        url => {
            let what = url.map_or("no address", |_| "no key");
            notes.push(format!(
                "{name}: there is {what}, so only the catalogue was looked at"
            ));
            None
        }
    };
    Ok(Some(Section {
        entry,
        name,
        credential,
        answer,
    }))
}

/// Everybody; asked are only those who answer without a key.
fn everybody<'a>(world: &'a World, notes: &mut Vec<String>) -> anyhow::Result<Vec<Section<'a>>> {
    let roster = Roster::new(&world.loaded.settings.providers);
    let spawner = compose::spawner();
    let keyring = keyring(world, &spawner);
    let auth = Auth::open(&world.paths)?;
    let mut sections = Vec::new();
    for entry in roster.all().into_iter().filter(Entry::is_main) {
        let credential = keyring.source(entry.wanted(), &auth);
        let own_url = entry.own_url().map(str::to_owned);
        let of_ollama = entry.known.filter(|known| known.key == OLLAMA);
        let url = own_url.or_else(|| {
            of_ollama
                .and_then(|known| known.base_url)
                .map(str::to_owned)
        });
        let answer = match (url, &credential) {
            (Some(url), None) => {
                let mut connect = description(world, Some(&entry), None)?;
                connect.provider = entry.name.to_owned();
                Some(Answer::Open(Box::new(Question { connect, url })))
            }
            (Some(_), Some(_)) => {
                let name = entry.name;
                notes.push(format!(
                    "{name}: not asked, because that needs its key; --provider {name} asks it"
                ));
                None
            }
            (None, _) => None,
        };
        sections.push(Section {
            name: entry.name.to_owned(),
            entry: Some(entry),
            credential,
            answer,
        });
    }
    Ok(sections)
}

impl Section<'_> {
    /// Its models: what the server says it has, else what the catalogue says. The user's own stand
    /// first, whatever anybody says.
    fn rows(&self, only: bool) -> Vec<Row> {
        let (entry, answer) = (self.entry.as_ref(), self.answer.as_ref());
        let listed = match answer {
            Some(Answer::Models(models)) => Some(models),
            _ => None,
        };
        let mut rows: Vec<Row> = Vec::new();
        for model in entry.map(Entry::models).unwrap_or_default() {
            let own = entry
                .and_then(|entry| entry.own_model(&model.name))
                .is_some();
            // A server on this machine has what was put there, not what there is to be had.
            let local = entry.is_some_and(|entry| entry.own_url().is_none() && !entry.needs_key());
            if own {
                rows.push(self.row(&model, "config"));
            } else if listed.is_none() && (only || !local) {
                rows.push(self.row(&model, "catalogue"));
            }
        }
        for model in listed.into_iter().flatten() {
            if !rows.iter().any(|row| row.model == model.name) {
                rows.push(self.row(model, "server"));
            }
        }
        rows
    }

    fn row(&self, model: &ModelInfo, source: &'static str) -> Row {
        let price = |of: fn(&Price) -> Option<f64>| model.price.as_ref().and_then(of);
        let default = self.entry.as_ref().and_then(Entry::default_model);
        Row {
            provider: self.name.clone(),
            model: model.name.clone(),
            label: model.label.clone(),
            context_window: model.context_window,
            max_output: model.max_output_tokens,
            input_price: price(|price| Some(price.input)),
            output_price: price(|price| Some(price.output)),
            cache_read_price: price(|price| price.cache_read),
            cache_write_price: price(|price| price.cache_write),
            images: model.input.images,
            tools: model.tools,
            reasons: model.reasons,
            efforts: model.efforts.iter().map(|effort| effort.as_str()).collect(),
            deprecated: model.deprecated,
            default: default == Some(model.name.as_str()),
            source,
            credential: self.credential.as_ref().map(ToString::to_string),
            needs_key: self.entry.as_ref().is_some_and(Entry::needs_key),
        }
    }
}
