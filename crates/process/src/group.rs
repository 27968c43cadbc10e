//! The process group of one child: who may still be signalled; does not wait for anybody.
//!
//! A group's number is its first process's. While that process is not reaped, or any member
//! lives, the number cannot pass to a stranger; once the group is known to be empty it is never
//! signalled again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use crate::cookie::{Cookie, Mark};
use crate::sweep::sweep;
use crate::watchdog::Leash;

/// One child's group and its mark.
#[derive(Debug)]
pub(crate) struct Group {
    number: Pid,
    cookie: Cookie,
    leash: Arc<Leash>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first process was waited for.
    reaped: bool,
    /// SIGKILL was sent to all members.
    killed: bool,
    /// No member is left, or all were killed and the first was reaped.
    gone: bool,
    /// The offspring outside of the group was looked for after the end.
    swept: bool,
}

impl Group {
    /// The group that `number` has just been made the first process of.
    pub(crate) fn new(number: Pid, cookie: Cookie, leash: Arc<Leash>) -> Self {
        leash.register(number);
        Self {
            number,
            cookie,
            leash,
            state: Mutex::default(),
        }
    }

    pub(crate) fn number(&self) -> Pid {
        self.number
    }

    /// Asks all members to end.
    pub(crate) fn terminate(&self) {
        let state = self.state();
        if !state.gone {
            self.signal(Signal::TERM);
        }
    }

    /// Ends all members.
    pub(crate) fn kill(&self) {
        let mut state = self.state();
        if state.gone {
            return;
        }
        self.signal(Signal::KILL);
        state.killed = true;
        if state.reaped {
            self.gone(&mut state);
        }
    }

    /// The first process has been waited for.
    pub(crate) fn reaped(&self) {
        let mut state = self.state();
        state.reaped = true;
        let empty = rustix::process::test_kill_process_group(self.number) == Err(Errno::SRCH);
        if state.killed || empty {
            self.gone(&mut state);
        }
    }

    /// Whether nothing is left that a sweep could find.
    pub(crate) fn is_swept(&self) -> bool {
        self.state().swept
    }

    /// Ends the offspring that left the group. Blocking; does nothing the second time after the
    /// end.
    pub(crate) fn sweep(&self) {
        let ended = {
            let state = self.state();
            if state.swept {
                return;
            }
            // Before the end, more offspring may come.
            state.gone
        };
        let killed = sweep(&Mark::Child(self.cookie.clone()));
        if killed > 0 {
            tracing::debug!(group = %self.number, killed, "swept up processes outside of the group");
        }
        if ended {
            self.state().swept = true;
        }
    }

    fn gone(&self, state: &mut State) {
        if !state.gone {
            state.gone = true;
            self.leash.unregister(self.number);
        }
    }

    fn signal(&self, signal: Signal) {
        match rustix::process::kill_process_group(self.number, signal) {
            Ok(()) | Err(Errno::SRCH) => {}
            Err(error) => {
                tracing::warn!(group = %self.number, ?signal, %error, "a process group could not be signalled");
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
