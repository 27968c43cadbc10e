//! The handshake: the first line of an extension, and the first frame to it.
//!
//! Does not know what an extension may do afterwards.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout, timeout_at};
use zeug_ext_protocol::dialect::Dialect;
use zeug_ext_protocol::greeting::{Hello, HelloAck};
use zeug_ext_protocol::{FromExtension, ToExtension, capability};
use zeug_ext_wire::{Line, ReadError};

use crate::guest::Guest;
use crate::launch::Body;
use crate::lifecycle::Lifecycle;
use crate::link::Link;
use crate::report::Greeting;
use crate::run::Reader;
use crate::shared::Shared;

/// The handshake. `Ok(false)` when everybody was asked to leave meanwhile.
pub(crate) async fn greet(
    guest: &Arc<Guest>,
    shared: &Arc<Shared>,
    link: &Arc<Link>,
    reader: &mut Reader,
    body: &Body,
    life: &mut Lifecycle,
) -> Result<bool, String> {
    let by = life.deadline().unwrap_or_else(Instant::now);
    let exited = async {
        body.exited().await;
        // What it wrote before is still read.
        sleep(shared.limits.farewell).await;
    };
    let first = tokio::select! {
        biased;
        () = guest.leave.cancelled() => return Ok(false),
        first = timeout_at(by, reader.next()) => first,
        // Its stdout may be held open by a process that it left behind.
        () = exited => return Err(early_end(body).await),
    };
    let line = match first {
        Err(_) => {
            let after = shared.limits.hello.as_secs_f32();
            return Err(format!("sent no hello within {after} s"));
        }
        Ok(Ok(Some(line))) => line,
        Ok(Ok(None) | Err(ReadError::Torn { .. })) => return Err(early_end(body).await),
        Ok(Err(error)) => return Err(format!("read hello: {error}")),
    };
    let hello = parse_hello(&line)?;
    let dialect = Dialect::choose(hello.protocol_version).map_err(|e| e.to_string())?;
    let rules = dialect.rules();
    let facts = shared.facts();
    let mut ack = HelloAck {
        provider: facts.provider,
        model: facts.model,
        cwd: facts.cwd,
        extension_dir: guest.invite.dir.display().to_string(),
        data_dir: guest.invite.data_dir.display().to_string(),
        capabilities: capability::HOST.map(str::to_owned).to_vec(),
        session: facts.session,
        ..HelloAck::default()
    };
    rules.sign(&mut ack, &facts.version);
    if hello.name != guest.name() {
        let manifest = guest.name().to_owned();
        guest.diagnose(format!(
            "hello.name is {:?} but the manifest says {manifest:?}; the manifest's name is used",
            hello.name
        ));
    }
    link.greeted(hello.capabilities);
    guest.about().greeting = Some(Greeting {
        name: hello.name,
        version: hello.version,
        protocol_version: rules.version,
    });
    link.tell(&ToExtension::HelloAck(ack))
        .map_err(|e| format!("send hello_ack: {e}"))?;
    if !guest.is_staged() {
        shared.greeted(guest.name(), link);
    }
    life.greeted(Instant::now());
    Ok(true)
}

fn parse_hello(line: &Line) -> Result<Hello, String> {
    let Line::Frame(bytes) = line else {
        return Err("first frame must be hello (got a line that is no frame)".to_owned());
    };
    match FromExtension::decode(std::str::from_utf8(bytes).unwrap_or_default()) {
        Ok(FromExtension::Hello(hello)) if hello.name.is_empty() => {
            Err("parse hello: name is empty".to_owned())
        }
        Ok(FromExtension::Hello(hello)) => Ok(hello),
        Ok(other) => Err(format!(
            "first frame must be hello (got {:?})",
            zeug_stdx::text::one_line(other.kind(), 64)
        )),
        Err(bad) => Err(format!(
            "parse hello: {bad}: {}",
            zeug_stdx::text::one_line(&String::from_utf8_lossy(bytes), 120)
        )),
    }
}

/// Stdout, or the process, ended before `hello`.
async fn early_end(body: &Body) -> String {
    match timeout(Duration::from_secs(1), body.exited()).await {
        Ok(report) => format!(
            "extension exited before hello: {}",
            report.with_last_words()
        ),
        Err(_) => "extension closed stdout before hello without exiting".to_owned(),
    }
}
