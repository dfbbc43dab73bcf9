//! The steps that a player may plan while the other side is to move.

use std::collections::{HashMap, hash_map::Entry};

use adoube_rules::{AnyPosition, Position as _, Step, coordinate, explain::castling};

use crate::view::{self, StepView};

/// The maximum number of the other side's turns to consider.
const MAX_TURNS: usize = 400;

/// Returns the steps that may be legal in the next turn: each is legal after one of the first [`MAX_TURNS`]
/// turns of the side to move, followed by the planned steps. Because that turn is not known yet, the steps do
/// not list what they take. A plan never gives up a man (U14), because the man may no longer be frozen by
/// then.
pub(crate) fn steps(position: &AnyPosition, planned: &[&str]) -> Vec<StepView> {
    let (mut found, mut known) = (Vec::<StepView>::new(), HashMap::<Step, usize>::new());
    for turn in position.turns().take(MAX_TURNS) {
        let mut after = position.clone();
        after.play_turn_unchecked(&turn);
        let Some(at) = play_plan(after, planned) else { continue };
        for &step in &at.legal_steps() {
            if at.gives_up(step) {
                continue;
            }
            match known.entry(step) {
                Entry::Vacant(entry) => {
                    entry.insert(found.len());
                    found.push(describe(&at, step));
                }
                // In Chess960, castling may have the same squares as the capture of a man that has taken the
                // rook. Castling is the likelier plan.
                Entry::Occupied(entry) if castling(&at, step).is_some() => {
                    if let Some(known) = found.get_mut(*entry.get()) {
                        *known = describe(&at, step);
                    }
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    found
}

/// Returns the description of a step in a position that may arise.
fn describe(position: &AnyPosition, step: Step) -> StepView {
    StepView { takes: Vec::new(), ..view::step(position, step) }
}

/// Returns the position after the planned steps, if they are legal and the turn is not over.
fn play_plan(mut position: AnyPosition, planned: &[&str]) -> Option<AnyPosition> {
    for text in planned {
        let (turn, after) = coordinate::parse_steps(&position, text).ok()?;
        let is_one_step = turn.steps().len() == 1;
        if !is_one_step || after.chain().is_none() {
            return None;
        }
        position = after;
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use adoube_rules::Variant;

    use super::*;

    #[test]
    fn planned_castling_is_not_mistaken_for_a_capture_on_the_same_squares() {
        // After Nxg1, the step f1g1 is a capture; after Nf4, it is castling with the rook on g1.
        let fen = "6rk/6pp/8/8/8/7n/8/5KR1 b G - 0 1";
        let position = AnyPosition::from_fen(Variant::Chess, fen).unwrap();
        let steps = steps(&position, &[]);
        let planned: Vec<_> = steps.iter().filter(|step| step.text == "f1g1").collect();
        let [castling] = planned[..] else { panic!("{steps:?}") };
        let companion = castling.companion.as_ref().map(|path| (path.from, path.to));
        assert_eq!((castling.to, companion), ("g1", Some(("g1", "f1"))));
    }

    fn planned(variant: Variant, fen: &str, planned: &[&str]) -> Vec<String> {
        let position = AnyPosition::from_fen(variant, fen).unwrap();
        steps(&position, planned).into_iter().map(|step| step.text).collect()
    }

    #[test]
    fn steps_can_be_planned_if_some_turn_of_the_other_side_allows_them() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let steps = planned(Variant::Chess, after_e4, &[]);
        // A black pawn may come to d5. No turn by Black allows e4–e6.
        assert!(steps.contains(&"e4d5".to_owned()) && steps.contains(&"e4e5".to_owned()), "{steps:?}");
        assert!(!steps.contains(&"e4e6".to_owned()), "{steps:?}");
        assert_eq!(steps.len(), steps.iter().collect::<HashSet<_>>().len());
        // The step e4d5 ends the turn, so nothing can be planned after it.
        assert!(planned(Variant::Chess, after_e4, &["e4d5"]).is_empty());
    }

    #[test]
    fn i4_a_planned_chain_continues_with_its_own_man() {
        let fen = "6kk/8/8/8/8/1r6/r7/N5KK[] b - - 0 1";
        let steps = planned(Variant::Interweave, fen, &["a1a3"]);
        assert!(!steps.is_empty() && steps.iter().all(|step| step.starts_with("a3")), "{steps:?}");
        assert!(planned(Variant::Interweave, fen, &["a1h8"]).is_empty());
    }

    #[test]
    fn a_plan_never_gives_up_a_man() {
        // The immobilizer may move next to the leaper or stay away from it.
        let fen = "7k/8/8/8/3N4/8/8/K2m4 b - - 0 1";
        let steps = planned(Variant::Ultima, fen, &[]);
        assert!(steps.contains(&"d4d5".to_owned()) && !steps.contains(&"d4d4".to_owned()), "{steps:?}");
    }
}
