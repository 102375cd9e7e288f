//! The tiles of a table, and who may fill which when.
//!
//! A tile is taken by the one worker that finds its `empty` lines, and can be read by others only as `done`
//! lines, which exist from the moment it is full: that nothing is read before it is written is in the
//! types, and this room needs no `unsafe`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{Scope, ThreadPool};

use super::above::{Above, needed_tops};
use super::open::OPEN;
use super::shape::Shape;
use super::tile::{self, Scratch};
use crate::generate::Observer;
use crate::simd::{LINE, Level};

type Lines = [[u8; LINE]];

/// All tiles of a table, and what holds for each.
pub(super) struct Board<'a> {
    shape: &'a Shape,
    level: Level,
    observer: &'a dyn Observer,
    tiles: Vec<Tile<'a>>,
    scratches: Mutex<Vec<Scratch>>,
    overflow: OnceLock<usize>,
    failed: AtomicBool,
}

struct Tile<'a> {
    empty: Mutex<Option<&'a mut Lines>>,
    done: OnceLock<&'a Lines>,
    /// How many of the tiles that this one needs are not done.
    waits: AtomicUsize,
}

impl<'a> Board<'a> {
    pub(super) fn new(
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

    /// Fills all tiles, each when those that it needs are done: on the pool, or one after another.
    pub(super) fn fill_all(&self, pool: Option<&ThreadPool>) -> Result<(), usize> {
        if let Some(pool) = pool {
            let dependents = self.dependents();
            pool.scope(|scope| self.spawn(scope, &dependents, 0));
        } else {
            for top in 0..self.tiles.len() {
                self.fill(top);
            }
        }
        self.overflow.get().map_or(Ok(()), |&row| Err(row))
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
            scratches.pop().unwrap_or_else(Scratch::new)
        };
        let start = top * self.shape.lines() * LINE;
        self.observer.before(start as u64, values.as_flattened_mut());
        let above = Above::new(self.shape, top as u64, |lower| {
            self.tiles[lower as usize].done.get().copied().unwrap_or(&[])
        });
        let filled = tile::fill(self.level, self.shape, &above, values, &mut scratch);
        if let Err(line) = filled {
            let open = values[line].iter().position(|&value| value == OPEN);
            let row = start + line * LINE + open.unwrap_or(0);
            let _ = self.overflow.set(row);
            self.failed.store(true, Ordering::Relaxed);
            return;
        }
        self.observer.after(start as u64, values.as_flattened());
        let _ = tile.done.set(values);
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}
