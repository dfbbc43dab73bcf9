//! A position is worth as much to one side as its mirror image to the other.

use adoube_engine::Searchable;
use adoube_rules::{Baroque, Chess, Interweave, Variant};

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

#[test]
fn evaluation_has_no_favourite_color() {
    check::<Chess>();
    check::<Baroque>();
    check::<Interweave>();
}

#[test]
fn the_initial_positions_are_nearly_even() {
    let value = |fen, variant| match variant {
        Variant::Chess => Chess::from_fen(fen).expect("a position").evaluate(),
        Variant::Baroque => Baroque::from_fen(fen).expect("a position").evaluate(),
        Variant::Interweave => Interweave::from_fen(fen).expect("a position").evaluate(),
    };
    for variant in Variant::ALL {
        let value = value(variant.initial_fen(), variant);
        assert!(value.abs() < 40, "{variant}: {value}");
    }
}
