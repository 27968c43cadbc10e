//! Dialogues over in-memory pipes, under the protocol's own limits, with a clock that stands still
//! until everybody waits.

mod burying;
mod calling;
mod cancelling;
mod chains;
mod commands;
mod conflicts;
mod event_payloads;
mod events;
mod failing;
mod greeting;
mod moments;
mod readiness;
mod refused_greetings;
mod registering;
mod reloading;
mod restarting;
mod saying;
mod sessions;
mod stopping;
mod tools;
mod waiting;
