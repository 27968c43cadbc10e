//! Whole conversations over pipes in memory, on a paused clock; no process, no real waiting.

use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use zeug_ext_wire::{
    Disconnect, End, Limits, Line, LineReader, NotDrained, PushError, Sender, Withdrawal, channel,
    memory, write_loop,
};

/// A sender whose pipe holds `pipe_bytes`, the pipe's far end and the writing task.
fn pipe(pipe_bytes: usize) -> (Sender, DuplexStream, JoinHandle<Disconnect>) {
    let (near, far) = tokio::io::duplex(pipe_bytes);
    let (sender, outgoing) = channel(Limits::default());
    let writer = tokio::spawn(write_loop(near, outgoing));
    (sender, far, writer)
}

fn bytes(count: usize) -> Bytes {
    Bytes::from(vec![b'x'; count])
}

/// Lets every other task run until it waits.
async fn settle() {
    for _ in 0..16 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn frames_arrive_in_order_and_the_pipe_closes_after_the_last() {
    let (sender, far, writer) = pipe(8);
    for number in 0..100 {
        sender.push(Bytes::from(format!("frame {number}"))).unwrap();
    }
    sender.close();
    let mut lines = LineReader::new(far, &Limits::default());
    for number in 0..100 {
        let expected = Line::Frame(Bytes::from(format!("frame {number}")));
        assert_eq!(lines.next().await, Ok(Some(expected)));
    }
    assert_eq!(lines.next().await, Ok(None));
    assert_eq!(writer.await.unwrap(), Disconnect::Closed);
    assert_eq!(sender.close_reason(), Some(Disconnect::Closed));
}

#[tokio::test]
async fn dropping_the_last_sender_closes_the_pipe() {
    let (sender, mut far, writer) = pipe(64);
    let other = sender.clone();
    sender.push(Bytes::from_static(b"bye")).unwrap();
    drop(sender);
    drop(other);
    let mut heard = String::new();
    far.read_to_string(&mut heard).await.unwrap();
    assert_eq!(heard, "bye\n");
    assert_eq!(writer.await.unwrap(), Disconnect::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_deaf_reader_is_given_up_after_the_write_timeout() {
    let (sender, _far, writer) = pipe(8);
    let start = Instant::now();
    let ticket = sender.push(bytes(100)).unwrap();
    let reason = sender.disconnected().await;
    let expected = Disconnect::WriteTimeout {
        after: Duration::from_secs(5),
        frame_bytes: 100,
    };
    assert_eq!(reason, expected);
    assert_eq!(start.elapsed(), Duration::from_secs(5));
    assert_eq!(writer.await.unwrap(), expected);
    assert_eq!(sender.settled(ticket).await, Err(expected.clone()));
    assert_eq!(
        sender.push(bytes(1)),
        Err(PushError::Disconnected(expected.clone()))
    );
    assert_eq!(
        expected.to_string(),
        "the other side stopped reading: a frame of 100 bytes was not taken within 5 s"
    );
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_that_does_read_is_not_given_up() {
    let (sender, mut far, _writer) = pipe(8);
    let ticket = sender.push(bytes(30)).unwrap();
    let reading = async {
        let mut taken = [0; 8];
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            far.read_exact(&mut taken).await.unwrap();
        }
        far.read_exact(&mut taken[..7]).await.unwrap();
    };
    let (written, ()) = tokio::join!(sender.settled(ticket), reading);
    assert_eq!(written, Ok(()));
    assert_eq!(sender.close_reason(), None);
}

#[tokio::test(start_paused = true)]
async fn the_257th_waiting_frame_disconnects_and_the_one_in_flight_does_not_count() {
    let (sender, _far, _writer) = pipe(8);
    sender.push(bytes(100)).unwrap();
    settle().await;
    assert_eq!(sender.queued().frames, 0, "the first is in flight");
    for _ in 0..256 {
        sender.push(bytes(1)).unwrap();
    }
    let Err(PushError::Disconnected(reason)) = sender.push(bytes(1)) else {
        panic!("the 257th was taken");
    };
    let Disconnect::Overflow(overflow) = &reason else {
        panic!("{reason:?}");
    };
    assert_eq!((overflow.frames, overflow.limit_frames), (256, 256));
    assert_eq!(sender.disconnected().await, reason);
    assert_eq!(sender.queued().frames, 0, "what was queued is let go");
}

#[tokio::test(start_paused = true)]
async fn a_byte_above_16_mebibytes_disconnects() {
    let (sender, _far, _writer) = pipe(8);
    let large = bytes(4 * 1024 * 1024);
    sender.push(large.clone()).unwrap();
    settle().await;
    for _ in 0..4 {
        sender.push(large.clone()).unwrap();
    }
    let error = sender.push(bytes(1)).unwrap_err();
    assert!(matches!(
        error,
        PushError::Disconnected(Disconnect::Overflow(_))
    ));
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_is_no_frame_is_refused_and_harms_nothing() {
    let (sender, _far, _writer) = pipe(8);
    let limit_bytes = Limits::default().frame_bytes;
    assert_eq!(
        sender.push(bytes(limit_bytes + 1)),
        Err(PushError::TooLong {
            bytes: limit_bytes + 1,
            limit_bytes
        })
    );
    assert_eq!(
        sender.push(Bytes::from_static(b"two\nlines")),
        Err(PushError::NotOneLine { at: 3 })
    );
    sender.push(bytes(limit_bytes)).unwrap();
    assert_eq!(sender.close_reason(), None);
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_frame_is_never_sent() {
    let (sender, far, _writer) = pipe(8);
    let first = sender.push(bytes(20)).unwrap();
    let second = sender.push(Bytes::from_static(b"unwanted")).unwrap();
    sender.push(Bytes::from_static(b"third")).unwrap();
    settle().await;
    assert_eq!(sender.withdraw(first), Withdrawal::InFlight);
    assert_eq!(sender.withdraw(second), Withdrawal::Withdrawn);
    assert_eq!(sender.settled(second).await, Ok(()));
    assert!(!sender.torn_grace(second));
    let mut lines = LineReader::new(far, &Limits::default());
    assert_eq!(lines.next().await, Ok(Some(Line::Frame(bytes(20)))));
    let third = Line::Frame(Bytes::from_static(b"third"));
    assert_eq!(lines.next().await, Ok(Some(third)));
    assert_eq!(sender.withdraw(first), Withdrawal::Gone);
}

#[tokio::test(start_paused = true)]
async fn a_half_written_frame_that_nobody_wants_gets_a_short_grace() {
    let (sender, _far, _writer) = pipe(8);
    let ticket = sender.push(bytes(100)).unwrap();
    settle().await;
    assert!(sender.torn_grace(ticket));
    let start = Instant::now();
    // Asking again does not make the grace longer.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(sender.torn_grace(ticket));
    let reason = sender.disconnected().await;
    assert!(matches!(
        reason,
        Disconnect::TornFrame {
            frame_bytes: 100,
            ..
        }
    ));
    assert!(reason.to_string().ends_with("within 250 ms"), "{reason}");
    assert_eq!(start.elapsed(), Duration::from_millis(250));
}

#[tokio::test(start_paused = true)]
async fn a_half_written_frame_finished_within_its_grace_harms_nothing() {
    let (sender, mut far, _writer) = pipe(8);
    let ticket = sender.push(bytes(12)).unwrap();
    settle().await;
    assert!(sender.torn_grace(ticket));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut taken = [0; 13];
    far.read_exact(&mut taken).await.unwrap();
    assert_eq!(sender.settled(ticket).await, Ok(()));
    // The grace belonged to that frame alone: the next has its full time.
    let start = Instant::now();
    sender.push(bytes(100)).unwrap();
    sender.disconnected().await;
    assert_eq!(start.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn draining_waits_for_the_last_byte_or_the_deadline() {
    let (sender, mut far, _writer) = pipe(8);
    sender.push(bytes(10)).unwrap();
    sender.push(bytes(4)).unwrap();
    let soon = Instant::now() + Duration::from_secs(1);
    assert_eq!(
        sender.drained(soon).await,
        Err(NotDrained::Late { frames: 2 })
    );
    let soon = Instant::now() + Duration::from_secs(1);
    let mut taken = [0; 16];
    let (drained, read) = tokio::join!(sender.drained(soon), far.read_exact(&mut taken));
    assert_eq!((drained, read.unwrap()), (Ok(()), 16));
}

#[tokio::test(start_paused = true)]
async fn the_first_reason_is_final_and_every_waiter_learns_it() {
    let (sender, _far, writer) = pipe(8);
    let ticket = sender.push(bytes(100)).unwrap();
    let queued = sender.push(bytes(1)).unwrap();
    let later = Instant::now() + Duration::from_secs(60);
    let waiting = async {
        tokio::join!(
            sender.disconnected(),
            sender.settled(ticket),
            sender.settled(queued),
            sender.drained(later),
        )
    };
    let ending = async {
        settle().await;
        assert_eq!(sender.abort(Disconnect::PeerClosed), Disconnect::PeerClosed);
        let second = sender.abort(Disconnect::Aborted("too late".to_owned()));
        assert_eq!(second, Disconnect::PeerClosed);
    };
    let start = Instant::now();
    let (told, ()) = tokio::join!(waiting, ending);
    let reason = Disconnect::PeerClosed;
    let expected = (
        reason.clone(),
        Err(reason.clone()),
        Err(reason.clone()),
        Err(NotDrained::Disconnected(reason.clone())),
    );
    assert_eq!(told, expected);
    assert_eq!(writer.await.unwrap(), reason);
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test]
async fn a_reader_that_went_away_is_a_broken_pipe() {
    let (sender, far, _writer) = pipe(8);
    drop(far);
    sender.push(bytes(1)).unwrap();
    assert_eq!(sender.disconnected().await, Disconnect::BrokenPipe);
}

#[tokio::test]
async fn a_writer_that_is_dropped_tells_everybody() {
    let (sender, outgoing) = channel(Limits::default());
    sender.push(bytes(1)).unwrap();
    drop(outgoing);
    assert_eq!(sender.disconnected().await, Disconnect::WriterGone);
}

#[tokio::test]
async fn closing_refuses_new_frames_and_keeps_the_queued_ones() {
    let (sender, far, _writer) = pipe(64);
    sender.push(Bytes::from_static(b"kept")).unwrap();
    sender.close();
    assert_eq!(
        sender.push(bytes(1)),
        Err(PushError::Disconnected(Disconnect::Closed))
    );
    let mut lines = LineReader::new(far, &Limits::default());
    let kept = Line::Frame(Bytes::from_static(b"kept"));
    assert_eq!(lines.next().await, Ok(Some(kept)));
    assert_eq!(lines.next().await, Ok(None));
    assert_eq!(sender.disconnected().await, Disconnect::Closed);
}

#[tokio::test(start_paused = true)]
async fn waiting_in_the_queue_can_be_seen() {
    let (sender, _far, _writer) = pipe(8);
    let start = Instant::now();
    let first = sender.push(bytes(100)).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let second = sender.push(bytes(3)).unwrap();
    let queued = sender.queued();
    assert_eq!((queued.frames, queued.bytes), (1, 3));
    assert_eq!(queued.oldest, Some(start));
    assert_eq!(first.queued_at(), start);
    assert_eq!(second.queued_at(), start + Duration::from_secs(1));
}

#[tokio::test]
async fn two_ends_in_memory_talk_and_part() {
    let (mut left, mut right): (End, End) = memory(Limits::default());
    left.sender.push(Bytes::from_static(b"ping")).unwrap();
    let ping = Line::Frame(Bytes::from_static(b"ping"));
    assert_eq!(right.lines.next().await, Ok(Some(ping)));
    right.sender.push(Bytes::from_static(b"pong")).unwrap();
    let pong = Line::Frame(Bytes::from_static(b"pong"));
    assert_eq!(left.lines.next().await, Ok(Some(pong)));
    drop(left.sender);
    assert_eq!(right.lines.next().await, Ok(None));
    drop(left.lines);
    right.sender.push(bytes(1)).unwrap();
    assert_eq!(right.sender.disconnected().await, Disconnect::BrokenPipe);
}
