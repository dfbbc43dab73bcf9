//! The aspiration window: the search first bets on a score near the one of the depth before.

use crate::score::Score;

/// From this depth on scores are steady enough to bet on.
const FIRST_DEPTH: u32 = 5;
const FIRST_HALF_WIDTH: i32 = 40;

/// The scores between which a search is exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    half_width: i32,
}

impl Window {
    /// Returns the window around the score of the depth before.
    pub(crate) fn around(score: Option<Score>, depth: u32) -> Self {
        let full = Self { alpha: -Score::INFINITE, beta: Score::INFINITE, half_width: FIRST_HALF_WIDTH };
        match score {
            Some(score) if depth >= FIRST_DEPTH && !score.is_certain() => {
                Self { alpha: score.plus(-FIRST_HALF_WIDTH), beta: score.plus(FIRST_HALF_WIDTH), ..full }
            }
            _ => full,
        }
    }

    /// Opens the side on which a score fell out; returns `false` if the score is exact.
    pub(crate) fn widen(&mut self, score: Score) -> bool {
        self.half_width *= 4;
        let far = score.is_certain() || self.half_width > 1_000;
        if score <= self.alpha && self.alpha > -Score::INFINITE {
            self.alpha = if far { -Score::INFINITE } else { score.plus(-self.half_width) };
            true
        } else if score >= self.beta && self.beta < Score::INFINITE {
            self.beta = if far { Score::INFINITE } else { score.plus(self.half_width) };
            true
        } else {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_opens_until_the_score_is_inside() {
        let score = Score::of_evaluation(300);
        let mut window = Window::around(Some(Score::DRAW), 6);
        let mut tries = 0;
        while window.widen(score.min(window.beta).max(window.alpha)) {
            tries += 1;
            assert!(tries < 8);
        }
        assert!(window.alpha < score && score < window.beta);
        assert_eq!(Window::around(Some(Score::win_at(3)), 9).beta, Score::INFINITE);
    }
}
