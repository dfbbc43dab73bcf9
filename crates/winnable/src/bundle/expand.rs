//! Expands scenes: plays the turns of both sides for all squares of the free king at once.

use adoube_rules::{
    Color, Position, Rank, SquareSet, attacks,
    variant::chess::{PROMOTIONS, role},
};

use super::{Bundles, Event, Scene, Source, neighbours};
use crate::reach::forward;

impl Bundles {
    /// Expands the pending squares of a scene.
    pub(super) fn expand(&mut self, index: u32) {
        let seen = &mut self.scenes[index as usize];
        let kings = std::mem::take(&mut seen.pending);
        let reached_by_promotion = std::mem::take(&mut seen.reached_by_promotion);
        let scene = seen.scene();
        // Most scenes reached by a promotion are never expanded, so `is_hopeless` is not called earlier.
        if self.is_over(&scene) || reached_by_promotion && self.is_hopeless(&scene, kings) {
            return;
        }
        self.enemies = scene.men[!scene.side_to_move];
        self.sources.push(Source { scene: index, kings });
        self.source = self.sources.len() as u32 - 1;
        let us = scene.side_to_move;
        let own = scene.men[us];
        let enemies = scene.men[!us];
        let occupied = scene.occupied();
        let takable = enemies - SquareSet::of(scene.king);
        let mut quiet = Scene { en_passant: None, side_to_move: !us, ..scene };
        // The kings' turns are played on copies of this scene.
        quiet.castling[us.index()] = 0;
        // The squares of the free king for which the side to move has a legal turn.
        let mut moving = SquareSet::EMPTY;
        // The squares of the free king for which the side to move is in check.
        let checked = if us == self.free {
            let entered = neighbours(kings) - own - SquareSet::of(scene.king);
            let attacked = scene.attacked(!us);
            // A king that captures nothing leaves the enemy's attacks unchanged.
            let legal = entered - enemies - attacked;
            self.created += 1;
            self.note(&quiet, legal, false);
            moving |= neighbours(legal);
            for victim in entered & takable {
                let mut next = quiet;
                next.take(victim);
                moving |= neighbours(self.add_turn(&next, SquareSet::of(victim), false));
            }
            kings & attacked
        } else {
            for to in attacks::king(scene.king) - own {
                let mut next = quiet;
                next.take(to);
                next.men[us].remove(scene.king);
                next.men[us].insert(to);
                next.king = to;
                moving |= self.add_turn(&next, kings - SquareSet::of(to), false);
            }
            kings - scene.safe(self.free)
        };
        for moved in [role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN] {
            for from in own & scene.of_role(moved) {
                let targets = match moved {
                    role::KNIGHT => attacks::knight(from),
                    role::BISHOP => attacks::bishop(from, occupied),
                    role::ROOK => attacks::rook(from, occupied),
                    _ => attacks::queen(from, occupied),
                };
                for to in targets - own - (enemies - takable) {
                    let kings = kings - attacks::between(from, to) - SquareSet::of(to);
                    moving |= self.add_turn(&scene.after(moved, from, to), kings, false);
                }
            }
        }
        moving |= self.expand_pawns(&scene, kings);
        if scene.castling[us.index()] != 0 {
            moving |= self.expand_castling(&scene, kings);
        }
        let mates = (checked & kings) - moving;
        if let Some(king) = mates.first()
            && self.open[!us]
        {
            self.events.push(Event { scene: index, king, color: !us, mate: true });
        }
        self.store_positions();
    }

    /// Expands castling. Returns the squares of the free king for which it is possible.
    fn expand_castling(&mut self, scene: &Scene, kings: SquareSet) -> SquareSet {
        let us = scene.side_to_move;
        let Some(king) = (if us == self.free { kings.first() } else { Some(scene.king) }) else {
            return SquareSet::EMPTY;
        };
        let standing = scene.occupied();
        let rooks = scene.castling_rooks() & scene.men[us];
        if rooks.into_iter().all(|rook| (attacks::between(king, rook) & standing).any()) {
            return SquareSet::EMPTY;
        }
        let mut castling = SquareSet::EMPTY;
        for king in kings {
            let Some(position) = scene.position(self.free, king) else {
                self.is_incomplete = true;
                continue;
            };
            for step in position.legal_steps() {
                if position.is_castling(step) {
                    let next = position.after(step);
                    castling.insert(king);
                    self.created += 1;
                    let kings = SquareSet::of(next.king(self.free));
                    self.note(&Scene::of(&next, self.free), kings, false);
                }
            }
        }
        castling
    }

    /// Expands the pawns' turns. Returns the squares of the free king for which a pawn can move.
    fn expand_pawns(&mut self, scene: &Scene, kings: SquareSet) -> SquareSet {
        let us = scene.side_to_move;
        let occupied = scene.occupied();
        let takable = scene.men[!us] - SquareSet::of(scene.king);
        let ahead = forward(us);
        let (last, start) = if us == Color::White {
            (SquareSet::rank(Rank::Eighth), SquareSet::rank(Rank::Second))
        } else {
            (SquareSet::rank(Rank::First), SquareSet::rank(Rank::Seventh))
        };
        let mut moving = SquareSet::EMPTY;
        for from in scene.men[us] & scene.of_role(role::PAWN) {
            let pawn = SquareSet::of(from);
            let single = pawn.step(0, ahead) - occupied;
            let takings = attacks::pawn(us, from);
            for to in single | takings & takable {
                let kings = kings - SquareSet::of(to);
                let next = scene.after(role::PAWN, from, to);
                if !last.contains(to) {
                    moving |= self.add_turn(&next, kings, false);
                    continue;
                }
                for promotion in PROMOTIONS {
                    let mut next = next;
                    next.roles[role::PAWN.index()].remove(to);
                    next.roles[promotion.index()].insert(to);
                    moving |= self.add_turn(&next, kings, true);
                }
            }
            if (pawn & start).any() {
                for to in single.step(0, ahead) - occupied {
                    let mut next = scene.after(role::PAWN, from, to);
                    if let Some(crossed) = single.first()
                        && (attacks::pawn(us, crossed) & scene.men[!us] & scene.of_role(role::PAWN)).any()
                    {
                        next.en_passant = Some(crossed);
                    }
                    moving |= self.add_turn(&next, kings - single - SquareSet::of(to), false);
                }
            }
            if let Some(crossed) = scene.en_passant
                && takings.contains(crossed)
            {
                let mut next = scene.after(role::PAWN, from, crossed);
                for taken in SquareSet::of(crossed).step(0, -ahead) {
                    next.take(taken);
                }
                moving |= self.add_turn(&next, kings - SquareSet::of(crossed), false);
            }
        }
        moving
    }
}
