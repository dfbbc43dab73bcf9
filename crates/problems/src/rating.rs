//! Solvers' ratings.

/// The Elo rating of a solver. An attempt counts as a game against an opponent with the problem's rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The rating, from 100 to 3500.
    pub value: u16,
    /// The number of problems that have counted so far.
    pub problems: u32,
}

impl Default for Rating {
    fn default() -> Self {
        Self { value: 1000, problems: 0 }
    }
}

impl Rating {
    /// The lowest and the highest possible rating.
    pub const BOUNDS: std::ops::RangeInclusive<u16> = 100..=3500;

    /// Returns the rating after an attempt at a problem.
    ///
    /// The first problems change it most, because the solver's strength is still unknown. After 32 problems,
    /// each further one changes it by at most 16.
    #[must_use]
    pub fn after(self, problem: u16, solved: bool) -> Self {
        let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(problem) - f64::from(self.value)) / 400.0));
        let step = f64::from(80_u32.saturating_sub(self.problems.saturating_mul(2)).max(16));
        let value = f64::from(self.value) + step * (f64::from(u8::from(solved)) - expected);
        let value = value.round().clamp(f64::from(*Self::BOUNDS.start()), f64::from(*Self::BOUNDS.end()));
        Self { value: value as u16, problems: self.problems.saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_converges_to_the_level_at_which_half_are_solved() {
        let mut rating = Rating::default();
        // The solver solves the problems rated below 1500 and fails the others.
        for problem in 0..400_u32 {
            let of = 1300 + (problem * 67 % 400) as u16;
            rating = rating.after(of, of < 1500);
        }
        assert!((1440..=1560).contains(&rating.value), "{rating:?}");
        assert_eq!(rating.problems, 400);
    }

    #[test]
    fn ratings_are_bounded_and_later_problems_change_them_less() {
        let mut lowest = Rating { value: 100, problems: 0 };
        lowest = lowest.after(400, false);
        assert_eq!(lowest.value, 100);
        let early = Rating::default().after(1000, true).value;
        let late = Rating { value: 1000, problems: 50 }.after(1000, true).value;
        assert!(early > late && late > 1000, "{early} {late}");
        let highest = Rating { value: 3500, problems: u32::MAX }.after(3500, true);
        assert_eq!((highest.value, highest.problems), (3500, u32::MAX));
    }
}
