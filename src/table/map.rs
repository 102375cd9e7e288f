//! Memory that is a file: the one place of this room where `unsafe` is open.

#![expect(
    unsafe_code,
    reason = "mapping a file, and telling the kernel about pages, have no safe form"
)]

use std::io;
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

use super::error::TableError;
use super::partial::Partial;
use super::read::{Bytes, Table, address, open};

/// The whole file of a partial table, to be filled through memory.
pub(super) fn map_partial(partial: &Partial, bytes: usize) -> io::Result<MmapMut> {
    // SAFETY: the duty is that nobody changes or cuts the file while it is mapped. The file was made new
    // by this process under a hidden name of its own, nothing else in this program opens it, and it stays
    // locked against the removal of left-overs for as long as `partial` lives, which the caller keeps
    // beside the mapping. Another program would have to go for that hidden file on purpose.
    unsafe { MmapOptions::new().len(bytes).map_mut(partial.file()) }
}

impl Table {
    /// Maps a table into memory: opening reads one page, and values are read as they are asked for.
    ///
    /// # Safety
    /// While the table is alive, no one may change the file or cut it short, in this process or any other.
    /// A change is undefined behaviour; reading what was cut off ends the process with a signal (SIGBUS).
    /// [`Table::load`] has no such condition.
    ///
    /// # Errors
    /// As [`Table::load`].
    pub unsafe fn map(path: &Path) -> Result<Self, TableError> {
        let (file, header) = open(path)?;
        let length = address(path, &header)?;
        // SAFETY: the caller's promise is the one needed.
        let mapped = unsafe { MmapOptions::new().len(length).map(&file) };
        let bytes = Bytes::Mapped(mapped.map_err(TableError::io("map", path))?);
        Ok(Self::assemble(header, path, bytes))
    }
}

/// Asks the kernel for the pages of `values` at once, so that filling them does not fault page by page.
///
/// Only a hint: where the system has no such call, the pages come as they are touched.
pub fn prefault(values: &mut [u8]) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let page = rustix::param::page_size();
        let skipped = values.as_ptr().align_offset(page).min(values.len());
        let pages = &mut values[skipped..];
        let length = pages.len() / page * page;
        if length == 0 {
            return;
        }
        // SAFETY: the range holds whole pages of `values` only, which are ours alone through `&mut`, and
        // populating leaves what is in them as it is.
        let _ = unsafe {
            let advice = rustix::mm::Advice::LinuxPopulateWrite;
            rustix::mm::madvise(pages.as_mut_ptr().cast(), length, advice)
        };
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = values;
}
