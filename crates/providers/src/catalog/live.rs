//! The models that a server itself says it has.

use std::sync::Arc;

use zeug_provider::{Failure, FailureKind};

use super::{ModelInfo, model};
use crate::connect::{Connect, Endpoint};
use crate::wires::{Blame, Listed, list};

/// Asks a server for its models. What the catalogue knows about them is filled in.
///
/// # Errors
/// When the description lacks something, or the server does not answer.
pub async fn live_models(connect: Connect) -> Result<Vec<ModelInfo>, Failure> {
    let endpoint = connect.endpoint().map_err(|error| Failure {
        kind: FailureKind::BadRequest,
        provider: connect.provider.clone(),
        model: connect.model.clone(),
        status: None,
        message: error.to_string(),
        retry_after: None,
        advice: None,
    })?;
    let client = connect.client(&endpoint);
    let mask = client.mask().clone();
    let endpoint = Arc::new(endpoint);
    let listed = list(&endpoint, client).await.map_err(|error| {
        Blame::new(Arc::clone(&endpoint), endpoint.model.clone(), mask).failure(&error)
    })?;
    let models = listed.into_iter().map(|listed| known(&endpoint, listed));
    Ok(models.collect())
}

fn known(endpoint: &Endpoint, listed: Listed) -> ModelInfo {
    // At another address the same name may stand for something else.
    let catalogued = model(&endpoint.provider, &listed.name).filter(|_| endpoint.at_home);
    let mut info = catalogued
        .cloned()
        .unwrap_or_else(|| ModelInfo::new(endpoint.provider.as_str(), ""));
    info.provider.clone_from(&endpoint.provider);
    info.name = listed.name;
    info.label = info.label.or(listed.label);
    info.context_window = info.context_window.or(listed.context_window);
    info.max_output_tokens = info.max_output_tokens.or(listed.max_output_tokens);
    info
}
