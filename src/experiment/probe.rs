//! Values looked up in a table as a solver does it.

use std::hint::black_box;

use super::work::PROBES;
use super::{ExperimentError, Probe, baseline};
use crate::game::Game;
use crate::table::{Header, Summary, Table};

/// What no table has.
const WRONG: u8 = 0xEE;

/// The right table of a game, in memory of its own, as a solver has it, and places to look at.
pub(super) struct Probed {
    table: Table,
    places: Vec<u64>,
    found: Vec<u8>,
}

impl Probed {
    pub(super) fn new(game: Game, values: &[u8]) -> Result<Self, ExperimentError> {
        let summary = Summary::of(values);
        let mut bytes = Header::new(game, &summary).encode().to_vec();
        bytes.extend_from_slice(values);
        bytes.extend(summary.chunks.iter().flat_map(|digest| *digest.bytes()));
        let table = Table::from_bytes(bytes)
            .map_err(|problem| ExperimentError::Reference { game, problem: problem.to_string() })?;
        let places = baseline::places(game.entries(), PROBES);
        Ok(Self { table, found: vec![0; places.len()], places })
    }

    pub(super) fn game(&self) -> Game {
        self.table.game()
    }

    /// Forgets what was found, and walks through the table.
    pub(super) fn prepare(&mut self) {
        self.found.fill(WRONG);
        black_box(baseline::sum(self.table.values()));
    }

    pub(super) fn run(&mut self, probe: Probe) -> Result<u64, ExperimentError> {
        let table = black_box(&self.table);
        match probe {
            Probe::Single => {
                let entries = table.header().entries();
                Ok(baseline::chase_by(entries, PROBES, |place| table.get(place).unwrap_or(WRONG)))
            }
            Probe::Batch => {
                table.values_at(black_box(&self.places), &mut self.found)?;
                Ok(0)
            }
        }
    }

    pub(super) fn holds(&self, probe: Probe, sum: u64) -> bool {
        let values = self.table.values();
        match probe {
            Probe::Single => sum == baseline::chase(values, PROBES),
            Probe::Batch => {
                let mut looked_up = self.places.iter().zip(&self.found);
                looked_up.all(|(&place, &found)| values[place as usize] == found)
            }
        }
    }
}
