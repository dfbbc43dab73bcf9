//! A rematch: another game with the colours swapped. This game records only the agreement; the caller that
//! passes on the acceptance creates the next game.

use adoube_rules::{ByColor, Color};
use adoube_vocabulary::GameId;

use crate::refusal::Refusal;

/// Rematch offers. Each side may make one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Rematch {
    standing: Option<Color>,
    offered: ByColor<bool>,
    /// The id of the next game.
    next: Option<GameId>,
}

impl Rematch {
    pub(crate) fn standing(&self) -> Option<Color> {
        self.standing
    }

    pub(crate) fn next(&self) -> Option<&GameId> {
        self.next.as_ref()
    }

    pub(crate) fn may_offer(&self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        if let Some(by) = self.standing {
            return Err(Refusal::RematchPending { by });
        }
        if self.offered[by] { Err(Refusal::RematchDeclined) } else { Ok(()) }
    }

    pub(crate) fn may_answer(&self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        if self.standing == Some(!by) { Ok(()) } else { Err(Refusal::NoRematch) }
    }

    fn check_open(&self) -> Result<(), Refusal> {
        match &self.next {
            Some(next) => Err(Refusal::RematchAgreed { next: next.clone() }),
            None => Ok(()),
        }
    }

    pub(crate) fn offered(&mut self, by: Color) {
        self.standing = Some(by);
        self.offered[by] = true;
    }

    pub(crate) fn declined(&mut self) {
        self.standing = None;
    }

    pub(crate) fn accepted(&mut self, next: &GameId) {
        self.standing = None;
        self.next = Some(next.clone());
    }
}
