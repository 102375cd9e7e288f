//! A heap: a sum of piles of the stones game.

use super::SolveError;
use super::search::{MAX_SEARCH, Search};
use crate::game::{Game, Pile, Stones, untouched_pile};

/// Where the values of piles come from.
#[derive(Clone, Copy, Debug)]
pub struct PileValues<'a> {
    stones: Stones,
    /// One byte a state, `stones.entries()` of them; without it the formula of untouched piles.
    table: Option<&'a [u8]>,
}

impl<'a> PileValues<'a> {
    /// The theorem, which knows untouched piles only.
    pub const fn formula(stones: Stones) -> Self {
        Self { stones, table: None }
    }

    /// The values of a complete table of `stones`, one byte a state.
    ///
    /// # Errors
    /// [`SolveError::Length`] where the slice has not one byte for each state.
    pub fn table(stones: Stones, values: &'a [u8]) -> Result<Self, SolveError> {
        let (expected, found) = (stones.entries(), values.len() as u64);
        if expected != found {
            return Err(SolveError::Length { game: Game::Stones(stones), expected, found });
        }
        Ok(Self { stones, table: Some(values) })
    }

    /// The game whose values these are.
    pub const fn stones(&self) -> Stones {
        self.stones
    }

    /// The value of a pile that has passed [`PileValues::check`].
    pub(super) fn at(&self, pile: Pile) -> u8 {
        match self.table {
            Some(values) => values[self.stones.rank(pile) as usize],
            // At most 180 stones, and so at most 18.
            None => untouched_pile(pile.left()) as u8,
        }
    }

    /// That the value of `pile` is known.
    fn check(&self, pile: Pile) -> Result<(), SolveError> {
        let max = self.stones.max();
        if in_play(pile) > max {
            return Err(SolveError::TooManyStones { pile, max });
        }
        match self.table {
            None if pile.used().next().is_some() => Err(SolveError::NoPileFormula { pile }),
            _ => Ok(()),
        }
    }

    /// The amounts whose taking leaves a pile of value `target`, lowest first. Where there is no
    /// table, amounts have been used that no formula knows: `search` finds the values.
    ///
    /// # Errors
    /// [`SolveError::NoSearch`] where there is no table and the pile is too large for that.
    pub(super) fn amounts_to(
        &self,
        target: u8,
        pile: Pile,
        search: &mut Search,
    ) -> Result<Vec<u32>, SolveError> {
        if self.table.is_none() && pile.left() > MAX_SEARCH {
            return Err(SolveError::NoSearch { pile });
        }
        let mut value = |option| match self.table {
            Some(_) => self.at(option),
            None => search.value(option),
        };
        Ok(pile.amounts().filter(|&amount| value(pile.take(amount)) == target).collect())
    }
}

/// The stones left in a pile, and the used amounts that still matter.
pub(super) fn in_play(pile: Pile) -> u32 {
    pile.left() + pile.used().sum::<u32>()
}

/// A sum of piles. A move is a move in one of them.
#[derive(Clone, Debug)]
pub struct Heap<'a> {
    values: PileValues<'a>,
    piles: Vec<Pile>,
}

/// A move in a heap: `take` stones are taken from a pile, the first of which is 1. Moves are ordered by
/// pile, then amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PileMove {
    /// The pile.
    pub pile: usize,
    /// The amount, which has not been taken from this pile before.
    pub take: u32,
}

impl<'a> Heap<'a> {
    /// The sum of `piles`.
    ///
    /// # Errors
    /// [`SolveError::TooManyStones`] where a pile is beyond the values, [`SolveError::NoPileFormula`] where
    /// the formula does not reach.
    pub fn new(values: PileValues<'a>, piles: Vec<Pile>) -> Result<Self, SolveError> {
        piles.iter().try_for_each(|&pile| values.check(pile))?;
        Ok(Self { values, piles })
    }

    /// The piles.
    pub fn piles(&self) -> &[Pile] {
        &self.piles
    }

    /// The value of each pile.
    pub fn pile_values(&self) -> impl Iterator<Item = u8> {
        self.piles.iter().map(|&pile| self.values.at(pile))
    }

    /// The value of the sum: the xor of the values of the piles (Sprague 1935, Grundy 1939).
    pub fn value(&self) -> u8 {
        self.pile_values().fold(0, |sum, value| sum ^ value)
    }

    /// Whether the player who moves first wins.
    pub fn first_player_wins(&self) -> bool {
        self.value() != 0
    }

    /// Every move after which the player who must move has lost, in order.
    ///
    /// A move leaves a pile with a used amount, which no formula knows. Without a table the options
    /// of piles of up to [`MAX_SEARCH`] stones are searched from the definition.
    ///
    /// # Errors
    /// [`SolveError::NoSearch`] where there is a winning move, no table, and a larger pile.
    pub fn winning_moves(&self) -> Result<Vec<PileMove>, SolveError> {
        let sum = self.value();
        let mut moves = Vec::new();
        if sum == 0 {
            return Ok(moves);
        }
        let mut search = Search::default();
        for (at, (&pile, value)) in self.piles.iter().zip(self.pile_values()).enumerate() {
            let amounts = self.values.amounts_to(sum ^ value, pile, &mut search)?;
            moves.extend(amounts.into_iter().map(|take| PileMove { pile: at + 1, take }));
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::{Heap, PileMove, PileValues};
    use crate::game::{Pile, Stones};
    use crate::solve::SolveError;
    use crate::solve::search::Search;

    fn stones(max: u32) -> Stones {
        Stones::new(max).expect("a game")
    }

    fn piles(max: u32, texts: &[&str]) -> Vec<Pile> {
        texts.iter().map(|text| Pile::parse(stones(max), text).expect("a pile")).collect()
    }

    /// The table from the search: the definition, and nothing that this file does.
    fn table(max: u32) -> Vec<u8> {
        let mut search = Search::default();
        (0..stones(max).entries()).map(|index| search.value(stones(max).unrank(index))).collect()
    }

    #[test]
    fn the_table_and_the_search_know_the_same_winning_moves() {
        let table = table(30);
        let with_table = PileValues::table(stones(30), &table).expect("the whole table");
        for left in 0..=30 {
            for other in 0..=30 {
                let piles = piles(30, &[&left.to_string(), &other.to_string()]);
                let formula = Heap::new(PileValues::formula(stones(30)), piles.clone());
                let formula = formula.expect("untouched piles");
                let heap = Heap::new(with_table, piles).expect("small piles");
                assert_eq!(formula.value(), heap.value(), "{left} {other}");
                let moves = [formula, heap].map(|heap| heap.winning_moves().expect("small piles"));
                assert_eq!(moves[0], moves[1], "{left} {other}");
            }
        }
    }

    #[test]
    fn the_middle_of_a_game_needs_the_table() {
        let table = table(15);
        let values = PileValues::table(stones(15), &table).expect("the whole table");
        let heap = Heap::new(values, piles(15, &["6:4,5", "3:3"])).expect("small piles");
        assert_eq!(heap.pile_values().collect::<Vec<_>>(), [1, 0]);
        // Every move of the first pile leaves 0, as the second is; every move of the second leaves 1.
        let moves = heap.winning_moves().expect("a table");
        let expected = [(1, 1), (1, 2), (1, 3), (1, 6), (2, 1), (2, 2)];
        assert_eq!(moves, expected.map(|(pile, take)| PileMove { pile, take }));
        let refused = Heap::new(PileValues::formula(stones(15)), piles(15, &["3:3"]));
        assert!(matches!(refused, Err(SolveError::NoPileFormula { .. })));
    }

    #[test]
    fn piles_beyond_the_values_are_refused() {
        let values = PileValues::formula(stones(15));
        let refused = Heap::new(values, piles(30, &["16"]));
        assert!(matches!(refused, Err(SolveError::TooManyStones { max: 15, .. })));
        let large = Heap::new(PileValues::formula(stones(100)), piles(100, &["1", "61"]));
        let large = large.expect("untouched piles");
        assert!(matches!(large.winning_moves(), Err(SolveError::NoSearch { .. })));
        assert!(matches!(PileValues::table(stones(15), &[0; 3]), Err(SolveError::Length { .. })));
    }
}
