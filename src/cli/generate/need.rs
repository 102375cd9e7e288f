//! What a run needs, told and checked before anything is touched: disk, memory, time.

use std::fmt;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::bail;
use grundy::game::{Game, Rule, Stones, Strip};
use grundy::generate::{GenerateError, Method, Settings, generate};
use grundy::table::Header;

use super::memory;

/// The largest table that is filled to see how long a larger one takes: some milliseconds by most methods.
const PILOT: u64 = 1 << 20;

/// What a disk takes a second through a mapping, with page faults, digests and syncing: 200 to 500 MB were measured.
const DISK_BYTES_A_SECOND: f64 = 3e8;

/// What a table needs by one of the methods.
pub(super) struct Need {
    game: Game,
    method: Method,
    /// The bytes of the file.
    pub(super) bytes: u64,
    /// The bytes that should lie in memory all the time: values are looked up all over the table.
    pub(super) memory: u64,
}

impl Need {
    pub(super) fn of(game: Game, method: Method) -> Self {
        let bytes = Header::file_bytes_of(&game);
        let memory = match method {
            Method::Layered | Method::Naive => bytes,
            // It never looks back: pages go to the disk as they are filled.
            Method::ClosedForm => 0,
        };
        Self { game, method, bytes, memory }
    }

    /// Refuses what would only fight for memory.
    pub(super) fn check_memory(&self) -> anyhow::Result<()> {
        let Some(available) = memory::available() else { return Ok(()) };
        if self.memory <= available {
            return Ok(());
        }
        let Self { game, method, memory, .. } = self;
        let smaller = match game {
            Game::Strip(_) => "--width",
            Game::Stones(_) => "--max",
        };
        let instead = if Method::ClosedForm.applies_to(game) {
            format!("use --method {}, which needs none of it, or", Method::ClosedForm)
        } else {
            "free memory, or".to_owned()
        };
        bail!(
            "{game} does not fit the memory: method {method} needs {memory} bytes, and {available} are \
             available: {instead} choose a smaller {smaller}"
        )
    }

    /// About how many seconds the table takes, by a small one that is filled now and the rate of a disk.
    ///
    /// # Errors
    /// As [`generate`].
    pub(super) fn seconds(&self, settings: Settings) -> Result<f64, GenerateError> {
        let pilot = pilot(self.game);
        let mut values = vec![0; pilot.entries() as usize];
        let mut fill = || {
            let start = Instant::now();
            generate(&pilot, self.method, settings, &mut values, &())
                .map(|threads| start.elapsed().as_secs_f64() * threads as f64)
        };
        // The first time the memory is new.
        fill()?;
        let entries = self.game.entries() as f64 / pilot.entries() as f64;
        let compute = fill()? * entries * self.growth(pilot) / self.threads(settings);
        Ok(compute + self.bytes as f64 / DISK_BYTES_A_SECOND)
    }

    /// How much more an entry costs than one of the pilot: as much as it has more options.
    fn growth(&self, pilot: Game) -> f64 {
        match (self.method, self.game, pilot) {
            (Method::ClosedForm, ..) => 1.0,
            (_, Game::Strip(strip), Game::Strip(pilot)) => {
                let cells = f64::from(strip.width()) / f64::from(pilot.width());
                // Each piece goes to each empty cell, where the others have a move or two a piece. The layered
                // method looks at fewer, but waits for memory instead.
                if strip.rule() == Rule::Welter && strip.reach().is_none() {
                    cells * cells
                } else {
                    cells
                }
            }
            (_, Game::Stones(stones), Game::Stones(pilot)) => {
                f64::from(stones.max()) / f64::from(pilot.max())
            }
            _ => 1.0,
        }
    }

    fn threads(&self, settings: Settings) -> f64 {
        let threads = settings.threads.or_else(|| available_parallelism().ok());
        // A small table is filled by the threads of the pilot.
        let alone = self.method == Method::Naive || self.game.entries() <= PILOT;
        if alone { 1.0 } else { threads.map_or(1, NonZeroUsize::get) as f64 }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of disk, {} of memory", self.bytes, self.memory)
    }
}

/// The game itself, or one of its kind that is small.
fn pilot(game: Game) -> Game {
    let small = |game: &Game| game.entries() <= PILOT;
    let smaller: Option<Game> = match game {
        Game::Strip(strip) => (1..strip.width())
            .rev()
            .filter_map(|width| Strip::new(strip.rule(), width, strip.reach()).ok())
            .map(Game::from)
            .find(small),
        Game::Stones(stones) => (1..stones.max())
            .rev()
            .filter_map(|max| Stones::new(max).ok())
            .map(Game::from)
            .find(small),
    };
    if small(&game) { game } else { smaller.unwrap_or(game) }
}

/// A stretch of time, for people.
pub(super) struct About(pub(super) f64);

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds if seconds < 0.1 => write!(f, "less than 0.1 s"),
            seconds if seconds < 100.0 => write!(f, "about {seconds:.1} s"),
            seconds if seconds < 6000.0 => write!(f, "about {:.0} min", seconds / 60.0),
            seconds => write!(f, "about {:.0} h", seconds / 3600.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pilot_is_small_and_of_the_same_kind() {
        for (id, expected) in [
            ("chess-40", "chess-20"),
            ("slide-33-reach-3", "slide-20-reach-3"),
            ("welter-33-reach-30", "welter-20"),
            ("chess-12", "chess-12"),
            ("stones-60", "stones-60"),
        ] {
            let game: Game = id.parse().expect(id);
            assert_eq!(pilot(game).to_string(), expected);
        }
        let stones = pilot("stones-180".parse().expect("an id"));
        assert!((1 << 19..=PILOT).contains(&stones.entries()), "{stones}");
    }

    #[test]
    fn only_the_methods_that_look_back_need_memory() {
        let game: Game = "chess-40".parse().expect("an id");
        for (method, memory) in
            [(Method::Layered, 1 << 40), (Method::Naive, 1 << 40), (Method::ClosedForm, 0)]
        {
            let need = Need::of(game, method);
            assert!(need.memory >= memory && need.bytes > 1 << 40, "{method}");
            assert_eq!(need.memory == 0, method == Method::ClosedForm);
        }
    }
}
