//! Implements [`SearchPosition`] for chess.

use super::{Chess, SuccessorSink, checks, generate};
use crate::{SearchPosition, Step, StepList};

impl SearchPosition for Chess {
    fn add_legal_steps(&self, steps: &mut StepList) {
        generate::generate(self, steps);
    }

    fn count_steps(&self) -> usize {
        generate::count(self)
    }

    fn add_loud_steps(&self, steps: &mut StepList) {
        generate::generate_loud(self, steps);
    }

    #[inline]
    fn gives_check(&self) -> impl Fn(Step) -> bool {
        checks::checks(self)
    }

    fn for_each_successor(&self, visit: &mut impl FnMut(&Self)) {
        generate::generate(self, &mut SuccessorSink { position: self, visit });
    }
}
