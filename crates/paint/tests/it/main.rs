//! The crate through its public face.

mod anything;
mod chat;
mod look;
mod shape;
mod show;
mod stream;
