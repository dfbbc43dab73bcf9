//! The log of a game: invalid logs, and the text form in which events are stored. Also tests the size of a
//! game in memory and the refusal codes.

use adoube_game::{
    Act, EndReason, Event, EventKind, Game, GameResult, MatchGame, NewGame, Obligation, Options, Refusal,
    ReplayError, SCHEMA, Seat, Times,
};
use adoube_rules::{ByColor, Color, Square, TurnError, Variant};

use crate::script::{FISCHER, TestGame, chess, game_id, match_id, person, play};

fn text_of(log: &[Event]) -> Vec<String> {
    log.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

fn read(text: &[&str]) -> Vec<Event> {
    text.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_invalid_log_is_refused() {
    let mut test = TestGame::new(chess(Options::default()));
    test.play("e2e4");
    assert_eq!(Game::replay(&[]), Err(ReplayError::NotCreated));
    assert_eq!(Game::replay(&test.log[1..]), Err(ReplayError::NotCreated));
    let again = Game::replay([&test.log[0], &test.log[0]]);
    assert_eq!(again, Err(ReplayError::CreatedTwice { version: 2 }));
    let twice = Game::replay([&test.log[0], &test.log[1], &test.log[1]]);
    assert!(matches!(twice, Err(ReplayError::Turn { version: 3, .. })));
}

/// No decision produces these events, but a damaged log could contain them.
#[test]
fn an_impossible_event_leaves_the_game_unchanged() {
    let mut test = TestGame::new(chess(Options::default()));
    test.play("e2e4");
    let clock = Times { white: 0, black: 0 };
    let mut refused = |kind, error| {
        let before = test.game.clone();
        let event = Event { kind, ..test.log[1].clone() };
        assert_eq!(test.game.apply(&event), Err(error));
        assert_eq!(test.game, before);
    };
    let version = 3;
    refused(EventKind::TakenBack { plies: 2, clock: None }, ReplayError::TakenBack { version });
    let given = EventKind::TimeGiven { color: Color::White, ms: 1, clock };
    refused(given, ReplayError::NoClock { version });
    refused(EventKind::Interrupted { from_ms: 0, until_ms: 1, clock }, ReplayError::NoClock { version });
    let rematch = EventKind::RematchOffered { color: Color::White };
    refused(rematch, ReplayError::BeforeTheEnd { version });
    test.command(&Act::Resign.by(Color::White));
    let event = Event { kind: EventKind::Adjusted { color: Color::Black }, ..test.log[1].clone() };
    assert_eq!(test.game.apply(&event), Err(ReplayError::AfterTheEnd { version: 4 }));
}

/// A log as written before clocks existed.
#[test]
fn logs_of_schema_1_are_read() {
    let text = [
        concat!(
            r#"{"schema":1,"atMs":1000,"type":"created","variant":"chess","#,
            r#""initialFen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","drawRules":"club","#,
            r#""seats":{"white":{"type":"person","player":"anna0000000000000000"},"black":{"type":"open"}}}"#
        ),
        r#"{"schema":1,"atMs":1005,"type":"joined","color":"black","player":"bela0000000000000000"}"#,
        r#"{"schema":1,"atMs":1010,"type":"played","color":"white","turn":"e2e4"}"#,
        r#"{"schema":1,"atMs":1020,"type":"draw-offered","color":"black"}"#,
        r#"{"schema":1,"atMs":1030,"type":"draw-declined","color":"white"}"#,
        r#"{"schema":1,"atMs":1040,"type":"ended","result":"1-0","reason":"resignation"}"#,
    ];
    let log = read(&text);
    assert_eq!(text_of(&log), text, "the log is written back unchanged");

    let game = Game::replay(&log).unwrap();
    assert_eq!(game.options(), &Options::default());
    assert!(game.options().casual && !game.options().touch_move);
    assert_eq!((game.created_at_ms(), game.updated_at_ms(), game.version()), (1000, 1040, 6));
    assert_eq!(game.turn_texts(), ["e2e4"]);
    assert_eq!(game.clock_at(9_999), None);
    let ending = game.ending().unwrap();
    assert_eq!((ending.result, ending.reason), (GameResult::WhiteWins, EndReason::Resignation));

    // A game left unfinished continues with events in the current schema.
    let mut test = TestGame { game: Game::replay(&log[..4]).unwrap(), log: log[..4].to_vec(), now: 2_000 };
    test.script(
        "
        2000 white accept-takeback  => !no-takeback
        2001 white propose-takeback
        2002 black accept-takeback  => plays
        2003 white d2d4             => plays d2d4
        ",
    );
    let schemas = test.log.iter().map(|event| u16::from(event.schema)).collect::<Vec<_>>();
    assert_eq!(schemas, [1, 1, 1, 1, SCHEMA, SCHEMA, SCHEMA]);
}

/// The turns include a chain, a capture by a remover, castling and a promotion.
#[test]
fn turns_of_schema_1_are_read_in_several_variants() {
    for (variant, fen, turns) in [
        ("interweave", "k6k/8/8/8/4p3/8/4p3/K3K3[] w - - 0 1", "e1e3e5 h8g7"),
        ("interweave", "k6k/8/8/4p3/4Bp2/8/8/K6K[] w - - 0 1", "e4e4 h8g7"),
        ("baroque", "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1", "c2c4 h8g8"),
        ("chess", "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8d7 a7a8n"),
    ] {
        let mut text = vec![format!(
            concat!(
                r#"{{"schema":1,"atMs":1,"type":"created","variant":"{}","initialFen":"{}","drawRules":"fide","#,
                r#""seats":{{"white":{{"type":"machine","level":2}},"black":{{"type":"person","player":"b0000000000000000000"}}}}}}"#
            ),
            variant, fen
        )];
        for (index, turn) in turns.split(' ').enumerate() {
            let color = ["white", "black"][index % 2];
            text.push(format!(
                r#"{{"schema":1,"atMs":2,"type":"played","color":"{color}","turn":"{turn}"}}"#
            ));
        }
        let log = read(&text.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(text_of(&log), text);
        let game = Game::replay(&log).unwrap();
        assert_eq!(game.turn_texts().join(" "), turns);
        assert_eq!(game.initial_fen(), fen);
    }
}

/// Events are stored as text for years, so this test must fail if that text changes.
#[test]
fn the_text_of_events_is_stable() {
    let new = NewGame {
        seats: ByColor { white: person("anna"), black: Seat::Open },
        ..chess(Options {
            clock: FISCHER,
            touch_move: true,
            in_match: Some(Box::new(MatchGame { id: match_id("m1"), number: 2 })),
            ..Options::default()
        })
    };
    let mut test = TestGame::new(new);
    test.script(
        "
        10   black join bela
        20   white adjust
        30   white touch e2
        1000 white e2e4
        2000 black e7e5
        3000 black offer-draw
        3010 white decline-draw
        3020 white give-time
        3500 server interrupt 3100 3400
        4000 white g1f3 lag 50
        5000 white propose-takeback
        5010 black decline-takeback
        6000 black b8c6
        7000 black propose-takeback
        7010 white accept-takeback
        8000 white resign
        8010 white offer-rematch
        8020 black decline-rematch
        8030 black offer-rematch
        8040 white accept-rematch next
        ",
    );
    let expected = [
        concat!(
            r#"{"schema":2,"atMs":0,"type":"created","variant":"chess","#,
            r#""initialFen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","drawRules":"club","#,
            r#""seats":{"white":{"type":"person","player":"anna0000000000000000"},"black":{"type":"open"}},"#,
            r#""clock":{"type":"fischer","initialMs":180000,"incrementMs":2000},"touchMove":true,"#,
            r#""match":{"id":"m10000000000","number":2}}"#
        ),
        r#"{"schema":2,"atMs":10,"type":"joined","color":"black","player":"bela0000000000000000"}"#,
        r#"{"schema":2,"atMs":20,"type":"adjusted","color":"white"}"#,
        r#"{"schema":2,"atMs":30,"type":"touched","color":"white","square":"e2","outcome":{}}"#,
        r#"{"schema":2,"atMs":1000,"type":"played","color":"white","turn":"e2e4","clock":{"white":182000,"black":180000}}"#,
        r#"{"schema":2,"atMs":2000,"type":"played","color":"black","turn":"e7e5","clock":{"white":182000,"black":182000}}"#,
        r#"{"schema":2,"atMs":3000,"type":"draw-offered","color":"black"}"#,
        r#"{"schema":2,"atMs":3010,"type":"draw-declined","color":"white"}"#,
        r#"{"schema":2,"atMs":3020,"type":"time-given","color":"white","ms":15000,"clock":{"white":180980,"black":197000}}"#,
        r#"{"schema":2,"atMs":3500,"type":"interrupted","fromMs":3100,"untilMs":3400,"clock":{"white":180800,"black":197000}}"#,
        r#"{"schema":2,"atMs":4000,"type":"played","color":"white","turn":"g1f3","clock":{"white":182350,"black":197000},"lagMs":50}"#,
        r#"{"schema":2,"atMs":5000,"type":"takeback-proposed","color":"white"}"#,
        r#"{"schema":2,"atMs":5010,"type":"takeback-declined","color":"black"}"#,
        r#"{"schema":2,"atMs":6000,"type":"played","color":"black","turn":"b8c6","clock":{"white":182350,"black":197000}}"#,
        r#"{"schema":2,"atMs":7000,"type":"takeback-proposed","color":"black"}"#,
        r#"{"schema":2,"atMs":7010,"type":"taken-back","plies":1,"clock":{"white":182350,"black":197000}}"#,
        r#"{"schema":2,"atMs":8000,"type":"ended","result":"0-1","reason":"resignation"}"#,
        r#"{"schema":2,"atMs":8010,"type":"rematch-offered","color":"white"}"#,
        r#"{"schema":2,"atMs":8020,"type":"rematch-declined","color":"black"}"#,
        r#"{"schema":2,"atMs":8030,"type":"rematch-offered","color":"black"}"#,
        r#"{"schema":2,"atMs":8040,"type":"rematch-accepted","color":"white","next":"next00000000"}"#,
    ];
    for (written, expected) in text_of(&test.log).iter().zip(expected) {
        assert_eq!(written, expected);
    }
    assert_eq!(test.log.len(), expected.len());
    for unknown in [0, 3] {
        let schema = format!("\"schema\":{unknown}");
        serde_json::from_str::<Event>(&expected[1].replace("\"schema\":2", &schema)).unwrap_err();
    }
}

#[test]
fn the_text_of_conditions_and_other_clocks_is_stable() {
    for (clock, is_written) in [
        (r#"{"type":"delay","initialMs":60000,"delayMs":5000}"#, true),
        (r#"{"type":"correspondence","daysPerTurn":3}"#, true),
        (r#"{"type":"unlimited"}"#, false),
    ] {
        let created = format!(
            concat!(
                r#"{{"schema":2,"atMs":0,"type":"created","variant":"chess","initialFen":"x","drawRules":"club","#,
                r#""seats":{{"white":{{"type":"open"}},"black":{{"type":"open"}}}},"clock":{},"casual":false}}"#
            ),
            clock
        );
        let event: Event = serde_json::from_str(&created).unwrap();
        let written = serde_json::to_string(&event).unwrap();
        // Default values are not written.
        assert_eq!(written == created, is_written, "{written}");
        assert_eq!(serde_json::from_str::<Event>(&written).unwrap(), event);
    }
    let set = concat!(
        r#"{"schema":2,"atMs":0,"type":"conditions-set","color":"black","#,
        r#""tree":[{"reply":"e7e5","answer":"g1f3","then":[{"reply":"b8c6","answer":"f1b5"}]}]}"#
    );
    assert_eq!(text_of(&read(&[set])), [set]);
}

#[test]
fn time_in_the_log_never_goes_backwards() {
    let mut test = TestGame::new(chess(Options::default()));
    test.now = 1_000;
    test.command(&Act::OfferDraw.by(Color::White));
    let play = play("e2e4", 1).by(Color::White);
    assert_eq!(test.game.decide(&play, -5).unwrap()[0].at_ms, 1000);
    test.now = 1_010;
    test.command(&play);
    assert_eq!(test.game.turns().next().unwrap().at_ms, 1010);
}

#[test]
fn games_take_little_memory() {
    assert!(size_of::<Game>() <= 512, "{} bytes", size_of::<Game>());
}

/// Clients look up their messages by code, so codes must be unique and spelled consistently.
#[test]
fn codes_are_unique_and_in_kebab_case() {
    let (color, square) = (Color::White, "e4".parse::<Square>().unwrap());
    let mut refusals = vec![
        Refusal::NotStarted,
        Refusal::NotYourTurn { turn: color },
        Refusal::YourTurn,
        Refusal::OtherPosition { seen: 1, now: 2 },
        Refusal::DrawOfferPending { by: color },
        Refusal::OfferedThisTurn,
        Refusal::NoOffer,
        Refusal::NothingToClaim,
        Refusal::SeatTaken { color },
        Refusal::AlreadySeated { color },
        Refusal::FirstTurnsPlayed,
        Refusal::FirstTurnsPending,
        Refusal::OpponentNotAway,
        Refusal::Correspondence,
        Refusal::NotCasual,
        Refusal::NothingToTakeBack,
        Refusal::TakebackPending { by: color },
        Refusal::TakebackProposedHere,
        Refusal::NoTakeback,
        Refusal::NoClock,
        Refusal::ClockLimitReached,
        Refusal::NoTouchMove,
        Refusal::AlreadyAdjusting,
        Refusal::AdjustLimitReached,
        Refusal::NotCorrespondence,
        Refusal::TooManyConditions,
        Refusal::ConditionsTooDeep,
        Refusal::DuplicateCondition { turn: "e2e4".into() },
        Refusal::GameLimitReached { limit: 1 },
        Refusal::TurnLimitReached { limit: 1 },
        Refusal::TimeNotUp,
        Refusal::NoClockRunning,
        Refusal::NotOver,
        Refusal::RematchPending { by: color },
        Refusal::RematchDeclined,
        Refusal::NoRematch,
        Refusal::RematchAgreed { next: game_id("next") },
        Refusal::RematchMissing,
        Refusal::NoSquare("j9".into()),
        Refusal::TouchEmptySquare(square),
        Refusal::AlreadyTouched(square),
        Refusal::Turn(TurnError::Syntax("e2".into())),
        Refusal::Turn(TurnError::EmptySquare(square)),
        Refusal::Condition { turn: "e2e4".into(), source: TurnError::EmptySquare(square) },
        Refusal::Touched(Obligation::MustMove(square)),
        Refusal::Touched(Obligation::MustTake(square)),
    ];
    let mut over = TestGame::new(NewGame { variant: Variant::Chess, ..chess(Options::default()) });
    over.command(&Act::Resign.by(color));
    refusals.push(over.refused(&Act::Resign.by(color)));
    let count = refusals.len();
    let mut codes = refusals.iter().map(Refusal::code).collect::<Vec<_>>();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count);
    for refusal in &refusals {
        let code = refusal.code();
        assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{code}");
        let message = refusal.to_string();
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
    }
}
