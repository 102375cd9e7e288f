//! The order of the bands of a tile, or of their lines: layers, and batches of those that do not need one
//! another.
//!
//! Here a *row* is a band by its middle cells, or a line by all cells above it. The *layer* of a row is the
//! sum over its pieces of one more than their bit: the sum of their positions counted from below. A move
//! inside the row lowers it, and a piece that drops into the cells below takes its share away; so a row
//! needs only rows of lower layers, whatever the rule. (The sum of positions from the left, by which the
//! whole table is ordered, rises with every move; the layer of a row falls by as much.)
//!
//! No move gives a row a piece. So a row does not need rows with more pieces either, and rows of
//! two layers can share a batch where all those of the upper layer have fewer pieces.
//!
//! All of that is the same for every game, and the compiler does it.

/// The most cells of a row: the middle of a tile, and what a line has besides.
pub(super) const MAX_CELLS: u32 = 14;

/// The number of rows of [`MAX_CELLS`] cells.
pub(super) const ROWS: usize = 1 << MAX_CELLS;

/// The place of a row in the order.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rank {
    layer: u8,
    pieces: u8,
}

/// The rank of each row.
static RANKS: [Rank; ROWS] = ranks();

/// The rows of `c` cells in order, from place `2^c` on: by layer, then by number of pieces; then so that
/// the loops over the moves of neighbours run alike, and a processor foresees them: by trailing pieces, and
/// by the highest piece.
static ORDERS: [u16; 2 * ROWS] = orders();

#[expect(clippy::large_stack_arrays, reason = "the compiler runs it, once")]
const fn ranks() -> [Rank; ROWS] {
    let mut ranks = [Rank { layer: 0, pieces: 0 }; ROWS];
    let mut row = 1_usize;
    while row < ROWS {
        let piece = row.ilog2();
        let Rank { layer, pieces } = ranks[row ^ 1 << piece];
        ranks[row] = Rank { layer: layer + piece as u8 + 1, pieces: pieces + 1 };
        row += 1;
    }
    ranks
}

const _: () = assert!(MAX_CELLS < 16, "a key has four bits for a number of cells");

/// A number that is smaller for a row that comes earlier.
const fn key(row: usize) -> usize {
    let Rank { layer, pieces } = RANKS[row];
    (layer as usize) << 8 | (pieces as usize) << 4 | row.trailing_ones() as usize
}

/// Sorts all rows by counting their keys, so that rows of one key stay in the order of their numbers; then
/// the rows of fewer cells are picked from them.
#[expect(clippy::large_stack_arrays, reason = "the compiler runs it, once")]
const fn orders() -> [u16; 2 * ROWS] {
    const KEYS: usize = key(ROWS - 1) + 1;
    let mut orders = [0; 2 * ROWS];
    let mut rows_of = [0; KEYS];
    let mut row = 0;
    while row < ROWS {
        rows_of[key(row)] += 1;
        row += 1;
    }
    let (mut place_of, mut next, mut n) = ([0; KEYS], ROWS, 0);
    while n < KEYS {
        place_of[n] = next;
        next += rows_of[n];
        n += 1;
    }
    let mut row = 0;
    while row < ROWS {
        let place = &mut place_of[key(row)];
        orders[*place] = row as u16;
        *place += 1;
        row += 1;
    }
    let mut rows = ROWS / 2;
    while rows > 0 {
        let (mut from, mut to) = (2 * rows, rows);
        while from < 4 * rows {
            if (orders[from] as usize) < rows {
                orders[to] = orders[from];
                to += 1;
            }
            from += 1;
        }
        rows /= 2;
    }
    orders
}

/// The rows of `cells` cells, in order.
pub(super) const fn in_order(cells: u32) -> &'static [u16] {
    debug_assert!(cells <= MAX_CELLS, "more cells than the order has");
    let Some((_, orders)) = ORDERS.split_at_checked(1 << cells) else { return &[] };
    let Some((order, _)) = orders.split_at_checked(1 << cells) else { return &[] };
    order
}

/// Where each row of `c` cells stands in their order, from `2^c` on.
static PLACES: [u16; 2 * ROWS] = places();

#[expect(clippy::large_stack_arrays, reason = "the compiler runs it, once")]
const fn places() -> [u16; 2 * ROWS] {
    let mut places = [0; 2 * ROWS];
    let (mut rows, mut place) = (1, 0);
    while rows <= ROWS {
        while place < rows {
            places[rows + ORDERS[rows + place] as usize] = place as u16;
            place += 1;
        }
        (rows, place) = (2 * rows, 0);
    }
    places
}

/// Some of the rows of a strip of at most [`MAX_CELLS`] cells, as bits.
pub(super) type Rows = [u64; ROWS / 64];

/// None of them.
pub(super) const NO_ROWS: Rows = [0; ROWS / 64];

/// Calls `see` with the numbers of the bits that are set, lowest first.
#[inline(always)]
fn each_member(rows: &[u64], mut see: impl FnMut(usize)) {
    for (n, &word) in rows.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            see(64 * n + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Replaces `list` by the rows of `cells` cells that are in `picked`, in order; it has no others.
pub(super) fn pick_in_order(cells: u32, picked: &[u64], list: &mut Vec<u16>) {
    debug_assert!(cells <= MAX_CELLS, "more cells than the order has");
    let mut in_places = NO_ROWS;
    let places = PLACES.get(1 << cells..2 << cells).unwrap_or(&[]);
    each_member(picked, |row| {
        let place = usize::from(places[row]);
        in_places[place / 64] |= 1 << (place % 64);
    });
    let order = in_order(cells);
    list.clear();
    each_member(&in_places, |place| list.push(order[place]));
}

/// Batches of rows, in an order in which each finds what it needs done.
#[derive(Default)]
pub(super) struct Batches {
    rows: Vec<u16>,
    ends: Vec<u32>,
}

impl Batches {
    /// Packs rows given in order, at most `lanes` to a batch.
    pub(super) fn pack(&mut self, lanes: usize, rows: &[u16]) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.ends.clear();
        let rank = |place: usize| RANKS[usize::from(rows[place]) % ROWS];
        // The fewest pieces of the rows in the batch that begins at `start`.
        let (mut start, mut fewest) = (0, u8::MAX);
        let mut first = 0;
        while first < rows.len() {
            let Rank { layer, pieces } = rank(first);
            let mut end = first + 1;
            while end < rows.len() && rank(end).layer == layer {
                end += 1;
            }
            let mut place = first;
            while place < end && place - start < lanes && rank(place).pieces < fewest {
                place += 1;
            }
            if place == end {
                fewest = fewest.min(pieces);
            } else {
                // They do not all join the batch of the layers below.
                self.ends.push(place as u32);
                start = place;
                while end - start > lanes {
                    start += lanes;
                    self.ends.push(start as u32);
                }
                fewest = rank(start).pieces;
            }
            first = end;
        }
        if start < rows.len() {
            self.ends.push(rows.len() as u32);
        }
    }

    /// The rows of each batch.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let rows = &self.rows[start..end as usize];
            start = end as usize;
            rows
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Batches, MAX_CELLS, NO_ROWS, in_order, pick_in_order};
    use crate::game::{Rule, Strip};

    /// Packs, and checks that no row needs another of its batch or of a later one.
    fn check(cells: u32, lanes: usize, rows: &[u16]) {
        let mut batches = Batches::default();
        batches.pack(lanes, rows);
        let mut batch_of = vec![None; 1 << cells];
        for (batch, of_batch) in batches.each().enumerate() {
            assert!(of_batch.len() <= lanes);
            for &row in of_batch {
                assert_eq!(batch_of[usize::from(row)].replace(batch), None, "row {row} twice");
            }
        }
        assert_eq!(batch_of.iter().flatten().count(), rows.len());
        // Welter's game has every move of every rule.
        let strip = Strip::new(Rule::Welter, cells, None).expect("a game");
        for &row in rows {
            let row = usize::from(row);
            let dropped = (0..cells).filter(|bit| row >> bit & 1 == 1).map(|bit| row ^ 1 << bit);
            let moved = strip.options(row as u64).map(|option| option as usize);
            for needed in moved.chain(dropped).filter(|&needed| batch_of[needed].is_some()) {
                assert!(batch_of[needed] < batch_of[row], "row {row} needs {needed}");
            }
        }
    }

    #[test]
    fn no_row_needs_another_of_its_batch_or_of_a_later_one() {
        for (cells, lanes) in [(1, 16), (5, 3), (8, 16), (9, 32), (MAX_CELLS, 32)] {
            check(cells, lanes, in_order(cells));
            let (mut picked, mut some) = (NO_ROWS, Vec::new());
            for row in (0..1_usize << cells).filter(|row| row % 3 != 1) {
                picked[row / 64] |= 1 << (row % 64);
            }
            pick_in_order(cells, &picked, &mut some);
            assert_eq!(some.len(), (0..1 << cells).filter(|row| row % 3 != 1).count());
            assert!(some.iter().all(|row| row % 3 != 1));
            check(cells, lanes, &some);
        }
    }
}
