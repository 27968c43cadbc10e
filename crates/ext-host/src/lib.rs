//! Extensions while they live: greeting, listening, asking, burying.
//!
//! Knows neither the turn machine nor any face. What extensions offer goes into the shared
//! [`zeug_tool::Table`] and [`zeug_hook::Board`]; what they say to the user leaves as [`News`];
//! what they ask for waits for its answer with a deadline. An extension's failure is news, never
//! an error of the host.

mod adapt;
mod commands;
mod facts;
mod gateway;
mod gone;
mod greet;
mod guest;
mod held;
mod host;
mod inbound;
mod launch;
mod lifecycle;
mod limits;
mod link;
mod news;
mod reload;
mod report;
mod restart;
mod run;
mod sessions;
mod shared;
mod subscribers;

pub use commands::{Action, BUILT_IN_COMMANDS, CommandError};
pub use facts::{Facts, Session};
pub use guest::Invite;
pub use host::{Host, PanelWord, Setup};
pub use launch::{Body, Connection, Connector, LaunchFailure, Launcher};
pub use limits::HostLimits;
pub use news::{Level, News};
pub use reload::Reloaded;
pub use report::{Greeting, GuestReport, State};
pub use sessions::Boundary;
