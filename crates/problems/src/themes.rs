//! Themes of problems, determined by the rules alone.

use adoube_rules::{
    AnyPosition, DrawRules, Outcome, Position as _, Square, SquareSet, Step, Variant, Win, coordinate,
    explain::{self, CaptureMethod, Legal, Reason},
};

use serde::{Deserialize, Serialize};

use crate::{AttemptError, Problem};

/// A theme of a problem: a feature of the solver's play in its line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// The line ends with checkmate (C16, B13).
    Mate,
    /// The line ends because the opponent has no legal turn left (U13, I12).
    NoMoves,
    /// The line ends with the capture of a king (I3).
    KingCapture,
    /// One turn takes two or more men.
    DoubleCapture,
    /// A turn of several steps (I4).
    Chain,
    /// A man takes enemy men that it and a friend enclose from two sides (B6, I9).
    Pincer,
    /// A coordinator takes men at the corners of its rectangle (B7).
    Coordination,
    /// A man takes by leaping over its victim (B8, I5, I7, I9).
    Leap,
    /// A man takes by moving away (B9).
    Withdrawal,
    /// A man takes by approaching its victim (I6).
    Approach,
    /// A man takes a neighbour without moving (I8).
    Removal,
    /// A chameleon takes a man by that man's own method of capture (B10, B11).
    Imitation,
    /// A pawn takes en passant (C8, I10).
    EnPassant,
    /// The man that moves freezes an enemy that was free before (B4, U4).
    Freeze,
    /// A frozen man is given up (U14).
    GivingUp,
    /// The man that has moved attacks two or more men, not counting pawns, and takes one of them on its next
    /// turn.
    Fork,
    /// A man other than the one that moves gives check.
    DiscoveredCheck,
    /// Two or more men give check.
    DoubleCheck,
    /// The man that moves takes nothing, and is taken immediately.
    Sacrifice,
    /// A pawn promotes.
    Promotion,
    /// The king castles (C10).
    Castling,
    /// The first turn neither takes, nor gives check, nor promotes, nor gives up a man, nor ends the game.
    QuietKey,
}

/// Returns the themes of a problem, in the order of [`Theme`].
pub fn themes(variant: Variant, problem: &Problem) -> Result<Vec<Theme>, AttemptError> {
    let mut found = Vec::new();
    let mut position = AnyPosition::from_fen(variant, &problem.fen)?;
    let solver = position.side_to_move();
    // The solver's last turn, and the men that the moved man attacked afterwards.
    let mut last: Option<PlayedTurn> = None;
    for (index, text) in problem.line.iter().enumerate() {
        let turn = coordinate::parse(&position, text)
            .map_err(|source| AttemptError::Turn { number: index / 2 + 1, source })?;
        // A turn that can be parsed is legal.
        let steps = explain::turn(&position, &turn).unwrap_or_default();
        let mut next = position.clone();
        next.play_turn_unchecked(&turn);
        if position.side_to_move() == solver {
            let forked = last.as_ref().map_or(SquareSet::EMPTY, |played| played.attacked);
            let continues = last.as_ref().is_some_and(|played| first_square(&steps) == Some(played.square));
            if continues && forked.len() >= 2 && steps.iter().any(|legal| takes_one_of(legal, forked)) {
                found.push(Theme::Fork);
            }
            let played = PlayedTurn::new(&next, &steps);
            add_themes_of_turn(&position, &next, &steps, played.as_ref(), index == 0, &mut found);
            last = played;
        } else if let Some(played) = &last
            && !played.is_capture
            && steps.iter().any(|legal| takes_one_of(legal, played.square.into()))
        {
            found.push(Theme::Sacrifice);
        }
        position = next;
    }
    found.extend(match position.outcome(DrawRules::Club) {
        Some(Outcome::Decisive { reason: Win::Checkmate, .. }) => Some(Theme::Mate),
        Some(Outcome::Decisive { reason: Win::NoMoves, .. }) => Some(Theme::NoMoves),
        Some(Outcome::Decisive { reason: Win::KingCaptured, .. }) => Some(Theme::KingCapture),
        _ => None,
    });
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// A turn played by the solver.
struct PlayedTurn {
    /// The square of the man that played it.
    square: Square,
    /// The men that it attacks from there, except pawns.
    attacked: SquareSet,
    /// Whether the turn took anything.
    is_capture: bool,
}

impl PlayedTurn {
    /// Returns the turn that led to a position, or `None` if the man that played it has left the board.
    fn new(after: &AnyPosition, steps: &[Legal]) -> Option<Self> {
        let square = steps.last()?.to;
        let about = explain::man(after, square).filter(|about| about.man.color() != after.side_to_move())?;
        // The first role of every game is its pawn.
        let targets = about.attacks.iter().filter(|taking| taking.victim.role().index() != 0);
        Some(Self {
            square,
            attacked: targets.map(|taking| taking.victim.square).collect(),
            is_capture: steps.iter().any(|legal| !legal.takings.is_empty()),
        })
    }
}

fn add_themes_of_turn(
    before: &AnyPosition,
    after: &AnyPosition,
    steps: &[Legal],
    played: Option<&PlayedTurn>,
    is_key: bool,
    found: &mut Vec<Theme>,
) {
    let takings = || steps.iter().flat_map(|legal| &legal.takings);
    if takings().count() >= 2 {
        found.push(Theme::DoubleCapture);
    }
    if steps.len() >= 2 {
        found.push(Theme::Chain);
    }
    for taking in takings() {
        found.extend(if taking.imitated.is_some() {
            Some(Theme::Imitation)
        } else {
            theme_of(taking.method)
        });
    }
    let promotes = |step: Step| step.promotion().is_some();
    if steps.iter().any(|legal| promotes(legal.step)) {
        found.push(Theme::Promotion);
    }
    if steps.iter().any(|legal| legal.castling.is_some()) {
        found.push(Theme::Castling);
    }
    let gives_up = steps.iter().any(|legal| legal.giving_up.is_some());
    if gives_up {
        found.push(Theme::GivingUp);
    }
    let checking: Vec<Square> =
        explain::position(after, DrawRules::Club).checks.iter().map(|taking| taking.by.square).collect();
    let checkers: SquareSet = checking.iter().copied().collect();
    if checkers.len() >= 2 {
        found.push(Theme::DoubleCheck);
    }
    let castles = steps.iter().any(|legal| legal.castling.is_some());
    let moved = played.map_or(SquareSet::EMPTY, |played| played.square.into());
    if (checkers - moved).any() && !castles {
        found.push(Theme::DiscoveredCheck);
    }
    if played.is_some_and(|played| freezes_another(before, after, played.square)) {
        found.push(Theme::Freeze);
    }
    let is_loud = takings().next().is_some() || checkers.any() || steps.iter().any(|l| promotes(l.step));
    if is_key && !is_loud && !gives_up && after.outcome(DrawRules::Club).is_none() {
        found.push(Theme::QuietKey);
    }
}

const fn theme_of(method: CaptureMethod) -> Option<Theme> {
    match method {
        CaptureMethod::EnPassant { .. } => Some(Theme::EnPassant),
        CaptureMethod::Pincer { .. } | CaptureMethod::Custodian { .. } => Some(Theme::Pincer),
        CaptureMethod::Coordination { .. } => Some(Theme::Coordination),
        CaptureMethod::Leap { .. }
        | CaptureMethod::ShortLeap
        | CaptureMethod::LongLeap { .. }
        | CaptureMethod::DoubleKnightLeap { .. } => Some(Theme::Leap),
        CaptureMethod::Withdrawal => Some(Theme::Withdrawal),
        CaptureMethod::Approach => Some(Theme::Approach),
        CaptureMethod::Removal => Some(Theme::Removal),
        _ => None,
    }
}

/// Returns `true` if the man that has moved to a square freezes a man that was not frozen before.
fn freezes_another(before: &AnyPosition, after: &AnyPosition, square: Square) -> bool {
    let freezing = after.variant().info().freezing;
    let role = after.piece_at(square).map(|piece| piece.role);
    if !freezing
        .is_some_and(|freezing| role == Some(freezing.immobilizer) || role == Some(freezing.chameleon))
    {
        return false;
    }
    // Only neighbours are frozen (B4, U4).
    let is_near = |other: &Square| {
        let files = (square.index() % 8).abs_diff(other.index() % 8);
        files.max((square.index() / 8).abs_diff(other.index() / 8)) == 1
    };
    let frozen = |position: &AnyPosition, man: Square, by: Option<Square>| {
        explain::man(position, man).is_some_and(|about| {
            about.holding.iter().any(|reason| match reason {
                Reason::FrozenByImmobilizer { by: holder, .. }
                | Reason::FrozenByChameleon { by: holder, .. } => by.is_none_or(|by| by == holder.square),
                _ => false,
            })
        })
    };
    let mut near = Square::ALL.into_iter().filter(is_near);
    near.any(|other| frozen(after, other, Some(square)) && !frozen(before, other, None))
}

fn first_square(steps: &[Legal]) -> Option<Square> {
    steps.first().map(|legal| legal.man.square)
}

fn takes_one_of(legal: &Legal, squares: SquareSet) -> bool {
    legal.takings.iter().any(|taking| squares.contains(taking.victim.square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, problems};

    #[track_caller]
    fn themes_of_line(variant: Variant, fen: &str, line: &[&str]) -> Vec<Theme> {
        let problem = Problem {
            id: "a".into(),
            fen: fen.into(),
            goal: Goal::Gain,
            turns: line.len().div_ceil(2) as u8,
            line: line.iter().map(|&turn| turn.into()).collect(),
            rating: 1000,
            before: None,
            themes: Vec::new(),
            retired: false,
        };
        themes(variant, &problem).unwrap()
    }

    #[test]
    fn chess_themes_are_found() {
        use Theme::{
            Castling, DiscoveredCheck, DoubleCheck, EnPassant, Fork, Mate, Promotion, QuietKey, Sacrifice,
        };
        let themes_of_line = |fen, line: &[&str]| themes_of_line(Variant::Chess, fen, line);
        assert_eq!(themes_of_line("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &["a1a8"]), [Mate]);
        assert_eq!(themes_of_line("4k3/8/8/q7/4N3/8/8/6K1 w - - 0 1", &["e4d6", "e8e7"]), []);
        // The knight forks king and queen, and takes the queen.
        assert_eq!(themes_of_line("q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", &["b5c7", "e8e7", "c7a8"]), [Fork]);
        assert_eq!(themes_of_line("7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]), [EnPassant]);
        assert_eq!(themes_of_line("8/P6k/8/8/8/8/8/4K3 w - - 0 1", &["a7a8q"]), [Promotion]);
        assert_eq!(themes_of_line("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"]), [Castling, QuietKey]);
        // The knight uncovers the rook; in the second position, it gives check as well.
        assert_eq!(themes_of_line("4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1", &["e5c4"]), [DiscoveredCheck]);
        assert_eq!(
            themes_of_line("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", &["e4d6"]),
            [DiscoveredCheck, DoubleCheck]
        );
        assert_eq!(themes_of_line("4k3/8/8/8/8/8/7q/R4K2 w - - 0 1", &["a1e1", "e8f8"]), []);
        assert_eq!(
            themes_of_line("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a3", "a8a3"]),
            [Sacrifice, QuietKey]
        );
    }

    #[test]
    fn themes_of_abbotts_games_are_found() {
        use Theme::{Coordination, DoubleCapture, Freeze, NoMoves, QuietKey};
        // The coordinator takes the men at the other two corners of the rectangle.
        let fen = "8/2b4K/2q5/3p1N1p/8/8/2R5/k7 w - - 0 1";
        assert_eq!(themes_of_line(Variant::Baroque, fen, &["c2c5"]), [DoubleCapture, Coordination]);
        // The immobilizer moves next to a man that was free.
        let fen = "k7/8/8/4n3/8/8/3M4/7K w - - 0 1";
        assert_eq!(themes_of_line(Variant::Baroque, fen, &["d2d4"]), [Freeze, QuietKey]);
        // U13: it freezes the last man.
        let fen = "7k/8/8/4M3/8/8/8/K7 w - - 0 1";
        assert_eq!(themes_of_line(Variant::Ultima, fen, &["e5g7"]), [NoMoves, Freeze]);
    }

    #[test]
    fn themes_of_interweave_are_found() {
        let fen = "7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1";
        assert_eq!(
            themes_of_line(Variant::Interweave, fen, &["a1a3"]),
            [Theme::KingCapture, Theme::Approach]
        );
    }

    #[test]
    fn the_collections_have_the_themes_of_their_solutions() {
        for variant in Variant::ALL {
            for problem in problems(variant) {
                let found = themes(variant, problem).unwrap();
                assert_eq!(
                    found, problem.themes,
                    "outdated themes, which `adoube problems --known` can update: {variant} {}",
                    problem.id
                );
                if problem.goal == Goal::Win {
                    let ends = [Theme::Mate, Theme::NoMoves, Theme::KingCapture];
                    assert!(ends.iter().any(|end| found.contains(end)), "{variant} {}", problem.id);
                }
            }
        }
    }
}
