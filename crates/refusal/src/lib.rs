//! Reasons for refusals, as codes with arguments. The page turns them into messages.
//!
//! The WebAssembly modules and the server use these codes. The message for each code is `error-CODE` in
//! `locales/*/errors.ftl` or `locales/*/analysis.ftl`.

use std::collections::BTreeMap;

use adoube_notation::{
    pgn::{GameProblem, Limit, NotPgn, SyntaxProblem},
    san::SanError,
};
use adoube_rules::{
    PositionError, ReadPositionError, SetupProblem, Variant,
    coordinate::TurnError,
    fen::{FenError, Repair},
};
use serde::Serialize;

/// A refusal: a stable code for its reason, and the arguments of its message.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Refusal {
    pub code: &'static str,
    pub args: BTreeMap<&'static str, String>,
}

impl Refusal {
    /// Returns a refusal with its arguments.
    pub fn new<const N: usize>(code: &'static str, args: [(&'static str, String); N]) -> Self {
        Self { code, args: args.into() }
    }
}

/// Returns the reasons why a string is not a position of the game.
pub fn of_position(variant: Variant, error: &ReadPositionError) -> Vec<Refusal> {
    match error {
        ReadPositionError::Fen(error) => vec![of_fen(variant, error)],
        ReadPositionError::Position(error) => of_problems(error),
    }
}

/// Returns the reasons why a setup cannot be played.
pub fn of_problems(error: &PositionError) -> Vec<Refusal> {
    error.problems().iter().map(of_problem).collect()
}

fn of_problem(problem: &SetupProblem) -> Refusal {
    match problem {
        SetupProblem::Kings { color, found, expected } => Refusal::new(
            "setup-kings",
            [
                ("color", color.to_string()),
                ("found", found.to_string()),
                ("most", expected.end().to_string()),
            ],
        ),
        SetupProblem::BothKingsMissing => Refusal::new("setup-both-lost-a-king", []),
        SetupProblem::TooManyMen { color, found } => {
            Refusal::new("setup-too-many-men", [("color", color.to_string()), ("found", found.to_string())])
        }
        SetupProblem::PawnRank(square) => Refusal::new("setup-pawn-rank", [("square", square.to_string())]),
        SetupProblem::OpponentInCheck(color) => {
            Refusal::new("setup-opponent-in-check", [("color", color.to_string())])
        }
        SetupProblem::Castling(square) => Refusal::new("setup-castling", [("square", square.to_string())]),
        SetupProblem::CastlingTwice(square) => {
            Refusal::new("setup-castling-twice", [("square", square.to_string())])
        }
        SetupProblem::NoCastling(_) => Refusal::new("setup-no-castling", []),
        SetupProblem::EnPassant(square) => Refusal::new("setup-en-passant", [("square", square.to_string())]),
        SetupProblem::Reserve { color } => Refusal::new("setup-reserve", [("color", color.to_string())]),
        // Every FEN is read as a FEN of a given game, so neither a setup for another game nor a man that this
        // game lacks can occur here.
        _ => Refusal::new("setup", []),
    }
}

fn of_fen(variant: Variant, error: &FenError) -> Refusal {
    match error {
        FenError::Empty => Refusal::new("fen-empty", []),
        FenError::TooLong { .. } => Refusal::new("fen-too-long", []),
        FenError::RankCount(found) => Refusal::new("fen-rank-count", [("found", found.to_string())]),
        FenError::RankTooLong { rank, .. } => Refusal::new("fen-rank-too-long", [("rank", rank.to_string())]),
        FenError::UnknownMan { letter, rank, .. } => {
            let letters = variant.roles().iter().map(|info| info.letter.to_string());
            Refusal::new(
                "fen-unknown-man",
                [
                    ("letter", letter.to_string()),
                    ("rank", rank.to_string()),
                    ("letters", letters.collect::<Vec<_>>().join(" ")),
                ],
            )
        }
        FenError::SideToMove(text) => Refusal::new("fen-turn", [("text", text.clone())]),
        FenError::NoCastling { .. } => Refusal::new("setup-no-castling", []),
        FenError::Castling { text, letter } => {
            Refusal::new("fen-castling", [("text", text.clone()), ("letter", letter.to_string())])
        }
        FenError::EnPassant { text, .. } => Refusal::new("fen-en-passant", [("text", text.clone())]),
        FenError::Reserve { text, .. } => Refusal::new("fen-reserve", [("text", text.clone())]),
        FenError::HalfmoveClock(text) => Refusal::new("fen-halfmove-clock", [("text", text.clone())]),
        FenError::FullmoveNumber(text) => Refusal::new("fen-fullmove-number", [("text", text.clone())]),
        FenError::TooManyFields(text) => Refusal::new("fen-too-many-fields", [("text", text.clone())]),
        _ => Refusal::new("fen", []),
    }
}

/// Describes the change that made a string readable as a FEN. `left-out` in the code means that this part of
/// the string was ignored, except for the counters among the operations of an EPD, which are read.
pub fn of_repair(repair: &Repair) -> Refusal {
    match repair {
        Repair::Castling(letter) => Refusal::new("fen-left-out-castling", [("letter", letter.to_string())]),
        Repair::EnPassant(square) => Refusal::new("fen-left-out-en-passant", [("square", square.clone())]),
        Repair::Operations(text) => Refusal::new("fen-left-out-operations", [("text", text.clone())]),
        _ => Refusal::new("fen", []),
    }
}

/// Returns the reason why a file is not PGN.
pub fn of_file(found: &NotPgn) -> Refusal {
    match found {
        NotPgn::Compressed(kind) => Refusal::new("pgn-compressed", [("kind", (*kind).to_owned())]),
        NotPgn::Markup => Refusal::new("pgn-markup", []),
        _ => Refusal::new("pgn-other-file", []),
    }
}

/// Returns the reason why a string is not a legal turn.
pub fn of_turn(error: &TurnError) -> Refusal {
    match error {
        TurnError::Syntax(text) => Refusal::new("turn-syntax", [("turn", text.clone())]),
        TurnError::GameOver => Refusal::new("turn-game-over", []),
        TurnError::EmptySquare(square) => Refusal::new("turn-empty-square", [("square", square.to_string())]),
        TurnError::NotYourMan { square, owner } => {
            Refusal::new("turn-not-your-man", [("square", square.to_string()), ("color", owner.to_string())])
        }
        TurnError::PromotionMissing(square) => {
            Refusal::new("turn-promotion-missing", [("square", square.to_string())])
        }
        TurnError::Unfinished(square) => Refusal::new("turn-unfinished", [("square", square.to_string())]),
        TurnError::Illegal { from, to, .. } => {
            Refusal::new("turn-illegal", [("from", from.to_string()), ("to", to.to_string())])
        }
        _ => Refusal::new("turn", []),
    }
}

/// Returns the reason why a string is not a legal turn in SAN.
pub fn of_san(error: &SanError) -> Refusal {
    match error {
        SanError::Syntax(text, _) => Refusal::new("turn-syntax", [("turn", text.clone())]),
        SanError::GameOver(_) => Refusal::new("turn-game-over", []),
        SanError::NoMatch(text) => Refusal::new("turn-no-match", [("turn", text.clone())]),
        SanError::Ambiguous { text, matches } => {
            Refusal::new("turn-ambiguous", [("turn", text.clone()), ("matches", matches.join(", "))])
        }
        SanError::Unfinished { square, .. } => {
            Refusal::new("turn-unfinished", [("square", square.to_string())])
        }
        _ => Refusal::new("turn", []),
    }
}

/// Returns the reasons why a game in a PGN could not be read any further, or the changes and omissions that
/// were needed to read it. `variant` determines the letters listed for an unreadable FEN, because the
/// problem does not say which variant the file names.
pub fn of_game(variant: Variant, error: &GameProblem) -> Vec<Refusal> {
    match error {
        GameProblem::Syntax(problem) => vec![of_syntax(problem)],
        GameProblem::Variant(name) => {
            let known = Variant::ALL.iter().filter_map(|variant| variant.info().pgn_name);
            let known = known.collect::<Vec<_>>().join(", ");
            vec![Refusal::new("pgn-variant", [("text", name.clone()), ("known", known)])]
        }
        GameProblem::Fen(error) => of_position(variant, error),
        GameProblem::Turn { error, .. } => vec![of_san(error)],
        GameProblem::Explicit { text, .. } => vec![Refusal::new("turn-no-match", [("turn", text.clone())])],
        GameProblem::BlocksDiffer { number } => {
            vec![Refusal::new("pgn-blocks-differ", [("number", number.to_string())])]
        }
        GameProblem::NullMove { .. } => vec![Refusal::new("turn-null-move", [])],
        GameProblem::FenRepair(repair) => vec![of_repair(repair)],
        GameProblem::Result(text) => vec![Refusal::new("pgn-result", [("text", text.clone())])],
        GameProblem::CutVariation(problem) => {
            let mut reasons = vec![Refusal::new("pgn-cut-variation", [])];
            // One level suffices: a variation is cut because of a turn, not because of another cut.
            if !matches!(**problem, GameProblem::CutVariation(_)) {
                reasons.extend(of_game(variant, problem));
            }
            reasons
        }
        GameProblem::TooMuch(limit) => {
            let what = match limit {
                Limit::Tags => "tags",
                Limit::TagValue => "tag-value",
                Limit::Nags => "marks",
                Limit::Comments => "comments",
                Limit::CommentBytes => "comment",
                Limit::Variations => "variations",
                _ => "turns",
            };
            vec![Refusal::new("pgn-too-much", [("what", what.to_owned())])]
        }
        GameProblem::NoTurn(_) => vec![Refusal::new("pgn-no-turn", [])],
        _ => vec![Refusal::new("pgn", [])],
    }
}

fn of_syntax(problem: &SyntaxProblem) -> Refusal {
    match problem {
        SyntaxProblem::Tag(text) => Refusal::new("pgn-tag", [("text", text.clone())]),
        SyntaxProblem::LooseTag(text) => Refusal::new("pgn-loose-tag", [("text", text.clone())]),
        SyntaxProblem::TagInMovetext => Refusal::new("pgn-tag-in-movetext", []),
        SyntaxProblem::UnknownSign(text) => Refusal::new("pgn-unknown-sign", [("text", text.clone())]),
        SyntaxProblem::OpenComment => Refusal::new("pgn-open-comment", []),
        SyntaxProblem::OpenVariation => Refusal::new("pgn-open-variation", []),
        SyntaxProblem::ClosesNothing(found) => {
            Refusal::new("pgn-closes-nothing", [("text", found.to_string())])
        }
        SyntaxProblem::TooDeep => Refusal::new("pgn-too-deep", []),
        SyntaxProblem::TooLong => Refusal::new("pgn-too-long", []),
        _ => Refusal::new("pgn", []),
    }
}
