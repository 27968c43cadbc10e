//! Which data belongs to which command, for the JSON Schema alone: such a value never travels.

use schemars::JsonSchema;

use crate::data::{
    AbortData, CommandsData, ExtCommandData, HelloData, MessagesData, ModelsData, PingData,
    ReloadData, SetModelData, StartedData, StateData, TraceData,
};
use crate::session::{BranchesData, ExportData, ForkData, SessionData, SessionsData, TreeData};

/// `data` of a successful response, by the command it answers. Commands that are not here have no
/// data.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "only its shape is of use")]
pub struct DataByCommand {
    hello: HelloData,
    prompt: StartedData,
    abort: AbortData,
    compact: StartedData,
    get_state: StateData,
    get_messages: MessagesData,
    set_model: SetModelData,
    get_models: ModelsData,
    get_commands: CommandsData,
    ext_command: ExtCommandData,
    reload_ext: ReloadData,
    get_trace: TraceData,
    ping: PingData,
    sessions: SessionsData,
    new_session: SessionData,
    open_session: SessionData,
    fork: ForkData,
    switch_branch: SessionData,
    branches: BranchesData,
    tree: TreeData,
    rename: SessionData,
    export: ExportData,
    import: SessionData,
}
