//! Input: PGN. Each game is parsed or reported, with the same result for a whole text and for a slow stream.
//! Parsed games round-trip with their comments and variations.
#![no_main]

use std::io::{self, Read};

use adoube_notation::pgn::{self, Checker, Stream, TurnText, write_tree};
use libfuzzer_sys::fuzz_target;

/// A reader that returns at most the given number of bytes at a time, as a slow disk or a pipe may.
struct SlowReader<'a>(&'a [u8], usize);

impl Read for SlowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(buffer.len());
        self.0.read(&mut buffer[..size])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (whole, slow) = (reports(bytes, usize::MAX), reports(bytes, 7));
    assert_eq!(whole, slow);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for game in pgn::games(text).take(32).flatten() {
        let written = pgn::write(&game);
        let again = pgn::games(&written).next().expect("one game").expect("a written game");
        assert_eq!(again.turns, game.turns, "{written}");
        assert_eq!(again.result, game.result, "{written}");
    }
    for tree in pgn::trees(text).take(32).flatten() {
        let written = write_tree(&tree, TurnText::San);
        let again = pgn::trees(&written).next().expect("one game").expect("a written game");
        assert_eq!(again.main, tree.main, "{written}");
    }
});

fn reports(bytes: &[u8], size: usize) -> Vec<(usize, Option<String>)> {
    let mut stream = Stream::new(SlowReader(bytes, size));
    let mut checker = Checker::default();
    let mut reports = Vec::new();
    while let Some(checked) = stream.read_game(&mut checker).expect("memory can be read") {
        reports.push((checked.plies, checked.problem.map(|(line, problem)| format!("{line}: {problem}"))));
    }
    reports
}
