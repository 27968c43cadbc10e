//! What the face reads of the disk: the project's files by name, and images.

use std::path::Path;

use zeug_transcript::Image;

/// The most files that are offered.
const MAX_FILES: usize = 50_000;
/// The most bytes of an image.
const MAX_IMAGE_BYTES: u64 = 20 * 1024 * 1024;

/// The project's files and directories, relative to it, without what `.gitignore` names. Blocks.
pub(crate) fn list(cwd: &Path) -> Vec<String> {
    let walk = ignore::WalkBuilder::new(cwd)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let mut files: Vec<String> = walk
        .flatten()
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(cwd).ok()?.to_str()?.to_owned();
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            // What would not be one word, or not one line, cannot be named.
            let is_fit = !path.is_empty() && !path.contains(char::is_control);
            is_fit.then(|| if is_dir { format!("{path}/") } else { path })
        })
        .take(MAX_FILES)
        .collect();
    files.sort_unstable();
    files
}

/// Reads a file as an image. Blocks.
///
/// # Errors
/// A sentence that says why it is none.
pub(crate) fn image(path: &Path) -> Result<Image, String> {
    let said = |what: String| format!("{}: {what}", path.display());
    let facts = std::fs::metadata(path).map_err(|error| said(error.to_string()))?;
    if !facts.is_file() || facts.len() > MAX_IMAGE_BYTES {
        let most = MAX_IMAGE_BYTES / (1024 * 1024);
        return Err(said(format!("no file, or over {most} MiB")));
    }
    let bytes = std::fs::read(path).map_err(|error| said(error.to_string()))?;
    match infer::get(&bytes) {
        Some(kind) if matches!(kind.extension(), "png" | "jpg" | "gif" | "webp") => {
            Ok(Image::from_bytes(kind.mime_type(), &bytes))
        }
        _ => Err(said("not a PNG, JPEG, GIF or WebP image".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_files_are_not_offered() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".gitignore", "out/\n");
        write("out/x.o", "");
        write("src/a b.rs", "");
        write(".git/config", "");
        assert_eq!(list(dir.path()), [".gitignore", "src/", "src/a b.rs"]);
    }

    #[test]
    fn only_images_are_images() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        std::fs::write(&path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
        assert_eq!(image(&path).unwrap().mime_type, "image/png");
        std::fs::write(&path, b"text").unwrap();
        assert!(image(&path).unwrap_err().contains("not a PNG"));
    }
}
