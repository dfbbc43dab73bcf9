//! Checks streams, trees, and the conventions of other programs.

use std::{
    io::{self, Read},
    ops::ControlFlow,
    time::Duration,
};

use adoube_notation::pgn::{
    self, Checker, GameProblem, GameResult, Line, MAX_GAME_BYTES, Nag, Node, NotPgn, Stream, SyntaxProblem,
    Tree, TreeBuilder, TurnText, Visitor, write_tree,
};
use adoube_rules::{AnyPosition, Position, Variant};
use proptest::prelude::*;

/// A source that returns a few bytes at a time, as a slow disk or a pipe may.
struct SlowReader<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for SlowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

fn read_all<V: Visitor>(bytes: &[u8], size: usize, visitor: &mut V) -> Vec<V::Output> {
    let mut stream = Stream::new(SlowReader { bytes, size });
    std::iter::from_fn(|| stream.read_game(visitor).expect("memory can be read")).collect()
}

/// Returns the first problem of each game.
fn problems(bytes: &[u8]) -> Vec<Option<String>> {
    let checked = read_all(bytes, 1 << 20, &mut Checker::default());
    checked.into_iter().map(|game| game.problem.map(|(line, problem)| format!("{line}: {problem}"))).collect()
}

/// Generates lines of play from a list of random numbers, which choose the turns and their comments.
struct LineGenerator<'a> {
    numbers: std::slice::Iter<'a, u16>,
}

impl LineGenerator<'_> {
    fn next(&mut self, bound: usize) -> usize {
        self.numbers.next().map_or(0, |&number| usize::from(number) % bound)
    }

    fn comments(&mut self) -> Vec<String> {
        const COMMENTS: [&str; 6] = [
            "best",
            "a { brace ( and ) a ; semicolon 1-0",
            "[%clk 0:01:02.5]",
            "[Event \"not a tag\"] % $5 éœ„",
            "a long comment that has to be broken over lines because it has many more words than fit in one",
            "[Event [Event [Event [Event [Event [Event [Event [Event [Event [Event [Event [Event [Event [Event",
        ];
        let count = self.next(8).saturating_sub(5);
        (0..count).map(|_| COMMENTS[self.next(COMMENTS.len())].to_owned()).collect()
    }

    fn line(&mut self, mut position: AnyPosition, depth: usize) -> Line {
        let mut line = Line { comments: self.comments(), nodes: Vec::new() };
        for _ in 0..=self.next(30 >> depth) {
            let turns = position.legal_turns();
            if turns.is_empty() {
                break;
            }
            let mut node = Node::from(turns[self.next(turns.len())].clone());
            node.nags = (0..self.next(6).saturating_sub(3)).map(|_| Nag(self.next(256) as u8)).collect();
            node.comments = self.comments();
            if depth < 3 {
                let variations = self.next(12).saturating_sub(9);
                node.variations = (0..variations).map(|_| self.line(position.clone(), depth + 1)).collect();
            }
            position.play_turn_unchecked(&node.turn);
            line.nodes.push(node);
        }
        line
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn trees_round_trip(
        variant in prop::sample::select(Variant::ALL.to_vec()),
        numbers in prop::collection::vec(any::<u16>(), 0..400),
        size in 1_usize..2_000,
    ) {
        let initial = AnyPosition::initial(variant);
        let main = LineGenerator { numbers: numbers.iter() }.line(initial.clone(), 0);
        let mut tree = Tree { tags: pgn::Tags::new(), initial, main, result: GameResult::Draw, warnings: pgn::Warnings::default() };
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            tree.tags.set(name, "?").expect("a name");
        }
        for turns in [TurnText::San, TurnText::Coordinates] {
            let text = write_tree(&tree, turns);
            for read in pgn::trees(&text).chain(read_all(text.repeat(2).as_bytes(), size, &mut TreeBuilder::default())) {
                let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
                prop_assert_eq!(&read, &tree, "{}", text);
            }
            prop_assert!(problems(text.as_bytes()).iter().all(Option::is_none), "{}", text);
        }
    }

    #[test]
    fn a_stream_reports_the_same_as_a_reader(text in "(\\[Event \"a\"\\]\n|1-0|\\*|e4 |e5 |Nf3 |\\(|\\)|\\{|\\}|;|%|\n|\n\n|½|1/2-1/2|0-0 |Nxf7\\(e5\\);Nxh7 ){0,60}", size in 1_usize..40) {
        #[derive(Default)]
        struct Recorder(Vec<String>);
        impl Visitor for Recorder {
            type Output = Vec<String>;
            fn begin_game(&mut self, line: usize) {
                self.0.push(format!("game {line}"));
            }
            fn turn(&mut self, line: usize, san: &str) -> ControlFlow<()> {
                self.0.push(format!("{line} {san}"));
                ControlFlow::Continue(())
            }
            fn comment(&mut self, text: &str) {
                self.0.push(text.to_owned());
            }
            fn result(&mut self, result: GameResult) {
                self.0.push(result.to_string());
            }
            fn begin_variation(&mut self) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
            fn problem(&mut self, line: usize, problem: SyntaxProblem) {
                self.0.push(format!("{line} {problem}"));
            }
            fn end_game(&mut self) -> Vec<String> {
                std::mem::take(&mut self.0)
            }
        }
        let mut reader = pgn::Reader::new(&text);
        let mut recorder = Recorder::default();
        let whole: Vec<_> = std::iter::from_fn(|| reader.read_game(&mut recorder)).collect();
        prop_assert_eq!(read_all(text.as_bytes(), size, &mut recorder), whole);
    }

    #[test]
    fn any_bytes_are_read_to_the_end_or_recognised_as_another_kind_of_file(
        start in prop::sample::select(vec!["", "<", "PK\u{3}\u{4}", "\u{feff}"]),
        rest in prop::collection::vec(any::<u8>(), 0..400),
        size in 1_usize..50,
    ) {
        fn error<V: Visitor>(bytes: &[u8], size: usize, visitor: &mut V) -> Option<NotPgn> {
            let mut stream = Stream::new(SlowReader { bytes, size });
            let error = std::iter::from_fn(|| stream.read_game(visitor).transpose()).find_map(Result::err)?;
            Some(*error.get_ref().expect("a source in memory does not fail").downcast_ref().expect("the kind of file"))
        }
        let bytes = [start.as_bytes(), &rest].concat();
        prop_assert_eq!(error(&bytes, size, &mut Checker::default()), pgn::sniff(&bytes));
        prop_assert_eq!(error(&bytes, size, &mut TreeBuilder::default()), pgn::sniff(&bytes));
    }
}

#[test]
fn latin_1_and_byte_order_marks_and_missing_results_are_accepted() {
    let file = b"\xef\xbb\xbf% made by hand\r\n[Event \"Caf\xe9\"]\r\n[White \"Andr\xc3\xa9\"]\r\n\r\n1.e4 {d\xe9j\xe0} e5\r\n2.Nf3\r\n\
                 \xef\xbb\xbf[Event \"2\"]\r\n\r\n1.d4 d5 \xbd-\xbd\r\n\r\n[Event \"3\"]\r\n";
    let games: Vec<_> = read_all(file, 7, &mut TreeBuilder::default())
        .into_iter()
        .map(|game| game.expect("a good game"))
        .collect();
    let found: Vec<_> =
        games.iter().map(|game| (game.tags.get("Event"), game.main.nodes.len(), game.result)).collect();
    assert_eq!(
        found,
        [
            (Some("Café"), 3, GameResult::Unknown),
            (Some("2"), 2, GameResult::Draw),
            (Some("3"), 0, GameResult::Unknown)
        ]
    );
    assert_eq!(games[0].main.nodes[0].comments, ["déjà"]);
    assert_eq!(games[0].tags.get("White"), Some("André"));
}

#[test]
fn clocks_are_set_and_read() {
    let text = "1. e4 {[%clk 0:03:00] book} e5 (1... c5 {[%clk 0:02:58.5]}) *";
    let mut tree = pgn::trees(text).next().expect("a game").expect("a good one");
    assert_eq!(tree.main.nodes[0].clock(), Some(Duration::from_mins(3)));
    assert_eq!(tree.main.nodes[1].variations[0].nodes[0].clock(), Some(Duration::from_millis(178_500)));
    tree.main.nodes[0].set_clock(Duration::from_secs(179));
    tree.main.nodes[1].set_clock(Duration::from_secs(9));
    let written = write_tree(&tree, TurnText::San).split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "1. e4 {[%clk 0:02:59]} {book} 1... e5 {[%clk 0:00:09]} (1... c5 {[%clk 0:02:58.5]}) *";
    assert!(written.ends_with(expected), "{written}");
}

#[test]
fn a_bad_game_is_reported_with_its_line_and_the_next_is_read() {
    let deep = format!("1. e4 {}1. d4{} *", "(".repeat(120), ")".repeat(120));
    let file = format!(
        "1. e4 e5 2. Ke3 *\n\n1. e4 (1. d4 d5 2. Ke3) e5 *\n1. e4 (1. d5) *\n{deep}\n[Variant \"Xiangqi\"]\n*\n[Event \"\"]\n1. e4 *"
    );
    let known = Variant::ALL.into_iter().filter_map(|variant| variant.info().pgn_name);
    let known = known.collect::<Vec<_>>().join(" or ");
    let found = problems(file.as_bytes());
    assert_eq!(
        found,
        [
            Some("1: turn 3: \"Ke3\" is not a legal turn here".to_owned()),
            Some("3: turn 1: \"Ke3\" is not a legal turn here".to_owned()),
            Some("4: turn 1: \"d5\" is not a legal turn here".to_owned()),
            Some("5: variations are nested more than 100 deep".to_owned()),
            Some(format!("6: unknown variant \"Xiangqi\"; the Variant tag may be {known}")),
            None,
        ]
    );
}

#[test]
fn a_game_that_never_ends_is_skipped() {
    let mut file = b"[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. e4 {".to_vec();
    file.resize(file.len() + 2 * MAX_GAME_BYTES, b'x');
    file.extend_from_slice(b"\n\n[Site \"3\"]\n\n1. e4 e5 *\n\n[Event \"4\"]\n\n1. e5 *\n");
    assert_eq!(
        problems(&file),
        [
            None,
            Some("5: the game that begins here is longer than 4 MiB".to_owned()),
            None,
            Some("15: turn 1: \"e5\" is not a legal turn here".to_owned()),
        ]
    );
}

/// A file as the vchess site writes it: its own tag names, no result at the end, unescaped quotes, turns that
/// do not say which man moves, and then all turns a second time.
const SITE: &str = r#"[Site "vchess.club"]
[Variant "Baroque"]
[Date "2020-12-31"]
[White "a"]
[Black "b"]
[Fen "7k/8/2Q5/8/8/4p3/2Q1Q3/K7 w 0"]
[Result "1/2"]
[Options "{"randomness":0}"]

1.Qc4 Kh7

1.w e2.c4 wqc4/wqe2
1.b h8.h7 bkh7/bkh8

[Site "vchess.club"]
[Variant "Interweave"]
[Fen "kk6/8/8/8/4Bp2/8/8/KK6 w 0"]
[Result "*"]

1.e4R

1.w e4.f4 -/bpf4
"#;

#[test]
fn the_second_block_resolves_ambiguous_turns() {
    let games: Vec<_> = pgn::trees(SITE).map(|game| game.expect("a good game")).collect();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].main.nodes.len(), games[0].result), (2, GameResult::Draw));
    assert_eq!(games[0].tags.get("Options"), Some("{\"randomness\":0}"));
    assert_eq!(games[0].initial.variant(), Variant::Baroque);
    let text = write_tree(&games[0], TurnText::San);
    assert!(text.contains("1. Qe-c4 K-h7 1/2-1/2"), "{text}");
    assert_eq!(write_tree(&games[1], TurnText::Coordinates).lines().last(), Some(""));
    assert!(write_tree(&games[1], TurnText::San).contains("1. Bxe4(f4) *"));
    assert_eq!(problems(SITE.as_bytes()), [None, None]);
}

#[test]
fn a_difference_between_the_two_blocks_is_reported() {
    let other = SITE.replace("1.b h8.h7 bkh7/bkh8", "1.b h8.g7 bkg7/bkh8");
    assert_eq!(
        problems(other.as_bytes())[0],
        None,
        "turn 1 of the first block is ambiguous, so turn 2 is not compared"
    );
    let other = other.replace("1.Qc4", "1.Qec4");
    assert_eq!(
        problems(other.as_bytes())[0].as_deref(),
        Some("13: turn 2 of the second block differs from the first block")
    );
    let other = SITE.replace("1.Qc4", "1.Qec4").replace("h8.h7 bkh7", "h8.h6 bkh6");
    assert_eq!(
        problems(other.as_bytes())[0].as_deref(),
        Some("13: turn 2 of the second block: \"h8.h6 bkh6/bkh8\" is not a legal turn here")
    );
    let mut checker = Checker::default();
    let first = read_all(other.as_bytes(), 9, &mut checker).remove(0);
    assert!(matches!(first.problem, Some((13, GameProblem::Explicit { number: 2, .. }))));
}
