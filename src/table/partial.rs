//! A file that appears under its name only when it is whole.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::digest::Digest;
use super::error::TableError;
use super::system;

/// What happens to a file that already has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// It stays, and writing is an error.
    Keep,
    /// It is replaced, at once, when the new file is whole.
    Replace,
}

/// A name under which a file may be written: checked before any work is done.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    folder: PathBuf,
    policy: Policy,
}

impl Target {
    /// Checks that a regular file can have this name. A link stands for what it points to.
    ///
    /// # Errors
    /// [`TableError::NotRegular`], [`TableError::NoFolder`], and [`TableError::Exists`] under
    /// [`Policy::Keep`].
    pub fn check(path: &Path, policy: Policy) -> Result<Self, TableError> {
        let path = match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                fs::canonicalize(path).map_err(TableError::io("follow the link", path))?
            }
            _ => path.to_owned(),
        };
        if path.file_name().is_none() || path.as_os_str().as_bytes().ends_with(b"/") {
            return Err(TableError::NotRegular { path, found: "the name of a folder" });
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        match fs::metadata(&path) {
            Ok(found) => match kind(&found) {
                Some(found) => Err(TableError::NotRegular { path, found }),
                None if policy == Policy::Keep => Err(TableError::Exists { path }),
                None => Ok(Self { path, folder, policy }),
            },
            Err(_) if !folder.is_dir() => Err(TableError::NoFolder { path, folder }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self { path, folder, policy })
            }
            Err(error) => Err(TableError::io("look at", &path)(error)),
        }
    }

    /// Checks that there is room for a file of `needed` bytes.
    ///
    /// # Errors
    /// [`TableError::Space`]
    pub fn check_space(&self, needed: u64) -> Result<(), TableError> {
        match system::free_bytes(&self.folder) {
            Some(free) if free < needed => {
                Err(TableError::Space { path: self.path.clone(), needed, free: Some(free) })
            }
            _ => Ok(()),
        }
    }

    /// The path, with links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what dead runs have left behind of this target, and returns the paths. What is locked
    /// belongs to a living run, and stays.
    pub fn remove_left_overs(&self) -> Vec<PathBuf> {
        let Ok(folder) = fs::read_dir(&self.folder) else { return Vec::new() };
        let stem = self.stem();
        let partials = folder.filter_map(Result::ok).filter(|entry| {
            is_partial_of(&stem, &entry.file_name())
                && entry.file_type().is_ok_and(|kind| kind.is_file())
        });
        partials
            .map(|entry| self.folder.join(entry.file_name()))
            .filter(|p| remove_dead(p))
            .collect()
    }

    /// Makes the file under a hidden name of its own, and locks it.
    ///
    /// # Errors
    /// [`TableError::Io`], [`TableError::Space`]
    pub fn create(&self) -> Result<Partial, TableError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let mut name = self.stem();
            name.push(format!("{}-{count}{SUFFIX}", std::process::id()));
            let hidden = self.folder.join(name);
            let made = File::options().read(true).write(true).create_new(true).open(&hidden);
            let file = match made {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(TableError::writing("make", &hidden, 0))?,
            };
            let partial = Partial { target: self.clone(), hidden: Some(hidden), file };
            // Where there are no locks, left-overs of this run will look dead to another: it is told so
            // nowhere, but then nothing better is to be had.
            if partial.file.lock().is_err() || !partial.was_removed() {
                return Ok(partial);
            }
        }
    }

    /// How the hidden names of this target begin.
    fn stem(&self) -> OsString {
        let name = self.path.file_name().unwrap_or_default().as_bytes();
        // A name may have 255 bytes, and the hidden one is longer.
        let name = if name.len() <= 200 { name.to_owned() } else { digest_name(name) };
        OsString::from_vec([b".", name.as_slice(), b"."].concat())
    }
}

const SUFFIX: &str = ".partial";

fn digest_name(name: &[u8]) -> Vec<u8> {
    Digest::of(name).to_string().into_bytes()
}

fn is_partial_of(stem: &OsStr, name: &OsStr) -> bool {
    let number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    name.as_bytes()
        .strip_prefix(stem.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
        .is_some_and(|middle| {
            let parts: Vec<&[u8]> = middle.split(|&byte| byte == b'-').collect();
            parts.len() == 2 && parts.into_iter().all(number)
        })
}

/// Removes a file whose lock nobody holds. The lock is kept until it is gone, so that a run that has just
/// made the file finds it removed when it gets the lock.
fn remove_dead(path: &Path) -> bool {
    let Ok(file) = system::open_without_waiting(path) else { return false };
    match file.try_lock() {
        Ok(()) => fs::remove_file(path).is_ok(),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

/// What a file is that is not regular.
pub(super) fn kind(found: &fs::Metadata) -> Option<&'static str> {
    let kind = found.file_type();
    let names = [
        (kind.is_dir(), "a folder"),
        (kind.is_fifo(), "a pipe"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
        (kind.is_socket(), "a socket"),
        (!kind.is_file(), "no file"),
    ];
    names.into_iter().find(|(is, _)| *is).map(|(_, name)| name)
}

/// A file under a hidden name, locked, to be published or removed.
#[derive(Debug)]
pub struct Partial {
    target: Target,
    hidden: Option<PathBuf>,
    file: File,
}

impl Partial {
    /// The file, to be written.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The name that it is to have.
    pub fn target(&self) -> &Path {
        &self.target.path
    }

    /// The name that it has.
    pub fn path(&self) -> &Path {
        self.hidden.as_deref().unwrap_or(&self.target.path)
    }

    /// Syncs the file, gives it its name, and syncs the folder.
    ///
    /// # Errors
    /// [`TableError::Exists`] where a file of that name has come since the check, [`TableError::Space`] and
    /// [`TableError::Io`] where the bytes could not be brought to the disk. The hidden file is then removed.
    pub fn publish(mut self) -> Result<(), TableError> {
        let path = self.target.path.clone();
        self.file.sync_all().map_err(TableError::writing("write", &path, 0))?;
        let hidden = self.path();
        let renamed = match self.target.policy {
            Policy::Keep => system::rename_new(hidden, &path),
            Policy::Replace => fs::rename(hidden, &path),
        };
        match renamed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(TableError::Exists { path });
            }
            renamed => renamed.map_err(TableError::io("give its name to", &path))?,
        }
        self.hidden = None;
        let folder = File::open(&self.target.folder).and_then(|folder| folder.sync_all());
        match folder {
            // Some file systems cannot sync a folder: then there is nothing to wait for.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(TableError::io("sync the folder of", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn was_removed(&self) -> bool {
        self.file.metadata().is_ok_and(|found| found.nlink() == 0)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if let Some(hidden) = self.hidden.take() {
            // Nothing can be done about a failure here: a later run finds it dead and removes it.
            let _ = fs::remove_file(hidden);
        }
    }
}
