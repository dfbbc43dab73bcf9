//! Compares reasons, takings, checks, attacks and frozen men with the rules, in random games and in positions
//! with scattered men.

use super::*;
use crate::{Piece, Setup, SquareSet, Variant};

/// Reproducible pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Returns a position with a random number of men on random squares, where pins, frozen men and leaps are
/// more frequent than in games; `None` if it is not playable.
fn scattered_position(variant: Variant, random: &mut Random) -> Option<AnyPosition> {
    let mut setup = Setup::empty(variant);
    let start = AnyPosition::initial(variant);
    let king = variant.role_of_name("king")?;
    let kings = (start.men_of_role(king) & start.men(Color::White)).len();
    let men = 2 + random.below(11);
    for color in Color::ALL {
        for index in 0..kings + men {
            let role =
                if index < kings { king } else { variant.roles()[random.below(variant.roles().len())].role };
            let square = Square::from_index(random.below(64));
            let surplus = index >= kings && role == king;
            let stray = variant.role_name(role) == "pawn" && SquareSet::BACK_RANKS.contains(square);
            if !surplus && !stray && setup.pieces[square.index()].is_none() {
                setup.pieces[square.index()] = Some(Piece { color, role });
            }
        }
        for role in variant.reserve_roles() {
            setup.reserves[color][role.index()] = (random.below(4) / 3) as u8;
        }
    }
    setup.side_to_move = Color::ALL[random.below(2)];
    if variant.has_castling() {
        let corners = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect::<SquareSet>();
        let with_castling = Setup { castling: corners, ..setup.clone() };
        if let Ok(position) = AnyPosition::from_setup(&with_castling) {
            return Some(position);
        }
    }
    AnyPosition::from_setup(&setup).ok()
}

/// Calls `visit` with positions from many games of a variant: before every `every`-th step, in the middle of
/// every chain, and where no legal step is left. Games are cut off after 80 steps.
fn positions(variant: Variant, every: usize, mut visit: impl FnMut(&AnyPosition, &mut Random)) {
    let mut random = Random(0xadb0_be5e_ed01 ^ variant.name().len() as u64);
    let mut chains = 0;
    for round in 0..60 {
        let mut position = AnyPosition::initial(variant);
        if round % 3 != 0 {
            let Some(other) = scattered_position(variant, &mut random) else { continue };
            position = other;
        }
        for played in 0..80 {
            chains += usize::from(position.chain().is_some());
            if played % every == 0 || position.chain().is_some() {
                visit(&position, &mut random);
            }
            let steps = position.legal_steps();
            if steps.is_empty() {
                visit(&position, &mut random);
                break;
            }
            position.play_unchecked(steps[random.below(steps.len())]);
        }
    }
    assert!(variant != Variant::Interweave || chains > 20, "{chains}");
}

/// Asserts that a step has reasons if and only if it is illegal, each reason once. Returns `true` if the step
/// is legal.
fn has_reasons_iff_illegal<P: Explain>(
    position: &P,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> bool {
    let found = find(position, from, to, promotion);
    let reasons = reasons(position, position.side_to_move(), from, to, promotion);
    assert_eq!(
        found.is_some(),
        reasons.is_empty(),
        "{} chain {:?}: {from}{to}{promotion:?}: {found:?}, {reasons:?}",
        position.fen(),
        position.chain(),
    );
    for reason in &reasons {
        assert_eq!(reasons.iter().filter(|other| *other == reason).count(), 1, "{reason:?} twice");
    }
    found.is_some()
}

fn check_every_pair(variant: Variant) {
    let (mut legal, mut illegal) = (0, 0);
    positions(variant, 15, |position, random| {
        for from in Square::ALL {
            for to in Square::ALL {
                let roles = variant.roles();
                let role = Some(roles[random.below(roles.len())].role);
                for promotion in [None, role] {
                    let is_legal = with_position!(position, position => {
                        has_reasons_iff_illegal(position, from, to, promotion)
                    });
                    if is_legal { legal += 1 } else { illegal += 1 }
                }
            }
        }
    });
    assert!(legal > 1_000 && illegal > 500_000, "{legal} {illegal}");
}

/// Declares a separate test for each game, so that the tests run in parallel.
macro_rules! every_pair_of {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {$(
        mod $module {
            #[test]
            fn a_step_has_reasons_iff_it_is_illegal() {
                super::check_every_pair(crate::Variant::$variant);
            }
        }
    )*};
}

crate::for_each_game!([every_pair_of]);

#[test]
fn explained_takings_match_the_men_taken() {
    for variant in Variant::ALL {
        let mut men = 0;
        positions(variant, 1, |position, _| {
            for &step in &position.legal_steps() {
                let legal =
                    with_position!(position, position => legal(position, step)).expect("a legal step");
                let victims: SquareSet = legal.takings.iter().map(|taking| taking.victim.square).collect();
                let legal_text = format!("{} {legal:?}", position.fen());
                assert_eq!(victims, position.taken(step), "{legal_text}");
                assert_eq!(victims.len(), legal.takings.len(), "each man is taken in one way: {legal_text}");
                assert_eq!(legal.to, position.destination(step));
                assert_eq!(
                    legal.chain_continues,
                    position.after(step).side_to_move() == position.side_to_move()
                );
                for taking in &legal.takings {
                    assert_eq!((taking.by, taking.to), (legal.man, legal.to), "{legal_text}");
                    assert_eq!(position.piece_at(taking.victim.square), Some(taking.victim.piece));
                }
                men += victims.len();
            }
        });
        assert!(men > 300, "{variant}: {men}");
    }
}

#[test]
fn checks_are_explained_iff_the_king_is_in_check() {
    for variant in Variant::ALL {
        let mut in_check = 0;
        positions(variant, 4, |position, _| {
            let about = super::position(position, DrawRules::Club);
            let kings: SquareSet = about.checks.iter().map(|check| check.victim.square).collect();
            assert_eq!(kings, position.checked_kings(), "{}", position.fen());
            assert_eq!(about.outcome, position.outcome(DrawRules::Club));
            in_check += usize::from(kings.any());
        });
        assert_eq!(in_check > 20, variant.info().royal.is_some(), "{variant}: {in_check}");
    }
}

#[test]
fn attacks_and_attackers_agree() {
    for variant in Variant::ALL {
        positions(variant, 12, |position, _| {
            let men: Vec<_> =
                Square::ALL.into_iter().filter_map(|square| super::man(position, square)).collect();
            let mut attacks: Vec<_> = men.iter().flat_map(|man| man.attacks.clone()).collect();
            let mut attacked: Vec<_> = men.iter().flat_map(|man| man.attacked_by.clone()).collect();
            let order = |taking: &Taking| (taking.by.square, taking.victim.square, taking.to);
            attacks.sort_by_key(order);
            attacked.sort_by_key(order);
            assert_eq!(attacks, attacked, "{}", position.fen());
            let own = men.iter().filter(|about| about.man.color() == position.side_to_move());
            let steps: usize = own.map(|about| about.steps.len()).sum();
            assert_eq!(steps, position.count_steps(), "{}", position.fen());
        });
    }
}

fn men_are_frozen_iff_there_is_a_reason(variant: Variant, clause: &str) {
    let info = variant.info().freezing.expect("a game with immobilizers");
    let mut frozen = 0;
    positions(variant, 4, |position, _| {
        let [immobilizers, chameleons] =
            [info.immobilizer, info.chameleon].map(|role| position.men_of_role(role));
        for color in Color::ALL {
            let explained: SquareSet = position
                .men(color)
                .into_iter()
                .filter_map(|square| super::man(position, square))
                .filter(|about| about.holding.iter().any(|reason| reason.clause(variant) == clause))
                .map(|about| about.man.square)
                .collect();
            let expected = info.frozen(position.men(color), position.men(!color), immobilizers, chameleons);
            assert_eq!(explained, expected, "{}", position.fen());
            frozen += explained.len();
        }
    });
    assert!(frozen > 100, "{frozen}");
}

#[test]
fn b4_men_are_frozen_iff_there_is_a_reason() {
    men_are_frozen_iff_there_is_a_reason(Variant::Baroque, "B4");
}

#[test]
fn u4_men_are_frozen_iff_there_is_a_reason() {
    men_are_frozen_iff_there_is_a_reason(Variant::Ultima, "U4");
}
