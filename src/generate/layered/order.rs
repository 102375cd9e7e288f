//! The order of the bands of a tile: layers, and batches of bands that do not need one another.
//!
//! The *layer* of a band is the sum over its middle pieces of one more than their bit: the sum of their
//! positions counted from the low cells. A move inside the middle lowers it, and a piece that drops into
//! the low cells takes its share away; so a band needs only bands of lower layers, whatever the rule.
//! (The sum of positions from the left, by which the whole table is ordered, rises with every move; the
//! layer of a band falls by as much.)
//!
//! No move gives the middle a piece. So a band does not need bands with more pieces either, and bands of
//! two layers can share a batch where all those of the upper layer have fewer pieces.

/// The place of a band in the order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Rank {
    layer: u8,
    pieces: u8,
}

/// The rank of each band.
pub(super) fn ranks(middle: u32) -> Vec<Rank> {
    let mut ranks = vec![Rank { layer: 0, pieces: 0 }; 1 << middle];
    for bit in 0..middle {
        let (rest, with) = ranks.split_at_mut(1 << bit);
        for (rest, with) in rest.iter().zip(with) {
            *with = Rank { layer: rest.layer + bit as u8 + 1, pieces: rest.pieces + 1 };
        }
    }
    ranks
}

/// All bands by layer, then by number of pieces, then by `alike`: two small numbers that are equal for
/// bands whose loops run alike, so that a processor foresees them.
pub(super) fn by_layer(ranks: &[Rank], alike: impl Fn(usize) -> (usize, usize)) -> Vec<u16> {
    let key = |band: usize| {
        let (Rank { layer, pieces }, alike) = (ranks[band], alike(band));
        usize::from(layer) << 8 | usize::from(pieces) << 4 | alike.1.min(3) << 2 | alike.0.min(3)
    };
    let keys: Vec<u16> = (0..ranks.len()).map(|band| key(band) as u16).collect();
    let last = keys.iter().max().map_or(0, |&key| usize::from(key));
    let mut places = vec![0_u16; last + 1];
    for &key in &keys {
        places[usize::from(key)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        next += std::mem::replace(place, next);
    }
    let mut sorted = vec![0; ranks.len()];
    for (band, &key) in keys.iter().enumerate() {
        let place = &mut places[usize::from(key)];
        sorted[usize::from(*place)] = band as u16;
        *place += 1;
    }
    sorted
}

/// Batches of bands, in an order in which each finds what it needs done.
#[derive(Default)]
pub(super) struct Batches {
    bands: Vec<u16>,
    ends: Vec<u32>,
}

impl Batches {
    /// Packs bands given by layer, and by number of pieces within a layer, at most `lanes` to a batch.
    pub(super) fn pack(&mut self, ranks: &[Rank], lanes: usize, bands: &[u16]) {
        self.bands.clear();
        self.bands.extend_from_slice(bands);
        self.ends.clear();
        let mut start = 0;
        // The layer at hand, the fewest pieces of its bands in this batch, and of the batch below it.
        let (mut layer, mut fewest, mut fewest_below) = (0, u8::MAX, u8::MAX);
        for (place, &band) in bands.iter().enumerate() {
            let rank = ranks[usize::from(band)];
            if rank.layer != layer {
                layer = rank.layer;
                fewest_below = fewest_below.min(fewest);
                fewest = u8::MAX;
            }
            if place - start == lanes || rank.pieces >= fewest_below {
                self.ends.push(place as u32);
                start = place;
                (fewest, fewest_below) = (u8::MAX, u8::MAX);
            }
            fewest = fewest.min(rank.pieces);
        }
        if start < bands.len() {
            self.ends.push(bands.len() as u32);
        }
    }

    /// All bands, in order.
    pub(super) fn bands(&self) -> &[u16] {
        &self.bands
    }

    /// The bands of each batch.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let bands = &self.bands[start..end as usize];
            start = end as usize;
            bands
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Batches, by_layer, ranks};
    use crate::game::{Rule, Strip};

    #[test]
    fn no_line_needs_another_of_its_batch_or_of_a_later_one() {
        for (middle, lanes) in [(1, 16), (5, 3), (8, 16), (9, 32)] {
            let ranks = ranks(middle);
            let mut batches = Batches::default();
            batches.pack(&ranks, lanes, &by_layer(&ranks, |band| (band, band)));
            let mut batch_of = vec![usize::MAX; ranks.len()];
            for (batch, bands) in batches.each().enumerate() {
                assert!(bands.len() <= lanes);
                for &band in bands {
                    assert_eq!(batch_of[usize::from(band)], usize::MAX, "band {band} twice");
                    batch_of[usize::from(band)] = batch;
                }
            }
            assert!(!batch_of.contains(&usize::MAX));
            // Welter's game has every move of every rule.
            let strip = Strip::new(Rule::Welter, middle, None).expect("a game");
            for band in 0..ranks.len() {
                let dropped =
                    (0..middle).filter(|bit| band >> bit & 1 == 1).map(|bit| band ^ 1 << bit);
                for needed in
                    strip.options(band as u64).map(|option| option as usize).chain(dropped)
                {
                    assert!(batch_of[needed] < batch_of[band], "band {band} needs {needed}");
                }
            }
        }
    }
}
