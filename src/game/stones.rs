//! The stones game of Codeforces 768E, with the amounts already used: states, ranks and moves.

use std::fmt;

use super::GameError;

/// The largest number of stones of which a table can be made: 2,355,729,269 entries.
pub const MAX_STONES: u32 = 180;

/// An amount matters only while `amount <= left`, and `left + amount <= max`.
const MAX_AMOUNT: usize = MAX_STONES as usize / 2;

const BUDGETS: usize = MAX_STONES as usize + 1;

/// `SUBSETS[j][b]`: how many subsets of `{1..j}` have a sum of at most `b`.
static SUBSETS: [[u32; BUDGETS]; MAX_AMOUNT + 1] = subsets();

#[expect(clippy::large_stack_arrays, reason = "run by the compiler")]
const fn subsets() -> [[u32; BUDGETS]; MAX_AMOUNT + 1] {
    let mut count = [[1; BUDGETS]; MAX_AMOUNT + 1];
    let mut j = 1;
    while j <= MAX_AMOUNT {
        let mut b = 0;
        while b < BUDGETS {
            let with = if b >= j { count[j - 1][b - j] } else { 0 };
            count[j][b] = count[j - 1][b] + with;
            b += 1;
        }
        j += 1;
    }
    count
}

/// The stones game with at most `max` stones in play: the states `(r, U)` with `r + sum(U) <= max`.
///
/// A move takes `i >= 1` of the `r` stones left, `i` not in `U`, and adds `i` to `U`. Only amounts up
/// to `r` matter, so `U` lies in `{1..r}`. The order of the states is that of the table: `r = 0, 1, ..`,
/// and within one `r` the masks of `U` (bit `i - 1` is amount `i`) in increasing order.
///
/// ```
/// use grundy::game::{Pile, Stones};
/// let stones = Stones::new(60)?;
/// assert_eq!(stones.entries(), 114_058);
/// let pile = Pile::parse(stones, "12:3,5")?;
/// assert_eq!(stones.unrank(stones.rank(pile)), pile);
/// # Ok::<(), grundy::game::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    max: u32,
}

impl Stones {
    /// The game with at most `max` stones.
    ///
    /// # Errors
    /// [`GameError::Max`] outside `1..=180`.
    pub fn new(max: u32) -> Result<Self, GameError> {
        if (1..=MAX_STONES).contains(&max) {
            Ok(Self { max })
        } else {
            Err(GameError::Max { found: max })
        }
    }

    /// The largest number of stones.
    pub const fn max(self) -> u32 {
        self.max
    }

    /// The number of states.
    pub fn entries(self) -> u64 {
        (0..=self.max).map(|left| self.layer_entries(left)).sum()
    }

    /// The number of states with `left` stones.
    pub fn layer_entries(self, left: u32) -> u64 {
        u64::from(Self::subsets(left, self.max - left))
    }

    /// How many subsets of `{1..j}` have a sum of at most `budget` (at most 180 - j).
    pub fn subsets(j: u32, budget: u32) -> u32 {
        SUBSETS[(j.min(budget) as usize).min(MAX_AMOUNT)][budget as usize]
    }

    /// [`Stones::subsets`] of `{1..j}` for every budget, for `j` up to 90: no amount above can be used.
    pub(crate) fn subset_row(j: u32) -> &'static [u32; BUDGETS] {
        &SUBSETS[j as usize]
    }

    /// The place of a state in the table. The state must be one of this game, as [`Pile::parse`] and
    /// [`Pile::take`] make them.
    pub fn rank(self, pile: Pile) -> u64 {
        let layer: u64 = (0..pile.left).map(|left| self.layer_entries(left)).sum();
        let mut budget = self.max - pile.left;
        let mut rank = layer;
        let mut used = pile.used;
        while used != 0 {
            let amount = used.ilog2() + 1;
            // The masks with the same amounts above this one, and not this one, come before.
            rank += u64::from(Self::subsets(amount - 1, budget));
            budget -= amount;
            used ^= 1 << (amount - 1);
        }
        rank
    }

    /// The state at a place in the table.
    ///
    /// # Panics
    /// Where `index` is not below [`Stones::entries`].
    pub fn unrank(self, index: u64) -> Pile {
        assert!(index < self.entries(), "index {index} is beyond the table of {self}");
        let mut rest = index;
        let mut left = 0;
        while rest >= self.layer_entries(left) {
            rest -= self.layer_entries(left);
            left += 1;
        }
        let mut budget = self.max - left;
        let mut used = 0;
        for amount in (1..=left.min(budget)).rev() {
            let without = u64::from(Self::subsets(amount - 1, budget));
            if rest >= without {
                rest -= without;
                budget -= amount;
                used |= 1 << (amount - 1);
            }
        }
        Pile { left, used }
    }
}

/// The id: `stones-60`.
impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stones-{}", self.max)
    }
}

/// A state of the stones game: a pile of `left` stones, and the amounts up to `left` already used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    left: u32,
    used: u128,
}

impl Pile {
    /// A pile from which nothing has been taken; at most 180 stones.
    ///
    /// # Errors
    /// [`GameError::Max`] above 180 stones.
    pub fn untouched(left: u32) -> Result<Self, GameError> {
        if left <= MAX_STONES {
            Ok(Self { left, used: 0 })
        } else {
            Err(GameError::Max { found: left })
        }
    }

    /// The state with `left` stones, from which nothing has been taken.
    pub(crate) const fn new(left: u32) -> Self {
        Self { left, used: 0 }
    }

    /// The same with `amount`, which must be 1 to `left` and below 128, used too.
    #[must_use]
    pub(crate) const fn with_used(self, amount: u32) -> Self {
        Self { used: self.used | 1 << (amount - 1), ..self }
    }

    /// Reads `r` or `r:used,used`. Used amounts above `r` do not matter, and are dropped.
    ///
    /// # Errors
    /// [`GameError::Pile`] where it is not a state of this game.
    pub fn parse(stones: Stones, text: &str) -> Result<Self, GameError> {
        let max = stones.max;
        let error = |reason: String| GameError::Pile { pile: text.to_owned(), reason, max };
        let number = |token: &str| {
            let digits = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
            if digits {
                Ok(token.parse().unwrap_or(u64::MAX))
            } else {
                Err(error(format!("{token:?} is not a number")))
            }
        };
        let (left, amounts) = text.split_once(':').map_or((text, None), |(l, a)| (l, Some(a)));
        let left = number(left)?;
        if left > u64::from(max) {
            return Err(error(format!("{left} stones are more than this table has")));
        }
        let mut seen = std::collections::BTreeSet::new();
        for token in amounts.into_iter().flat_map(|amounts| amounts.split(',')) {
            let amount = number(token)?;
            if amount == 0 {
                return Err(error("amount 0 cannot have been taken".to_owned()));
            }
            if !seen.insert(amount) {
                return Err(error(format!("amount {amount} is named twice")));
            }
        }
        seen.retain(|&amount| amount <= left);
        let total = left + seen.iter().sum::<u64>();
        if total > u64::from(max) {
            return Err(error(format!(
                "{left} left and the used amounts up to {left} make {total} stones, more than {max}"
            )));
        }
        let used = seen.into_iter().fold(0, |used, amount| used | 1 << (amount - 1));
        Ok(Self { left: left as u32, used })
    }

    /// The stones left.
    pub const fn left(self) -> u32 {
        self.left
    }

    /// The used amounts, lowest first.
    pub fn used(self) -> impl Iterator<Item = u32> {
        (1..=MAX_AMOUNT as u32).filter(move |amount| self.used >> (amount - 1) & 1 == 1)
    }

    /// The amounts that can be taken, lowest first.
    pub fn amounts(self) -> impl Iterator<Item = u32> {
        (1..=self.left).filter(move |amount| amount - 1 > 127 || self.used >> (amount - 1) & 1 == 0)
    }

    /// The state after taking `amount`, which must be one of [`Pile::amounts`].
    #[must_use]
    pub const fn take(self, amount: u32) -> Self {
        let left = self.left - amount;
        let taken = if amount <= left { 1 << (amount - 1) } else { 0 };
        let kept = if left < 128 { (1 << left) - 1 } else { u128::MAX };
        Self { left, used: (self.used | taken) & kept }
    }

    /// The largest value the state can have: the number of smallest unused amounts whose sum fits.
    /// (A value `v` has options of value `v - 1, .., 0`: that many different amounts, one after another.)
    pub fn bound(self) -> u32 {
        let mut rest = self.left;
        let fits = |amount: &u32| match rest.checked_sub(*amount) {
            Some(left) => {
                rest = left;
                true
            }
            None => false,
        };
        self.amounts().take_while(fits).count() as u32
    }
}

/// The state as it is written: `12`, or `12:3,5`.
impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.left)?;
        for (place, amount) in self.used().enumerate() {
            write!(f, "{}{amount}", if place == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Pile, Stones};

    #[test]
    fn the_tables_have_the_known_numbers_of_states() {
        for (max, entries) in [
            (1, 2),
            (60, 114_058),
            (100, 5_755_504),
            (127, 53_376_274),
            (160, 607_068_944),
            (180, 2_355_729_269),
        ] {
            assert_eq!(Stones::new(max).expect("a game").entries(), entries, "max {max}");
        }
    }

    #[test]
    fn rank_and_unrank_are_inverse_and_in_order_on_every_state_to_max_60() {
        for max in [1, 2, 3, 7, 30, 60] {
            let stones = Stones::new(max).expect("a game");
            let mut last = None;
            for index in 0..stones.entries() {
                let pile = stones.unrank(index);
                assert_eq!(stones.rank(pile), index, "max {max} {pile}");
                assert!(last < Some((pile.left, pile.used)), "max {max} {pile} is out of order");
                last = Some((pile.left, pile.used));
            }
        }
    }

    #[test]
    fn a_pile_reads_back_and_moves_stay_in_the_table() {
        let stones = Stones::new(20).expect("a game");
        for index in 0..stones.entries() {
            let pile = stones.unrank(index);
            assert_eq!(Pile::parse(stones, &pile.to_string()), Ok(pile));
            for amount in pile.amounts() {
                let option = pile.take(amount);
                assert!(stones.rank(option) < index);
                assert_eq!(stones.unrank(stones.rank(option)), option);
            }
        }
        for text in ["", "x", "21", "3:", "3:0", "3:1,1", "19:1,2", "-1", "3:1:2"] {
            assert!(Pile::parse(stones, text).is_err(), "{text:?}");
        }
        assert_eq!(Pile::parse(stones, "5:99").map(|pile| pile.to_string()), Ok("5".to_owned()));
    }

    proptest::proptest! {
        #[test]
        fn rank_and_unrank_are_inverse_on_random_states_of_random_tables(
            max in 1..=super::MAX_STONES,
            place in 0.0..1.0,
        ) {
            let stones = Stones::new(max).expect("a game");
            let index = (stones.entries() as f64 * place) as u64;
            let pile = stones.unrank(index);
            proptest::prop_assert_eq!(stones.rank(pile), index);
            let all = pile.left() + pile.used().sum::<u32>();
            proptest::prop_assert!(all <= max && pile.used().all(|amount| amount <= pile.left()));
            for amount in pile.amounts() {
                let option = pile.take(amount);
                proptest::prop_assert_eq!(stones.unrank(stones.rank(option)), option);
            }
        }
    }
}
