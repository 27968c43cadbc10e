//! What sorts of sub-agents there are. Values only; where they are found is in `load`.

use zeug_stdx::{suggest, text};

use super::front_matter;

/// The most bytes of a description in the list that the model sees.
const DESCRIPTION_BYTES: usize = 500;

/// A sort of sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// What the model calls it by.
    pub name: String,
    /// What it is for, for the model.
    pub description: String,
    /// The tools it may use, `*` for any run of characters; `None` allows all. Case does not
    /// matter, since people write names as they know them from elsewhere.
    pub tools: Option<Vec<String>>,
    /// Another model at the same provider.
    pub model: Option<String>,
    /// Who it is, for itself: the beginning of its system prompt. Empty is the plain sub-agent.
    pub prompt: String,
}

impl Profile {
    /// Reads a profile; `stem` is its name unless it says another.
    ///
    /// # Errors
    /// A sentence that says what is missing.
    pub fn parse(stem: &str, text: &str) -> Result<Self, String> {
        let document = front_matter::parse(text);
        if document.fields.is_none() {
            return Err(
                "it is no profile: it must begin with a line ---, lines such as \
                 \"description: Reviews a change\", and a line ---"
                    .to_owned(),
            );
        }
        let prompt = document.body.trim().to_owned();
        let first_line = || {
            let mut lines = prompt.lines().map(|l| l.trim_start_matches('#').trim());
            lines.find(|line| !line.is_empty()).map(str::to_owned)
        };
        let description = document
            .text("description")
            .or_else(first_line)
            .ok_or("it says nothing: add a description and a text below it")?;
        let name = document.text("name").unwrap_or_else(|| stem.to_owned());
        // Written by those who know it from elsewhere; it is what no model says, too.
        let model = document.text("model").filter(|model| model != "inherit");
        Ok(Self {
            name: text::one_line(name.trim(), 64),
            description: text::one_line(&description, DESCRIPTION_BYTES),
            tools: document.list("tools"),
            model,
            prompt,
        })
    }

    /// Whether it may use this tool.
    #[must_use]
    pub fn allows(&self, tool: &str) -> bool {
        let Some(tools) = &self.tools else {
            return true;
        };
        let wanted: Vec<String> = tools.iter().map(|name| name.to_lowercase()).collect();
        // No pattern at all would match everything.
        !wanted.is_empty() && zeug_hook::Matcher::any_of(wanted).matches(&tool.to_lowercase())
    }
}

/// The sorts of sub-agents, in order; the first of a name has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profiles(Vec<Profile>);

impl Profiles {
    /// Of these; of two of one name the first counts. Case does not tell names apart.
    #[must_use]
    pub fn new(all: impl IntoIterator<Item = Profile>) -> Self {
        let mut profiles = Self::default();
        for profile in all {
            profiles.add(profile);
        }
        profiles
    }

    /// Adds one; false when its name is taken.
    pub(super) fn add(&mut self, profile: Profile) -> bool {
        let free = self.find(&profile.name).is_none();
        if free {
            self.0.push(profile);
        }
        free
    }

    /// The profile of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Profile> {
        let name = name.trim().to_lowercase();
        self.0.iter().find(|p| p.name.to_lowercase() == name)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.0.iter()
    }

    /// A sentence for a name that nobody has.
    pub(super) fn nobody(&self, name: &str) -> String {
        let names: Vec<&str> = self.iter().map(|p| p.name.as_str()).collect();
        let help = match suggest::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None if names.is_empty() => "there are no profiles: leave agent out".to_owned(),
            None => format!("there are: {}; or leave agent out", names.join(", ")),
        };
        format!("there is no sub-agent profile {name:?}; {help}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_as_people_write_it() {
        let text = "---\nname: reviewer\ndescription: Reviews a change\ntools: Read, Grep, mcp_*\nmodel: big-1\n---\n\nYou review.\n";
        let expect = Profile {
            name: "reviewer".into(),
            description: "Reviews a change".into(),
            tools: Some(vec!["Read".into(), "Grep".into(), "mcp_*".into()]),
            model: Some("big-1".into()),
            prompt: "You review.".into(),
        };
        let profile = Profile::parse("file", text).unwrap();
        assert_eq!(profile, expect);
        assert!(profile.allows("read") && profile.allows("mcp_github"));
        assert!(!profile.allows("bash"));
    }

    #[test]
    fn what_is_left_out_has_a_sensible_meaning() {
        let profile = Profile::parse("scout", "---\nmodel: inherit\n---\n# Look around\n").unwrap();
        assert_eq!(
            (profile.name.as_str(), profile.description.as_str()),
            ("scout", "Look around")
        );
        assert_eq!((&profile.tools, &profile.model), (&None, &None));
        assert!(profile.allows("anything"));
        let none = Profile::parse("x", "---\ndescription: y\ntools: []\n---\n").unwrap();
        assert!(!none.allows("read"));
        assert!(Profile::parse("README", "# About\n").is_err());
        assert!(Profile::parse("empty", "---\n---\n").is_err());
    }

    #[test]
    fn the_first_of_a_name_has_it_and_case_does_not_matter() {
        let named = |name: &str, description: &str| Profile {
            name: name.into(),
            description: description.into(),
            ..Profile::default()
        };
        let profiles = Profiles::new([named("Scout", "one"), named("scout", "two")]);
        assert_eq!(profiles.iter().count(), 1);
        assert_eq!(profiles.find(" SCOUT ").unwrap().description, "one");
        assert!(profiles.nobody("skout").contains("did you mean Scout?"));
    }
}
