//! An entry as a line of text, there and back.
//!
//! ```json
//! {"id":"2c0ffee","parent":"1a1b2c3","time":"2026-01-31T12:00:00.123Z","kind":"message","role":"user","message":{…}}
//! ```
//! `id`, `parent`, `time` and `kind` come first and in this order, with `role` or `extension`
//! behind them where the kind has one: so the index needs the first bytes of a row only. Rows in
//! another order are read as well, just slower. Does not know files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write as _};

use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Message, Timestamp};

use crate::EntryId;
use crate::entry::{Body, Entry, Kind, Other, Role};

/// What the beginning of a row says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RowHead<'a> {
    pub(crate) id: EntryId,
    pub(crate) parent: Option<EntryId>,
    pub(crate) time: Cow<'a, str>,
    pub(crate) kind: Kind,
    /// The owner, of an extension's state.
    pub(crate) extension: Option<Cow<'a, str>>,
}

impl RowHead<'_> {
    /// The time, or the epoch when it is damaged: a wrong time is no reason to lose an entry.
    pub(crate) fn timestamp(&self) -> Timestamp {
        self.time.parse().unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// The kinds without further fields in their head.
const PLAIN: [(&str, Kind); 9] = [
    ("meta", Kind::Meta),
    ("usage", Kind::Usage),
    ("activated_tools", Kind::ActivatedTools),
    ("compaction", Kind::Compaction),
    ("rename", Kind::Rename),
    ("clear", Kind::Clear),
    ("decision", Kind::Decision),
    ("branch", Kind::Branch),
    ("switch", Kind::Switch),
];
const MESSAGE: &str = "message";
const STATE: &str = "extension_state";

fn plain(word: &str) -> Kind {
    let known = PLAIN.iter().find(|(name, _)| *name == word);
    known.map_or(Kind::Other, |(_, kind)| *kind)
}

/// Reads the beginning of a row as this crate writes it. `None` says nothing about the row: it may
/// be in another order.
pub(crate) fn fast_head(line: &[u8]) -> Option<RowHead<'_>> {
    let mut at = Cursor(line);
    at.skip(br#"{"id":""#)?;
    let id = at.word()?.parse().ok()?;
    at.skip(br#","parent":"#)?;
    let parent = if at.skip(b"null").is_some() {
        None
    } else {
        at.skip(b"\"")?;
        Some(at.word()?.parse().ok()?)
    };
    at.skip(br#","time":""#)?;
    let time = Cow::Borrowed(at.word()?);
    at.skip(br#","kind":""#)?;
    let (kind, extension) = match at.word()? {
        MESSAGE => {
            at.skip(br#","role":""#)?;
            (Kind::Message(role(at.word()?)?), None)
        }
        STATE => {
            at.skip(br#","extension":""#)?;
            (Kind::ExtensionState, Some(Cow::Borrowed(at.word()?)))
        }
        other => (plain(other), None),
    };
    Some(RowHead {
        id,
        parent,
        time,
        kind,
        extension,
    })
}

fn role(word: &str) -> Option<Role> {
    [
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("tool", Role::Tool),
    ]
    .into_iter()
    .find_map(|(name, role)| (name == word).then_some(role))
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn skip(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// The text up to the next quote. One with escapes is left to the parser.
    fn word(&mut self) -> Option<&'a str> {
        let end = memchr::memchr2(b'"', b'\\', self.0)?;
        if self.0[end] == b'\\' {
            return None;
        }
        let word = std::str::from_utf8(&self.0[..end]).ok()?;
        self.0 = &self.0[end + 1..];
        Some(word)
    }
}

/// The parent that a damaged row still seems to name.
pub(crate) fn seeming_parent(line: &[u8]) -> Option<EntryId> {
    const KEY: &[u8] = br#""parent":""#;
    let at = memchr::memmem::find(line, KEY)?;
    Cursor(&line[at + KEY.len()..]).word()?.parse().ok()
}

#[derive(Deserialize)]
struct SlowHead {
    id: EntryId,
    #[serde(default)]
    parent: Option<EntryId>,
    #[serde(default)]
    time: String,
    kind: String,
    role: Option<String>,
    extension: Option<String>,
}

/// Reads the head of a row in any order, to its end.
pub(crate) fn slow_head(line: impl io::Read) -> Result<RowHead<'static>, serde_json::Error> {
    let mut parser = serde_json::Deserializer::from_reader(io::BufReader::new(line));
    let head = SlowHead::deserialize(&mut parser)?;
    let role = head.role.as_deref().and_then(role);
    let kind = match (head.kind.as_str(), role, &head.extension) {
        (MESSAGE, Some(role), _) => Kind::Message(role),
        (STATE, _, Some(_)) => Kind::ExtensionState,
        (other, _, _) => plain(other),
    };
    Ok(RowHead {
        id: head.id,
        parent: head.parent,
        time: Cow::Owned(head.time),
        kind,
        extension: head
            .extension
            .filter(|_| kind == Kind::ExtensionState)
            .map(Cow::Owned),
    })
}

/// The head of a whole row.
pub(crate) fn head(line: &[u8]) -> Result<RowHead<'_>, serde_json::Error> {
    match fast_head(line) {
        Some(head) => Ok(head),
        None => slow_head(line),
    }
}

/// The first JSON value of a line. What follows is the rubble of a damaged line break, and no
/// reason to lose the value.
pub(crate) fn first_value<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, serde_json::Error> {
    T::deserialize(&mut serde_json::Deserializer::from_slice(line))
}

#[derive(Deserialize)]
struct MessageFields {
    message: Message,
}

#[derive(Serialize)]
struct MessageFieldsRef<'a> {
    role: Role,
    message: &'a Message,
}

/// The message of a row.
pub(crate) fn message(line: &[u8]) -> Result<Message, serde_json::Error> {
    first_value(line).map(|fields: MessageFields| fields.message)
}

/// Reads a whole row.
pub(crate) fn decode(line: &[u8]) -> Result<Entry, serde_json::Error> {
    let head = head(line)?;
    let body = match head.kind {
        Kind::Meta => Body::Meta(first_value(line)?),
        Kind::Message(_) => Body::Message(message(line)?),
        Kind::Usage => Body::Usage(first_value(line)?),
        Kind::ExtensionState => Body::ExtensionState(first_value(line)?),
        Kind::ActivatedTools => Body::ActivatedTools(first_value(line)?),
        Kind::Compaction => Body::Compaction(first_value(line)?),
        Kind::Rename => Body::Rename(first_value(line)?),
        Kind::Clear => Body::Clear,
        Kind::Decision => Body::Decision(first_value(line)?),
        Kind::Branch => Body::Branch(first_value(line)?),
        Kind::Switch => Body::Switch,
        Kind::Other => Body::Other(other(line)?),
    };
    Ok(Entry {
        id: head.id,
        parent: head.parent,
        time: head.timestamp(),
        body,
    })
}

/// A row's fields, unopened.
pub(crate) type Fields = BTreeMap<String, RawJson>;

fn other(line: &[u8]) -> Result<Other, serde_json::Error> {
    let mut fields: Fields = first_value(line)?;
    for common in ["id", "parent", "time"] {
        fields.remove(common);
    }
    let kind = fields.remove("kind").unwrap_or_default();
    Ok(Other {
        kind: kind.view()?,
        fields: RawJson::of(&fields)?,
    })
}

/// Appends a row with its line break to `out`. There is no other in it: raw JSON is on one line, and
/// strings escape theirs.
pub(crate) fn encode(
    out: &mut Vec<u8>,
    id: EntryId,
    parent: Option<EntryId>,
    time: Timestamp,
    body: &Body,
) -> Result<(), serde_json::Error> {
    let kind = match body {
        Body::Message(_) => MESSAGE,
        Body::ExtensionState(_) => STATE,
        Body::Other(other) => &other.kind,
        body => {
            let kind = body.kind();
            PLAIN
                .iter()
                .find(|(_, known)| *known == kind)
                .map_or("", |(name, _)| name)
        }
    };
    write_head(out, id, parent, &RawJson::of(&time)?, &RawJson::of(kind)?);
    match body {
        Body::Meta(meta) => write_fields(out, meta),
        Body::Message(message) => write_fields(
            out,
            &MessageFieldsRef {
                role: Role::of(message),
                message,
            },
        ),
        Body::Usage(usage) => write_fields(out, usage),
        Body::ExtensionState(state) => write_fields(out, state),
        Body::ActivatedTools(tools) => write_fields(out, tools),
        Body::Compaction(compaction) => write_fields(out, compaction),
        Body::Rename(rename) => write_fields(out, rename),
        Body::Decision(decision) => write_fields(out, decision),
        Body::Branch(mark) => write_fields(out, mark),
        // Read as fields first: an object alone can be joined to the head.
        Body::Other(other) => write_fields(out, &other.fields.view::<Fields>()?),
        Body::Clear | Body::Switch => {
            out.push(b'}');
            Ok(())
        }
    }?;
    out.push(b'\n');
    Ok(())
}

/// Writes the row of `fields` anew, with another id and parent. Everything else stays as it is,
/// what this version does not know included.
pub(crate) fn rewrite(
    out: &mut Vec<u8>,
    mut fields: Fields,
    id: EntryId,
    parent: Option<EntryId>,
) -> Result<(), serde_json::Error> {
    fields.remove("id");
    fields.remove("parent");
    let time = fields.remove("time").unwrap_or_default();
    let kind = fields.remove("kind").unwrap_or_default();
    write_head(out, id, parent, &time, &kind);
    for first in ["role", "extension"] {
        if let Some(value) = fields.remove(first) {
            // Writing to memory cannot fail.
            let _ = write!(out, ",\"{first}\":{value}");
        }
    }
    write_fields(out, &fields)?;
    out.push(b'\n');
    Ok(())
}

fn write_head(
    out: &mut Vec<u8>,
    id: EntryId,
    parent: Option<EntryId>,
    time: &RawJson,
    kind: &RawJson,
) {
    // Writing to memory cannot fail.
    let _ = match parent {
        Some(parent) => write!(out, r#"{{"id":"{id}","parent":"{parent}""#),
        None => write!(out, r#"{{"id":"{id}","parent":null"#),
    };
    let _ = write!(out, r#","time":{time},"kind":{kind}"#);
}

/// Joins the fields of an object to an open one and closes it.
fn write_fields<T: Serialize>(out: &mut Vec<u8>, fields: &T) -> Result<(), serde_json::Error> {
    let brace = out.len();
    serde_json::to_writer(&mut *out, fields)?;
    if out[brace..] == *b"{}" {
        out.remove(brace);
    } else {
        out[brace] = b',';
    }
    Ok(())
}

#[cfg(test)]
mod tests;
