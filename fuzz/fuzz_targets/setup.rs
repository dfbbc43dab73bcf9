//! Input: a setup and steps. The setup is playable or refused with reasons, and the steps of a playable one
//! keep the position consistent.
#![no_main]

use adoube_rules::{
    AnyPosition, Color, DrawRules, EnPassant, Piece, Position, Role, SearchPosition, Setup, Square,
    SquareSet, Variant,
};
use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    variant: u8,
    men: Vec<(u8, u8)>,
    black: bool,
    castling: u64,
    en_passant: Option<(u8, u8)>,
    reserves: Vec<(u8, u8)>,
    halfmove_clock: u16,
    fullmove_number: u16,
    choices: Vec<u8>,
}

fuzz_target!(|input: Input| {
    let variant = Variant::ALL[usize::from(input.variant) % Variant::COUNT];
    let mut setup = Setup::empty(variant);
    for (square, man) in input.men.iter().take(40) {
        // Includes roles that the game lacks.
        let role = Role::new(usize::from(man >> 1) % Role::MAX);
        let color = Color::ALL[usize::from(man & 1)];
        setup.pieces[usize::from(*square) % 64] = Some(Piece { color, role });
    }
    setup.side_to_move = if input.black { Color::Black } else { Color::White };
    // Only chess has castling; rights in another game would make every setup unplayable.
    setup.castling = if variant == Variant::Chess { SquareSet(input.castling) } else { SquareSet::EMPTY };
    setup.en_passant = input.en_passant.map(|(crossed, pawn)| EnPassant {
        crossed: Square::from_index(crossed.into()),
        pawn: Square::from_index(pawn.into()),
    });
    for (man, count) in input.reserves {
        let (color, index) = (Color::ALL[usize::from(man & 1)], usize::from(man >> 1) % Role::MAX);
        setup.reserves[color][index] = count;
    }
    setup.halfmove_clock = input.halfmove_clock;
    setup.fullmove_number = input.fullmove_number;

    let mut position = match AnyPosition::from_setup(&setup) {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.problems().is_empty() && !error.to_string().is_empty());
            assert!(!setup.to_string().is_empty() && !format!("{setup:?}").is_empty());
            return;
        }
    };
    for choice in input.choices.iter().take(64) {
        let steps = position.legal_steps();
        assert_eq!(steps.len(), position.count_steps());
        let outcome = position.outcome(DrawRules::Club);
        if steps.is_empty() {
            assert!(outcome.is_some());
            return;
        }
        let step = steps[usize::from(*choice) % steps.len()];
        let (side, taken) = (position.side_to_move(), position.taken(step));
        let (own, enemies) = (position.men(side), position.men(!side));
        let given_up = usize::from(position.gives_up(step));
        position.play_unchecked(step);
        assert_eq!(position.men(!side), enemies - taken);
        assert_eq!(position.men(side).len() + given_up, own.len());
        if position.chain().is_none() {
            let again = AnyPosition::from_setup(&position.to_setup()).expect("a position that was reached");
            assert_eq!(again.key(), position.key());
        }
    }
});
