//! Any bytes as the input of HDU 5724: an error that names a place, or an answer for each board.

#![no_main]

use grundy::game::{Rule, Strip};
use grundy::solve::{RowValues, hdu5724};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let strip = Strip::new(Rule::Chess, hdu5724::WIDTH, None).expect("a game");
    let chess = RowValues::formula(strip).expect("a formula");
    let plain = hdu5724::answers(data, chess, false);
    let moves = hdu5724::answers(data, chess, true);
    // Byte by byte, as a slow pipe gives it.
    assert_eq!(hdu5724::answers(Slow(data), chess, false).ok(), plain.as_ref().ok().cloned());
    match (plain, moves) {
        (Ok(plain), Ok(moves)) => {
            let words = |line: &str| line.split(' ').next().map(str::to_owned);
            assert!(plain.lines().map(words).eq(moves.lines().map(words)));
            assert!(plain.lines().all(|line| line == "YES" || line == "NO"));
        }
        (Err(plain), Err(moves)) => assert_eq!(plain.to_string(), moves.to_string()),
        (plain, moves) => panic!("{plain:?} without moves, {moves:?} with them"),
    }
});

struct Slow<'a>(&'a [u8]);

impl std::io::Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let few = buffer.len().min(1);
        self.0.read(&mut buffer[..few])
    }
}
