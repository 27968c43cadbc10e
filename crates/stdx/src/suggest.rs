//! The nearest known word to an unknown one, for messages that say what to write instead.

/// The candidate nearest to `word`, when it is near enough to be what was meant.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1) + 1;
    candidates
        .into_iter()
        .map(|c| (strsim::osa_distance(&word, &c.to_lowercase()), c))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["tool_call", "turn_start", "assistant_message"];
        assert_eq!(nearest("tool-call", known), Some("tool_call"));
        assert_eq!(nearest("Turn_Strat", known), Some("turn_start"));
        assert_eq!(nearest("weather", known), None);
    }
}
