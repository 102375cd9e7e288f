//! What can be wrong with a table file, and with writing one.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong in the bytes of a table file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file ends before its header does.
    #[error(
        "the file has {found} bytes, fewer than the {expected} of a header: it is cut short or no table"
    )]
    Short {
        /// The bytes of the file.
        found: u64,
        /// The bytes of a header.
        expected: u64,
    },
    /// The first eight bytes are not the length of a table's header.
    #[error(
        "bytes 0..8 give a header of {found} bytes, expected {expected}: this is no grundy table"
    )]
    HeaderLength {
        /// The length found.
        found: u64,
        /// The length of every table's header.
        expected: u64,
    },
    /// The header is not the JSON of a table.
    #[error(
        "bytes 8..4096 are not the header of a grundy table: {reason}; generate the table again"
    )]
    Json {
        /// What the parser says.
        reason: String,
    },
    /// A field of the header has a wrong value.
    #[error("header field {field}: found {found}, expected {expected}; generate the table again")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The header says what it should, but is not written in the one canonical form.
    #[error(
        "byte {at} of the header differs from the canonical form of the same header: generate the table again"
    )]
    NotCanonical {
        /// The first byte that differs, counted from the start of the file.
        at: u64,
    },
    /// The file is longer or shorter than its header says.
    #[error(
        "the file has {found} bytes, but its header describes {expected}: it is cut short or has something behind it; generate the table again"
    )]
    Length {
        /// The bytes of the file.
        found: u64,
        /// The bytes that the header describes.
        expected: u64,
    },
}

/// Why a table could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes are not those of a table.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        problem: FormatError,
    },
    /// The path is a folder, a device, a pipe or a socket.
    #[error("{} is {found}, expected a regular file", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// There is already a file of that name.
    #[error("{} exists and is kept: name another file, or replace it with --force", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is no folder to write into.
    #[error("there is no folder {} to write {} into: make it first", folder.display(), path.display())]
    NoFolder {
        /// The file to be written.
        path: PathBuf,
        /// The missing folder.
        folder: PathBuf,
    },
    /// The file system has not enough room, or the quota is used up.
    #[error("no space for {}: it needs {needed} bytes{}; make room, or write elsewhere with -o", path.display(), Free(*free))]
    Space {
        /// The file to be written.
        path: PathBuf,
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that are free, where the system says so.
        free: Option<u64>,
    },
    /// The file would be larger than the file system or a limit of this process allows.
    #[error("{} would be too large: its {needed} bytes are more than the file system or a limit of this process (ulimit -f) allows", path.display())]
    TooLarge {
        /// The file to be written.
        path: PathBuf,
        /// The bytes that it needs.
        needed: u64,
    },
    /// The table does not fit the memory that this machine can address.
    #[error("{} needs {needed} bytes of address space, more than this machine has", path.display())]
    Address {
        /// The file.
        path: PathBuf,
        /// The bytes that it needs.
        needed: u64,
    },
    /// A batch of places to look up does not fit the table or the answers.
    #[error("place {found} of the batch is out of range: expected below {expected}")]
    Batch {
        /// The place or length found.
        found: u64,
        /// The limit.
        expected: u64,
    },
    /// The system refused.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

struct Free(Option<u64>);

impl fmt::Display for Free {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |free| write!(f, ", and {free} are free"))
    }
}

impl TableError {
    /// An error of the system while doing something with `path`.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// An error of the system while making a file of `needed` bytes.
    pub(super) fn writing(
        doing: &'static str,
        path: &Path,
        needed: u64,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Space { path, needed, free: None }
            }
            io::ErrorKind::FileTooLarge => Self::TooLarge { path, needed },
            _ => Self::Io { doing, path, source },
        }
    }
}
