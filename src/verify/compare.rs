//! Naive and theory: every entry against a second opinion.

use rayon::prelude::*;

use super::finding::Finding;
use super::{Settings, Status, Verdict, VerifyError};
use crate::game::{Game, Pile, Rule, Stones, Strip, strip_value, untouched_pile};
use crate::generate::{self, Method, generate};

/// How many entries a thread takes at a time.
const STRETCH: usize = 1 << 16;

/// The widest strip whose naive computation runs without being asked for.
const IMPATIENT_WIDTH: u32 = 26;

/// The largest stones game whose naive computation runs without being asked for.
const IMPATIENT_MAX: u32 = 80;

/// The sequential computation from the definition gives the same values.
pub(super) fn naive(
    game: &Game,
    values: &[u8],
    settings: Settings,
) -> Result<Verdict, VerifyError> {
    let long = match game {
        Game::Strip(strip) => strip.width() > IMPATIENT_WIDTH,
        Game::Stones(stones) => stones.max() > IMPATIENT_MAX,
    };
    if long && !settings.patient {
        let reason = format!(
            "would take about {} on one thread; ask for it with --check naive",
            duration(naive_seconds(game))
        );
        return Ok(Verdict::Not(Status::Skipped(reason)));
    }
    let mut computed = Vec::new();
    let room = computed.try_reserve_exact(values.len());
    room.map_err(|_| VerifyError::Memory { needed: values.len() as u64 })?;
    computed.resize(values.len(), 0);
    let run = generate::Settings { level: settings.level, ..generate::Settings::detect() };
    generate(game, Method::Naive, run, &mut computed, &())?;
    let finding = scan(values, |index| Some(computed[index as usize]));
    Ok(Verdict::of(finding, game))
}

/// The closed form gives the same values, for every position that has one.
pub(super) fn theory(game: &Game, values: &[u8]) -> Verdict {
    match game {
        Game::Strip(strip) if strip.reach().is_some() => {
            Verdict::Not(Status::NotApplicable("no formula is known for a limited reach"))
        }
        Game::Strip(strip) => Verdict::of(strip_theory(*strip, values), game),
        Game::Stones(stones) => Verdict::of(stones_theory(*stones, values), game),
    }
}

fn strip_theory(strip: Strip, values: &[u8]) -> Finding {
    scan(values, |index| strip_value(strip, index))
}

/// Only untouched piles have a formula.
fn stones_theory(stones: Stones, values: &[u8]) -> Finding {
    let mut finding = Finding::default();
    for left in 0..=stones.max() {
        let Ok(pile) = Pile::untouched(left) else { break };
        let index = stones.rank(pile);
        finding.compare(index, values[index as usize], Some(untouched_pile(left) as u8));
    }
    finding
}

/// Compares every entry with what `expected` says of it, on the threads of the current pool.
fn scan(values: &[u8], expected: impl Fn(u64) -> Option<u8> + Sync) -> Finding {
    let stretches = values.par_chunks(STRETCH).enumerate();
    let findings = stretches.map(|(stretch, values)| {
        let mut finding = Finding::default();
        for (place, &found) in values.iter().enumerate() {
            let index = (stretch * STRETCH + place) as u64;
            finding.compare(index, found, expected(index));
        }
        finding
    });
    findings.reduce(Finding::default, Finding::merge)
}

/// A rough guess, measured on one machine: some nanoseconds for each piece and each of its moves.
fn naive_seconds(game: &Game) -> f64 {
    let nanos = match game {
        Game::Strip(strip) => {
            let pieces = f64::from(strip.width()) / 2.0;
            let reach = strip.reach().map_or(f64::INFINITY, f64::from);
            let moves: f64 = match strip.rule() {
                Rule::Chess => 1.0,
                Rule::Slide => 2.0,
                Rule::Welter => f64::from(strip.width()) / 4.0,
            };
            pieces * (3.0 + 3.3 * moves.min(reach))
        }
        Game::Stones(stones) => 50.0 * f64::from(stones.max()) / 2.0,
    };
    game.entries() as f64 * nanos / 1e9
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} seconds"),
        ..7200.0 => format!("{:.0} minutes", seconds / 60.0),
        _ => format!("{:.0} hours", seconds / 3600.0),
    }
}
