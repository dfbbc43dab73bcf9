use std::{cell::Cell, ops::ControlFlow};

use crate::pgn::{Reader, SyntaxProblem, Visitor};

thread_local! {
    pub(super) static EXAMINED: Cell<usize> = const { Cell::new(0) };
}

/// Enters all variations and stores nothing.
struct EnterAll;

impl Visitor for EnterAll {
    type Output = ();
    fn begin_game(&mut self, _: usize) {}
    fn turn(&mut self, _: usize, _: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn begin_variation(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn problem(&mut self, _: usize, _: SyntaxProblem) {}
    fn end_game(&mut self) {}
}

/// Returns the number of bytes examined to report all games in a string.
fn cost(text: &str) -> usize {
    EXAMINED.with(|count| count.set(0));
    let mut reader = Reader::new(text);
    while reader.read_game(&mut EnterAll).is_some() {}
    EXAMINED.with(Cell::get)
}

#[test]
fn reading_takes_linear_time() {
    let beginnings = ["", "1. e4 ", "[Event \"x\"]\n\n1. e4 ", "1. e4 {", "[x \"", "1. e4 ("];
    let pieces = [
        "[abc\"\"]",
        "[a\"\"]\n",
        "[a \"x\"",
        "[",
        "]",
        "[Event \"x\"]\n",
        "\n\n[Event \"x\"]\n",
        "[a b]\n",
        "[a \\",
        "\"",
        "\\",
        "1.",
        "0.1.1.1.",
        "1",
        "0",
        "1-",
        "1 - ",
        "0 - 0 - ",
        "1/2 ",
        "1/2-",
        "½",
        "½–",
        "*",
        "* {x}",
        "*\n\n{x}",
        "1-0 {x}\n",
        "(",
        ")",
        "()",
        "(e4)",
        "e4(",
        "e4(e5,",
        "e4;",
        "e4;xe5",
        "{",
        "}",
        "{}",
        "{x} ",
        "{\n[Event ",
        ";x\n",
        "$",
        "$1 ",
        "$999 ",
        "!",
        "!?",
        "e4!",
        "N",
        "e4N ",
        "=",
        "+",
        "-",
        "--",
        "-- ",
        "+- ",
        "=.",
        "e4= ",
        ".",
        ",",
        "a.",
        "a=",
        " ",
        "\n",
        "\n\n",
        "\r",
        "%\n",
        "%x",
        "\u{feff}",
        "\u{a0}",
        "e4\u{a0}",
        "e.p.",
        "ep ",
        "e.p.e.p.",
        "0000 ",
        "é",
        "…",
        "1.w e2.e4 wpe4/wpe2\n",
        "1.w",
        "1 e4 ",
        "10000000000",
    ];
    for start in beginnings {
        for piece in pieces {
            let text = |count: usize| format!("{start}{}", piece.repeat(count));
            let (small, large) = (text(1_000), text(2_000));
            let (single, doubled) = (cost(&small), cost(&large));
            // Twice the text costs at most twice as much, and each byte is examined a bounded number of
            // times.
            assert!(doubled <= 2 * single + 2_000, "{start:?} {piece:?}: {single}, then {doubled}");
            assert!(doubled <= 40 * large.len(), "{start:?} {piece:?}: {doubled} for {}", large.len());
        }
    }
}
