//! Steps and turns.
//!
//! A step does not record what it takes: the position computes it. One model therefore serves chess, Baroque
//! (several men taken in passing) and Interweave (chains, and a man that takes without moving).

use std::{
    fmt,
    iter::FusedIterator,
    num::NonZeroU16,
    ops::{Deref, DerefMut},
};

use arrayvec::ArrayVec;

use crate::{role::Role, square::Square};

/// One move of a man or one taking: origin, destination and promotion in 16 bits.
///
/// Castling goes from the king's square to the *rook's* square, which is unambiguous in every start position;
/// where king and rooks stand as usual, its coordinate notation is still `e1g1`. If a man takes without
/// moving, or is given up (U14), origin and destination are both its square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("move", "Move"))]
pub struct Step(NonZeroU16);

const _: () = assert!(size_of::<Option<Step>>() == 2);

impl Step {
    const PROMOTION_SHIFT: u16 = 12;
    // Bit 15 is always set, so no step is 0 and `Option<Step>` is as small as `Step`. The bit is free because
    // a promotion needs only three bits: no game promotes to role 7, so its value stands for "none".
    const PRESENT: u16 = 1 << 15;
    const NO_PROMOTION: u16 = 7;

    /// Returns the step between two squares without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self::encode(from, to, Self::NO_PROMOTION)
    }

    /// Returns the step between two squares that promotes the man to a role.
    ///
    /// # Panics
    ///
    /// If `role` is the last of the eight possible ones, which no game promotes to.
    #[inline]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        assert!(role.index() < Self::NO_PROMOTION as usize);
        Self::encode(from, to, role.index() as u16)
    }

    #[inline]
    const fn encode(from: Square, to: Square, promotion: u16) -> Self {
        let bits = Self::PRESENT | from as u16 | (to as u16) << 6 | promotion << Self::PROMOTION_SHIFT;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// Returns the square that the man leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.0.get() & 63) as usize)
    }

    /// Returns the square that the man reaches (for castling, the rook's square).
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6 & 63) as usize)
    }

    /// Returns the role that the man promotes to, if any.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0.get() >> Self::PROMOTION_SHIFT & 7 {
            Self::NO_PROMOTION => None,
            index => Some(Role::new(index as usize)),
        }
    }

    /// Returns the 16 bits, never 0: a compact form for tables.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the step with these bits, or `None` if no step has them.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits & Self::PRESENT == 0 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "={}", role.index()),
            None => Ok(()),
        }
    }
}

/// The capacity of a [`StepList`], enough for every position. The largest known number of legal moves in
/// chess is 218; in Baroque, where most men move like queens, it is below 16 men × 27 squares.
pub const MAX_STEPS: usize = 448;

/// The legal steps of a position, stored without allocation; dereferences to a slice.
#[derive(Clone, PartialEq, Eq, Default)]
#[doc(alias = "MoveList")]
pub struct StepList(ArrayVec<Step, MAX_STEPS>);

impl StepList {
    /// Adds a step. The list has room for the steps of every playable position; a step beyond the capacity
    /// would be dropped.
    #[inline]
    pub(crate) fn push(&mut self, step: Step) {
        let _ = self.0.try_push(step);
    }

    /// Retains only the steps for which `keep` returns true, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Step) -> bool) {
        self.0.retain(|step| keep(*step));
    }
}

impl Deref for StepList {
    type Target = [Step];

    #[inline]
    fn deref(&self) -> &[Step] {
        &self.0
    }
}

impl DerefMut for StepList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Step] {
        &mut self.0
    }
}

impl fmt::Debug for StepList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

/// An iterator over the steps of a list, returned by [`StepList::into_iter`](IntoIterator::into_iter).
#[derive(Clone, Debug)]
pub struct StepListIter(arrayvec::IntoIter<Step, MAX_STEPS>);

impl Iterator for StepListIter {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for StepListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Step> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for StepListIter {}
impl FusedIterator for StepListIter {}

impl IntoIterator for StepList {
    type Item = Step;
    type IntoIter = StepListIter;

    #[inline]
    fn into_iter(self) -> StepListIter {
        StepListIter(self.0.into_iter())
    }
}

impl<'a> IntoIterator for &'a StepList {
    type Item = &'a Step;
    type IntoIter = std::slice::Iter<'a, Step>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// The maximum number of steps in a turn: every step of a chain takes at least one of at most 16 men.
pub const MAX_TURN_STEPS: usize = 16;

/// Everything a player does before the other side moves: one step, or in Interweave a chain of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[doc(alias("ply", "move"))]
pub struct Turn(ArrayVec<Step, MAX_TURN_STEPS>);

impl Turn {
    /// Returns a turn without steps, to be extended.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Returns the steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Adds a step at the end; returns `false` if the turn is full.
    pub fn push(&mut self, step: Step) -> bool {
        self.0.try_push(step).is_ok()
    }

    /// Removes the last step and returns it.
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }
}

impl From<Step> for Turn {
    fn from(step: Step) -> Self {
        let mut turn = Self::empty();
        turn.push(step);
        turn
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_keeps_its_three_parts() {
        for from in Square::ALL {
            for to in Square::ALL {
                assert_eq!((Step::new(from, to).from(), Step::new(from, to).to()), (from, to));
                assert_eq!(Step::new(from, to).promotion(), None);
                for index in 0..7 {
                    let step = Step::promoting(from, to, Role::new(index));
                    assert_eq!(step.promotion(), Some(Role::new(index)));
                    assert_eq!(Step::from_bits(step.to_bits()), Some(step));
                }
            }
        }
        assert_eq!(Step::from_bits(0), None);
    }
}
