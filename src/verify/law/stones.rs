//! The law of the stones game, 256 states at a time.
//!
//! The states of a layer whose used amounts above 8 are the same lie side by side: a line, packed by
//! what its amounts up to 8 may sum up to. The lines of a layer are counted through like the numbers that
//! an odometer shows, and the place of each option's line is computed by itself, from the order of the
//! states alone: nothing is carried from one line or one amount to the next. The generator walks a tree
//! instead, and moves the places along. What is shared is the number of subsets, which is the order of
//! the table, and the vectors.

use std::ops::Range;

use rayon::prelude::*;

use super::super::finding::Finding;
use super::pile_lines::{CheckLine, FEW, LOW, Lanes, OptionLine};
use crate::game::{Mex, Pile, Stones};
use crate::simd::{Level, PACKED, Runs, SPAN};

/// From here on values need a second plane in so many lines that it is not worth trying one.
const TWO_PLANES: u32 = 45;

/// Checks every state against its options.
pub(super) fn law(stones: Stones, values: &[u8], level: Level) -> Finding {
    let law = Law::new(stones, values, level);
    let few = 0..law.starts.get(FEW).copied().unwrap_or(values.len() as u32);
    let mut finding = Finding::default();
    for index in few {
        law.state(u64::from(index), &mut finding);
    }
    let parts = law.parts().into_par_iter().with_max_len(1);
    let rest = parts.map(|part| law.part(part)).reduce(Finding::default, Finding::merge);
    finding.merge(rest)
}

/// A table, and what the check of every line looks up.
struct Law<'a> {
    stones: Stones,
    level: Level,
    values: &'a [u8],
    runs: Runs<'a>,
    /// Where each layer begins.
    starts: Vec<u32>,
    lanes: Lanes,
    /// For 8 stones and less, the entries of this table for all sets of amounts up to 8.
    few: Vec<[u8; SPAN]>,
}

/// The lines of a layer whose highest used amount is `top`; or, if that is 0, the line without one.
#[derive(Clone, Copy)]
struct Part {
    left: u32,
    top: u32,
}

impl<'a> Law<'a> {
    fn new(stones: Stones, values: &'a [u8], level: Level) -> Self {
        let mut next = 0;
        let start = |left| {
            let start = next;
            next += stones.layer_entries(left) as u32;
            start
        };
        let starts = (0..=stones.max()).map(start).collect();
        let few = (0..=stones.max().min(LOW)).map(|left| few(stones, values, left)).collect();
        let (runs, lanes) = (Runs::new(values), Lanes::new());
        Self { stones, level, values, runs, starts, lanes, few }
    }

    /// Compares one state with the definition.
    fn state(&self, index: u64, finding: &mut Finding) {
        let pile = self.stones.unrank(index);
        let mut mex = Mex::default();
        for amount in pile.amounts() {
            mex.insert(self.values[self.stones.rank(pile.take(amount)) as usize]);
        }
        finding.compare(index, self.values[index as usize], mex.value());
    }

    /// The parts of all layers that are lines.
    fn parts(&self) -> Vec<Part> {
        let max = self.stones.max();
        let tops = |left: u32| std::iter::once(0).chain(LOW + 1..=left.min(max - left));
        (LOW + 1..=max).flat_map(|left| tops(left).map(move |top| Part { left, top })).collect()
    }

    fn part(&self, Part { left, top }: Part) -> Finding {
        let budget = self.stones.max() - left;
        let mut finding = Finding::default();
        let mut line = Line { left, high: 0, sum: 0, used: Vec::new() };
        let mut start = self.starts[left as usize];
        if top > 0 {
            start += Stones::subsets(top - 1, budget);
            line.high = 1 << (top - 1);
        }
        let (mut places, mut options) = (Vec::new(), Vec::new());
        loop {
            line.list();
            start += self.line(&line, start, (&mut places, &mut options), &mut finding);
            if !line.advance(top, budget) {
                return finding;
            }
        }
    }

    /// Checks the line that begins at `start`, and returns the number of its states.
    fn line<'b>(
        &'b self,
        line: &Line,
        start: u32,
        (places, options): (&mut Vec<Place>, &mut Vec<OptionLine<'b>>),
        finding: &mut Finding,
    ) -> u32 {
        self.options(line, places, options);
        let budget = self.stones.max() - line.left - line.sum;
        let entries = self.lanes.packing(budget).kept();
        let found = &self.values[start as usize..][..entries];
        let mut expected = [0; SPAN];
        if !self.expect(line.left, budget, options, &mut expected) {
            for index in start..start + entries as u32 {
                self.state(u64::from(index), finding);
            }
        } else if found != &expected[..entries] {
            for (n, (&found, expected)) in found.iter().zip(expected).enumerate() {
                finding.compare(u64::from(start) + n as u64, found, Some(expected));
            }
        }
        entries as u32
    }

    /// The mex of the options of a line, unless some are beyond what the kernels hold.
    fn expect(
        &self,
        left: u32,
        budget: u32,
        options: &[OptionLine<'_>],
        values: &mut [u8; SPAN],
    ) -> bool {
        let lanes = &self.lanes;
        let level = self.level;
        left < TWO_PLANES && level.run(CheckLine::<1> { lanes, options, budget, values })
            || level.run(CheckLine::<2> { lanes, options, budget, values })
            || level.run(CheckLine::<3> { lanes, options, budget, values })
    }

    /// The lines of the options of all unused amounts, the lowest first.
    fn options<'b>(
        &'b self,
        line: &Line,
        places: &mut Vec<Place>,
        options: &mut Vec<OptionLine<'b>>,
    ) {
        self.places(line, places);
        options.clear();
        let mut used = line.used.iter().rev().peekable();
        for (amount, place) in (1..).zip(places.iter()) {
            if used.next_if_eq(&&amount).is_none() {
                let packing = self.lanes.packing(place.budget);
                options.push(OptionLine { run: self.runs.at(place.at), packing });
            }
        }
        for (amount, run) in (line.left - LOW..).zip(self.few.iter().rev()) {
            if used.next_if_eq(&&amount).is_none() {
                options.push(OptionLine { run, packing: self.lanes.whole() });
            }
        }
    }

    /// Where the lines begin that taking 1, 2, .. leads to, as long as that leaves more than 8 stones. Of
    /// each such line the amounts above 8 are passed, the highest first, as far as they matter there.
    fn places(&self, line: &Line, places: &mut Vec<Place>) {
        let max = self.stones.max();
        let start = |rest: u32| Place { at: self.starts[rest as usize], budget: max - rest };
        places.clear();
        places.extend((LOW + 1..line.left).rev().map(start));
        let mut above = line.left / 2 + 1;
        for &used in &line.used {
            pass_taken(places, used + 1..above);
            above = above.min(used);
            let row = Stones::subset_row(used - 1);
            for place in places.iter_mut().take((line.left - used) as usize) {
                place.pass(used, row);
            }
        }
        pass_taken(places, LOW + 1..above);
    }
}

/// Passes the amounts taken that are in `amounts`. What is taken is used then.
fn pass_taken(places: &mut [Place], amounts: Range<u32>) {
    for (amount, place) in amounts.clone().zip(places.iter_mut().skip(amounts.start as usize - 1)) {
        place.pass(amount, Stones::subset_row(amount - 1));
    }
}

/// A place in the table: behind so many states, and so much that further amounts may sum up to.
struct Place {
    at: u32,
    budget: u32,
}

impl Place {
    /// Behind all states that use lower amounts than `used` instead of it.
    #[inline]
    fn pass(&mut self, used: u32, row: &[u32]) {
        self.at += row[self.budget as usize];
        self.budget -= used;
    }
}

/// A line: its used amounts above 8, as a mask like that of a state, their sum, and as a list.
struct Line {
    left: u32,
    high: u128,
    sum: u32,
    used: Vec<u32>,
}

impl Line {
    /// Lists the used amounts, highest first.
    fn list(&mut self) {
        self.used.clear();
        let mut rest = self.high;
        while rest != 0 {
            let amount = rest.ilog2() + 1;
            rest ^= 1 << (amount - 1);
            self.used.push(amount);
        }
        self.sum = self.used.iter().sum();
    }

    /// The next mask with the same highest amount whose sum is within the budget, if there is one.
    fn advance(&mut self, top: u32, budget: u32) -> bool {
        if top == 0 {
            return false;
        }
        let end = 1 << top;
        self.high += 1 << LOW;
        // All masks up to the next carry out of the lowest amount have the amounts of this one and more.
        while self.high < end && sum(self.high) > budget {
            self.high += self.high & self.high.wrapping_neg();
        }
        self.high < end
    }
}

/// The sum of the amounts of a mask.
fn sum(mut mask: u128) -> u32 {
    let mut sum = 0;
    while mask != 0 {
        sum += mask.trailing_zeros() + 1;
        mask &= mask - 1;
    }
    sum
}

/// The entries with `left` stones, up to 8, for all sets of amounts up to 8: those above `left` do not
/// matter. A set that is not in the table has 0 here, and no state asks for it.
fn few(stones: Stones, values: &[u8], left: u32) -> [u8; SPAN] {
    let mut few = [0; SPAN];
    for (mask, entry) in few[..PACKED].iter_mut().enumerate() {
        let used = (1..=left).filter(|amount| mask >> (amount - 1) & 1 == 1);
        let all = left + used.clone().sum::<u32>();
        if all <= stones.max() {
            let pile = used.fold(Pile::new(left), Pile::with_used);
            *entry = values[stones.rank(pile) as usize];
        }
    }
    few
}

#[cfg(test)]
#[path = "stones_tests.rs"]
mod tests;
