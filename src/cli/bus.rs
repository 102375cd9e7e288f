//! Opening tables without copying them, and what happens when the disk under a mapped file gives way.

#![expect(unsafe_code, reason = "mapping a file and handling SIGBUS have no safe form")]

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Once, OnceLock};

use grundy::table::{Table, TableError};

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
///
/// The handler stands alone: one that is chained before that of the standard library lets it first restore
/// the default, and a second thread that faults meanwhile kills the process after all.
fn end_on_bus_error() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler: extern "C" fn(libc::c_int) = bus_error;
        // SAFETY: zeros are a valid `sigaction` (no flags, an empty mask), and the handler has the
        // signature that goes without SA_SIGINFO. A refusal leaves everything as it was.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            let _ = libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
        }
    });
}

extern "C" fn bus_error(_: libc::c_int) {
    if let Some(path) = PARTIAL.get() {
        let _ = rustix::fs::unlink(path.as_c_str());
    }
    // SAFETY: `stderr` is the constant 2. All calls here are unlink(2), write(2) and _exit(2), which are
    // async-signal-safe; nothing is allocated, no lock is taken (`OnceLock::get` is one atomic load), and
    // the handler does not return.
    unsafe {
        let _ = rustix::io::write(rustix::stdio::stderr(), MESSAGE);
        libc::_exit(2);
    }
}
