//! Explanations of Interweave (I2–I11).

use super::{
    CaptureMethod, Explain, Man, Reason, Taking,
    about::compulsory,
    geometry::{blocked, blockers, difference, distance, enclosed_by, forward, landing, man_at, middle},
    unfinished,
};
use crate::{
    attacks::{self, DIRECTIONS},
    color::Color,
    position::Position,
    role::Role,
    setup::EnPassant,
    square::Square,
    square_set::SquareSet,
    variant::interweave::{Interweave, RESERVE_ROLES, role, starting_rank},
};

impl Explain for Interweave {
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason> {
        let from = man.square;
        if from == to {
            let enemies = attacks::adjacent(from) & self.men(!man.color());
            return match man.role() {
                role::REMOVER if enemies.any() => Vec::new(),
                role::REMOVER => vec![Reason::NothingToTake { man, at: from }],
                _ => vec![Reason::InvalidMovement { man }],
            };
        }
        let mut reasons = Vec::new();
        let straight = matches!(attacks::direction(from, to), Some(0..4));
        if !SquareSet::same_shade(from).contains(to) {
            reasons.push(match man.role() {
                role::SMASHER | role::LEAPER if straight => {
                    Reason::OddDistance { man, distance: distance(from, to) }
                }
                _ => Reason::WrongSquareColor { man },
            });
        } else if !moves(self, man, to, &mut reasons) {
            reasons.push(Reason::InvalidMovement { man });
        }
        // No man takes by landing. For a leap, the lack of room behind the man leapt over is already a
        // reason.
        if !reasons.iter().any(|reason| matches!(reason, Reason::NoRoomBehind { .. })) {
            reasons.extend(landing(self, man, to, false));
        }
        if man.role() == role::PAWN && ranks_to_go(man.color(), to) == 0 && choices(self, man).is_empty() {
            reasons.push(Reason::NoManInReserve { man });
        }
        reasons
    }

    fn takings(&self, man: Man, to: Square) -> Vec<Taking> {
        let enemy = |square| man_at(self, square).filter(|occupant| occupant.color() != man.color());
        capture_squares(self, man, to)
            .into_iter()
            .filter_map(|(square, method)| {
                enemy(square).map(|victim| Taking { by: man, to, victim, method, imitated: None })
            })
            .collect()
    }

    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason> {
        let mut reasons = self.obstacles(man, to);
        let possible = reasons.is_empty();
        let takes = possible && !self.takings(man, to).is_empty();
        reasons.extend(promotion_reason(self, man, to, promotion, possible));
        match self.chain() {
            // During a chain nothing else matters, not even takings by other men.
            Some(square) if square != man.square || !takes => reasons.extend(unfinished(self)),
            None if !takes => reasons.extend(taking_compulsory(self)),
            _ => {}
        }
        reasons
    }

    fn holding_reasons(&self, man: Man) -> Vec<Reason> {
        if man.color() != self.side_to_move() || self.chain() == Some(man.square) {
            return Vec::new();
        }
        let reason = unfinished(self).or_else(|| {
            taking_compulsory(self).filter(|reason| match reason {
                Reason::TakingCompulsory { takings } => takings.iter().all(|legal| legal.man != man),
                _ => false,
            })
        });
        reason.into_iter().collect()
    }

    fn after_passing(&self) -> Self {
        Self::after_passing(self)
    }

    fn royal(&self, _color: Color) -> Option<Square> {
        // I3: kings are not royal.
        None
    }
}

/// Returns [`Reason::TakingCompulsory`] if there is a taking (I4).
fn taking_compulsory(position: &Interweave) -> Option<Reason> {
    let takings = compulsory(position);
    (!takings.is_empty()).then_some(Reason::TakingCompulsory { takings })
}

/// Returns the number of ranks from a square to the last rank of a side, 0 on that rank.
fn ranks_to_go(color: Color, square: Square) -> usize {
    match color {
        Color::White => 7 - square.rank().index(),
        Color::Black => square.rank().index(),
    }
}

/// Returns the roles that a pawn may promote to (I11).
fn choices(position: &Interweave, man: Man) -> Vec<Role> {
    position.promotions(man.color()).collect()
}

/// Returns the reason why the requested promotion is illegal, or why one must be requested (I11).
fn promotion_reason(
    position: &Interweave,
    man: Man,
    to: Square,
    promotion: Option<Role>,
    possible: bool,
) -> Option<Reason> {
    let choices = choices(position, man);
    let ranks = ranks_to_go(man.color(), to);
    match promotion {
        None if man.role() == role::PAWN && ranks == 0 && possible => {
            Some(Reason::PromotionMissing { man, choices })
        }
        Some(role) if man.role() != role::PAWN || ranks > 1 => Some(Reason::PromotionNotHere { man, role }),
        Some(role) if !RESERVE_ROLES.contains(&role) => Some(Reason::PromotionRole { man, role, choices }),
        Some(role) if !choices.contains(&role) => Some(Reason::NotInReserve { man, role, choices }),
        None | Some(_) => None,
    }
}

/// Adds the obstacles on a man's way to another square of its shade. The man on that square counts only if it
/// leaves no room behind a man leapt over. Returns `true` if men of the moving man's role can move this way
/// at all (I5–I10).
fn moves(position: &Interweave, man: Man, to: Square, reasons: &mut Vec<Reason>) -> bool {
    let from = man.square;
    let (files, ranks) = difference(from, to);
    let diagonal = files.abs() == ranks.abs();
    let straight = files == 0 || ranks == 0;
    match man.role() {
        role::KING if diagonal && distance(from, to) == 1 => {}
        role::KING if straight && distance(from, to) == 2 => short_leap(position, man, to, reasons),
        role::SMASHER if diagonal || straight => reasons.extend(blocked(position, man, to)),
        role::LEAPER | role::REMOVER if diagonal => reasons.extend(blocked(position, man, to)),
        role::LEAPER if straight => long_leap(position, man, to, reasons),
        role::LEAPER if is_double_knight_leap(from, to) => {
            let over = middle(from, to).and_then(|over| man_at(position, over));
            reasons.extend(
                over.filter(|over| over.color() == man.color())
                    .map(|over| Reason::LeapOverFriend { man, over }),
            );
        }
        role::PAWN => match (files.abs(), ranks * forward(man.color())) {
            (1, 1) => {}
            (2, 2) if from.rank() != starting_rank(man.color()) => reasons.push(Reason::NotFromStart { man }),
            (2, 2) => reasons.extend(blocked(position, man, to)),
            (0, 2) => short_leap(position, man, to, reasons),
            _ => return false,
        },
        _ => return false,
    }
    true
}

fn is_double_knight_leap(from: Square, to: Square) -> bool {
    let (files, ranks) = difference(from, to);
    matches!((files.abs(), ranks.abs()), (2, 4) | (4, 2))
}

/// Adds the obstacles to a leap over a neighbour (I5, I9), or over a crossed square (I10).
fn short_leap(position: &Interweave, man: Man, to: Square, reasons: &mut Vec<Reason>) {
    let Some(over) = middle(man.square, to) else { return };
    match man_at(position, over) {
        Some(friend) if friend.color() == man.color() => {
            reasons.push(Reason::LeapOverFriend { man, over: friend });
        }
        Some(victim) => {
            let behind = man_at(position, to);
            reasons.extend(behind.map(|behind| Reason::NoRoomBehind { man, over: victim, behind }));
        }
        None if en_passant_over(position, man, over).is_some() => {}
        None => match en_passant_victim(position, man, over) {
            Some(pawn) => reasons.push(Reason::EnPassantNotPossible { man, pawn }),
            None => reasons.push(Reason::NothingToLeap { man, over }),
        },
    }
}

/// Returns the double advance, if any, that a pawn can answer by leaping over a square (I10).
fn en_passant_over(position: &Interweave, man: Man, over: Square) -> Option<EnPassant> {
    let answers = man.role() == role::PAWN && man.color() == position.side_to_move();
    position.double_advance().filter(|advance| answers && advance.crossed == over)
}

/// Returns an enemy pawn that looks as if it had crossed a square, but cannot be taken en passant now (I10).
fn en_passant_victim(position: &Interweave, man: Man, crossed: Square) -> Option<Man> {
    let ahead = forward(!man.color());
    [-1, 1].into_iter().filter(|_| man.role() == role::PAWN).find_map(|side| {
        let pawn = man_at(position, crossed.offset(side, ahead)?)?;
        let origin = crossed.offset(-side, -ahead)?;
        (pawn.role() == role::PAWN
            && pawn.color() != man.color()
            && origin.rank() == starting_rank(pawn.color())
            && position.piece_at(origin).is_none())
        .then_some(pawn)
    })
}

/// Adds the obstacles to a leap along a file or rank (I7).
fn long_leap(position: &Interweave, man: Man, to: Square, reasons: &mut Vec<Reason>) {
    let between = blockers(position, man.square, to);
    for &over in &between {
        if over.color() == man.color() {
            reasons.push(Reason::LeapOverFriend { man, over });
        } else if SquareSet::same_shade(man.square).contains(over.square) {
            reasons.push(Reason::LeapEvenDistance { man, over });
        }
    }
    match between[..] {
        [first, second, ..] => reasons.push(Reason::TwoInOneLeap { man, first, second }),
        [over] if over.color() != man.color() && distance(over.square, to) == 1 => {
            let behind = man_at(position, to);
            reasons.extend(behind.map(|behind| Reason::NoRoomBehind { man, over, behind }));
        }
        _ => {}
    }
}

/// Returns the squares where the step would take an enemy that stands there, each with the way of taking
/// (I5–I10).
fn capture_squares(position: &Interweave, man: Man, to: Square) -> Vec<(Square, CaptureMethod)> {
    let from = man.square;
    let path = attacks::between(from, to);
    match (man.role(), attacks::direction(from, to)) {
        (role::KING, _) => path.into_iter().map(|square| (square, CaptureMethod::ShortLeap)).collect(),
        (role::SMASHER, Some(direction @ 0..4)) => {
            let (files, ranks) = DIRECTIONS[direction];
            to.offset(files, ranks).map(|square| (square, CaptureMethod::Approach)).into_iter().collect()
        }
        (role::LEAPER, Some(_)) => {
            path.into_iter().map(|square| (square, CaptureMethod::LongLeap { path })).collect()
        }
        (role::LEAPER, None) => middle(from, to)
            .map(|midpoint| (midpoint, CaptureMethod::DoubleKnightLeap { midpoint }))
            .into_iter()
            .collect(),
        (role::REMOVER, None) if from == to => {
            attacks::adjacent(from).into_iter().map(|square| (square, CaptureMethod::Removal)).collect()
        }
        (role::PAWN, _) => {
            let mut ways: Vec<_> = enclosed_by(position, man, to)
                .into_iter()
                .map(|(victim, partner)| (victim.square, CaptureMethod::Custodian { partner }))
                .collect();
            if from.file() == to.file()
                && let Some(over) = middle(from, to)
            {
                ways.push((over, CaptureMethod::ShortLeap));
                ways.extend(
                    en_passant_over(position, man, over)
                        .map(|advance| (advance.pawn, CaptureMethod::EnPassant { crossed: over })),
                );
            }
            ways
        }
        _ => Vec::new(),
    }
}
