//! The tiles of a table, and who may read them when.
//!
//! A tile is taken by the one worker that finds its `empty` lines, and can be read by others only as `done`
//! lines, which exist from the moment it is full: that nothing is read before it is written is in the
//! types, and this room needs no `unsafe`.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::Scope;

use super::above::{Above, needed_tops};
use super::open::OPEN;
use super::queue::{Queue, Task};
use super::shape::Shape;
use super::tile::{self, Scratch};
use crate::generate::Observer;
use crate::generate::threads::Helpers;
use crate::simd::{LINE, Level};

type Lines = [[u8; LINE]];

/// All tiles of a table, and what holds for each.
pub(super) struct Board<'a> {
    shape: &'a Shape,
    level: Level,
    observer: &'a dyn Observer,
    tiles: Vec<Tile<'a>>,
    scratches: Mutex<Vec<Scratch>>,
}

struct Tile<'a> {
    empty: Mutex<Option<&'a mut Lines>>,
    done: OnceLock<&'a Lines>,
}

impl<'a> Board<'a> {
    pub(super) fn new(
        shape: &'a Shape,
        level: Level,
        lines: &'a mut Lines,
        observer: &'a dyn Observer,
    ) -> Self {
        let tile = |lines| Tile { empty: Mutex::new(Some(lines)), done: OnceLock::new() };
        let tiles = lines.chunks_mut(shape.lines()).map(tile).collect();
        Self { shape, level, observer, tiles, scratches: Mutex::default() }
    }

    /// Fills all tiles: one after another, or each when those that it needs are done, on this thread and its helpers.
    /// The error is a row that has no value.
    pub(super) fn fill_all(&self, helpers: Option<&Helpers>) -> Result<(), usize> {
        let Some(Helpers { pool, caller_works }) = helpers else {
            return (0..self.tiles.len()).try_for_each(|top| self.fill(top));
        };
        let queue = Queue::new(self.tiles.len(), |top| needed_tops(self.shape.strip(), top));
        let work = Work { board: self, queue, overflow: OnceLock::new() };
        pool.in_place_scope(|scope| {
            if *caller_works {
                while let Some(task) = work.queue.wait() {
                    work.fill(scope, task);
                }
            } else {
                work.help(scope);
            }
        });
        work.overflow.into_inner().map_or(Ok(()), Err)
    }

    /// Fills the tile of `top`, all of whose needs are done. The error is a row that has no value.
    fn fill(&self, top: usize) -> Result<(), usize> {
        let tile = &self.tiles[top];
        let mut empty = tile.empty.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(values) = empty.take() else { return Ok(()) };
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
            return Err(start + line * LINE + open.unwrap_or(0));
        }
        self.observer.after(start as u64, values.as_flattened());
        let _ = tile.done.set(values);
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        Ok(())
    }
}

/// The tiles of a board that are left to several threads.
struct Work<'b, 'a> {
    board: &'b Board<'a>,
    queue: Queue,
    overflow: OnceLock<usize>,
}

impl Work<'_, '_> {
    /// Has the pool fill a tile that is ready, and what that makes ready.
    fn help<'scope>(&'scope self, scope: &Scope<'scope>) {
        scope.spawn(|scope| {
            while let Some(task) = self.queue.take() {
                self.fill(scope, task);
            }
        });
    }

    fn fill<'scope>(&'scope self, scope: &Scope<'scope>, task: Task<'_>) {
        match self.board.fill(task.tile) {
            Ok(()) => {
                // This thread takes one of them.
                for _ in 1..task.done() {
                    self.help(scope);
                }
            }
            Err(row) => _ = self.overflow.set(row),
        }
    }
}
