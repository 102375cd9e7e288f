//! Codeforces 768E "Game of Stones": `n`, then `n` piles of 1 to 60 stones, untouched. The answer is YES where
//! the SECOND player wins: the sum has value 0.
//!
//! The judge promises at most a million piles; more are answered too. Everything else that it promises
//! is checked. Nothing is allocated by a number that the input claims.

use std::io::{Read, Write as _};

use super::scan::{Input, Scan};
use super::search::Search;
use super::{PileValues, SolveError};
use crate::game::Pile;

/// The largest pile of the judge.
pub const MAX_PILE: u32 = 60;

const SIZES: usize = MAX_PILE as usize + 1;

/// The answer to `input`. With `moves` a win of the first player is `NO pile amount`: the first winning
/// move in order of pile, then amount, piles counted from 1.
///
/// ```
/// use grundy::game::Stones;
/// use grundy::solve::{PileValues, cf768e};
/// let values = PileValues::formula(Stones::new(cf768e::MAX_PILE)?);
/// assert_eq!(cf768e::answer(&b"2\n1\n2\n"[..], values, true)?, b"YES\n");
/// assert_eq!(cf768e::answer(&b"2\n1\n5\n"[..], values, true)?, b"NO 2 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::Input`] where the input is not in the format, with the line, what was found and the range
/// allowed, which ends at the largest pile of `values`; [`SolveError::Read`] where it cannot be read.
pub fn answer(
    mut input: impl Read,
    values: PileValues<'_>,
    moves: bool,
) -> Result<Vec<u8>, SolveError> {
    let sizes = Sizes::new(values)?;
    let (sum, first) = read_piles(Input::new(&mut input), &sizes)?;
    if sum == 0 {
        return Ok(b"YES\n".to_vec());
    }
    let step = if moves { first_winning_move(values, &sizes, sum, &first)? } else { None };
    let mut answer = b"NO".to_vec();
    if let Some((pile, amount)) = step {
        // Writing to memory does not fail.
        let _ = write!(answer, " {pile} {amount}");
    }
    answer.push(b'\n');
    Ok(answer)
}

/// The value of an untouched pile of each size up to `most`.
struct Sizes {
    most: u32,
    value: [u8; SIZES],
}

impl Sizes {
    fn new(values: PileValues<'_>) -> Result<Self, SolveError> {
        let most = values.stones().max().min(MAX_PILE);
        let mut value = [0; SIZES];
        for (stones, value) in (0..=most).zip(&mut value) {
            *value = values.at(untouched(stones)?);
        }
        Ok(Self { most, value })
    }
}

/// The xor of the values of all piles, and the first pile of each size (0: none).
fn read_piles(mut input: Input<'_>, sizes: &Sizes) -> Result<(u8, [u64; SIZES]), SolveError> {
    let mut scan = Scan::new(&mut input);
    let count = scan
        .number(1, u64::MAX)
        .map_err(|bad| bad.at(String::new(), "n, the number of piles, from 1".to_owned()))?;
    let (mut sum, mut first) = (0, [0; SIZES]);
    for pile in 1..=count {
        let stones = scan.number(1, u64::from(sizes.most)).map_err(|bad| {
            let expected = format!("a pile of 1 to {} stones", sizes.most);
            bad.at(format!("pile {pile} of {count}"), expected)
        })? as usize;
        sum ^= sizes.value[stones];
        if first[stones] == 0 {
            first[stones] = pile;
        }
    }
    scan.end().map_err(|bad| {
        bad.at(String::new(), format!("nothing: n is {count}, and so many piles are read"))
    })?;
    Ok((sum, first))
}

/// The first winning move: piles of one size have the same moves, so the first of each size stands for all.
fn first_winning_move(
    values: PileValues<'_>,
    sizes: &Sizes,
    sum: u8,
    first: &[u64; SIZES],
) -> Result<Option<(u64, u32)>, SolveError> {
    let mut search = Search::default();
    let mut found = None;
    for (stones, &pile) in (0..=sizes.most).zip(first).filter(|(_, pile)| **pile != 0) {
        let others = sum ^ sizes.value[stones as usize];
        let amounts = values.amounts_to(others, untouched(stones)?, &mut search)?;
        let step = amounts.first().map(|&amount| (pile, amount));
        found = [found, step].into_iter().flatten().min();
    }
    Ok(found)
}

fn untouched(stones: u32) -> Result<Pile, SolveError> {
    Pile::untouched(stones).map_err(SolveError::from)
}

#[cfg(test)]
mod tests {
    use super::{MAX_PILE, answer};
    use crate::game::Stones;
    use crate::solve::PileValues;
    use crate::solve::search::Search;

    fn values(max: u32) -> PileValues<'static> {
        PileValues::formula(Stones::new(max).expect("a game"))
    }

    #[test]
    fn a_refusal_names_the_line_the_place_the_token_and_the_range() {
        for (max, input, message) in [
            (60, "", "line 1: the input ends, expected n, the number of piles, from 1"),
            (60, "0", "line 1: found \"0\", expected n, the number of piles, from 1"),
            (60, "1\n61", "line 2 (pile 1 of 1): found \"61\", expected a pile of 1 to 60 stones"),
            (60, "1\n0\n", "line 2 (pile 1 of 1): found \"0\", expected a pile of 1 to 60 stones"),
            (180, "1 61", "line 1 (pile 1 of 1): found \"61\", expected a pile of 1 to 60 stones"),
            (
                30,
                "2\n30\n31\n",
                "line 3 (pile 2 of 2): found \"31\", expected a pile of 1 to 30 stones",
            ),
            (
                60,
                "3\n1\n2\n",
                "line 3 (pile 3 of 3): the input ends, expected a pile of 1 to 60 stones",
            ),
            (
                60,
                "1\n1\n1\n",
                "line 3: found \"1\", expected nothing: n is 1, and so many piles are read",
            ),
        ] {
            let refused = answer(input.as_bytes(), values(max), true).expect_err("a refusal");
            assert_eq!(refused.to_string(), message);
        }
    }

    #[test]
    fn a_table_gives_the_answer_and_the_move_of_the_search() {
        let stones = Stones::new(30).expect("a game");
        let mut search = Search::default();
        let table: Vec<u8> =
            (0..stones.entries()).map(|index| search.value(stones.unrank(index))).collect();
        let with_table = PileValues::table(stones, &table).expect("the whole table");
        for first in 1..=30 {
            for second in 1..=30 {
                let input = format!("3 {first} {second} 7");
                let found = answer(input.as_bytes(), with_table, true).expect("an answer");
                let searched = answer(input.as_bytes(), values(30), true).expect("an answer");
                assert_eq!(found, searched, "{input}");
            }
        }
    }

    #[test]
    fn one_pile_is_won_by_emptying_it_and_the_first_pile_that_can_is_named() {
        for stones in 1..=MAX_PILE {
            let input = format!("1\n{stones}\n");
            let found = answer(input.as_bytes(), values(MAX_PILE), true).expect("an answer");
            let found = String::from_utf8(found).expect("text");
            let take: u32 = found.trim_end()["NO 1 ".len()..].parse().expect("an amount");
            assert!(take <= stones, "{found:?}");
        }
        assert_eq!(answer(&b"4 1 2 1 1"[..], values(MAX_PILE), true).expect("an answer"), b"YES\n");
        assert_eq!(
            answer(&b"3 1 2 1"[..], values(MAX_PILE), true).expect("an answer"),
            b"NO 1 1\n"
        );
    }
}
