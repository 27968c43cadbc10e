//! Work that runs one after the other: prompts, and making room.
//!
//! The turn machine is given one prompt at a time, so that an `abort` never meets another prompt
//! than the one that the client saw running. Does not know what work does.

use std::collections::VecDeque;

use zeug_app::{Prompt, PromptId};

use super::Ticket;

/// Jobs that may wait.
pub(crate) const WAITING: usize = 4096;
/// Bytes of text and images that may wait.
pub(crate) const WAITING_BYTES: usize = 64 * 1024 * 1024;

/// One piece of work, and the request that is answered when it starts. A prompt that an extension
/// wanted has none.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ticket: Option<Ticket>,
    pub(crate) work: Work,
}

#[derive(Debug)]
pub(crate) enum Work {
    Prompt(Prompt),
    Compact,
}

impl Work {
    fn bytes(&self) -> usize {
        match self {
            Self::Prompt(prompt) => {
                let images = prompt.images.iter().map(|image| image.data.len());
                prompt.text.len() + images.sum::<usize>()
            }
            Self::Compact => 0,
        }
    }
}

/// What runs.
#[derive(Debug)]
pub(crate) enum Running {
    /// A prompt that was handed over; it has no id until it was taken.
    Handed {
        ticket: Option<Ticket>,
        id: Option<PromptId>,
    },
    /// A prompt that started and owes its `done`.
    Prompt(PromptId),
    /// Room is being made.
    Compact,
}

#[derive(Debug, Default)]
pub(crate) struct Jobs {
    waiting: VecDeque<Job>,
    bytes: usize,
    pub(crate) running: Option<Running>,
    /// How many times another conversation is to take the place of the open one; prompts wait.
    pub(crate) changes: usize,
    /// A prompt that somebody else gave to the turn machine; it owes its `done`, too.
    pub(crate) foreign: Option<PromptId>,
}

impl Jobs {
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some() || self.foreign.is_some()
    }

    pub(crate) fn is_idle(&self) -> bool {
        !self.is_running() && self.changes == 0 && self.waiting.is_empty()
    }

    /// Takes a job on.
    ///
    /// # Errors
    /// When too much waits already.
    pub(crate) fn push(&mut self, job: Job) -> Result<(), String> {
        let bytes = self.bytes + job.work.bytes();
        if self.waiting.len() >= WAITING {
            return Err(format!(
                "{WAITING} prompts wait already: send this one again when some are done"
            ));
        }
        // A single job is bounded by the length of its line.
        if bytes > WAITING_BYTES && !self.waiting.is_empty() {
            return Err(format!(
                "the prompts that wait have {} MiB already: send this one again when some are done",
                self.bytes / (1024 * 1024)
            ));
        }
        self.bytes = bytes;
        self.waiting.push_back(job);
        Ok(())
    }

    /// The next job, when nothing runs.
    pub(crate) fn next(&mut self) -> Option<Job> {
        if self.is_running() || self.changes > 0 {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.bytes -= job.work.bytes();
        Some(job)
    }

    /// Gives up everything that waits; the requests that are still to be answered.
    pub(crate) fn drain(&mut self) -> Vec<Ticket> {
        self.bytes = 0;
        self.waiting
            .drain(..)
            .filter_map(|job| job.ticket)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(bytes: usize) -> Job {
        Job {
            ticket: None,
            work: Work::Prompt(Prompt::text("x".repeat(bytes))),
        }
    }

    #[test]
    fn too_many_jobs_are_refused() {
        let mut jobs = Jobs::default();
        for _ in 0..WAITING {
            jobs.push(job(1)).unwrap();
        }
        assert!(jobs.push(job(1)).unwrap_err().contains("4096"));
        assert!(jobs.next().is_some());
        jobs.push(job(1)).unwrap();
    }

    #[test]
    fn too_many_bytes_are_refused_but_never_a_single_job() {
        let mut jobs = Jobs::default();
        jobs.push(job(WAITING_BYTES + 1)).unwrap();
        assert!(jobs.push(job(1)).unwrap_err().contains("64 MiB"));
        jobs.next().unwrap();
        jobs.push(job(WAITING_BYTES)).unwrap();
        assert!(jobs.push(job(1)).is_err());
        jobs.drain();
        jobs.push(job(1)).unwrap();
    }

    #[test]
    fn one_job_at_a_time() {
        let mut jobs = Jobs::default();
        jobs.push(job(1)).unwrap();
        jobs.push(job(2)).unwrap();
        assert!(jobs.next().is_some());
        jobs.running = Some(Running::Compact);
        assert!(jobs.next().is_none() && !jobs.is_idle());
        jobs.running = None;
        assert!(jobs.next().is_some() && jobs.is_idle());
    }
}
