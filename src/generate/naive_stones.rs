//! The oracle of the stones game: a memoised search from the definition. No ranks, no layers.

use std::collections::HashMap;

use super::naive::STRETCH;
use super::{GenerateError, Observer, overflow};
use crate::game::{Mex, Pile, Stones};

/// Every state, in the order of the table.
pub(super) fn stones(
    stones: Stones,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<(), GenerateError> {
    let mut known = HashMap::new();
    let mut states = states(stones).into_iter();
    for (stretch, values) in values.chunks_mut(STRETCH).enumerate() {
        let start = stretch * STRETCH;
        observer.before(start as u64, values);
        for (place, (entry, pile)) in values.iter_mut().zip(states.by_ref()).enumerate() {
            *entry =
                value(pile, &mut known).ok_or_else(|| overflow(stones.into(), start + place))?;
        }
        observer.after(start as u64, values);
    }
    Ok(())
}

/// The value by definition, or `None` where no byte holds it.
fn value(pile: Pile, known: &mut HashMap<Pile, u8>) -> Option<u8> {
    if let Some(&value) = known.get(&pile) {
        return Some(value);
    }
    let mut mex = Mex::default();
    for amount in pile.amounts() {
        mex.insert(value(pile.take(amount), known)?);
    }
    let value = mex.value()?;
    known.insert(pile, value);
    Some(value)
}

/// Every state in order: by stones left, then by the mask of the used amounts.
fn states(stones: Stones) -> Vec<Pile> {
    let mut states = Vec::new();
    for left in 0..=stones.max() {
        append(&mut states, Pile::new(left), left, stones.max() - left);
    }
    states
}

/// Appends `pile` with each subset of `{1..top}` with a sum of at most `budget` used besides, by mask:
/// those without `top` come before those with it.
fn append(states: &mut Vec<Pile>, pile: Pile, top: u32, budget: u32) {
    if top == 0 {
        states.push(pile);
        return;
    }
    append(states, pile, top - 1, budget);
    if top <= budget {
        append(states, pile.with_used(top), top - 1, budget - top);
    }
}
