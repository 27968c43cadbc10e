//! `[providers.NAME]`, from the user's own file.

use std::ops::Range;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::{Reader, Value, ms};
use crate::providers::TIMEOUT_KEYS;
use crate::{ConfigError, OwnModel, ProviderSettings, Secret};

const PROVIDER: [&str; 7] = [
    "api",
    "base_url",
    "headers",
    "api_key_env",
    "api_key_command",
    "models",
    "timeouts",
];
const MODEL: [&str; 8] = [
    "name",
    "context_window",
    "max_output",
    "images",
    "input_price",
    "output_price",
    "cache_read_price",
    "cache_write_price",
];

/// More tokens than any model holds, so that sums of them stay far from overflow.
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// How a variable's name looks; anything else could not be taken out of a child's environment.
fn is_variable(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Names stand before a slash in `provider/model`, and in front of texts for a terminal.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c == '/' || c.is_whitespace() || c.is_control())
}

impl Reader<'_> {
    pub(super) fn providers(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("providers.{name}");
            let inner = self.table(&full, value)?;
            if !is_name(name) {
                let message = format!(
                    "{full:?} is ignored: a provider's name has no slash, white space or control \
                     character"
                );
                self.warn(key.span(), message);
                continue;
            }
            let mut provider = ProviderSettings {
                origin: self.origin(key.span()),
                ..ProviderSettings::default()
            };
            for (key, value) in inner {
                let inner = key.get_ref().as_ref();
                self.provider_key(&mut provider, name, inner, key.span(), value)?;
            }
            let all = &mut self.loaded.settings.providers;
            all.insert(name.to_owned(), provider);
        }
        Ok(())
    }

    fn provider_key(
        &mut self,
        provider: &mut ProviderSettings,
        name: &str,
        key: &str,
        span: Range<usize>,
        value: &Value<'_>,
    ) -> Result<(), ConfigError> {
        let full = format!("providers.{name}.{key}");
        let origin = self.origin(span.clone());
        match key {
            "api" => provider.api.set(Some(self.text(&full, value)?), origin),
            "base_url" => {
                let url = self.text(&full, value)?;
                provider.base_url.set(Some(url), origin);
            }
            "headers" => {
                for (header, value) in self.table(&full, value)? {
                    let header = header.get_ref().as_ref();
                    let text = self.hidden(&format!("{full}.{header}"), value)?;
                    provider.headers.push((header.to_owned(), text));
                }
            }
            "api_key_env" => {
                let variable = self.text(&full, value)?;
                if !is_variable(&variable) {
                    // Whoever puts the key itself here must not find it on the screen.
                    return Err(self.unfit(&full, value, "the name of an environment variable"));
                }
                provider.api_key_env.set(Some(variable), origin);
            }
            "api_key_command" => {
                let command = self.command(&full, value)?;
                provider.api_key_command.set(Some(command), origin);
            }
            "models" => provider.models = self.models(&full, value)?,
            "timeouts" => self.timeouts(provider, &full, self.table(&full, value)?)?,
            "api_key" => {
                let message = format!(
                    "{full} is ignored: keys are not kept in config.toml; run `zeug login {name}` \
                     and remove it here"
                );
                self.warn(span, message);
            }
            _ => self.unknown(span, key, &format!("providers.{name}."), PROVIDER),
        }
        Ok(())
    }

    /// A program and its arguments.
    fn command(&self, key: &str, value: &Value<'_>) -> Result<Vec<String>, ConfigError> {
        let expected = "a program and its arguments such as [\"pass\", \"show\", \"anthropic\"]";
        let wrong = |value| self.unfit(key, value, expected);
        let items = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
        let command: Vec<String> = items
            .iter()
            .map(|item| {
                item.get_ref()
                    .as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| wrong(item))
            })
            .collect::<Result<_, _>>()?;
        match command.first() {
            Some(program) if !program.trim().is_empty() => Ok(command),
            _ => Err(wrong(value)),
        }
    }

    fn models(&mut self, key: &str, value: &Value<'_>) -> Result<Vec<OwnModel>, ConfigError> {
        let expected = "a list of models such as [{ name = \"qwen3\", context_window = 32768 }]";
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, expected));
        };
        let mut models: Vec<OwnModel> = Vec::new();
        for item in items {
            let model = match item.get_ref() {
                DeValue::String(_) => OwnModel {
                    name: self.text(key, item)?,
                    ..OwnModel::default()
                },
                DeValue::Table(table) => self.model(key, table)?,
                _ => return Err(self.wrong(key, item, expected)),
            };
            if model.name.is_empty() {
                return Err(self.wrong(key, item, "a list of models that all have a name"));
            }
            models.push(model);
        }
        Ok(models)
    }

    fn model(&mut self, list: &str, table: &DeTable<'_>) -> Result<OwnModel, ConfigError> {
        let mut model = OwnModel::default();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("{list}.{name}");
            match name {
                "name" => model.name = self.text(&full, value)?,
                "context_window" => {
                    model.context_window = Some(self.integer(&full, value, 1..=MOST_TOKENS)?);
                }
                "max_output" => {
                    model.max_output = Some(self.integer(&full, value, 1..=MOST_TOKENS)?);
                }
                "images" => {
                    let yes = value.get_ref().as_bool();
                    let wrong = || self.wrong(&full, value, "true or false");
                    model.images = Some(yes.ok_or_else(wrong)?);
                }
                "input_price" => model.input_price = Some(self.price(&full, value)?),
                "output_price" => model.output_price = Some(self.price(&full, value)?),
                "cache_read_price" => model.cache_read_price = Some(self.price(&full, value)?),
                "cache_write_price" => model.cache_write_price = Some(self.price(&full, value)?),
                _ => self.unknown(key.span(), name, &format!("{list}."), MODEL),
            }
        }
        Ok(model)
    }

    fn price(&self, key: &str, value: &Value<'_>) -> Result<f64, ConfigError> {
        let number = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        number
            .filter(|price: &f64| price.is_finite() && *price >= 0.0)
            .ok_or_else(|| self.wrong(key, value, "a price in US dollars for a million tokens"))
    }

    fn timeouts(
        &mut self,
        provider: &mut ProviderSettings,
        table: &str,
        values: &DeTable<'_>,
    ) -> Result<(), ConfigError> {
        for (key, value) in values {
            let name = key.get_ref().as_ref();
            let Some(timeout) = TIMEOUT_KEYS.iter().find(|timeout| timeout.name == name) else {
                let known = TIMEOUT_KEYS.iter().map(|timeout| timeout.name);
                self.unknown(key.span(), name, &format!("{table}."), known);
                continue;
            };
            let bounds = ms(timeout.min)..=ms(timeout.max);
            let value = self.integer(&format!("{table}.{name}"), value, bounds)?;
            *(timeout.field)(&mut provider.timeouts) = Some(Duration::from_millis(value));
        }
        Ok(())
    }

    /// A text that may be a key.
    fn hidden(&self, key: &str, value: &Value<'_>) -> Result<Secret, ConfigError> {
        match value.get_ref().as_str() {
            Some(text) => Ok(Secret::new(text)),
            None => Err(self.unfit(key, value, "a text in quotes")),
        }
    }

    /// As [`Reader::wrong`], without the value, which may be a key.
    fn unfit(&self, key: &str, value: &Value<'_>, expected: &str) -> ConfigError {
        ConfigError::Value {
            file: self.source.file.to_owned(),
            line: self.source.line(value.span()),
            key: key.to_owned(),
            expected: expected.to_owned(),
            found: "what stands there".to_owned(),
        }
    }
}
