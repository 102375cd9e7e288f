//! Which tile may be filled next, for threads that fill them at the same time.
//!
//! The caller's thread is one of them, for which the tasks of a thread pool have no place: with as many more
//! threads as there are processors, two begin on one processor, and the one that the caller leaves stays idle
//! for milliseconds, until the system moves one of the two.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The tiles of a board in an order in which those that a tile needs come first.
pub(super) struct Queue {
    /// For each tile, those that need it.
    dependents: Vec<Vec<u32>>,
    state: Mutex<State>,
    /// Something is ready, or nothing is left.
    changed: Condvar,
}

struct State {
    /// The last one is taken first: what it needs is the likeliest to be in a cache.
    ready: Vec<u32>,
    /// How many of the tiles that each tile needs are not done.
    waits: Vec<u32>,
    /// How many tiles are not done; none if the work was stopped.
    left: usize,
}

/// A tile that one thread has to fill. Dropped without [`Task::done`], it stops the work of all threads: nothing
/// could follow it.
pub(super) struct Task<'a> {
    queue: &'a Queue,
    pub(super) tile: usize,
    is_done: bool,
}

impl Queue {
    /// A queue of `tiles`, each of which needs those of `needs`.
    pub(super) fn new<I: Iterator<Item = u64>>(tiles: usize, needs: impl Fn(u64) -> I) -> Self {
        let (mut dependents, mut waits) = (vec![Vec::new(); tiles], vec![0; tiles]);
        for tile in 0..tiles {
            for needed in needs(tile as u64) {
                dependents[needed as usize].push(tile as u32);
                waits[tile] += 1;
            }
        }
        let ready = (0..tiles as u32).filter(|&tile| waits[tile as usize] == 0).collect();
        let state = Mutex::new(State { ready, waits, left: tiles });
        Self { dependents, state, changed: Condvar::new() }
    }

    /// A tile all of whose needs are done, as soon as there is one; none if nothing is left.
    pub(super) fn next(&self) -> Option<Task<'_>> {
        let idle = |state: &mut State| state.ready.is_empty() && state.left != 0;
        let waited = self.changed.wait_while(self.state(), idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.left == 0 {
            return None;
        }
        let tile = state.ready.pop()? as usize;
        Some(Task { queue: self, tile, is_done: false })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task<'_> {
    /// Says that the tile is filled.
    pub(super) fn done(mut self) {
        self.is_done = true;
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        let Self { queue, tile, is_done } = *self;
        let mut state = queue.state();
        let State { ready, waits, left } = &mut *state;
        let before = ready.len();
        if is_done {
            for &dependent in &queue.dependents[tile] {
                let waits = &mut waits[dependent as usize];
                *waits -= 1;
                if *waits == 0 {
                    ready.push(dependent);
                }
            }
        }
        *left = if is_done { left.saturating_sub(1) } else { 0 };
        let (freed, ended) = (ready.len() - before, *left == 0);
        drop(state);
        if ended {
            queue.changed.notify_all();
        }
        // This thread takes one itself.
        for _ in 1..freed {
            queue.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::Queue;

    const TILES: usize = 256;

    /// Tile `n` needs those that are `n` without one of its bits.
    fn needs(tile: u64) -> impl Iterator<Item = u64> {
        (0..u64::BITS).map(move |bit| tile & !(1 << bit)).filter(move |&other| other != tile)
    }

    /// Has threads fill the tiles, but drop the task of the tile `lost`. Returns those that are done.
    fn filled(threads: usize, lost: Option<usize>) -> Vec<bool> {
        let queue = Queue::new(TILES, needs);
        let done = [const { AtomicBool::new(false) }; TILES];
        let work = || {
            while let Some(task) = queue.next() {
                let tile = task.tile;
                let is_done = |tile: u64| done[tile as usize].load(Ordering::Relaxed);
                assert!(needs(tile as u64).all(is_done), "{tile} before one that it needs");
                if Some(tile) == lost {
                    continue;
                }
                assert!(!done[tile].swap(true, Ordering::Relaxed), "{tile} twice");
                task.done();
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        assert!(queue.next().is_none());
        done.map(AtomicBool::into_inner).to_vec()
    }

    #[test]
    fn every_tile_is_taken_once_and_after_those_that_it_needs() {
        for threads in [1, 2, 3, 64] {
            assert_eq!(filled(threads, None), [true; TILES], "{threads} threads");
        }
    }

    #[test]
    fn a_task_that_is_not_done_stops_all_threads() {
        for (threads, lost) in [(1, 0), (1, 200), (2, 0), (2, 200), (64, 0), (64, 200)] {
            let filled = filled(threads, Some(lost));
            assert!(!filled[lost] && !filled[TILES - 1], "{threads} threads, {lost}");
        }
    }
}
