//! What was sent before: up and down, and a search backwards. Pure; kept while the face lives.

/// The most texts that are kept.
const MAX_TEXTS: usize = 1000;
/// Longer texts are not kept.
const MAX_BYTES: usize = 64 * 1024;

/// What was sent before.
#[derive(Debug, Default)]
pub(crate) struct History {
    texts: Vec<String>,
    /// The one that is shown.
    at: Option<usize>,
    /// What was being written before one was shown.
    draft: String,
}

impl History {
    /// What was sent before this run, the oldest first, comes before what was sent since.
    pub(crate) fn begin_with(&mut self, mut texts: Vec<String>) {
        texts.append(&mut self.texts);
        let over = texts.len().saturating_sub(MAX_TEXTS);
        texts.drain(..over);
        self.at = None;
        self.texts = texts;
    }

    /// Keeps a text; the same twice in a row counts once. Whether it is new.
    pub(crate) fn push(&mut self, text: &str) -> bool {
        self.at = None;
        let text = text.trim_end();
        if text.trim().is_empty()
            || text.len() > MAX_BYTES
            || self.texts.last().is_some_and(|last| last == text)
        {
            return false;
        }
        if self.texts.len() >= MAX_TEXTS {
            self.texts.remove(0);
        }
        self.texts.push(text.to_owned());
        true
    }

    /// The text before the one that is shown; `draft` is what stands in the editor.
    pub(crate) fn older(&mut self, draft: &str) -> Option<&str> {
        let at = match self.at {
            None => {
                draft.clone_into(&mut self.draft);
                self.texts.len().checked_sub(1)?
            }
            Some(at) => at.checked_sub(1)?,
        };
        self.at = Some(at);
        self.texts.get(at).map(String::as_str)
    }

    /// The text behind the one that is shown, at last the draft.
    pub(crate) fn newer(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        if at < self.texts.len() {
            self.at = Some(at);
            return self.texts.get(at).map(String::as_str);
        }
        self.at = None;
        Some(&self.draft)
    }

    /// Whether an older text is shown.
    pub(crate) fn is_browsing(&self) -> bool {
        self.at.is_some()
    }

    /// What is written now is a draft of its own.
    pub(crate) fn leave(&mut self) {
        self.at = None;
    }

    /// All texts, the latest first, each once.
    pub(crate) fn latest_first(&self) -> Vec<&str> {
        let mut seen = std::collections::HashSet::new();
        let texts = self.texts.iter().rev().map(String::as_str);
        texts.filter(|text| seen.insert(*text)).collect()
    }
}
