//! Faults, injected from outside: whatever happens, there is a whole table under its name or none, and a run that
//! cannot go on says why. Linux only. What a machine lacks (a tool, root) is said; in CI (`CI=true`) a missing tool fails.
//!
//! `GRUNDY_FAULT_ROUNDS` is how often runs are killed and interrupted (default 40).

#![cfg(all(feature = "cli", target_os = "linux"))]

#[path = "../common/mod.rs"]
mod common;

mod disk;
mod everywhere;
mod hostile;
mod inject;
mod kill;
mod memory;
mod places;
mod run;
mod streams;
mod together;
