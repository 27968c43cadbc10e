//! One running agent: takes intents, gives notices, owns both machines.
