//! `read`: a part of a text file, or an image.
//!
//! Does not remember what was read; how lines are found and counted is in `lines`.

mod lines;

use std::fs::File;
use std::io::{Cursor, Read as _};

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::{Content, Image, Outcome};

use self::lines::{Want, Window};
use crate::args;
use crate::blocking;
use crate::failure::Failure;
use crate::page;
use crate::place::{Place, Roots};

/// The largest image that is passed on: providers take 5 MiB of base64, which is 4/3 of its bytes.
const MAX_IMAGE_BYTES: u64 = 5 * 1024 * 1024 / 4 * 3;
/// How much of a file is looked at to tell images and binary files from text.
const SNIFFED_BYTES: u64 = 8192;
/// The most entries that are named when a directory is read.
const LISTED_ENTRIES: usize = 20;

const NAME: &str = "read";
const DESCRIPTION: &str = "Read a text file or an image (png, jpeg, gif, webp). Text comes back \
    without line numbers, at most 2000 lines or 50 KiB at once; a note at the end says which \
    offset to go on with.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The file, relative to the project directory or absolute.
    path: String,
    /// The first line to read, counted from 1.
    offset: Option<u64>,
    /// The most lines to read.
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

/// The tool.
pub(crate) struct Read {
    spec: Spec,
    roots: Roots,
}

impl Read {
    pub(crate) fn new(roots: Roots) -> Self {
        let mut spec = Spec::built_in(NAME, DESCRIPTION, args::schema::<Args>());
        spec.annotations = Annotations {
            read_only: true,
            idempotent: true,
            ..Annotations::default()
        };
        Self { spec, roots }
    }

    async fn run(&self, call: &Call, cx: &Context) -> Result<Vec<Content>, Failure> {
        let args: Args = args::parse(call)?;
        let place = self.roots.place(cx, &args.path)?;
        let want = Want {
            first: args.offset.unwrap_or(1).max(1),
            count: args.limit.unwrap_or(u64::MAX).max(1),
        };
        blocking::look(cx, move |stop| read(&place, want, stop)).await
    }
}

#[async_trait]
impl Tool for Read {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        match self.run(call, cx).await {
            Ok(content) => Outcome {
                content,
                ..Outcome::ok("")
            },
            Err(failure) => failure.outcome(NAME),
        }
    }
}

fn read(place: &Place, want: Want, stop: &CancellationToken) -> Result<Vec<Content>, Failure> {
    let (mut file, bytes) = open(place)?;
    let io = |why| place.failure("read", why);
    let mut start = Vec::new();
    file.by_ref()
        .take(SNIFFED_BYTES)
        .read_to_end(&mut start)
        .map_err(io)?;
    if let Some(mime) = image_type(&start) {
        return image(place, mime, start, file, bytes);
    }
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(Failure::Utf16(place.shown.clone()));
    }
    if start.contains(&0) {
        return Err(Failure::Binary(place.shown.clone()));
    }
    let window = lines::window(Cursor::new(start).chain(file), want, stop).map_err(io)?;
    blocking::go_on(stop)?;
    text(place, want, window, bytes).map(|text| vec![Content::text(text)])
}

/// Opens a regular file. What it is gets checked first: opening a named pipe would wait for a writer.
fn open(place: &Place) -> Result<(File, u64), Failure> {
    let io = |why| place.failure("read", why);
    let meta = place.path.metadata().map_err(io)?;
    if meta.is_dir() {
        return Err(Failure::Directory {
            shown: place.shown.clone(),
            next: contents(place),
        });
    }
    if !meta.is_file() {
        return Err(Failure::Special(place.shown.clone()));
    }
    Ok((File::open(&place.path).map_err(io)?, meta.len()))
}

fn contents(place: &Place) -> String {
    let Ok(entries) = place.path.read_dir() else {
        return "read one of its files".to_owned();
    };
    let mut names: Vec<String> = entries
        .take(1000)
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let slash = if entry.path().is_dir() { "/" } else { "" };
            Some(name + slash)
        })
        .collect();
    names.sort();
    let more = if names.len() > LISTED_ENTRIES {
        ", …"
    } else {
        ""
    };
    names.truncate(LISTED_ENTRIES);
    if names.is_empty() {
        return "it is empty".to_owned();
    }
    format!("it contains {}{more}; read a file of it", names.join(", "))
}

/// The type by the first bytes; the name of a file does not count.
fn image_type(start: &[u8]) -> Option<&'static str> {
    let known = infer::get(start)?.mime_type();
    ["image/png", "image/jpeg", "image/gif", "image/webp"]
        .into_iter()
        .find(|mime| *mime == known)
}

fn image(
    place: &Place,
    mime: &'static str,
    mut bytes: Vec<u8>,
    rest: File,
    len: u64,
) -> Result<Vec<Content>, Failure> {
    // One byte more than allowed shows that a file has grown since it was measured.
    let room = (MAX_IMAGE_BYTES + 1).saturating_sub(bytes.len() as u64);
    rest.take(room)
        .read_to_end(&mut bytes)
        .map_err(|why| place.failure("read", why))?;
    if bytes.len() as u64 > MAX_IMAGE_BYTES {
        return Err(Failure::TooBig {
            shown: place.shown.clone(),
            bytes: len,
            limit: MAX_IMAGE_BYTES,
            next: "make a smaller copy of the image with bash and read that",
        });
    }
    let note = format!(
        "[{}: {mime}, {}]",
        place.shown,
        page::size(bytes.len() as u64)
    );
    Ok(vec![
        Content::text(note),
        Content::Image(Image::from_bytes(mime, &bytes)),
    ])
}

fn text(place: &Place, want: Want, window: Window, bytes: u64) -> Result<String, Failure> {
    if window.binary {
        return Err(Failure::Binary(place.shown.clone()));
    }
    if window.lines == 0 {
        return match window.next {
            1 => Ok("[the file is empty]".to_owned()),
            next => Err(Failure::PastEnd {
                shown: place.shown.clone(),
                lines: next - 1,
                offset: want.first,
            }),
        };
    }
    let mut text = window.text;
    let mut note = |sentence: String| {
        text.push_str("\n[");
        text.push_str(&sentence);
        text.push(']');
    };
    if window.crlf {
        note("the lines end with CRLF; edit keeps that".to_owned());
    }
    if window.lossy {
        note("bytes that are not UTF-8 are shown as \u{fffd}".to_owned());
    }
    if let Some(whole) = window.cut {
        note(format!(
            "line {} has {}, only its start is shown; use bash, for example `cut -c`, for the rest",
            window.next - 1,
            page::size(whole)
        ));
    }
    if window.more {
        note(format!(
            "lines {} to {} of a file of {}; go on with offset={}",
            want.first,
            window.next - 1,
            page::size(bytes),
            window.next
        ));
    }
    Ok(text)
}
