//! Decides whether a side can still win, by any sequence of legal turns, with or without the opponent's help
//! (C20, C23, B13).
//!
//! A position is dead if neither side can win. A player who runs out of time draws if the opponent cannot
//! win. The answer is never wrong. It is [`Winnable`](Verdict::Winnable) only if a legal line that ends in
//! mate was found and replayed, and [`Unwinnable`](Verdict::Unwinnable) only if it was proved that there is
//! none. Otherwise it is [`Unknown`](Verdict::Unknown), and the side counts as able to win.
//!
//! ```
//! use adoube_rules::{AnyPosition, Color, Variant};
//! use adoube_winnable::{Effort, Verdict, can_win_by_any_sequence, is_dead};
//!
//! // Locked pawns that neither king can get past.
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1")?;
//! assert!(is_dead(&position, Effort::Quick));
//!
//! // A lone knight can mate only with the help of an enemy man.
//! let helped = AnyPosition::from_fen(Variant::Chess, "8/8/8/8/8/p1N5/2K5/k7 w - - 0 1")?;
//! let verdict = can_win_by_any_sequence(&helped, Color::White, Effort::Full { nodes: 100_000 });
//! assert!(matches!(verdict, Verdict::Winnable(_)));
//! # Ok::<(), adoube_rules::ReadPositionError>(())
//! ```
//!
//! # Method
//!
//! The method is based on M. Ambrona, *A Practical Algorithm for Chess Unwinnability* (FUN 2022), and takes
//! these steps in order:
//!
//! 1. Forced turns are played out. A side that can win before them can win after them, and vice versa,
//!    because there is no other line.
//! 2. A side with only its king cannot win: a king does not give check, and the side never gets another man.
//!    Nor can a side with too little other material (`material`).
//! 3. `reach` computes the squares that each man can ever reach, and `pattern` decides whether the men could
//!    mate on these squares. The paper considers only which of the winner's men come near the losing king,
//!    and the colours of the squares that they reach there. Here `pattern` looks for a placement that covers
//!    every flight square, and rules out mate if none exists. This proves more positions unwinnable than the
//!    paper does.
//! 4. `search`: a short search for a helpmate, most promising position first.
//! 5. `shadow`: a search over kings and pawns alone, with the other men anywhere. It is not in the paper.
//! 6. Alternating, with growing limits: `bundle`, which searches all positions, handling together those that
//!    differ only in one king's square (not in the paper), and `search` towards mates constructed by
//!    `pattern`. `bundle` goes first, because one of its groups costs less than one position of `search`. It
//!    runs longer where only kings and pawns can move, because it may run out of positions there. Step 3 is
//!    repeated for positions one or two turns later, and after turns that cannot be undone.
//! 7. For a side with only knights and bishops, before step 6 and again in its rounds: `search` towards one
//!    constructed mate after another, each with its own estimate (`blueprint`). The opponent's men have to be
//!    promoted and to block their own king, and a search achieves that only if it aims at a single placement.
//!    For other sides this is done only in the last round.
//!
//! The paper searches by iterative deepening, with rewards for progress and a lossy table. Here the best
//! position so far is expanded first and none is forgotten. Where only a few positions can be reached, the
//! search therefore runs out of positions, which is a proof.
//!
//! Verdicts from different versions never contradict each other. The questions that remain
//! [`Unknown`](Verdict::Unknown), and the number of nodes that an answer takes, may change with any version.
//!
//! The halfmove clock and repetitions are ignored: they do not prevent a helpmate without detours, and C23
//! allows any sequence.

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod baroque;
mod blueprint;
mod bundle;
mod material;
mod pattern;
mod reach;
mod search;
mod shadow;
mod solver;

use std::cell::RefCell;

use adoube_rules::{AnyPosition, Chess, Color, DrawRules, Position, Turn, Variant};

pub use solver::Solver;

/// Whether a side can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side can win: these legal turns of both sides end in its win. Empty if it has already won.
    Winnable(Vec<Turn>),
    /// No sequence of legal turns ends in a win for the side.
    Unwinnable(ProofKind),
    /// Unknown. For the result of a game, the side counts as able to win.
    Unknown,
}

/// The reason why a side cannot win. Other kinds of proofs may be added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ProofKind {
    /// The game is over, possibly after forced turns, and the side has not won.
    Over,
    /// The side has only its king.
    BareKing,
    /// In chess, the side has one knight against no men other than queens, or bishops of one shade against no
    /// men other than rooks, queens and bishops of that shade. In Baroque, it has one pawn or, against a bare
    /// king, two pawns or only coordinators.
    Material,
    /// No placement of the men on squares that they can ever reach is a mate.
    Walls,
    /// The men could not mate in any placement that kings and pawns can reach, even with the other men
    /// anywhere.
    Shadows,
    /// No reachable position is a mate.
    Exhausted,
}

impl Verdict {
    /// Returns the stable name: `winnable`, `unwinnable` or `unknown`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Winnable(_) => "winnable",
            Self::Unwinnable(_) => "unwinnable",
            Self::Unknown => "unknown",
        }
    }

    /// Returns `true` if it is proved that the side cannot win.
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Self::Unwinnable(_))
    }
}

/// The amount of work to spend on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Cheap enough for every turn of a game in progress. Detects positions that are locked for good.
    Quick,
    /// Searches up to a given number of positions. Each may use about 150 bytes until the answer is returned.
    ///
    /// Gives up earlier, with [`Verdict::Unknown`], if the search has come no nearer to a mate for a while,
    /// because experience shows that continuing then does not help. For the same reason the search through
    /// groups of positions that differ only in one king's square ends after 100,000 or 160,000 groups.
    Full {
        /// The approximate maximum number of positions created for one side. Those created together count as
        /// one.
        nodes: u64,
    },
}

/// An answer and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the side can win.
    pub verdict: Verdict,
    /// The number of positions created.
    pub nodes: u64,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, nodes: 0 }
    }
}

/// Decides whether a side can win, with or without help.
///
/// In Interweave nothing is proved before the game is over, because C20 and C23 do not apply there. A side
/// that has no turn or completes a repetition loses (I12), so its opponent can win with almost any material.
pub fn can_win_by_any_sequence(position: &AnyPosition, winner: Color, effort: Effort) -> Verdict {
    with_solver(|solver| solver.any(position, winner, effort).verdict)
}

/// Returns `true` if it is proved that neither side can win (C20).
pub fn is_dead(position: &AnyPosition, effort: Effort) -> bool {
    Color::ALL.into_iter().all(|color| can_win_by_any_sequence(position, color, effort).is_unwinnable())
}

/// Returns `true` if these turns can legally be played in this order and `winner` has then won on the board.
pub fn is_win<P: Position>(position: &P, turns: &[Turn], winner: Color) -> bool {
    let mut current = position.clone();
    for turn in turns {
        for &step in turn.steps() {
            if !current.legal_steps().contains(&step) {
                return false;
            }
            current.play_unchecked(step);
        }
    }
    current.outcome(DrawRules::Fide).and_then(adoube_rules::Outcome::winner) == Some(winner)
}

fn with_solver<T>(question: impl FnOnce(&mut Solver) -> T) -> T {
    thread_local! {
        static SOLVER: RefCell<Solver> = RefCell::default();
    }
    SOLVER.with_borrow_mut(|solver| {
        let answer = question(solver);
        solver.trim();
        answer
    })
}

/// Returns `true` if questions about this variant need a search, bounded by the [`Effort`], instead of having
/// an immediate answer.
pub fn needs_search(variant: Variant) -> bool {
    variant == Chess::VARIANT
}
