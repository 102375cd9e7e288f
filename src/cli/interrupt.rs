//! Ending early: an interrupted run leaves nothing half-made behind.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

use anyhow::Context as _;
use grundy::table::{Partial, TableError, Target};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::{bus, output};

/// The hidden file of this run, if there is one.
static PARTIAL: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Whether a progress bar may stand in the terminal's line.
pub(super) static BAR: AtomicBool = AtomicBool::new(false);

/// Makes the hidden file of a target, and sees to it that no signal leaves it behind.
pub(super) fn create(target: &Target) -> anyhow::Result<Partial> {
    watch()?;
    // The lock is held while the file is made: a signal in between waits for its name.
    let mut partial = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner);
    let made: Result<Partial, TableError> = target.create();
    let made = made?;
    bus::remove_on_bus_error(made.path());
    *partial = Some(made.path().to_owned());
    Ok(made)
}

/// Removes what dead runs have left of this target, and says so.
pub(super) fn clear(quiet: bool, target: &Target) {
    for left_over in target.remove_left_overs() {
        let left_over = left_over.display();
        output::talk(quiet, &format!("removed {left_over}, left over by a run that died"));
    }
}

fn watch() -> anyhow::Result<()> {
    static ONCE: Once = Once::new();
    let mut started = Ok(());
    ONCE.call_once(|| started = start());
    started.context("cannot watch for signals")
}

fn start() -> std::io::Result<()> {
    // A file beyond the limit of this process is then an error of the call, not the end of the process.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    })?;
    Ok(())
}

#[expect(clippy::exit, reason = "the main thread is at work and cannot be asked to return")]
fn end(signal: i32) {
    let partial = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = partial.as_deref() {
        // It may just have got its final name, and is whole then: there is nothing to remove.
        let _ = std::fs::remove_file(path);
    }
    if BAR.load(Ordering::Relaxed) {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    std::process::exit(128 + signal);
}
