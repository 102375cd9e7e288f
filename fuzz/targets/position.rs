//! Any text as the id of a game and as a row or pile of it: an error, or something that reads back as itself.

#![no_main]

use grundy::game::{CellOrder, Game, Pile, Row};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (id, position) = data.split_once(' ').unwrap_or(("welter-9", data));
    let Ok(game) = id.parse::<Game>() else { return };
    assert_eq!(game.to_string(), id);
    assert!(game.entries() > 0);
    match game {
        Game::Strip(strip) => {
            let Ok(row) = Row::parse(strip, position) else { return };
            assert!(row.index() < strip.entries());
            for text in [row.picture(), row.list()] {
                assert_eq!(Row::parse(strip, &text).expect("it was printed"), row);
            }
            let mirrored = row.index_in(CellOrder::LeftLow);
            let back = Row::from_bits(strip, mirrored, CellOrder::LeftLow);
            assert_eq!(back.expect("a row"), row);
            assert!(row.moves().all(|(from, to)| from < to && to <= strip.width()));
        }
        Game::Stones(stones) => {
            let Ok(pile) = Pile::parse(stones, position) else { return };
            let rank = stones.rank(pile);
            assert!(rank < stones.entries());
            assert_eq!(stones.unrank(rank), pile);
            assert!(pile.amounts().all(|amount| stones.rank(pile.take(amount)) < rank));
        }
    }
});
