//! The table file: its header, its digests, and how it is written and read. docs/format.md is the format.
//!
//! A file is hostile until checked, and under its final name there is never anything but a whole table.
//! This room knows the games and nothing of how values are found. `unsafe` is open in `map.rs` alone,
//! where memory is mapped.

mod digest;
mod error;
mod header;
mod known;
mod map;
mod partial;
mod read;
mod system;
mod write;

pub use digest::{CHUNK, Collector, Digest, Summary, count};
pub use error::{FormatError, TableError};
pub use header::{HEADER_BYTES, Header};
pub use known::known_root;
pub use map::prefault;
pub use partial::{Partial, Policy, Target};
pub use read::Table;
pub use write::{Reserved, Writer};
