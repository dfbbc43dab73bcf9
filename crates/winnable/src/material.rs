//! Material that is insufficient for mate, wherever the men stand.

use adoube_rules::{Chess, Color, Position, SquareSet, variant::chess::role};

/// Returns `true` if a side has too little material to mate in this position or any later one.
///
/// Only captures and promotions change the material. So if the winner has no pawns, and the loser has none or
/// their promotions do not matter, a statement about the present men holds in all later positions.
///
/// * *A lone king* never gives check.
/// * *One knight against queens only.* Let the knight check the king on t from t + (1, 2); the other seven
///   cases are mirror images. The flights t + (0, 1) and t + (1, 0) are on the board, because the knight is.
///   They have the shade of the knight's own square, and a knight attacks only the other shade. The winner's
///   king is not next to t, so it covers at most one of the four flights orthogonally adjacent to t. So a
///   queen blocks one of these two. On t + (0, 1) it is diagonally next to the knight. On t + (1, 0) it
///   attacks the knight through t + (1, 1), unless another queen is there, which is then next to the knight
///   itself. (The winner's king is not there, because it would be next to t.) One of these queens can capture
///   the knight: nothing pins it, because the winner has no other man. So this is not mate.
/// * *Bishops of one shade against rooks, queens and bishops of that shade.* Let a bishop check the king on
///   t; there is no second check at the same time (see `pattern`). The orthogonal flights of t are of the
///   other shade, so no bishop covers or blocks them, and the winner's king covers at most one. So at most
///   one of those on the board has no rook or queen. Let d be the square diagonally next to t towards the
///   checker: the checker's square, or an empty one. Two orthogonal flights are adjacent to d, and at least
///   one of them contains a rook or queen, which moves to d and captures the checker or blocks the check.
///   Nothing pins it, because a line through t and an orthogonally adjacent square is not a bishop's line.
pub(super) fn is_insufficient(position: &Chess, winner: Color) -> bool {
    let roles = [role::PAWN, role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN]
        .map(|role| position.men_of_role(role));
    is_insufficient_for(&roles, position.men(winner), position.men(!winner))
}

/// Decides the same for sets of squares. `roles` are the pawns, knights, bishops, rooks and queens of both
/// sides; `ours` are the winner's men, `theirs` the loser's.
pub(super) fn is_insufficient_for(roles: &[SquareSet; 5], ours: SquareSet, theirs: SquareSet) -> bool {
    let &[pawns, knights, bishops, rooks, queens] = roles;
    if ((pawns | rooks | queens) & ours).any() {
        return false;
    }
    // Kings are in none of the five sets.
    let other_than_queens = (pawns | knights | bishops | rooks) & theirs;
    let (our_bishops, our_knights) = (bishops & ours, knights & ours);
    match (our_knights.is_empty(), our_bishops.is_empty()) {
        (true, true) => true,
        (false, true) => !our_knights.more_than_one() && other_than_queens.is_empty(),
        (true, false) => {
            let light = (our_bishops & SquareSet::LIGHT).any();
            let shade = if light { SquareSet::LIGHT } else { SquareSet::DARK };
            // The loser's pawns may become knights, or bishops of the other shade.
            (our_bishops - shade).is_empty() && (other_than_queens - rooks - (bishops & shade)).is_empty()
        }
        (false, false) => false,
    }
}
