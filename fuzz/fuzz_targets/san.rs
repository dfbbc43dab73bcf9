//! Input: a FEN, a line break, and SAN. Each game parses or refuses the SAN, and legal turns round-trip
//! through SAN.
#![no_main]

use adoube_notation::san;
use adoube_rules::{AnyPosition, Position, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    for variant in Variant::ALL {
        let position =
            AnyPosition::from_fen(variant, fen).unwrap_or_else(|_| AnyPosition::initial(variant));
        if let Ok(turn) = san::parse(&position, text) {
            let written = san::write(&position, &turn);
            assert_eq!(san::parse(&position, &written).as_ref(), Ok(&turn), "{written}");
        }
        // Not all of them, because a full board may have very many chains.
        for turn in position.turns().take(64) {
            let written = san::write(&position, &turn);
            assert_eq!(san::parse(&position, &written).as_ref(), Ok(&turn), "{} {written}", position.fen());
        }
    }
});
