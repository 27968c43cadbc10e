//! What zeug and an outside program may say to each other: JSON-mode events, RPC requests and
//! responses.
//!
//! Words only: who runs the agent, and over which pipe the lines go, is not known here. Names and
//! fields are those that the clients of zot and zut use; what zeug adds is marked as an addition.

mod block;
mod by_command;
mod convert;
mod data;
mod event;
mod raw;
mod request;
mod response;
mod session;
mod words;

pub use block::Block;
pub use by_command::DataByCommand;
pub use data::{
    AbortData, ActionData, CallData, CommandData, CommandsData, Did, ExtCommandData, HelloData,
    MessageBlock, MessageData, MessagesData, ModelData, ModelsData, PingData, RPC_VERSION,
    ReloadData, ResultBlock, Role, RulingData, SetModelData, SlashData, StartedData, StateData,
    StepData, TraceData,
};
pub use event::{Event, PanelData, Tokens};
pub use request::{BadRequest, Command, Consent, ID_BYTES, PromptImage, Request};
pub use response::{Response, ResponseKind};
pub use session::{
    BranchData, BranchesData, ExportData, ForkData, HitData, Keeping, NodeData, SessionData,
    SessionsData, SummaryData, TreeData,
};
pub use words::{Decision, DecisionSource, DecisionStage, NoteLevel, RetryScope};
