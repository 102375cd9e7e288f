//! A progress bar, for people, and only where the wait is worth one.

use std::fmt;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::interrupt::BAR;

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(100);

const SPINNER: &str = "{spinner} {elapsed} {wide_msg}";

const STYLE: &str = "{msg} [{wide_bar}] {percent}%  {rate}, {eta} left";

const STEPS: &str = "{msg} [{wide_bar}] {percent}%  {eta} left";

/// Where there is no room for a bar. Names are cut to what is left.
const NARROW: &str = "{percent}% {eta} {wide_msg}";

/// The fewest columns with room for a bar.
const ROOMY: u16 = 64;

/// Does `work`, and shows meanwhile on a terminal for how long.
pub(super) fn spinning<T>(quiet: bool, name: &str, work: impl FnOnce() -> T) -> T {
    during((quiet, name), 0, &AtomicU64::new(0), work)
}

/// Does `work`, and shows meanwhile on a terminal how much of what is `planned` is `done`. Both may change.
pub(super) fn stepping<T>(
    named: (bool, &str),
    (planned, done): (&AtomicU64, &AtomicU64),
    work: impl FnOnce() -> T,
) -> T {
    show(named, STEPS, (planned, done), work)
}

/// Does `work`, and shows meanwhile how much of `total` is `done` on a terminal.
pub(super) fn during<T>(
    named: (bool, &str),
    total: u64,
    done: &AtomicU64,
    work: impl FnOnce() -> T,
) -> T {
    let style = if total == 0 { SPINNER } else { STYLE };
    show(named, style, (&AtomicU64::new(total), done), work)
}

fn show<T>(
    (quiet, name): (bool, &str),
    style: &str,
    (total, done): (&AtomicU64, &AtomicU64),
    work: impl FnOnce() -> T,
) -> T {
    if quiet || !can_draw() {
        return work();
    }
    std::thread::scope(|scope| {
        let (ended, is_ended) = channel::<()>();
        scope.spawn(move || {
            if is_ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(fitting(style), name);
            BAR.store(true, Ordering::Relaxed);
            while is_ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_length(total.load(Ordering::Relaxed));
                bar.set_position(done.load(Ordering::Relaxed));
                if style == SPINNER {
                    bar.tick();
                }
            }
            bar.finish_and_clear();
            BAR.store(false, Ordering::Relaxed);
        });
        let result = work();
        drop(ended);
        result
    })
}

/// Whether standard error is a terminal whose cursor moves.
fn can_draw() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|kind| kind == "dumb");
    std::io::stderr().is_terminal() && !dumb
}

fn fitting(style: &str) -> &str {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    // A terminal that does not know its size says 0.
    let narrow = size.is_ok_and(|size| (1..ROOMY).contains(&size.ws_col));
    if narrow && style != SPINNER { NARROW } else { style }
}

fn bar(style: &str, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(style);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("rate", |state: &ProgressState, to: &mut dyn fmt::Write| {
        let _ = write!(to, "{:.1} million/s", state.per_sec() / 1e6);
    });
    let bar = ProgressBar::new(0).with_style(style).with_message(name.to_owned());
    bar.with_elapsed(PATIENCE)
}
