//! Compares threats and legal steps with the result of playing all the enemy's moves.

use super::*;

impl<R: Rules> AbbottPosition<R>
where
    Self: Position,
{
    /// Calls `visit` for each man of the side to move that is not frozen, with its role, its square and the
    /// squares that it can reach under B2–B11. Ignores the safety of the king.
    fn pseudo_legal(&self, mut visit: impl FnMut(Role, Square, SquareSet)) {
        let men = &self.men;
        let occupied = men.occupied();
        let (own, enemies) = (men.color(self.side_to_move), men.color(!self.side_to_move));
        let frozen = immobilized::<R>(men, self.side_to_move);
        let movable = own - frozen;
        for from in men.role(role::PINCER_PAWN) & movable {
            visit(role::PINCER_PAWN, from, attacks::rook(from, occupied) - occupied);
        }
        for role in [role::COORDINATOR, role::WITHDRAWER, role::IMMOBILIZER] {
            for from in men.role(role) & movable {
                visit(role, from, attacks::queen(from, occupied) - occupied);
            }
        }
        for from in men.role(role::LONG_LEAPER) & movable {
            let quiet = attacks::queen(from, occupied) - occupied;
            visit(role::LONG_LEAPER, from, quiet | captures::leaps(from, occupied, enemies));
        }
        for from in men.role(role::CHAMELEON) & movable {
            let quiet = attacks::queen(from, occupied) - occupied;
            let leapers = men.role(role::LONG_LEAPER) & enemies;
            // B11: a chameleon next to the enemy king can take it by landing, as a king does.
            let king = attacks::king(from) & men.role(role::KING) & enemies;
            visit(role::CHAMELEON, from, quiet | captures::leaps(from, occupied, leapers) | king);
        }
        for from in men.role(role::KING) & movable {
            visit(role::KING, from, attacks::king(from) - own);
        }
    }

    /// Returns `true` if, with the enemy to move, one of its moves would take the king: the definition of
    /// B12.
    fn king_can_be_taken(men: &Men, color: Color) -> bool {
        let enemy_to_move = Self {
            men: men.clone(),
            hash: 0,
            side_to_move: !color,
            halfmove_clock: 0,
            fullmove_number: 1,
            rules: PhantomData,
        };
        let king = SquareSet::of(king(men, color));
        let mut taken = false;
        enemy_to_move.pseudo_legal(|role, from, targets| {
            for to in targets {
                taken |= (captures::taken(men, !color, role, from, to) & king).any();
            }
        });
        taken
    }
}

/// Compares threats and legal steps with the result of playing all the enemy's moves, in random games.
pub(in super::super) fn threats_match_playing_all_enemy_moves<R: Rules>()
where
    AbbottPosition<R>: Position,
{
    let mut random = 0x5eed_0000_ba20_c0de_u64;
    let mut below = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % bound
    };
    let (mut threatened, mut checked, mut given_up) = (0, 0, 0);
    for _ in 0..150 {
        let start = R::VARIANT.initial_setup();
        let mut position = AbbottPosition::<R>::from_setup(&start).expect("the start");
        for _ in 0..120 {
            let us = position.side_to_move;
            let mut legal = Vec::new();
            let mut compare = |men: &Men, step: Step| {
                let by_definition = AbbottPosition::<R>::king_can_be_taken(men, us);
                let threats = threats::king_threats::<R>(men, us);
                assert_eq!(threats.any(), by_definition, "{} {step:?}", position.fen());
                checked += 1;
                threatened += usize::from(by_definition);
                if !by_definition {
                    legal.push(step);
                }
            };
            position.pseudo_legal(|role, from, targets| {
                for to in targets {
                    let mut men = position.men.clone();
                    men.clear(captures::taken(&men, us, role, from, to));
                    men.shift(from, to, Piece { color: us, role });
                    compare(&men, Step::new(from, to));
                }
            });
            for square in position.can_give_up(us) {
                let mut men = position.men.clone();
                men.clear(SquareSet::of(square));
                compare(&men, Step::new(square, square));
            }
            let mut listed = position.legal_steps().to_vec();
            listed.sort();
            legal.sort();
            assert_eq!(listed, legal, "{}", position.fen());
            if legal.is_empty() {
                break;
            }
            let step = legal[below(legal.len())];
            given_up += usize::from(position.gives_up(step));
            position.play_unchecked(step);
        }
    }
    assert!(threatened > 10_000 && checked > 500_000, "{threatened} of {checked}");
    assert_eq!(given_up > 100, R::FREEZING.gives_up, "{given_up}");
}
