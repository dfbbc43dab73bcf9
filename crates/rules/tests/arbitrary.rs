//! Arbitrary positions are playable; arbitrary setups, steps and turns never cause a panic.

use std::collections::HashSet;

use adoube_rules::{
    AnyPosition, DrawRules, Position, SearchPosition, Setup, Step, Turn, Variant, explain, for_each_game,
};
use arbitrary::{Arbitrary, Unstructured};

/// Calls `visit` with values made from reproducible pseudo-random data.
fn for_each_arbitrary<T: for<'a> Arbitrary<'a>>(count: usize, mut visit: impl FnMut(T)) {
    let mut state = 0x5eed_0000_a4b1_74a1_u64;
    let mut data = [0_u8; 512];
    for _ in 0..count {
        for byte in &mut data {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *byte = (state >> 32) as u8;
        }
        visit(T::arbitrary(&mut Unstructured::new(&data)).unwrap());
    }
}

/// Checks that the setup of a position is playable and, unless a chain is unfinished, gives the same
/// position. Returns `true` if no chain is unfinished.
fn round_trips<P: Position>(position: &P) -> bool {
    let again = P::from_setup(&position.to_setup()).unwrap_or_else(|error| panic!("{position}: {error}"));
    if position.chain().is_none() {
        assert_eq!(again, *position);
    }
    position.chain().is_none()
}

#[test]
fn positions_are_playable_and_varied() {
    let (mut keys, mut per_game, mut in_chain, mut over) = (HashSet::new(), [0; Variant::COUNT], 0, 0);
    for_each_arbitrary(2_000, |position: AnyPosition| {
        in_chain += usize::from(!round_trips(&position));
        assert_eq!(position.legal_steps().len(), position.count_steps());
        over += usize::from(position.outcome(DrawRules::Club).is_some());
        per_game[position.variant().index()] += 1;
        keys.insert(position.key());
    });
    assert!(keys.len() > 1_900, "{}", keys.len());
    assert!(per_game.iter().all(|&count| count > 1_500 / Variant::COUNT), "{per_game:?}");
    assert!(in_chain > 0 && over > 0, "{in_chain} {over}");

    macro_rules! typed {
        ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
            $(for_each_arbitrary(50, |position: adoube_rules::$position| {
                round_trips(&position);
            });)*
        };
    }
    for_each_game!([typed]);
}

#[test]
fn values_can_be_generated_without_data() {
    let mut nothing = Unstructured::new(&[]);
    assert!(AnyPosition::arbitrary(&mut nothing).is_ok());
    assert!(Setup::arbitrary(&mut nothing).is_ok());
}

#[test]
fn setups_are_played_or_refused_with_reasons() {
    let (mut playable, mut refused) = (0, 0);
    for_each_arbitrary(20_000, |setup: Setup| match AnyPosition::from_setup(&setup) {
        Ok(position) => {
            playable += 1;
            assert_eq!(position.variant(), setup.variant);
            assert!(round_trips(&position));
        }
        Err(error) => {
            refused += 1;
            assert!(!error.problems().is_empty() && !error.to_string().is_empty());
        }
    });
    assert!(playable > 0 && refused > 10_000, "{playable} {refused}");
}

#[test]
fn no_step_or_turn_causes_a_panic() {
    for_each_arbitrary(5_000, |(position, step, turn): (AnyPosition, Step, Turn)| {
        assert_eq!(Step::from_bits(step.to_bits()), Some(step));
        let explained = explain::step(&position, step.from(), step.to(), step.promotion());
        // The reverse does not hold: `explain` also accepts castling to the king's destination.
        assert!(!position.is_legal(step) || explained.is_ok(), "{position} {step:?}");
        if let Ok(next) = position.play(&turn) {
            assert!(next.side_to_move() != position.side_to_move());
        }
        // An illegal step leaves an invalid position, but does not panic.
        let _ = position.after(step).count_steps();
    });
}
