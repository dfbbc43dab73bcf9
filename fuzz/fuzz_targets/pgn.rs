//! Any text as PGN: games or reports, and what was read is written and read back the same.
#![no_main]

use adoube_notation::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in pgn::games(text).take(32).flatten() {
        let written = pgn::write(&game);
        let again = pgn::games(&written).next().expect("one game").expect("a written game");
        assert_eq!(again.turns, game.turns, "{written}");
        assert_eq!(again.result, game.result, "{written}");
    }
});
