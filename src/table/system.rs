//! What differs between systems: room on a disk, reserving it, and renaming without replacing.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Opens a file to read without ever waiting: not for the other end of a pipe, nor for a device.
pub(super) fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// The bytes that this process may still use in `folder`, where the file system says so.
pub(super) fn free_bytes(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    // Some file systems that are no disk count no blocks at all.
    (stat.f_blocks != 0).then(|| stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Reserves the blocks of a file and gives it its length. `Ok(false)` where the file system cannot.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn reserve(file: &File, bytes: u64) -> io::Result<bool> {
    use rustix::io::Errno;
    loop {
        return match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
            Ok(()) => Ok(true),
            Err(Errno::INTR) => continue,
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
            Err(error) => Err(error.into()),
        };
    }
}

/// Elsewhere no call promises that a mapping of the file never runs out of disk: zeros are written.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn reserve(_: &File, _: u64) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file its final name; [`io::ErrorKind::AlreadyExists`] where there is one already.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusive(from, to) {
        Err(error) if !refused_as_such(&error) => Err(error),
        Ok(true) => Ok(()),
        // A link never replaces anything either, where the file system has links.
        _ => match std::fs::hard_link(from, to) {
            Ok(()) => std::fs::remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => std::fs::rename(from, to),
        },
    }
}

fn refused_as_such(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn rename_exclusive(from: &Path, to: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?;
    Ok(true)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn rename_exclusive(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
