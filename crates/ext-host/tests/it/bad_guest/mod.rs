//! Real processes that misbehave in every way that `tests/bad-guest/README.md` lists, each beside
//! one that behaves and must not notice.

mod dying;
mod greeting;
mod leaving;
mod listening;
mod names;
mod promptness;
mod questions;
mod wire;
