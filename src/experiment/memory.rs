//! Memory for tables: aligned, in large pages where the system gives them, touched before use.

use memmap2::MmapMut;

use super::ExperimentError;

/// The size of a large page on the systems that have them; an alignment that suits any vector.
const ALIGNMENT: usize = 1 << 21;

/// Written over a table before each run, so that a run that writes nothing is found out. No table of up
/// to 40 cells has this value.
const POISON: u8 = 0xEE;

/// A stretch of anonymous memory, aligned to 2 MiB, every page of it touched.
pub struct Memory {
    map: MmapMut,
    start: usize,
    bytes: usize,
}

impl Memory {
    /// Memory of `bytes` bytes. Large pages are asked for; whether they come is the system's choice.
    ///
    /// # Errors
    /// [`ExperimentError::Memory`]
    pub fn new(bytes: usize) -> Result<Self, ExperimentError> {
        let error = |reason: String| ExperimentError::Memory { bytes: bytes as u64, reason };
        let with_room = bytes.checked_add(ALIGNMENT);
        let with_room = with_room.ok_or_else(|| error("more than an address can name".into()))?;
        let map = MmapMut::map_anon(with_room).map_err(|cause| error(cause.to_string()))?;
        // Only advice: where it is refused, small pages serve.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = map.as_ptr().align_offset(ALIGNMENT);
        let mut memory = Self { map, start, bytes };
        memory.poison(bytes);
        Ok(memory)
    }

    /// The first `bytes` bytes, which must be there.
    pub fn bytes(&self, bytes: usize) -> &[u8] {
        &self.map[self.start..][..self.bytes][..bytes]
    }

    /// The first `bytes` bytes, which must be there, to be filled.
    pub fn bytes_mut(&mut self, bytes: usize) -> &mut [u8] {
        &mut self.map[self.start..][..self.bytes][..bytes]
    }

    /// Overwrites the first `bytes` bytes with what is in no table.
    pub fn poison(&mut self, bytes: usize) {
        self.bytes_mut(bytes).fill(POISON);
    }
}
