//! The walk over the high parts of a layer, with a place for the options of every amount.

use super::line::{Ends, FillLine, FindEnds, LOW, Lines, Options, PLANES};
use crate::game::{MAX_STONES, Stones};
use crate::simd::{Level, Runs, SPAN};

/// The least high amount.
const HIGH: u32 = LOW + 1;

/// The most amounts of which options are looked up: those that leave more than 8 of 180 stones.
const MOST: usize = (MAX_STONES - HIGH) as usize;

/// The most high amounts used at once: 9 + 10 + .. + 19 is 154, and 20 more are too many.
const DEPTH: usize = 11;

/// Where in the table the options of some amounts begin, and how much the amounts below may sum up to.
#[derive(Clone)]
struct Places {
    at: [u32; MOST],
    budget: [u8; MOST],
}

impl Places {
    const NONE: Self = Self { at: [0; MOST], budget: [0; MOST] };

    /// The place `n`, moved to where `amount` is used too: behind all subsets of the amounts below it.
    fn with(&self, n: usize, amount: u32) -> (u32, u8) {
        self.with_row(n, amount, Stones::subset_row(amount - 1))
    }

    #[inline(always)]
    fn with_row(&self, n: usize, amount: u32, row: &[u32]) -> (u32, u8) {
        let budget = self.budget[n];
        (self.at[n] + row[usize::from(budget)], budget - amount as u8)
    }

    fn first(&self, count: usize) -> Options<'_> {
        Options { at: &self.at[..count], budget: &self.budget[..count] }
    }

    #[inline(always)]
    fn set(&mut self, n: usize, (at, budget): (u32, u8)) {
        self.at[n] = at;
        self.budget[n] = budget;
    }

    #[inline(always)]
    fn get(&self, n: usize) -> (u32, u8) {
        (self.at[n], self.budget[n])
    }
}

/// A high part: the used amounts above 8 of all states of one line, and what leads to its options.
#[derive(Clone)]
pub(super) struct Node {
    used: u128,
    budget: u32,
    /// The unused amounts that leave more than 8 stones, lowest first. Those below the lowest used high
    /// amount are all there, so the place of amount `i` is `i - 1`.
    amounts: [u8; MOST],
    count: usize,
    /// The lines of their options.
    options: Places,
    /// For the amounts 9 up to the lowest used one: the same before the amount itself is used, as it
    /// must be to walk on to lower amounts.
    above: Places,
}

impl Node {
    const NONE: Self = Self {
        used: 0,
        budget: 0,
        amounts: [0; MOST],
        count: 0,
        options: Places::NONE,
        above: Places::NONE,
    };
}

/// A layer, and what it is filled from.
pub(super) struct Layer<'a> {
    pub(super) stones: Stones,
    pub(super) left: u32,
    pub(super) lines: &'a Lines,
    /// All layers with less stones.
    pub(super) done: Runs<'a>,
    /// Where each of them begins.
    pub(super) starts: &'a [u32],
    pub(super) level: Level,
    /// The planes to begin with.
    pub(super) planes: usize,
    /// Subtrees of more entries than this are split among the threads.
    pub(super) grain: usize,
}

/// A value beyond the planes, in the line at this place of the layer.
pub(super) struct Overflow(pub(super) usize);

impl Layer<'_> {
    /// Fills the layer, and returns the most planes that a line of it needed.
    pub(super) fn fill(&self, values: &mut [u8]) -> Result<usize, Overflow> {
        let root = self.root();
        self.split(&root, &self.ends(&root), self.left, Piece { values, start: 0 })
    }

    /// The line in which no high amount is used.
    fn root(&self) -> Node {
        let count = (self.left - LOW - 1) as usize;
        let max = self.stones.max();
        let mut root = Node { budget: max - self.left, count, ..Node::NONE };
        for n in 0..count {
            let amount = n as u32 + 1;
            let rest = self.left - amount;
            root.amounts[n] = amount as u8;
            root.above.set(n, (self.starts[rest as usize], (max - rest) as u8));
        }
        root.options = root.above.clone();
        self.use_taken(&mut root, count);
        root
    }

    /// The options of the first `count` amounts, from the places above: the amount taken is used then,
    /// unless it is more than what is left.
    fn use_taken(&self, node: &mut Node, count: usize) {
        let matters = (self.left / 2) as usize;
        for n in LOW as usize..count.min(matters) {
            let place = node.above.with(n, n as u32 + 1);
            node.options.set(n, place);
        }
        for n in matters.max(LOW as usize)..count {
            node.options.set(n, node.above.get(n));
        }
    }

    /// Makes `child` the line in which `amount`, lower than those used in `node`, is used too.
    fn descend(&self, node: &Node, amount: u32, child: &mut Node) {
        child.used = node.used | 1 << (amount - 1);
        child.budget = node.budget - amount;
        let listed = amount < self.left - LOW;
        let below = if listed { amount as usize - 1 } else { node.count };
        child.amounts[..below].copy_from_slice(&node.amounts[..below]);
        self.descend_below(node, amount, below, child);
        child.count = below;
        if listed {
            self.descend_above(node, amount, child);
        }
    }

    /// The options of the lower amounts, which are those of the first `below` places.
    fn descend_below(&self, node: &Node, amount: u32, below: usize, child: &mut Node) {
        let row = Stones::subset_row(amount - 1);
        let matters = below.min((self.left - amount) as usize);
        let low = below.min(LOW as usize);
        for n in 0..low {
            let moved = n < matters;
            let options = &node.options;
            child
                .options
                .set(n, if moved { options.with_row(n, amount, row) } else { options.get(n) });
        }
        for n in low..matters {
            child.above.set(n, node.above.with_row(n, amount, row));
        }
        for n in matters.max(low)..below {
            child.above.set(n, node.above.get(n));
        }
        self.use_taken(child, below);
    }

    /// The options of the higher amounts. That of the amount itself is no option any more.
    fn descend_above(&self, node: &Node, amount: u32, child: &mut Node) {
        let row = Stones::subset_row(amount - 1);
        let rest = self.left - amount;
        for n in amount as usize..node.count {
            let matters = u32::from(node.amounts[n]) <= rest;
            let options = &node.options;
            let place = if matters { options.with_row(n, amount, row) } else { options.get(n) };
            child.options.set(n - 1, place);
            child.amounts[n - 1] = node.amounts[n];
        }
        child.count = node.count - 1;
    }

    fn ends(&self, node: &Node) -> Ends {
        self.level.run(FindEnds { lines: self.lines, left: self.left, used: node.used })
    }

    /// The ends of a child, where the amount that it uses is one of those that lead there.
    fn child_ends(&self, child: &Node, amount: u32) -> Option<Ends> {
        (amount + LOW >= self.left).then(|| self.ends(child))
    }

    /// Fills the states of `node` with each subset of the amounts up to `top`, on all threads.
    fn split(
        &self,
        node: &Node,
        ends: &Ends,
        top: u32,
        piece: Piece<'_>,
    ) -> Result<usize, Overflow> {
        let top = top.min(node.budget);
        if piece.values.len() <= self.grain || top < HIGH {
            let mut nodes = vec![Node::NONE; DEPTH + 1];
            nodes[0] = node.clone();
            return self.walk(&mut nodes, ends, top, &mut { piece });
        }
        let (without, with) = piece.split_at(Stones::subsets(top - 1, node.budget) as usize);
        let (without, with) = rayon::join(
            || self.split(node, ends, top - 1, without),
            || {
                let mut child = Node::NONE;
                self.descend(node, top, &mut child);
                let own = self.child_ends(&child, top);
                self.split(&child, own.as_ref().unwrap_or(ends), top - 1, with)
            },
        );
        Ok(without?.max(with?))
    }

    /// The same on this thread: first the line of the first node, then those with more amounts, by the
    /// highest of them. This is the order of the table.
    fn walk(
        &self,
        nodes: &mut [Node],
        ends: &Ends,
        top: u32,
        piece: &mut Piece<'_>,
    ) -> Result<usize, Overflow> {
        let Some((node, below)) = nodes.split_first_mut() else { return Ok(0) };
        let mut planes = self.line(node, ends, piece)?;
        for amount in HIGH..=top.min(node.budget) {
            self.descend(node, amount, &mut below[0]);
            let own = self.child_ends(&below[0], amount);
            let ends = own.as_ref().unwrap_or(ends);
            planes = planes.max(self.walk(below, ends, amount - 1, piece)?);
        }
        Ok(planes)
    }

    /// Fills one line, and returns how many planes it needed.
    fn line(&self, node: &Node, ends: &Ends, piece: &mut Piece<'_>) -> Result<usize, Overflow> {
        let states = self.lines.states(node.budget);
        let values = std::mem::take(&mut piece.values);
        let planes = match values.first_chunk_mut() {
            Some(run) => self.fill_run(node, ends, run),
            None => self.fill_edge(node, ends, &mut values[..states]),
        };
        let planes = planes.ok_or(Overflow(piece.start))?;
        piece.values = &mut values[states..];
        piece.start += states;
        Ok(planes)
    }

    /// A line so near the end of its piece that a run would reach beyond it.
    #[cold]
    fn fill_edge(&self, node: &Node, ends: &Ends, values: &mut [u8]) -> Option<usize> {
        let mut run = [0; SPAN];
        let planes = self.fill_run(node, ends, &mut run);
        values.copy_from_slice(&run[..values.len()]);
        planes
    }

    /// Fills one line with as many planes as it takes.
    fn fill_run(&self, node: &Node, ends: &Ends, run: &mut [u8; SPAN]) -> Option<usize> {
        let mut fits = |planes: &usize| match planes {
            1 => self.level.run(self.kernel::<1>(node, ends, run)),
            2 => self.level.run(self.kernel::<2>(node, ends, run)),
            _ => self.level.run(self.kernel::<3>(node, ends, run)),
        };
        (self.planes..=PLANES).find(&mut fits)
    }

    fn kernel<'b, const P: usize>(
        &'b self,
        node: &'b Node,
        ends: &'b Ends,
        run: &'b mut [u8; SPAN],
    ) -> FillLine<'b, P> {
        FillLine {
            lines: self.lines,
            done: &self.done,
            ends,
            options: node.options.first(node.count),
            budget: node.budget,
            run,
        }
    }
}

/// A piece of a layer that is yet to be filled, and where it begins.
struct Piece<'a> {
    values: &'a mut [u8],
    start: usize,
}

impl Piece<'_> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (low, high) = self.values.split_at_mut(at);
        (Self { values: low, start: self.start }, Self { values: high, start: self.start + at })
    }
}
