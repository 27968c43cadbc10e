//! Which wire of the library an endpoint is, and how it is set up.

use rig_core::completion::options::Mapping;
use rig_core::completion::{CompletionRequest, GenerationOptions, LaterSystem, Reasoning};
use rig_core::driver::Model;
use rig_core::error::ProviderError;
use rig_core::operation::Completion;
use rig_core::providers::anthropic::wire::{ANTHROPIC, AnthropicConfig, ToolInputStreaming};
use rig_core::providers::gemini::GeminiConfig;
use rig_core::providers::gemini::completion::GenerateContent;
use rig_core::providers::ollama::{Chat as OllamaChat, OllamaConfig};
use rig_core::providers::openai::responses_api::wire::Responses;
use rig_core::providers::openai::wire::{
    Auth, BodyRewrite, Dialect, OPENAI, OpenAIConfig, Quirks, by_name,
};
use rig_core::streaming::CompletionStream;
use rig_core::wire::{Encoded, Wire, WireFrame};

use super::calls::CallIds;
use super::carrier::{Adjust, Carrier};
use super::seam::Seam;
use super::{Line, effort};
use crate::connect::Endpoint;
use crate::http::Client;
use crate::known::Api;

/// What the library calls a server that nobody described to it.
pub(crate) const COMPATIBLE: &str = "compatible";

/// Lets Claude think between tool calls, on models that have to be asked.
const INTERLEAVED: &str = "interleaved-thinking-2025-05-14";

/// The wire of an endpoint.
pub(crate) fn line(endpoint: &Endpoint, client: Client) -> Box<dyn Line> {
    let seam = Seam::new(client.clone());
    let model = endpoint.model.as_str();
    match endpoint.api {
        Api::Anthropic => {
            let mut wire = anthropic(endpoint).connect(seam).completion(model).wire;
            // The request says how many, always; this keeps the wire from refusing.
            wire.default_max_tokens = wire.default_max_tokens.or(Some(u64::from(u16::MAX)));
            if !endpoint.at_home {
                // Gateways refuse what they do not know in a tool.
                wire.tool_input_streaming = ToolInputStreaming::Off;
            }
            laid(wire, client, Adjust::CacheMarks)
        }
        Api::OpenAiResponses => {
            let spec = effort::spec(endpoint, model);
            let adjust = match spec {
                Some(spec) if !spec.reasoning.supported => Adjust::NoCiphertext,
                _ => Adjust::Nothing,
            };
            laid(Responses::new(openai(endpoint), model), client, adjust)
        }
        Api::OpenAiChat => laid(openai(endpoint).chat(model), client, Adjust::Nothing),
        Api::Gemini => {
            let wire = GenerateContent::new(gemini(endpoint), model);
            laid(wire, client, Adjust::Nothing)
        }
        Api::Ollama => {
            let wire = OllamaChat::new(ollama(endpoint), model);
            laid(wire, client, Adjust::Nothing)
        }
    }
}

pub(super) fn anthropic(endpoint: &Endpoint) -> AnthropicConfig {
    let config = AnthropicConfig::with_key(&ANTHROPIC, endpoint.key.reveal())
        .with_base_url(&endpoint.base_url);
    if endpoint.at_home {
        config.with_beta(INTERLEAVED)
    } else {
        config
    }
}

pub(super) fn gemini(endpoint: &Endpoint) -> GeminiConfig {
    GeminiConfig::new(endpoint.key.reveal()).with_base_url(endpoint.base_url.as_str())
}

pub(super) fn ollama(endpoint: &Endpoint) -> OllamaConfig {
    OllamaConfig::new()
        .with_base_url(&endpoint.base_url)
        .with_api_key(endpoint.key.reveal())
}

pub(super) fn openai(endpoint: &Endpoint) -> OpenAIConfig {
    let mut config = OpenAIConfig::with_key(&dialect(endpoint), endpoint.key.reveal())
        .with_base_url(endpoint.base_url.as_str());
    if endpoint.key.is_empty() {
        config.auth = Auth::OptionalBearer;
    }
    config
}

/// A known provider's own dialect; for all others what servers that imitate OpenAI have in common.
fn dialect(endpoint: &Endpoint) -> Dialect {
    let vendor = endpoint.known.map(|known| known.vendor);
    let openai = vendor == Some(OPENAI.name);
    // Whoever answers at another address in OpenAI's name is somebody else.
    if openai && (endpoint.at_home || endpoint.api == Api::OpenAiResponses) {
        return OPENAI;
    }
    match vendor.filter(|_| !openai).and_then(by_name) {
        Some(dialect) => *dialect,
        None => compatible(),
    }
}

fn compatible() -> Dialect {
    let mut quirks = Quirks::openai().done_without_finish_reason();
    quirks.auth = Auth::OptionalBearer;
    // Text alone goes as a string: the templates of many local models take no lists.
    quirks.rewrite = BodyRewrite::Perplexity;
    Dialect::gateway(COMPATIBLE, "", "").with_quirks(quirks)
}

fn laid<W>(wire: W, client: Client, adjust: Adjust) -> Box<dyn Line>
where
    W: Wire<Op = Completion, Payload = Encoded, Frame = WireFrame>,
{
    let seam = Seam::new(client);
    Box::new(Laid { wire, seam, adjust })
}

struct Laid<W> {
    wire: W,
    seam: Seam,
    adjust: Adjust,
}

impl<W> Line for Laid<W>
where
    W: Wire<Op = Completion, Payload = Encoded, Frame = WireFrame>,
{
    fn api(&self) -> String {
        let target = self.wire.describe().replay;
        target
            .map(|target| target.api().to_string())
            .unwrap_or_default()
    }

    fn vendor(&self) -> String {
        self.wire.describe().name.to_owned()
    }

    fn takes(&self, request: &CompletionRequest, reasoning: Reasoning) -> bool {
        let Some(target) = self.wire.describe().replay else {
            return false;
        };
        let options = GenerationOptions::new().reasoning(reasoning);
        let answer = target.map_options(request, options.fields()).reasoning;
        !matches!(answer, Mapping::Unsupported(_))
    }

    fn hears_late_instructions(&self, model: &str) -> bool {
        let describe = self.wire.describe();
        // Others take them in the grammar, and stumble over them in the template of a model.
        let known = ["openai", "anthropic"].contains(&describe.name);
        let place = describe.replay.map(|target| target.later_system(model));
        known && place == Some(LaterSystem::InPlace)
    }

    fn open(
        &self,
        request: CompletionRequest,
        ids: CallIds,
        hidden: bool,
    ) -> Result<CompletionStream, ProviderError> {
        let carrier = Carrier {
            seam: self.seam.clone(),
            ids,
            adjust: self.adjust,
            hidden,
        };
        Model::new(self.wire.clone(), carrier).stream(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::known_providers;
    use rig_core::providers::registry::ProviderId;

    #[test]
    fn known_providers_are_where_the_library_knows_them_to_be() {
        for known in known_providers() {
            let Some(url) = known.base_url else { continue };
            let library = match known.api {
                Api::Anthropic => ANTHROPIC.base_url.to_owned(),
                Api::Gemini => GeminiConfig::new("").base_url,
                Api::Ollama => OllamaConfig::new().base_url,
                Api::OpenAiChat | Api::OpenAiResponses => match by_name(known.vendor) {
                    Some(dialect) => dialect.base_url.to_owned(),
                    None => continue,
                },
            };
            assert_eq!(url, library, "{}", known.key);
        }
    }

    #[test]
    fn known_providers_are_in_the_catalogue_under_their_vendor() {
        for known in known_providers() {
            let found = ProviderId::catalog(known.vendor).is_some();
            assert_eq!(found, !known.vendor.is_empty(), "{}", known.key);
        }
    }

    #[test]
    fn a_known_provider_has_its_own_dialect_and_an_impostor_has_not() {
        let dialect = |provider: &str, base_url: Option<&str>| {
            let mut connect = crate::Connect::new(provider, "m");
            connect.key = Some(crate::Key::new("k"));
            connect.base_url = base_url.map(str::to_owned);
            dialect(&connect.endpoint().unwrap()).name
        };
        let elsewhere = Some("http://h/v1");
        for (provider, base_url, expect) in [
            ("openai", None, "openai"),
            ("openai", elsewhere, COMPATIBLE),
            ("openai-chat", elsewhere, COMPATIBLE),
            ("openai-responses", elsewhere, "openai"),
            ("deepseek", None, "deepseek"),
            ("deepseek", elsewhere, "deepseek"),
            ("vllm", None, COMPATIBLE),
            ("mine", elsewhere, COMPATIBLE),
        ] {
            assert_eq!(
                dialect(provider, base_url),
                expect,
                "{provider} {base_url:?}"
            );
        }
    }
}
