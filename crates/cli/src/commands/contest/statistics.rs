//! Estimates the difference in strength from the results of a match, and runs a sequential test on them.
//!
//! The two games from an opening are not independent, because an opening often favours one side. Games
//! are therefore counted in pairs, each with one of five possible results (the pentanomial model).
//!
//! The model makes no assumption about the five probabilities. The likelihood of the results for a given mean
//! share of the points is the largest likelihood of any multinomial distribution with that mean. If the
//! results `a` have the observed frequencies `p`, that distribution is `p / (1 + θ (a - s))`, where θ is
//! chosen so that its mean is `s`: proposition 1.1 of Michel Van den Bergh's note on multinomial likelihoods
//! (<http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf>), as used by fishtest (`LLRcalc.py`) and
//! fastchess. For the intervals, see Owen, *Empirical Likelihood*, 2001. Differences in Elo are logistic: the
//! expected share is `1 / (1 + 10^(-Elo / 400))`.
#![expect(clippy::cast_precision_loss, reason = "no match has 2^53 games")]

use std::{collections::BTreeMap, fmt};

use anyhow::{Context as _, anyhow};

use super::game::ContestResult;

/// The difference in log-likelihood at the ends of a 95% interval: half the 95% quantile of χ² with one
/// degree of freedom.
const CONFIDENCE: f64 = 1.920_7;

/// The prior count of each result of a pair. Without it, a result that has not occurred yet would seem
/// impossible. The prior counts add up to a quarter of a pair, so their effect fades.
const PRIOR: f64 = 0.05;

/// The possible shares of the points in a pair.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The results so far, for the first player.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Numbers of pairs of games, indexed by half points, 0 to 4.
    pairs: [u64; 5],
    /// Numbers of games, by the reason they ended.
    pub(super) endings: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(super) fn add(&mut self, verdicts: [ContestResult; 2]) {
        let mut half_points = 0;
        for verdict in verdicts {
            match verdict {
                ContestResult::Loss => self.losses += 1,
                ContestResult::Draw => {
                    self.draws += 1;
                    half_points += 1;
                }
                ContestResult::Win => {
                    self.wins += 1;
                    half_points += 2;
                }
            }
        }
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    fn count(&self) -> f64 {
        self.pairs.iter().sum::<u64>() as f64
    }

    /// Returns the mean share of the points.
    fn mean(&self) -> f64 {
        let points: f64 =
            self.pairs.iter().zip(PAIR_SCORES).map(|(&pairs, share)| pairs as f64 * share).sum();
        points / self.count().max(1.0)
    }

    /// Returns the count of each result, with the prior.
    fn weights(&self) -> [f64; 5] {
        self.pairs.map(|pairs| pairs as f64 + PRIOR)
    }

    /// Returns the logarithm of the likelihood of the results for a given mean share of the points, relative
    /// to the best-fitting share.
    fn log_likelihood(&self, share: f64) -> f64 {
        let weights = self.weights();
        let tilt = tilt(&weights, share);
        -weights.iter().zip(PAIR_SCORES).map(|(weight, a)| weight * (tilt * (a - share)).ln_1p()).sum::<f64>()
    }

    /// Returns the difference in Elo, and half the width of its 95% interval.
    ///
    /// `None` if there are no games, or if one side has won them all: the results then give only a bound.
    fn elo(&self) -> Option<(f64, f64)> {
        let mean = self.mean();
        let weights = self.weights();
        let likeliest = weights.iter().zip(PAIR_SCORES).map(|(weight, share)| weight * share).sum::<f64>()
            / weights.iter().sum::<f64>();
        // The likelihood falls on both sides of the best fit, so bisection finds the bounds.
        let bound = |mut outside: f64| {
            let mut inside = likeliest;
            for _ in 0..40 {
                let middle = f64::midpoint(outside, inside);
                let is_inside = self.log_likelihood(middle) > -CONFIDENCE;
                *(if is_inside { &mut inside } else { &mut outside }) = middle;
            }
            elo_of(inside)
        };
        (0.0 < mean && mean < 1.0).then(|| (elo_of(mean), (bound(1.0) - bound(0.0)) / 2.0))
    }

    /// Returns the 95% lower bound of the lead in Elo for a side that has won all pairs of games.
    fn elo_lower_bound_of_clean_sweep(&self) -> f64 {
        elo_of(0.05_f64.powf(1.0 / self.count().max(1.0)))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.wins + self.draws + self.losses;
        let mean = self.mean();
        let [wins, draws, losses] = [self.wins, self.draws, self.losses];
        write!(f, "games {games} +{wins} ={draws} -{losses} score {:.1}% elo ", mean * 100.0)?;
        match self.elo() {
            Some((elo, error)) => write!(f, "{elo:+.0} ± {error:.0}")?,
            None if games == 0 => f.write_str("?")?,
            None if mean > 0.5 => write!(f, "> {:+.0}", self.elo_lower_bound_of_clean_sweep())?,
            None => write!(f, "< {:+.0}", -self.elo_lower_bound_of_clean_sweep())?,
        }
        for (reason, count) in &self.endings {
            write!(f, " {reason}:{count}")?;
        }
        Ok(())
    }
}

/// Returns the θ that tilts the distribution with these weights to the mean `share`, as described at the top
/// of this file.
fn tilt(weights: &[f64; 5], share: f64) -> f64 {
    // The sum falls as θ rises, and has one zero between these bounds. At each bound, a denominator
    // is zero.
    let (mut low, mut high) = (-1.0 / (1.0 - share), 1.0 / share);
    let mut tilt = 0.0;
    for _ in 0..60 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (weight, a) in weights.iter().zip(PAIR_SCORES) {
            let part = (a - share) / (1.0 + tilt * (a - share));
            sum += weight * part;
            slope -= weight * part * part;
        }
        if sum > 0.0 {
            low = tilt;
        } else {
            high = tilt;
        }
        // Use Newton's method, and bisection if it diverges.
        let newton = tilt - sum / slope;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - tilt).abs() < 1e-12 {
            break;
        }
        tilt = next;
    }
    tilt
}

/// Returns the difference in Elo for an expected share of the points.
fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// A sequential test of two hypotheses about the lead of the first player (Wald, 1945).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Parses `ELO0,ELO1`. Both error rates are 5%.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let read = || {
            let (low, high) = text.split_once(',')?;
            let (elo0, elo1) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            let is_valid = -1_000.0 <= elo0 && elo0 < elo1 && elo1 <= 1_000.0;
            is_valid.then_some(Self { elo0, elo1, alpha: 0.05, beta: 0.05 })
        };
        read()
            .ok_or_else(|| anyhow!("{text:?} must be two differences in Elo from -1000 to 1000, the smaller one first, such as \"0,10\""))
            .context("--sprt")
    }

    /// Returns the log-likelihood ratio of the second hypothesis to the first.
    pub(super) fn llr(&self, tally: &Tally) -> f64 {
        tally.log_likelihood(share_of(self.elo1)) - tally.log_likelihood(share_of(self.elo0))
    }

    pub(super) fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    pub(super) fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Returns `true` if the second hypothesis is accepted, `false` if the first one is, and `None` while the
    /// test is undecided.
    pub(super) fn decide(&self, tally: &Tally) -> Option<bool> {
        let llr = self.llr(tally);
        if llr >= self.upper() {
            Some(true)
        } else if llr <= self.lower() {
            Some(false)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use adoube_engine::Random;

    use super::*;

    fn tally(pairs: &[([ContestResult; 2], usize)]) -> Tally {
        let mut tally = Tally::default();
        for &(verdicts, count) in pairs {
            for _ in 0..count {
                tally.add(verdicts);
            }
        }
        tally
    }

    #[test]
    fn a_score_of_75_percent_is_191_elo() {
        use ContestResult::{Draw, Loss, Win};
        let tally = tally(&[([Win, Win], 50), ([Win, Draw], 50), ([Draw, Loss], 0), ([Win, Loss], 50)]);
        let (elo, error) = tally.elo().expect("a difference");
        assert!((elo - 191.0).abs() < 1.0, "{elo}");
        // 150 pairs with a standard deviation of 0.204 give ±3.3% of the points.
        assert!((28.0..32.0).contains(&error), "{error}");
        assert_eq!((tally.wins, tally.draws, tally.losses), (200, 50, 50));
    }

    #[test]
    fn a_clean_sweep_gives_only_a_bound() {
        use ContestResult::{Loss, Win};
        // The tenth root of 0.05 is an expected share of 74%.
        let won = tally(&[([Win, Win], 10)]).to_string();
        assert_eq!(won, "games 20 +20 =0 -0 score 100.0% elo > +183");
        let lost = tally(&[([Loss, Loss], 10)]).to_string();
        assert_eq!(lost, "games 20 +0 =0 -20 score 0.0% elo < -183");
    }

    #[test]
    fn a_test_ends_when_a_bound_is_reached() {
        use ContestResult::{Draw, Loss, Win};
        let sprt = Sprt::parse("0,10").expect("a test");
        assert_eq!(sprt.decide(&Tally::default()), None);
        assert_eq!(
            sprt.decide(&tally(&[([Win, Draw], 200), ([Win, Loss], 200), ([Draw, Draw], 100)])),
            Some(true)
        );
        assert_eq!(
            sprt.decide(&tally(&[([Loss, Draw], 200), ([Win, Loss], 200), ([Draw, Draw], 100)])),
            Some(false)
        );
        assert_eq!(sprt.decide(&tally(&[([Win, Draw], 5), ([Loss, Draw], 5)])), None);
        for text in ["", "5", "10,0", "a,b", "0,inf"] {
            assert!(Sprt::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn identical_results_have_a_margin_of_error() {
        use ContestResult::{Draw, Loss, Win};
        // A program that plays itself wins each opening with the same colour.
        let tally = tally(&[([Win, Loss], 4)]);
        let (elo, error) = tally.elo().expect("a difference");
        assert!(elo.abs() < 1e-9 && (80.0..200.0).contains(&error), "{elo} {error}");
        for pairs in 1..200 {
            for verdicts in [[Win, Loss], [Draw, Draw], [Win, Draw], [Loss, Draw]] {
                let (_, error) = self::tally(&[(verdicts, pairs)]).elo().expect("a difference");
                assert!(error >= 1.0, "{verdicts:?} {pairs}: {error}");
            }
        }
    }

    #[test]
    fn four_wins_decide_nothing() {
        use ContestResult::Win;
        let tally = tally(&[([Win, Win], 2)]);
        for bounds in ["0,10", "0,50", "0,100"] {
            let sprt = Sprt::parse(bounds).expect("a test");
            // Each pair contributes at most ln(s1 / s0).
            let max = 2.0 * (share_of(sprt.elo1) / share_of(sprt.elo0)).ln();
            let llr = sprt.llr(&tally);
            assert!(0.0 < llr && llr < max * 1.1, "{bounds}: {llr} of {max}");
            assert_eq!(sprt.decide(&tally), None);
        }
        assert!(Sprt::parse("0,10").expect("a test").llr(&Tally::default()).abs() < 0.02);
    }

    #[test]
    fn tilted_probabilities_have_the_requested_mean() {
        // If the results are only 0 and 1, without a prior, a pair is a coin toss with known probabilities.
        let weights = [30.0, 0.0, 0.0, 0.0, 70.0];
        for share in [0.2, 0.5, 0.7, 0.9] {
            let tilt = tilt(&weights, share);
            let [lost, won] = [0.3 / (1.0 - tilt * share), 0.7 / (1.0 + tilt * (1.0 - share))];
            assert!(
                (lost - (1.0 - share)).abs() < 1e-9 && (won - share).abs() < 1e-9,
                "{share}: {lost} {won}"
            );
        }
        // With all five results, the mean is the requested one.
        let weights = [3.0, 9.0, 40.0, 20.0, 1.0];
        for share in [0.1, 0.45, 0.5, 0.6, 0.95] {
            let tilt = tilt(&weights, share);
            let tilted =
                weights.iter().zip(PAIR_SCORES).map(|(weight, a)| weight / (1.0 + tilt * (a - share)));
            let mean: f64 = tilted.clone().zip(PAIR_SCORES).map(|(weight, a)| weight * a).sum();
            let sum: f64 = tilted.sum();
            assert!((mean / sum - share).abs() < 1e-9, "{share}: {}", mean / sum);
        }
    }

    /// Returns the probabilities of the five results for a difference in strength, a margin within which
    /// games are drawn, and the bias of the openings towards one side, all in Elo.
    fn pair_of(elo: f64, draw_elo: f64, bias: f64) -> [f64; 5] {
        let game = |elo: f64| {
            let (win, loss) = (share_of(elo - draw_elo), share_of(-elo - draw_elo));
            [loss, 1.0 - win - loss, win]
        };
        let (first, second) = (game(elo + bias), game(elo - bias));
        let mut pairs = [0.0; 5];
        for (i, one) in first.iter().enumerate() {
            for (j, other) in second.iter().enumerate() {
                pairs[i + j] += one * other;
            }
        }
        pairs
    }

    /// Like [`pair_of`], but with the strength adjusted so that the mean is exactly the share that is
    /// expected at `elo`.
    fn pair_of_mean(elo: f64, draw_elo: f64, bias: f64) -> [f64; 5] {
        let (mut low, mut high) = (-800.0, 800.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            let mean: f64 = pair_of(middle, draw_elo, bias).iter().zip(PAIR_SCORES).map(|(p, a)| p * a).sum();
            *(if mean < share_of(elo) { &mut low } else { &mut high }) = middle;
        }
        pair_of(low, draw_elo, bias)
    }

    /// Runs a test until it decides, and returns the decision. The test is evaluated after every `every`
    /// pairs.
    fn simulate_test(sprt: &Sprt, pair: &[f64; 5], every: u64, random: &mut Random) -> bool {
        let mut tally = Tally::default();
        loop {
            for _ in 0..every {
                let mut left = random.below(1 << 30) as f64 / f64::from(1 << 30);
                let result = pair.iter().position(|p| {
                    left -= p;
                    left < 0.0
                });
                tally.pairs[result.unwrap_or(4)] += 1;
            }
            if let Some(decided) = sprt.decide(&tally) {
                return decided;
            }
        }
    }

    #[test]
    fn a_test_is_wrong_in_at_most_about_five_percent_of_runs() {
        let mut random = Random::new(1, 7);
        for (bounds, runs, every) in [("0,10", 150, 16), ("0,50", 700, 1), ("0,100", 1_000, 1)] {
            let sprt = Sprt::parse(bounds).expect("a test");
            for (elo, truth) in [(sprt.elo0, false), (sprt.elo1, true)] {
                let mut errors = 0;
                let models = [(0.0, 0.0), (100.0, 0.0), (250.0, 0.0), (100.0, 200.0), (0.0, 300.0)];
                for (draw_elo, bias) in models {
                    let pair = pair_of_mean(elo, draw_elo, bias);
                    errors += (0..runs)
                        .filter(|_| simulate_test(&sprt, &pair, every, &mut random) != truth)
                        .count();
                }
                let rate = errors as f64 / (runs * models.len()) as f64;
                assert!((0.01..0.06).contains(&rate), "{bounds}, {elo} Elo: {rate}");
            }
        }
    }
}
