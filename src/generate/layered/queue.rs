//! Which tile may be filled next, for threads that fill them at the same time.
//!
//! They are the caller's and those of a pool. If the caller's only waited for the pool, there would be one thread
//! more than processors: two begin on one processor, and the one that the caller leaves stays idle for
//! milliseconds, until the system moves one of the two. But no task of the pool waits for a tile: a thread of it that
//! fills a tile may take up another task in the middle of it, where an observer uses the pool, and would then wait
//! for itself.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The tiles of a board in an order in which those that a tile needs come first.
pub(super) struct Queue {
    /// For each tile, those that need it.
    dependents: Vec<Vec<u32>>,
    state: Mutex<State>,
    /// Something is ready, or nothing is left: for the one thread that waits.
    changed: Condvar,
}

struct State {
    /// The tiles that are ready, oldest first, and the threads that made them ready.
    ready: Vec<(u32, ThreadId)>,
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
        let me = thread::current().id();
        let free = (0..tiles as u32).filter(|&tile| waits[tile as usize] == 0);
        let ready = free.map(|tile| (tile, me)).collect();
        let state = Mutex::new(State { ready, waits, left: tiles });
        Self { dependents, state, changed: Condvar::new() }
    }

    /// A tile all of whose needs are done, if there is one and the work was not stopped.
    pub(super) fn take(&self) -> Option<Task<'_>> {
        self.task(&mut self.state())
    }

    /// The same as soon as there is one; none if nothing is left. For one thread, which nobody else needs.
    pub(super) fn wait(&self) -> Option<Task<'_>> {
        let idle = |state: &mut State| state.ready.is_empty() && state.left != 0;
        let waited = self.changed.wait_while(self.state(), idle);
        self.task(&mut waited.unwrap_or_else(PoisonError::into_inner))
    }

    fn task(&self, state: &mut State) -> Option<Task<'_>> {
        if state.left == 0 || state.ready.is_empty() {
            return None;
        }
        // The last that this thread made ready: what it needs is the likeliest to be in the caches of this processor. Or
        // else the oldest, which another thread would not have taken soon.
        let me = thread::current().id();
        let own = state.ready.iter().rposition(|&(_, freed_by)| freed_by == me);
        let (tile, _) = state.ready.remove(own.unwrap_or(0));
        Some(Task { queue: self, tile: tile as usize, is_done: false })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task<'_> {
    /// Says that the tile is filled. Returns how many that makes ready: as many have to be [taken](Queue::take) now, of
    /// which this thread is to take one.
    #[must_use]
    pub(super) fn done(mut self) -> usize {
        self.is_done = true;
        let me = thread::current().id();
        let mut state = self.queue.state();
        let State { ready, waits, left } = &mut *state;
        let before = ready.len();
        for &dependent in &self.queue.dependents[self.tile] {
            let waits = &mut waits[dependent as usize];
            *waits -= 1;
            if *waits == 0 {
                ready.push((dependent, me));
            }
        }
        *left = left.saturating_sub(1);
        let (freed, ended) = (ready.len() - before, *left == 0);
        drop(state);
        if freed > 1 || ended {
            self.queue.changed.notify_one();
        }
        freed
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.queue.state().left = 0;
            self.queue.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{Queue, Task};

    const TILES: usize = 256;

    /// Tile `n` needs those that are `n` without one of its bits.
    fn needs(tile: u64) -> impl Iterator<Item = u64> {
        (0..u64::BITS).map(move |bit| tile & !(1 << bit)).filter(move |&other| other != tile)
    }

    #[test]
    fn every_tile_is_taken_once_and_after_those_that_it_needs() {
        let queue = Queue::new(TILES, needs);
        let (mut done, mut ready) = ([false; TILES], 1);
        while let Some(task) = queue.take() {
            let tile = task.tile;
            assert!(!done[tile], "{tile} twice");
            assert!(needs(tile as u64).all(|tile| done[tile as usize]), "{tile} too early");
            done[tile] = true;
            ready += task.done();
            ready -= 1;
        }
        assert_eq!((done, ready), ([true; TILES], 0));
        assert!(queue.wait().is_none());
    }

    #[test]
    fn a_task_that_is_not_done_stops_the_work() {
        let queue = Queue::new(TILES, needs);
        let first = queue.take().expect("the first tile");
        assert!(queue.take().is_none(), "nothing else is ready");
        assert_eq!(first.done(), 8);
        let (lost, kept) = (queue.take().expect("one of eight"), queue.take().expect("another"));
        drop(lost);
        assert!(queue.take().is_none(), "six more were ready");
        assert_eq!(kept.done(), 0);
        assert!(queue.take().is_none() && queue.wait().is_none());
    }

    /// How many tiles a thread fills that waits for them, where this thread has the first tile and finishes it or not.
    fn filled_by_waiting(tiles: usize, finished: bool) -> usize {
        let queue = Queue::new(tiles, needs);
        let first = queue.take().expect("the first tile");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let tasks = std::iter::from_fn(|| queue.wait().map(Task::done));
                tasks.count()
            });
            if finished {
                let _ = first.done();
            } else {
                drop(first);
            }
            waiting.join().expect("no panic")
        })
    }

    #[test]
    fn a_thread_that_waits_hears_of_more_work_and_of_the_end() {
        assert_eq!(filled_by_waiting(TILES, true), TILES - 1);
        assert_eq!(filled_by_waiting(TILES, false), 0);
        assert_eq!(filled_by_waiting(1, true), 0);
    }
}
