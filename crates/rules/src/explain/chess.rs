//! Explanations of chess (C2–C12).

use super::{
    CaptureMethod, CastlingObstacle, Explain, Man, Reason, Taking,
    geometry::{blocked, difference, distance, forward, landing, man_at},
};
use crate::{
    attacks,
    color::Color,
    moves::Step,
    position::Position,
    role::Role,
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::chess::{Chess, PROMOTIONS, en_passant_pawn, role},
};

impl Explain for Chess {
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason> {
        let from = man.square;
        if from == to {
            return vec![Reason::InvalidMovement { man }];
        }
        let mut reasons: Vec<_> = landing(self, man, to, true).into_iter().collect();
        let direction = attacks::direction(from, to);
        match (man.role(), direction) {
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
        let taking = |victim, method| Taking { by: man, to, victim, method, imitated: None };
        let takes_en_passant = man.role() == role::PAWN
            && man.square.file() != to.file()
            && man.color() == self.side_to_move()
            && self.crossed() == Some(to);
        if takes_en_passant {
            let pawn = man_at(self, en_passant_pawn(to, man.color()));
            return pawn
                .map(|pawn| taking(pawn, CaptureMethod::EnPassant { crossed: to }))
                .into_iter()
                .collect();
        }
        let victim = man_at(self, to).filter(|victim| victim.color() != man.color());
        victim.map(|victim| taking(victim, CaptureMethod::Landing)).into_iter().collect()
    }

    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if let Some(castling) = castling_meant(self, man, to) {
            castling_obstacles(self, man, castling, &mut reasons);
            if let Some(role) = promotion {
                reasons.push(Reason::PromotionNotHere { man, role });
            }
            return reasons;
        }
        reasons.extend(self.obstacles(man, to));
        let possible = reasons.is_empty();
        reasons.extend(promotion_reason(man, to, promotion, possible));
        if man.role() == role::KING {
            if possible {
                king_exposed(self, man, to, &mut reasons);
            }
            return reasons;
        }
        reasons.extend(pin(self, man).filter(|reason| match reason {
            Reason::Pinned { line, .. } => !line.contains(to),
            _ => false,
        }));
        checks_not_parried(self, man, to, &mut reasons);
        if possible {
            reasons.extend(en_passant_exposes(self, man, to, &reasons));
        }
        reasons
    }

    fn holding_reasons(&self, man: Man) -> Vec<Reason> {
        let mut reasons: Vec<_> = pin(self, man).into_iter().collect();
        // A check holds the men that cannot parry it.
        let has_no_steps = self.legal_steps().iter().all(|step| step.from() != man.square);
        if man.color() == self.side_to_move() && man.role() != role::KING && has_no_steps {
            let checkers = self.checkers();
            reasons.extend(checkers.into_iter().filter_map(|square| {
                let by = man_at(self, square)?;
                Some(Reason::CheckNotParried { by, double: checkers.more_than_one() })
            }));
        }
        reasons
    }

    fn after_passing(&self) -> Self {
        self.after_passing()
    }

    fn royal(&self, color: Color) -> Option<Square> {
        Some(self.king(color))
    }

    fn castling(&self, step: Step) -> Option<(Square, Square)> {
        self.is_castling(step).then(|| (step.to(), Self::castling_destinations(step.from(), step.to()).1))
    }
}

/// Returns the obstacle to a pawn's step, except men of its own side on the destination (C7, C8).
fn pawn_obstacle(position: &Chess, man: Man, to: Square) -> Option<Reason> {
    let (files, ranks) = difference(man.square, to);
    let enemy = man_at(position, to).filter(|occupant| occupant.color() != man.color());
    let start = if man.color() == Color::White { Rank::Second } else { Rank::Seventh };
    match (files, ranks * forward(man.color())) {
        (0, 1) => enemy.map(|by| Reason::Blocked { man, by }),
        (0, 2) if man.square.rank() != start => Some(Reason::NotFromStart { man }),
        (0, 2) => blocked(position, man, to).next().or_else(|| enemy.map(|by| Reason::Blocked { man, by })),
        (1 | -1, 1) if position.piece_at(to).is_some() => None,
        (1 | -1, 1) if position.crossed() == Some(to) && man.color() == position.side_to_move() => None,
        (1 | -1, 1) => Some(match en_passant_victim(position, man, to) {
            Some(pawn) => Reason::EnPassantNotPossible { man, pawn },
            None => Reason::NothingToTake { man, at: to },
        }),
        _ => Some(Reason::InvalidMovement { man }),
    }
}

/// Returns the enemy pawn that looks as if it had crossed a square, though it has not just done so (C8).
fn en_passant_victim(position: &Chess, man: Man, crossed: Square) -> Option<Man> {
    let rank = if man.color() == Color::White { Rank::Sixth } else { Rank::Third };
    let origin = crossed.offset(0, forward(man.color()))?;
    let pawn = man_at(position, en_passant_pawn(crossed, man.color()))?;
    (crossed.rank() == rank
        && pawn.role() == role::PAWN
        && pawn.color() != man.color()
        && position.piece_at(origin).is_none())
    .then_some(pawn)
}

/// Returns the reason why the requested promotion is illegal, or why one must be requested (C9).
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

/// Adds the men that would take the king on its destination (C4).
fn king_exposed(position: &Chess, man: Man, to: Square, reasons: &mut Vec<Reason>) {
    // The king does not shield the squares behind it, and a man that it takes does not attack its own square.
    let occupied = position.men(Color::White) | position.men(Color::Black);
    let without_king = occupied - SquareSet::of(man.square);
    for square in position.attackers(to, !man.color(), without_king) {
        let Some(by) = man_at(position, square) else { continue };
        let victim = Man { square: to, ..man };
        let taking = Taking { by, to, victim, method: CaptureMethod::Landing, imitated: None };
        let standing = position.checkers().contains(square);
        reasons.push(Reason::KingExposed { man, taking, standing });
    }
}

/// Returns the pin on a man, if any (C11).
fn pin(position: &Chess, man: Man) -> Option<Reason> {
    let king = position.king(man.color());
    let occupied = position.men(Color::White) | position.men(Color::Black);
    let enemy = !man.color();
    let without = occupied - SquareSet::of(man.square);
    // The men that would give check only without this man.
    let opened = position.attackers(king, enemy, without) - position.attackers(king, enemy, occupied);
    let by = man_at(position, opened.first().filter(|_| king != man.square)?)?;
    let line = attacks::between(king, by.square) | king.into() | by.square.into();
    Some(Reason::Pinned { man, by, king, line })
}

/// Adds the checks that a man other than the king does not parry by its step (C12).
fn checks_not_parried(position: &Chess, man: Man, to: Square, reasons: &mut Vec<Reason>) {
    let king = position.king(man.color());
    let checkers = position.checkers();
    let taken: SquareSet = position.takings(man, to).into_iter().map(|taking| taking.victim.square).collect();
    for by in checkers.into_iter().filter_map(|square| man_at(position, square)) {
        if !taken.contains(by.square) && !attacks::between(king, by.square).contains(to) {
            reasons.push(Reason::CheckNotParried { by, double: checkers.more_than_one() });
        }
    }
}

/// Returns the checks opened by taking en passant that neither a pin nor an existing check explains.
fn en_passant_exposes(position: &Chess, man: Man, to: Square, known: &[Reason]) -> Vec<Reason> {
    let takes = position.takings(man, to);
    let Some(Taking { victim: pawn, method: CaptureMethod::EnPassant { .. }, .. }) = takes.first() else {
        return Vec::new();
    };
    let explained: SquareSet = known
        .iter()
        .filter_map(|reason| match reason {
            Reason::Pinned { by, .. } | Reason::CheckNotParried { by, .. } => Some(by.square),
            _ => None,
        })
        .collect();
    let king = position.king(man.color());
    let men = position.men(Color::White) | position.men(Color::Black);
    let occupied = (men - SquareSet::of(man.square) - SquareSet::of(pawn.square)) | to.into();
    let attackers = position.attackers(king, !man.color(), occupied) & occupied;
    let exposing = (attackers - explained).into_iter().filter_map(|square| {
        let (by, victim) = (man_at(position, square)?, man_at(position, king)?);
        let taking = Taking { by, to: king, victim, method: CaptureMethod::Landing, imitated: None };
        Some(Reason::EnPassantExposes { man, taking })
    });
    exposing.collect()
}

/// The castling, legal or not, that a king step stands for.
struct Castling {
    /// The square where the rook stands or should stand.
    rook: Square,
    /// Whether the side still has the right to castle this way.
    right: bool,
}

/// Returns the castling that a king step to a square stands for, if any (C10).
fn castling_meant(position: &Chess, man: Man, to: Square) -> Option<Castling> {
    let from = man.square;
    let back_rank = if man.color() == Color::White { Rank::First } else { Rank::Eighth };
    if man.role() != role::KING || (from.rank(), to.rank()) != (back_rank, back_rank) {
        return None;
    }
    for rook in position.castling_rooks() & position.men(man.color()) {
        let king_to = Chess::castling_destinations(from, rook).0;
        if to == rook || (to == king_to && distance(from, to) > 1) {
            return Some(Castling { rook, right: true });
        }
    }
    // A king on its initial square that moves two squares, or onto a rook in the corner, counts as castling
    // even if castling is not allowed.
    let corner = match (from.file(), to.file()) {
        (File::E, File::G | File::H) => Square::new(File::H, back_rank),
        (File::E, File::C | File::A) => Square::new(File::A, back_rank),
        _ => return None,
    };
    (to != corner || has_rook(position, man.color(), corner))
        .then_some(Castling { rook: corner, right: false })
}

fn has_rook(position: &Chess, color: Color, square: Square) -> bool {
    (position.men(color) & position.men_of_role(role::ROOK)).contains(square)
}

/// Adds everything that keeps a king from castling (C10).
fn castling_obstacles(
    position: &Chess,
    king: Man,
    Castling { rook, right }: Castling,
    reasons: &mut Vec<Reason>,
) {
    let us = king.color();
    let mut add = |obstacle| reasons.push(Reason::Castling { rook, obstacle });
    if !has_rook(position, us, rook) {
        add(CastlingObstacle::NoRook);
    } else if !right {
        add(CastlingObstacle::RightLost);
    }
    let (king_to, rook_to) = Chess::castling_destinations(king.square, rook);
    let king_path = attacks::between(king.square, king_to) | king_to.into();
    let rook_path = attacks::between(rook, rook_to) | rook_to.into() | attacks::between(king.square, rook);
    let occupied = position.men(Color::White) | position.men(Color::Black);
    let others = occupied - SquareSet::of(king.square) - SquareSet::of(rook);
    for man in ((king_path | rook_path) & others).into_iter().filter_map(|square| man_at(position, square)) {
        add(CastlingObstacle::Between { man });
    }
    for by in position.checkers().into_iter().filter_map(|square| man_at(position, square)) {
        add(CastlingObstacle::InCheck { by });
    }
    for square in king_path {
        // King and rook are removed, because they may shield the square from an attack that castling opens.
        for by in position.attackers(square, !us, others).into_iter().filter_map(|at| man_at(position, at)) {
            add(if square == king_to {
                CastlingObstacle::LandsOn { square, by }
            } else {
                CastlingObstacle::Crosses { square, by }
            });
        }
    }
}
