//! Servers, asked for their models: all at once, and not for long.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use zeug_providers::catalog::ModelInfo;
use zeug_providers::{Connect, live_models};

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
    Open(Question),
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
        asked.spawn(async move { (at, ask(question).await) });
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
            let status = failure.status.map(|status| format!("{status} ")).unwrap_or_default();
            silent(format!("{status}{}", failure.message))
        }
        Err(_) => silent(format!("nothing came within {} s", PATIENCE.as_secs())),
    }
}

/// An address without the name and password that may stand in it.
fn without_user(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        assert_eq!(without_user("http://me:pw@h:1/v1/a@b"), "http://h:1/v1/a@b");
        assert_eq!(without_user("https://h"), "https://h");
        assert_eq!(without_user("h:1"), "h:1");
    }
}
