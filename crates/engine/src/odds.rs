//! The meaning of scores: the chances of a win, a draw and a loss, and the hundredths of a pawn that are
//! displayed.
//!
//! The search uses units that suit its margins. Their value differs between variants and networks, so it was
//! measured by comparing the results of many games with the scores during them. If the score is x, the side
//! to move wins with probability σ((x − a) / b) and loses with probability σ((−x − a) / b), where σ is the
//! logistic function; otherwise it draws. Displayed scores are scaled so that a side that is 100 hundredths
//! of a pawn ahead expects three points out of four. [`Odds::of`] returns a and b for a variant,
//! `adoube odds` computes them, and `docs/networks.md` describes the games that they come from.

#[cfg(not(target_family = "wasm"))]
mod fit;

use adoube_rules::Variant;

use crate::{game::Profile, score::Score};

/// The winning chances for a score, in one variant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    /// The score, in units of the search, at which half of the games are won.
    pub half_win_score: f64,
    /// The scale of the curve: at `half_win_score + width`, 73% of the games are won.
    pub width: f64,
}

impl Odds {
    /// Returns the odds of a variant.
    pub const fn of(variant: Variant) -> Self {
        Profile::of(variant).odds
    }

    /// Returns the probabilities of a win, a draw and a loss, which add up to 1.
    pub fn chances(&self, score: Score) -> [f64; 3] {
        if score.is_win() {
            return [1.0, 0.0, 0.0];
        } else if score.is_loss() {
            return [0.0, 0.0, 1.0];
        }
        let score = f64::from(score.units());
        let [win, loss] = [score, -score].map(|x| logistic((x - self.half_win_score) / self.width));
        // With a negative `half_win_score`, the two could add up to more than 1.
        let sum = (win + loss).max(1.0);
        [win / sum, 1.0 - (win + loss) / sum, loss / sum]
    }

    /// Returns the expected points, from 0 to 1: a draw is worth half a point.
    pub fn points(&self, score: Score) -> f64 {
        let [win, draw, _] = self.chances(score);
        win + draw / 2.0
    }

    /// Returns the chances of a win, a draw and a loss in thousandths, which add up to 1,000.
    pub fn per_mille(&self, score: Score) -> [u32; 3] {
        let [win, _, loss] = self.chances(score).map(|chance| (chance * 1_000.0).round() as u32);
        [win, 1_000_u32.saturating_sub(win + loss), loss]
    }

    /// Returns the score to display, in hundredths of a pawn, scaled so that 100 means three expected points
    /// out of four. Not meaningful for certain wins and losses; see [`Score::certain_end`].
    pub fn centipawns(&self, score: Score) -> i32 {
        (f64::from(score.units()) * 100.0 / self.pawn()).round() as i32
    }

    /// Returns the score, in units of the search, at which the expected points are three out of four.
    pub fn pawn(&self) -> f64 {
        let (mut low, mut high) = (0.0, 10_000.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            let [win, loss] = [middle, -middle].map(|x| logistic((x - self.half_win_score) / self.width));
            if f64::midpoint(1.0 + win, -loss) < 0.75 { low = middle } else { high = middle }
        }
        high
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_is_three_points_in_four_in_every_variant() {
        for variant in Variant::ALL {
            let odds = Odds::of(variant);
            let score = Score::of_evaluation(odds.pawn().round() as i32);
            assert!((odds.points(score) - 0.75).abs() < 0.002, "{variant}: {}", odds.points(score));
            assert_eq!(odds.centipawns(score), 100);
            assert_eq!(odds.centipawns(-score), -100);
            assert!((odds.points(Score::DRAW) - 0.5).abs() < 1e-9);
        }
    }

    #[test]
    fn chances_are_symmetric_and_add_up_to_one() {
        for variant in Variant::ALL {
            let odds = Odds::of(variant);
            let mut last = 0.0;
            for score in (-2_000..=2_000).step_by(50).map(Score::of_evaluation) {
                let [win, draw, loss] = odds.per_mille(score);
                assert_eq!(win + draw + loss, 1_000);
                assert_eq!(odds.per_mille(-score), [loss, draw, win]);
                assert!(odds.points(score) >= last);
                last = odds.points(score);
            }
            assert_eq!(odds.per_mille(Score::win_at(5)), [1_000, 0, 0]);
            assert_eq!(odds.per_mille(Score::loss_at(5)), [0, 0, 1_000]);
        }
    }
}
