//! The oracle: the definition, position by position in index order. Short, sequential, boring.

use super::{GenerateError, Observer, overflow};
use crate::game::{Mex, Strip};

/// How many entries are reported to the observer at a time: a power of two.
pub(super) const STRETCH: usize = 1 << 18;

/// Every row of a strip game, in increasing order: its options all come before it.
pub(super) fn strip(
    strip: Strip,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<(), GenerateError> {
    let mut start = 0;
    while start < values.len() {
        let end = values.len().min(start + STRETCH);
        observer.before(start as u64, &mut values[start..end]);
        for row in start..end {
            let mut mex = Mex::default();
            for option in strip.options(row as u64) {
                mex.insert(values[option as usize]);
            }
            values[row] = mex.value().ok_or_else(|| overflow(strip.into(), row))?;
        }
        observer.after(start as u64, &values[start..end]);
        start = end;
    }
    Ok(())
}
