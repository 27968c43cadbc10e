//! What to answer to a scene, as a list of beats: pieces, pauses and failures in order.
//!
//! Time does not pass here, and nothing is remembered.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use zeug_provider::{Delta, Failure, FailureKind};
use zeug_transcript::{StopReason, Usage};

use super::KEY;
use super::fill::fill;
use super::scene::{Scene, all_written};
use super::script::{Block, Step};

/// One thing that happens in the stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Beat {
    /// A piece arrives.
    Piece(Delta),
    /// Nothing arrives for a while.
    Pause(Duration),
    /// The request fails, unless it did already.
    Fail(Fail),
}

/// A failure that the script asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fail {
    /// What the caller gets.
    pub(crate) failure: Failure,
    /// Where in which script it stands; `None` fails every time.
    pub(crate) once_at: Option<u64>,
}

/// The beats of an answer.
pub(crate) fn compose(scene: &Scene<'_>) -> VecDeque<Beat> {
    let mut answer = Answer::default();
    let mut stop = StopReason::EndTurn;
    match &scene.block {
        None if scene.results.is_empty() => answer.say("nothing is left of the script"),
        None => answer.say(&told(scene)),
        Some(Block::Plain(text)) => answer.say(&echo(scene, text)),
        Some(Block::Steps(steps)) => {
            answer.steps(scene, steps);
            let calls = steps.iter().any(|s| matches!(s, Step::Call { .. }));
            let says = steps.iter().any(|s| matches!(s, Step::Say(_)));
            if calls {
                stop = StopReason::ToolUse;
            } else if !says && !scene.results.is_empty() {
                answer.say(&told(scene));
            }
        }
    }
    answer.piece(Delta::Stop(stop));
    answer.beats
}

/// The results, each with its tool's name.
fn told(scene: &Scene<'_>) -> String {
    let lines: Vec<String> = scene
        .results
        .iter()
        .map(|result| {
            let text = all_written(&result.content);
            format!("{} → {}", result.tool_name, text.trim())
                .trim_end()
                .to_owned()
        })
        .collect();
    lines.join("\n")
}

fn echo(scene: &Scene<'_>, text: &str) -> String {
    let mut lines = vec![format!("you said: {text}")];
    if scene.turn == 0 {
        lines.extend(scene.images());
    }
    lines.join("\n")
}

#[derive(Default)]
struct Answer {
    beats: VecDeque<Beat>,
    spoke: bool,
    thought: bool,
}

impl Answer {
    fn piece(&mut self, delta: Delta) {
        self.beats.push_back(Beat::Piece(delta));
    }

    fn say(&mut self, text: &str) {
        if std::mem::replace(&mut self.spoke, true) {
            self.piece(Delta::Text("\n".to_owned()));
        }
        for word in words(text) {
            self.piece(Delta::Text(word.to_owned()));
        }
    }

    fn think(&mut self, text: &str) {
        if std::mem::replace(&mut self.thought, true) {
            self.piece(Delta::Thinking("\n".to_owned()));
        }
        for word in words(text) {
            self.piece(Delta::Thinking(word.to_owned()));
        }
    }

    fn call(&mut self, id: String, name: &str, args: &str) {
        self.piece(Delta::ToolCallStart {
            id: id.clone(),
            name: name.to_owned(),
        });
        if !args.is_empty() {
            self.piece(Delta::ToolCallArgs {
                id: id.clone(),
                json: args.to_owned(),
            });
        }
        self.piece(Delta::ToolCallEnd { id });
    }

    fn steps(&mut self, scene: &Scene<'_>, steps: &[Step]) {
        let mut ids = scene.call_ids();
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Say(text) => self.say(&fill(text, scene.request)),
                Step::Unclear(hint) => self.say(&format!("puppet: {hint}")),
                Step::Think(text) => self.think(text),
                Step::Call { name, args } => {
                    self.call(ids.next().unwrap_or_default(), name, args);
                }
                Step::Wait(duration) => self.beats.push_back(Beat::Pause(*duration)),
                Step::Fail {
                    status,
                    message,
                    always,
                } => self.beats.push_back(Beat::Fail(Fail {
                    failure: failure(scene, *status, message),
                    once_at: (!always).then(|| place(scene, at)),
                })),
                Step::Usage { input, output } => self.piece(Delta::Usage(Usage {
                    input_tokens: *input,
                    output_tokens: *output,
                    ..Usage::default()
                })),
            }
        }
    }
}

fn failure(scene: &Scene<'_>, status: u16, message: &str) -> Failure {
    Failure {
        kind: FailureKind::of_status(status),
        provider: KEY.to_owned(),
        model: scene.request.model.clone(),
        status: Some(status),
        message: if message.is_empty() {
            "the script asked for this failure".to_owned()
        } else {
            message.to_owned()
        },
        retry_after: None,
        advice: None,
    }
}

/// A number for one step of one block of one prompt. What stands before the prompt does not count,
/// so that a failure which makes the caller compact the conversation is over afterwards.
fn place(scene: &Scene<'_>, step: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Some(user) = scene.user {
        user.time.hash(&mut hasher);
        all_written(&user.content).hash(&mut hasher);
    }
    (scene.turn, step).hash(&mut hasher);
    hasher.finish()
}

/// `text` in pieces, each a word with the white space after it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let word = rest.len() - rest.trim_start().len();
        let space = rest[word..]
            .find(char::is_whitespace)
            .map_or(rest.len(), |at| word + at);
        let next = rest.len() - rest[space..].trim_start().len();
        let (piece, after) = rest.split_at(next);
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_words_and_lose_nothing() {
        let check = |text: &str, expect: &[&str]| {
            assert_eq!(words(text).collect::<Vec<_>>(), expect, "{text:?}");
            assert_eq!(words(text).collect::<String>(), text);
        };
        check("", &[]);
        check("one", &["one"]);
        check("It is warm.", &["It ", "is ", "warm."]);
        check("  a\n\n b ", &["  a\n\n ", "b "]);
        check("grün\u{a0}und 世界", &["grün\u{a0}", "und ", "世界"]);
        check(" ", &[" "]);
    }
}
