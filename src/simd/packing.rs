//! Bytes packed without gaps, and the lanes they stand for.

use super::{LINE, Line, Vector};

/// The lanes of a packed run, in lines of 64.
pub(crate) const PACKED: usize = 256;

/// The bytes that must be readable from the beginning of a run, whatever its length.
pub(crate) const SPAN: usize = PACKED + BLOCK;

/// The lanes of a block: a shuffle stays inside.
const BLOCK: usize = 16;

/// The control of a lane that takes nothing.
const NOTHING: u8 = 0x80;

/// Which of 256 lanes are kept in a run of bytes without gaps, lowest lane first.
pub(crate) struct Packing {
    /// Where the bytes of each block begin.
    starts: [[u8; LINE / BLOCK]; PACKED / LINE],
    /// For each lane, its place among the bytes of its block.
    expand: [[u8; LINE]; PACKED / LINE],
    /// For each byte of a block, its lane.
    pack: [[u8; LINE]; PACKED / LINE],
    kept: usize,
}

impl Packing {
    /// The packing that keeps `kept` lanes: at least one in 256 is not required.
    pub(crate) fn new(kept: impl Fn(usize) -> bool) -> Self {
        let nothing = [[NOTHING; LINE]; PACKED / LINE];
        let starts = [[0; LINE / BLOCK]; PACKED / LINE];
        let mut packing = Self { starts, expand: nothing, pack: nothing, kept: 0 };
        for line in 0..PACKED / LINE {
            for block in 0..LINE / BLOCK {
                packing.block(line, block, &kept);
            }
        }
        packing
    }

    fn block(&mut self, line: usize, block: usize, kept: &impl Fn(usize) -> bool) {
        let start = self.kept;
        // All 256 lanes can be before a block only where there is none.
        self.starts[line][block] = start as u8;
        for lane in block * BLOCK..(block + 1) * BLOCK {
            if kept(line * LINE + lane) {
                let place = self.kept - start;
                self.expand[line][lane] = place as u8;
                self.pack[line][block * BLOCK + place] = (lane % BLOCK) as u8;
                self.kept += 1;
            }
        }
    }

    /// The number of bytes of a run.
    pub(crate) const fn kept(&self) -> usize {
        self.kept
    }

    /// Whether lane 0 of line `line` is kept.
    #[inline(always)]
    pub(crate) fn keeps(&self, line: usize) -> bool {
        self.expand[line][0] != NOTHING
    }

    /// The lanes of line `line` from a run that begins at `bytes`; 0 where a lane is not kept.
    #[inline(always)]
    pub(crate) fn expand<V: Vector>(&self, bytes: &[u8; SPAN], line: usize) -> V::Line {
        let control = V::Line::load(&self.expand[line]);
        V::Line::gather_blocks(bytes, self.starts[line]).shuffle(control)
    }

    /// Writes the lanes of line `line` to a run that begins at `bytes`. Lines must be written in order:
    /// what is behind the last byte of each is overwritten by the next.
    #[inline(always)]
    pub(crate) fn pack<V: Vector>(&self, values: V::Line, line: usize, bytes: &mut [u8; SPAN]) {
        let mut packed = [0; LINE];
        values.shuffle(V::Line::load(&self.pack[line])).store(&mut packed);
        for (block, start) in packed.as_chunks::<BLOCK>().0.iter().zip(self.starts[line]) {
            bytes[usize::from(start)..][..BLOCK].copy_from_slice(block);
        }
    }
}

/// Bytes in which runs begin anywhere. A run near their end is followed by too few bytes to be read as
/// the longest one, so the last bytes are here a second time.
pub(crate) struct Runs<'a> {
    bytes: &'a [u8],
    last: [u8; 2 * SPAN],
    last_at: usize,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let last_at = bytes.len().saturating_sub(SPAN);
        let mut last = [0; 2 * SPAN];
        last[..bytes.len() - last_at].copy_from_slice(&bytes[last_at..]);
        Self { bytes, last, last_at }
    }

    /// The bytes from `start` on, which must be no more than their number.
    #[inline(always)]
    pub(crate) fn at(&self, start: u32) -> &[u8; SPAN] {
        let start = start as usize;
        match self.bytes.get(start..start + SPAN).and_then(<[u8]>::first_chunk) {
            Some(run) => run,
            None => self.last_run(start),
        }
    }

    #[cold]
    #[inline(never)]
    fn last_run(&self, start: usize) -> &[u8; SPAN] {
        self.last[start - self.last_at..].first_chunk().unwrap_or(&[0; SPAN])
    }
}

#[cfg(test)]
mod tests {
    use super::{PACKED, Packing, SPAN};
    use crate::simd::{Kernel, LINE, Level, Line, Vector};

    /// Expands a run and packs it again.
    struct There<'a>(&'a Packing, &'a [u8; SPAN]);

    impl Kernel for There<'_> {
        type Output = ([[u8; LINE]; 4], [u8; SPAN]);

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let mut lanes = [[0; LINE]; 4];
            let mut back = [0; SPAN];
            for line in 0..4 {
                let values = self.0.expand::<V>(self.1, line);
                values.store(&mut lanes[line]);
                self.0.pack::<V>(values, line, &mut back);
            }
            (lanes, back)
        }
    }

    #[test]
    fn a_run_expands_to_the_lanes_kept_and_packs_back() {
        let mut run = [0; SPAN];
        for (place, byte) in run.iter_mut().enumerate() {
            *byte = (place * 7 + 3) as u8;
        }
        for level in Level::available() {
            for modulus in [1, 2, 3, 7, 16, 31, 64, 255, 256] {
                let kept = |lane: usize| lane % modulus == modulus / 2;
                let packing = Packing::new(kept);
                let (lanes, back) = level.run(There(&packing, &run));
                let lanes = lanes.as_flattened();
                let mut bytes = run.iter();
                for lane in 0..PACKED {
                    let expected = if kept(lane) { *bytes.next().expect("a byte") } else { 0 };
                    assert_eq!(lanes[lane], expected, "{level} modulus {modulus} lane {lane}");
                }
                let kept = packing.kept();
                assert_eq!(back[..kept], run[..kept], "{level} modulus {modulus}");
            }
        }
    }
}
