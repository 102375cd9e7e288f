//! What a handful of samples says: order statistics, because times have a floor and a long tail.

/// The statistics of samples of one quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// The smallest.
    pub min: f64,
    /// A quarter of the samples is below.
    pub lower: f64,
    /// Half of the samples is below.
    pub median: f64,
    /// A quarter of the samples is above.
    pub upper: f64,
    /// The largest.
    pub max: f64,
    /// How many lie more than one and a half times `upper - lower` outside of these two.
    pub outliers: usize,
}

impl Statistics {
    /// The statistics of `samples`, in any order; `None` where there is none.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let fence = 1.5 * (upper - lower);
        let inside = lower - fence..=upper + fence;
        let outliers = sorted.iter().filter(|sample| !inside.contains(sample)).count();
        Some(Self { min, lower, median, upper, max, outliers })
    }

    /// The distance between the quarters, as a share of the median.
    pub fn spread(&self) -> f64 {
        (self.upper - self.lower) / self.median
    }
}

/// The value below which `share` of the samples lies, between two samples in proportion.
#[expect(clippy::cast_sign_loss, reason = "a place among the samples is not negative")]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor(), place.fract());
    let low = sorted[below as usize];
    let high = sorted[(below as usize + 1).min(sorted.len() - 1)];
    low + (high - low) * part
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn no_samples_have_no_statistics() {
        assert_eq!(Statistics::of(&[]), None);
    }

    #[test]
    fn one_sample_is_all_of_its_statistics() {
        let one = Statistics::of(&[3.0]).expect("a sample");
        let expected =
            Statistics { min: 3.0, lower: 3.0, median: 3.0, upper: 3.0, max: 3.0, outliers: 0 };
        assert_eq!(one, expected);
        assert!(one.spread().abs() < 1e-12);
    }

    #[test]
    fn the_order_of_the_samples_does_not_matter() {
        let found = Statistics::of(&[5.0, 1.0, 4.0, 2.0, 3.0]).expect("samples");
        let expected =
            Statistics { min: 1.0, lower: 2.0, median: 3.0, upper: 4.0, max: 5.0, outliers: 0 };
        assert_eq!(found, expected);
        assert!((found.spread() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn quantiles_lie_between_two_samples_in_proportion() {
        let found = Statistics::of(&[1.0, 2.0, 3.0, 10.0]).expect("samples");
        assert_eq!((found.lower, found.median, found.upper), (1.75, 2.5, 4.75));
    }

    #[test]
    fn a_sample_far_from_the_others_is_an_outlier() {
        let mut samples = vec![1.0, 1.1, 1.2, 1.3, 1.4, 1.5];
        assert_eq!(Statistics::of(&samples).expect("samples").outliers, 0);
        samples.push(9.0);
        assert_eq!(Statistics::of(&samples).expect("samples").outliers, 1);
        samples.push(-9.0);
        assert_eq!(Statistics::of(&samples).expect("samples").outliers, 2);
    }
}
