//! x
mod line;
mod walk;
#[cfg(test)]
mod tests;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::{GenerateError, Observer, Settings, overflow};
use crate::game::Stones;
use crate::simd::Level;
use line::{Done, LOW, Lines, PLANES, sum};
use walk::{Layer, Overflow};

/// Tables of fewer entries are filled before a second thread is awake.
const SMALL: usize = 1 << 20;

/// Subtrees of this many entries are not split: some ten microseconds.
const GRAIN: usize = 1 << 13;

/// How many entries are reported to the observer at a time: a power of two.
const STRETCH: usize = 1 << 18;

/// Fills the table of the stones game.
pub(super) fn layered(
    stones: Stones,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    let threads = threads(settings, values.len());
    let fill = Fill { stones, level: settings.level, grain: GRAIN, observer };
    fill.on(threads, values)?;
    Ok(threads)
}

/// As many as asked for; otherwise as many as pay.
fn threads(settings: Settings, entries: usize) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    match settings.threads {
        Some(threads) => threads.get(),
        None if entries < SMALL => 1,
        None => available(),
    }
}

/// How a table is to be filled.
struct Fill<'a> {
    stones: Stones,
    level: Level,
    grain: usize,
    observer: &'a dyn Observer,
}

impl Fill<'_> {
    fn on(self, threads: usize, values: &mut [u8]) -> Result<(), GenerateError> {
        if threads == 1 {
            return Self { grain: usize::MAX, ..self }.layers(values);
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| GenerateError::Threads { threads, reason: error.to_string() })?;
        pool.install(|| self.layers(values))
    }

    /// One layer after another.
    fn layers(&self, values: &mut [u8]) -> Result<(), GenerateError> {
        let lines = Lines::new();
        let mut starts = Vec::new();
        let mut start = 0;
        let mut most = 1;
        for left in 0..=self.stones.max() {
            starts.push(start as u32);
            let end = start + self.stones.layer_entries(left) as usize;
            self.before(start..end, values);
            let (done, rest) = values.split_at_mut(start);
            let layer = &mut rest[..end - start];
            if left <= LOW {
                small_layer(&lines, left, self.stones.max() - left, layer);
            } else {
                let planes = if most == PLANES { PLANES } else { usual_planes(left) };
                let (stones, level, grain) = (self.stones, self.level, self.grain);
                let (done, starts, lines) = (Done::new(done), &starts[..], &lines);
                let filler = Layer { stones, left, lines, done, starts, level, planes, grain };
                let needed = filler.fill(layer).map_err(|Overflow(line)| overflow(stones.into(), start + line))?;
                most = most.max(needed);
            }
            self.after(start..end, values);
            start = end;
        }
        Ok(())
    }

    fn before(&self, layer: std::ops::Range<usize>, values: &mut [u8]) {
        let first = layer.start.next_multiple_of(STRETCH);
        let last = layer.end.next_multiple_of(STRETCH).min(values.len());
        if first < last {
            let tell = |(n, values): (usize, &mut [u8])| self.observer.before((first + n * STRETCH) as u64, values);
            if self.grain == usize::MAX {
                values[first..last].chunks_mut(STRETCH).enumerate().for_each(tell);
            } else {
                values[first..last].par_chunks_mut(STRETCH).enumerate().for_each(tell);
            }
        }
    }

    fn after(&self, layer: std::ops::Range<usize>, values: &[u8]) {
        let first = layer.start / STRETCH * STRETCH;
        let last = if layer.end == values.len() { layer.end } else { layer.end / STRETCH * STRETCH };
        if first < last {
            let tell = |(n, values): (usize, &[u8])| self.observer.after((first + n * STRETCH) as u64, values);
            if self.grain == usize::MAX {
                values[first..last].chunks(STRETCH).enumerate().for_each(tell);
            } else {
                values[first..last].par_chunks(STRETCH).enumerate().for_each(tell);
            }
        }
    }
}

/// The planes that hold almost all values of a layer.
const fn usual_planes(left: u32) -> usize {
    if left < 45 { 1 } else { 2 }
}

/// A layer of at most 8 stones.
fn small_layer(lines: &Lines, left: u32, budget: u32, layer: &mut [u8]) {
    let states = lines.small_states(left).filter(|(mask, _)| sum(*mask) <= budget as usize);
    for (entry, (_, value)) in layer.iter_mut().zip(states) {
        *entry = value;
    }
}
