//! Moving the bytes of a line among its lanes by a map known before the run.

use super::{LINE, Line, Vector};

/// A set of pairs: which lanes of a line take their bytes from which others.
///
/// A lane that takes from several gets the bitwise or of their bytes, one that takes from none gets 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneMap {
    /// Byte shuffles of the whole line: in those of `steps[k]`, block `b` looks into block `b ^ k`.
    steps: [Vec<[u8; LINE]>; 4],
}

/// The control of a lane that takes nothing.
const NOTHING: u8 = 0x80;

impl LaneMap {
    /// The map in which lane `to` takes from lane `from`, for every pair `(to, from)`.
    pub(crate) fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut map = Self::default();
        for (to, from) in pairs {
            let steps = &mut map.steps[(to ^ from) / 16];
            let step = steps.iter().position(|step| step[to] == NOTHING).unwrap_or(steps.len());
            if step == steps.len() {
                steps.push([NOTHING; LINE]);
            }
            steps[step][to] = (from % 16) as u8;
        }
        map
    }

    /// The line whose lanes take their bytes from `line`.
    #[inline(always)]
    pub(crate) fn apply<V: Vector>(&self, line: V::Line) -> V::Line {
        let mut out = V::Line::splat(0);
        for k in 0..4 {
            let swapped = line.swap_blocks(k);
            for control in &self.steps[k] {
                out = out.or(swapped.shuffle(V::Line::load(control)));
            }
        }
        out
    }
}
