//! How much may be said in a game beside its turns.
//!
//! A turn brings a game nearer to its end; a touch, an offer or a gift of time does not, and a log that grows by those
//! alone would never end. So each turn has room for a number of them, and so has the game. An answer (an offer
//! declined, turns taken back) needs a proposal, which was counted, and is always possible. So are turns, resigning,
//! claiming a draw and agreeing to one: whatever was said before, a game can be played to its end.
//!
//! Each side has room of its own, so that neither can use up what the other wants to say. A side can ask for at most
//! [`ASIDES_PER_GAME`] + *n* × [`ASIDES_GAINED`] asides in a game of *n* turns; answers and turns that were taken back at
//! most triple that.

use adoube_rules::{ByColor, Color};

use crate::{event::EventKind, refusal::Refusal};

/// The most asides of a side in one turn of either: room to touch and to adjust every man of the first array.
pub const ASIDES_PER_TURN: u16 = 128;
/// The most asides of a side in a game before its first turn...
pub const ASIDES_PER_GAME: u32 = 256;
/// ... and how many more there may be for each turn that has been played and not taken back.
pub const ASIDES_GAINED: u32 = 4;
/// The most trees of conditional turns that are set in one turn; a tree can be some kilobytes long.
pub const CONDITIONS_PER_TURN: u16 = 8;
/// The most trees of conditional turns of a side in a game before its first turn...
pub const CONDITIONS_PER_GAME: u32 = 32;
/// ... and how many more there may be for each turn that has been played and not taken back.
pub const CONDITIONS_GAINED: u32 = 2;

/// A count of one kind of asides.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Count {
    this_turn: u16,
    in_game: u32,
}

impl Count {
    fn add(&mut self) {
        self.this_turn = self.this_turn.saturating_add(1);
        self.in_game = self.in_game.saturating_add(1);
    }

    fn has_room(self, per_turn: u16, per_game: u32) -> Result<(), Refusal> {
        if self.in_game >= per_game {
            Err(Refusal::EnoughInGame { limit: per_game })
        } else if self.this_turn >= per_turn {
            Err(Refusal::EnoughThisTurn { limit: per_turn.into() })
        } else {
            Ok(())
        }
    }
}

/// What has been said in a game beside its turns.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Asides {
    all: ByColor<Count>,
    conditions: ByColor<Count>,
}

impl Asides {
    /// Returns whether an event may follow in a game of so many turns.
    pub(crate) fn may_add(&self, kind: &EventKind, plies: usize) -> Result<(), Refusal> {
        let Some(by) = begun_by(kind) else { return Ok(()) };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let per_game = |first: u32, gained: u32| plies.saturating_mul(gained).saturating_add(first);
        if matches!(kind, EventKind::ConditionsSet { .. }) {
            let most = per_game(CONDITIONS_PER_GAME, CONDITIONS_GAINED);
            self.conditions[by].has_room(CONDITIONS_PER_TURN, most)?;
        }
        self.all[by].has_room(ASIDES_PER_TURN, per_game(ASIDES_PER_GAME, ASIDES_GAINED))
    }

    /// Takes in an event.
    pub(crate) fn add(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Played { .. } | EventKind::TakenBack { .. } => {
                for color in Color::ALL {
                    self.all[color].this_turn = 0;
                    self.conditions[color].this_turn = 0;
                }
            }
            kind => {
                let Some(by) = begun_by(kind) else { return };
                self.all[by].add();
                if matches!(kind, EventKind::ConditionsSet { .. }) {
                    self.conditions[by].add();
                }
            }
        }
    }
}

/// Returns the side that an event is counted for: what a player begins and could begin again without end.
fn begun_by(kind: &EventKind) -> Option<Color> {
    match kind {
        EventKind::DrawOffered { color }
        | EventKind::TakebackProposed { color }
        | EventKind::TimeGiven { color, .. }
        | EventKind::Touched { color, .. }
        | EventKind::Adjusted { color }
        | EventKind::ConditionsSet { color, .. } => Some(*color),
        // The game goes on or ends by these, they answer what was counted, or they come once.
        EventKind::Created { .. }
        | EventKind::Joined { .. }
        | EventKind::Played { .. }
        | EventKind::DrawDeclined { .. }
        | EventKind::TakebackDeclined { .. }
        | EventKind::TakenBack { .. }
        | EventKind::Interrupted { .. }
        | EventKind::Ended { .. }
        | EventKind::RematchOffered { .. }
        | EventKind::RematchDeclined { .. }
        | EventKind::RematchAccepted { .. } => None,
    }
}
