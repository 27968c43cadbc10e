//! Pieces of an answer as they arrive, put together. Pure: no clock, no events.

use zeug_provider::Delta;
use zeug_transcript::{Part, ToolCall, Usage};

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    parts: Vec<Part>,
    /// Calls whose arguments are not complete yet.
    open: Vec<String>,
    /// Whether the arguments of any call are complete.
    pub(super) call_complete: bool,
    /// The last count the provider gave.
    pub(super) usage: Option<Usage>,
}

impl Assembly {
    /// Takes a piece.
    ///
    /// # Errors
    /// A sentence when the piece contradicts the ones before it.
    pub(super) fn take(&mut self, delta: &Delta) -> Result<(), String> {
        match delta {
            Delta::Text(more) => match self.parts.last_mut() {
                Some(Part::Text(text)) => text.push_str(more),
                _ => self.parts.push(Part::Text(more.clone())),
            },
            Delta::Thinking(more) => self.think(more),
            Delta::ThinkingSignature(proof) => self.sign(proof),
            Delta::ToolCallStart { id, name } => self.begin(id, name)?,
            Delta::ToolCallArgs { id, json } => self.call(id)?.args.push_str(json),
            Delta::ToolCallEnd { id } => {
                self.call(id)?;
                self.open.retain(|open| open != id);
                self.call_complete = true;
            }
            Delta::Usage(usage) => self.usage = Some(*usage),
            Delta::Stop(_) => {}
        }
        Ok(())
    }

    /// The parts, and the calls that the provider left open: an end of the answer ends them too.
    pub(super) fn finish(self) -> (Vec<Part>, Vec<String>) {
        (self.parts, self.open)
    }

    fn think(&mut self, more: &str) {
        match self.parts.last_mut() {
            // What is signed is closed: text added later would not fit its signature.
            Some(Part::Thinking {
                text,
                signature: None,
            }) => text.push_str(more),
            _ => self.parts.push(Part::Thinking {
                text: more.to_owned(),
                signature: None,
            }),
        }
    }

    fn sign(&mut self, proof: &str) {
        match self.parts.last_mut() {
            Some(Part::Thinking {
                signature: signature @ None,
                ..
            }) => *signature = Some(proof.to_owned()),
            _ => self.parts.push(Part::Thinking {
                text: String::new(),
                signature: Some(proof.to_owned()),
            }),
        }
    }

    fn begin(&mut self, id: &str, name: &str) -> Result<(), String> {
        let taken = |p: &Part| matches!(p, Part::ToolCall(call) if call.id == id);
        if self.parts.iter().any(taken) {
            return Err(format!("the model sent two tool calls with the id {id:?}"));
        }
        self.open.push(id.to_owned());
        self.parts.push(Part::ToolCall(ToolCall::new(
            id.to_owned(),
            name.to_owned(),
            String::new(),
        )));
        Ok(())
    }

    fn call(&mut self, id: &str) -> Result<&mut ToolCall, String> {
        let open = self.open.iter().any(|open| open == id);
        self.parts
            .iter_mut()
            .find_map(|p| match p {
                Part::ToolCall(call) if open && call.id == id => Some(call),
                _ => None,
            })
            .ok_or_else(|| format!("the model sent arguments for no open tool call, id {id:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assemble(deltas: &[Delta]) -> Result<Vec<Part>, String> {
        let mut assembly = Assembly::default();
        for delta in deltas {
            assembly.take(delta)?;
        }
        Ok(assembly.finish().0)
    }

    fn start(id: &str) -> Delta {
        let (id, name) = (id.to_owned(), "t".to_owned());
        Delta::ToolCallStart { id, name }
    }

    fn args(id: &str, json: &str) -> Delta {
        let (id, json) = (id.to_owned(), json.to_owned());
        Delta::ToolCallArgs { id, json }
    }

    fn end(id: &str) -> Delta {
        Delta::ToolCallEnd { id: id.to_owned() }
    }

    fn call(id: &str, args: &str) -> Part {
        Part::ToolCall(ToolCall::new(id, "t", args))
    }

    #[test]
    fn runs_of_text_are_one_part_and_calls_may_interleave() {
        let parts = assemble(&[
            Delta::Text("a".into()),
            Delta::Text("b".into()),
            start("1"),
            start("2"),
            args("2", "{"),
            args("1", "{}"),
            args("2", "}"),
            end("2"),
            end("1"),
            Delta::Text("c".into()),
        ]);
        let expect = vec![
            Part::Text("ab".into()),
            call("1", "{}"),
            call("2", "{}"),
            Part::Text("c".into()),
        ];
        assert_eq!(parts, Ok(expect));
    }

    #[test]
    fn a_signature_closes_the_reasoning_before_it() {
        let think = |t: &str| Delta::Thinking(t.into());
        let sign = |s: &str| Delta::ThinkingSignature(s.into());
        let thinking = |text: &str, signature: Option<&str>| Part::Thinking {
            text: text.into(),
            signature: signature.map(str::to_owned),
        };
        let parts = assemble(&[
            think("a"),
            think("b"),
            sign("x"),
            think("c"),
            sign("y"),
            sign("z"),
        ]);
        let expect = vec![
            thinking("ab", Some("x")),
            thinking("c", Some("y")),
            thinking("", Some("z")),
        ];
        assert_eq!(parts, Ok(expect));
    }

    #[test]
    fn contradictions_are_refused() {
        assert!(assemble(&[start("1"), start("1")]).is_err());
        assert!(assemble(&[args("1", "{}")]).is_err());
        assert!(assemble(&[start("1"), end("1"), args("1", "{}")]).is_err());
    }

    #[test]
    fn calls_the_provider_left_open_are_named() {
        let mut assembly = Assembly::default();
        for delta in [start("1"), start("2"), end("1")] {
            assembly.take(&delta).unwrap();
        }
        assert!(assembly.call_complete);
        assert_eq!(assembly.finish().1, ["2"]);
    }
}
