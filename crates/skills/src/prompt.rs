//! What the system prompt says about skills: a line each, the text only when the model asks.

use zeug_stdx::text;

use crate::{Skill, Skills};

/// The most bytes of a description (the usual limit of its authors' guides is 1024 characters).
const MAX_DESCRIPTION_BYTES: usize = 1024;
/// The most bytes of a path, longer ones being on no system that is known.
const MAX_PATH_BYTES: usize = 4096;
/// The most bytes of all lines: they go out with every request.
const MAX_LINES_BYTES: usize = 32 * 1024;

const INTRODUCTION: &str = "# Skills\n\nInstructions for certain tasks. When a task fits one of \
these descriptions, load the skill with the tool `skill` first and follow it.\n";

impl Skills {
    /// `- NAME [PATH]: DESCRIPTION` for each skill that the model may load, best first; `builtin`
    /// in place of a path for what comes with zeug.
    ///
    /// # Limits
    /// 32 KiB in all; a last line then says how many are left out.
    #[must_use]
    pub fn prompt_lines(&self) -> Vec<String> {
        let offered: Vec<&Skill> = self.iter().filter(|skill| !skill.user_only).collect();
        let (mut lines, mut bytes) = (Vec::new(), 0);
        for (at, skill) in offered.iter().enumerate() {
            let line = line(skill);
            bytes += line.len() + 1;
            if bytes > MAX_LINES_BYTES {
                let left = offered.len() - at;
                lines.push(format!(
                    "- and {left} more, which the user can list with /skills"
                ));
                break;
            }
            lines.push(line);
        }
        lines
    }

    /// The lines with a sentence that says what they are; none when there is no line.
    #[must_use]
    pub fn prompt_section(&self) -> Option<String> {
        let lines = self.prompt_lines();
        (!lines.is_empty()).then(|| format!("{INTRODUCTION}\n{}", lines.join("\n")))
    }
}

fn line(skill: &Skill) -> String {
    let place = match skill.path() {
        Some(path) => text::one_line(&path.to_string_lossy(), MAX_PATH_BYTES),
        None => "builtin".to_owned(),
    };
    let description = text::one_line(&skill.description, MAX_DESCRIPTION_BYTES);
    format!("- {} [{place}]: {description}", skill.name)
}
