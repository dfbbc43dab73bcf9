//! What results say of strength.
//!
//! The two games of an opening are not independent of each other: one side of it is often better whoever plays it. So
//! pairs of games are counted, with the five results that a pair can have, and errors come from how the pairs vary.
#![expect(clippy::cast_precision_loss, reason = "nobody plays so many games")]

use std::{collections::BTreeMap, fmt};

use anyhow::{Context as _, anyhow};

use super::game::Verdict;

/// What 95 % of cases lie within, in standard deviations.
const CONFIDENCE: f64 = 1.96;

/// The results so far, for the first player.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Pairs of games by their half points, 0 to 4.
    pairs: [u64; 5],
    /// How games ended.
    pub(super) endings: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(super) fn add(&mut self, verdicts: [Verdict; 2]) {
        let mut half_points = 0;
        for verdict in verdicts {
            match verdict {
                Verdict::Loss => self.losses += 1,
                Verdict::Draw => {
                    self.draws += 1;
                    half_points += 1;
                }
                Verdict::Win => {
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

    /// Returns the mean share of the points, and the variance of a pair's share.
    fn mean_and_variance(&self) -> (f64, f64) {
        let count = self.count().max(1.0);
        let shares = self.pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let mean = shares.clone().map(|(&pairs, share)| pairs as f64 * share).sum::<f64>() / count;
        let variance =
            shares.map(|(&pairs, share)| pairs as f64 * (share - mean) * (share - mean)).sum::<f64>() / count;
        (mean, variance)
    }

    /// Returns the difference in Elo, and half the width of the interval in which it is in 95 % of cases.
    ///
    /// `None` where one side has won all games: that only says how far apart they are at least.
    fn elo(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.mean_and_variance();
        let error = CONFIDENCE * (variance / self.count().max(1.0)).sqrt();
        let (low, high) = (elo_of(mean - error), elo_of(mean + error));
        (0.0 < mean && mean < 1.0).then_some((elo_of(mean), (high - low) / 2.0))
    }

    /// Returns how many Elo one side is ahead at least, in 95 % of cases, when it has won all pairs of games.
    fn least_elo_of_clean_sheet(&self) -> f64 {
        elo_of(0.05_f64.powf(1.0 / self.count().max(1.0)))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.wins + self.draws + self.losses;
        let (mean, _) = self.mean_and_variance();
        let [wins, draws, losses] = [self.wins, self.draws, self.losses];
        write!(f, "games {games} +{wins} ={draws} -{losses} score {:.1} % elo ", mean * 100.0)?;
        match self.elo() {
            Some((elo, error)) => write!(f, "{elo:+.0} ± {error:.0}")?,
            None if mean > 0.5 => write!(f, "> {:+.0}", self.least_elo_of_clean_sheet())?,
            None => write!(f, "< {:+.0}", -self.least_elo_of_clean_sheet())?,
        }
        for (reason, count) in &self.endings {
            write!(f, " {reason}:{count}")?;
        }
        Ok(())
    }
}

/// Returns the difference in Elo that makes a share of the points probable.
fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// A sequential test of two hypotheses: the first player is so much stronger, or so much (Wald, 1945).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Reads `ELO0,ELO1`, with the usual errors of 5 %.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let read = || {
            let (low, high) = text.split_once(',')?;
            let (elo0, elo1) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            let sensible = -1_000.0 <= elo0 && elo0 < elo1 && elo1 <= 1_000.0;
            sensible.then_some(Self { elo0, elo1, alpha: 0.05, beta: 0.05 })
        };
        read()
            .ok_or_else(|| anyhow!("{text:?} is not two differences in Elo, such as \"0,10\""))
            .context("--sprt")
    }

    /// Returns the logarithm of how much likelier the results are under the second hypothesis than under the first:
    /// that of a normal distribution with the variance that is seen (Van den Bergh's approximation).
    pub(super) fn llr(&self, tally: &Tally) -> f64 {
        let (mean, variance) = tally.mean_and_variance();
        if tally.count() < 2.0 {
            return 0.0;
        }
        let (low, high) = (share_of(self.elo0), share_of(self.elo1));
        // Pairs that are all alike would make every difference certain.
        let variance = variance.max(0.01 / tally.count());
        tally.count() * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    pub(super) fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    pub(super) fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Returns whether the second hypothesis is accepted, or the first one; `None` as long as it is open.
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
    use super::*;

    fn tally(pairs: &[([Verdict; 2], usize)]) -> Tally {
        let mut tally = Tally::default();
        for &(verdicts, count) in pairs {
            for _ in 0..count {
                tally.add(verdicts);
            }
        }
        tally
    }

    #[test]
    fn three_quarters_are_191_elo() {
        use Verdict::{Draw, Loss, Win};
        let tally = tally(&[([Win, Win], 50), ([Win, Draw], 50), ([Draw, Loss], 0), ([Win, Loss], 50)]);
        let (elo, error) = tally.elo().expect("a difference");
        assert!((elo - 191.0).abs() < 1.0, "{elo}");
        // 150 pairs with a standard deviation of 0.204: ± 3.3 % of the points.
        assert!((28.0..32.0).contains(&error), "{error}");
        assert_eq!((tally.wins, tally.draws, tally.losses), (200, 50, 50));
    }

    #[test]
    fn a_clean_sheet_gives_a_bound() {
        use Verdict::{Loss, Win};
        // 0.05 to the power of one in ten is 74 % of the pairs.
        let won = tally(&[([Win, Win], 10)]).to_string();
        assert_eq!(won, "games 20 +20 =0 -0 score 100.0 % elo > +183");
        let lost = tally(&[([Loss, Loss], 10)]).to_string();
        assert_eq!(lost, "games 20 +0 =0 -20 score 0.0 % elo < -183");
    }

    #[test]
    fn a_test_ends_when_enough_is_known() {
        use Verdict::{Draw, Loss, Win};
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
}
