//! Aspiration windows: each iteration first searches with a narrow window around the previous one's score.

use crate::score::Score;

/// From this depth on, scores are stable enough for a narrow window.
const FIRST_DEPTH: u32 = 4;
/// Beyond this half-width, the score has changed decisively, so the window is opened fully on the side where
/// the score lies.
const MAX_HALF_WIDTH: i32 = 700;

/// The window inside which a search is exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    half_width: i32,
}

/// Where a score is relative to the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScoreRange {
    Below,
    Inside,
    Above,
}

impl Window {
    /// Returns the window around the score of the previous iteration, with an initial half-width.
    pub(crate) fn around(score: Option<Score>, depth: u32, half_width: i32) -> Self {
        let full = Self { alpha: -Score::INFINITE, beta: Score::INFINITE, half_width };
        match score {
            Some(score) if depth >= FIRST_DEPTH && !score.is_certain() => {
                Self { alpha: score - half_width, beta: score + half_width, ..full }
            }
            _ => full,
        }
    }

    /// If a score is outside the window, opens the window on that side. Returns where the score was.
    pub(crate) fn widen(&mut self, score: Score) -> ScoreRange {
        self.half_width *= 2;
        let opens_fully = score.is_certain() || self.half_width > MAX_HALF_WIDTH;
        if score <= self.alpha && self.alpha > -Score::INFINITE {
            // After a fail low, the score is not near beta, so beta can come down.
            self.beta = Score::of_evaluation(i32::midpoint(self.alpha.units(), self.beta.units()));
            self.alpha = if opens_fully { -Score::INFINITE } else { score - self.half_width };
            ScoreRange::Below
        } else if score >= self.beta && self.beta < Score::INFINITE {
            self.beta = if opens_fully { Score::INFINITE } else { score + self.half_width };
            ScoreRange::Above
        } else {
            ScoreRange::Inside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_opens_until_the_score_is_inside() {
        for target in [-3_000, -300, 0, 300, 3_000] {
            let score = Score::of_evaluation(target);
            let mut window = Window::around(Some(Score::DRAW), 6, 18);
            let mut tries = 0;
            while window.widen(score.min(window.beta).max(window.alpha)) != ScoreRange::Inside {
                tries += 1;
                assert!(tries < 16, "{target}");
            }
            assert!(window.alpha < score && score < window.beta, "{target}");
        }
        assert_eq!(Window::around(Some(Score::win_at(3)), 9, 18).beta, Score::INFINITE);
    }
}
