//! What the results of a match say about strength: Elo with error bars, the likelihood of
//! superiority, and the sequential probability ratio test.
//!
//! Games come in pairs, the same opening with colours swapped. The two games of a pair are not
//! independent (an opening that is good for Black decides both), but pairs are: so everything here
//! is computed from the five counts of pairs by their points ("pentanomial"), as the testing
//! framework of Stockfish, fishtest, does.
//!
//! ```
//! use sixproof_player::rating::{Pairs, Sprt, SprtVerdict};
//!
//! let pairs = Pairs([12, 40, 60, 30, 8]);
//! assert!(pairs.elo().value < 0.0 && pairs.superiority() < 0.1);
//! let test = Sprt { elo0: 0.0, elo1: 20.0 };
//! assert_eq!(test.verdict(&pairs), Some(SprtVerdict::Rejected));
//! ```

/// Standard deviations on each side of a 95 % interval.
const SIGMAS: f64 = 1.959_963_984_540_054;
/// The probability outside of a 95 % interval on one side.
const TAIL: f64 = 0.025;
/// The probability of both errors of the sequential test: accepting what is not there, missing what
/// is.
const ERROR: f64 = 0.05;
/// The count of an outcome that was not seen, so that it is unlikely and not impossible (fishtest).
const UNSEEN: f64 = 1e-3;

/// Pairs of games by the points of the first player: none, a half, one, one and a half, two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// A value with its 95 % interval. Any of them may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The lower end of the interval.
    pub low: f64,
    /// The likeliest value.
    pub value: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the number behind the sign ±.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Pairs {
    /// Adds a pair by its points in halves, 0 to 4.
    pub fn add(&mut self, halves: usize) {
        self.0[halves.min(4)] += 1;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score, from 0 to 1, and its variance from pair to pair.
    fn moments(&self) -> (f64, f64) {
        moments(&distribution(self.0.map(|count| count as f64)))
    }

    /// The share of the points with its 95 % interval; of no pairs, anything.
    ///
    /// Where all pairs ended alike there is no variance to go by. Then an end of another kind has
    /// at most the probability with which this number of pairs passes without it in 2.5 % of all
    /// matches.
    pub fn score(&self) -> Estimate {
        let pairs = self.count() as f64;
        if pairs == 0.0 {
            return Estimate { low: 0.0, value: 0.5, high: 1.0 };
        }
        let (value, variance) = self.moments();
        if self.0.iter().filter(|&&count| count > 0).count() == 1 {
            let other = 1.0 - TAIL.powf(1.0 / pairs);
            let low = value * (1.0 - other);
            return Estimate { low, value, high: low + other };
        }
        let error = SIGMAS * (variance / pairs).sqrt();
        Estimate { low: (value - error).max(0.0), value, high: (value + error).min(1.0) }
    }

    /// The difference in Elo with its 95 % interval.
    pub fn elo(&self) -> Estimate {
        let Estimate { low, value, high } = self.score();
        Estimate { low: elo_of(low), value: elo_of(value), high: elo_of(high) }
    }

    /// The difference in normalised Elo: in standard deviations of a game, so that it says how many
    /// games are needed to see it, whatever the share of draws. `None` without variance.
    pub fn normalised_elo(&self) -> Option<f64> {
        let (value, variance) = self.moments();
        let deviation = (2.0 * variance).sqrt();
        (deviation > 0.0).then(|| (value - 0.5) / deviation * 800.0 / std::f64::consts::LN_10)
    }

    /// The probability that the first player is the stronger one.
    pub fn superiority(&self) -> f64 {
        let pairs = self.count() as f64;
        let (value, variance) = self.moments();
        let side = (value - 0.5).partial_cmp(&0.0);
        match side {
            _ if pairs > 0.0 && variance > 0.0 => {
                normal_below((value - 0.5) / (variance / pairs).sqrt())
            }
            // All alike: as after this number of throws of a coin of unknown fairness with one
            // result.
            Some(std::cmp::Ordering::Greater) => 1.0 - 0.5f64.powf(pairs + 1.0),
            Some(std::cmp::Ordering::Less) => 0.5f64.powf(pairs + 1.0),
            _ => 0.5,
        }
    }
}

/// The Elo difference at which a score is expected.
pub fn elo_of(score: f64) -> f64 {
    match score {
        ..=0.0 => f64::NEG_INFINITY,
        1.0.. => f64::INFINITY,
        _ => -400.0 * (1.0 / score - 1.0).log10(),
    }
}

/// The score that is expected at an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test between two Elo differences, `elo0` below `elo1`, with
/// errors of 5 % each: the match may be stopped as soon as there is a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// What the first player is at most when it is rejected.
    pub elo0: f64,
    /// What the first player is at least when it is accepted.
    pub elo1: f64,
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The difference is more like `elo1`.
    Accepted,
    /// The difference is more like `elo0`.
    Rejected,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio (Wald).
    pub fn bounds() -> (f64, f64) {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        (-bound, bound)
    }

    /// The generalised log-likelihood ratio: how much likelier the pairs are under the likeliest
    /// distribution with the mean of `elo1` than under the likeliest with the mean of `elo0` (Van
    /// den Bergh; fishtest's logistic model).
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let seen = distribution(counts);
        let [zero, one] = [self.elo0, self.elo1].map(|elo| likeliest(&seen, score_of(elo)));
        let terms = (0..5).map(|i| counts[i] * (one[i] / zero[i]).ln());
        terms.sum()
    }

    /// The verdict, if there is one yet.
    pub fn verdict(&self, pairs: &Pairs) -> Option<SprtVerdict> {
        let (low, high) = Sprt::bounds();
        match self.ratio(pairs) {
            ratio if ratio >= high => Some(SprtVerdict::Accepted),
            ratio if ratio <= low => Some(SprtVerdict::Rejected),
            _ => None,
        }
    }
}

/// Shares of the outcomes of a pair.
type Distribution = [f64; 5];

/// The score of an outcome, from 0 to 1.
fn outcome(index: usize) -> f64 {
    index as f64 / 4.0
}

fn distribution(counts: [f64; 5]) -> Distribution {
    let sum: f64 = counts.iter().sum();
    counts.map(|count| if sum > 0.0 { count / sum } else { 0.0 })
}

fn moments(shares: &Distribution) -> (f64, f64) {
    let mean: f64 = shares.iter().enumerate().map(|(i, share)| share * outcome(i)).sum();
    let terms = shares.iter().enumerate().map(|(i, share)| share * (outcome(i) - mean).powi(2));
    (mean, terms.sum())
}

/// The distribution of a given mean under which the one that was seen, nowhere zero, is likeliest:
/// shares divided by 1 + x (outcome - mean), where x solves an equation of one falling function.
fn likeliest(seen: &Distribution, mean: f64) -> Distribution {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |x: f64| -> f64 {
        let terms = seen.iter().enumerate().map(|(i, share)| {
            let above = outcome(i) - mean;
            share * above / (1.0 + x * above)
        });
        terms.sum()
    };
    // At the ends the function is infinite; halving the interval needs no more than its sign.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + x * (outcome(i) - mean)))
}

/// The share of the standard normal distribution below a value, to seven digits (Abramowitz and
/// Stegun, 7.1.26).
fn normal_below(value: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] =
        [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let x = value.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = COEFFICIENTS.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let above = polynomial * (-x * x).exp() / 2.0;
    if value < 0.0 { above } else { 1.0 - above }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    /// Pairs, Elo, its error and normalised Elo, as fastchess printed them at the end of matches.
    #[test]
    fn elo_and_its_error_are_those_of_published_matches() {
        for (pairs, elo, error, normalised) in [
            ([1, 10, 78, 48, 13], 72.85, 22.33, 132.30),
            ([352, 579, 1264, 743, 464], 19.83, 6.77, 24.25),
            ([0, 0, 1, 8, 1], 190.85, 65.54, 549.34),
            ([0, 1, 0, 1, 0], 0.0, 296.58, 0.0),
        ] {
            let pairs = Pairs(pairs);
            let found = pairs.elo();
            assert!(near(found.value, elo, 0.005), "{pairs:?}: {found:?}");
            assert!(near(found.error(), error, 0.005), "{pairs:?}: {found:?}");
            assert!(near(pairs.normalised_elo().unwrap(), normalised, 0.005), "{pairs:?}");
        }
    }

    /// Values of fishtest's own `LLR_logistic`.
    #[test]
    fn ratios_are_those_of_fishtest() {
        for (pairs, elo0, elo1, expected) in [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.040_320_372_416_706_79),
            ([3, 20, 50, 22, 5], 0.0, 5.0, 0.178_380_224_381_881_25),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.934_472_911_388_982_9),
            ([0, 10, 30, 12, 0], 0.0, 20.0, -0.270_414_536_288_852_04),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085_226_848_211_516),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.997_301_135_158_272_3),
            ([12, 40, 60, 30, 8], -10.0, 10.0, -2.057_973_200_426_021_6),
        ] {
            let ratio = Sprt { elo0, elo1 }.ratio(&Pairs(pairs));
            assert!(near(ratio, expected, 1e-9), "{pairs:?} {elo0} {elo1}: {ratio}");
        }
        assert!(near(Sprt::bounds().1, 2.944_438_979_166_440_3, 1e-12));
    }

    #[test]
    fn won_pairs_are_accepted_when_fishtest_would_accept_them() {
        let test = Sprt { elo0: 0.0, elo1: 20.0 };
        assert_eq!(test.verdict(&Pairs([0, 0, 0, 0, 52])), None);
        assert_eq!(test.verdict(&Pairs([0, 0, 0, 0, 53])), Some(SprtVerdict::Accepted));
        assert_eq!(test.verdict(&Pairs([53, 0, 0, 0, 0])), Some(SprtVerdict::Rejected));
        assert_eq!(test.ratio(&Pairs::default()), 0.0);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (value, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (1.959_964, 0.975),
            (3.0, 0.998_650_102),
            (-9.0, 0.0),
            (9.0, 1.0),
        ] {
            assert!(near(normal_below(value), below, 2e-7), "{value}: {}", normal_below(value));
        }
    }

    #[test]
    fn a_match_without_variance_has_finite_evidence() {
        // A coin that shows heads with 0.6915 does so ten times in a row in 2.5 % of all cases.
        let won = Pairs([0, 0, 0, 0, 10]);
        assert!(near(won.score().low, 0.691_503, 1e-6), "{:?}", won.score());
        assert_eq!((won.score().high, won.elo().value), (1.0, f64::INFINITY));
        assert!(near(won.superiority(), 1.0 - 0.5f64.powi(11), 1e-12));
        let even = Pairs([0, 0, 10, 0, 0]).score();
        assert!(near(even.low + even.high, 1.0, 1e-12) && even.low < 0.5, "{even:?}");
        assert_eq!(Pairs([0, 0, 10, 0, 0]).superiority(), 0.5);
        assert_eq!(Pairs::default().superiority(), 0.5);
        assert_eq!(Pairs::default().elo().low, f64::NEG_INFINITY);
        assert_eq!(Pairs([0, 0, 10, 0, 0]).normalised_elo(), None);
    }

    #[test]
    fn the_other_player_sees_the_mirror_image() {
        arbtest::arbtest(|u| {
            let mut counts: [u64; 5] = u.arbitrary()?;
            counts.iter_mut().for_each(|count| *count %= 1_000);
            let (pairs, mut turned) = (Pairs(counts), counts);
            turned.reverse();
            let other = Pairs(turned);
            let (mine, theirs) = (pairs.score(), other.score());
            assert!(near(mine.low, 1.0 - theirs.high, 1e-9), "{mine:?} {theirs:?}");
            assert!(near(mine.value, 1.0 - theirs.value, 1e-9) || pairs.count() == 0);
            assert!(near(pairs.superiority(), 1.0 - other.superiority(), 1e-6));
            let [test, mirrored] = [(-3.0, 12.0), (-12.0, 3.0)];
            let ratio = Sprt { elo0: test.0, elo1: test.1 }.ratio(&pairs);
            let turned = Sprt { elo0: mirrored.0, elo1: mirrored.1 }.ratio(&other);
            assert!(near(ratio, -turned, 1e-6), "{ratio} {turned}");
            Ok(())
        });
    }

    #[test]
    fn intervals_hold_their_value_and_shrink_with_more_pairs() {
        arbtest::arbtest(|u| {
            let mut counts: [u64; 5] = u.arbitrary()?;
            counts.iter_mut().for_each(|count| *count %= 100);
            let pairs = Pairs(counts);
            if pairs.count() == 0 {
                return Ok(());
            }
            let one = pairs.score();
            assert!(0.0 <= one.low && one.low <= one.value, "{one:?}");
            assert!(one.value <= one.high && one.high <= 1.0, "{one:?}");
            let four = Pairs(counts.map(|count| 4 * count)).score();
            assert!(near(one.value, four.value, 1e-12));
            assert!(four.error() <= one.error() + 1e-12, "{one:?} {four:?}");
            assert!((0.0..=1.0).contains(&pairs.superiority()));
            Ok(())
        });
    }

    #[test]
    fn a_point_more_never_speaks_against_the_player() {
        arbtest::arbtest(|u| {
            let mut counts: [u64; 5] = u.arbitrary()?;
            counts.iter_mut().for_each(|count| *count = 1 + *count % 100);
            let from = usize::from(u.arbitrary::<u8>()? % 4);
            let mut better = counts;
            better[from] -= 1;
            better[from + 1] += 1;
            let (worse, better) = (Pairs(counts), Pairs(better));
            assert!(worse.score().value < better.score().value);
            assert!(worse.elo().value < better.elo().value);
            Ok(())
        });
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -200.0, -1.0, 0.0, 35.0, 400.0] {
            assert!(near(elo_of(score_of(elo)), elo, 1e-9));
        }
        assert!(near(score_of(400.0), 10.0 / 11.0, 1e-12));
        assert_eq!((elo_of(0.0), elo_of(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
