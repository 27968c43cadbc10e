//! `/skill:NAME …`, typed by the user, as the message that the model gets.

use crate::{SkillError, Skills};

const PREFIX: &str = "/skill:";

/// The user message for a line such as `/skill:code-review only the tests`; `None` when the line
/// is not of this kind. The skill is read now and is part of the message.
///
/// # Errors
/// When there is no such skill, or it cannot be read any more.
pub fn expand(line: &str, skills: &Skills) -> Result<Option<String>, SkillError> {
    let line = line.trim();
    let Some(start) = line.get(..PREFIX.len()) else {
        return Ok(None);
    };
    if !start.eq_ignore_ascii_case(PREFIX) {
        return Ok(None);
    }
    let after = &line[PREFIX.len()..];
    let (name, request) = after
        .split_once(char::is_whitespace)
        .map_or((after, ""), |(name, request)| (name, request.trim()));
    let skill = skills.want(name, false)?;
    let task = match request {
        "" => "Follow this skill now.".to_owned(),
        request => format!("Follow this skill for the following request.\n\n{request}"),
    };
    Ok(Some(format!("{}\n\n---\n\n{task}", skill.render()?)))
}
