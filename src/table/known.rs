//! The published roots: what the values of a table are known to be.

use super::digest::Digest;
use crate::game::Game;

/// Lines `root  id`; others begin with `#`.
const ROOTS: &str = include_str!("../../tables/BLAKE3ROOTS");

/// The published root digest of the complete table of `game`, if there is one.
pub fn known_root(game: &Game) -> Option<Digest> {
    let id = game.to_string();
    entries(ROOTS).find(|(_, known)| *known == id).and_then(|(root, _)| Digest::parse(root))
}

fn entries(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once("  "))
}

#[cfg(test)]
mod tests {
    use super::{Digest, Game, ROOTS, entries};

    #[test]
    fn every_published_root_is_a_digest_and_names_a_game_once() {
        let mut ids = std::collections::BTreeSet::new();
        for line in ROOTS.lines().filter(|line| !line.starts_with('#')) {
            let (root, id) = entries(line).next().expect(line);
            assert!(Digest::parse(root).is_some(), "{line}");
            assert!(id.parse::<Game>().is_ok(), "{line}");
            assert!(ids.insert(id), "{id} is there twice");
        }
    }
}
