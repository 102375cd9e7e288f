//! Opening tables without copying them, and what happens when the disk under a mapped file gives way.

#![expect(unsafe_code, reason = "mapping a file and handling SIGBUS have no safe form")]

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Once, OnceLock};

use grundy::table::{Table, TableError};
use signal_hook::consts::SIGBUS;
use signal_hook::low_level;

const MESSAGE: &[u8] =
    b"grundy: error: a table was cut short while it was read, or its disk failed or is full: \
leave the file alone while it is used, make room, and verify it\n";

/// The hidden file of this run, to be removed with it.
static PARTIAL: OnceLock<CString> = OnceLock::new();

/// Maps a table into memory.
pub(super) fn open(path: &Path) -> Result<Table, TableError> {
    end_on_bus_error();
    // SAFETY: the duty is that nobody changes or cuts the file meanwhile. Tables are published whole under
    // their names and replaced by renaming, never written again, so no run of this command does. A program
    // that writes into a finished table can make this one read other bytes than it checked, which it
    // treats as any byte of a hostile file: every use of a value is in bounds for all 256 of them. One that
    // cuts it short ends this process at once, by the handler.
    unsafe { Table::map(path) }
}

/// Removes the hidden file of a run when its disk gives way under it, as one that copies on write can.
pub(super) fn remove_on_bus_error(path: &Path) {
    if let Ok(path) = CString::new(path.as_os_str().as_bytes()) {
        let _ = PARTIAL.set(path);
    }
    end_on_bus_error();
}

/// Without this, touching what is not there kills the process without a word.
fn end_on_bus_error() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            if let Some(path) = PARTIAL.get() {
                let _ = rustix::fs::unlink(path.as_c_str());
            }
            let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
            low_level::exit(2);
        };
        // SAFETY: the handler calls unlink(2), write(2) and _exit(2) only, which are async-signal-safe,
        // allocates nothing, takes no lock (`OnceLock::get` is one atomic load), and does not return.
        let _ = unsafe { low_level::register(SIGBUS, handler) };
    });
}
