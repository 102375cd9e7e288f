//! The law of the stones game, state by state.

use rayon::prelude::*;

use super::super::finding::Finding;
use crate::game::{Mex, Stones};

/// How many states a thread takes at a time.
const STRETCH: usize = 1 << 12;

/// Checks every state against its options.
pub(super) fn law(stones: Stones, values: &[u8]) -> Finding {
    let stretches = values.par_chunks(STRETCH).enumerate();
    let findings = stretches.map(|(stretch, found)| {
        let mut finding = Finding::default();
        for (place, &found) in found.iter().enumerate() {
            let index = (stretch * STRETCH + place) as u64;
            finding.compare(index, found, mex(stones, index, values));
        }
        finding
    });
    findings.reduce(Finding::default, Finding::merge)
}

fn mex(stones: Stones, index: u64, values: &[u8]) -> Option<u8> {
    let pile = stones.unrank(index);
    let mut mex = Mex::default();
    for amount in pile.amounts() {
        mex.insert(values[stones.rank(pile.take(amount)) as usize]);
    }
    mex.value()
}
