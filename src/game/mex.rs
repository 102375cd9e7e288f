//! The minimal excluded value of a set of option values.

/// A set of values `0..=255`, and the smallest value that is not in it.
///
/// The definition of a Grundy value (Sprague 1935, Grundy 1939): the mex of the values of the options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mex {
    seen: [u64; 4],
}

impl Mex {
    /// Adds the value of an option.
    pub fn insert(&mut self, value: u8) {
        self.seen[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    /// The smallest value not inserted, or `None` where all 256 values of a byte are taken.
    pub fn value(self) -> Option<u8> {
        let word = self.seen.iter().position(|&word| word != u64::MAX)?;
        Some((word * 64) as u8 + self.seen[word].trailing_ones() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Mex;

    #[test]
    fn the_mex_is_the_smallest_missing_value_in_every_word() {
        let mut mex = Mex::default();
        for value in 0..=255 {
            assert_eq!(mex.value(), Some(value));
            mex.insert(value);
        }
        assert_eq!(mex.value(), None);
    }
}
