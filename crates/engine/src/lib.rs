//! The turn machine; touches no disk, terminal or process.
