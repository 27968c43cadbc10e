//! From what was typed and configured to one provider and one model; asks nobody, reads nothing.
//!
//! # Order
//! Flags before the project's file before the user's. A provider that was named is a frame: names
//! of models are looked for in it. `provider/name` names both.

mod error;
mod guess;

use zeug_config::{ConfigError, KeySource, Origin};
use zeug_providers::catalog::ModelInfo;
use zeug_stdx::suggest::nearest;

use self::error::offered;
use self::guess::{Guess, guess};
use super::PUPPET;
use super::roster::{Entry, Roster};

pub(super) use self::error::ChoiceError;

/// A word and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) origin: &'a Origin,
    /// 0 the user's file, 1 the project's, 2 a flag.
    pub(super) rank: u8,
}

/// What the user wants, as far as it was said.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wish<'a> {
    pub(super) provider: Option<Word<'a>>,
    pub(super) model: Option<Word<'a>>,
    /// `provider` of the files, also when a flag hides it.
    pub(super) configured: Option<Word<'a>>,
    /// `--base-url`.
    pub(super) url: Option<&'a str>,
    /// Whether there is an `--api-key`.
    pub(super) key: bool,
}

impl<'a> Wish<'a> {
    /// The file that decides, if no flag does: who reads an error may never have looked into it.
    pub(super) fn by_file(&self) -> Option<&'a Origin> {
        let words = [self.provider, self.model].into_iter().flatten();
        let best = words.max_by_key(|word| word.rank)?;
        matches!(best.origin, Origin::File { .. }).then_some(best.origin)
    }
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// A provider's key, [`PUPPET`], or the address of a server without a name.
    pub(super) provider: String,
    pub(super) model: String,
    /// What the user should know about how it came to that.
    pub(super) remark: Option<String>,
}

/// Tells where a provider's key would come from.
pub(super) type Sources<'a> = dyn Fn(&Entry<'_>) -> Result<Option<KeySource>, ConfigError> + 'a;

/// Decides.
pub(super) struct Chooser<'a> {
    pub(super) roster: Roster<'a>,
    pub(super) sources: &'a Sources<'a>,
}

impl<'a> Chooser<'a> {
    pub(super) fn choose(&self, wish: Wish<'_>) -> Result<Choice, ChoiceError> {
        if let Some(url) = wish.url {
            return self.at(url, wish);
        }
        match (wish.provider, wish.model) {
            (Some(provider), Some(model)) if model.rank <= provider.rank => {
                let model = self.belongs(model, provider, wish).then_some(model);
                self.framed(provider, model)
            }
            (provider, Some(model)) => match self.split(model.text) {
                Some((provider, name)) => {
                    let [provider, name] = [provider, name].map(|text| Word { text, ..model });
                    self.framed(provider, Some(name))
                }
                None => self.search(model, provider, wish.key),
            },
            (Some(provider), None) => self.framed(provider, None),
            (None, None) if wish.key => Err(ChoiceError::WhoseKey),
            (None, None) => self.unasked(),
        }
    }

    /// A server at an address that was typed. The name of its model is taken as it is: its part
    /// before a slash is usually whoever made the model, and must not bring a provider's key here.
    fn at(&self, url: &str, wish: Wish<'_>) -> Result<Choice, ChoiceError> {
        let typed = |word: &Word<'_>| matches!(word.origin, Origin::Flag(_));
        let model = wish.model.filter(typed);
        let Some(provider) = wish.provider.filter(typed) else {
            let model = model.ok_or_else(|| ChoiceError::NoModelThere {
                url: without_user(url),
            })?;
            return Ok(choice(&nameless(url), model.text));
        };
        if provider.text == PUPPET {
            return self.framed(provider, model);
        }
        match (self.roster.find(provider.text), model) {
            (Some(_), None) => self.framed(provider, None),
            (Some(entry), Some(model)) => Ok(choice(entry.name, model.text)),
            // Any word may name a server whose address is known.
            (None, Some(model)) => Ok(choice(provider.text, model.text)),
            (None, None) => Err(ChoiceError::NoModelThere {
                url: without_user(url),
            }),
        }
    }

    /// Whether the name of a model is meant for a provider that was named in a better place.
    fn belongs(&self, model: Word<'_>, provider: Word<'_>, wish: Wish<'_>) -> bool {
        let same = |word: &str| match (self.roster.find(word), self.roster.find(provider.text)) {
            (Some(a), Some(b)) => a.name == b.name,
            _ => word == provider.text,
        };
        if model.rank >= provider.rank {
            return true;
        }
        match self.split(model.text) {
            Some((prefix, _)) if same(prefix) => true,
            _ => wish
                .configured
                .is_some_and(|own| model.rank >= own.rank && same(own.text)),
        }
    }

    /// `provider/name`, when such a provider is there.
    fn split<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (provider, name) = text.split_once('/')?;
        let known = provider == PUPPET || self.roster.find(provider).is_some();
        (known && !name.is_empty()).then_some((provider, name))
    }

    fn entry(&self, provider: Word<'_>) -> Result<Entry<'a>, ChoiceError> {
        self.roster.find(provider.text).ok_or_else(|| {
            let all = self.roster.all();
            let names = all.iter().map(|entry| entry.name).chain([PUPPET]);
            ChoiceError::UnknownProvider {
                from: provider.origin.to_string(),
                name: provider.text.to_owned(),
                nearest: nearest(provider.text, names).map(str::to_owned),
            }
        })
    }

    /// A model of a provider that was named.
    fn framed(&self, provider: Word<'_>, model: Option<Word<'_>>) -> Result<Choice, ChoiceError> {
        if provider.text == PUPPET {
            return Ok(choice(PUPPET, model.map_or(PUPPET, |model| model.text)));
        }
        let entry = self.entry(provider)?;
        let Some(model) = model else {
            let name = entry.default_model().ok_or_else(|| ChoiceError::NoModel {
                provider: entry.name.to_owned(),
            })?;
            return Ok(choice(entry.name, name));
        };
        let among = entry.models();
        let name = match self.own_prefix(&entry, model.text) {
            Some(rest) if !has(&among, model.text) => rest,
            _ => model.text,
        };
        match guess(name, &among) {
            Guess::One(found) => Ok(taken(name, &found)),
            Guess::Many(found) => Err(ambiguous(model, &found)),
            Guess::Vague(nearest) => {
                let mut choice = choice(entry.name, name);
                if entry.own_url().is_none() && !among.is_empty() {
                    let full = format!("{}/{name}", entry.name);
                    let offered = offered(&full_names(&nearest));
                    let remark = format!(
                        "{full} is not in the catalogue and is asked for as it is{offered}"
                    );
                    choice.remark = Some(remark);
                }
                Ok(choice)
            }
        }
    }

    /// The rest of a name that begins with its own provider.
    fn own_prefix<'t>(&self, entry: &Entry<'_>, text: &'t str) -> Option<&'t str> {
        let (prefix, rest) = self.split(text)?;
        let same = self
            .roster
            .find(prefix)
            .is_some_and(|it| it.name == entry.name);
        same.then_some(rest)
    }

    /// A model that was named without its provider: at the configured one, at those with a key,
    /// anywhere.
    fn search(
        &self,
        model: Word<'_>,
        configured: Option<Word<'_>>,
        any_key: bool,
    ) -> Result<Choice, ChoiceError> {
        if let Some(provider) = configured.filter(|word| word.text != PUPPET) {
            match guess(model.text, &self.entry(provider)?.models()) {
                Guess::One(found) => return Ok(taken(model.text, &found)),
                Guess::Many(found) => return Err(ambiguous(model, &found)),
                Guess::Vague(_) => {}
            }
        }
        let mut reachable = Vec::new();
        let mut rest = Vec::new();
        for entry in self.roster.all().iter().filter(|entry| entry.is_main()) {
            let open = any_key || entry.own_url().is_some() || (self.sources)(entry)?.is_some();
            match open {
                true => reachable.extend(entry.models()),
                false => rest.extend(entry.models()),
            }
        }
        let mut resembling = Vec::new();
        for among in [reachable, rest] {
            match guess(model.text, &among) {
                Guess::One(found) => return Ok(taken(model.text, &found)),
                Guess::Many(found) => return Err(ambiguous(model, &found)),
                Guess::Vague(nearest) => resembling.extend(full_names(&nearest)),
            }
        }
        if let Some(provider) = configured.filter(|word| word.text != PUPPET) {
            // Newer than the catalogue, then.
            return self.framed(provider, Some(model));
        }
        Err(ChoiceError::UnknownModel {
            from: model.origin.to_string(),
            word: model.text.to_owned(),
            among: resembling,
        })
    }

    /// Nobody said anything: the only provider with a key, else the puppet.
    fn unasked(&self) -> Result<Choice, ChoiceError> {
        let mut ready = Vec::new();
        let mut without_model = Vec::new();
        for entry in self.roster.all().into_iter().filter(Entry::is_main) {
            let Some(source) = (self.sources)(&entry)? else {
                continue;
            };
            match entry.default_model() {
                Some(model) => ready.push((entry, model, source)),
                None => without_model.push(format!("{} ({source})", entry.name)),
            }
        }
        if let [(entry, model, source)] = ready.as_slice() {
            let remark = format!(
                "{0}/{model} answers, because the only key found is that of {0} ({source}); \
                 --model PROVIDER/NAME chooses another, `zeug --list-models` shows them",
                entry.name
            );
            let remark = Some(remark);
            return Ok(Choice {
                remark,
                ..choice(entry.name, model)
            });
        }
        let found = ready
            .iter()
            .map(|(entry, _, source)| format!("{} ({source})", entry.name));
        let found: Vec<String> = found.chain(without_model).collect();
        let remark = if found.is_empty() {
            "no model is connected: the offline puppet answers and does what the prompt says; \
             connect one with `zeug login PROVIDER`, a variable such as ANTHROPIC_API_KEY, or \
             --base-url URL --model NAME"
                .to_owned()
        } else {
            format!(
                "the offline puppet answers, because no model is chosen and there are keys for {}: \
                 choose with --model PROVIDER/NAME, or with model = \"PROVIDER/NAME\" in config.toml",
                found.join(", ")
            )
        };
        let remark = Some(remark);
        Ok(Choice {
            remark,
            ..choice(PUPPET, PUPPET)
        })
    }
}

fn choice(provider: &str, model: &str) -> Choice {
    Choice {
        provider: provider.to_owned(),
        model: model.to_owned(),
        remark: None,
    }
}

/// A model that was found, with a remark when it goes by another name.
fn taken(word: &str, found: &ModelInfo) -> Choice {
    let full = found.full_name();
    let remark =
        (found.name != word && full != word).then(|| format!("{word:?} is taken for {full}"));
    Choice {
        remark,
        ..choice(&found.provider, &found.name)
    }
}

fn ambiguous(word: Word<'_>, among: &[ModelInfo]) -> ChoiceError {
    ChoiceError::Ambiguous {
        from: word.origin.to_string(),
        word: word.text.to_owned(),
        among: full_names(among),
    }
}

fn full_names(models: &[ModelInfo]) -> Vec<String> {
    models.iter().map(ModelInfo::full_name).collect()
}

fn has(among: &[ModelInfo], name: &str) -> bool {
    among
        .iter()
        .any(|model| model.name.eq_ignore_ascii_case(name))
}

/// What a server is called that has only an address. The space keeps it apart from everything that
/// is the name of a provider, and so from every provider's key.
pub(super) fn nameless(url: &str) -> String {
    format!("server {}", host(url))
}

/// `host:port` of an address.
fn host(url: &str) -> String {
    let url = without_user(url);
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest[..end].to_owned()
}

/// An address without the name and password that may stand in it.
pub(super) fn without_user(url: &str) -> String {
    let (scheme, rest) = url.split_at(url.find("://").map_or(0, |at| at + 3));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    format!("{scheme}{host}{path}")
}

#[cfg(test)]
mod tests;
