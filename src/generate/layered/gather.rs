//! Gathering what the rows of a band see of one plane, from where bands are kept.

use super::low::{CELLS, Depth, LINES, Landing, Low};
use super::moves::Needs;
use crate::game::Rule;
use crate::simd::{LINE, Line, Vector};

/// Where bands are read.
pub(super) trait Read<V: Vector>: Copy {
    /// The sets of line `n` of a band.
    fn line(self, band: usize, n: usize) -> V::Line;
}

/// A plane that stands as bits.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a>(pub(super) &'a [[[u8; LINE]; LINES]]);

/// A plane of a table.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub(super) &'a [[[u8; LINE]; LINES]], pub(super) u8);

impl<V: Vector> Read<V> for Bits<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n])
    }
}

impl<V: Vector> Read<V> for Values<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n]).one_hot(self.1)
    }
}

/// Adds what a band has to what lines have seen: `W` lines from the line `first` on.
#[inline(always)]
pub(super) fn see<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    band: usize,
) {
    for w in 0..W {
        seen[w] = seen[w].or(read.line(band, first + w));
    }
}

/// Adds what a band sees in the bands of its own tile. `RULE` is that of the game, `depth` that of the pieces
/// above the low cells.
#[inline(always)]
pub(super) fn see_inside<V: Vector, const RULE: usize, R: Read<V>>(
    seen: &mut [V::Line; LINES],
    read: R,
    depth: &Depth,
    Needs { sources, drops }: Needs<'_>,
    band: usize,
) {
    if drops != 0 {
        see_drops::<V, RULE, R>(seen, read, depth, band, drops);
    }
    // Eight vectors at a time: instruction sets with short ones have sixteen registers.
    if LINES * LINE <= 8 * V::LANES {
        see_sources::<V, 0, LINES, R>(seen, read, sources);
    } else {
        see_sources::<V, 0, { LINES / 2 }, R>(seen, read, sources);
        see_sources::<V, { LINES / 2 }, LINES, R>(seen, read, sources);
    }
}

/// Adds what the lines `FROM` to `TO` of the sources have: constants, or `seen` would lie in memory.
#[inline(always)]
fn see_sources<V: Vector, const FROM: usize, const TO: usize, R: Read<V>>(
    seen: &mut [V::Line; LINES],
    read: R,
    sources: &[u16],
) {
    for &source in sources {
        for n in FROM..TO {
            seen[n] = seen[n].or(read.line(usize::from(source), n));
        }
    }
}

/// Adds what a band sees where `pieces` of it come down.
///
/// The compiler knows how they land. For chess a vector then costs a shuffle or none, and for the other rules at most
/// four; what it does not know takes four and two masks, all read from memory.
#[inline(always)]
fn see_drops<V: Vector, const RULE: usize, R: Read<V>>(
    seen: &mut [V::Line; LINES],
    read: R,
    depth: &Depth,
    band: usize,
    pieces: u16,
) {
    let (mut left, mut short) = (pieces & depth.bottom, pieces & !depth.bottom);
    if left != 0 {
        let mut dropped = [V::Line::splat(0); LINES];
        while left != 0 {
            see::<V, LINES, R>(&mut dropped, 0, read, band ^ 1 << left.trailing_zeros());
            left &= left - 1;
        }
        land::<V>(seen, const { &Landing::new(Rule::ALL[RULE], 0) }, dropped);
    }
    macro_rules! land_from {
        ($lowest:expr, $dropped:ident: $($n:literal)*) => {
            match $lowest {
                $($n => land::<V>(seen, const { &Landing::new(Rule::ALL[RULE], $n) }, $dropped),)*
                _ => debug_assert!(false, "a piece that drops reaches a low cell"),
            }
        };
    }
    while short != 0 {
        let piece = short.trailing_zeros();
        let mut dropped = [V::Line::splat(0); LINES];
        see::<V, LINES, R>(&mut dropped, 0, read, band ^ 1 << piece);
        const { assert!(CELLS == 8, "all low cells but the lowest stand here") };
        land_from!(depth.lowest[piece as usize % depth.lowest.len()], dropped: 1 2 3 4 5 6 7);
        short &= short - 1;
    }
}

/// Adds what a band sees where a piece comes down, from what stands in the band without it.
#[inline(always)]
fn land<V: Vector>(seen: &mut [V::Line; LINES], landing: &Landing, dropped: [V::Line; LINES]) {
    for n in 0..LINES {
        let line = landing.line(n);
        if line.inside {
            seen[n] = seen[n].or(landing.landed::<V>(dropped[n]));
        }
        for cell in 0..Low::CELLS_ABOVE_A_LINE {
            if line.above >> cell & 1 == 1 {
                seen[n] = seen[n].or(dropped[(n | 1 << cell) % LINES]);
            }
        }
    }
}

/// Adds what lines of a band see where one piece comes down: `W` lines from the line `first` on; `band` is
/// without the piece.
#[inline(always)]
pub(super) fn see_drop<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    landing: &Landing,
    band: usize,
) {
    for w in 0..W {
        let n = first + w;
        let line = landing.line(n);
        if line.inside {
            seen[w] = seen[w].or(landing.landed::<V>(read.line(band, n)));
        }
        for cell in (0..Low::CELLS_ABOVE_A_LINE).filter(|cell| line.above >> cell & 1 == 1) {
            seen[w] = seen[w].or(read.line(band, n | 1 << cell));
        }
    }
}
