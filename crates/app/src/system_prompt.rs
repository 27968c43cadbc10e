//! The system prompt, assembled from its parts in a fixed order.
//!
//! Knows what stands in it, not where the parts were found.

/// The parts.
#[derive(Debug, Clone, Default)]
pub struct SystemPrompt {
    /// Who the agent is; the built-in identity when absent.
    pub identity: Option<String>,
    /// The project directory.
    pub cwd: String,
    /// Context files as (where it was found, text), the most general first.
    pub context_files: Vec<(String, String)>,
    /// What the user appends in this run.
    pub appended: Vec<String>,
}

const IDENTITY: &str = "You are zeug, a coding agent in a terminal. You work on the user's \
project with the tools you are given. Look before you change, change as little as the task needs, \
and say plainly what you did, what you saw and what is left. When a tool call is refused, respect \
the refusal and tell the user about it.";

impl SystemPrompt {
    /// The whole text.
    #[must_use]
    pub fn assemble(&self) -> String {
        let mut text = self
            .identity
            .as_deref()
            .unwrap_or(IDENTITY)
            .trim()
            .to_owned();
        if !self.cwd.is_empty() {
            text.push_str(&format!("\n\nWorking directory: {}", self.cwd));
        }
        for (place, context) in &self.context_files {
            text.push_str(&format!("\n\n# From {place}\n\n{}", context.trim()));
        }
        for more in &self.appended {
            text.push_str(&format!("\n\n{}", more.trim()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_order() {
        let prompt = SystemPrompt {
            identity: Some("Be kind.\n".into()),
            cwd: "/p".into(),
            context_files: vec![("/p/AGENTS.md".into(), "Use tabs.".into())],
            appended: vec!["Today is Monday.".into()],
        };
        assert_eq!(
            prompt.assemble(),
            "Be kind.\n\nWorking directory: /p\n\n# From /p/AGENTS.md\n\nUse tabs.\n\nToday is Monday."
        );
        assert!(
            SystemPrompt::default()
                .assemble()
                .starts_with("You are zeug")
        );
    }
}
