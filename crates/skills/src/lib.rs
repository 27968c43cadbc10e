//! What comes as files of text and is read, never run: skills, and colour themes.
//!
//! A skill is a `SKILL.md`: a few lines about it, then instructions that a model follows when the
//! task fits. This crate finds them, decides who keeps a name, and hands out a text when it is
//! asked for. It does not know sessions, faces or running extensions; where to look comes as
//! [`Roots`], and nothing here reads the environment.

mod built_in;
mod bundle;
mod discover;
mod error;
mod expand;
mod file;
mod front_matter;
mod name;
mod problem;
mod prompt;
mod roots;
mod shelf;
mod skill;
pub mod theme;
mod tool;
mod tree;

pub use discover::{Found, discover};
pub use error::SkillError;
pub use expand::expand;
pub use file::MAX_SKILL_BYTES;
pub use problem::{Effect, Problem};
pub use roots::{Bundle, Places, Roots, Tree};
pub use shelf::Shelf;
pub use skill::{Skill, Skills, Source};
pub use tool::SkillTool;
