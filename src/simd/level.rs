//! Which instruction set a kernel runs on: a value that must be obtained.

use std::fmt;
use std::str::FromStr;

use super::Vector;
use super::portable::Portable;

/// An instruction set that this processor has.
///
/// Values exist only for what was found at run time, so holding one is the permission to use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Set {
    Portable,
    Sse42,
    Avx2,
    Avx512,
    Neon,
}

/// The sets and their names, the better ones later.
const SETS: [(Set, &str); 5] = [
    (Set::Portable, "portable"),
    (Set::Sse42, "sse4.2"),
    (Set::Avx2, "avx2"),
    (Set::Avx512, "avx512"),
    (Set::Neon, "neon"),
];

/// A level that is unknown, or that this processor lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SIMD level {found:?} {}: this processor has auto, {}", if *known { "is not on this processor" } else { "is unknown" }, names())]
pub struct LevelError {
    found: String,
    known: bool,
}

fn names() -> String {
    Level::available().map(Level::name).collect::<Vec<_>>().join(", ")
}

impl Level {
    /// The best level of this processor.
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::PORTABLE)
    }

    /// The level of plain code, which every processor has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// Every level of this processor, the better ones later.
    pub fn available() -> impl Iterator<Item = Self> {
        SETS.into_iter().filter(|(set, _)| found(*set)).map(|(set, _)| Self(set))
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        SETS.into_iter().find(|(set, _)| *set == self.0).map_or("portable", |(_, name)| name)
    }

    /// How many lines make a full batch.
    pub(crate) fn lanes(self) -> usize {
        struct Lanes;
        impl Kernel for Lanes {
            type Output = usize;

            #[inline(always)]
            fn run<V: Vector>(self) -> usize {
                V::Turned::LANES
            }
        }
        self.run(Lanes)
    }

    /// Runs a kernel on this instruction set.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Sse42 => super::x86::run_sse42(self.witness(), kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => super::x86::run_avx2(self.witness(), kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => super::x86::run_avx512(self.witness(), kernel),
            _ => kernel.run::<Portable>(),
        }
    }

    /// The proof, for the shells, that the set of this level was found on this processor.
    #[cfg(target_arch = "x86_64")]
    const fn witness(self) -> Found {
        Found(self)
    }
}

/// Made only from a [`Level`], so only where its instruction set was found.
#[cfg(target_arch = "x86_64")]
pub(super) struct Found(#[expect(dead_code, reason = "held for what it proves")] Level);

/// A computation generic over the vector it runs on.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// The computation. Must be `#[inline(always)]`, and so must all it calls with `V`: only what is
    /// inlined into the shell of an instruction set is compiled for it.
    fn run<V: Vector>(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
fn found(set: Set) -> bool {
    match set {
        Set::Portable => true,
        Set::Sse42 => super::x86::has_sse42(),
        Set::Avx2 => super::x86::has_avx2(),
        Set::Avx512 => super::x86::has_avx512(),
        Set::Neon => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn found(set: Set) -> bool {
    // Every AArch64 processor that Rust supports has NEON.
    matches!(set, Set::Portable) || cfg!(target_arch = "aarch64") && matches!(set, Set::Neon)
}

impl Default for Level {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Level({})", self.name())
    }
}

/// Reads `auto` or the name of a level that this processor has.
impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Self, LevelError> {
        if name == "auto" {
            return Ok(Self::detect());
        }
        Self::available().find(|level| level.name() == name).ok_or_else(|| LevelError {
            found: name.to_owned(),
            known: SETS.iter().any(|(_, known)| *known == name),
        })
    }
}
