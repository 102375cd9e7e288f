//! The definition, from the position down, with a memory: for the few piles that a small question needs
//! where there is no table.

use std::collections::HashMap;

use crate::game::{Mex, Pile};

/// The most stones of a pile whose moves are searched: 114,058 states at worst, some hundredths of a second.
pub const MAX_SEARCH: u32 = 60;

/// The values found so far.
#[derive(Debug, Default)]
pub(super) struct Search {
    known: HashMap<Pile, u8>,
}

impl Search {
    /// The value of a pile of at most [`MAX_SEARCH`] stones in play.
    pub(super) fn value(&mut self, pile: Pile) -> u8 {
        if let Some(&value) = self.known.get(&pile) {
            return value;
        }
        let mut mex = Mex::default();
        for amount in pile.amounts() {
            mex.insert(self.value(pile.take(amount)));
        }
        // At most 60 moves: some value of a byte is free.
        let value = mex.value().unwrap_or(u8::MAX);
        self.known.insert(pile, value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SEARCH, Search};
    use crate::game::{Pile, Stones, untouched_pile};

    #[test]
    fn untouched_piles_have_the_values_of_the_theorem() {
        let mut search = Search::default();
        for stones in 0..=MAX_SEARCH {
            let pile = Pile::untouched(stones).expect("a pile");
            assert_eq!(u32::from(search.value(pile)), untouched_pile(stones), "{stones} stones");
        }
    }

    #[test]
    fn used_piles_have_values_that_no_formula_gives() {
        let stones = Stones::new(60).expect("a game");
        for (pile, value) in [("3:3", 0), ("6:4,5", 1), ("2:1", 1), ("2:1,2", 0)] {
            let pile = Pile::parse(stones, pile).expect("a pile");
            assert_eq!(Search::default().value(pile), value, "{pile}");
        }
    }
}
