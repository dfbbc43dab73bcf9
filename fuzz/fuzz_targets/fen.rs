//! Input: a FEN. Each game parses or refuses it, and a parsed FEN round-trips.
#![no_main]

use adoube_rules::{AnyPosition, Position, Variant, fen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for variant in Variant::ALL {
        let Ok(setup) = fen::parse(variant, text) else { continue };
        let written = fen::write(&setup);
        assert_eq!(fen::parse(variant, &written).as_ref(), Ok(&setup), "{written}");
        if let Ok(position) = AnyPosition::from_setup(&setup) {
            let again = AnyPosition::from_fen(variant, &position.fen()).expect("a written FEN");
            assert_eq!(again, position);
            assert_eq!(again.key(), position.key());
        }
    }
});
