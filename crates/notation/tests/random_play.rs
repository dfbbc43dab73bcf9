//! Checks that SAN and PGN can be written and read back, in random games of all variants.

use std::collections::HashSet;

use adoube_notation::{
    pgn::{self, Game, GameResult},
    san::{self, SanError},
};
use adoube_rules::{AnyPosition, Color, Position, Square, Turn, Variant, coordinate};
use proptest::prelude::*;

/// Complicated start positions, in addition to the initial ones.
const STARTS: [(Variant, &str); 10] = [
    (Variant::Chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    (Variant::Chess, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    (Variant::Chess, "1r2k1r1/8/8/8/8/8/8/1R2K1RR w GBgb - 3 40"),
    (Variant::Chess, "k7/8/8/1Q3Q2/8/8/1Q3Q2/7K w - - 0 1"),
    (Variant::Baroque, "2p1n2m/pQkPpp1p/4b2P/1PBq4/7n/3P2P1/PR2KN2/4MBNP w - - 2 30"),
    (Variant::Baroque, "rnbk1bnm/pp3ppp/2qp2P1/1Pp1p2P/8/3P1P2/1P1PP3/MNBQKBNR b - - 15 8"),
    (Variant::Interweave, "1b1kknbr/Rp3pp1/5p2/pp2pp2/2PP4/3P2P1/3PP1PP/1BNKKNBR[rn] w - - 0 8"),
    (Variant::Interweave, "2kk1b2/1P1P2P1/8/1p1p4/2n2r2/8/1p2p1p1/2KK1B2[RNBrnb] w - - 0 20"),
    (Variant::Ultima, "2p1n2m/pQkPpp1p/4b2P/1PBq4/7n/3P2P1/PR2KN2/4MBNP w - - 2 30"),
    (Variant::Ultima, "4k3/2pnb3/2nmMN2/2rBpQ2/3P4/8/8/3K4 w - - 0 1"),
];

fn starts() -> impl Strategy<Value = AnyPosition> {
    let initial = Variant::ALL.map(|variant| (variant, variant.initial_fen()));
    let all: Vec<_> = initial.into_iter().chain(STARTS).collect();
    proptest::sample::select(all)
        .prop_map(|(variant, fen)| AnyPosition::from_fen(variant, fen).expect("a playable start"))
}

/// Returns the text without the parts that are often omitted: parentheses, and the signs for check and mate.
fn strip_annotations(san: &str) -> String {
    let mut inside = false;
    san.chars()
        .filter(|&c| {
            inside |= c == '(';
            let keep = !inside && !matches!(c, '+' | '#');
            inside &= c != ')';
            keep
        })
        .collect()
}

#[track_caller]
fn check_turns(position: &AnyPosition) -> Vec<Turn> {
    let turns = position.legal_turns();
    let mut written = HashSet::new();
    for turn in &turns {
        let text = san::write(position, turn);
        assert_eq!(san::parse(position, &text).as_ref(), Ok(turn), "{text} in {}", position.fen());
        let bare_turn = san::parse(position, &strip_annotations(&text));
        if position.gives_up(turn.steps()[0]) && !text.starts_with('P') {
            // Without the parentheses, both squares are needed (N3). Only the text of a pawn has both.
            assert!(bare_turn.is_err(), "bare {text} in {}", position.fen());
        } else {
            assert_eq!(bare_turn.as_ref(), Ok(turn), "bare {text} in {}", position.fen());
        }
        assert!(written.insert(text.clone()), "{text} twice in {}", position.fen());
        assert!(
            written.insert(strip_annotations(&text)) || strip_annotations(&text) == text,
            "{text} twice in {}",
            position.fen()
        );
    }
    turns
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn n3_every_turn_round_trips(mut position in starts(), choices in prop::collection::vec(any::<usize>(), 0..60)) {
        for choice in choices {
            let turns = check_turns(&position);
            if turns.is_empty() {
                break;
            }
            position.play_turn_unchecked(&turns[choice % turns.len()]);
        }
    }

    #[test]
    fn games_round_trip(
        initial in starts(),
        choices in prop::collection::vec(any::<usize>(), 0..120),
        event in "[ -~àéœ„\n\t]{0,40}",
        name in "[A-Za-z0-9][A-Za-z0-9_]{0,20}",
        value in "\\PC{0,20}",
        result in prop::sample::select(vec![GameResult::Draw, GameResult::Won(Color::Black), GameResult::Unknown]),
    ) {
        let mut game = Game { result, ..Game::new(initial) };
        game.tags.set("Event", &event).expect("a name");
        for known in ["Site", "Date", "Round", "White", "Black"] {
            game.tags.set(known, "?").expect("a name");
        }
        let derived = ["FEN", "SetUp", "Variant", "Result"].contains(&name.as_str());
        if !derived {
            game.tags.set(&name, &value).expect("a name");
        }
        let mut position = game.initial.clone();
        for choice in choices {
            let turns = position.legal_turns();
            if turns.is_empty() {
                break;
            }
            let turn = turns[choice % turns.len()].clone();
            position.play_turn_unchecked(&turn);
            game.turns.push(turn);
        }
        prop_assert_eq!(&game.last_position(), &position);
        let text = pgn::write(&game);
        for line in text.lines().skip_while(|line| line.starts_with('[')) {
            prop_assert!(line.len() < 80 || !line.contains(' '), "{line}");
        }
        // Sort the tags, because reading returns them in the order of the file.
        let sorted = |game: &Game| {
            let mut tags: Vec<_> = game.tags.iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
            tags.sort();
            tags
        };
        let games: Vec<_> = pgn::games(&format!("\u{feff}{text}{}", text.replace('\n', "\r\n"))).collect();
        prop_assert_eq!(games.len(), 2);
        for read in games {
            let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert_eq!(&read.initial, &game.initial);
            prop_assert_eq!(&read.turns, &game.turns);
            prop_assert_eq!(read.result, game.result);
            prop_assert_eq!(sorted(&read), sorted(&game));
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,60}", turns in "[a-h1-8PNBRQKMXxO0=()\\-;,+#!$\\[\\]{}. \n\"]{0,200}") {
        for variant in Variant::ALL {
            let position = AnyPosition::initial(variant);
            for text in [&text, &turns] {
                if let Ok(turn) = san::parse(&position, text) {
                    prop_assert!(position.legal_turns().contains(&turn));
                }
            }
        }
        for _ in pgn::games(&text).chain(pgn::games(&turns)) {}
        for _ in pgn::games(&format!("[Variant \"Interweave\"]\n{turns}")) {}
    }
}

#[test]
fn n3_every_turn_of_the_perft_positions_round_trips() {
    macro_rules! files {
        ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
            [$((Variant::$variant, include_str!(concat!("perft/", $name, ".epd")))),*]
        };
    }
    for (variant, lines) in adoube_rules::for_each_game!([files]) {
        let mut checked = 0;
        for fen in
            lines.lines().filter_map(|line| line.split(';').next()).filter(|fen| !fen.trim().is_empty())
        {
            let position = AnyPosition::from_fen(variant, fen).expect("a playable position");
            checked += check_turns(&position).len();
        }
        assert!(checked > 20, "{variant}: {checked}");
    }
}

#[track_caller]
fn writes(variant: Variant, fen: &str, table: &[(&str, &str)]) {
    let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for &(coordinates, expected) in table {
        let turn = coordinate::parse(&position, coordinates).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(san::write(&position, &turn), expected, "{fen}");
    }
}

#[track_caller]
fn reads(variant: Variant, fen: &str, coordinates: &str, texts: &[&str]) {
    let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for text in texts {
        let turn = san::parse(&position, text).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        assert_eq!(coordinate::write(&position, &turn), coordinates, "{text}");
    }
}

#[test]
fn n3_chess_turns_are_written_as_in_the_standard() {
    let kiwipete = STARTS[0].1;
    writes(
        Variant::Chess,
        kiwipete,
        &[
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O"),
            ("g2h3", "gxh3"),
            ("e5f7", "Nxf7"),
            ("c3b5", "Nb5"),
            ("e1f1", "Kf1"),
        ],
    );
    writes(Variant::Chess, "k7/8/8/1Q3Q2/8/8/1Q3Q2/7K w - - 0 1", &[("b5b4", "Q5b4"), ("f2f3", "Q2f3+")]);
    writes(Variant::Chess, "k7/8/8/1Q6/8/8/1Q2Q3/7K w - - 0 1", &[("b2e5", "Qb2e5"), ("e2e5", "Qee5")]);
    writes(Variant::Chess, "7k/8/8/8/3pP3/8/8/K7 b - e3 0 1", &[("d4e3", "dxe3")]);
    writes(Variant::Chess, "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", &[("a7b8q", "axb8=Q+"), ("a7a8n", "a8=N")]);
    writes(
        Variant::Chess,
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        &[("d8h4", "Qh4#")],
    );
    // A pinned man does not make the destination ambiguous.
    writes(Variant::Chess, "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", &[("g1e2", "Ne2")]);
    reads(Variant::Chess, kiwipete, "e1g1", &["O-O", "0-0", "O-O+", "o-o!", "0-0 "]);
    reads(
        Variant::Chess,
        kiwipete,
        "e5f7",
        &["Nxf7", "Nf7", "Ne5xf7+", "Ne5:f7", "e5f7", "N5xf7!?", "Ne5–f7"],
    );
    reads(
        Variant::Chess,
        "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
        "a7b8r",
        &["axb8=R", "axb8R", "ab8=R+", "a7xb8(R)", "a7b8r", "Pa7xb8/R", "b8=R"],
    );
    reads(Variant::Chess, "7k/8/8/8/3pP3/8/8/K7 b - e3 0 1", "d4e3", &["dxe3", "dxe3e.p.", "dxe3+ e.p."]);
    // In a Chess960 position, castling is distinguished from an ordinary step of the king.
    reads(Variant::Chess, STARTS[2].1, "e1b1", &["O-O-O", "0-0-0"]);
    reads(Variant::Chess, STARTS[2].1, "e1d1", &["Kd1"]);
}

#[test]
fn n3_baroque_turns() {
    let pincer = "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7";
    writes(Variant::Baroque, pincer, &[("c2c4", "Pc2xc4(d4,c5)"), ("b2b3", "Pb2-b3"), ("c6c8", "N-c8")]);
    reads(
        Variant::Baroque,
        pincer,
        "c2c4",
        &[
            "Pc2xc4(d4,c5)",
            "Pxc4(d4,c5)",
            "P-c4",
            "Pc-c4",
            "Pc2-c4",
            "Pc2c4",
            "Pc2c4X",
            "c4",
            "cxc4",
            "Pxc4(c5,d4)",
            "Pc2–c4",
            "c4X",
        ],
    );
    writes(Variant::Baroque, "7k/8/8/r3pP2/2n5/8/B7/K7", &[("a2d5", "Bxd5(c4,a5)")]);
    writes(Variant::Baroque, "7k/8/8/8/8/4n3/4K3/8", &[("e2e3", "Kxe3")]);
    writes(
        Variant::Baroque,
        "7k/8/2Q5/8/8/8/2Q1Q3/K7",
        &[("c2c4", "Qc2-c4"), ("c6c4", "Q6-c4"), ("e2c4", "Qe-c4"), ("e2e5", "Q-e5")],
    );
    writes(Variant::Baroque, Variant::Baroque.initial_fen(), &[("c2c4", "Pc2-c4")]);
    reads(Variant::Baroque, "7k/8/8/3Qr3/8/8/8/K7", "d5b5", &["Qb5X", "Qxb5(e5)", "Q-b5", "Qb5"]);
}

#[test]
fn n3_the_square_of_a_man_given_up_is_in_parentheses() {
    let frozen = "7k/8/8/3mMP2/8/8/4M3/K7 w - - 0 1";
    writes(Variant::Ultima, frozen, &[("e5e5", "M-e5(e5)")]);
    reads(Variant::Ultima, frozen, "e5e5", &["M-e5(e5)", "Me5(e5)", "Me5e5", "e5-e5"]);
    writes(Variant::Ultima, "7k/8/8/3mP3/8/8/8/K7 w - - 0 1", &[("e5e5", "Pe5-e5(e5)")]);
    let position = AnyPosition::from_fen(Variant::Ultima, frozen).expect("a position");
    for text in ["M-e5", "Me5", "Mxe5", "Mxe5(e5)", "M-e5(d5)", "P-f5(f5)"] {
        assert!(san::parse(&position, text).is_err(), "{text}");
    }
}

#[test]
fn n3_interweave_turns() {
    // A remover that stays in place, and a promotion in the middle of a chain.
    let kings = "kk6/8/8/8/4Bp2/8/8/KK6";
    writes(Variant::Interweave, kings, &[("e4e4", "Bxe4(f4)")]);
    reads(Variant::Interweave, kings, "e4e4", &["Bxe4(f4)", "Be4X", "e4R", "Be4", "Bxe4"]);
    let chains = "1b1kk1b1/prppp1rp/8/1p4Pp/7P/N1P1P3/1n6/2RKK1BR[NBn] w - g6h5 0 16";
    let long = "h4h6h8nf8b6b4";
    writes(
        Variant::Interweave,
        chains,
        &[
            (long, "Ph4xh6(h5);Pxh8=N(h7);Nxf8(g8);Nxb6(d7);Nxb4(b5)"),
            ("g5h6h8bh8", "Pg5xh6(h5);Pxh8=B(h7);Bxh8(g8)"),
        ],
    );
    reads(
        Variant::Interweave,
        chains,
        long,
        &[
            "Ph4h6X,Nh8X,Nf8X,Nb6X,Nb4X",
            "h4h6;h8N;f8;b6;b4",
            "Phxh6;xh8=N;xf8;xb6;xb4!",
            "Ph4xh6 ; Pxh8=N ; f8 ; b6 ; b4",
        ],
    );
    let position = AnyPosition::from_fen(Variant::Interweave, chains).expect("a position");
    assert_eq!(
        san::parse(&position, "Ph4xh6;Pxh8=N"),
        Err(SanError::Unfinished { text: "Ph4xh6;Pxh8=N".to_owned(), square: Square::H8 })
    );
    assert!(matches!(san::parse(&position, "Ph6X"), Err(SanError::Unfinished { .. })));
    assert!(matches!(san::parse(&position, "Ph4xh6;xh8=N;xf8;xb6;xb4;xb2"), Err(SanError::NoMatch(_))));
    // Capturing a king ends the game.
    writes(Variant::Interweave, "8/8/4k3/3kK3/8/8/8/7K", &[("e5e7", "Kxe7(e6)#"), ("e5c5", "Kxc5(d5)#")]);
}

#[test]
fn errors_name_the_problem() {
    let parse = |variant, fen: &str, text: &str| {
        san::parse(&AnyPosition::from_fen(variant, fen).expect("a position"), text).expect_err(text)
    };
    let initial = Variant::Chess.initial_fen();
    for text in ["e5", "Nd2", "exd3", "O-O", "xe4", "e4=Q", "e4(e5)", "Ne2e4"] {
        assert!(matches!(parse(Variant::Chess, initial, text), SanError::NoMatch(_)), "{text}");
    }
    assert!(matches!(parse(Variant::Chess, initial, "hello"), SanError::Syntax(..)));
    let own_man = parse(Variant::Chess, "1k6/8/8/8/8/8/8/R3K2R w - - 0 1", "Re1");
    assert!(matches!(own_man, SanError::NoMatch(_)), "{own_man}");
    let ambiguous = parse(Variant::Chess, "1k6/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1");
    assert_eq!(ambiguous.to_string(), "\"Rd1\" may mean Rad1 or Rhd1");
    let promotion = parse(Variant::Chess, "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8");
    assert_eq!(promotion.to_string(), "\"a8\" may mean a8=Q+ or a8=R+ or a8=B or a8=N");
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(matches!(parse(Variant::Chess, mated, "e3"), SanError::GameOver(_)));
}

#[test]
fn a_game_is_written_in_the_export_format() {
    let mut game =
        Game::new(AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7").expect("ok"));
    game.tags.set("Event", "Say \"J'adoube\" \\ \n!").expect("a name");
    game.tags.set("Termination", "normal").expect("a name");
    game.tags.set("White", "Retireur").expect("a name");
    game.tags.set("FEN", "the position takes precedence").expect("a name");
    for text in ["Pc2c4", "h5"] {
        let turn = san::parse(&game.last_position(), text).expect(text);
        game.turns.push(turn);
    }
    game.result = GameResult::Won(Color::White);
    assert_eq!(
        pgn::write(&game),
        r#"[Event "Say \"J'adoube\" \\  !"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Retireur"]
[Black "?"]
[Result "1-0"]
[FEN "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1"]
[SetUp "1"]
[Termination "normal"]
[Variant "Baroque"]

1. Pc2xc4(d4,c5) Ph7-h5 1-0

"#
    );
    assert!(game.tags.set("no name", "").is_err());
}

#[test]
fn bad_games_yield_errors_in_their_places() {
    let text = "[Event \"good\"]\n\n1. e4 e5 1-0\n\n[Event \"bad\"]\n\n1. e4 e5\n2. Ke3 Nc6 *\n\n[Variant \"Xiangqi\"]\n\n\
                1. e4 *\n\n[FEN \"8/8\"]\n*\n[Event \"last\"]\n[Variant \"ultima\"]\n1. Pc2c4 (1. Pd2d4) *\n";
    let games: Vec<_> = pgn::games(text).collect();
    let known = Variant::ALL.into_iter().filter_map(|variant| variant.info().pgn_name);
    let known = known.collect::<Vec<_>>().join(" or ");
    let errors: Vec<_> = games.iter().map(|game| game.as_ref().err().map(ToString::to_string)).collect();
    assert_eq!(
        errors,
        [
            None,
            Some("line 8: turn 3: \"Ke3\" is not a legal turn here".to_owned()),
            Some(format!("line 10: unknown variant \"Xiangqi\"; the Variant tag may be {known}")),
            Some(
                "line 14: the FEN tag: the board has 2 ranks; there must be 8, separated by \"/\"".to_owned()
            ),
            None,
        ]
    );
    let read = games[1].as_ref().err().and_then(|error| error.read.as_ref()).expect("what was read");
    assert_eq!((read.turns.len(), read.tags.get("Event")), (2, Some("bad")));
    let last = games[4].as_ref().expect("a good game");
    assert_eq!((last.initial.variant(), last.turns.len()), (Variant::Baroque, 1));
}
