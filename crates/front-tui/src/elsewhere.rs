//! A text in the user's own editor.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::hands::blocking;
use crate::outside::Outside;
use crate::word::Answer;

/// The most bytes that come back.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Lets the user's editor change a text, on the terminal that it has meanwhile.
pub(crate) fn edit(
    outside: &Arc<dyn Outside>,
    cwd: PathBuf,
    text: String,
) -> BoxFuture<'static, Answer> {
    let outside = Arc::clone(outside);
    let failed = Answer::Edited(Err("the editor could not be run".to_owned()));
    blocking(
        move || Answer::Edited(edited(&outside.editor(), &cwd, &text)),
        failed,
    )
}

fn edited(editor: &[OsString], cwd: &Path, text: &str) -> Result<String, String> {
    let (program, args) = editor
        .split_first()
        .ok_or("no editor is known: set VISUAL or EDITOR")?;
    let said = |error: std::io::Error| error.to_string();
    // Readable by the user alone; gone when this is over.
    let mut file = tempfile::Builder::new()
        .prefix("zeug-")
        .suffix(".md")
        .tempfile()
        .map_err(said)?;
    file.write_all(text.as_bytes()).map_err(said)?;
    file.flush().map_err(said)?;
    let mut args = args.to_vec();
    args.push(file.path().into());
    let shown = program.to_string_lossy().into_owned();
    let ended = zeug_process::foreground(Path::new(program), &args, cwd)
        .map_err(|error| format!("{shown}: {error}; set VISUAL or EDITOR to your editor"))?;
    if !ended.success() {
        return Err(format!("{shown} ended with {ended}: the text is as it was"));
    }
    // By its name: editors put another file in its place.
    let file = std::fs::File::open(file.path()).map_err(said)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(said)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("over 8 MiB: the text is as it was".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "no UTF-8: the text is as it was".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Result<&str, &str>) {
        let editor: Vec<OsString> = ["/bin/sh", "-c", line, "sh"].map(Into::into).into();
        let came = edited(&editor, Path::new("/"), "one");
        match expect {
            Ok(text) => assert_eq!(came.as_deref(), Ok(text)),
            Err(words) => {
                let why = came.unwrap_err();
                assert!(why.contains(words), "{why}");
            }
        }
    }

    #[test]
    fn what_the_editor_leaves_comes_back() {
        check("echo two >> \"$1\"", Ok("onetwo\n"));
        check("echo new > \"$1.x\"; mv \"$1.x\" \"$1\"", Ok("new\n"));
        check("exit 1", Err("the text is as it was"));
        check("printf '\\377' > \"$1\"", Err("no UTF-8"));
        let none = edited(&["/no/such/editor".into()], Path::new("/"), "");
        assert!(none.unwrap_err().contains("set VISUAL or EDITOR"));
        assert!(edited(&[], Path::new("/"), "").is_err());
    }
}
