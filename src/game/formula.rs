//! Values by theorem, without a table. docs/theory.md has the proofs and their sources.

use super::{Rule, Strip};

/// The value of the row `index` by the theorem of its rule, or `None` where no theorem is known
/// (a limited reach). Right-low order: bit 0 is the rightmost cell.
///
/// Works for indices of up to 64 cells, far beyond any table.
pub fn strip_value(strip: Strip, index: u64) -> Option<u8> {
    if strip.reach().is_some() {
        return None;
    }
    Some(rule_value(strip.rule(), index))
}

/// The value of the row `index` by the theorem of `rule`, with no limit of reach.
pub(crate) fn rule_value(rule: Rule, index: u64) -> u8 {
    match rule {
        Rule::Chess => chess_index(index),
        Rule::Slide => slide_index(index),
        Rule::Welter => welter_value(index),
    }
}

/// Staircase Nim: drop the trailing ones (the ground) and the hole above them; the run of pieces
/// that follows counts; drop it and its hole; the next does not count; and so on.
fn chess_index(index: u64) -> u8 {
    let mut rest = index;
    let mut counts = false;
    let mut value = 0;
    while rest != 0 {
        let run = rest.trailing_ones();
        if counts {
            value ^= run;
        }
        counts = !counts;
        rest = rest.checked_shr(run + 1).unwrap_or(0);
    }
    value as u8
}

/// Nim on alternate gaps: the gap on the right of the leftmost piece counts, that of the next piece
/// does not, and so on.
fn slide_index(index: u64) -> u8 {
    let mut rest = index;
    let mut counts = index.count_ones() % 2 == 1;
    let mut value = 0;
    while rest != 0 {
        let gap = rest.trailing_zeros();
        if counts {
            value ^= gap;
        }
        counts = !counts;
        rest = rest.checked_shr(gap + 1).unwrap_or(0);
    }
    value as u8
}

/// Conway's Welter function of a row of up to 64 cells: the xor of the distances of the pieces from
/// the rightmost cell (which is distance 0) and, over all pairs, of `2^(v2(a - b) + 1) - 1`.
///
/// Source: J. H. Conway, *On Numbers and Games*, chapter 13.
///
/// ```
/// let row = [2, 3, 5, 7, 11, 13, 17, 19, 23].iter().fold(0, |row, distance| row | 1 << distance);
/// assert_eq!(grundy::game::welter_value(row), 28);
/// ```
pub fn welter_value(index: u64) -> u8 {
    let mut value = 0;
    let mut rest = index;
    while rest != 0 {
        let piece = rest.trailing_zeros();
        rest &= rest - 1;
        value ^= piece;
        // 2^(v2(d) + 1) - 1 is d ^ (d - 1): the lowest set bit of d and all below it.
        let mut others = rest;
        while others != 0 {
            let distance = others.trailing_zeros() - piece;
            others &= others - 1;
            value ^= distance ^ (distance - 1);
        }
    }
    value as u8
}

/// The value of a `chess` row of any length: `cells[c]` is whether cell `c + 1` from the left holds
/// a piece.
pub fn chess_cells(cells: &[bool]) -> usize {
    let mut runs = cells.rsplit(|piece| !piece).map(<[bool]>::len).skip(1);
    let mut value = 0;
    while let Some(run) = runs.next() {
        value ^= run;
        runs.next();
    }
    value
}

/// The value of a `slide` row of any length: `cells[c]` is whether cell `c + 1` from the left holds
/// a piece.
pub fn slide_cells(cells: &[bool]) -> usize {
    let mut gaps = cells.split(|piece| *piece).map(<[bool]>::len).skip(1);
    let mut value = 0;
    while let Some(gap) = gaps.next() {
        value ^= gap;
        gaps.next();
    }
    value
}

/// The value of an untouched pile of `stones`: the largest `k` with `k (k + 1) / 2 <= stones`
/// (OEIS A003056).
///
/// ```
/// use grundy::game::untouched_pile;
/// assert_eq!([0, 1, 2, 3, 5, 6].map(untouched_pile), [0, 1, 1, 2, 2, 3]);
/// ```
pub const fn untouched_pile(stones: u32) -> u32 {
    ((8 * stones as u64 + 1).isqrt() as u32 - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::{chess_cells, chess_index, slide_cells, slide_index};

    #[test]
    fn a_slice_of_cells_has_the_value_of_its_index() {
        for width in 0..=12 {
            for index in 0..1_u64 << width {
                let cells: Vec<bool> = (0..width).rev().map(|bit| index >> bit & 1 == 1).collect();
                assert_eq!(chess_cells(&cells), chess_index(index) as usize, "chess {cells:?}");
                assert_eq!(slide_cells(&cells), slide_index(index) as usize, "slide {cells:?}");
            }
        }
    }

    #[test]
    fn the_widest_rows_have_values() {
        assert_eq!(chess_index(u64::MAX), 0);
        assert_eq!(chess_index(u64::MAX << 1), 63);
        assert_eq!(slide_index(1 << 63), 63);
        assert_eq!(slide_index(u64::MAX), 0);
    }
}
