//! Paths, settings, precedence; the only reader of the environment.
