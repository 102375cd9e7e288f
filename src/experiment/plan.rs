//! What an experiment times: games, contenders, threads and levels, and the cases they make.

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

/// A kind of work that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Making the table, into memory touched before.
    Compute,
    /// Checking that every entry is the mex of its options' entries.
    Law,
    /// Filling, copying and reading as many bytes: what the memory of the machine allows.
    Bounds,
}

impl What {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Compute, Self::Law, Self::Bounds];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Law => "law",
            Self::Bounds => "bounds",
        }
    }

    pub(super) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl FromStr for What {
    type Err = ExperimentError;

    fn from_str(name: &str) -> Result<Self, ExperimentError> {
        let named = Self::ALL.into_iter().find(|what| what.name() == name);
        named.ok_or_else(|| ExperimentError::What { found: name.to_owned() })
    }
}

/// The work of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Making the table.
    Compute(Contender),
    /// Checking the law.
    Law,
    /// A bound of the machine, for a table of this size.
    Bound(Bound),
}

/// What the memory of the machine allows.
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
}

/// How many reads at random places are timed together.
const RANDOM_READS: u64 = 1 << 14;

impl Bound {
    /// Every bound.
    pub const ALL: [Self; 4] = [Self::Fill, Self::Copy, Self::Read, Self::RandomRead];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Copy => "copy",
            Self::Read => "read",
            Self::RandomRead => "random-read",
        }
    }

    /// What is counted.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Fill | Self::Copy | Self::Read => "byte",
            Self::RandomRead => "read",
        }
    }

    /// How many bytes or reads it treats in a table of `entries` bytes.
    pub const fn units(self, entries: u64) -> u64 {
        match self {
            Self::Fill | Self::Read => entries,
            Self::Copy => entries / 2,
            Self::RandomRead => RANDOM_READS,
        }
    }
}

impl Work {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute(_) => What::Compute.name(),
            Self::Law => What::Law.name(),
            Self::Bound(bound) => bound.name(),
        }
    }

    /// The bound that no work of this kind can pass.
    pub const fn bound(self) -> Option<Bound> {
        match self {
            Self::Compute(_) => Some(Bound::Fill),
            Self::Law => Some(Bound::Read),
            Self::Bound(_) => None,
        }
    }

    /// Who makes the table, where one is made.
    pub const fn contender(self) -> Option<Contender> {
        match self {
            Self::Compute(contender) => Some(contender),
            Self::Law | Self::Bound(_) => None,
        }
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
            Work::Compute(_) | Work::Law => self.game.entries(),
        }
    }

    /// Whether timing both would be timing the same work twice.
    fn is_like(&self, other: &Self) -> bool {
        let same_size = self.game.entries() == other.game.entries();
        let bounds = matches!(self.work, Work::Bound(_)) && same_size;
        *self == if bounds { Self { game: self.game, ..*other } } else { *other }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, work, threads, level } = self;
        let name = work.contender().map_or(work.name(), Contender::name);
        write!(f, "{game} {name}, threads {threads}, {level}")
    }
}

/// What an experiment times.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The games.
    pub games: Vec<Game>,
    /// Who makes their tables.
    pub contenders: Vec<Contender>,
    /// Numbers of threads.
    pub threads: Vec<NonZeroUsize>,
    /// Instruction sets.
    pub levels: Vec<Level>,
    /// Kinds of work.
    pub what: Vec<What>,
    /// How often each case is timed; `None` for as often as some seconds allow.
    pub repeats: Option<NonZeroUsize>,
}

impl Plan {
    /// Every combination that applies, each once, in the order named. A contender for which threads and
    /// level make no difference takes part once, as one thread and the level `portable`; so do bounds, which
    /// no level changes, with each number of threads for each size of a table.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for &game in &self.games {
            for work in self.works(game) {
                for case in self.settings(game, work) {
                    if !cases.iter().any(|other| other.is_like(&case)) {
                        cases.push(case);
                    }
                }
            }
        }
        cases
    }

    fn works(&self, game: Game) -> impl Iterator<Item = Work> {
        let contenders = move |contender: &&Contender| contender.applies_to(&game);
        self.what.iter().flat_map(move |what| match what {
            What::Compute => {
                let who = self.contenders.iter().filter(contenders);
                who.map(|&contender| Work::Compute(contender)).collect()
            }
            What::Law => vec![Work::Law],
            What::Bounds => Bound::ALL.map(Work::Bound).to_vec(),
        })
    }

    fn settings(&self, game: Game, work: Work) -> Vec<Case> {
        if work.contender().is_some_and(Contender::is_plain) {
            let (threads, level) = (NonZeroUsize::MIN, Level::PORTABLE);
            return vec![Case { game, work, threads, level }];
        }
        let levels: &[Level] =
            if matches!(work, Work::Bound(_)) { &[Level::PORTABLE] } else { &self.levels };
        let of_level = |&level| {
            // One look-up is for one thread.
            let alone = work == Work::Bound(Bound::RandomRead);
            let threads = if alone { &[NonZeroUsize::MIN] } else { &self.threads[..] };
            let cases = threads.iter();
            cases.map(move |&threads| Case { game, work, threads, level })
        };
        levels.iter().flat_map(of_level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Contender, Plan, What};
    use crate::simd::Level;

    fn plan(ids: &[&str], contenders: &[Contender]) -> Plan {
        let threads = |number| std::num::NonZeroUsize::new(number).expect("not zero");
        Plan {
            games: ids.iter().map(|id| id.parse().expect("an id")).collect(),
            contenders: contenders.to_vec(),
            threads: vec![threads(1), threads(2)],
            levels: vec![Level::PORTABLE, Level::PORTABLE],
            what: vec![What::Compute, What::Law],
            repeats: None,
        }
    }

    #[test]
    fn bounds_are_timed_once_for_each_size_and_number_of_threads() {
        let plan =
            Plan { what: vec![What::Bounds], ..plan(&["chess-9", "slide-9", "chess-8"], &[]) };
        let shown: Vec<String> = plan.cases().iter().map(ToString::to_string).collect();
        assert_eq!(shown.len(), 2 * (2 * 3 + 1));
        assert_eq!(shown[0], "chess-9 fill, threads 1, portable");
        assert!(shown.iter().all(|case| !case.starts_with("slide")));
    }

    #[test]
    fn a_plan_has_every_combination_that_applies_once() {
        let cases = plan(&["chess-10", "slide-10-reach-2"], &Contender::ALL).cases();
        let shown: Vec<String> = cases.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "chess-10 layered, threads 1, portable",
                "chess-10 layered, threads 2, portable",
                "chess-10 closed-form, threads 1, portable",
                "chess-10 closed-form, threads 2, portable",
                "chess-10 naive, threads 1, portable",
                "chess-10 contest, threads 1, portable",
                "chess-10 law, threads 1, portable",
                "chess-10 law, threads 2, portable",
                "slide-10-reach-2 layered, threads 1, portable",
                "slide-10-reach-2 layered, threads 2, portable",
                "slide-10-reach-2 naive, threads 1, portable",
                "slide-10-reach-2 law, threads 1, portable",
                "slide-10-reach-2 law, threads 2, portable",
            ]
        );
    }

    #[test]
    fn names_read_back() {
        for contender in Contender::ALL {
            assert_eq!(contender.name().parse::<Contender>().expect("a name"), contender);
        }
        assert!("fast".parse::<Contender>().is_err());
        assert!("speed".parse::<What>().is_err());
    }
}
