//! On what the figures were taken.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::simd::Level;

/// The machine, as far as it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The model of the processor.
    pub cpu: Option<String>,
    /// The architecture that this program was built for.
    pub arch: String,
    /// The instruction sets found, the better ones later.
    pub levels: Vec<String>,
    /// How many threads this process may run at a time.
    pub cores_allowed: usize,
    /// The memory in bytes.
    pub memory_bytes: Option<u64>,
    /// The operating system.
    pub os: String,
    /// The release of its kernel.
    pub kernel: Option<String>,
    /// When large pages are given: `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
    /// How many threads were running or waiting when the experiment began, on average over a minute.
    pub load: Option<f64>,
}

impl Machine {
    /// Looks at the machine. What it does not say stays empty.
    pub fn look() -> Self {
        let read = |path: &str| fs::read_to_string(path).ok();
        let trimmed = |path: &str| read(path).map(|text| text.trim().to_owned());
        Self {
            cpu: read("/proc/cpuinfo").and_then(|text| field(&text, "model name")),
            arch: std::env::consts::ARCH.to_owned(),
            levels: Level::available().map(|level| level.name().to_owned()).collect(),
            cores_allowed: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: read("/proc/meminfo").and_then(|text| memory(&text)),
            os: std::env::consts::OS.to_owned(),
            kernel: trimmed("/proc/sys/kernel/osrelease"),
            huge_pages: read("/sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|text| chosen(&text)),
            load: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        }
    }
}

/// The text behind `name :` in the first line that begins so.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory(text: &str) -> Option<u64> {
    let kibibytes: u64 = field(text, "MemTotal")?.strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The word in brackets.
fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Machine, chosen, field, memory};

    #[test]
    fn what_the_system_says_is_understood() {
        let cpu = "processor\t: 0\nmodel name\t: Some: Model\n";
        assert_eq!(field(cpu, "model name").as_deref(), Some("Some: Model"));
        assert_eq!(memory("MemTotal:       24 kB\nMemFree: 1 kB\n"), Some(24 << 10));
        assert_eq!(chosen("always [madvise] never\n").as_deref(), Some("madvise"));
    }

    #[test]
    fn what_it_does_not_say_stays_empty() {
        for text in ["", "MemTotal", "MemTotal: many", "[", "]["] {
            assert_eq!((field(text, "cpu"), memory(text), chosen(text)), (None, None, None));
        }
        assert!(Machine::look().cores_allowed >= 1);
    }
}
