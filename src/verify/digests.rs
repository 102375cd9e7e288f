//! Integrity and known: digests and counts against the file and against what is published.

use super::{Bad, Shown, Status, Verdict};
use crate::game::Game;
use crate::table::{CHUNK, Digest, Summary, Table, known_root};

/// The digests and counts that the file gives are those of its values.
pub(super) fn integrity(table: &Table, summary: &Summary) -> Verdict {
    let header = table.header();
    let claims = table.chunk_digests().zip(&summary.chunks).enumerate();
    let chunks = claims.filter(|(_, (claimed, computed))| claimed != *computed).map(
        |(chunk, (claimed, computed))| {
            let index = chunk as u64 * CHUNK;
            let last = header.entries().min(index + CHUNK) - 1;
            let row = format!("chunk {chunk}, entries {index} to {last}");
            differ(index, row, digest(*computed), digest(claimed))
        },
    );
    let root = differ(0, "blake3".into(), digest(summary.root), digest(header.root()));
    let number = |name: &str, found, claimed| {
        differ(0, name.to_owned(), Shown::Number(found), Shown::Number(claimed))
    };
    let most = number("max_value", summary.max_value.into(), header.max_value().into());
    let zeros = number("zero_entries", summary.zero_entries, header.zero_entries());
    let rest = [root, most, zeros].into_iter().filter(|bad| bad.found != bad.expected);
    let bad: Vec<Bad> = chunks.chain(rest).collect();
    Verdict::Found(bad.len() as u64, bad.into_iter().next())
}

/// The root of the values is the published one.
pub(super) fn known(game: Game, summary: &Summary) -> Verdict {
    match known_root(&game) {
        None => Verdict::Not(Status::NotApplicable("no root is published for this table")),
        Some(known) if known == summary.root => Verdict::Found(0, None),
        Some(known) => {
            let bad = differ(0, "blake3".into(), digest(summary.root), digest(known));
            Verdict::Found(1, Some(bad))
        }
    }
}

fn differ(index: u64, row: String, found: Shown, expected: Shown) -> Bad {
    Bad { index, row, found, expected }
}

fn digest(digest: Digest) -> Shown {
    Shown::Text(digest.to_string())
}
