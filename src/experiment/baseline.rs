//! What the work of this project is compared with: the loop of a contest program.

/// Fills the table of `chess` as the programs handed in to the judge do: for each row, walk the cells
/// from the right, remember the last empty one, mark the values of the options, scan for the mex.
///
/// `values` has one byte for each of the `2^width` rows; `width` is at most 40.
#[inline(never)]
pub(super) fn contest(width: u32, values: &mut [u8]) {
    for row in 0..values.len() {
        let mut seen = [0_i32; 40];
        let mut last_empty = None;
        for cell in 0..width {
            if row >> cell & 1 == 0 {
                last_empty = Some(cell);
            } else if let Some(empty) = last_empty {
                seen[usize::from(values[row ^ 1 << cell ^ 1 << empty])] = 1;
            }
        }
        let mut value = 0;
        while seen[value] == 1 {
            value += 1;
        }
        values[row] = value as u8;
    }
}
