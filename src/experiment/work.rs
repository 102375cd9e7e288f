//! The work that can be timed: who makes a table, what else is done with one, and the bounds of the machine.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use super::ExperimentError;
use crate::game::{Game, Rule};
use crate::generate::Method;
use crate::simd::Level;

/// Who makes a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contender {
    /// A method of this project.
    Method(Method),
    /// The loop of a contest program: `chess` without a limit of reach, one thread, no vectors.
    Contest,
}

impl Contender {
    /// Every contender.
    pub const ALL: [Self; 4] = [
        Self::Method(Method::Layered),
        Self::Method(Method::ClosedForm),
        Self::Method(Method::Naive),
        Self::Contest,
    ];

    /// Those that take part unless told otherwise. The others are slow.
    pub const USUAL: [Self; 2] = [Self::Method(Method::Layered), Self::Method(Method::ClosedForm)];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Method(method) => method.name(),
            Self::Contest => "contest",
        }
    }

    /// Whether the contender can make the complete table of `game`.
    pub fn applies_to(self, game: &Game) -> bool {
        match (self, game) {
            (Self::Method(method), _) => method.applies_to(game),
            (Self::Contest, Game::Strip(strip)) => {
                strip.rule() == Rule::Chess && strip.reach().is_none()
            }
            (Self::Contest, Game::Stones(_)) => false,
        }
    }

    /// Whether threads and level make a difference.
    pub const fn is_plain(self) -> bool {
        matches!(self, Self::Method(Method::Naive) | Self::Contest)
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Contender {
    type Err = ExperimentError;

    fn from_str(name: &str) -> Result<Self, ExperimentError> {
        if name == Self::Contest.name() {
            return Ok(Self::Contest);
        }
        let method = name.parse().map(Self::Method);
        method.map_err(|_| ExperimentError::Contender { found: name.to_owned() })
    }
}

/// The work of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Making the table in memory.
    Compute(Contender),
    /// Making the table as a file, brought to the disk.
    File(Method),
    /// Checking the law.
    Law,
    /// Looking values up.
    Probe(Probe),
    /// A bound of the machine, for a table of this size.
    Bound(Bound),
}

/// How values are looked up at random places of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// One by one, each place known only after the value before: what a search waits for.
    Single,
    /// All at once, every place known before.
    Batch,
}

/// How many values are looked up: so many places that a cache which holds them holds a good part of the
/// table.
pub(super) const PROBES: u64 = 1 << 18;

impl Probe {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Single, Self::Batch];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "probe-single",
            Self::Batch => "probe-batch",
        }
    }
}

/// What the machine allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Filling the memory of a table with a constant: no method can write it faster.
    Fill,
    /// Copying half of a table over the other half.
    Copy,
    /// Reading every byte of a table: no check can look at it faster.
    Read,
    /// Reading at random places, each known only after the read before: what one look-up waits for.
    RandomRead,
    /// Writing a new file, with nothing but the calls that do that.
    Write,
    /// Bringing a file just written to the disk.
    Sync,
}

/// How many reads at random places are timed together.
const RANDOM_READS: u64 = 1 << 14;

/// The largest file that is written to find out how fast that goes.
const MOST_WRITTEN: u64 = 64 << 20;

impl Bound {
    /// Every bound.
    pub const ALL: [Self; 6] =
        [Self::Fill, Self::Copy, Self::Read, Self::RandomRead, Self::Write, Self::Sync];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Copy => "copy",
            Self::Read => "read",
            Self::RandomRead => "random-read",
            Self::Write => "write",
            Self::Sync => "sync",
        }
    }

    /// What is counted.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::RandomRead => "read",
            _ => "byte",
        }
    }

    /// The bytes of memory or file that it treats for a table of `entries` bytes.
    pub(super) const fn bytes(self, entries: u64) -> u64 {
        match self {
            Self::Write | Self::Sync if entries > MOST_WRITTEN => MOST_WRITTEN,
            _ => entries,
        }
    }

    /// How many bytes or reads it treats for a table of `entries` bytes.
    pub const fn units(self, entries: u64) -> u64 {
        match self {
            Self::Fill | Self::Read | Self::Write | Self::Sync => self.bytes(entries),
            Self::Copy => entries / 2,
            Self::RandomRead => RANDOM_READS,
        }
    }

    /// Whether it is timed with the thread of one look-up, or of one disk, alone.
    pub(super) const fn is_alone(self) -> bool {
        matches!(self, Self::RandomRead | Self::Write | Self::Sync)
    }
}

impl Work {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute(_) => "compute",
            Self::File(_) => "file",
            Self::Law => "law",
            Self::Probe(probe) => probe.name(),
            Self::Bound(bound) => bound.name(),
        }
    }

    /// The bounds that no work of this kind can pass: their times together.
    pub const fn bounds(self) -> &'static [Bound] {
        match self {
            Self::Compute(_) => &[Bound::Fill],
            Self::File(_) => &[Bound::Write, Bound::Sync],
            Self::Law => &[Bound::Read],
            Self::Probe(Probe::Single) => &[Bound::RandomRead],
            Self::Probe(Probe::Batch) | Self::Bound(_) => &[],
        }
    }

    /// Who makes the table, where one is made.
    pub const fn contender(self) -> Option<Contender> {
        match self {
            Self::Compute(contender) => Some(contender),
            Self::File(method) => Some(Contender::Method(method)),
            Self::Law | Self::Probe(_) | Self::Bound(_) => None,
        }
    }

    /// Whether it is one thread's, whatever is asked for.
    pub(super) fn is_alone(self) -> bool {
        match self {
            Self::Compute(contender) => contender.is_plain(),
            Self::File(_) | Self::Law => false,
            Self::Probe(_) => true,
            Self::Bound(bound) => bound.is_alone(),
        }
    }

    /// Whether the instruction set makes no difference.
    pub(super) fn ignores_level(self) -> bool {
        match self {
            Self::Compute(contender) => contender.is_plain(),
            Self::File(_) | Self::Law => false,
            Self::Probe(_) | Self::Bound(_) => true,
        }
    }

    /// Whether it meets a disk.
    pub(super) const fn is_stored(self) -> bool {
        matches!(self, Self::File(_) | Self::Bound(Bound::Write | Bound::Sync))
    }
}

/// One combination to be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The game of the table.
    pub game: Game,
    /// The work.
    pub work: Work,
    /// The most threads that it may use.
    pub threads: NonZeroUsize,
    /// The instruction set.
    pub level: Level,
}

impl Case {
    /// How many entries the work treats, or bytes, or reads.
    pub fn units(&self) -> u64 {
        match self.work {
            Work::Bound(bound) => bound.units(self.game.entries()),
            Work::Probe(_) => PROBES,
            Work::Compute(_) | Work::File(_) | Work::Law => self.game.entries(),
        }
    }

    /// Whether timing both would be timing the same work twice.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let same_size = self.game.entries() == other.game.entries();
        let bounds = matches!(self.work, Work::Bound(_)) && same_size;
        *self == if bounds { Self { game: self.game, ..*other } } else { *other }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, work, threads, level } = self;
        let name = match work {
            Work::Compute(contender) => contender.name(),
            _ => work.name(),
        };
        write!(f, "{game} {name}")?;
        if let Work::File(method) = work {
            write!(f, " {method}")?;
        }
        write!(f, ", threads {threads}, {level}")
    }
}
