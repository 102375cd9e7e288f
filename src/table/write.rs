//! Writing a table: reserve, map, fill, seal, publish.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use memmap2::MmapMut;

use super::digest::{Collector, Digest, Summary};
use super::error::TableError;
use super::header::{HEADER_BYTES, Header};
use super::map::map_partial;
use super::partial::{Partial, Policy, Target};
use crate::game::Game;

/// How the blocks of a table were had before it was filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// The file system has set them aside.
    Blocks,
    /// The file system cannot: zeros were written.
    Zeros,
}

/// A table being written: a whole file in memory that has no name yet.
///
/// ```
/// use grundy::game::{Game, Rule, Strip};
/// use grundy::table::{Policy, Summary, Table, Writer};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("chess-2.safetensors");
/// let game = Game::from(Strip::new(Rule::Chess, 2, None)?);
/// let mut writer = Writer::create(&path, game, Policy::Keep)?;
/// writer.values_mut().copy_from_slice(&[0, 0, 1, 0]);
/// writer.finish()?;
/// assert_eq!(Table::load(&path)?.get(0b10), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    game: Game,
    reserved: Reserved,
    map: MmapMut,
    partial: Partial,
}

impl Writer {
    /// Checks the target, makes the hidden file and reserves it.
    ///
    /// # Errors
    /// All of [`Target::check`], [`Target::create`] and [`Writer::reserve`].
    pub fn create(path: &Path, game: Game, policy: Policy) -> Result<Self, TableError> {
        let target = Target::check(path, policy)?;
        target.check_space(Header::file_bytes_of(&game))?;
        Self::reserve(target.create()?, game)
    }

    /// Reserves the blocks of the whole file and maps it: from here on no write can run out of disk.
    ///
    /// # Errors
    /// [`TableError::Space`], [`TableError::TooLarge`], [`TableError::Address`], [`TableError::Io`]
    pub fn reserve(partial: Partial, game: Game) -> Result<Self, TableError> {
        let bytes = Header::file_bytes_of(&game);
        let path = partial.target();
        let address = || TableError::Address { path: path.to_owned(), needed: bytes };
        let length = usize::try_from(bytes).map_err(|_| address())?;
        let reserved = reserve(&partial, bytes).map_err(TableError::writing(
            "reserve the blocks of",
            path,
            bytes,
        ))?;
        let map = map_partial(&partial, length).map_err(TableError::io("map", path))?;
        Ok(Self { game, reserved, map, partial })
    }

    /// How the blocks were reserved.
    pub const fn reserved(&self) -> Reserved {
        self.reserved
    }

    /// The hidden name of the file, until it is finished.
    pub fn partial_path(&self) -> PathBuf {
        self.partial.path().to_owned()
    }

    /// The values as far as they are filled, one byte an entry.
    pub fn values(&self) -> &[u8] {
        let start = HEADER_BYTES as usize;
        &self.map[start..start + self.game.entries() as usize]
    }

    /// The values to be filled, one byte an entry.
    pub fn values_mut(&mut self) -> &mut [u8] {
        let start = HEADER_BYTES as usize;
        &mut self.map[start..start + self.game.entries() as usize]
    }

    /// Digests all values and publishes the table.
    ///
    /// # Errors
    /// All of [`Sealed::publish`].
    pub fn finish(self) -> Result<Header, TableError> {
        let summary = Summary::of(self.values());
        self.write_summary(&summary).publish()
    }

    /// Writes digests and header, with what `collector` has gathered from these values while they were made.
    pub fn seal(self, collector: Collector) -> Sealed {
        let summary = collector.finish(self.values());
        self.write_summary(&summary)
    }

    fn write_summary(mut self, summary: &Summary) -> Sealed {
        let header = Header::new(self.game, summary);
        let digests = (HEADER_BYTES + self.game.entries()) as usize;
        let places = self.map[digests..].chunks_exact_mut(Digest::BYTES as usize);
        for (place, chunk) in places.zip(&summary.chunks) {
            place.copy_from_slice(chunk.bytes());
        }
        self.map[..HEADER_BYTES as usize].copy_from_slice(header.encode().as_slice());
        Sealed { header, map: self.map, partial: self.partial }
    }
}

/// A whole table in memory that has no name yet.
#[derive(Debug)]
pub struct Sealed {
    header: Header,
    map: MmapMut,
    partial: Partial,
}

impl Sealed {
    /// Brings the file to the disk and gives it its name.
    ///
    /// # Errors
    /// All of [`Partial::publish`]. The hidden file is then removed.
    pub fn publish(self) -> Result<Header, TableError> {
        let (path, bytes) = (self.partial.target(), self.header.file_bytes());
        self.map.flush().map_err(TableError::writing("write", path, bytes))?;
        self.partial.publish()?;
        Ok(self.header)
    }
}

/// Up to here a file is written as zeros even where its blocks are reserved: written pages come in large pieces, but
/// pages that a mapping touches come one by one, and then take twice as long to sync.
const ZEROS_FIRST: u64 = 1 << 24;

fn reserve(partial: &Partial, bytes: u64) -> io::Result<Reserved> {
    let blocks = super::system::reserve(partial.file(), bytes)?;
    if !blocks || bytes <= ZEROS_FIRST {
        write_zeros(partial, bytes)?;
    }
    Ok(if blocks { Reserved::Blocks } else { Reserved::Zeros })
}

fn write_zeros(partial: &Partial, bytes: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut file = partial.file();
    let mut left = bytes;
    while left > 0 {
        let now = left.min(zeros.len() as u64);
        file.write_all(&zeros[..now as usize])?;
        left -= now;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Policy, Target, write_zeros};

    #[test]
    fn zeros_take_the_place_of_reserved_blocks_to_the_byte() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = Target::check(&folder.path().join("t"), Policy::Keep).expect("free");
        for bytes in [1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1] {
            let partial = target.create().expect("made");
            write_zeros(&partial, bytes).expect("written");
            let written = std::fs::read(partial.path()).expect("read");
            assert!(written.len() as u64 == bytes && written.iter().all(|&byte| byte == 0));
        }
    }
}
