//! The output of the engine.

use std::{fmt::Write as _, time::Duration};

use adoube_rules::{Position, Turn, Variant, coordinate};

use crate::{Info, Odds, Score, ScoreBound};

/// Returns a turn in UCI notation. With `onto_rook`, castling is always written as the king capturing its
/// rook, as `UCI_Chess960` requires.
pub(super) fn turn<P: Position>(position: &P, turn: &Turn, onto_rook: bool) -> String {
    match turn.steps() {
        [step] if onto_rook && position.destination(*step) != step.to() => {
            format!("{}{}", step.from(), step.to())
        }
        _ => coordinate::write(position, turn),
    }
}

/// Returns a score in UCI notation: certain wins and losses in moves of the side that wins or loses, others
/// in hundredths of a pawn as defined by [`Odds`].
pub(super) fn score(score: Score, odds: &Odds) -> String {
    match score.certain_end() {
        Some(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", (plies - 1) / 2),
        None => format!("cp {}", odds.centipawns(score)),
    }
}

/// Returns the line that describes the board of a variant, in the format that Fairy-Stockfish uses
/// (`on_variant_change` in its `ucioption.cpp`). No variant has drops.
pub(super) fn variant(variant: Variant) -> String {
    let start = variant.initial_fen();
    format!("info string variant {variant} files 8 ranks 8 pocket 0 template fairy startpos {start}")
}

/// The style of the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether to write castling as the king capturing its rook.
    pub(super) castles_onto_rook: bool,
    /// Whether to report the chances of a win, a draw and a loss.
    pub(super) chances: bool,
}

/// Returns the line that reports the progress of a search.
pub(super) fn info<P: Position>(position: &P, info: &Info, elapsed: Duration, style: Style) -> String {
    let odds = Odds::of(position.variant());
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.selective_depth.max(info.depth.min(1)),
        info.line,
        score(info.score, &odds),
    );
    match info.bound {
        Some(ScoreBound::Lower) => text.push_str(" lowerbound"),
        Some(ScoreBound::Upper) => text.push_str(" upperbound"),
        None => {}
    }
    if style.chances {
        let [win, draw, loss] = odds.per_mille(info.score);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let per_second = u128::from(info.nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let _ = write!(
        text,
        " nodes {} nps {per_second} hashfull {} time {} pv",
        info.nodes,
        info.table_fullness,
        elapsed.as_millis(),
    );
    let mut position = position.clone();
    for next in &info.pv {
        text.push(' ');
        text.push_str(&turn(&position, next, style.castles_onto_rook));
        position.play_turn_unchecked(next);
    }
    text
}

#[cfg(test)]
mod tests {
    use adoube_rules::Chess;

    use super::*;

    #[test]
    fn certain_wins_and_losses_are_counted_in_moves() {
        let odds = Odds::of(Variant::Chess);
        for (plies, text) in [(1, "mate 1"), (3, "mate 2"), (4, "mate 2")] {
            assert_eq!(score(Score::win_at(plies), &odds), text);
        }
        // At odd distances, the losing side plays last, for example by completing a repetition (I12).
        for (plies, text) in [(0, "mate 0"), (1, "mate -1"), (2, "mate -1"), (3, "mate -2"), (4, "mate -2")] {
            assert_eq!(score(Score::loss_at(plies), &odds), text);
        }
        let pawn = odds.pawn().round() as i32;
        assert_eq!(score(Score::of_evaluation(-pawn), &odds), "cp -100");
    }

    #[test]
    fn castling_is_written_both_ways() {
        let position: Chess = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
        let castling = coordinate::parse(&position, "e1g1").expect("castling is legal");
        assert_eq!(turn(&position, &castling, false), "e1g1");
        assert_eq!(turn(&position, &castling, true), "e1h1");
    }
}
