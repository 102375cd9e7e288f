//! A progress bar, for people, and only where the wait is worth one.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::BAR;

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(100);

const STYLE: &str = "{msg} [{wide_bar}] {percent}%  {per_sec}, {eta} left";

/// Does `work`, and shows meanwhile how much of `total` is `done` on a terminal.
pub(super) fn during<T>(
    (quiet, name): (bool, &str),
    total: u64,
    done: &AtomicU64,
    work: impl FnOnce() -> T,
) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (ended, is_ended) = channel::<()>();
        scope.spawn(move || {
            if is_ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(total, name);
            BAR.store(true, Ordering::Relaxed);
            while is_ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
            BAR.store(false, Ordering::Relaxed);
        });
        let result = work();
        drop(ended);
        result
    })
}

fn bar(total: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(STYLE);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style).with_message(name.to_owned())
}
