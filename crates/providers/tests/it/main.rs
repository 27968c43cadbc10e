//! The providers through their public face: in memory, and against a scripted server.

mod kit;

mod catalogue;
mod failures;
mod golden;
mod independent;
mod masks;
mod network;
mod options;
mod replay;
mod same_task;
mod seam;
mod streams;
