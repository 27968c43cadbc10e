//! A question of zeug itself, in the place of the editor. Pure.

use crate::layer::Stance;
use crate::outside::Stranger;

/// A question.
#[derive(Debug)]
pub(crate) struct Ask {
    /// What is asked.
    pub(crate) head: String,
    /// What it is about.
    pub(crate) body: String,
    /// What can be answered, in order; the last one is no.
    pub(crate) answers: &'static [&'static str],
    /// Who waits for the answer.
    pub(crate) strangers: Vec<Stranger>,
    /// How it stands.
    pub(crate) stance: Stance,
}

impl Ask {
    /// Whether these extensions of the project may start.
    pub(crate) fn trust(strangers: Vec<Stranger>, stance: Stance) -> Self {
        let head = match strangers.as_slice() {
            [_] => "This project brings an extension. Do you trust it?".to_owned(),
            many => format!(
                "This project brings {} extensions. Do you trust them?",
                many.len()
            ),
        };
        let mut body = String::new();
        for stranger in &strangers {
            body.push_str(&stranger.name);
            body.push('\n');
            for line in &stranger.asks {
                body.push_str("  ");
                body.push_str(line);
                body.push('\n');
            }
        }
        Self {
            head,
            body,
            answers: &["Yes, start it, until its content changes", "No, not now"],
            strangers,
            stance,
        }
    }
}
