//! Explanations for Giveaway (G2–G6).

use super::{
    CaptureMethod, Explain, Man, Reason, Taking,
    about::compulsory,
    geometry::{blocked, difference, forward, landing, man_at},
};
use crate::{
    attacks,
    color::Color,
    position::Position,
    role::Role,
    square::Square,
    square_set::SquareSet,
    variant::giveaway::{Giveaway, PROMOTIONS, role},
};

impl Explain for Giveaway {
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason> {
        let from = man.square;
        if from == to {
            return vec![Reason::InvalidMovement { man }];
        }
        let mut reasons: Vec<_> = landing(self, man, to, true).into_iter().collect();
        match (man.role(), attacks::direction(from, to)) {
            (role::PAWN, _) => reasons.extend(pawn_obstacle(self, man, to)),
            (role::KNIGHT, _) if attacks::knight(from).contains(to) => {}
            (role::KING, _) if attacks::king(from).contains(to) => {}
            (role::ROOK | role::QUEEN, Some(0..4)) | (role::BISHOP | role::QUEEN, Some(4..8)) => {
                reasons.extend(blocked(self, man, to));
            }
            _ => reasons.push(Reason::InvalidMovement { man }),
        }
        reasons
    }

    fn takings(&self, man: Man, to: Square) -> Vec<Taking> {
        let victim = man_at(self, to).filter(|victim| victim.color() != man.color());
        victim
            .map(|victim| Taking { by: man, to, victim, method: CaptureMethod::Landing, imitated: None })
            .into_iter()
            .collect()
    }

    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason> {
        let mut reasons = self.obstacles(man, to);
        let possible = reasons.is_empty();
        let takes = possible && !self.takings(man, to).is_empty();
        reasons.extend(promotion_reason(man, to, promotion, possible));
        if !takes {
            reasons.extend(taking_compulsory(self));
        }
        reasons
    }

    fn holding_reasons(&self, man: Man) -> Vec<Reason> {
        if man.color() != self.side_to_move() {
            return Vec::new();
        }
        let could_take = |reason: &Reason| match reason {
            Reason::TakingCompulsory { takings } => takings.iter().any(|legal| legal.man == man),
            _ => false,
        };
        taking_compulsory(self).into_iter().filter(|reason| !could_take(reason)).collect()
    }

    fn after_passing(&self) -> Self {
        Self::after_passing(self)
    }

    fn royal(&self, _color: Color) -> Option<Square> {
        // G3: no man is royal.
        None
    }
}

/// Returns [`Reason::TakingCompulsory`] if the side to move can take (G2).
fn taking_compulsory(position: &Giveaway) -> Option<Reason> {
    let takings = compulsory(position);
    (!takings.is_empty()).then_some(Reason::TakingCompulsory { takings })
}

/// Returns the obstacle to a pawn's step (G5). [`landing`] reports a man of its own side on the destination.
fn pawn_obstacle(position: &Giveaway, man: Man, to: Square) -> Option<Reason> {
    let (files, ranks) = difference(man.square, to);
    let enemy = man_at(position, to).filter(|there| there.color() != man.color());
    match (files, ranks * forward(man.color())) {
        (0, 1) => enemy.map(|by| Reason::Blocked { man, by }),
        (1 | -1, 1) if position.piece_at(to).is_some() => None,
        (1 | -1, 1) => Some(Reason::NothingToTake { man, at: to }),
        _ => Some(Reason::InvalidMovement { man }),
    }
}

/// Returns the reason why the requested promotion is illegal, or why one must be requested (G6).
fn promotion_reason(man: Man, to: Square, promotion: Option<Role>, possible: bool) -> Option<Reason> {
    let choices = || PROMOTIONS.to_vec();
    let promotes = man.role() == role::PAWN && SquareSet::BACK_RANKS.contains(to);
    match promotion {
        None if promotes && possible => Some(Reason::PromotionMissing { man, choices: choices() }),
        Some(role) if !promotes => Some(Reason::PromotionNotHere { man, role }),
        Some(role) if !PROMOTIONS.contains(&role) => {
            Some(Reason::PromotionRole { man, role, choices: choices() })
        }
        _ => None,
    }
}
