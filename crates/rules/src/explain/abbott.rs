//! Explanations for the games with Abbott's pieces (B2–B12, U2–U14).

use super::{
    CaptureMethod, Explain, Man, Reason, Taking,
    about::checks,
    geometry::{blocked, blockers, distance, enclosed_by, landing, man_at},
};
use crate::{
    attacks,
    color::Color,
    moves::Step,
    position::Position,
    role::Role,
    square::Square,
    square_set::SquareSet,
    variant::abbott::{AbbottPosition, Rules, role},
};

impl<R: Rules> Explain for AbbottPosition<R>
where
    Self: Position,
{
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason> {
        if man.square == to && self.can_give_up(man.color()).contains(to) {
            // U14: giving up.
            return Vec::new();
        }
        let mut reasons = geometry(self, man, to);
        reasons.extend(frozen(self, man));
        reasons
    }

    fn takings(&self, man: Man, to: Square) -> Vec<Taking> {
        if man.square == to {
            return Vec::new();
        }
        if man.role() != role::CHAMELEON {
            return takings_as(self, man, to, man.role(), None);
        }
        // B10: it takes each kind of man as that kind takes, and all these takings are combined.
        let kinds = [role::PINCER_PAWN, role::LONG_LEAPER, role::COORDINATOR, role::WITHDRAWER, role::KING];
        let mut takings = Vec::new();
        for kind in kinds {
            // A pawn moves only along files and ranks.
            if kind != role::PINCER_PAWN || matches!(attacks::direction(man.square, to), Some(0..4)) {
                takings.extend(takings_as(self, man, to, kind, Some(kind)));
            }
        }
        takings.retain(|taking| taking.imitated == Some(taking.victim.role()));
        takings
    }

    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason> {
        let mut reasons = self.obstacles(man, to);
        let possible = reasons.is_empty();
        reasons.extend(promotion.map(|role| Reason::PromotionNotHere { man, role }));
        if possible {
            let next = self.after(Step::new(man.square, to));
            reasons.extend(exposures(self, &next, man));
        }
        reasons
    }

    fn holding_reasons(&self, man: Man) -> Vec<Reason> {
        let mut reasons = frozen(self, man);
        if man.role() != role::KING {
            // A pin: takings of the king that become possible only if the man is removed.
            let mut exposures = exposures(self, &self.without(man.square), man);
            exposures.retain(|reason| !matches!(reason, Reason::KingExposed { standing: true, .. }));
            reasons.extend(exposures);
        }
        reasons
    }

    fn after_passing(&self) -> Self {
        Self::after_passing(self)
    }

    fn royal(&self, color: Color) -> Option<Square> {
        Some(self.king(color))
    }
}

/// Returns the ways in which the king of a man's side can be taken after the man's step (B12).
fn exposures<P: Explain>(position: &P, next: &P, man: Man) -> Vec<Reason> {
    let before = checks(position, man.color());
    let standing = |taking: &Taking| before.iter().any(|check| check.by == taking.by);
    checks(next, man.color())
        .into_iter()
        .map(|taking| Reason::KingExposed { man, standing: standing(&taking), taking })
        .collect()
}

/// Returns the reasons, other than being frozen, why a man cannot move to a square (B2, B3, B8, B10).
fn geometry<P: Position>(position: &P, man: Man, to: Square) -> Vec<Reason> {
    let from = man.square;
    if from == to {
        return vec![Reason::InvalidMovement { man }];
    }
    let near = distance(from, to) == 1;
    let occupant = man_at(position, to);
    let takes_by_landing = match man.role() {
        role::KING => true,
        // B11: it takes a king as a king does.
        role::CHAMELEON => near && occupant.is_some_and(|occupant| occupant.role() == role::KING),
        _ => false,
    };
    let occupied = landing(position, man, to, takes_by_landing);
    let is_valid_movement = match (man.role(), attacks::direction(from, to)) {
        (role::KING, _) => near,
        (role::PINCER_PAWN, direction) => matches!(direction, Some(0..4)),
        (_, direction) => direction.is_some(),
    };
    let mut reasons = Vec::new();
    if !is_valid_movement {
        reasons.push(Reason::InvalidMovement { man });
        reasons.extend(occupied);
    } else if leaps_over(man).is_some() {
        leap_obstacles(position, man, to, occupied, &mut reasons);
    } else {
        reasons.extend(blocked(position, man, to));
        reasons.extend(occupied);
    }
    reasons
}

/// Returns a predicate for the roles that a man can leap over; `None` if it cannot leap.
fn leaps_over(man: Man) -> Option<fn(Role) -> bool> {
    match man.role() {
        role::LONG_LEAPER => Some(|_| true),
        role::CHAMELEON => Some(|role| role == role::LONG_LEAPER),
        _ => None,
    }
}

/// Adds the obstacles in the way of a man that can leap (B8, B10).
fn leap_obstacles<P: Position>(
    position: &P,
    man: Man,
    to: Square,
    occupied: Option<Reason>,
    reasons: &mut Vec<Reason>,
) {
    let leaps =
        |over: Man| over.color() != man.color() && leaps_over(man).is_some_and(|leaps| leaps(over.role()));
    let between = blockers(position, man.square, to);
    for &over in &between {
        if over.color() == man.color() {
            reasons.push(Reason::LeapOverFriend { man, over });
        } else if !leaps(over) {
            reasons.push(Reason::LeapOverOther { man, over });
        }
    }
    for pair in between.windows(2) {
        let [first, second] = *pair else { continue };
        let enemies = first.color() != man.color() && second.color() != man.color();
        if enemies && distance(first.square, second.square) == 1 {
            reasons.push(Reason::TwoInARow { man, first, second });
        }
    }
    let last = between.last().copied().filter(|&last| leaps(last) && distance(last.square, to) == 1);
    reasons.extend(match (occupied, last, man_at(position, to)) {
        (Some(_), Some(over), Some(behind)) => Some(Reason::NoRoomBehind { man, over, behind }),
        (occupied, ..) => occupied,
    });
}

/// Returns one reason for each enemy that freezes a man (B4, U4).
fn frozen<R: Rules>(position: &AbbottPosition<R>, man: Man) -> Vec<Reason>
where
    AbbottPosition<R>: Position,
{
    let (own, enemies) = (position.men(man.color()), position.men(!man.color()));
    let immobilizers = position.men_of_role(role::IMMOBILIZER);
    let chameleons = position.men_of_role(role::CHAMELEON);
    let around = attacks::king(man.square) & enemies;
    let mut reasons = Vec::new();
    for by in (around & immobilizers).into_iter().filter_map(|square| man_at(position, square)) {
        let neutralizers = if R::FREEZING.neutralizable {
            attacks::king(by.square) & own & (immobilizers | chameleons)
        } else {
            SquareSet::EMPTY
        };
        if (neutralizers - SquareSet::of(man.square)).is_empty() {
            let frees_only_others = neutralizers.contains(man.square);
            reasons.push(Reason::FrozenByImmobilizer { man, by, frees_only_others });
        }
    }
    if man.role() == role::IMMOBILIZER {
        let by = (around & chameleons).into_iter().filter_map(|square| man_at(position, square));
        reasons.extend(by.map(|by| Reason::FrozenByChameleon { man, by }));
    }
    reasons
}

/// Returns the takings of a man that moves to a square, if it takes like a given role (B3, B6–B9).
fn takings_as<R: Rules>(
    position: &AbbottPosition<R>,
    man: Man,
    to: Square,
    kind: Role,
    imitating: Option<Role>,
) -> Vec<Taking>
where
    AbbottPosition<R>: Position,
{
    let from = man.square;
    let enemy = |square| man_at(position, square).filter(|occupant| occupant.color() != man.color());
    let found: Vec<(Man, CaptureMethod)> = match kind {
        role::PINCER_PAWN => enclosed_by(position, man, to)
            .into_iter()
            .map(|(victim, partner)| (victim, CaptureMethod::Pincer { partner }))
            .collect(),
        role::LONG_LEAPER => {
            let path = attacks::between(from, to);
            path.into_iter().filter_map(enemy).map(|victim| (victim, CaptureMethod::Leap { path })).collect()
        }
        role::COORDINATOR => {
            let king = position.king(man.color());
            let corners = [Square::new(to.file(), king.rank()), Square::new(king.file(), to.rank())];
            let rectangle = king.file() != to.file() && king.rank() != to.rank();
            let pairs = [(corners[0], corners[1]), (corners[1], corners[0])];
            let takings = pairs.into_iter().filter(|_| rectangle).filter_map(|(corner, opposite)| {
                enemy(corner).map(|victim| (victim, CaptureMethod::Coordination { king, opposite }))
            });
            takings.collect()
        }
        role::WITHDRAWER => {
            let behind = attacks::direction(to, from).and_then(|direction| {
                let (files, ranks) = attacks::DIRECTIONS[direction];
                from.offset(files, ranks)
            });
            behind.and_then(enemy).map(|victim| (victim, CaptureMethod::Withdrawal)).into_iter().collect()
        }
        role::KING => enemy(to).map(|victim| (victim, CaptureMethod::Landing)).into_iter().collect(),
        // B5: the immobilizer takes nothing.
        _ => Vec::new(),
    };
    found
        .into_iter()
        .map(|(victim, method)| Taking { by: man, to, victim, method, imitated: imitating })
        .collect()
}
