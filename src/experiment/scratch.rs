//! A folder of the run's own for the files that it makes. It goes with the run; what a killed run
//! leaves behind, the next one in the same place removes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::ExperimentError;

const PREFIX: &str = ".grundy-bench-";

/// Locked for as long as the run lives.
const LOCK: &str = "lock";

/// How much a plain program writes at a time.
const BLOCK: usize = 1 << 20;

pub(super) struct Scratch {
    folder: PathBuf,
    _lock: File,
    /// What is written to find out how fast that goes.
    plain: Option<File>,
}

impl Scratch {
    /// Makes the folder inside of `parent`.
    pub(super) fn new(parent: &Path) -> Result<Self, ExperimentError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let error = |cause| ExperimentError::folder(parent)(cause);
        remove_left_overs(parent);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("{PREFIX}{}-{count}", std::process::id()));
            match fs::create_dir(&folder) {
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(error)?,
            }
            let lock = File::create_new(folder.join(LOCK)).map_err(error)?;
            // Another run may have taken it for dead before it was locked.
            if lock.lock().is_err() || folder.join(LOCK).exists() {
                return Ok(Self { folder, _lock: lock, plain: None });
            }
        }
    }

    /// Where a table goes.
    pub(super) fn table(&self) -> PathBuf {
        self.folder.join("table.safetensors")
    }

    /// Writes a new file with nothing but the calls that do that.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(self.folder.join("plain"))?;
        bytes.chunks(BLOCK).try_for_each(|block| file.write_all(block))?;
        self.plain = Some(file);
        Ok(())
    }

    /// Brings what was written to the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.plain.as_ref().map_or(Ok(()), File::sync_all)
    }

    /// The bytes of what was written.
    pub(super) fn written(&self) -> Option<u64> {
        Some(self.plain.as_ref()?.metadata().ok()?.len())
    }

    /// Removes what was written.
    pub(super) fn clear(&mut self) {
        self.plain = None;
        for path in [self.table(), self.folder.join("plain")] {
            // What is not there is gone already; the rest goes with the folder.
            let _ = fs::remove_file(path);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing can be done about a failure here: a later run finds the folder and removes it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn remove_left_overs(parent: &Path) {
    let folders = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
    for entry in folders.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        // Without a lock, the folder may be of a run that has just begun.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Scratch;

    #[test]
    fn a_folder_goes_with_its_run_and_what_a_dead_run_left_with_the_next() {
        let parent = tempfile::tempdir().expect("a folder");
        let inside = || fs::read_dir(parent.path()).expect("a folder").count();
        let dead = parent.path().join(".grundy-bench-1-0");
        fs::create_dir(&dead).expect("made");
        fs::write(dead.join("lock"), "").expect("written");
        fs::write(dead.join("table.safetensors"), "left over").expect("written");
        let mut living = Scratch::new(parent.path()).expect("a folder");
        assert!(!dead.exists());
        living.write(&vec![7; 3_000_000]).expect("written");
        living.sync().expect("synced");
        let other = Scratch::new(parent.path()).expect("a folder");
        assert_eq!((living.written(), inside()), (Some(3_000_000), 2), "a living one was removed");
        living.clear();
        assert_eq!(living.written(), None);
        drop((living, other));
        assert_eq!(inside(), 0);
        assert!(Scratch::new(&parent.path().join("none")).is_err());
    }
}
