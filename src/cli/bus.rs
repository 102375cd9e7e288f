//! Opening tables without copying them, and what happens when another program cuts one short meanwhile.

#![expect(unsafe_code, reason = "mapping a file and handling SIGBUS have no safe form")]

use std::path::Path;
use std::sync::Once;

use grundy::table::{Table, TableError};
use signal_hook::consts::SIGBUS;
use signal_hook::low_level;

const MESSAGE: &[u8] =
    b"grundy: error: a table was cut short, or its disk failed, while it was read: \
leave the file alone while it is used, and verify it again\n";

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

/// Without this, reading what was cut off kills the process without a word.
fn end_on_bus_error() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
            low_level::exit(2);
        };
        // SAFETY: the handler calls write(2) and _exit(2) only, which are async-signal-safe, allocates
        // nothing, takes no lock, and does not return. (`stderr` is the constant 2.)
        let _ = unsafe { low_level::register(SIGBUS, handler) };
    });
}
