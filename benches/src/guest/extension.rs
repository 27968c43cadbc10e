//! Children that speak protocol 2: hello, wait for the answer, register, ready, and then lines.

use std::io::{self, BufRead, BufReader, StdinLock, StdoutLock, Write};

use super::CONFIRM_EVERY;
use super::raw::BUFFER_BYTES;

const SHUTDOWN: &[u8] = b"{\"type\":\"shutdown\"";
const QUESTION: &[u8] = b"{\"type\":\"event_intercept\",\"id\":\"";
const EVENT: &[u8] = b"{\"type\":\"event\",";
const SEQUENCE: &[u8] = b"\"sequence\":";

/// Offers one tool and waits for the end.
pub(super) fn trivial(name: &str) -> io::Result<()> {
    let tool = format!(
        r#"{{"type":"register_tool","name":"tool-{name}","description":"does nothing","schema":{{"type":"object","properties":{{"path":{{"type":"string"}}}},"required":["path"]}}}}"#
    );
    Extension::greet(name, &tool)?.serve(|_, _| Ok(()))
}

/// Is asked before each call of `bash`, and of a tool that no other guard is asked about, and
/// never minds.
pub(super) fn guard(name: &str) -> io::Result<()> {
    let wish = format!(
        r#"{{"type":"subscribe","intercept":[{{"name":"tool_call","match":["bash","only-{name}"]}}]}}"#
    );
    Extension::greet(name, &wish)?.serve(|line, answer| {
        if let Some(id) = quoted(line, QUESTION) {
            answer.extend(b"{\"type\":\"event_intercept_response\",\"id\":\"");
            answer.extend(id);
            answer.extend(b"\"}\n");
        }
        Ok(())
    })
}

/// Counts events and checks that none is missing.
pub(super) fn counter(name: &str) -> io::Result<()> {
    let wish = r#"{"type":"subscribe","events":["tool_call"]}"#;
    let (mut count, mut last) = (0, None);
    Extension::greet(name, wish)?.serve(|line, answer| {
        if !line.starts_with(EVENT) {
            return Ok(());
        }
        let sequence = number(line, SEQUENCE);
        if last.is_some() && sequence != last.map(|last| last + 1) {
            return writeln!(
                answer,
                r#"{{"type":"notify","message":"after event {last:?} came {sequence:?}"}}"#
            );
        }
        last = sequence;
        count += 1;
        if count % CONFIRM_EVERY == 0 {
            writeln!(answer, r#"{{"type":"notify","message":"{count}"}}"#)?;
        }
        Ok(())
    })
}

/// An extension that was greeted and is ready.
struct Extension {
    input: BufReader<StdinLock<'static>>,
    output: StdoutLock<'static>,
}

impl Extension {
    fn greet(name: &str, registration: &str) -> io::Result<Self> {
        let mut this = Self {
            input: BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock()),
            output: io::stdout().lock(),
        };
        let hello = format!(
            r#"{{"type":"hello","protocol_version":2,"name":"{name}","version":"1.0.0","capabilities":[]}}"#
        );
        this.output.write_all(format!("{hello}\n").as_bytes())?;
        let mut ack = Vec::new();
        this.input.read_until(b'\n', &mut ack)?;
        let rest = format!("{registration}\n{{\"type\":\"ready\"}}\n");
        this.output.write_all(rest.as_bytes())?;
        Ok(this)
    }

    /// Gives each line to `hear`, and writes what that answers.
    fn serve(
        mut self,
        mut hear: impl FnMut(&[u8], &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut line, mut answer) = (Vec::new(), Vec::new());
        while self.input.read_until(b'\n', &mut line)? > 0 && !line.starts_with(SHUTDOWN) {
            hear(&line, &mut answer)?;
            if !answer.is_empty() {
                self.output.write_all(&answer)?;
                answer.clear();
            }
            line.clear();
        }
        Ok(())
    }
}

/// What stands between `start`, with which the line begins, and the next quotation mark.
fn quoted<'a>(line: &'a [u8], start: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(start)?;
    rest.get(..memchr::memchr(b'"', rest)?)
}

/// The number behind `key`.
fn number(line: &[u8], key: &[u8]) -> Option<u64> {
    let at = memchr::memmem::find(line, key)? + key.len();
    let digits = line[at..].iter().take_while(|b| b.is_ascii_digit());
    digits.fold(None, |sum, digit| {
        Some(sum.unwrap_or(0) * 10 + u64::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_names() {
        let question = br#"{"type":"event_intercept","id":"ask-7","event":"tool_call"}"#;
        assert_eq!(quoted(question, QUESTION), Some(&b"ask-7"[..]));
        assert_eq!(quoted(b"{}", QUESTION), None);
        assert_eq!(
            number(br#"{"a":1,"sequence":42,"b":7}"#, SEQUENCE),
            Some(42)
        );
        assert_eq!(number(br#"{"sequence":null}"#, SEQUENCE), None);
    }
}
