//! What the test programs share: games, tables, and the naive ones kept.

#![allow(dead_code, reason = "no test program uses all of it")]

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use grundy::game::{Game, Rule, Strip};
use grundy::generate::{Method, Settings, generate};
use grundy::simd::Level;

/// A game that exists.
pub(crate) fn strip(rule: Rule, width: u32, reach: Option<u32>) -> Strip {
    Strip::new(rule, width, reach).expect("a game")
}

/// The complete table, by the method and settings named.
pub(crate) fn table(strip: Strip, method: Method, settings: Settings) -> Vec<u8> {
    // A value that no strip of these widths has, so that a row left out is seen.
    let mut values = vec![0xEE; strip.entries() as usize];
    generate(&Game::from(strip), method, settings, &mut values, &()).expect("a table");
    values
}

/// The table by the definition, made once for all tests of a program.
pub(crate) fn naive(strip: Strip) -> Arc<Vec<u8>> {
    static KEPT: Mutex<Option<HashMap<Strip, Arc<Vec<u8>>>>> = Mutex::new(None);
    let kept = |strip| KEPT.lock().expect("no panic").get_or_insert_default().get(&strip).cloned();
    kept(strip).unwrap_or_else(|| {
        let values = Arc::new(table(strip, Method::Naive, Settings::detect()));
        let mut kept = KEPT.lock().expect("no panic");
        kept.get_or_insert_default().entry(strip).or_insert(values).clone()
    })
}

/// Every level of this processor with 1 and 2 threads.
pub(crate) fn settings() -> impl Iterator<Item = Settings> {
    Level::available().flat_map(|level| {
        [1, 2].map(|threads| Settings {
            level,
            threads: NonZeroUsize::new(threads),
            small_too: true,
        })
    })
}

/// Fails at the first row whose values differ, naming all that is needed to repeat it.
pub(crate) fn assert_same(strip: Strip, method: Method, settings: Settings, expected: &[u8]) {
    let found = table(strip, method, settings);
    let bad = (0..expected.len()).find(|&row| found[row] != expected[row]);
    if let Some(row) = bad {
        let picture = Game::from(strip).picture(row as u64);
        panic!(
            "{strip} {method} {settings:?}: row {row} {picture} has {}, not {}",
            found[row], expected[row]
        );
    }
}
