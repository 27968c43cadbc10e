//! Servers, asked for their models: all at once, and not for long.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use zeug_providers::catalog::ModelInfo;
use zeug_providers::{Connect, live_models};

use crate::models::choose::without_user;

/// A server on this machine answers at once; one far away has this long.
const PATIENCE: Duration = Duration::from_secs(3);
/// Somebody who looks for a list does not wait longer for a machine that is switched off.
const CONNECT: Duration = Duration::from_secs(1);

/// What is asked, and where.
pub(super) struct Question {
    pub(super) connect: Connect,
    pub(super) url: String,
}

/// What came of it.
pub(super) enum Answer {
    /// Not asked yet.
    Open(Box<Question>),
    /// These.
    Models(Vec<ModelInfo>),
    /// None.
    Silent { url: String, why: String },
}

/// Turns open answers into others. `false` when the user gave up.
pub(super) async fn all<'a>(
    answers: impl Iterator<Item = Option<&'a mut Answer>>,
    interrupt: &CancellationToken,
) -> bool {
    let mut slots: Vec<&mut Answer> = answers.flatten().collect();
    let mut asked = JoinSet::new();
    for (at, slot) in slots.iter_mut().enumerate() {
        let silent = Answer::Silent {
            url: String::new(),
            why: "it was not asked".to_owned(),
        };
        let Answer::Open(question) = std::mem::replace(*slot, silent) else {
            continue;
        };
        asked.spawn(async move { (at, ask(*question).await) });
    }
    loop {
        let next = tokio::select! {
            biased;
            () = interrupt.cancelled() => return false,
            next = asked.join_next() => next,
        };
        match next {
            None => return true,
            Some(Ok((at, answer))) => *slots[at] = answer,
            // A panic in there, which was reported; the slot says that nothing came.
            Some(Err(_)) => {}
        }
    }
}

async fn ask(question: Question) -> Answer {
    let Question { mut connect, url } = question;
    let timeouts = &mut connect.http.timeouts;
    timeouts.connect = timeouts.connect.min(CONNECT);
    let silent = |why: String| Answer::Silent {
        url: without_user(&url),
        why,
    };
    match tokio::time::timeout(PATIENCE, live_models(connect)).await {
        Ok(Ok(models)) => Answer::Models(models),
        Ok(Err(failure)) => {
            let status = failure
                .status
                .map(|status| format!("{status} "))
                .unwrap_or_default();
            silent(format!("{status}{}", failure.message))
        }
        Err(_) => silent(format!("nothing came within {} s", PATIENCE.as_secs())),
    }
}
