//! Moving the bytes of a line among its lanes by a map known before the run.

use super::{LINE, Line, Vector};

/// A set of pairs: which lanes of a line take their bytes from which others.
///
/// A lane that takes from several gets the bitwise or of their bytes, one that takes from none gets 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneMap {
    steps: Vec<Step>,
}

/// A byte shuffle of the whole line: block `b` looks into block `b ^ swap`.
#[derive(Clone, Debug)]
struct Step {
    control: [u8; LINE],
    swap: usize,
}

/// The control of a lane that takes nothing.
const NOTHING: u8 = 0x80;

impl LaneMap {
    /// The map in which lane `to` takes from lane `from`, for every pair `(to, from)`.
    pub(crate) fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        for (to, from) in pairs {
            let swap = (to ^ from) / 16;
            let control = (from % 16) as u8;
            let free = |step: &&mut Step| step.swap == swap && step.control[to] == NOTHING;
            if let Some(step) = steps.iter_mut().find(free) {
                step.control[to] = control;
            } else {
                let mut step = Step { control: [NOTHING; LINE], swap };
                step.control[to] = control;
                steps.push(step);
            }
        }
        Self { steps }
    }

    /// The line whose lanes take their bytes from `line`.
    #[inline(always)]
    pub(crate) fn apply<V: Vector>(&self, line: V::Line) -> V::Line {
        let swapped = [line, line.swap_blocks(1), line.swap_blocks(2), line.swap_blocks(3)];
        let mut out = V::Line::splat(0);
        for Step { control, swap } in &self.steps {
            out = out.or(swapped[swap % 4].shuffle(V::Line::load(control)));
        }
        out
    }
}
