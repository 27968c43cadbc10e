//! Profiles from directories: one Markdown file each.
//!
//! Does not know why these directories, and never fails as a whole: what cannot be read is named.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Profile, Profiles};

/// The largest file that is read as a profile.
const FILE_BYTES: u64 = 256 * 1024;

/// A file that is no profile, or not one that is used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("sub-agent profile {}: {what}", path.display())]
pub struct ProfileProblem {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// Where profiles are looked for, the first first: the project's, zeug's own, and those that other
/// agents of the user know as well.
#[must_use]
pub fn profile_places(project: &Path, home: &Path, user_home: Option<&Path>) -> Vec<PathBuf> {
    let shared = user_home.map(|home| home.join(".agents").join("agents"));
    [project.join(".zeug").join("agents"), home.join("agents")]
        .into_iter()
        .chain(shared)
        .collect()
}

impl Profiles {
    /// Reads the profiles in these directories. The first of a name has it; within a directory
    /// that is by file name.
    #[must_use]
    pub fn load(places: &[PathBuf]) -> (Self, Vec<ProfileProblem>) {
        let mut profiles = Self::default();
        let mut problems = Vec::new();
        for place in places {
            for path in files(place, &mut problems) {
                match read(&path) {
                    // Somebody before it has the name: that is how one is replaced.
                    Ok(profile) => drop(profiles.add(profile)),
                    Err(what) => problems.push(ProfileProblem { path, what }),
                }
            }
        }
        (profiles, problems)
    }
}

fn files(place: &Path, problems: &mut Vec<ProfileProblem>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                problems.push(ProfileProblem {
                    path: place.to_owned(),
                    what: format!("cannot be listed: {error}"),
                });
            }
            return Vec::new();
        }
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_markdown(path))
        .collect();
    files.sort();
    files
}

fn is_markdown(path: &Path) -> bool {
    let hidden = path
        .file_name()
        .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let markdown = path
        .extension()
        .is_some_and(|ext| ext.eq_ignore_ascii_case("md"));
    markdown && !hidden && path.is_file()
}

fn read(path: &Path) -> Result<Profile, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("is larger than {} KiB", FILE_BYTES / 1024));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Profile::parse(&stem, &String::from_utf8_lossy(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_come_first_and_what_is_no_profile_is_named() {
        let root = tempfile::tempdir().unwrap();
        let places = profile_places(
            &root.path().join("project"),
            &root.path().join("home"),
            Some(&root.path().join("user")),
        );
        let write = |place: usize, name: &str, text: &[u8]| {
            fs::create_dir_all(&places[place]).unwrap();
            fs::write(places[place].join(name), text).unwrap();
        };
        write(0, "b.md", b"---\ndescription: project b\n---\n");
        write(0, "a.MD", b"---\ndescription: project a\n---\n");
        write(0, "README.md", b"# Profiles\n");
        write(0, ".hidden.md", b"---\ndescription: x\n---\n");
        write(0, "notes.txt", b"---\ndescription: x\n---\n");
        write(1, "b.md", b"---\ndescription: home b\n---\n");
        write(1, "huge.md", &vec![b'x'; FILE_BYTES as usize + 1]);
        write(2, "c.md", b"---\ndescription: caf\xe9\n---\n");
        fs::create_dir(places[2].join("d.md")).unwrap();
        let (profiles, problems) = Profiles::load(&places);
        let found: Vec<(&str, &str)> = profiles
            .iter()
            .map(|p| (p.name.as_str(), p.description.as_str()))
            .collect();
        assert_eq!(
            found,
            [("a", "project a"), ("b", "project b"), ("c", "caf\u{fffd}")]
        );
        let named: Vec<&str> = problems
            .iter()
            .filter_map(|p| p.path.file_name()?.to_str())
            .collect();
        assert_eq!(named, ["README.md", "huge.md"]);
    }

    #[test]
    fn a_place_that_is_not_there_is_no_problem() {
        let (profiles, problems) = Profiles::load(&[PathBuf::from("/nowhere/at/all")]);
        assert_eq!((profiles.iter().count(), problems.len()), (0, 0));
    }
}
