//! Proposals that the opponent answers during the game: draw offers (C24) and takebacks.

use adoube_rules::{ByColor, Color};

use crate::refusal::Refusal;

/// A draw offer. It is open until it is declined or the receiver moves. Each side may make one offer from the
/// start of each of its turns until the start of its next; the side that moves second may also make one
/// before its first turn (C24).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct DrawOffer {
    standing: Option<Color>,
    /// For each side, the number of its own turn in which it made its last offer.
    last: ByColor<Option<u32>>,
}

impl DrawOffer {
    pub(crate) fn standing(&self) -> Option<Color> {
        self.standing
    }

    /// Checks that a side may offer a draw. `own_turn` is the number of its current or latest turn, as
    /// returned by `Game::own_turn`.
    pub(crate) fn may_offer(&self, by: Color, own_turn: u32) -> Result<(), Refusal> {
        if let Some(by) = self.standing {
            return Err(Refusal::DrawOfferPending { by });
        }
        if self.last[by] == Some(own_turn) {
            return Err(Refusal::OfferedThisTurn);
        }
        Ok(())
    }

    pub(crate) fn may_answer(&self, by: Color) -> Result<(), Refusal> {
        if self.standing == Some(!by) { Ok(()) } else { Err(Refusal::NoOffer) }
    }

    pub(crate) fn offered(&mut self, by: Color, own_turn: u32) {
        self.standing = Some(by);
        self.last[by] = Some(own_turn);
    }

    pub(crate) fn ended(&mut self) {
        self.standing = None;
    }

    pub(crate) fn turn_played(&mut self, by: Color) {
        if self.standing == Some(!by) {
            self.standing = None;
        }
    }
}

/// A proposal to take turns back. It is open until it is declined or a turn is played. Each side may make one
/// per position.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Takeback {
    standing: Option<Color>,
    /// The number of turns played when each side made its last proposal.
    last: ByColor<Option<u32>>,
}

impl Takeback {
    pub(crate) fn standing(&self) -> Option<Color> {
        self.standing
    }

    /// Checks that a side may propose a takeback after `plies` turns.
    pub(crate) fn may_propose(&self, by: Color, plies: u32) -> Result<(), Refusal> {
        if let Some(by) = self.standing {
            return Err(Refusal::TakebackPending { by });
        }
        if self.last[by] == Some(plies) {
            return Err(Refusal::TakebackProposedHere);
        }
        Ok(())
    }

    pub(crate) fn may_answer(&self, by: Color) -> Result<(), Refusal> {
        if self.standing == Some(!by) { Ok(()) } else { Err(Refusal::NoTakeback) }
    }

    pub(crate) fn proposed(&mut self, by: Color, plies: u32) {
        self.standing = Some(by);
        self.last[by] = Some(plies);
    }

    pub(crate) fn ended(&mut self) {
        self.standing = None;
    }
}
