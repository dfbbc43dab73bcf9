//! Men too few to mate wherever they stand.

use adoube_rules::{Chess, Color, Position, SquareSet, variant::chess::role};

/// Returns whether a side has too little to mate in this position or any behind it.
///
/// Men are only ever taken, and pawns promoted; so what holds of the men now holds of those of all positions to come
/// if the winner has no pawns, and if the loser has none or it does not matter what they become.
///
/// * *A bare king* gives no check.
/// * *One knight against queens alone.* Let the knight check the king on t from t + (1, 2), the other seven ways
///   being mirror images. The flights t + (0, 1) and t + (1, 0) are on the board, since the knight is, and they are of
///   the knight's own shade, which it does not attack. The winner's king is not next to t, so it covers at most
///   one of the four flights beside t. So a queen blocks one of these two. On t + (0, 1) it stands next to the knight,
///   diagonally; on t + (1, 0) it looks at it over t + (1, 1), where nobody stands but another queen, next to the
///   knight (the winner's king would be next to t). That queen takes the knight: nothing pins it, since the
///   winner has no other man, and then there is no check.
/// * *Bishops of one shade against rooks, queens and bishops of that shade.* Let a bishop check the king on t; no
///   other does at the same time (see `pattern`). Flights beside t are of the other shade, so no bishop covers or
///   blocks them, and the winner's king covers one at most. So of those that are on the board all but one hold
///   rooks or queens. Let d be the square diagonally next to t towards the checker: the checker's, or an empty one.
///   Two flights beside t lie next to d, and of these at least one holds a rook or queen, which goes to d and
///   takes the checker or steps in between. Nothing pins it: a line through t and a square beside it is no bishop's.
pub(super) fn too_little(position: &Chess, winner: Color) -> bool {
    let roles = [role::PAWN, role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN]
        .map(|role| position.men_of_role(role));
    too_little_of(&roles, position.men(winner), position.men(!winner))
}

/// The same of sets: pawns, knights, bishops, rooks and queens of both sides, then the winner's men and the loser's.
pub(super) fn too_little_of(roles: &[SquareSet; 5], ours: SquareSet, theirs: SquareSet) -> bool {
    let &[pawns, knights, bishops, rooks, queens] = roles;
    if ((pawns | rooks | queens) & ours).any() {
        return false;
    }
    // Kings are in none of the five sets.
    let other_than_queens = (pawns | knights | bishops | rooks) & theirs;
    let (bishops_of_ours, knights_of_ours) = (bishops & ours, knights & ours);
    match (knights_of_ours.is_empty(), bishops_of_ours.is_empty()) {
        (true, true) => true,
        (false, true) => !knights_of_ours.more_than_one() && other_than_queens.is_empty(),
        (true, false) => {
            let light = (bishops_of_ours & SquareSet::LIGHT).any();
            let shade = if light { SquareSet::LIGHT } else { SquareSet::DARK };
            // The loser's pawns may become knights, or bishops of the other shade.
            (bishops_of_ours - shade).is_empty() && (other_than_queens - rooks - (bishops & shade)).is_empty()
        }
        (false, false) => false,
    }
}
