use super::*;

fn read(line: &str) -> (Command, String) {
    let Reading { command, remarks } = Command::read(line);
    let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    (command, remarks.join("|"))
}

/// Parses a line that must cause no remarks.
#[track_caller]
fn parse(line: &str) -> Command {
    let (command, remarks) = read(line);
    assert_eq!(remarks, "", "{line:?}");
    command
}

#[test]
fn commands_are_read_as_specified() {
    assert_eq!(parse("  uci "), Command::Uci);
    assert_eq!(parse(""), Command::Nothing);
    assert_eq!(
        parse("setoption name Clear Hash"),
        Command::SetOption { name: "Clear Hash".into(), value: None }
    );
    assert_eq!(
        parse("setoption  name  Skill   Level value 3\r\n"),
        Command::SetOption { name: "Skill Level".into(), value: Some("3".into()) }
    );
    assert_eq!(
        parse("position startpos moves e2e4 e7e5"),
        Command::Position { start: Start::Initial, turns: vec!["e2e4".into(), "e7e5".into()] }
    );
    assert_eq!(
        parse("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2"),
        Command::Position {
            start: Start::Fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1".into()),
            turns: vec!["e1e2".into()]
        }
    );
    let Command::Go(go) = parse("go searchmoves e2e4 a7e7a5 wtime -5 btime 1000 winc 10 movestogo 3 ponder")
    else {
        panic!("no go")
    };
    assert_eq!(go.search_moves, ["e2e4", "a7e7a5"]);
    assert_eq!(go.time, [Some(Duration::ZERO), Some(Duration::from_secs(1))]);
    assert_eq!((go.increment[0], go.moves_to_go, go.ponder), (Duration::from_millis(10), Some(3), true));
}

#[test]
fn values_keep_their_spaces() {
    for (line, expected) in [
        ("setoption name EvalFile value /a  b", "/a  b"),
        ("setoption name EvalFile value   /a\tb value c \r\n", "/a\tb value c"),
        ("setoption name EvalFile value", ""),
    ] {
        let name = "EvalFile".to_owned();
        assert_eq!(parse(line), Command::SetOption { name, value: Some(expected.into()) }, "{line:?}");
    }
}

#[test]
fn unknown_words_are_reported_and_the_rest_is_tried() {
    let go = |change: fn(&mut Go)| {
        let mut go = Go::default();
        change(&mut go);
        Command::Go(Box::new(go))
    };
    let start = |start| Command::Position { start, turns: Vec::new() };
    for (line, command, remarks) in [
        ("joho isready", Command::IsReady, "unknown command \"joho\""),
        ("a b go depth 2", go(|go| go.depth = Some(2)), "unknown command \"a\"|unknown command \"b\""),
        ("xyzzy", Command::Nothing, "unknown command \"xyzzy\""),
        (
            "go depth 2 foo 3",
            go(|go| go.depth = Some(2)),
            "unknown word \"foo\" after \"go\"; ignored|unknown word \"3\" after \"go\"; ignored",
        ),
        (
            "go depth 2 searchmoves foo e2e4 bar d2d4 nodes 5 a2a3",
            go(|go| {
                (go.depth, go.nodes) = (Some(2), Some(5));
                go.search_moves = vec!["e2e4".into(), "d2d4".into()];
            }),
            "unknown word \"foo\" after \"go\"; ignored|unknown word \"bar\" after \"go\"; ignored|\
             unknown word \"a2a3\" after \"go\"; ignored",
        ),
        ("position now startpos", start(Start::Initial), "unknown word \"now\" after \"position\"; ignored"),
        (
            "position startpos please moves",
            start(Start::Initial),
            "unknown word \"please\" after \"position\"; ignored",
        ),
        ("position startpos e2e4", start(Start::Missing), ""),
        ("position", start(Start::Missing), ""),
        ("position fen", start(Start::Missing), ""),
        ("position fen moves e2e4", start(Start::Missing), ""),
        ("setoption", Command::Nothing, "to set an option, use \"setoption name NAME value VALUE\""),
        ("setoption name", Command::Nothing, "to set an option, use \"setoption name NAME value VALUE\""),
        (
            "setoption the name Ponder value true",
            Command::SetOption { name: "Ponder".into(), value: Some("true".into()) },
            "unknown word \"the\" after \"setoption\"; ignored",
        ),
        ("\u{0}\u{1}", Command::Nothing, "unknown command \"\\0\\u{1}\""),
    ] {
        assert_eq!(read(line), (command, remarks.to_owned()), "{line:?}");
    }
}

#[test]
fn numbers_are_read_leniently() {
    for (found, number) in [
        ("7", Some(7)),
        ("+7", Some(7)),
        ("-7", Some(-7)),
        ("1000.5", Some(1_000)),
        ("100ms", Some(100)),
        ("1.5s", Some(1_500)),
        ("1e3", Some(1_000)),
        ("300,", Some(300)),
        ("18446744073709551615", Some(i64::MAX)),
        ("99999999999999999999999999999999999999999999999", Some(i64::MAX)),
        ("-99999999999999999999999", Some(i64::MIN)),
        ("1e999", Some(i64::MAX)),
        ("1,000", None),
        ("5k", None),
        ("inf", None),
        ("nan", None),
        ("s", None),
        ("x", None),
        ("٣", None),
    ] {
        let (command, remarks) = read(&format!("go movestogo 3 nodes {found} depth 1"));
        let Command::Go(go) = command else { panic!("no go") };
        let nodes = number.map(|number: i64| number.max(0).unsigned_abs());
        assert_eq!((go.nodes, go.moves_to_go, go.depth), (nodes, Some(3), Some(1)), "{found}");
        assert_eq!(go.has_unreadable_limit, number.is_none(), "{found}");
        let is_plain = number.is_some_and(|number| found.parse() == Ok(number));
        assert_eq!(remarks.is_empty(), is_plain, "{found}: {remarks}");
    }
    let (command, remarks) = read("go movetime infinite");
    assert_eq!(remarks, "\"movetime\" needs a number, not \"infinite\"");
    assert!(matches!(command, Command::Go(go) if go.infinite && go.move_time.is_none()));
    let (command, remarks) = read("go depth");
    assert_eq!(remarks, "\"depth\" needs a number, not \"\"");
    assert!(matches!(command, Command::Go(go) if go.depth.is_none() && go.has_unreadable_limit));
}

#[test]
fn remarks_are_few_and_short() {
    let long = "x".repeat(100_000);
    let (command, remarks) = read(&long);
    assert!(command == Command::Nothing && remarks.len() < 100);
    let (command, remarks) = read(&format!("{} isready", "x ".repeat(100_000)));
    assert_eq!(command, Command::IsReady);
    assert!(remarks.len() < 200 && remarks.ends_with("|further remarks: 99996"), "{remarks}");
}
