//! Rows that have their value, and those that are *open*.

use crate::simd::{LINE, Line, Vector};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
pub(super) const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
pub(super) const PLANES: u8 = OPEN / 8;

/// What the rows of a line have seen before they look: one that is known everything, so that it takes no
/// part; one that is open nothing.
#[inline(always)]
pub(super) fn known<V: Vector>(values: &[u8; LINE]) -> V::Line {
    open::<V>(V::Line::load(values)).not()
}

/// Writes the values that were found in a plane, and returns the rows that are still open, as a mask.
#[inline(always)]
pub(super) fn settle<V: Vector>(values: &mut [u8; LINE], found: V::Line, plane: u8) -> V::Line {
    // Of the old value and the new one, one at least is `OPEN`: all ones.
    let settled = V::Line::load(values).and(found.value_or_all(plane));
    settled.store(values);
    open::<V>(settled)
}

/// The rows that are open, as a mask.
#[inline(always)]
fn open<V: Vector>(values: V::Line) -> V::Line {
    values.equal(V::Line::splat(OPEN))
}
