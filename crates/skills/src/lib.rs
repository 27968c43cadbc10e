//! SKILL.md discovery, precedence, containment.
