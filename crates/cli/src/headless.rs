//! One prompt without a person: start, ask, show, stop.

use std::io::{IsTerminal, Read, Write};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Notice, Parts};
use zeug_engine::Prompt;
use zeug_front_text::{Ended, Face, Mode, Progress};
use zeug_rpc_protocol::Event;

use crate::signals::INTERRUPTED;

/// The most bytes of standard input that become part of a prompt.
const STDIN_BYTES: u64 = 16 * 1024 * 1024;

/// The prompt: what was typed, then what was piped in.
pub(crate) fn prompt_text(typed: &[String]) -> anyhow::Result<String> {
    let mut text = typed.join(" ");
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        let mut piped = Vec::new();
        stdin.lock().take(STDIN_BYTES + 1).read_to_end(&mut piped)?;
        anyhow::ensure!(
            piped.len() as u64 <= STDIN_BYTES,
            "standard input is over 16 MiB: pass a file's path in the prompt instead"
        );
        let piped = String::from_utf8(piped)
            .map_err(|_| anyhow::anyhow!("standard input is not UTF-8: convert it first"))?;
        if !text.is_empty() && !piped.is_empty() {
            text.push('\n');
        }
        text.push_str(&piped);
    }
    Ok(text)
}

/// Runs one prompt and gives the exit code.
pub(crate) async fn run(
    parts: Parts,
    mode: Mode,
    prompt: String,
    interrupt: CancellationToken,
) -> anyhow::Result<u8> {
    let (agent, mut notices) = Agent::start(parts);
    // Nobody sees a panel: whoever opens one hears at once that it is closed.
    agent.set_face(false, false).await;
    let stdout = std::io::stdout();
    let terminal = stdout.is_terminal();
    let mut face = Face::new(mode, stdout, std::io::stderr()).out_is_terminal(terminal);
    // The id is what a script goes on with.
    face.show(&Notice::Event(Event::Session((&agent.session()).into())))?;
    let code = converse(&agent, &mut notices, &mut face, prompt, &interrupt).await;
    // Notices are still taken, so that nobody waits for the face while everything stops.
    let drain = async { while notices.recv().await.is_some() {} };
    tokio::join!(agent.quit(), drain);
    Ok(code?)
}

async fn converse<O: Write, E: Write>(
    agent: &Agent,
    notices: &mut mpsc::Receiver<Notice>,
    face: &mut Face<O, E>,
    prompt: String,
    interrupt: &CancellationToken,
) -> std::io::Result<u8> {
    let mut ready = std::pin::pin!(agent.ready());
    loop {
        tokio::select! {
            biased;
            () = interrupt.cancelled() => return Ok(INTERRUPTED),
            Some(notice) = notices.recv() => {
                if let Progress::Finished(ended) = face.show(&notice)? {
                    return Ok(ended.exit_code());
                }
            }
            () = &mut ready => break,
        }
    }
    let prompt = Prompt::text(prompt);
    if let Err(refused) = agent.prompt(prompt).await {
        face.show(&Notice::Remark(refused.to_string()))?;
        return Ok(Ended::Failed.exit_code());
    }
    let mut aborted = false;
    loop {
        tokio::select! {
            biased;
            () = interrupt.cancelled(), if !aborted => {
                aborted = true;
                agent.abort().await;
            }
            notice = notices.recv() => {
                let Some(notice) = notice else {
                    return face.cut_off().map(Ended::exit_code);
                };
                if let Progress::Finished(ended) = face.show(&notice)? {
                    return Ok(if aborted { INTERRUPTED } else { ended.exit_code() });
                }
            }
        }
    }
}
