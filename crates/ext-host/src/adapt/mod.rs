//! Extensions behind the traits of the contracts: as tools, as listeners, as observers.

mod listener;
mod observer;
mod tool;

pub(crate) use listener::Ear;
pub(crate) use observer::{FanOut, block};
pub(crate) use tool::RemoteTool;
