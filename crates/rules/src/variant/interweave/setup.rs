//! Conversion between setups and positions.

use super::{Interweave, RESERVE_ROLES, role, steps};
use crate::{
    color::{ByColor, Color},
    role::Role,
    setup::{MAX_MEN, PositionError, Setup, SetupProblem},
    variant::Variant,
    zobrist::{self, MAX_RESERVE},
};

/// Converts a setup to a position, or returns the reasons why it cannot be played.
pub(super) fn from_setup(setup: &Setup) -> Result<Interweave, PositionError> {
    setup.check_variant(Variant::Interweave)?;
    let (men, hash) = setup.to_board();
    let mut position = Interweave {
        men,
        hash,
        reserves: ByColor::default(),
        side_to_move: setup.side_to_move,
        chain: None,
        en_passant: None,
        halfmove_clock: setup.halfmove_clock,
        fullmove_number: setup.fullmove_number,
    };
    let mut problems = Vec::new();
    let kings = ByColor::new_with(|color| position.men.piece(color, role::KING).len());
    for color in Color::ALL {
        if kings[color] > 2 {
            problems.push(SetupProblem::Kings { color, found: kings[color], expected: 0..=2 });
        }
        let mut in_reserve = 0;
        for (index, &count) in setup.reserves[color].iter().enumerate() {
            let role = Role::new(index);
            in_reserve += usize::from(count);
            if RESERVE_ROLES.contains(&role) && usize::from(count) <= MAX_RESERVE {
                position.reserves[color][index] = count;
                position.hash ^= zobrist::reserve(color, role, 0) ^ zobrist::reserve(color, role, count);
            } else if count > 0 {
                problems.push(SetupProblem::Reserve { color });
            }
        }
        let found = position.men.color(color).len() + in_reserve;
        if found > MAX_MEN {
            problems.push(SetupProblem::TooManyMen { color, found });
        }
    }
    // The first taking of a king ends the game (I3), so only one side can lack kings. It may lack both,
    // because a remover can take two at once.
    if kings.white < 2 && kings.black < 2 {
        problems.push(SetupProblem::BothKingsMissing);
    }
    if setup.castling.any() {
        problems.push(SetupProblem::NoCastling(Variant::Interweave));
    }
    if let Some(en_passant) = setup.en_passant {
        if steps::en_passant_is_plausible(&position.men, !setup.side_to_move, en_passant) {
            position.en_passant = Some(en_passant);
        } else {
            problems.push(SetupProblem::EnPassant(en_passant.crossed));
        }
    }
    PositionError::check(problems)?;
    Ok(position)
}

/// Converts a position to a setup.
pub(super) fn to_setup(position: &Interweave) -> Setup {
    let mut setup = Setup::from_board(Variant::Interweave, &position.men);
    for color in Color::ALL {
        for role in RESERVE_ROLES {
            setup.reserves[color][role.index()] = position.reserves[color][role.index()];
        }
    }
    setup.side_to_move = position.side_to_move;
    setup.en_passant = position.double_advance();
    setup.halfmove_clock = position.halfmove_clock;
    setup.fullmove_number = position.fullmove_number;
    setup
}
