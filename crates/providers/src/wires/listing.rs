//! What a server itself says it offers.

use rig_core::error::ProviderError;

use super::build;
use super::seam::Seam;
use crate::connect::Endpoint;
use crate::http::Client;
use crate::known::Api;

/// A model as its server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) label: Option<String>,
    pub(crate) context_window: Option<u64>,
    pub(crate) max_output_tokens: Option<u64>,
}

/// Asks the server.
pub(crate) async fn list(
    endpoint: &Endpoint,
    client: Client,
) -> Result<Vec<Listed>, ProviderError> {
    let seam = Seam::new(client);
    let models = match endpoint.api {
        Api::Anthropic => {
            build::anthropic(endpoint)
                .connect(seam)
                .list_models()
                .await?
        }
        Api::OpenAiResponses | Api::OpenAiChat => {
            build::openai(endpoint).connect(seam).list_models().await?
        }
        Api::Gemini => build::gemini(endpoint).connect(seam).list_models().await?,
        Api::Ollama => build::ollama(endpoint).connect(seam).list_models().await?,
    };
    let listed = models.into_iter().map(|model| Listed {
        // Google's names are paths.
        name: model
            .id
            .strip_prefix("models/")
            .unwrap_or(&model.id)
            .to_owned(),
        label: model.name,
        context_window: model.context_length.map(u64::from),
        max_output_tokens: model.max_output_tokens.map(u64::from),
    });
    Ok(listed.collect())
}
