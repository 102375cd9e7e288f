//! Reading a table: nothing is believed before it is checked.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::digest::Digest;
use super::error::{FormatError, TableError};
use super::header::{HEADER_BYTES, Header};
use super::{partial, system};
use crate::game::Game;

/// A whole table, read only.
///
/// Opening checks all that the structure says (file type, length, the canonical header) in microseconds.
/// That the values are those that were written, and that they are right, is for [`crate::verify`].
pub struct Table {
    header: Header,
    path: Option<PathBuf>,
    bytes: Bytes,
    /// Where the values end in the bytes: a look-up must not count the entries of the game again.
    end: usize,
}

pub(super) enum Bytes {
    Own(Vec<u8>),
    Mapped(Mmap),
}

impl Table {
    /// Reads a table into memory.
    ///
    /// # Errors
    /// [`TableError::NotRegular`], [`TableError::Format`], [`TableError::Io`]
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let (mut file, header) = open(path)?;
        let length = address(path, &header)?;
        let mut bytes = Vec::new();
        let room = bytes.try_reserve_exact(length);
        room.map_err(|_| TableError::Address { path: path.to_owned(), needed: length as u64 })?;
        bytes.extend_from_slice(header.encode().as_slice());
        // One byte more than there should be, so that a file that has grown is found out.
        let rest = length as u64 - HEADER_BYTES;
        let read = file.by_ref().take(rest + 1).read_to_end(&mut bytes);
        read.map_err(TableError::io("read", path))?;
        check_length(&header, bytes.len() as u64).map_err(format_error(path))?;
        Ok(Self::assemble(header, path, Bytes::Own(bytes)))
    }

    /// Takes the bytes of a whole file.
    ///
    /// # Errors
    /// [`FormatError`]
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, FormatError> {
        let header = Header::parse(&bytes)?;
        check_length(&header, bytes.len() as u64)?;
        Ok(Self { end: end(&header), header, path: None, bytes: Bytes::Own(bytes) })
    }

    /// Reads and checks only the header of a table, and the length of the file.
    ///
    /// # Errors
    /// As [`Table::load`].
    pub fn read_header(path: &Path) -> Result<Header, TableError> {
        open(path).map(|(_, header)| header)
    }

    /// The game.
    pub const fn game(&self) -> Game {
        self.header.game()
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Where the table was read from, unless from bytes.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The values, one byte an entry.
    #[inline]
    pub fn values(&self) -> &[u8] {
        &self.bytes()[HEADER_BYTES as usize..self.end]
    }

    /// The digests that the file gives for its chunks of 16 MiB of values.
    pub fn chunk_digests(&self) -> impl ExactSizeIterator<Item = Digest> {
        self.bytes()[self.end..].as_chunks::<32>().0.iter().map(|&digest| digest.into())
    }

    /// The value at `index`, or `None` beyond the table.
    #[inline]
    pub fn get(&self, index: u64) -> Option<u8> {
        self.values().get(usize::try_from(index).ok()?).copied()
    }

    /// Looks up a batch of places: `found[i]` becomes the value at `indices[i]`.
    ///
    /// The places are checked first and then read without a branch between them, so that the processor
    /// has many reads under way at once: far faster than one [`Table::get`] waiting for another.
    ///
    /// # Errors
    /// [`TableError::Batch`] where a place is beyond the table or the two slices differ in length. Nothing
    /// is written then.
    pub fn values_at(&self, indices: &[u64], found: &mut [u8]) -> Result<(), TableError> {
        let values = self.values();
        let (places, answers) = (indices.len() as u64, found.len() as u64);
        if places != answers {
            return Err(TableError::Batch { found: answers, expected: places });
        }
        let most = indices.iter().copied().max().unwrap_or(0);
        if most >= values.len() as u64 {
            return Err(TableError::Batch { found: most, expected: values.len() as u64 });
        }
        for (found, &index) in found.iter_mut().zip(indices) {
            *found = values[index as usize];
        }
        Ok(())
    }

    /// A table of parts that [`open`] has checked.
    pub(super) fn assemble(header: Header, path: &Path, bytes: Bytes) -> Self {
        Self { end: end(&header), header, path: Some(path.to_owned()), bytes }
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Own(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// Where the values end in the bytes of a table.
fn end(header: &Header) -> usize {
    (HEADER_BYTES + header.entries()) as usize
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mapped = matches!(self.bytes, Bytes::Mapped(_));
        f.debug_struct("Table")
            .field("id", &self.game().to_string())
            .field("path", &self.path)
            .field("mapped", &mapped)
            .finish_non_exhaustive()
    }
}

/// Opens a file and checks type, header and length, in this order.
pub(super) fn open(path: &Path) -> Result<(File, Header), TableError> {
    // The type is asked before the file is opened (opening some devices does something), and once more of
    // what was opened (it may be another file by then).
    let regular = |found: &std::fs::Metadata| match partial::kind(found) {
        Some(found) => Err(TableError::NotRegular { path: path.to_owned(), found }),
        None => Ok(()),
    };
    regular(&std::fs::metadata(path).map_err(TableError::io("open", path))?)?;
    let mut file = system::open_without_waiting(path).map_err(TableError::io("open", path))?;
    let found = file.metadata().map_err(TableError::io("look at", path))?;
    regular(&found)?;
    let mut start = Vec::with_capacity(HEADER_BYTES as usize);
    let read = file.by_ref().take(HEADER_BYTES).read_to_end(&mut start);
    read.map_err(TableError::io("read", path))?;
    let header = Header::parse(&start).map_err(format_error(path))?;
    check_length(&header, found.len()).map_err(format_error(path))?;
    Ok((file, header))
}

fn format_error(path: &Path) -> impl FnOnce(FormatError) -> TableError {
    let path = path.to_owned();
    move |problem| TableError::Format { path, problem }
}

fn check_length(header: &Header, found: u64) -> Result<(), FormatError> {
    let expected = header.file_bytes();
    if found == expected { Ok(()) } else { Err(FormatError::Length { found, expected }) }
}

pub(super) fn address(path: &Path, header: &Header) -> Result<usize, TableError> {
    let needed = header.file_bytes();
    usize::try_from(needed).map_err(|_| TableError::Address { path: path.to_owned(), needed })
}
