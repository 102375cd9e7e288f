//! Vectors of bytes, the instruction sets they run on, and the moves of lanes that kernels are made of.
//!
//! A kernel is written once, generic over `Vector`, and run through `Level::run`, which is the only
//! way to reach an instruction set: a [`Level`] can be had only where the processor has it. The shells
//! of the x86-64 instruction sets are in `x86`, one of the rooms where `unsafe` is open. On `AArch64`,
//! where NEON is part of every processor, the level `neon` is the portable source compiled for it.

mod lanes;
mod level;
mod line;
mod packing;
mod portable;
mod transpose;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use lanes::{Controls, FixedMap, LaneMap, move_lanes};
pub(crate) use level::Kernel;
pub use level::{Level, LevelError};
pub(crate) use line::{Down, LINE, Line};
pub(crate) use packing::{PACKED, Packing, Runs, SPAN};
pub(crate) use transpose::{Aligned, Lines, MAX_LANES, from_lanes, to_lanes};
pub(crate) use vector::{Transpose, Vector};
