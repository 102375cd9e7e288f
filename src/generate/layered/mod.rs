//! The engine: strip games from the rules alone, layer by layer, in parallel, with SIMD inside.

mod low;
mod order;
mod shape;
mod tile;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{Scope, ThreadPoolBuilder};

use super::{GenerateError, Observer, Settings, overflow};
use crate::game::Strip;
use crate::simd::{LINE, Level};
use low::LOW;
use shape::Shape;
use tile::{Above, Scratch, needed_tops};

type Lines = [[u8; LINE]];

/// Fills the table of a strip game.
pub(super) fn strip(
    strip: Strip,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    if strip.width() < LOW {
        return narrow(strip, settings, values, observer);
    }
    let high = strip.width() - LOW;
    let threads = settings.threads.map_or(1, |threads| threads.get());
    let middle: u32 = std::env::var("MID").ok().and_then(|m| m.parse().ok()).unwrap_or(12);
    let shape = Shape::new(strip, middle.min(high), settings.level.lanes());
    let (lines, _) = values.as_chunks_mut();
    let board = Board::new(&shape, settings.level, lines, observer);
    if threads == 1 || board.tiles.len() == 1 {
        for top in 0..board.tiles.len() {
            board.fill(top);
        }
    } else {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| GenerateError::Threads { threads, reason: error.to_string() })?;
        let dependents = board.dependents();
        pool.scope(|scope| board.spawn(scope, &dependents, 0));
    }
    board.finish()?;
    Ok(threads)
}

/// A strip narrower than a line: its table is a prefix of that of the line.
fn narrow(
    strip: Strip,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    let line = strip.with_width(LOW).unwrap_or(strip);
    let mut wide = [0; LINE];
    observer.before(0, values);
    self::strip(line, settings, &mut wide, &())?;
    let entries = values.len();
    values.copy_from_slice(&wide[..entries]);
    observer.after(0, values);
    Ok(1)
}

/// All tiles of a table, and what holds for each.
struct Board<'a> {
    shape: &'a Shape,
    level: Level,
    observer: &'a dyn Observer,
    tiles: Vec<Tile<'a>>,
    scratches: Mutex<Vec<Scratch>>,
    overflow: OnceLock<usize>,
    failed: AtomicBool,
}

/// A tile is written by whoever takes its `empty` lines, and read only after they are `done`.
struct Tile<'a> {
    empty: Mutex<Option<&'a mut Lines>>,
    done: OnceLock<&'a Lines>,
    /// How many of the tiles that this one needs are not done.
    waits: AtomicUsize,
}

impl<'a> Board<'a> {
    fn new(
        shape: &'a Shape,
        level: Level,
        lines: &'a mut Lines,
        observer: &'a dyn Observer,
    ) -> Self {
        let tile = |(top, lines)| Tile {
            empty: Mutex::new(Some(lines)),
            done: OnceLock::new(),
            waits: AtomicUsize::new(needed_tops(shape.strip(), top as u64).count()),
        };
        let tiles = lines.chunks_mut(shape.lines()).enumerate().map(tile).collect();
        let scratches = Mutex::default();
        let (overflow, failed) = (OnceLock::new(), AtomicBool::new(false));
        Self { shape, level, observer, tiles, scratches, overflow, failed }
    }

    /// For each tile, those that need it.
    fn dependents(&self) -> Vec<Vec<u32>> {
        let mut dependents = vec![Vec::new(); self.tiles.len()];
        for top in 0..self.tiles.len() {
            for needed in needed_tops(self.shape.strip(), top as u64) {
                dependents[needed as usize].push(top as u32);
            }
        }
        dependents
    }

    fn spawn<'scope>(
        &'scope self,
        scope: &Scope<'scope>,
        dependents: &'scope [Vec<u32>],
        top: usize,
    ) {
        scope.spawn(move |scope| {
            self.fill(top);
            for &next in &dependents[top] {
                let next = next as usize;
                if self.tiles[next].waits.fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.spawn(scope, dependents, next);
                }
            }
        });
    }

    /// Fills the tile of `top`, all of whose needs are done.
    fn fill(&self, top: usize) {
        if self.failed.load(Ordering::Relaxed) {
            return;
        }
        let tile = &self.tiles[top];
        let mut empty = tile.empty.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(values) = empty.take() else { return };
        let mut scratch = {
            let mut scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
            scratches.pop().unwrap_or_else(|| Scratch::new(self.shape))
        };
        let start = top * self.shape.lines() * LINE;
        self.observer.before(start as u64, values.as_flattened_mut());
        let above = Above::new(self.shape, top as u64, |lower| {
            self.tiles[lower as usize].done.get().copied().unwrap_or(&[])
        });
        let filled = tile::fill(self.level, self.shape, &above, values, &mut scratch);
        if let Err(line) = filled {
            let row = values[line].iter().position(|&value| value == 0).unwrap_or(0);
            let _ = self.overflow.set(start + line * LINE + row);
            self.failed.store(true, Ordering::Relaxed);
            return;
        }
        self.observer.after(start as u64, values.as_flattened());
        let _ = tile.done.set(values);
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    fn finish(&self) -> Result<(), GenerateError> {
        match self.overflow.get() {
            Some(&row) => Err(overflow(self.shape.strip().into(), row)),
            None => Ok(()),
        }
    }
}
