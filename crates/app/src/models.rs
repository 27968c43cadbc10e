//! Which models there are: asked of the door, which alone knows vendors.

/// The models that an agent may be switched to.
pub trait Models: Send + Sync {
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
