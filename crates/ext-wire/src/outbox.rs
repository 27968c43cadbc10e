//! The queue before a pipe, as a pure state machine: no I/O, no waiting, no clock of its own.
//!
//! A frame is queued, then in flight, then gone. It can be withdrawn only while queued, because
//! half a frame would tear the line that the other side is reading.

use std::collections::VecDeque;

use bytes::Bytes;
use tokio::time::Instant;

use crate::Limits;

/// Names one pushed frame. Numbers rise by one and are never used again.
#[derive(Debug, Clone, Copy)]
pub struct Ticket {
    number: u64,
    queued_at: Instant,
}

impl Ticket {
    /// When the frame was pushed. Deadlines count from here, so that time spent in the queue
    /// is not a gift.
    pub fn queued_at(&self) -> Instant {
        self.queued_at
    }
}

impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Ticket {}

/// A frame did not fit. The queue is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{frames} frames ({bytes} bytes) are waiting and a frame of {refused_bytes} bytes is too much; \
     the limit is {limit_frames} frames or {limit_bytes} bytes"
)]
pub struct Overflow {
    /// Frames that were waiting.
    pub frames: usize,
    /// Bytes that were waiting.
    pub bytes: usize,
    /// Size of the frame that did not fit.
    pub refused_bytes: usize,
    /// [`Limits::queue_frames`].
    pub limit_frames: usize,
    /// [`Limits::queue_bytes`].
    pub limit_bytes: usize,
}

/// What became of a wish to take a frame back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// It was still queued and will never be sent.
    Withdrawn,
    /// It is being written at this moment.
    InFlight,
    /// It was written, withdrawn or dropped before.
    Gone,
}

/// A bounded first-in, first-out queue with at most one frame in flight.
///
/// # Limits
///
/// [`Limits::queue_frames`] and [`Limits::queue_bytes`]; neither counts the frame in flight nor
/// line ends.
#[derive(Debug)]
pub struct Outbox {
    limit_frames: usize,
    limit_bytes: usize,
    /// Tickets rise from front to back.
    queue: VecDeque<(Ticket, Bytes)>,
    queued_bytes: usize,
    in_flight: Option<Ticket>,
    pushed: u64,
}

impl Outbox {
    /// An empty queue.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limit_frames: limits.queue_frames,
            limit_bytes: limits.queue_bytes,
            queue: VecDeque::new(),
            queued_bytes: 0,
            in_flight: None,
            pushed: 0,
        }
    }

    /// Puts a frame at the end of the queue.
    ///
    /// # Errors
    ///
    /// [`Overflow`] when it does not fit.
    pub fn push(&mut self, frame: Bytes, now: Instant) -> Result<Ticket, Overflow> {
        let fits = self.queue.len() < self.limit_frames
            && self.queued_bytes + frame.len() <= self.limit_bytes;
        if !fits {
            return Err(Overflow {
                frames: self.queue.len(),
                bytes: self.queued_bytes,
                refused_bytes: frame.len(),
                limit_frames: self.limit_frames,
                limit_bytes: self.limit_bytes,
            });
        }
        let ticket = Ticket {
            number: self.pushed,
            queued_at: now,
        };
        self.pushed += 1;
        self.queued_bytes += frame.len();
        self.queue.push_back((ticket, frame));
        Ok(ticket)
    }

    /// Puts the oldest frame in flight; `None` when the queue is empty or a frame already is.
    pub fn start_next(&mut self) -> Option<(Ticket, Bytes)> {
        if self.in_flight.is_some() {
            return None;
        }
        let (ticket, frame) = self.queue.pop_front()?;
        self.queued_bytes -= frame.len();
        self.in_flight = Some(ticket);
        Some((ticket, frame))
    }

    /// The frame in flight was written; gives its ticket back.
    pub fn written(&mut self) -> Option<Ticket> {
        self.in_flight.take()
    }

    /// Takes a frame out of the queue, if it is still there.
    pub fn withdraw(&mut self, ticket: Ticket) -> Withdrawal {
        if self.in_flight == Some(ticket) {
            return Withdrawal::InFlight;
        }
        let place = self
            .queue
            .binary_search_by_key(&ticket.number, |(queued, _)| queued.number);
        match place.ok().and_then(|index| self.queue.remove(index)) {
            Some((_, frame)) => {
                self.queued_bytes -= frame.len();
                Withdrawal::Withdrawn
            }
            None => Withdrawal::Gone,
        }
    }

    /// Drops everything, the frame in flight included.
    pub fn clear(&mut self) {
        self.queue = VecDeque::new();
        self.queued_bytes = 0;
        self.in_flight = None;
    }

    /// Whether this frame is queued or in flight.
    pub fn holds(&self, ticket: Ticket) -> bool {
        self.in_flight == Some(ticket)
            || self
                .queue
                .binary_search_by_key(&ticket.number, |(queued, _)| queued.number)
                .is_ok()
    }

    /// The frame being written.
    pub fn in_flight(&self) -> Option<Ticket> {
        self.in_flight
    }

    /// Frames waiting, the one in flight not counted.
    pub fn frames(&self) -> usize {
        self.queue.len()
    }

    /// Bytes waiting, the frame in flight not counted.
    pub fn bytes(&self) -> usize {
        self.queued_bytes
    }

    /// Whether at most half of what may wait is waiting.
    pub fn is_roomy(&self) -> bool {
        self.queue.len() * 2 <= self.limit_frames && self.queued_bytes * 2 <= self.limit_bytes
    }

    /// Whether nothing is queued and nothing is in flight.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.in_flight.is_none()
    }

    /// The frame that has waited longest, the one in flight first.
    pub fn oldest(&self) -> Option<Ticket> {
        self.in_flight
            .or_else(|| self.queue.front().map(|(ticket, _)| *ticket))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outbox(queue_frames: usize, queue_bytes: usize) -> Outbox {
        Outbox::new(&Limits {
            queue_frames,
            queue_bytes,
            ..Limits::default()
        })
    }

    fn push(outbox: &mut Outbox, text: &str) -> Result<Ticket, Overflow> {
        outbox.push(Bytes::copy_from_slice(text.as_bytes()), Instant::now())
    }

    #[test]
    fn the_257th_waiting_frame_does_not_fit() {
        let mut outbox = Outbox::new(&Limits::default());
        for _ in 0..256 {
            push(&mut outbox, "x").unwrap();
        }
        let overflow = push(&mut outbox, "x").unwrap_err();
        assert_eq!((overflow.frames, overflow.limit_frames), (256, 256));
        assert_eq!(outbox.frames(), 256);
    }

    #[test]
    fn the_frame_in_flight_does_not_count() {
        let mut outbox = outbox(2, 4);
        push(&mut outbox, "1234").unwrap();
        assert!(push(&mut outbox, "5").is_err());
        outbox.start_next().unwrap();
        push(&mut outbox, "5678").unwrap();
        assert_eq!((outbox.frames(), outbox.bytes()), (1, 4));
        assert!(push(&mut outbox, "9").is_err());
    }

    #[test]
    fn sixteen_mebibytes_fit_and_one_byte_more_does_not() {
        let mut outbox = Outbox::new(&Limits::default());
        let large = Bytes::from(vec![b'x'; 4 * 1024 * 1024]);
        for _ in 0..4 {
            outbox.push(large.clone(), Instant::now()).unwrap();
        }
        let overflow = push(&mut outbox, "x").unwrap_err();
        assert_eq!(overflow.bytes, overflow.limit_bytes);
        assert!(
            overflow.to_string().contains("16777216 bytes"),
            "{overflow}"
        );
    }

    #[test]
    fn a_frame_is_withdrawn_only_while_queued() {
        let mut outbox = outbox(9, 99);
        let first = push(&mut outbox, "first").unwrap();
        let second = push(&mut outbox, "second").unwrap();
        outbox.start_next().unwrap();
        assert_eq!(outbox.withdraw(first), Withdrawal::InFlight);
        assert_eq!(outbox.withdraw(second), Withdrawal::Withdrawn);
        assert_eq!(outbox.withdraw(second), Withdrawal::Gone);
        assert_eq!(outbox.written(), Some(first));
        assert_eq!(outbox.withdraw(first), Withdrawal::Gone);
        assert!(outbox.is_idle());
    }

    #[test]
    fn only_one_frame_is_in_flight() {
        let mut outbox = outbox(9, 99);
        let first = push(&mut outbox, "first").unwrap();
        push(&mut outbox, "second").unwrap();
        assert_eq!(outbox.start_next().unwrap().0, first);
        assert_eq!(outbox.start_next(), None);
        outbox.written();
        assert_eq!(outbox.start_next().unwrap().1, "second");
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(usize),
        Withdraw(usize),
        Next,
        Written,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            3 => (0_usize..6).prop_map(Step::Push),
            1 => (0_usize..40).prop_map(Step::Withdraw),
            2 => Just(Step::Next),
            2 => Just(Step::Written),
        ];
        prop::collection::vec(step, 0..80)
    }

    proptest! {
        /// Against the plainest model there is: a list that is searched.
        #[test]
        fn it_stays_first_in_first_out(steps in steps()) {
            let mut outbox = outbox(5, 16);
            let mut tickets = Vec::new();
            let mut waiting: Vec<(usize, usize)> = Vec::new();
            let mut flying = None;
            for step in steps {
                match step {
                    Step::Push(size) => {
                        let bytes: usize = waiting.iter().map(|(_, size)| size).sum();
                        let fits = waiting.len() < 5 && bytes + size <= 16;
                        let pushed = outbox.push(Bytes::from(vec![b'x'; size]), Instant::now());
                        prop_assert_eq!(pushed.is_ok(), fits);
                        if let Ok(ticket) = pushed {
                            waiting.push((tickets.len(), size));
                            tickets.push(ticket);
                        }
                    }
                    Step::Withdraw(index) => {
                        let Some(&ticket) = tickets.get(index) else { continue };
                        let place = waiting.iter().position(|&(number, _)| number == index);
                        let expected = match place {
                            Some(place) => { waiting.remove(place); Withdrawal::Withdrawn }
                            None if flying == Some(index) => Withdrawal::InFlight,
                            None => Withdrawal::Gone,
                        };
                        prop_assert_eq!(outbox.withdraw(ticket), expected);
                    }
                    Step::Next => {
                        let expected = (flying.is_none() && !waiting.is_empty())
                            .then(|| waiting.remove(0));
                        flying = flying.or(expected.map(|(number, _)| number));
                        let next = outbox.start_next().map(|(ticket, frame)| (ticket, frame.len()));
                        prop_assert_eq!(next, expected.map(|(n, size)| (tickets[n], size)));
                    }
                    Step::Written => {
                        let expected = flying.take().map(|number| tickets[number]);
                        prop_assert_eq!(outbox.written(), expected);
                    }
                }
                let bytes: usize = waiting.iter().map(|(_, size)| size).sum();
                prop_assert_eq!((outbox.frames(), outbox.bytes()), (waiting.len(), bytes));
            }
        }
    }
}
