//! Checks that a position is worth as much to one side as its mirror image is to the other, and that the
//! initial positions are nearly even.

use adoube_engine::Searchable;
use adoube_rules::{AnyPosition, Variant, with_position};

use crate::common::{Random, mirrored};

fn check<P: Searchable>() {
    let mut random = Random(42);
    for _ in 0..40 {
        let mut position = P::from_setup(&P::VARIANT.initial_setup()).expect("the initial position");
        for _ in 0..100 {
            if position.chain().is_none() {
                assert_eq!(position.evaluate(), mirrored(&position).evaluate(), "{}", position.fen());
            }
            let steps = position.legal_steps();
            if steps.is_empty() {
                break;
            }
            position.play_unchecked(steps[random.below(steps.len())]);
        }
    }
}

/// Calls `check` for the type of a position.
fn check_game_of<P: Searchable>(_: &P) {
    check::<P>();
}

#[test]
fn evaluation_is_symmetric() {
    for variant in Variant::ALL {
        with_position!(&AnyPosition::initial(variant), position => check_game_of(position));
    }
}

#[test]
fn the_initial_positions_are_nearly_even() {
    for variant in Variant::ALL {
        let value = with_position!(&AnyPosition::initial(variant), position => position.evaluate());
        assert!(value.abs() < 40, "{variant}: {value}");
    }
}
