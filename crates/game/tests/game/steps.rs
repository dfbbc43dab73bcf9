//! Compares the steps offered to a player, one by one, with the turns that may be played (C13).

use std::collections::BTreeSet;

use adoube_game::{Act, Game, NewGame, Options};
use adoube_rules::{Position as _, Square, Step, Turn, Variant, coordinate};
use proptest::prelude::*;

use crate::script::{TestGame, chess};

/// Returns the steps as text, because text can be sorted.
fn texts(game: &Game, steps: impl IntoIterator<Item = Step>) -> BTreeSet<String> {
    steps.into_iter().map(|step| coordinate::write(game.position(), &Turn::from(step))).collect()
}

fn begins_with(turn: &Turn, prefix: &Turn) -> bool {
    turn.steps().starts_with(prefix.steps())
}

#[test]
fn c13_a_chain_may_continue_only_to_the_touched_man() {
    // White's leaper captures the man on a2 with its first step; the touched man is on b3.
    let fen = "6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1";
    let options = Options { touch_move: true, ..Options::default() };
    let mut test =
        TestGame::new(NewGame { variant: Variant::Interweave, fen: Some(fen.into()), ..chess(options) });
    let (by, version) = (test.game.side_to_move(), test.game.version());
    test.command(&Act::Touch { square: "b3".into(), version }.by(by));
    assert!(test.game.obligation().is_some());
    let first = test.game.allowed_steps(&Turn::empty());
    assert!(!first.is_empty() && first.iter().all(|step| step.from() == Square::A1), "{first:?}");
    let second = test.game.allowed_steps(&Turn::from(first[0]));
    let mut position = test.game.position().clone();
    position.play_unchecked(first[0]);
    assert!(
        !second.is_empty() && second.iter().all(|&step| position.taken(step).contains(Square::B3)),
        "{second:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn c13_allowed_steps_match_allowed_turns(
        variant in 0..Variant::ALL.len(),
        picks in prop::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 1..40),
    ) {
        let options = Options { touch_move: true, ..Options::default() };
        let new = NewGame { variant: Variant::ALL[variant], ..chess(options) };
        let (mut game, _) = Game::create(new, 0).unwrap();
        for (one, other, pick) in picks {
            for square in [one, other] {
                let (by, version) = (game.side_to_move(), game.version());
                let square = Square::from_index(square).to_string();
                let touch = Act::Touch { square, version }.by(by);
                for event in game.decide(&touch, 0).unwrap_or_default() {
                    game.apply(&event).unwrap();
                }
            }
            if game.ending().is_some() {
                break;
            }
            let turns = game.allowed_turns().collect::<Vec<_>>();
            let turn = &turns[pick % turns.len()];
            let mut prefix = Turn::empty();
            for &step in turn.steps() {
                let next = |turn: &Turn| turn.steps().get(prefix.steps().len()).copied();
                let expected = turns.iter().filter(|turn| begins_with(turn, &prefix)).filter_map(next);
                prop_assert_eq!(texts(&game, game.allowed_steps(&prefix)), texts(&game, expected));
                prop_assert!(prefix.push(step));
            }
            let turn = coordinate::write(game.position(), turn);
            let play = Act::Play { turn, version: game.version() }.by(game.side_to_move());
            for event in game.decide(&play, 0).unwrap() {
                game.apply(&event).unwrap();
            }
        }
    }
}
