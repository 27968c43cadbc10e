//! The children: this program as an extension, or as something simpler than one.
//!
//! They look into a line only as far as they must, so that a ratio is about the host.

mod extension;
mod raw;

use std::io;

use anyhow::Context;

/// The first argument that makes this program a child.
pub(crate) const WORD: &str = "__guest";

/// Counters confirm each time that they have received so many more.
pub(crate) const CONFIRM_EVERY: u64 = 32;

/// Plays the role that the arguments name, until its input ends.
pub(crate) fn play<'a>(mut words: impl Iterator<Item = &'a str>) -> anyhow::Result<()> {
    let mut word = |what: &'static str| words.next().context(what);
    let role = word("a guest without a role")?;
    let ended = match role {
        "echo" => {
            let answer_bytes = word("no size")?.parse()?;
            let input = word("no input")?;
            let output = word("no output")?;
            raw::echo(answer_bytes, input, output)
        }
        "tally" => raw::tally(),
        "trivial" => extension::trivial(word("no name")?),
        "slow" => {
            let name = word("no name")?;
            let pause_ms = word("no time")?.parse()?;
            std::thread::sleep(std::time::Duration::from_millis(pause_ms));
            extension::trivial(name)
        }
        "guard" => extension::guard(word("no name")?),
        "counter" => extension::counter(word("no name")?),
        other => anyhow::bail!("unknown role {other:?}"),
    };
    match ended {
        // The host went away first.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => Ok(ended?),
    }
}
