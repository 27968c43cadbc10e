//! One writer a session: the operating system's lock on the session's own file.
//!
//! The lock goes with the open file, so it ends with its process however that ends. Does not know
//! what is written.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;

/// What came of asking for the lock.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Locking {
    /// It is ours while the file is open.
    Ours,
    /// Another handle has it; the process, where the system tells.
    Theirs(Option<u32>),
    /// The file system has no locks.
    None,
}

/// Asks for the lock; never waits.
pub(crate) fn take(file: &File) -> io::Result<Locking> {
    match file.try_lock() {
        Ok(()) => Ok(Locking::Ours),
        Err(TryLockError::WouldBlock) => Ok(Locking::Theirs(holder(file))),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(Locking::None)
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The process that holds the lock, as Linux lists it.
fn holder(file: &File) -> Option<u32> {
    let inode = file.metadata().ok()?.ino();
    find_holder(&std::fs::read_to_string("/proc/locks").ok()?, inode)
}

/// Reads `1: FLOCK  ADVISORY  WRITE 4242 08:01:131082 0 EOF`. The inode alone is compared, since
/// some file systems show another device there; so two candidates are none.
fn find_holder(list: &str, inode: u64) -> Option<u32> {
    let mut found = list.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", "ADVISORY", "WRITE", pid, place, ..] = words[..] else {
            return None;
        };
        let theirs: u64 = place.rsplit(':').next()?.parse().ok()?;
        (theirs == inode).then(|| pid.parse::<u32>().ok())?
    });
    let pid = found.next()?;
    // A process in a PID namespace of its own is listed as 0.
    (found.next().is_none() && pid != 0).then_some(pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_found_when_it_is_the_only_candidate() {
        let list = "1: FLOCK  ADVISORY  WRITE 4242 08:01:131082 0 EOF\n\
                    2: POSIX  ADVISORY  READ 7 08:01:5 128 128\n\
                    3: FLOCK  ADVISORY  WRITE 0 08:01:9 0 EOF\n\
                    4: -> FLOCK  ADVISORY  WRITE 8 08:01:131082 0 EOF\n";
        assert_eq!(find_holder(list, 131_082), Some(4242));
        assert_eq!(find_holder(list, 5), None);
        assert_eq!(find_holder(list, 9), None);
        let twice = format!("{list}5: FLOCK ADVISORY WRITE 1 00:02:131082 0 EOF\n");
        assert_eq!(find_holder(&twice, 131_082), None);
    }

    #[test]
    fn a_second_handle_is_told_who_holds_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let first = crate::files::create_new(&path).unwrap();
        assert_eq!(take(&first).unwrap(), Locking::Ours);
        let second = crate::files::open_append(&path).unwrap();
        let Locking::Theirs(pid) = take(&second).unwrap() else {
            panic!("two writers");
        };
        assert!(pid.is_none_or(|pid| pid == std::process::id()));
        drop(first);
        assert_eq!(take(&second).unwrap(), Locking::Ours);
    }
}
