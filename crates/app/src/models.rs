//! Which models there are: asked of the door, which alone knows vendors. And which one answers.

use std::sync::Arc;

use zeug_provider::Effort;

use crate::Agent;

/// The models that an agent may be switched to.
pub trait Models: Send + Sync + std::fmt::Debug {
    /// The models of a provider, in the order in which they are offered. Nothing is sent for it.
    fn of(&self, provider: &str) -> Vec<ModelFacts>;

    /// What a word means among the models of a provider. A name that nobody knows is taken as it
    /// is: models are newer than catalogues.
    ///
    /// # Errors
    /// A sentence that names those among which the word does not choose.
    fn find(&self, provider: &str, word: &str) -> Result<ModelFacts, String>;
}

/// What is known of a model; `None` is what nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelFacts {
    /// Its name at its provider.
    pub name: String,
    /// Its name for people.
    pub label: Option<String>,
    /// How many tokens it holds.
    pub context_window: Option<u64>,
    /// The most tokens of an answer.
    pub max_output_tokens: Option<u64>,
    /// Whether it reasons.
    pub reasons: Option<bool>,
}

impl Agent {
    /// Asks another model of the same provider from the next request on; extensions greeted later
    /// are told.
    pub async fn set_model(&self, model: &ModelFacts) {
        let provider = self.shared.standing.switch(&model.name);
        self.shared
            .ears
            .change(|facts| facts.model.clone_from(&model.name));
        self.note_model(provider.key(), &model.name).await;
        let prompt = Arc::clone(&self.system_prompt);
        self.engine.set_model(provider, &model.name, prompt).await;
        self.engine.set_context_window(model.context_window).await;
    }

    /// The models that may answer, in the order in which they are offered.
    #[must_use]
    pub fn models(&self) -> Vec<ModelFacts> {
        self.models.of(&self.state().provider)
    }

    /// Asks the model that a word means from the next request on; that model.
    ///
    /// # Errors
    /// A sentence that names those among which the word does not choose.
    pub async fn choose_model(&self, word: &str) -> Result<ModelFacts, String> {
        let model = self.models.find(&self.state().provider, word)?;
        self.set_model(&model).await;
        Ok(model)
    }

    /// Has the session take note of which model answers.
    async fn note_model(&self, provider: &str, model: &str) {
        let (provider, model) = (provider.to_owned(), model.to_owned());
        let noted = self
            .shared
            .clerk
            .ask(move |desk| desk.model(&provider, &model));
        // Only lists show it; a disk that fails is told of when something is said.
        if let Err(error) | Ok(Err(error)) = noted.await {
            tracing::warn!("the session does not know its model: {error}");
        }
    }

    /// Says how much the model reasons from the next request on; `None` leaves it to the provider.
    pub async fn set_reasoning(&self, effort: Option<Effort>) {
        self.shared.standing.set_reasoning(effort);
        self.engine.set_reasoning(effort).await;
    }
}
