//! Lines that wait for the writer.
//!
//! # Limits
//! Events come in while less than 64 KiB wait, requests are heard while less than 1 MiB waits;
//! a single line may be longer. So a client that does not read stops the agent first, and is
//! itself heard on: its `abort` still counts, until the responses that it has not read fill the
//! rest. Nothing more is read of it then until it reads, too.

/// Below this many bytes events are taken.
const EVENTS_BYTES: usize = 64 * 1024;
/// Below this many bytes requests are heard.
const REQUESTS_BYTES: usize = 1024 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Out {
    bytes: Vec<u8>,
}

impl Out {
    pub(crate) fn push(&mut self, line: &str) {
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Everything that waits.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    pub(crate) fn takes_events(&self) -> bool {
        self.bytes.len() < EVENTS_BYTES
    }

    pub(crate) fn takes_requests(&self) -> bool {
        self.bytes.len() < REQUESTS_BYTES
    }
}
