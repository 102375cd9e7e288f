//! What an experiment times: games, contenders, threads and levels, and the cases they make.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use super::ExperimentError;
use super::work::{Bound, Case, Contender, Probe, Work};
use crate::game::Game;
use crate::simd::Level;

/// A kind of work that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Making the table, into memory touched before.
    Compute,
    /// Making the table as a file, on the disk.
    File,
    /// Checking that every entry is the mex of its options' entries.
    Law,
    /// Looking values up at random places, one by one and in a batch.
    Probe,
    /// Filling, copying, reading and writing as many bytes: what the memory and the disk of the machine allow.
    Bounds,
}

impl What {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Compute, Self::File, Self::Law, Self::Probe, Self::Bounds];

    /// Those that are timed unless told otherwise. Files can be large, and searches are seldom timed.
    pub const USUAL: [Self; 3] = [Self::Compute, Self::Law, Self::Bounds];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::File => "file",
            Self::Law => "law",
            Self::Probe => "probe",
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
    /// Where files are written, in a folder of the run's own, which is removed at the end.
    pub folder: PathBuf,
}

impl Plan {
    /// Every combination that applies, each once, in the order named. Work for which threads and
    /// level make no difference takes part once, as one thread and the level `portable`; bounds, which
    /// no level changes, with each number of threads for each size of a table. Files are made by the methods
    /// that are not plain.
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
            What::File => self.files(game),
            What::Law => vec![Work::Law],
            What::Probe => Probe::ALL.map(Work::Probe).to_vec(),
            What::Bounds => Bound::ALL.map(Work::Bound).to_vec(),
        })
    }

    fn files(&self, game: Game) -> Vec<Work> {
        let makes = |&contender: &Contender| match contender {
            Contender::Method(method) if !contender.is_plain() && method.applies_to(&game) => {
                Some(Work::File(method))
            }
            _ => None,
        };
        self.contenders.iter().filter_map(makes).collect()
    }

    fn settings(&self, game: Game, work: Work) -> Vec<Case> {
        let threads: &[NonZeroUsize] =
            if work.is_alone() { &[NonZeroUsize::MIN] } else { &self.threads };
        let levels: &[Level] = if work.ignores_level() { &[Level::PORTABLE] } else { &self.levels };
        let of_level =
            |&level| threads.iter().map(move |&threads| Case { game, work, threads, level });
        levels.iter().flat_map(of_level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, What};
    use crate::experiment::Contender;
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
            folder: std::env::temp_dir(),
        }
    }

    #[test]
    fn bounds_are_timed_once_for_each_size_and_number_of_threads() {
        let plan =
            Plan { what: vec![What::Bounds], ..plan(&["chess-9", "slide-9", "chess-8"], &[]) };
        let shown: Vec<String> = plan.cases().iter().map(ToString::to_string).collect();
        assert_eq!(shown.len(), 2 * (2 * 3 + 3));
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
    fn files_are_made_by_the_methods_that_are_not_plain_and_probes_are_one_thread_s() {
        let what = vec![What::File, What::Probe];
        let plan = Plan { what, ..plan(&["chess-9", "chess-9-reach-2"], &Contender::ALL) };
        let shown: Vec<String> = plan.cases().iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "chess-9 file layered, threads 1, portable",
                "chess-9 file layered, threads 2, portable",
                "chess-9 file closed-form, threads 1, portable",
                "chess-9 file closed-form, threads 2, portable",
                "chess-9 probe-single, threads 1, portable",
                "chess-9 probe-batch, threads 1, portable",
                "chess-9-reach-2 file layered, threads 1, portable",
                "chess-9-reach-2 file layered, threads 2, portable",
                "chess-9-reach-2 probe-single, threads 1, portable",
                "chess-9-reach-2 probe-batch, threads 1, portable",
            ]
        );
    }

    #[test]
    fn names_read_back() {
        for what in What::ALL {
            assert_eq!(what.name().parse::<What>().expect("a name"), what);
        }
        for contender in Contender::ALL {
            assert_eq!(contender.name().parse::<Contender>().expect("a name"), contender);
        }
        assert!("fast".parse::<Contender>().is_err());
        assert!("speed".parse::<What>().is_err());
    }
}
