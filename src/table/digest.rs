//! Digests of the values, gathered while they are made.
//!
//! The values are cut into chunks of 16 MiB with a BLAKE3 digest each, and the root is the BLAKE3 of those
//! digests. BLAKE3 is a binary tree over blocks of 1 KiB, and a piece that fills a whole subtree can be
//! hashed by itself. So pieces may come in any order, from several threads, while they are hot, and what is
//! kept of each is 32 bytes; neighbouring subtrees are merged as soon as both are there.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, left_subtree_len, merge_subtrees_non_root, merge_subtrees_root,
};
use rayon::prelude::*;

/// The bytes of a chunk of values, which has a digest of its own.
pub const CHUNK: u64 = 16 << 20;

/// How much is hashed at a time: it stays in the cache between counting and hashing.
const STEP: u64 = 256 << 10;

/// The bytes of a leaf of the BLAKE3 tree: nothing smaller can be hashed by itself.
const LEAF: u64 = blake3::CHUNK_LEN as u64;

/// A BLAKE3 digest, written as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The bytes of a digest.
    pub const BYTES: u64 = 32;

    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Reads 64 lower-case hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let digest = blake3::Hash::from_hex(hex).ok().map(|hash| Self(*hash.as_bytes()))?;
        (digest.to_string() == hex).then_some(digest)
    }

    /// The digest as bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// What the digests and counts of a table's values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The digest of each 16 MiB of values.
    pub chunks: Vec<Digest>,
    /// The digest of the digests.
    pub root: Digest,
    /// The largest value.
    pub max_value: u8,
    /// How many values are 0.
    pub zero_entries: u64,
}

impl Summary {
    /// Sums up all values of a table, on the threads of the current rayon pool.
    pub fn of(values: &[u8]) -> Self {
        let collector = Collector::new(values.len() as u64);
        let steps = values.par_chunks(STEP as usize).enumerate();
        steps.for_each(|(step, piece)| collector.add(step as u64 * STEP, piece));
        collector.finish(values)
    }

    fn new(chunks: Vec<Digest>, (max_value, zero_entries): (u8, u64)) -> Self {
        let mut root = blake3::Hasher::new();
        for chunk in &chunks {
            root.update(&chunk.0);
        }
        let root = Digest(*root.finalize().as_bytes());
        Self { chunks, root, max_value, zero_entries }
    }
}

/// The largest value of `values`, and how many are 0.
pub fn count(values: &[u8]) -> (u8, u64) {
    // Bytes are summed within a byte, and so in vectors, as far as the sum fits.
    let (blocks, rest) = values.as_chunks::<128>();
    let zeros = |block: &[u8]| block.iter().map(|&value| u8::from(value == 0)).sum::<u8>();
    let mut most = [0; 128];
    let mut zero_entries = u64::from(zeros(rest));
    for block in blocks {
        for (most, &value) in most.iter_mut().zip(block) {
            *most = value.max(*most);
        }
        zero_entries += u64::from(zeros(block));
    }
    let max_value = most.iter().chain(rest).copied().max().unwrap_or(0);
    (max_value, zero_entries)
}

/// Gathers the digests and counts of the values of a table from pieces of it.
///
/// The pieces cover the table once, and come in any order and from any thread. Those that begin at a
/// multiple of 1 KiB, and best of their own length, are hashed as they come; what is left is hashed at the end.
pub struct Collector {
    entries: u64,
    seen: AtomicU64,
    zero_entries: AtomicU64,
    max_value: AtomicU64,
    chunks: Vec<Mutex<Chunk>>,
}

impl Collector {
    /// A collector for a table of `entries` values.
    pub fn new(entries: u64) -> Self {
        let chunks = (0..entries.div_ceil(CHUNK)).map(|_| Mutex::default()).collect();
        let (seen, zero_entries, max_value) = Default::default();
        Self { entries, seen, zero_entries, max_value, chunks }
    }

    /// Takes the values at `offset` of the table. What lies beyond the table is left out.
    pub fn add(&self, offset: u64, piece: &[u8]) {
        let room = self.entries.saturating_sub(offset).min(piece.len() as u64);
        let mut rest = &piece[..room as usize];
        let mut offset = offset;
        while !rest.is_empty() {
            let step = (STEP - offset % STEP).min(rest.len() as u64);
            let (now, later) = rest.split_at(step as usize);
            self.count(now);
            self.hash(offset, now);
            (offset, rest) = (offset + step, later);
        }
    }

    fn count(&self, piece: &[u8]) {
        let (max_value, zero_entries) = count(piece);
        self.seen.fetch_add(piece.len() as u64, Ordering::Relaxed);
        self.zero_entries.fetch_add(zero_entries, Ordering::Relaxed);
        self.max_value.fetch_max(u64::from(max_value), Ordering::Relaxed);
    }

    /// Hashes a piece that does not cross the border of a chunk, as far as it fills whole subtrees.
    fn hash(&self, offset: u64, piece: &[u8]) {
        let (chunk, within) = (offset / CHUNK, offset % CHUNK);
        let chunk_bytes = self.chunk_bytes(chunk);
        let chunk = &self.chunks[chunk as usize];
        let (mut start, mut rest) = (within, piece);
        while !rest.is_empty() {
            let left = rest.len() as u64;
            let Some(length) = subtree(start, left, chunk_bytes) else { return };
            let (now, later) = rest.split_at(length as usize);
            let node = Node::hash(start, now, length == chunk_bytes);
            chunk.lock().unwrap_or_else(PoisonError::into_inner).insert(start, length, node);
            (start, rest) = (start + length, later);
        }
    }

    fn chunk_bytes(&self, chunk: u64) -> u64 {
        CHUNK.min(self.entries - chunk * CHUNK)
    }

    /// The digests and counts, where `values` are all values of the table. Reads again only what came in
    /// pieces too ragged to hash, on the threads of the current rayon pool.
    pub fn finish(self, values: &[u8]) -> Summary {
        let chunks = values.par_chunks(CHUNK as usize).zip(self.chunks.par_iter());
        let digests = chunks.map(|(values, chunk)| {
            let chunk = chunk.lock().unwrap_or_else(PoisonError::into_inner);
            chunk.root(values.len() as u64).unwrap_or_else(|| Digest::of(values))
        });
        let counts = if self.seen.load(Ordering::Relaxed) == self.entries {
            let max_value = self.max_value.load(Ordering::Relaxed) as u8;
            (max_value, self.zero_entries.load(Ordering::Relaxed))
        } else {
            count(values)
        };
        Summary::new(digests.collect(), counts)
    }
}

/// The length of the largest subtree that begins at `start` of a chunk and has all its bytes among the
/// `left` that are there, or `None` where even a leaf is ragged.
fn subtree(start: u64, left: u64, chunk_bytes: u64) -> Option<u64> {
    if !start.is_multiple_of(LEAF) {
        return None;
    }
    let most = if start == 0 { CHUNK } else { 1 << start.trailing_zeros() };
    // A subtree on the right edge may be short: it ends where the chunk ends.
    if left <= most && start + left == chunk_bytes {
        return Some(left);
    }
    let whole = 1 << left.min(most).ilog2();
    (whole >= LEAF).then_some(whole)
}

/// What is known of one chunk: subtrees by where they begin, with their lengths.
#[derive(Default)]
struct Chunk {
    nodes: BTreeMap<u64, (u64, Node)>,
}

/// A subtree's value; that of a whole chunk is its digest.
#[derive(Clone, Copy)]
enum Node {
    Inner(ChainingValue),
    Root(Digest),
}

impl Node {
    fn hash(start: u64, piece: &[u8], whole: bool) -> Self {
        if whole {
            return Self::Root(Digest::of(piece));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.set_input_offset(start).update(piece);
        Self::Inner(hasher.finalize_non_root())
    }

    const fn inner(self) -> Option<ChainingValue> {
        match self {
            Self::Inner(value) => Some(value),
            Self::Root(_) => None,
        }
    }
}

impl Chunk {
    /// Adds a subtree, and merges it with its sibling as long as that is there.
    fn insert(&mut self, start: u64, length: u64, node: Node) {
        let (mut start, mut length, mut node) = (start, length, node);
        // The two subtrees of a whole chunk are merged by `root`: that merge is another one.
        while length.is_power_of_two() && length >= LEAF && 2 * length < CHUNK {
            let sibling = start ^ length;
            let Some(&(other, sibling_node)) = self.nodes.get(&sibling) else { break };
            let (Some(mine), Some(theirs)) = (node.inner(), sibling_node.inner()) else { break };
            if other != length {
                break;
            }
            self.nodes.remove(&sibling);
            let (left, right) = if sibling < start { (theirs, mine) } else { (mine, theirs) };
            node = Node::Inner(merge_subtrees_non_root(&left, &right, Mode::Hash));
            (start, length) = (start & !length, length * 2);
        }
        self.nodes.insert(start, (length, node));
    }

    /// The digest of the chunk of `length` bytes, if all its subtrees are known.
    fn root(&self, length: u64) -> Option<Digest> {
        if let Some((found, Node::Root(digest))) = self.nodes.get(&0) {
            return (*found == length).then_some(*digest);
        }
        if length <= LEAF {
            return None;
        }
        let split = left_subtree_len(length);
        let (left, right) = (self.value(0, split)?, self.value(split, length - split)?);
        Some(Digest(*merge_subtrees_root(&left, &right, Mode::Hash).as_bytes()))
    }

    fn value(&self, start: u64, length: u64) -> Option<ChainingValue> {
        if let Some(&(found, node)) = self.nodes.get(&start)
            && found == length
        {
            return node.inner();
        }
        if length <= LEAF {
            return None;
        }
        let split = left_subtree_len(length);
        let (left, right) = (self.value(start, split)?, self.value(start + split, length - split)?);
        Some(merge_subtrees_non_root(&left, &right, Mode::Hash))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Collector, Digest, STEP, Summary, count};

    /// A stream of bytes without pattern, from a linear congruence.
    fn noise(bytes: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8 & 31
        };
        std::iter::repeat_with(next).take(bytes).collect()
    }

    fn plain(values: &[u8]) -> Summary {
        let chunks: Vec<Digest> = values.chunks(CHUNK as usize).map(Digest::of).collect();
        let joined: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.0).collect();
        let max_value = values.iter().copied().max().unwrap_or(0);
        let zero_entries = values.iter().filter(|&&value| value == 0).count() as u64;
        Summary { chunks, root: Digest::of(&joined), max_value, zero_entries }
    }

    /// The borders of pieces in an order without pattern.
    fn shuffled(pieces: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..pieces).collect();
        order.sort_by_key(|piece| piece.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17));
        order
    }

    #[test]
    fn pieces_of_every_size_in_any_order_give_the_digest_of_the_whole() {
        let chunk = CHUNK as usize;
        let values = noise(2 * chunk + 5000);
        let sizes = [1, 2, 64, 1023, 1024, 1025, 2048, 3000, STEP as usize - 1, STEP as usize];
        let large = [STEP as usize + 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 5000];
        for size in sizes.into_iter().chain(large) {
            let values = &values[..size];
            let expected = plain(values);
            for piece in [64, 1024, 4096, 1000, 1 << 16, 1 << 18, 3 << 18, 1 << 24, 1 << 26] {
                if size / piece > 5000 {
                    continue;
                }
                let collector = Collector::new(size as u64);
                for place in shuffled(size.div_ceil(piece)) {
                    let start = place * piece;
                    collector.add(start as u64, &values[start..size.min(start + piece)]);
                }
                assert_eq!(collector.finish(values), expected, "size {size}, pieces of {piece}");
            }
            assert_eq!(Summary::of(values), expected, "size {size}");
        }
    }

    #[test]
    fn aligned_pieces_leave_nothing_to_hash_at_the_end() {
        let size = 5 * STEP + 70_000;
        let values = noise(size as usize);
        let collector = Collector::new(size);
        for (place, piece) in values.chunks(STEP as usize).enumerate() {
            collector.add(place as u64 * STEP, piece);
        }
        let chunk = collector.chunks[0].lock().expect("not poisoned");
        assert_eq!(chunk.root(size), Some(Digest::of(&values)));
        assert_eq!(chunk.nodes.len(), 3, "four, one, and the short one");
    }

    #[test]
    fn a_missing_piece_is_made_up_for_from_the_values() {
        let values = noise(3 * STEP as usize);
        let collector = Collector::new(values.len() as u64);
        collector.add(STEP, &values[STEP as usize..]);
        assert_eq!(collector.finish(&values), plain(&values));
    }

    #[test]
    fn the_counts_are_those_of_a_loop() {
        for bytes in [0, 1, 127, 128, 129, 1000] {
            for values in [noise(bytes), vec![0; bytes], vec![255; bytes]] {
                let zeros = values.iter().filter(|&&value| value == 0).count() as u64;
                let most = values.iter().copied().max().unwrap_or(0);
                assert_eq!(count(&values), (most, zeros), "{bytes} bytes");
            }
        }
    }
}
