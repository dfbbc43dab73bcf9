//! Conversion between setups and positions.

use super::{Chess, en_passant_pawn, role};
use crate::{
    color::Color,
    setup::{EnPassant, PositionError, Setup, SetupProblem, army_problems},
    square::Rank,
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};

/// Converts a setup to a position, or returns the reasons why it cannot be played. Castling rights, en
/// passant and check are examined only if the men are acceptable.
pub(super) fn from_setup(setup: &Setup) -> Result<Chess, PositionError> {
    setup.check_variant(Variant::Chess)?;
    let (board, hash) = setup.to_board();
    let mut position = Chess {
        board,
        hash,
        castling: SquareSet::EMPTY,
        side_to_move: setup.side_to_move,
        en_passant: None,
        halfmove_clock: setup.halfmove_clock,
        fullmove_number: setup.fullmove_number,
    };
    let mut problems = army_problems(&position.board, role::KING);
    let stray = position.board.role(role::PAWN) & SquareSet::BACK_RANKS;
    problems.extend(stray.into_iter().map(SetupProblem::PawnRank));
    PositionError::check(problems)?;

    let mut problems = Vec::new();
    for rook in setup.castling {
        let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        let back_rank = if color == Color::White { Rank::First } else { Rank::Eighth };
        let in_place = rook.rank() == back_rank
            && position.king(color).rank() == back_rank
            && position.board.piece(color, role::ROOK).contains(rook);
        // Of two rooks on one side of the king, at most one can be unmoved. If both have the right, the inner
        // rook's is refused.
        let (file, king) = (rook.file(), position.king(color).file());
        let is_inner =
            setup.castling.into_iter().map(|other| (other.rank(), other.file())).any(|(rank, other)| {
                rank == rook.rank() && if file > king { other > file } else { other < file }
            });
        if !in_place {
            problems.push(SetupProblem::Castling(rook));
        } else if is_inner {
            problems.push(SetupProblem::CastlingTwice(rook));
        } else {
            position.castling.insert(rook);
            position.hash ^= zobrist::castling(rook);
        }
    }
    if let Some(EnPassant { crossed, .. }) = setup.en_passant {
        let rank = if setup.side_to_move == Color::White { Rank::Sixth } else { Rank::Third };
        let origin = if setup.side_to_move == Color::White { 1 } else { -1 };
        let plausible = crossed.rank() == rank
            && position
                .board
                .piece(!setup.side_to_move, role::PAWN)
                .contains(en_passant_pawn(crossed, setup.side_to_move))
            && position.board.color_at(crossed).is_none()
            && crossed.offset(0, origin).is_some_and(|from| position.board.color_at(from).is_none());
        if plausible {
            position.en_passant = Some(crossed);
        } else {
            problems.push(SetupProblem::EnPassant(crossed));
        }
    }
    let king = position.king(!setup.side_to_move);
    if position.attackers(king, setup.side_to_move, position.board.occupied()).any() {
        problems.push(SetupProblem::OpponentInCheck(!setup.side_to_move));
    }
    PositionError::check(problems)?;
    Ok(position)
}

/// Converts a position to a setup.
pub(super) fn to_setup(position: &Chess) -> Setup {
    let mut setup = Setup::from_board(Variant::Chess, &position.board);
    setup.side_to_move = position.side_to_move;
    setup.castling = position.castling;
    setup.en_passant = position
        .en_passant
        .map(|crossed| EnPassant { crossed, pawn: en_passant_pawn(crossed, position.side_to_move) });
    setup.halfmove_clock = position.halfmove_clock;
    setup.fullmove_number = position.fullmove_number;
    setup
}
