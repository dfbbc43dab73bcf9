//! Scales down advantages in chess endings that are usually drawn despite the material.
//!
//! These are textbook rules:
//!
//! - Without pawns, a lead of a minor piece or less rarely wins, and two knights alone do not win.
//! - A bishop and a rook pawn do not win if the bishop cannot attack the promotion corner and the enemy king
//!   has reached it.
//! - With bishops of opposite colours, a side one or two pawns down usually draws.
//!
//! A network learns which squares are good for a man. To learn that bishops of opposite colours never meet,
//! it would have to consider pairs of squares, and it is too small for that.
//!
//! The shares were set by hand to values typical of such rules, and are not tuned.

use adoube_rules::{
    Chess, Color, File, Position, Role, Square, SquareSet,
    variant::chess::role::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

use super::passed_pawns;
use crate::eval::{FULL_SHARE as FULL, Searchable, distance};

/// The share in an ending that is drawn unless one side blunders.
const DRAWN_SHARE: i32 = 8;

/// The largest total value of the men of both sides, pawns included, for which endings are considered.
pub(crate) const MAX_WORTH: i32 = 2_800;

/// Returns the factor, in 256ths, by which to scale the advantage of the stronger side.
pub(crate) fn share(position: &Chess, stronger: Color) -> i32 {
    let men_of = |color: Color, role: Role| position.men_of_role(role) & position.men(color);
    let pawns = men_of(stronger, PAWN);
    let non_pawns = |color: Color| position.men(color) - men_of(color, PAWN) - men_of(color, KING);
    let (own, other) = (non_pawns(stronger), non_pawns(!stronger));
    if pawns.is_empty() {
        return without_pawns(position, stronger, own, other);
    }
    if (own - men_of(stronger, BISHOP)).is_empty() && is_wrong_bishop_draw(position, stronger, pawns, own) {
        return DRAWN_SHARE;
    }
    let bishops = [men_of(stronger, BISHOP), men_of(!stronger, BISHOP)];
    let are_opposite = bishops.iter().all(|bishops| bishops.len() == 1)
        && bishops.iter().filter(|&&bishop| (bishop & SquareSet::DARK).any()).count() == 1;
    if !are_opposite {
        return FULL;
    }
    if own.len() > 1 || other.len() > 1 {
        // With other men on the board, a bishop that no enemy bishop can oppose is also an extra attacker.
        return 96 + 12 * position.men(stronger).len() as i32;
    }
    if pawns.len() == 1 {
        return 24;
    }
    64 + 24 * passed_pawns(position, stronger).len() as i32
}

fn without_pawns(position: &Chess, stronger: Color, own: SquareSet, other: SquareSet) -> i32 {
    let worth = |men: SquareSet| -> i32 {
        let count_of = |role: Role| (position.men_of_role(role) & men).len() as i32;
        [KNIGHT, BISHOP, ROOK, QUEEN].map(|role| count_of(role) * Chess::VALUES[role.index()]).iter().sum()
    };
    let (own_worth, other_worth) = (worth(own), worth(other));
    let only_knights = (own - position.men_of_role(KNIGHT)).is_empty();
    let has_pawns = (position.men_of_role(PAWN) & position.men(!stronger)).any();
    match own_worth - other_worth {
        // Two knights can force mate only if the opponent has a pawn to move.
        _ if only_knights && own.len() <= 2 && !has_pawns => DRAWN_SHARE,
        more if more > Chess::VALUES[BISHOP.index()] => FULL,
        _ if own_worth < Chess::VALUES[ROOK.index()] => DRAWN_SHARE,
        _ if other_worth <= Chess::VALUES[BISHOP.index()] => 32,
        _ => 72,
    }
}

/// Returns `true` if all pawns head for a corner that the enemy king has reached, and no bishop can drive the
/// king out.
fn is_wrong_bishop_draw(position: &Chess, stronger: Color, pawns: SquareSet, bishops: SquareSet) -> bool {
    let corner = match (stronger, (pawns - SquareSet::file(File::A)).is_empty()) {
        (Color::White, true) => Square::A8,
        (Color::Black, true) => Square::A1,
        _ if (pawns - SquareSet::file(File::H)).any() => return false,
        (Color::White, false) => Square::H8,
        (Color::Black, false) => Square::H1,
    };
    (bishops & SquareSet::same_shade(corner)).is_empty() && distance(position.king(!stronger), corner) <= 1
}

#[cfg(test)]
mod tests {

    use super::*;

    /// Returns the factor for White's advantage, in 256ths, and checks that Black's is the same with colours
    /// reversed.
    #[track_caller]
    fn white_has(fen: &str) -> i32 {
        let position: Chess = Chess::from_fen(fen).expect("a position");
        let share = super::share(&position, Color::White);
        let (board, rest) = fen.split_once(' ').expect("fields");
        let exchanged: String = board
            .chars()
            .map(|man| match man {
                man if man.is_ascii_lowercase() => man.to_ascii_uppercase(),
                man => man.to_ascii_lowercase(),
            })
            .collect();
        let ranks: Vec<_> = exchanged.split('/').rev().collect();
        let turn = if rest.starts_with('w') { 'b' } else { 'w' };
        let mirrored: Chess =
            Chess::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))).expect("a position");
        assert_eq!(super::share(&mirrored, Color::Black), share, "{fen}");
        share
    }

    #[test]
    fn a_bishop_must_have_the_color_of_the_corner() {
        assert_eq!(white_has("k7/8/P7/8/3K4/8/8/4B3 w - - 0 1"), DRAWN_SHARE, "a8 is light, e1 is dark");
        assert_eq!(white_has("k7/8/P7/8/3K4/8/8/5B2 w - - 0 1"), FULL, "f1 is light, too");
        assert_eq!(
            white_has("7k/8/7P/7P/3K4/8/8/5B2 w - - 0 1"),
            DRAWN_SHARE,
            "two pawns are no better than one"
        );
        assert_eq!(white_has("8/8/P7/8/3K2k1/8/8/4B3 w - - 0 1"), FULL, "the king is too far away");
        assert_eq!(white_has("k7/8/P7/1P6/3K4/8/8/4B3 w - - 0 1"), FULL, "another pawn drives the king out");
        assert_eq!(white_has("k7/8/P7/8/3K4/8/8/4N3 w - - 0 1"), FULL, "a knight reaches all squares");
        assert_eq!(white_has("k7/8/P7/8/3K4/8/8/8 w - - 0 1"), DRAWN_SHARE, "a lone rook pawn");
    }

    #[test]
    fn without_pawns_a_win_needs_more_than_an_extra_bishop() {
        assert_eq!(white_has("8/3k4/8/8/8/3K4/8/3B4 w - - 0 1"), DRAWN_SHARE);
        assert_eq!(white_has("8/3k4/8/8/8/3K4/8/2NN4 w - - 0 1"), DRAWN_SHARE, "two knights");
        assert_eq!(white_has("8/3k4/8/8/8/3K4/8/2BN4 w - - 0 1"), FULL);
        assert_eq!(white_has("8/3k4/8/8/8/3K4/8/3R4 w - - 0 1"), FULL);
        assert!(white_has("8/3kb3/8/8/8/3K4/8/3R4 w - - 0 1") < FULL / 4, "a rook against a bishop");
        assert!(
            white_has("8/3kr3/8/8/8/3K4/8/2BR4 w - - 0 1") < FULL / 2,
            "a rook and a bishop against a rook"
        );
        assert_eq!(white_has("8/3kr3/8/8/8/3K4/8/3Q4 w - - 0 1"), FULL, "a queen against a rook");
    }

    #[test]
    fn bishops_of_opposite_colors_draw_a_pawn_or_two_down() {
        assert_eq!(white_has("8/2kb4/8/8/1P6/8/3KB3/8 w - - 0 1"), FULL, "both are on light squares");
        let one = white_has("8/3kb3/8/8/1P6/8/3KB3/8 w - - 0 1");
        let two = white_has("8/3kb3/8/8/1P5P/8/3KB3/8 w - - 0 1");
        let stopped = white_has("8/2pkb2p/8/8/1P5P/8/3KB3/8 w - - 0 1");
        let with_rooks = white_has("3r4/2pkb2p/8/8/1P5P/8/3KB3/3R4 w - - 0 1");
        assert!(one < stopped && stopped < two && two < with_rooks && with_rooks < FULL);
    }
}
