//! Writing a table: reserve, map, fill, seal, publish.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use memmap2::MmapMut;

use super::digest::{Digest, Summary};
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
/// let summary = Summary::of(writer.values());
/// writer.finish(&summary)?;
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

    /// Writes digests and header, brings the file to the disk, and gives it its name.
    ///
    /// `summary` must be that of the values, as [`Summary::of`] or a collector gives it.
    ///
    /// # Errors
    /// All of [`Partial::publish`]. The hidden file is then removed.
    pub fn finish(mut self, summary: &Summary) -> Result<Header, TableError> {
        let header = Header::new(self.game, summary);
        let digests = (HEADER_BYTES + self.game.entries()) as usize;
        let places = self.map[digests..].chunks_exact_mut(Digest::BYTES as usize);
        for (place, chunk) in places.zip(&summary.chunks) {
            place.copy_from_slice(chunk.bytes());
        }
        self.map[..HEADER_BYTES as usize].copy_from_slice(header.encode().as_slice());
        let path = self.partial.target();
        self.map.flush().map_err(TableError::writing("write", path, header.file_bytes()))?;
        self.partial.publish()?;
        Ok(header)
    }
}

fn reserve(partial: &Partial, bytes: u64) -> io::Result<Reserved> {
    if super::system::reserve(partial.file(), bytes)? {
        return Ok(Reserved::Blocks);
    }
    let zeros = vec![0; 1 << 20];
    let mut file = partial.file();
    let mut left = bytes;
    while left > 0 {
        let now = left.min(zeros.len() as u64);
        file.write_all(&zeros[..now as usize])?;
        left -= now;
    }
    Ok(Reserved::Zeros)
}
