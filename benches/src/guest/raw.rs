//! Children that know lines and no protocol: what pipes and processes cost by themselves.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use super::CONFIRM_EVERY;

/// As much as a pipe holds, so that reading costs no more calls than the host's own reader makes.
pub(super) const BUFFER_BYTES: usize = 64 * 1024;

/// Answers each line with a line of `answer_bytes`. `-` stands for the standard stream.
pub(super) fn echo(answer_bytes: usize, input: &str, output: &str) -> io::Result<()> {
    let answer = "x".repeat(answer_bytes) + "\n";
    if input == "-" {
        return answer_all(&answer, io::stdin().lock(), io::stdout().lock());
    }
    // In this order: opening a named pipe waits for the other side.
    let input = File::open(input)?;
    let output = File::options().write(true).open(output)?;
    answer_all(&answer, input, output)
}

fn answer_all(answer: &str, input: impl io::Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        output.write_all(answer.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Counts lines, and writes the count each time that it is due.
pub(super) fn tally() -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    let mut count = 0;
    while input.read_until(b'\n', &mut line)? > 0 {
        count += 1;
        if count % CONFIRM_EVERY == 0 {
            writeln!(output, "{count}")?;
        }
        line.clear();
    }
    Ok(())
}
