//! The engine of the stones game: layer by layer, a line of 256 states at a time.
//!
//! A move lowers `r`, the stones left, so the layers are `r = 0, 1, ..`, and the states of one layer do
//! not need one another. The order of the table is the order of the work.
//!
//! **Lines.** The used amounts of a state are a high part, above 8, and a low part, of 1 to 8. All
//! states of a layer with one high part lie side by side: a *line*, one lane for each low part. Near
//! the largest number of stones many low parts do not fit: a line is *packed*, without gaps, by its
//! *budget*, which is what its low amounts may sum up to. From a budget of 36 on it is whole.
//!
//! **Options.** Taking an amount above 8 leads from a whole line to one line of a lower layer, lane to
//! lane; that line has a budget of its own, so its bytes are spread to the 256 lanes first. Taking a low
//! amount `i` leads to the line of layer `r - i` with the same high part, from the lanes without `i` to
//! those with it. Used amounts above what is left are dropped; where 8 stones or less are left all high
//! ones are, so what such options add is the same for every line of a layer, or nearly, and is found
//! once (see [`line::Ends`]). The rest is sets of values as bits, and their mex, lane by lane.
//!
//! **Places.** The walk goes over the high parts from high to low amounts, parents before children,
//! which is the order of the table, so a layer is written from one end to the other. Each node carries
//! for each amount where the options begin in the table and what budget they have. Using one more
//! amount moves each of these places by one addition: behind all subsets of lower amounts within the
//! budget there. Where the amount is more than what the option leaves, the place stays.
//!
//! **Threads.** "All subsets of `1..=top` below this node" is one piece of the layer, and splits into
//! those without `top` and those with it: two slices, filled by two threads, and so on. No other
//! synchronisation is needed than the end of a layer.
//!
//! Tried and lost: each option ranked from scratch; lines vectorised over `r` (dropped amounts tie them
//! in cycles); a list of resolved options for each line, instead of resolving them again for each half.

mod line;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::Range;

use rayon::prelude::*;

use super::{GenerateError, Observer, Settings, overflow, threads};
use crate::game::Stones;
use crate::simd::{Level, Runs};
use line::{LOW, Lines, PLANES};
use walk::{Layer, Overflow};

/// Tables of fewer entries are filled before a second thread is awake.
const SMALL: u64 = 1 << 20;

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
    let threads = threads::for_table(settings, stones.entries(), SMALL);
    let fill = Fill { stones, level: settings.level, grain: GRAIN, planes: 1, observer };
    fill.on(threads, values)?;
    Ok(threads)
}

/// How a table is to be filled.
struct Fill<'a> {
    stones: Stones,
    level: Level,
    grain: usize,
    /// The planes that the values found so far are known to need.
    planes: usize,
    observer: &'a dyn Observer,
}

impl Fill<'_> {
    fn on(self, threads: usize, values: &mut [u8]) -> Result<(), GenerateError> {
        match threads::pool(threads)? {
            Some(pool) => pool.install(|| self.layers(values)),
            None => Self { grain: usize::MAX, ..self }.layers(values),
        }
    }

    /// One layer after another.
    fn layers(&self, values: &mut [u8]) -> Result<(), GenerateError> {
        let lines = Lines::new();
        let mut starts = Vec::new();
        let mut start = 0;
        let mut planes = self.planes;
        for left in 0..=self.stones.max() {
            starts.push(start as u32);
            let end = start + self.stones.layer_entries(left) as usize;
            self.before(start..end, values);
            let (done, rest) = values.split_at_mut(start);
            let layer = &mut rest[..end - start];
            if left <= LOW {
                lines.fill_small(left, self.stones.max() - left, layer);
            } else {
                planes = self.layer(&lines, done, &starts, planes, layer)?;
            }
            self.after(start..end, values);
            start = end;
        }
        Ok(())
    }

    /// The layer behind those `done`, whose lines needed at most `planes` planes; returns what they and
    /// this one needed.
    fn layer(
        &self,
        lines: &Lines,
        done: &[u8],
        starts: &[u32],
        planes: usize,
        values: &mut [u8],
    ) -> Result<usize, GenerateError> {
        let left = starts.len() as u32 - 1;
        let layer = Layer {
            stones: self.stones,
            left,
            lines,
            done: Runs::new(done),
            starts,
            level: self.level,
            // With two planes or less, values of 16 and more would be misread.
            planes: if planes == PLANES { PLANES } else { usual_planes(left) },
            grain: self.grain,
        };
        let needed = layer.fill(values);
        let needed =
            needed.map_err(|Overflow(line)| overflow(self.stones.into(), done.len() + line))?;
        Ok(planes.max(needed))
    }

    /// Tells of the stretches that begin in this layer: nothing is in them yet.
    fn before(&self, layer: Range<usize>, values: &mut [u8]) {
        let first = layer.start.next_multiple_of(STRETCH);
        let last = layer.end.next_multiple_of(STRETCH).min(values.len());
        if first >= last {
            return;
        }
        let tell = |(n, stretch): (usize, &mut [u8])| {
            self.observer.before((first + n * STRETCH) as u64, stretch);
        };
        if self.alone() {
            values[first..last].chunks_mut(STRETCH).enumerate().for_each(tell);
        } else {
            values[first..last].par_chunks_mut(STRETCH).enumerate().for_each(tell);
        }
    }

    /// Tells of the stretches that end in this layer: they are final.
    fn after(&self, layer: Range<usize>, values: &[u8]) {
        let whole = |end: usize| if end == values.len() { end } else { end - end % STRETCH };
        let (first, last) = (layer.start - layer.start % STRETCH, whole(layer.end));
        if first >= last {
            return;
        }
        let tell = |(n, stretch): (usize, &[u8])| {
            self.observer.after((first + n * STRETCH) as u64, stretch);
        };
        if self.alone() {
            values[first..last].chunks(STRETCH).enumerate().for_each(tell);
        } else {
            values[first..last].par_chunks(STRETCH).enumerate().for_each(tell);
        }
    }

    /// Whether one thread does all.
    fn alone(&self) -> bool {
        self.grain == usize::MAX
    }
}

/// The planes that hold almost all values of a layer.
const fn usual_planes(left: u32) -> usize {
    if left < 45 { 1 } else { 2 }
}
