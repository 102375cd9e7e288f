//! The engine: strip games from the rules alone, layer by layer, in parallel, with SIMD inside.
//!
//! The index of a row is cut into *top*, *middle* and *low* cells, the leftmost in the top:
//!
//! - The low eight cells make a *band*: 256 neighbours of the table. A move among the
//!   other cells takes a band to a band, lane by lane; one into the low cells takes a band to a band with
//!   its lanes moved (`low.rs`); only moves among the low cells tie the rows of a band to one another: they
//!   are resolved across a batch of bands that do not need one another (`ties.rs`).
//! - The bands of one top make a *tile*. What they need of one another is the same for all tiles
//!   (`shape.rs`, `moves.rs`), and so is the order that follows (`order.rs`); what they need of earlier tiles is
//!   read in one go (`above.rs`), and then the tile is filled (`tile.rs`): all bands first, then the lines
//!   that still have open rows (`open_lines.rs`). Where pieces go anywhere there is a shorter way than by the
//!   options of each band (`lifted.rs`).
//! - The tiles (`board.rs`) are filled when those that they need are done (`queue.rs`).
//!
//! # Why nothing is read before it is written
//!
//! Every move raises the sum of the positions of the pieces, counted from the left. So rows of equal sum never
//! need one another, and decreasing sums make an order: the *layers*. Two refinements of it are used. Between
//! tiles, a move inside the top or out of it leads to the tile of another top of lower index: exactly those
//! tiles are waited for (`above::needed_tops`), so tiles whose tops are of one layer, or do not meet at all,
//! run in parallel. Inside a tile, a move inside the middle or out of it lowers the layer of the band
//! (`order.rs`). Inside a band, a move lowers the low pattern, and patterns go upwards. Where few lines
//! are open they are batched in place of bands: the same holds for the cells above a line. Each row's options lie in a done tile, a
//! done batch of bands, or a lower pattern: by cases on where a piece starts and lands, these are all the
//! moves. `lifted.rs` needs more: that nothing is *noted* too early. A batch reads before it writes. No row of it is
//! the lifted row of another, or shares one with it: such pairs are a drop or a move apart. Rows with one lifted
//! row have equally many pieces, so their layers share no batch (`order.rs`), and they come lowest cell first.
//!
//! # What was tried and lost
//!
//! Resolving ties by repeated permutes, or lane by lane; two byte planes at once in 16-bit lanes (twice the
//! shuffles, where one row in 80 needs the second plane); redoing a whole batch when a row overflows a plane
//! (half of the bands, then of 128 rows, have such a row); several planes of a band gathered at once from its values (0.7 times as
//! fast as one after another as bits, where most rows need several); bits of the first plane in a scratch of
//! their own where they can stand in the place of the values (a tile that does not fit the second level of
//! cache); packing batches by following every source (a tenth of the run at width 20) where the
//! sum and the number of pieces pack as well; sorting the bands of a batch by their number of sources, or
//! making that number even, for the sake of branches (costs more than it gains); one kernel for a whole tile
//! (an eighth more instructions, for want of registers).
//! docs/performance.md has the figures.

mod above;
mod board;
mod gather;
mod lifted;
mod low;
mod moves;
mod open;
mod open_lines;
mod order;
mod queue;
mod shape;
mod ties;
mod tile;

use std::num::NonZeroUsize;

use super::{GenerateError, Observer, Settings, overflow, threads};
use crate::game::Strip;
use board::Board;
use shape::Shape;

/// The middle cells of a tile, where there are as many: 4096 bands, 1 MiB. Fewer leave vectors half empty,
/// for want of bands that do not need one another.
const MIDDLE: u32 = 12;

/// The same for the tables of [`WIDE`] cells and more, for which the caches matter more than instructions:
/// 512 KiB.
const WIDE_MIDDLE: u32 = 11;

/// The width from which on a table does not fit the caches.
const WIDE: u32 = 24;

const _: () = assert!(MIDDLE + low::Low::CELLS_ABOVE_A_LINE <= order::MAX_CELLS);

/// The fewest middle cells of a tile that is cut small to have more of them.
const LEAST_MIDDLE: u32 = 10;

/// The smallest table for which a second thread pays.
const PARALLEL: u64 = 1 << 23;

/// Fills the table of a strip game, and returns the number of threads used.
pub(super) fn strip(
    strip: Strip,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    if strip.width() < low::CELLS {
        return narrow(strip, settings, values, observer);
    }
    let threads = threads::for_table(settings, strip.entries(), PARALLEL);
    let shape = Shape::new(strip, middle(strip.width(), threads), settings.level);
    let (lines, _) = values.as_chunks_mut();
    let board = Board::new(&shape, settings.level, lines, observer);
    let helpers = threads::helpers(threads)?;
    board.fill_all(helpers.as_ref()).map_err(|row| overflow(strip.into(), row))?;
    Ok(threads)
}

/// A strip narrower than a band: its table is a prefix of that of the band.
fn narrow(
    strip: Strip,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    let band = strip.with_width(low::CELLS).unwrap_or(strip);
    let mut wide = [0; 1 << low::CELLS];
    observer.before(0, values);
    self::strip(band, Settings { threads: NonZeroUsize::new(1), ..settings }, &mut wide, &())?;
    let entries = values.len();
    values.copy_from_slice(&wide[..entries]);
    observer.after(0, values);
    Ok(1)
}

/// How many middle cells the tiles get: as many as make the least work for each thread.
fn middle(width: u32, threads: usize) -> u32 {
    let high = width - low::CELLS;
    let most = if width < WIDE { MIDDLE } else { WIDE_MIDDLE };
    if high <= LEAST_MIDDLE {
        return high;
    }
    // The steps in which all tiles are filled, as many at a time as there are threads, by an estimate: one at least
    // for each layer of the tops, and some more in the first ones and the last, which have few tiles each. Small
    // tiles are more work by their count of instructions, as their batches are less full.
    let threads = (threads as u64).min(1 << 16);
    let work = |middle: u32| {
        let top = high - middle;
        let (tiles, layers) = (1_u64 << top, u64::from(top * (top + 1) / 2 + 1));
        let steps =
            if threads == 1 { tiles } else { layers.max(tiles / threads + 2 * threads - 1) };
        let weight = match middle {
            MIDDLE => 100,
            WIDE_MIDDLE => 110,
            _ => 129,
        };
        (steps * weight) << middle
    };
    (LEAST_MIDDLE..=most.min(high)).rev().min_by_key(|&middle| work(middle)).unwrap_or(high)
}

#[cfg(test)]
mod tests {
    use super::{LEAST_MIDDLE, MIDDLE, WIDE, WIDE_MIDDLE, low, middle};
    use crate::game::MAX_WIDTH;

    #[test]
    fn tiles_are_neither_too_small_nor_too_large() {
        for threads in (1..=40).chain([1024, usize::MAX]) {
            for width in low::CELLS..=MAX_WIDTH {
                let (high, cells) = (width - low::CELLS, middle(width, threads));
                let most = if width < WIDE { MIDDLE } else { WIDE_MIDDLE };
                assert!(cells >= LEAST_MIDDLE.min(high), "{width} {threads}: {cells}");
                assert!(cells <= most.min(high), "{width} {threads}: {cells}");
            }
        }
        assert_eq!([20, 23, 24, 40].map(|width| middle(width, 1)), [12, 12, 11, 11]);
        assert_eq!([24, 25].map(|width| middle(width, 2)), [11, 11]);
    }
}
