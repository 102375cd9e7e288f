//! What is timed, and the right answer to it.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;

use super::file::{Times, make_file};
use super::probe::Probed;
use super::scratch::Scratch;
use super::{Bound, Case, Contender, ExperimentError, Memory, Work, baseline};
use crate::game::Game;
use crate::generate::{Method, Settings, generate};
use crate::simd::Level;
use crate::table::{Digest, Summary, Table, known_root};
use crate::verify::check_law;

impl Contender {
    /// Fills `values` with the complete table of `game`, and returns the number of threads used.
    ///
    /// # Errors
    /// [`ExperimentError::Generate`]; [`ExperimentError::Nothing`] where `contest` does not apply.
    pub fn make(
        self,
        game: &Game,
        settings: Settings,
        values: &mut [u8],
    ) -> Result<usize, ExperimentError> {
        match (self, game) {
            (Self::Method(method), _) => Ok(generate(game, method, settings, values, &())?),
            (Self::Contest, Game::Strip(strip)) if self.applies_to(game) => {
                baseline::contest(strip.width(), values);
                Ok(1)
            }
            (Self::Contest, _) => Err(ExperimentError::Nothing),
        }
    }
}

/// The digest of the right table of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference(Digest);

impl Reference {
    /// Makes the right table in `values`, by the closed form where there is one, else by layers. It is
    /// believed only if it keeps the law and, where a root is published, has that root.
    ///
    /// # Errors
    /// [`ExperimentError::Reference`] where it does not; else as [`Contender::make`].
    pub fn make(game: &Game, values: &mut [u8]) -> Result<Self, ExperimentError> {
        make_right(game, values)?;
        let error =
            |problem: &str| ExperimentError::Reference { game: *game, problem: problem.to_owned() };
        if check_law(game, values, Level::detect())?.0 != 0 {
            return Err(error("it breaks the law"));
        }
        if known_root(game).is_some_and(|known| known != Summary::of(values).root) {
            return Err(error("its root is not the published one"));
        }
        Ok(Self(Digest::of(values)))
    }

    /// Whether `values` are the right table. Runs on the thread of the caller alone, so that no other is
    /// awake when the next sample begins.
    pub fn is(self, values: &[u8]) -> bool {
        Digest::of(values) == self.0
    }
}

/// Makes the table by the fastest method that applies.
fn make_right(game: &Game, values: &mut [u8]) -> Result<(), ExperimentError> {
    let closed = Method::ClosedForm.applies_to(game);
    let method = if closed { Method::ClosedForm } else { Method::Layered };
    Contender::Method(method).make(game, Settings::detect(), values)?;
    Ok(())
}

/// What memory is filled with to find out how fast that goes.
const CONSTANT: u8 = 0x55;

/// Whether filling, copying or reading has done what it should to memory whose first half held
/// [`CONSTANT`].
fn bound_holds(bound: Bound, values: &[u8], sum: u64) -> bool {
    let copied = values.len() / 2 * 2;
    match bound {
        Bound::Fill => values.iter().all(|&value| value == CONSTANT),
        Bound::Copy => values[..copied].iter().all(|&value| value == CONSTANT),
        Bound::Read => sum == baseline::sum(values),
        Bound::RandomRead => sum == baseline::chase(values, bound.units(values.len() as u64)),
        Bound::Write | Bound::Sync => sum == bound.bytes(values.len() as u64),
    }
}

/// Memory for the tables of an experiment, and their right answers.
pub struct Workload {
    memory: Memory,
    references: HashMap<Game, Reference>,
    /// Whose right table is in memory.
    holds: Option<Game>,
    probed: Option<Probed>,
    /// Where files are written.
    parent: PathBuf,
    scratch: Option<Scratch>,
}

impl Workload {
    /// Memory for the largest table of `games`, and the right answers for all of them.
    ///
    /// # Errors
    /// [`ExperimentError::Memory`], or as [`Reference::make`].
    pub fn new(games: impl IntoIterator<Item = Game>) -> Result<Self, ExperimentError> {
        let games: Vec<Game> = games.into_iter().collect();
        let most = games.iter().map(Game::entries).max().unwrap_or(0);
        let mut memory = Memory::new(usize::try_from(most).unwrap_or(usize::MAX))?;
        let mut references = HashMap::new();
        let mut holds = None;
        for game in games {
            let values = memory.bytes_mut(game.entries() as usize);
            references.insert(game, Reference::make(&game, values)?);
            holds = Some(game);
        }
        let parent = std::env::temp_dir();
        Ok(Self { memory, references, holds, probed: None, parent, scratch: None })
    }

    /// The same, with files written into a folder inside of `parent` instead of the system's for such things.
    #[must_use]
    pub fn in_folder(self, parent: PathBuf) -> Self {
        Self { parent, scratch: None, ..self }
    }

    /// Brings memory into the state in which `case` begins: for making a table, every byte is wrong; for
    /// checking or probing one, every byte is right. Either way the whole table has just been walked through.
    /// Where a file is to be made there is none yet; where one is to be synced it has just been written.
    ///
    /// # Errors
    /// As [`Contender::make`], [`ExperimentError::Reference`] and [`ExperimentError::Folder`].
    pub fn prepare(&mut self, case: &Case) -> Result<(), ExperimentError> {
        let entries = case.game.entries() as usize;
        match case.work {
            Work::Law => return self.make_right(case.game),
            Work::Probe(_) => return self.prepare_probe(case.game),
            Work::Compute(_) => self.memory.poison(entries),
            Work::File(_) | Work::Bound(Bound::Write | Bound::Sync) => {
                return self.prepare_file(case);
            }
            Work::Bound(_) => {
                self.memory.poison(entries);
                self.memory.bytes_mut(entries / 2).fill(CONSTANT);
            }
        }
        self.holds = None;
        Ok(())
    }

    fn make_right(&mut self, game: Game) -> Result<(), ExperimentError> {
        let values = self.memory.bytes_mut(game.entries() as usize);
        if self.holds != Some(game) {
            make_right(&game, values)?;
            self.holds = Some(game);
        }
        if self.references.get(&game).is_some_and(|reference| reference.is(values)) {
            return Ok(());
        }
        let problem = "two runs gave two tables".to_owned();
        Err(ExperimentError::Reference { game, problem })
    }

    fn prepare_probe(&mut self, game: Game) -> Result<(), ExperimentError> {
        if self.probed.as_ref().is_none_or(|probed| probed.game() != game) {
            self.probed = None;
            self.make_right(game)?;
            let values = self.memory.bytes(game.entries() as usize);
            self.probed = Some(Probed::new(game, values)?);
        }
        if let Some(probed) = &mut self.probed {
            probed.prepare();
        }
        Ok(())
    }

    fn prepare_file(&mut self, case: &Case) -> Result<(), ExperimentError> {
        if self.scratch.is_none() {
            self.scratch = Some(Scratch::new(&self.parent)?);
        }
        if case.work == Work::Bound(Bound::Sync) {
            self.write_plain(case)?;
        }
        Ok(())
    }

    fn write_plain(&mut self, case: &Case) -> Result<(), ExperimentError> {
        let Some(scratch) = &mut self.scratch else { return Err(ExperimentError::Nothing) };
        let bytes = self.memory.bytes(case.units() as usize);
        scratch.write(bytes).map_err(ExperimentError::folder(&self.parent))
    }

    /// Does the work once: this is what is timed. Returns what [`Workload::check`] wants to see.
    ///
    /// # Errors
    /// As [`Contender::make`] and [`check_law`]. The law and the bounds run on the threads of the current
    /// rayon pool.
    #[inline]
    pub fn run(&mut self, case: &Case) -> Result<Answer, ExperimentError> {
        let entries = case.game.entries() as usize;
        let alone = Answer { threads: case.threads.get(), bad: 0, sum: 0, times: None };
        match case.work {
            Work::Compute(contender) => {
                let values = self.memory.bytes_mut(entries);
                let threads = contender.make(&case.game, settings(case), black_box(values))?;
                Ok(Answer { threads, ..alone })
            }
            Work::File(method) => {
                let Some(scratch) = &self.scratch else { return Err(ExperimentError::Nothing) };
                let (times, threads) =
                    make_file(&scratch.table(), &case.game, method, settings(case))?;
                Ok(Answer { threads, times: Some(times), ..alone })
            }
            Work::Law => {
                let values = black_box(self.memory.bytes(entries));
                let (bad, _) = check_law(&case.game, values, case.level)?;
                Ok(Answer { bad, ..alone })
            }
            Work::Probe(probe) => {
                let Some(probed) = &mut self.probed else { return Err(ExperimentError::Nothing) };
                Ok(Answer { sum: probed.run(probe)?, ..alone })
            }
            Work::Bound(bound) => Ok(Answer { sum: self.run_bound(bound, case)?, ..alone }),
        }
    }

    fn run_bound(&mut self, bound: Bound, case: &Case) -> Result<u64, ExperimentError> {
        let values = black_box(self.memory.bytes_mut(case.game.entries() as usize));
        let mut sum = 0;
        match bound {
            Bound::Fill => baseline::fill(values, CONSTANT),
            Bound::Copy => baseline::copy(values),
            Bound::Read => sum = baseline::read(values),
            Bound::RandomRead => sum = baseline::chase(values, case.units()),
            Bound::Write => self.write_plain(case)?,
            Bound::Sync => {
                let Some(scratch) = &mut self.scratch else { return Err(ExperimentError::Nothing) };
                scratch.sync().map_err(ExperimentError::folder(&self.parent))?;
            }
        }
        Ok(sum)
    }

    /// Checks what [`Workload::run`] has done.
    ///
    /// # Errors
    /// [`ExperimentError::Wrong`]
    pub fn check(&mut self, case: &Case, mut answer: Answer) -> Result<(), ExperimentError> {
        if case.work.is_stored() {
            answer.sum = self.check_file(case)?;
        }
        let values = self.memory.bytes(case.game.entries() as usize);
        let wrong = |problem: String| ExperimentError::Wrong { case: case.to_string(), problem };
        match case.work {
            Work::Compute(_) => {
                let reference = self.references.get(&case.game);
                if !reference.is_some_and(|reference| reference.is(values)) {
                    return Err(wrong("its table is not that of the reference".to_owned()));
                }
                self.holds = Some(case.game);
            }
            Work::Law if answer.bad != 0 => {
                let bad = answer.bad;
                return Err(wrong(format!("finds {bad} bad entries in a right table")));
            }
            Work::Bound(bound) if !bound_holds(bound, values, answer.sum) => {
                return Err(wrong("not every byte is as it should be".to_owned()));
            }
            Work::Probe(probe) => {
                let probed = self.probed.as_ref();
                if !probed.is_some_and(|probed| probed.holds(probe, answer.sum)) {
                    return Err(wrong("a value looked up is not that of the table".to_owned()));
                }
            }
            Work::Law | Work::File(_) | Work::Bound(_) => {}
        }
        Ok(())
    }

    /// Reads the table back that was written, or counts the bytes, and removes the file.
    fn check_file(&mut self, case: &Case) -> Result<u64, ExperimentError> {
        let Some(scratch) = &mut self.scratch else { return Err(ExperimentError::Nothing) };
        let written = scratch.written().unwrap_or(0);
        if matches!(case.work, Work::File(_)) {
            let table = Table::load(&scratch.table())?;
            let reference = self.references.get(&case.game);
            let same = table.game() == case.game;
            if !same || !reference.is_some_and(|reference| reference.is(table.values())) {
                let problem = "its file is not that of the reference".to_owned();
                return Err(ExperimentError::Wrong { case: case.to_string(), problem });
            }
        }
        scratch.clear();
        Ok(written)
    }

    /// Checks that the law finds a wrong entry: one that always holds would be fast.
    ///
    /// # Errors
    /// [`ExperimentError::Wrong`], and as [`Workload::run`].
    pub fn doubt(&mut self, case: &Case) -> Result<(), ExperimentError> {
        let middle = case.game.entries() as usize / 2;
        let flip = |workload: &mut Self| workload.memory.bytes_mut(middle + 1)[middle] ^= 1;
        flip(self);
        let answer = self.run(case);
        flip(self);
        if answer?.bad == 0 {
            let problem = "finds nothing wrong with a wrong entry".to_owned();
            return Err(ExperimentError::Wrong { case: case.to_string(), problem });
        }
        Ok(())
    }
}

fn settings(case: &Case) -> Settings {
    let threads = Settings::detect().with_threads(case.threads);
    Settings { level: case.level, ..threads }
}

/// What came out of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The threads used.
    pub threads: usize,
    /// The bad entries that the law has found.
    pub bad: u64,
    /// The sum of all words, where they were read; where reads at random places have led.
    pub sum: u64,
    /// What the parts took, where a file was made.
    pub times: Option<Times>,
}
