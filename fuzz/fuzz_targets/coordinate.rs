//! Input: a FEN, a line break, and a turn. The turn is parsed or refused, and a parsed turn round-trips.
#![no_main]

use adoube_rules::{AnyPosition, Position, Variant, coordinate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    for variant in Variant::ALL {
        let position =
            AnyPosition::from_fen(variant, fen).unwrap_or_else(|_| AnyPosition::initial(variant));
        if let Ok(turn) = coordinate::parse(&position, text) {
            let written = coordinate::write(&position, &turn);
            assert_eq!(coordinate::parse(&position, &written).as_ref(), Ok(&turn), "{written}");
            assert!(position.turns().any(|legal| legal == turn));
        }
    }
});
