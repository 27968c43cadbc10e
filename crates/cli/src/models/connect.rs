//! The chosen model, connected: one provider's settings, one provider's key, and nobody else's.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;
use zeug_config::{Auth, Keyring, Origin, ProviderSettings, Secret, Setting, Wanted};
use zeug_process::Spawner;
use zeug_provider::Provider;
use zeug_providers::catalog::{ModelInfo, Price};
use zeug_providers::http::{HttpSettings, ProxySettings, Timeouts};
use zeug_providers::{Api, Connect, ConnectError, Key};

use super::PUPPET;
use super::choose::{Chooser, Wish, Word};
use super::roster::{Entry, Roster};
use crate::args::ModelArgs;
use crate::world::World;

/// The variable with the key of a server that has an address and no name.
const NAMELESS: &[&str] = &["ZEUG_API_KEY"];

/// The model of a run.
pub(crate) struct Brain {
    pub(crate) provider: Arc<dyn Provider>,
    /// The model's name at its provider.
    pub(crate) model: String,
    /// How many tokens fit, where that is known.
    pub(crate) context_window: Option<u64>,
    /// What the user should know about the choice.
    pub(crate) remark: Option<String>,
}

impl Brain {
    /// The puppet, without a word about it.
    pub(crate) fn puppet() -> Self {
        Self {
            provider: zeug_providers::puppet(),
            model: PUPPET.to_owned(),
            context_window: None,
            remark: None,
        }
    }
}

/// Chooses and connects. Nothing is sent yet.
pub(crate) async fn connect(
    world: &World,
    args: &ModelArgs,
    spawner: &Spawner,
    cancel: &CancellationToken,
) -> anyhow::Result<Brain> {
    let settings = &world.loaded.settings;
    let roster = Roster::new(&settings.providers);
    let keyring = keyring(world, spawner);
    let auth = OnceCell::new();
    let sources = |entry: &Entry<'_>| {
        let opened = match auth.get() {
            Some(opened) => opened,
            None => {
                let opened = Auth::open(&world.paths)?;
                auth.get_or_init(|| opened)
            }
        };
        Ok(keyring.source(entry.wanted(), opened))
    };
    let flags = Flags::of(args);
    let chooser = Chooser {
        roster,
        sources: &sources,
    };
    let wish = flags.wish(world);
    let choice = chooser.choose(wish)?;
    if choice.provider == PUPPET {
        return Ok(Brain {
            model: choice.model,
            remark: choice.remark,
            ..Brain::puppet()
        });
    }
    let entry = roster.find(&choice.provider);
    let mut connect = description(world, entry.as_ref(), args.base_url.as_deref())?;
    connect.provider.clone_from(&choice.provider);
    connect.model.clone_from(&choice.model);
    if let Some(own) = entry.and_then(|entry| entry.own_model(&choice.model)) {
        connect.context_window = own.context_window;
        connect.max_output_tokens = own.max_output;
        connect.images = own.images;
    }
    let typed = typed_key(args)?;
    let wanted = wanted(entry.as_ref(), &choice.provider);
    connect.key = key(&keyring, wanted, entry.as_ref(), typed.as_ref(), cancel).await?;
    let known = zeug_providers::catalog::model(&choice.provider, &choice.model);
    let context_window = connect
        .context_window
        .or(known.and_then(|info| info.context_window));
    let provider = connected(connect, entry.as_ref(), wish.by_file())?;
    let provider = zeug_providers::priced(provider, prices(entry.as_ref()));
    Ok(Brain {
        provider,
        model: choice.model,
        context_window,
        remark: choice.remark,
    })
}

/// What the models of a provider cost, by their names.
fn prices(entry: Option<&Entry<'_>>) -> HashMap<String, Price> {
    let models = entry.map(Entry::models).unwrap_or_default();
    let price = |model: ModelInfo| Some((model.name, model.price?));
    models.into_iter().filter_map(price).collect()
}

/// The places with keys.
pub(super) fn keyring<'a>(world: &'a World, spawner: &'a Spawner) -> Keyring<'a> {
    Keyring {
        env: &world.env,
        paths: &world.paths,
        settings: &world.loaded.settings,
        spawner,
    }
}

/// What to look for when the key of a provider is wanted, which may be a server without a name.
pub(super) fn wanted<'a>(entry: Option<&Entry<'a>>, name: &'a str) -> Wanted<'a> {
    entry.map(Entry::wanted).unwrap_or(Wanted {
        provider: name,
        login: name,
        variables: NAMELESS,
    })
}

/// `--api-key`, when it can be one.
pub(super) fn typed_key(args: &ModelArgs) -> anyhow::Result<Option<Secret>> {
    let Some(typed) = &args.api_key else {
        return Ok(None);
    };
    let key = Secret::key(typed.reveal());
    let key = key.context("--api-key: a key is one line of text and not empty")?;
    Ok(Some(key))
}

/// The key of one provider.
pub(super) async fn key(
    keyring: &Keyring<'_>,
    wanted: Wanted<'_>,
    entry: Option<&Entry<'_>>,
    typed: Option<&Secret>,
    cancel: &CancellationToken,
) -> anyhow::Result<Option<Key>> {
    if let Some(found) = keyring.find(wanted, typed, cancel).await? {
        return Ok(Some(Key::new(found.secret.reveal())));
    }
    let own = entry.and_then(Entry::settings).map(|own| &own.api_key_env);
    if let Some(Setting {
        value: Some(variable),
        origin,
    }) = own
    {
        let (table, login) = (wanted.provider, wanted.login);
        anyhow::bail!(
            "{origin}: providers.{table}.api_key_env names {variable}, which is not set: set it, \
             use --api-key, or run `zeug login {login}`"
        );
    }
    Ok(None)
}

/// How to reach a provider, as the user describes it. `typed_url` is `--base-url`.
pub(super) fn description(
    world: &World,
    entry: Option<&Entry<'_>>,
    typed_url: Option<&str>,
) -> anyhow::Result<Connect> {
    let mut connect = Connect {
        base_url: typed_url.map(str::to_owned),
        http: HttpSettings {
            proxy: ProxySettings::of(|name| world.env.text(name)),
            ..HttpSettings::default()
        },
        ..Connect::default()
    };
    let Some((table, own)) = entry.and_then(|entry| entry.own) else {
        return Ok(connect);
    };
    connect.api = api(table, own)?;
    connect.base_url = connect.base_url.or_else(|| own.base_url.value.clone());
    let headers = own.headers.iter();
    let headers = headers.map(|(name, value)| (name.clone(), value.reveal().to_owned()));
    connect.headers = headers.collect();
    let usual = Timeouts::default();
    connect.http.timeouts = Timeouts {
        connect: own.timeouts.connect.unwrap_or(usual.connect),
        first_byte: own.timeouts.first_byte.unwrap_or(usual.first_byte),
        idle: own.timeouts.idle.unwrap_or(usual.idle),
    };
    Ok(connect)
}

fn api(table: &str, own: &ProviderSettings) -> anyhow::Result<Option<Api>> {
    let Some(word) = &own.api.value else {
        return Ok(None);
    };
    let api = Api::parse(word).with_context(|| {
        let words = Api::ALL.map(|api| format!("{:?}", api.as_str()));
        let origin = &own.api.origin;
        format!(
            "{origin}: providers.{table}.api must be {}, not {word:?}",
            words.join(" or ")
        )
    })?;
    Ok(Some(api))
}

/// Connects; what is wrong names the file that it comes from. `by` is the one that chose.
fn connected(
    connect: Connect,
    entry: Option<&Entry<'_>>,
    by: Option<&Origin>,
) -> anyhow::Result<Arc<dyn Provider>> {
    let own = entry.and_then(Entry::settings);
    let typed_url = own.is_none_or(|own| connect.base_url != own.base_url.value);
    zeug_providers::connect(connect).map_err(|error| {
        let place = match (&error, own) {
            (ConnectError::BadBaseUrl { .. }, Some(own)) if !typed_url => {
                Some(&own.base_url.origin)
            }
            (ConnectError::BadHeader { .. }, Some(own)) => Some(&own.origin),
            (ConnectError::BadBaseUrl { .. }, _) => None,
            _ => by,
        };
        match place {
            Some(place) => anyhow::Error::new(error).context(place.to_string()),
            None => error.into(),
        }
    })
}

/// The flags, as words with an origin.
struct Flags<'a> {
    args: &'a ModelArgs,
    provider: Origin,
    model: Origin,
}

impl<'a> Flags<'a> {
    fn of(args: &'a ModelArgs) -> Self {
        Self {
            args,
            provider: Origin::Flag("--provider"),
            model: Origin::Flag("--model"),
        }
    }

    fn wish(&'a self, world: &'a World) -> Wish<'a> {
        let user = world.paths.config();
        let configured = |setting: &'a Setting<Option<String>>| {
            let of_user = matches!(&setting.origin, Origin::File { file, .. } if *file == user);
            Some(Word {
                text: setting.value.as_deref()?,
                origin: &setting.origin,
                rank: if of_user { 0 } else { 1 },
            })
        };
        let typed = |text: &'a Option<String>, origin: &'a Origin| {
            let rank = 2;
            text.as_deref().map(|text| Word { text, origin, rank })
        };
        let provider = configured(&world.loaded.settings.provider);
        let model = configured(&world.loaded.settings.model);
        Wish {
            provider: typed(&self.args.provider, &self.provider).or(provider),
            model: typed(&self.args.model, &self.model).or(model),
            configured: provider,
            url: self.args.base_url.as_deref(),
            key: self.args.api_key.is_some(),
        }
    }
}
