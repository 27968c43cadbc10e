//! A call's arguments in one line: what a reader wants to know of it.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::safe;

/// The most bytes of a summary; whoever shows it cuts it to the room there is.
const MAX_BYTES: usize = 4096;

/// What a call is about, on one line, safe; empty when there is nothing to say.
///
/// `args` is what the model wrote and need not be JSON; while it streams, it is the beginning of
/// some.
#[must_use]
pub fn summary(tool: &str, args: &str) -> String {
    let text = match serde_json::from_str::<Value>(args) {
        Ok(Value::Object(args)) => known(tool, &args).unwrap_or_else(|| pairs(&args)),
        Ok(Value::Null) => String::new(),
        Ok(other) => other.to_string(),
        Err(_) => args.trim().to_owned(),
    };
    let line = safe::plain_line(zeug_stdx::text::prefix(text.trim(), MAX_BYTES));
    line.trim_end().to_owned()
}

/// The summary of a built-in tool's call; `None` for other tools, and when what matters is missing.
fn known(tool: &str, args: &Map<String, Value>) -> Option<String> {
    let text = |key: &str| args.get(key).and_then(Value::as_str);
    let number = |key: &str| args.get(key).and_then(Value::as_u64);
    Some(match tool {
        "bash" => {
            let command = text("command")?.trim();
            match number("timeout") {
                Some(seconds) => format!("{command} (at most {seconds} s)"),
                None => command.to_owned(),
            }
        }
        "read" => {
            let path = text("path")?;
            match (number("offset"), number("limit")) {
                (None, None) => path.to_owned(),
                (from, Some(limit)) => {
                    let from = from.unwrap_or(1);
                    let to = from.saturating_add(limit).saturating_sub(1);
                    format!("{path}:{from}-{to}")
                }
                (Some(from), None) => format!("{path}:{from}-"),
            }
        }
        "write" => {
            let lines = text("content").map_or(0, |content| content.lines().count());
            format!("{} ({})", text("path")?, count(lines, "line"))
        }
        "edit" => {
            let path = text("path")?;
            match args.get("edits").and_then(Value::as_array) {
                Some(edits) if edits.len() > 1 => {
                    format!("{path} ({})", count(edits.len(), "change"))
                }
                _ => path.to_owned(),
            }
        }
        "grep" => {
            let place = text("path").map_or(String::new(), |path| format!(" in {path}"));
            let glob = text("glob").map_or(String::new(), |glob| format!(" ({glob})"));
            format!("{:?}{place}{glob}", text("pattern")?)
        }
        "glob" => {
            let place = text("path").map_or(String::new(), |path| format!(" in {path}"));
            format!("{}{place}", text("pattern")?)
        }
        "task" => text("description").or_else(|| text("prompt"))?.to_owned(),
        "skill" => text("name")?.to_owned(),
        "codemode" => text("code")?.trim().to_owned(),
        _ => return None,
    })
}

/// `city: Berlin, days: 3`; one that stands alone needs no name.
fn pairs(args: &Map<String, Value>) -> String {
    let show = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if args.len() == 1
        && let Some(Value::String(only)) = args.values().next()
    {
        return only.clone();
    }
    let pairs = args
        .iter()
        .map(|(key, value)| format!("{key}: {}", show(value)));
    pairs.collect::<Vec<_>>().join(", ")
}

fn count(number: usize, of: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {of}{s}")
}

/// A size for people: `512 B`, `4.5 KiB`, `12 MiB`.
#[must_use]
pub fn bytes(count: usize) -> String {
    let mut value = count as f64;
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == "B" || value >= 10.0 {
        format!("{value:.0} {unit}")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// A time for people: `0.3 s`, `12 s`, `2 min 5 s`, `1 h 2 min`.
#[must_use]
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_millis() as f64 / 1000.0),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_in_one_line() {
        let check = |tool: &str, args: &str, expect: &str| {
            assert_eq!(summary(tool, args), expect, "{tool} {args}");
        };
        check("bash", r#"{"command":"ls -l\npwd"}"#, "ls -l pwd");
        check("bash", r#"{"command":"x","timeout":5}"#, "x (at most 5 s)");
        check("read", r#"{"path":"a.rs"}"#, "a.rs");
        check(
            "read",
            r#"{"path":"a.rs","offset":10,"limit":5}"#,
            "a.rs:10-14",
        );
        check("read", r#"{"path":"a.rs","offset":10}"#, "a.rs:10-");
        check("write", r#"{"path":"a","content":"x\ny\n"}"#, "a (2 lines)");
        check("edit", r#"{"path":"a","edits":[{},{}]}"#, "a (2 changes)");
        check(
            "grep",
            r#"{"pattern":"fn","path":"src","glob":"*.rs"}"#,
            "\"fn\" in src (*.rs)",
        );
        check("glob", r#"{"pattern":"**/*.rs"}"#, "**/*.rs");
        check("weather", r#"{"city":"Berlin"}"#, "Berlin");
        check(
            "weather",
            r#"{"city":"Berlin","days":3}"#,
            "city: Berlin, days: 3",
        );
        check("x", "{}", "");
        check("x", "", "");
    }

    #[test]
    fn what_is_not_as_it_should_be_shows_as_it_is() {
        let check = |tool: &str, args: &str, expect: &str| {
            assert_eq!(summary(tool, args), expect, "{tool} {args}");
        };
        check("bash", r#"{"command":"ca"#, r#"{"command":"ca"#);
        check("bash", r#"{"command":5}"#, "command: 5");
        check("bash", r#"{"command":"\u001b[2Jx"}"#, "x");
        check(
            "read",
            r#"{"path":"a","offset":18446744073709551615,"limit":9}"#,
            "a:18446744073709551615-18446744073709551614",
        );
        assert!(summary("x", &format!("[\"{}\"]", "x".repeat(99_999))).len() <= MAX_BYTES);
    }

    #[test]
    fn sizes_and_times_are_for_people() {
        assert_eq!(
            [bytes(0), bytes(1023), bytes(4608), bytes(12 << 20)],
            ["0 B", "1023 B", "4.5 KiB", "12 MiB"]
        );
        let time = |ms| duration(Duration::from_millis(ms));
        assert_eq!(
            [time(340), time(12_000), time(125_000), time(3_720_000)],
            ["0.3 s", "12 s", "2 min 5 s", "1 h 2 min"]
        );
    }
}
