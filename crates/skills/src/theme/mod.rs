//! Themes.
