//! One extension from its start to its end: connect, greet, listen, bury, perhaps again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use zeug_ext_protocol::ToExtension;
use zeug_ext_wire::{Disconnect, LineReader, ReadError, channel, write_loop};
use zeug_process::StopLadder;
use zeug_stdx::nest::Nest;

use crate::gone;
use crate::greet::greet;
use crate::guest::Guest;
use crate::inbound::Desk;
use crate::launch::Body;
use crate::lifecycle::{Due, Lifecycle, Readiness};
use crate::link::Link;
use crate::news::News;
use crate::report::State;
use crate::restart::Restarts;
use crate::shared::Shared;

pub(crate) type Reader = LineReader<Box<dyn tokio::io::AsyncRead + Send + Unpin>>;

/// How one run of an extension ended.
enum End {
    /// It was asked to go.
    Left,
    /// It never took part.
    Failed,
    /// It took part and went away.
    Crashed,
}

/// Why listening is over.
enum Over {
    Leave,
    Closed,
    Exited,
    Wire(Disconnect),
    Unreadable(ReadError),
}

/// The life of `guest`, with all its restarts.
pub(crate) async fn live(guest: Arc<Guest>, shared: Arc<Shared>) {
    let mut restarts = Restarts::default();
    let mut has_run = false;
    loop {
        let end = once(&guest, &shared).await;
        has_run |= matches!(end, End::Crashed);
        match end {
            End::Left => {
                guest.state.send_replace(State::Stopped);
                return;
            }
            // Its predecessor goes on in its place.
            _ if guest.is_staged() => return,
            End::Failed if !has_run => return,
            End::Failed | End::Crashed if !guest.invite.restart_on_crash => return,
            // Not getting up again is a crash as well.
            End::Failed | End::Crashed => {
                let Some(delay) = restarts.crashed(Instant::now()) else {
                    let message = "crashed 5 times in 5 minutes and is not started again";
                    return remark(&guest, &shared, message).await;
                };
                tokio::select! {
                    () = sleep(delay) => {}
                    () = guest.leave.cancelled() => return,
                }
                remark(&guest, &shared, "is started again after a crash").await;
            }
        }
    }
}

async fn remark(guest: &Guest, shared: &Shared, message: &str) {
    guest.diagnose(message);
    let extension = guest.name().to_owned();
    let message = message.to_owned();
    shared.announce(News::Remark { extension, message }).await;
}

async fn once(guest: &Arc<Guest>, shared: &Arc<Shared>) -> End {
    let start = Instant::now();
    let mut life = Lifecycle::spawned(start, &shared.limits);
    let connection = tokio::select! {
        biased;
        () = guest.leave.cancelled() => return End::Left,
        connection = timeout_at(start + shared.limits.hello, guest.invite.connector.connect()) => {
            connection
        }
    };
    let connection = match connection {
        Ok(Ok(connection)) => connection,
        Ok(Err(failure)) => return fail(guest, shared, failure.to_string()).await,
        Err(_) => {
            let after = shared.limits.hello.as_secs_f32();
            return fail(
                guest,
                shared,
                format!("could not be reached within {after} s"),
            )
            .await;
        }
    };
    let body = connection.body;
    let mut reader = LineReader::new(connection.reader, &shared.limits.wire);
    let (sender, outgoing) = channel(shared.limits.wire);
    let mut writer = Nest::new();
    writer.spawn("extension writer", async move {
        write_loop(connection.writer, outgoing).await;
    });
    let link = Link::new(sender);

    match greet(guest, shared, &link, &mut reader, &body, &mut life).await {
        Ok(true) => {}
        Ok(false) => {
            // Without `shutdown`: the first frame that an extension gets is `hello_ack`.
            leave(shared, &link, &mut reader, &body).await;
            return End::Left;
        }
        Err(why) => {
            let end = fail(guest, shared, why).await;
            stop_now(shared, &body).await;
            return end;
        }
    }
    let over = listen(guest, shared, &link, &mut reader, &body, &mut life).await;
    if matches!(over, Over::Leave) {
        gone::bury(shared, guest, &link, "the extension was stopped", None);
        // A full queue or a dead link: the ladder still ends the process.
        drop(link.tell(&ToExtension::Shutdown));
        leave(shared, &link, &mut reader, &body).await;
        return End::Left;
    }
    let why = cause(&over, &body, shared.limits.farewell).await;
    let news = News::Gone {
        extension: guest.name().to_owned(),
        message: format!("{why}{}", guest.see_log()),
    };
    let late = gone::bury(shared, guest, &link, &why, Some(news));
    if guest.is_staged() {
        stop_now(shared, &body).await;
        return fail(
            guest,
            shared,
            format!("went away before it was ready: {why}"),
        )
        .await;
    }
    guest.diagnose(format!("went away: {why}"));
    if let Some(news) = late {
        shared.announce(news).await;
    }
    guest.state.send_replace(State::Gone(why));
    stop_now(shared, &body).await;
    End::Crashed
}

/// Says that the extension never took part. The news comes before the state: whoever waits for
/// the start finds it announced.
async fn fail(guest: &Guest, shared: &Shared, why: String) -> End {
    let dir = guest.invite.dir.display();
    let program = guest.invite.connector.program();
    let program = program.map_or(String::new(), |p| format!(" (program: {p})"));
    let message = format!("{dir}: {why}{program}{}", guest.see_log());
    guest.diagnose(format!("not started: {why}"));
    let extension = guest.name().to_owned();
    let news = News::Failed {
        extension,
        message: message.clone(),
    };
    shared.announce(news).await;
    guest.state.send_replace(State::Failed(message));
    End::Failed
}

/// Ends what is behind a connection that is of no use any more.
async fn stop_now(shared: &Shared, body: &Body) {
    let ladder = StopLadder {
        grace: Duration::ZERO,
        term_grace: shared.limits.terminate,
    };
    body.stop(ladder).await;
}

/// The orderly goodbye: what is queued, end of stdin, then the ladder.
async fn leave(shared: &Shared, link: &Link, reader: &mut Reader, body: &Body) {
    link.sender().close();
    let by = shared
        .leave_by
        .get()
        .copied()
        .unwrap_or_else(|| Instant::now() + shared.limits.shutdown);
    let ladder = StopLadder {
        grace: by.saturating_duration_since(Instant::now()),
        term_grace: shared.limits.terminate,
    };
    let ended = async {
        match body {
            Body::Process(_) => body.stop(ladder).await,
            // Nothing to end: the other side had its time to read and to close.
            Body::None => drop(timeout_at(by, link.sender().disconnected()).await),
        }
    };
    // Reading goes on, so that an extension that still writes does not hang in its own pipe.
    let drain = async {
        while let Ok(Some(_)) = reader.next().await {}
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = ended => {}
        () = drain => {}
    }
}

async fn listen(
    guest: &Arc<Guest>,
    shared: &Arc<Shared>,
    link: &Arc<Link>,
    reader: &mut Reader,
    body: &Body,
    life: &mut Lifecycle,
) -> Over {
    let desk = Desk {
        shared,
        guest,
        link,
    };
    let disconnected = link.sender().disconnected();
    let exited = body.exited();
    tokio::pin!(disconnected, exited);
    // Set once the process or its stdin is gone: what it wrote before is still read until then.
    let mut farewell: Option<(Instant, Over)> = None;
    let until_then = |over| Some((Instant::now() + shared.limits.farewell, over));
    loop {
        let last = farewell.as_ref().map(|(at, _)| *at);
        let deadline = [life.deadline(), last].into_iter().flatten().min();
        // Time and signals come before lines: a flood of lines must not hold them up.
        tokio::select! {
            biased;
            () = guest.leave.cancelled() => return Over::Leave,
            reason = &mut disconnected, if farewell.is_none() => match reason {
                Disconnect::BrokenPipe => farewell = until_then(Over::Wire(reason)),
                reason => return Over::Wire(reason),
            },
            _ = &mut exited, if farewell.is_none() => farewell = until_then(Over::Exited),
            () = until(deadline) => {
                let now = Instant::now();
                if let Some((_, over)) = farewell.take_if(|(at, _)| now >= *at) {
                    return over;
                }
                if let Due::BecameReady(readiness) = life.tick(now) {
                    ready(&desk, life, readiness).await;
                }
            }
            line = reader.next() => match line {
                Ok(Some(line)) => {
                    if desk.line(line, life).await {
                        if life.said_ready() {
                            ready(&desk, life, Readiness::Said).await;
                        }
                    } else {
                        life.frame(Instant::now());
                    }
                }
                Ok(None) => return Over::Closed,
                Err(error) => return Over::Unreadable(error),
            }
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn ready(desk: &Desk<'_>, life: &Lifecycle, readiness: Readiness) {
    let Desk {
        shared,
        guest,
        link,
    } = desk;
    match readiness {
        Readiness::Said => {}
        Readiness::Idle => guest.note("no ready frame; auto-ready after idle"),
        Readiness::Late => guest.diagnose("timed out waiting for ready frame"),
    }
    if guest.is_staged() {
        let old = shared.replace(guest);
        desk.succeed(old.as_ref(), life).await;
    }
    // Before anybody who waits for it goes on.
    shared.stage().welcome(shared, guest, link);
    guest.state.send_replace(State::ready(readiness));
}

/// Why an extension went away, in words for those who wait for it.
async fn cause(over: &Over, body: &Body, farewell: Duration) -> String {
    let (closed, wait) = match over {
        // The time for that is over.
        Over::Wire(Disconnect::BrokenPipe) => ("stdin", Duration::ZERO),
        Over::Closed | Over::Exited | Over::Unreadable(ReadError::Torn { .. }) => {
            ("stdout", farewell)
        }
        Over::Wire(reason) => return format!("disconnected: {reason}"),
        Over::Unreadable(error) => return format!("disconnected: {error}"),
        Over::Leave => return "the extension was stopped".to_owned(),
    };
    match timeout(wait, body.exited()).await {
        Ok(report) => report.with_last_words(),
        Err(_) => format!("the extension closed its {closed}"),
    }
}
