//! Checks that the forms of PGN found in real files are read: where games begin and end, results, annotation
//! symbols, tags, null moves, errors in variations, and the limits on the text that is stored.

use adoube_notation::pgn::{
    self, Checker, GameProblem, GameResult, Limit, MAX_COMMENTS, MAX_NAGS, MAX_TAGS, MAX_VARIATIONS, NotPgn,
    Stream, Tree, TreeBuilder, TurnText, Warnings, write_tree,
};
use adoube_rules::{Position, Variant};

/// Returns the games in a file, which must all be good.
#[track_caller]
fn read(bytes: &[u8]) -> Vec<Tree> {
    let mut stream = Stream::new(bytes);
    let mut builder = TreeBuilder::default();
    let mut trees = Vec::new();
    while let Some(tree) = stream.read_game(&mut builder).expect("a PGN") {
        trees.push(tree.unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(bytes))));
    }
    trees
}

/// Returns the movetext of a game on one line.
fn movetext(tree: &Tree) -> String {
    let written = write_tree(tree, TurnText::San);
    let (_, movetext) = written.split_once("\n\n").expect("tags and movetext");
    movetext.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the warnings about a game.
fn warnings(tree: &Tree) -> Vec<String> {
    tree.warnings.first.iter().map(|warning| format!("{}: {}", warning.line, warning.problem)).collect()
}

/// Reads files and compares the movetext of their games. Each game must also remain the same when it is
/// written and read again.
#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let trees = read(text.as_bytes());
        assert_eq!(trees.iter().map(movetext).collect::<Vec<_>>(), *expected, "{text}");
        for tree in trees {
            let again = read(write_tree(&tree, TurnText::San).as_bytes()).remove(0);
            assert_eq!((again.main, again.result), (tree.main, tree.result), "{text}");
        }
    }
}

#[test]
fn comments_before_the_next_empty_line_belong_to_the_game_that_ended() {
    check(&[
        ("1. e4 e5 1-0 {Black resigns}\n\n1. d4 d5 0-1\n", &["1. e4 e5 {Black resigns} 1-0", "1. d4 d5 0-1"]),
        ("[Event \"x\"]\n\n1. e4 * {tail}\n", &["1. e4 {tail} *"]),
        ("1. e4 e5 1-0 {White won}", &["1. e4 e5 {White won} 1-0"]),
        (
            "[Event \"x\"]\n\n1. e4 *\n\n{between}\n\n[Event \"y\"]\n\n1. d4 *",
            &["1. e4 *", "{between} 1. d4 *"],
        ),
        ("1. e4 *\n\n{tail}\n\n; and more\n", &["1. e4 {tail} {and more} *"]),
        ("1. e4 *\n{next line}\n\n1. d4 *", &["1. e4 {next line} *", "1. d4 *"]),
        ("1. e4 1-0 ! {x} $14 ; y\n1. d4 *", &["1. e4 $1 $14 {x} {y} 1-0", "1. d4 *"]),
        ("1. e4 1-0\n$1 1. d4 *", &["1. e4 1-0", "1. d4 *"]),
        ("1. e4 1-0 1. d4 *", &["1. e4 1-0", "1. d4 *"]),
        ("{only words}\n\n; and these\n", &[]),
        ("{words} 1. e4 *", &["{words} 1. e4 *"]),
        ("", &[]),
        ("[Event \"x\"]\n\n*\n", &["*"]),
    ]);
}

#[test]
fn a_tag_begins_a_game_after_movetext_or_if_repeated() {
    let events = |text: &str| {
        let trees = read(text.as_bytes());
        trees.iter().map(|tree| tree.tags.get("Event").unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    // A tag before `Event` belongs to the same game, unless an empty line separates them.
    assert_eq!(events("[Termination \"x\"]\n[Event \"A\"]\n[Result \"*\"]\n\n1. e4 *\n"), ["A"]);
    assert_eq!(events("[Termination \"x\"]\n\n[Event \"A\"]\n\n1. e4 *\n"), ["-", "A"]);
    // A name that the game already has begins another game, with or without an empty line.
    assert_eq!(events("[Event \"A\"]\n[White \"x\"]\n[Event \"B\"]\n[White \"y\"]\n"), ["A", "B"]);
    let sections = "[Event \"A\"]\n\n".to_owned() + &"[Site \"s\"]\n[White \"x\"]\n\n".repeat(45);
    assert_eq!(read(sections.as_bytes()).len(), 45);
    // After movetext, any tag begins a game, even without a result. If no empty line precedes the tag, a
    // warning is issued.
    assert_eq!(events("1. e4\n\n[White \"x\"]\n\n1. d4 *"), ["-", "-"]);
    for movetext in ["1. e4 e5", "1. e4 e5\n2. Nc3 Nc6\n3. d3"] {
        let torn = read(format!("{movetext}\n[Annotator \"z\"]\n2. Nf3 *").as_bytes());
        assert_eq!(torn.len(), 2);
        let line = movetext.lines().count() + 1;
        let warning = "the movetext ends without a result at a tag, which begins the next game";
        assert_eq!(warnings(&torn[0]), [format!("{line}: {warning}")]);
    }
    assert!(read(b"1. e4 e5\n\n[Annotator \"z\"]\n\n*").iter().all(|tree| tree.warnings.is_empty()));
}

#[test]
fn a_line_in_a_comment_may_look_like_a_tag() {
    check(&[
        ("1. e4 {see\n[Event \"x\"]\nthere} e5 *", &["1. e4 {see [Event \"x\"] there} 1... e5 *"]),
        ("1. e4 {[Event \"x\"]} e5 *", &["1. e4 {[Event \"x\"]} 1... e5 *"]),
    ]);
    let mut games = pgn::trees("1. e4 {never closed\n\n[Event \"2\"]\n\n1. d4 {closed} *");
    assert!(games.next().is_some_and(|game| game.is_err()));
    assert_eq!(
        games.next().and_then(Result::ok).map(|game| movetext(&game)).as_deref(),
        Some("1. d4 {closed} *")
    );
}

#[test]
fn results_in_any_spelling_end_a_game() {
    for (written, expected) in [
        ("1-0", "1-0"),
        ("1 - 0", "1-0"),
        ("1–0", "1-0"),
        ("1 – 0", "1-0"),
        ("1−0", "1-0"),
        ("1 : 0", "1-0"),
        ("0-1", "0-1"),
        ("0 - 1", "0-1"),
        ("0—1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("1/2–1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("½ - ½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("*", "*"),
    ] {
        for rest in
            ["", "\n\n1. d4 d5 *", "\n\n[Event \"y\"]\n\n1. d4 d5 *", " {x}\n\n[Event \"y\"]\n\n1. d4 d5 *"]
        {
            let text = format!("1. e4 e5 {written}{rest}");
            let games = read(text.as_bytes());
            assert_eq!(games.len(), 1 + usize::from(rest.contains("d4")), "{text}");
            assert_eq!(
                (games[0].result.to_string().as_str(), games[0].main.nodes.len()),
                (expected, 2),
                "{text}"
            );
            assert!(games[0].warnings.is_empty(), "{text}");
        }
        let tag = format!("[Result \"{written}\"]\n\n1. e4 e5\n");
        assert_eq!(read(tag.as_bytes())[0].result.to_string(), expected, "{tag}");
    }
    // A draw in Windows-1252, with the dash of that encoding.
    assert_eq!(read(b"1. e4 e5 \xbd\x96\xbd")[0].result, GameResult::Draw);
    // Castling with zeros and dashes is not a result.
    check(&[(
        "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O–O 1-0",
        &["1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0"],
    )]);
    let lost =
        read(b"[Result \"0-0\"]\n\n1. e4 e5 0-0\n\n[Result \"0 - 0\"]\n\n0 - 0\n\n[Result \"won\"]\n\n1. e4");
    assert_eq!(lost.iter().map(movetext).collect::<Vec<_>>(), ["1. e4 e5 *", "*", "1. e4 *"]);
    assert_eq!(
        warnings(&lost[2]),
        ["9: \"won\" in the Result tag is not a result; results are 1-0, 0-1, 1/2-1/2 and *"]
    );
    assert_eq!(warnings(&lost[0]).len(), 1);
}

#[test]
fn symbols_from_other_programs_and_from_the_web_page_are_read() {
    check(&[
        (
            "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 0 - 0 - 0 0 - 0 - 0 *",
            &["1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O *"],
        ),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0 - 0 *", &["1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p.! *", &["1. e4 Nf6 2. e5 d5 3. exd6 $1 *"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p.!+- *", &["1. e4 Nf6 2. e5 d5 3. exd6 $1 $18 *"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p.+ Nc6 *", &["1. e4 Nf6 2. e5 d5 3. exd6 Nc6 *"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6ep Nc6 *", &["1. e4 Nf6 2. e5 d5 3. exd6 Nc6 *"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6 (ep) Nc6 *", &["1. e4 Nf6 2. e5 d5 3. exd6 Nc6 *"]),
        ("1. e4+= e5 2. Nf3+/- *", &["1. e4 $14 e5 2. Nf3 $16 *"]),
        ("1. e4⩲ e5 □ *", &["1. e4 $14 e5 $7 *"]),
        ("1. e4 e5 2. Nf3 −+ *", &["1. e4 e5 2. Nf3 $19 *"]),
        ("1. e4 e5 2. Nf3‼ a6⩱ 3. Bc4N +− *", &["1. e4 e5 2. Nf3 $3 a6 $15 3. Bc4 $146 $18 *"]),
        ("1. e4!?± N e5 = 2. Nf3 ∞ *", &["1. e4 $5 $16 $146 e5 $10 2. Nf3 $13 *"]),
        ("1.e4, e5, 2.Nf3 *", &["1. e4 e5 2. Nf3 *"]),
        ("1.\u{a0}e4\u{a0}e5 2.\u{202f}Nf3 *", &["1. e4 e5 2. Nf3 *"]),
        ("1. e4 … e5 *", &["1. e4 e5 *"]),
    ]);
    // The symbols that the web page shows for marks are read as the same marks.
    for (number, sign) in [
        (1, "!"),
        (2, "?"),
        (3, "!!"),
        (4, "??"),
        (5, "!?"),
        (6, "?!"),
        (7, "□"),
        (10, "="),
        (13, "∞"),
        (14, "⩲"),
        (15, "⩱"),
        (16, "±"),
        (17, "∓"),
        (18, "+−"),
        (19, "−+"),
    ] {
        for text in [format!("1. e4{sign} e5 *"), format!("1. e4 {sign} e5 *")] {
            let tree = read(text.as_bytes()).remove(0);
            assert_eq!(
                tree.main.nodes[0].nags.iter().map(|nag| nag.0).collect::<Vec<_>>(),
                [number],
                "{text}"
            );
            assert_eq!(tree.main.nodes.len(), 2, "{text}");
        }
    }
}

#[test]
fn omissions_are_reported() {
    for (text, movetext_of, warning) in [
        ("$1 1. e4 *", "1. e4 *", "1: a mark belongs to no turn and is ignored"),
        ("1. e4 $256 e5 *", "1. e4 e5 *", "1: \"$256\" means nothing here and is ignored"),
        ("1. e4 ¿ e5 *", "1. e4 e5 *", "1: \"¿\" means nothing here and is ignored"),
        ("(1. d4 d5) *", "*", "1: a variation belongs to no turn and is ignored"),
        (
            "[White.Elo \"1\"]\n\n1. e4 *",
            "1. e4 *",
            "1: \"[White.Elo \\\"1\\\"]\" is not a tag; write [Name \"value\"]",
        ),
        ("[Black]\n\n1. e4 *", "1. e4 *", "1: \"[Black]\" is not a tag; write [Name \"value\"]"),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\n1. O-O *",
            "1. O-O *",
            "1: the FEN tag: the castling right 'Q' was left out: king and rook are not in place for it",
        ),
    ] {
        let tree = read(text.as_bytes()).remove(0);
        assert_eq!(
            (movetext(&tree).as_str(), warnings(&tree)),
            (movetext_of, vec![warning.to_owned()]),
            "{text}"
        );
    }
}

#[test]
fn nonstandard_tags_are_read_and_reported() {
    for (line, name, value) in [
        ("[Event “x”]", "Event", "x"),
        ("[Event 'x']", "Event", "x"),
        ("[Event „x“]", "Event", "x"),
        ("[Event «x»]", "Event", "x"),
        ("[Site \"C:\\games\\\"]", "Site", "C:\\games\\"),
        ("[White Bob Smith]", "White", "Bob Smith"),
        ("[Event \"x]", "Event", "x"),
    ] {
        let tree = read(format!("{line}\n\n1. e4 *\n").as_bytes()).remove(0);
        assert_eq!(tree.tags.get(name), Some(value), "{line}");
        assert_eq!(warnings(&tree).len(), 1, "{line}");
        assert!(warnings(&tree)[0].contains("was read, but should be written"), "{line}");
    }
    for (line, value) in [
        ("[Event \"a \\\"b\\\" c\"]", "a \"b\" c"),
        ("[ Event  \"x\" ]", "x"),
        ("[Event \"C:\\games\"]", "C:\\games"),
        ("[Event \"{\"a\":0}\"]", "{\"a\":0}"),
    ] {
        let tree = read(format!("{line}\n\n1. e4 *\n").as_bytes()).remove(0);
        assert_eq!((tree.tags.get("Event"), tree.warnings.is_empty()), (Some(value), true), "{line}");
    }
}

#[test]
fn variants_have_many_names() {
    for name in [
        "",
        "?",
        "-",
        "Chess",
        "chess",
        "Standard",
        "Normal",
        "Classical",
        "Illegal",
        "From Position",
        "from_position",
        "Chess960",
        "Chess 960",
        "chess-960",
        "Fischer Random",
        "FischerRandom",
        "fischerandom",
        "Freestyle",
        "FRC",
    ] {
        assert_eq!(pgn::variant_of_tag(name), Some(Variant::Chess), "{name:?}");
    }
    for name in ["Baroque", "BAROQUE", " Ultima ", "Baroque chess"] {
        assert_eq!(pgn::variant_of_tag(name), Some(Variant::Baroque), "{name:?}");
    }
    assert_eq!(pgn::variant_of_tag("Inter-Weave"), Some(Variant::Interweave));
    for name in ["Ultima (original rules)", "ultima original", "Original Ultima"] {
        assert_eq!(pgn::variant_of_tag(name), Some(Variant::Ultima), "{name:?}");
    }
    for name in ["Shogi", "Crazyhouse", "Three-check", "Horde", "960 or so", &"x".repeat(10_000)] {
        assert_eq!(pgn::variant_of_tag(name), None, "{name:?}");
    }
    // If all men are on their usual squares, only the tag shows that this is Chess960.
    let tree = read(b"[Variant \"Fischer Random\"]\n\n1. e4 *").remove(0);
    let written = write_tree(&tree, TurnText::San);
    assert!(written.contains("[Variant \"Chess960\"]") && !written.contains("FEN"), "{written}");
    let fen = b"[Variant \"Chess960\"]\n[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1\"]\n\n*";
    let written = write_tree(&read(fen)[0], TurnText::San);
    assert_eq!(written.matches("[Variant").count(), 1, "{written}");
}

#[test]
fn null_moves_are_read_and_written() {
    check(&[
        ("1. e4 e5 (1... -- 2. d4) 2. Nf3 *", &["1. e4 e5 (1... -- 2. d4) 2. Nf3 *"]),
        ("1. e4 e5 (1... Z0 2. d4 Z0 3. c4) 2. Nf3 *", &["1. e4 e5 (1... -- 2. d4 -- 3. c4) 2. Nf3 *"]),
        ("1. e4 e5 2. Z0 Nf6 3. d4 *", &["1. e4 e5 2. -- Nf6 3. d4 *"]),
        ("1. e4 e5 2. 0000 Nf6 *", &["1. e4 e5 2. -- Nf6 *"]),
        ("1. d4 0000 2. c4 *", &["1. d4 -- 2. c4 *"]),
        ("1. d4 @@@@ 2. c4 null 3. Nc3 NULL! *", &["1. d4 -- 2. c4 -- 3. Nc3 -- $1 *"]),
        ("1.-- e5 2.--?! *", &["1. -- e5 2. -- $6 *"]),
        ("1. -- *", &["1. -- *"]),
    ]);
    // The right to capture en passant is lost, and the move number continues.
    let lapsed = read(b"1. e4 a6 2. e5 d5 3. -- -- 4. a3 *").remove(0);
    let mut position = lapsed.initial.clone();
    lapsed.main.nodes.iter().for_each(|node| pgn::play(&mut position, &node.turn));
    assert_eq!(position.fen(), "rnbqkbnr/1pp1pppp/p7/3pP3/8/P7/1PPP1PPP/RNBQKBNR b KQkq - 0 4");
    assert!(pgn::trees("1. e4 a6 2. e5 d5 3. -- -- 4. exd6 *").next().is_some_and(|game| game.is_err()));
    for (variant, text) in [("Baroque", "1. -- Pc7-c5 2. -- *"), ("Interweave", "1. -- -- *")] {
        let tree = read(format!("[Variant \"{variant}\"]\n\n{text}").as_bytes()).remove(0);
        assert_eq!(movetext(&tree), text);
    }
    // A null move is impossible in check: it is an error in the main line, and cuts off a variation.
    let error = pgn::trees("1. e4 d6 2. Bb5+ -- 3. d4 *").next().expect("a game").expect_err("in check");
    assert_eq!(error.to_string(), "line 1: turn 4: a null move is not possible in check");
    assert_eq!(error.read.map(|tree| movetext(&tree)).as_deref(), Some("1. e4 d6 2. Bb5+ *"));
    let tree = read(b"1. e4 d6 2. Bb5+ c6 (2... -- 3. d4) 3. Ba4 *").remove(0);
    assert_eq!(movetext(&tree), "1. e4 d6 2. Bb5+ c6 3. Ba4 *");
    assert_eq!(warnings(&tree).len(), 1);
    // Several zeros are not a move number.
    let error = pgn::trees("1. d4 0000 2. d5 000 *").next().expect("a game").expect_err("not a turn");
    assert!(error.to_string().contains("\"000\""), "{error}");
}

#[test]
fn an_error_in_a_variation_cuts_off_only_that_variation() {
    for (text, expected) in [
        ("1. e4 (1. d4 d5 2. Ke3 d4) e5 2. Nf3 *", "1. e4 (1. d4 d5) 1... e5 2. Nf3 *"),
        ("1. e4 (1. Ke3) e5 *", "1. e4 e5 *"),
        ("1. e4 (1. d4 (1. c4 xyz (1. a3) c5) 1... d5) e5 *", "1. e4 (1. d4 (1. c4) 1... d5) 1... e5 *"),
        ("1. e4 (1. d4 xyz {lost} $1 (1... e5) 1-0) e5 {kept} *", "1. e4 (1. d4) 1... e5 {kept} *"),
        ("1. e4 (1. d4 hello) (1. c4 c5) e5 *", "1. e4 (1. d4) (1. c4 c5) 1... e5 *"),
    ] {
        let tree = read(text.as_bytes()).remove(0);
        assert_eq!(movetext(&tree), expected, "{text}");
        assert_eq!(warnings(&tree).len(), 1, "{text}");
        assert!(warnings(&tree)[0].contains("a variation was cut off: turn"), "{text}");
        // A `Checker` also plays the variations, and reports the error as a problem.
        let checked =
            Stream::new(text.as_bytes()).read_game(&mut Checker::default()).expect("memory").expect("a game");
        assert!(matches!(checked.problem, Some((1, GameProblem::Turn { .. }))), "{text}");
        assert_eq!(checked.plies, tree.main.nodes.len(), "{text}");
    }
    let deep = format!("1. e4 {}1. d4{} e5 *", "(".repeat(120), ")".repeat(120));
    let tree = read(deep.as_bytes()).remove(0);
    assert_eq!(tree.main.nodes.len(), 2);
    assert!(warnings(&tree)[0].contains("nested more than 100 deep"));
}

#[test]
fn a_checker_reports_a_cut_variation_after_any_number_of_warnings() {
    for count in [0, Warnings::MAX - 1, Warnings::MAX, Warnings::MAX + 3] {
        let unknown_marks = "$999\n".repeat(count);
        for (variation, expected) in [
            ("(1. d4 xyz)".to_owned(), "turn 1"),
            (format!("{}1. d4{}", "(".repeat(120), ")".repeat(120)), "nested more than 100 deep"),
        ] {
            let text = format!("1. e4\n{unknown_marks}{variation} e5 *");
            let checked = Stream::new(text.as_bytes()).read_game(&mut Checker::default());
            let checked = checked.expect("memory").expect("a game");
            let (line, problem) = checked.problem.expect("a problem");
            assert_eq!(line, count + 2, "{text}");
            assert!(problem.to_string().contains(expected), "{problem}");
            // The problem is not also counted as a warning.
            assert_eq!(checked.warnings.first.len() + checked.warnings.omitted_warnings, count, "{text}");
        }
    }
}

#[test]
fn variations_before_the_first_turn_are_variations_on_it() {
    check(&[
        ("(1. d4 d5) 1. e4 e5 *", &["1. e4 (1. d4 d5) 1... e5 *"]),
        ("({words}) 1. e4 *", &["{words} 1. e4 *"]),
        ("1. e4 e5 ({only words}) 2. Nf3 *", &["1. e4 e5 ({only words}) 2. Nf3 *"]),
        ("1. e4 ((1. c4) 1. d4) e5 *", &["1. e4 (1. d4 (1. c4)) 1... e5 *"]),
    ]);
}

#[test]
fn every_encoding_gives_the_same_games() {
    let text = "[White \"Šimon Žák\"]\r\n[Event \"Björn’s\"]\r\n\r\n1. e4 {it’s good – “so”} e5 ½–½\r\n";
    let utf16 = |big: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    let windows = b"[White \"\x8aimon \x8e\xe1k\"]\r\n[Event \"Bj\xf6rn\x92s\"]\r\n\r\n1. e4 {it\x92s good \x96 \x93so\x94} e5 \xbd\x96\xbd\r\n";
    let files = [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe".to_vec(), utf16(false)].concat(),
        [b"\xfe\xff".to_vec(), utf16(true)].concat(),
        utf16(false),
        utf16(true),
        windows.to_vec(),
    ];
    for file in files {
        let trees = read(&file);
        assert_eq!(trees.len(), 1, "{file:?}");
        assert_eq!(trees[0].tags.get("White"), Some("Šimon Žák"));
        assert_eq!(trees[0].tags.get("Event"), Some("Björn’s"));
        assert_eq!(movetext(&trees[0]), "1. e4 {it’s good – “so”} 1... e5 1/2-1/2");
    }
}

#[test]
fn files_other_than_pgn_are_recognised() {
    for (bytes, expected) in [
        (&b"PK\x03\x04rest"[..], NotPgn::Compressed("zip")),
        (b"\x1f\x8b\x08\x00", NotPgn::Compressed("gzip")),
        (b"  \n<!doctype html><p>1. e4 e5", NotPgn::Markup),
    ] {
        let error = Stream::new(bytes).read_game(&mut Checker::default()).expect_err("not PGN");
        let found = error.get_ref().and_then(|inner| inner.downcast_ref::<NotPgn>());
        assert_eq!(found, Some(&expected));
    }
}

#[test]
fn an_unknown_sign_does_not_end_a_game_however_often_it_is_repeated() {
    for count in 1..30 {
        let tree = read(format!("1. e4 {} e5 *", "†".repeat(count)).as_bytes()).remove(0);
        assert_eq!(tree.main.nodes.len(), 2, "{count}");
    }
}

#[test]
fn the_size_of_a_game_is_limited_and_the_excess_is_reported() {
    use std::fmt::Write as _;

    let mut tags = String::new();
    for number in 0..2 * MAX_TAGS {
        let _ = writeln!(tags, "[T{number} \"x\"]");
    }
    let long = "x".repeat(300_000);
    for (text, limit) in [
        (format!("{tags}\n1. e4 *"), Limit::Tags),
        (format!("[Event \"{long}\"]\n\n1. e4 *"), Limit::TagValue),
        (format!("1. e4 {} *", "$1 ".repeat(2 * MAX_NAGS)), Limit::Nags),
        (format!("1. e4 {} *", "{x}".repeat(2 * MAX_COMMENTS)), Limit::Comments),
        (format!("{} 1. e4 *", "({x})".repeat(2 * MAX_COMMENTS)), Limit::Comments),
        (format!("1. e4 {{{long}}} *"), Limit::CommentBytes),
        (format!("1. e4 {} *", "(1. d4)".repeat(2 * MAX_VARIATIONS)), Limit::Variations),
    ] {
        let tree = read(text.as_bytes()).remove(0);
        let problems: Vec<_> = tree.warnings.first.iter().map(|warning| &warning.problem).collect();
        assert_eq!(problems, [&GameProblem::TooMuch(limit)], "{}", &text[..60]);
        assert_eq!(tree.main.nodes.len(), 1);
        if matches!(limit, Limit::Tags | Limit::TagValue) {
            // A `Checker`, which does not keep games, has the same limits. It counts the tags of each game
            // separately.
            let file = format!("{text}\n\n{text}\n\n[Event \"x\"]\n\n1. e4 *");
            let mut stream = Stream::new(file.as_bytes());
            let mut checker = Checker::default();
            for expected in [&problems[..], &problems[..], &[]] {
                let checked = stream.read_game(&mut checker).unwrap().unwrap();
                let problems: Vec<_> =
                    checked.warnings.first.iter().map(|warning| &warning.problem).collect();
                assert_eq!(problems, expected, "{}", &text[..60]);
            }
        }
        let node = &tree.main.nodes[0];
        assert!(tree.tags.iter().count() <= MAX_TAGS && node.nags.len() <= MAX_NAGS);
        assert!(node.comments.len() <= MAX_COMMENTS && node.variations.len() <= MAX_VARIATIONS);
    }
    // The number of warnings is limited.
    let many = read(format!("1. e4 {} *", "$999 ".repeat(1000)).as_bytes()).remove(0);
    assert_eq!((many.warnings.first.len(), many.warnings.omitted_warnings), (24, 976));
}

#[test]
fn n5_ultima_alone_still_means_baroque() {
    for variant in Variant::ALL {
        let name = variant.info().pgn_name.unwrap_or_default();
        assert_eq!(pgn::variant_of_tag(name), Some(variant), "the name that is written can be read");
    }
    let read = |tag: &str| pgn::variant_of_tag(tag);
    assert_eq!((read("Ultima"), read("ultima chess")), (Some(Variant::Baroque), Some(Variant::Baroque)));
}
