//! The crate through its public face.

mod chat;
mod look;
mod shape;
mod show;
mod stream;
