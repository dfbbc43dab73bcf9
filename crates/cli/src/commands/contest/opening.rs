//! Openings: sequences of random turns that leave both sides with winning chances.

use adoube_engine::{Engine, Limits, Odds, Random};
use adoube_rules::{AnyPosition, DrawRules, Position as _, Turn};
use anyhow::{Context as _, anyhow};

/// The maximum number of openings that are tried before giving up.
const MAX_TRIES: u32 = 10_000;
/// Nodes searched to evaluate an opening.
const NODES: u64 = 8_000;
/// Size of the hash table for that search, in mebibytes.
const TABLE_MIB: usize = 1;

/// Settings for generating openings.
pub(super) struct Openings<'a> {
    pub(super) initial: &'a AnyPosition,
    /// Number of random turns in an opening.
    pub(super) plies: u32,
    /// The maximum advantage of either side, in hundredths of a pawn.
    pub(super) edge: i32,
    pub(super) seed: u64,
}

impl Openings<'_> {
    /// Returns the turns of an opening, after which the game is not over and neither side is ahead by more
    /// than `edge`. The same seed and number always give the same turns.
    ///
    /// Eight random turns often cost one side a pawn or a piece. That side then loses to any opponent, so the
    /// two games that are played from the opening, with colours reversed, cancel out: they reveal nothing
    /// about strength and pull every result towards 50%.
    pub(super) fn generate(&self, number: u64) -> anyhow::Result<Vec<Turn>> {
        let &Self { initial, plies, edge, seed } = self;
        let mut random = Random::new(seed, number);
        let mut engine = Engine::new(TABLE_MIB, 1).context("judging an opening")?;
        for _ in 0..MAX_TRIES {
            let mut position = initial.clone();
            let mut turns = Vec::new();
            for _ in 0..plies {
                let mut legal = position.legal_turns();
                if legal.is_empty() {
                    break;
                }
                let turn = legal.swap_remove(random.below(legal.len()));
                position.play_turn_unchecked(&turn);
                turns.push(turn);
            }
            if turns.len() < plies as usize || position.outcome(DrawRules::Club).is_some() {
                continue;
            }
            // With no random turns, the initial position is the only candidate, so it need not be balanced.
            if plies == 0 || is_balanced(&mut engine, &position, edge) {
                return Ok(turns);
            }
        }
        Err(anyhow!(
            "none of {MAX_TRIES} sequences of {plies} random turns led to a position in which neither side is more than {edge} hundredths of a pawn ahead; \
             change --plies or --edge"
        ))
    }
}

/// Returns `true` if, according to the engine, neither side is certain to win or ahead by more than `edge`.
fn is_balanced(engine: &mut Engine, position: &AnyPosition, edge: i32) -> bool {
    engine.forget();
    let limits = Limits { nodes: NODES, ..Limits::default() };
    let control = adoube_engine::Control::NONE;
    let report = engine.search(position, &[], &limits, &control);
    report.is_some_and(|report| {
        let centipawns = Odds::of(position.variant()).centipawns(report.score);
        report.score.certain_end().is_none() && centipawns.abs() <= edge
    })
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    #[test]
    fn an_opening_is_reproducible_and_balanced() {
        for variant in Variant::ALL {
            let initial = AnyPosition::initial(variant);
            let openings = |edge| Openings { initial: &initial, plies: 8, edge, seed: 1 };
            let first = openings(100).generate(1).expect("an opening");
            assert_eq!(first, openings(100).generate(1).expect("an opening"), "{variant}");
            assert_ne!(first, openings(100).generate(2).expect("an opening"), "{variant}");
            assert_eq!(first.len(), 8);
            let mut position = initial.clone();
            for turn in &first {
                position.play_turn_unchecked(turn);
            }
            let mut engine = Engine::new(1, 1).expect("a table");
            assert!(is_balanced(&mut engine, &position, 100), "{variant}: {}", position.fen());
        }
    }

    #[test]
    fn an_unbalanced_opening_is_recognised() {
        let position = AnyPosition::from_fen(
            Variant::Chess,
            "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
        );
        let mut engine = Engine::new(1, 1).expect("a table");
        assert!(!is_balanced(&mut engine, &position.expect("a position"), 100));
    }

    #[test]
    fn without_random_turns_every_game_starts_from_the_initial_position() {
        let initial = AnyPosition::initial(Variant::Chess);
        let openings = Openings { initial: &initial, plies: 0, edge: 0, seed: 1 };
        assert!(openings.generate(5).expect("an opening").is_empty());
    }
}
