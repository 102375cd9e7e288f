//! Tables by theorem, streamed at the speed of memory. Trusted only where the other methods agree.
//!
//! The table is cut into *stretches* of 256 KiB, and a stretch needs nothing but its own place: not
//! the table before it, and no memory but two small ladders on the stack. So stretches are filled in
//! any order, on any thread.
//!
//! Split an index into its high part and the low six cells. A theorem (`theorem.rs`) gives the whole
//! line of a high part `h` as
//!
//! ```text
//! line[lo] = T[key(h)][lo] ^ y(h) ^ (mask[lo] & x(h))
//! ```
//!
//! with a few constant lines `T`, `y(h)` the value of `h` above six empty cells, and `x` a second
//! scalar that only `chess` needs. The scalars of 4096 lines are themselves 64 lines of the same form,
//! and those of 64 lines are one: a ladder of three steps, of which only the top is computed cell by
//! cell. Reading `y(h)` back from the table would need that part of the table first; computing it for
//! each line alone costs more than the line.

mod theorem;

use std::marker::PhantomData;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::{GenerateError, Observer, Settings, threads};
use crate::game::{Rule, Strip};
use crate::simd::{Kernel, LINE, Level, Line, Vector};
use theorem::{BLOCK, Chess, Ladder, Slide, Theorem, Welter};

/// The bytes that one task fills: the 4096 lines that share all but their low 18 cells.
const STRETCH: usize = 1 << 18;

/// The smallest table for which a second thread pays: below it, starting one takes longer than the table.
const WORTH_THREADS: u64 = 1 << 23;

/// The smallest table that is written past the caches, if nobody looks at it: one that no cache holds.
const WORTH_STREAMING: usize = 1 << 24;

/// Fills the table of a strip game without a limit of reach.
pub(super) fn strip(
    strip: Strip,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    let fill = match strip.rule() {
        Rule::Chess => fill_stretch::<Chess>,
        Rule::Slide => fill_stretch::<Slide>,
        Rule::Welter => fill_stretch::<Welter>,
    };
    let stream = values.len() >= WORTH_STREAMING && !observer.looks();
    let task = |(place, stretch): (usize, &mut [u8])| {
        let offset = (place * STRETCH) as u64;
        observer.before(offset, stretch);
        fill(settings.level, place as u64, stretch, stream);
        observer.after(offset, stretch);
    };
    let threads = threads::for_table(settings, strip.entries(), WORTH_THREADS);
    if let Some(pool) = threads::pool(threads)? {
        pool.install(|| values.par_chunks_mut(STRETCH).enumerate().for_each(task));
    } else {
        values.chunks_mut(STRETCH).enumerate().for_each(task);
    }
    Ok(threads)
}

/// Fills the stretch at `place`, which is shorter than [`STRETCH`] where the whole table is.
fn fill_stretch<T: Theorem>(level: Level, place: u64, stretch: &mut [u8], stream: bool) {
    let x = T::second(level, place);
    let y = climb::<T>(level, place, &x);
    let (lines, rest) = stretch.as_chunks_mut();
    let scalars = (y.stretch.as_flattened(), x.stretch.as_flattened());
    let fill = if stream { fill_lines::<T, true> } else { fill_lines::<T, false> };
    fill(level, 0, place << 12, scalars, lines);
    if !rest.is_empty() {
        // A table narrower than a line is a prefix of it.
        let mut line = [[0; LINE]];
        fill_lines::<T, false>(level, 0, 0, scalars, &mut line);
        rest.copy_from_slice(&line[0][..rest.len()]);
    }
}

/// The scalars of a stretch: those of one line from its high part, those of 64 lines from that line,
/// those of 4096 from these. `x` are the second scalars on every step.
fn climb<T: Theorem>(level: Level, place: u64, x: &Ladder) -> Ladder {
    let mut y = Ladder { top: [T::value(place << 18)], ..Ladder::ONES };
    fill_lines::<T, false>(level, 2, place, (&y.top, &x.top), &mut y.line);
    let scalars = (y.line.as_flattened(), x.line.as_flattened());
    fill_lines::<T, false>(level, 1, place << 6, scalars, &mut y.stretch);
    y
}

/// Fills the lines of the high parts from `high` on, given their scalars `y` and `x`. `step` says how
/// many times six empty cells lie below the low cells: none for the table itself.
fn fill_lines<T: Theorem, const STREAM: bool>(
    level: Level,
    step: usize,
    high: u64,
    (y, x): (&[u8], &[u8]),
    lines: &mut [[u8; LINE]],
) {
    let constants = &T::constants()[step];
    for (place, lines) in lines.chunks_mut(BLOCK).enumerate() {
        let start = place * BLOCK;
        let high = high + start as u64;
        let mask = T::mask(high);
        let (y, x) = (&y[start..], &x[start..]);
        let theorem = PhantomData;
        level.run(FillLines::<T, STREAM> { constants, mask, high, y, x, lines, theorem });
    }
}

/// Fills lines whose masks are equal.
struct FillLines<'a, T, const STREAM: bool> {
    constants: &'a [[u8; LINE]; 256],
    mask: [u8; LINE],
    high: u64,
    y: &'a [u8],
    x: &'a [u8],
    lines: &'a mut [[u8; LINE]],
    theorem: PhantomData<T>,
}

impl<T: Theorem, const STREAM: bool> Kernel for FillLines<'_, T, STREAM> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { constants, mask, high, y, x, lines, .. } = self;
        let mask = V::Line::load(&mask);
        // So that the loop needs no check of its index.
        let (y, x) = (&y[..lines.len()], &x[..lines.len()]);
        for n in 0..lines.len() {
            let constant = V::Line::load(&constants[usize::from(T::key(high + n as u64))]);
            let scalar = V::Line::splat(y[n]).xor(mask.and(V::Line::splat(x[n])));
            let line = constant.xor(scalar);
            if STREAM {
                line.stream(&mut lines[n]);
            } else {
                line.store(&mut lines[n]);
            }
        }
        if STREAM {
            V::fence();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chess, Slide, Theorem, Welter, fill_stretch};
    use crate::game::Rule;
    use crate::simd::Level;

    fn stretch_is_the_formula<T: Theorem>(rule: Rule, level: Level, place: u64, stream: bool) {
        let mut stretch = vec![0xEE; super::STRETCH];
        fill_stretch::<T>(level, place, &mut stretch, stream);
        // Every 61st row of a stretch beyond the first: all lanes, and all lines in time.
        for row in (0..super::STRETCH).step_by(if place == 0 { 1 } else { 61 }) {
            let index = place << 18 | row as u64;
            let value = crate::game::rule_value(rule, index);
            assert_eq!(stretch[row], value, "{rule} {level} row {index:#b}");
        }
    }

    #[test]
    fn every_stretch_of_the_widest_table_stands_alone() {
        let last = (1 << 22) - 1;
        for level in Level::available() {
            for place in [0, 1, 2, 3, 5, 0x15_5555, 0x2A_AAAA, 0x1F_0F3C, 1 << 21, last - 1, last] {
                stretch_is_the_formula::<Chess>(Rule::Chess, level, place, place % 2 == 1);
                stretch_is_the_formula::<Slide>(Rule::Slide, level, place, place % 2 == 1);
                stretch_is_the_formula::<Welter>(Rule::Welter, level, place, place % 2 == 1);
            }
        }
    }
}
