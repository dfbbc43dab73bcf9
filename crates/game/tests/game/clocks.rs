//! Clocks, flags and lag (C23, C25, I12).

use adoube_game::{
    Act, ActContext, ClockView, Command, Event, EventKind, GIFT_MS, LAG_ALLOWANCE_MS, LONG_FIRST_TURN_MS,
    MAX_GIVEN_MS, NewGame, Options, Refusal, SHORT_FIRST_TURN_MS, Seat, TimeControl, Times,
};
use adoube_rules::{ByColor, Color, Variant};

use crate::script::{FISCHER, SUDDEN_DEATH, TestGame, chess, clock, delayed, person, play};

const DELAY: TimeControl = TimeControl::Delay { initial_ms: 60_000, delay_ms: 5_000 };
const ONE_DAY: TimeControl = TimeControl::Correspondence { days_per_turn: 1 };

#[test]
fn c25_every_turn_earns_an_increment_and_the_first_is_free() {
    TestGame::new(chess(clock(FISCHER))).script(
        "
        1000  white e2e4  => clocks 182000 180000
        50000 black e7e5  => clocks 182000 182000
        53000 white g1f3  => clocks 181000 182000
        53500 black b8c6  => clocks 181000 183500
        53500 white f1b5  => clocks 183000 183500
        ",
    );
}

#[test]
fn c25_without_an_initial_time_the_first_turn_earns_time_for_the_second() {
    let control = TimeControl::Fischer { initial_ms: 0, increment_ms: 3_000 };
    TestGame::new(chess(clock(control))).script(
        "
        9000  white e2e4  => clocks 3000 0
        9500  black e7e5  => clocks 3000 3000
        12499 white g1f3  => clocks 3001 3000
        16100 server tick => over 1-0 time-out
        ",
    );
}

#[test]
fn c25_a_delay_applies_to_every_turn() {
    TestGame::new(chess(clock(DELAY))).script(
        "
        1000  white e2e4  => clocks 60000 60000
        2000  black e7e5  => clocks 60000 60000
        6000  white g1f3  => clocks 60000 60000
        14000 black b8c6  => clocks 60000 57000
        19001 white f1b5  => clocks 59999 57000
        ",
    );
}

#[test]
fn c25_correspondence_games_allow_days_per_turn() {
    TestGame::new(chess(clock(ONE_DAY))).script(
        "
        86399999  white e2e4  => clocks 86400000 86400000
        90000000  black e7e5  => clocks 86400000 86400000
        176399999 white g1f3 lag 500 => clocks 86400000 86400000
        262799998 server tick => !nothing-due
        262799999 server tick => over 1-0 time-out
        ",
    );
}

#[test]
fn c25_unlimited_games_have_no_clock() {
    let mut test = TestGame::new(chess(Options::default()));
    test.script(
        "
        1000          white e2e4 lag 300 => plays e2e4
        9000000000000 black e7e5
        9000000000001 server tick       => !nothing-due
        9000000000001 white give-time   => !no-clock
        9000000000001 server interrupt 9000000000000 9000000000001 => !no-clock-runs
        ",
    );
    assert_eq!(test.game.clock_at(test.now), None);
    assert_eq!(test.game.clock_view(test.now), None);
    assert_eq!(test.game.next_deadline_ms(), None);
    assert!(test.game.turns().all(|turn| turn.clock.is_none()));
}

#[test]
fn c25_the_first_turn_of_each_side_has_its_own_limit() {
    for (control, limit_ms) in [(SUDDEN_DEATH, SHORT_FIRST_TURN_MS), (FISCHER, LONG_FIRST_TURN_MS)] {
        let mut test = TestGame::new(chess(clock(control)));
        assert_eq!(test.game.next_deadline_ms(), Some(limit_ms));
        test.script(&format!("{} white e2e4", limit_ms - 1));
        assert_eq!(test.game.next_deadline_ms(), Some(2 * limit_ms - 1));
        assert_eq!(test.game.clock_view(test.now).unwrap().running, None);
        test.script(&format!(
            "
            {} server tick => !nothing-due
            {} server tick => over * no-first-turn
            ",
            2 * limit_ms - 2,
            2 * limit_ms - 1,
        ));
    }
    // A turn that arrives too late does not count either.
    TestGame::new(chess(clock(SUDDEN_DEATH))).script("30000 white e2e4 => over * no-first-turn");
    TestGame::new(chess(clock(ONE_DAY))).script("86400000 white e2e4 => over * no-first-turn");
}

#[test]
fn c25_clocks_start_when_both_seats_are_taken() {
    let seats = ByColor { white: Seat::Open, black: person("bela") };
    let mut test = TestGame::new(NewGame { seats, ..chess(clock(SUDDEN_DEATH)) });
    assert_eq!(test.game.next_deadline_ms(), None);
    test.script(
        "
        99000  server tick       => !not-started
        100000 white  join anna  => clocks 60000 60000
        129999 white  e2e4
        ",
    );
    assert_eq!(test.game.next_deadline_ms(), Some(129_999 + SHORT_FIRST_TURN_MS));
}

/// The flag falls at 62,000 ms, but until 62,500 ms lag may excuse a turn.
#[test]
fn c23_a_flag_is_recorded_once_lag_no_longer_excuses_the_player() {
    let opening = "
        1000  white e2e4
        2000  black e7e5
    ";
    for (line, outcome) in [
        ("61999 white g1f3", "clocks 1 60000"),
        ("62000 white g1f3", "over 0-1 time-out"),
        ("62400 white g1f3", "over 0-1 time-out"),
        ("62400 white g1f3 lag 400", "over 0-1 time-out"),
        ("62400 white g1f3 lag 401", "clocks 1 60000"),
        ("62499 white g1f3 lag 99999", "clocks 1 60000"),
        ("62500 white g1f3 lag 500", "over 0-1 time-out"),
        ("62499 server tick", "!nothing-due"),
        ("62500 server tick", "over 0-1 time-out"),
        ("99999999 server tick", "over 0-1 time-out"),
    ] {
        let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
        test.script(opening);
        assert_eq!(test.game.next_deadline_ms(), Some(62_500));
        test.script(&format!("{line} => {outcome}"));
        if test.game.ending().is_some() {
            let left = test.game.clock_at(i64::MAX).unwrap();
            assert_eq!((left.white, left.black), (0, 60_000), "{line}");
            assert_eq!(test.game.clock_view(i64::MAX).unwrap().running, None);
            assert_eq!(test.game.next_deadline_ms(), None);
        }
    }
}

/// Once lag no longer excuses the player whose flag has fallen, any act by either player ends the game.
#[test]
fn c23_time_is_checked_before_anything_else() {
    for command in [
        "black resign",
        "white resign",
        "black accept-draw",
        "white abort",
        "black give-time",
        "white touch e2",
        "black propose-takeback",
        "black claim-left 0",
        "black join carl",
    ] {
        let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
        test.script("1000 white e2e4").script("2000 black e7e5").script("3000 white offer-draw");
        test.script(&format!("62500 {command} => over 0-1 time-out"));
    }
}

#[test]
fn c23_a_side_that_cannot_win_does_not_win_on_time() {
    for (fen, turns, outcome) in [
        // A bare king cannot mate.
        ("8/8/4k3/8/8/4K3/8/R7 w - - 0 1", "a1a2 e6e5", "over 1/2-1/2 time-out-unwinnable"),
        // A knight can mate with the help of the opponent's pawn.
        ("8/8/4k3/8/8/p3K3/8/6N1 b - - 0 1", "e6e5 g1f3", "over 1-0 time-out"),
        // The same for the other side: White's pawn can take a square from its own king.
        ("8/8/4k3/8/8/n3K3/P7/8 w - - 0 1", "e3e4 e6d6", "over 0-1 time-out"),
    ] {
        TestGame::at(fen, clock(SUDDEN_DEATH)).play(turns).script(&format!("99000 server tick => {outcome}"));
    }
}

#[test]
fn i12_in_interweave_a_flag_always_loses() {
    let fen = Some("4k2k/8/8/8/8/8/8/K2K4 w - - 0 1".to_owned());
    let new = NewGame { variant: Variant::Interweave, fen, ..chess(clock(SUDDEN_DEATH)) };
    TestGame::new(new).play("a1b2 h8g7").script("99000 server tick => over 0-1 time-out");
}

#[test]
fn b13_in_baroque_a_lone_king_does_not_win_on_time() {
    let fen = Some("7k/8/8/8/8/8/1P6/K5Q1 w - - 0 1".to_owned());
    let new = NewGame { variant: Variant::Baroque, fen, ..chess(clock(SUDDEN_DEATH)) };
    TestGame::new(new).play("b2b3 h8h7").script("99000 server tick => over 1/2-1/2 time-out-unwinnable");
}

/// White plays eight turns, each with more lag than is given back per turn. Once the allowance is used up, each turn
/// gets back only what the allowance has regained.
#[test]
fn lag_compensation_is_limited_by_an_allowance() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.play("e2e4 e7e5");
    let mut granted = Vec::new();
    for turn in [
        "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "f2f3", "f7f6", "g2g3", "g7g6",
        "h2h3", "h7h6", "a3a4", "a6a5",
    ] {
        test.now += 1_000;
        let (by, version) = (test.game.side_to_move(), test.game.version());
        let lag_ms = if by == Color::White { 900 } else { 0 };
        let before = test.game.clock_at(test.now - 1_000).unwrap()[by];
        test.command(&delayed(lag_ms, play(turn, version), by));
        let EventKind::Played { clock: Some(left), lag_ms, .. } = test.log.last().unwrap().kind else {
            panic!("no turn");
        };
        assert_eq!(ByColor::from(left)[by], before - 1_000 + i64::from(lag_ms));
        if by == Color::White {
            granted.push(lag_ms);
        } else {
            assert_eq!(lag_ms, 0);
        }
    }
    assert_eq!(granted, [500, 500, 500, 500, 400, 100, 100, 100]);
    let spent: u32 = granted.iter().sum();
    assert!(spent <= LAG_ALLOWANCE_MS + 100 * granted.len() as u32);
    test.goes_on();
}

/// The server took 120 ms to show the position and 30 ms to handle the turn, and the network 50 ms. For 100
/// of the 120 ms the server was also down, and downtime is charged to neither side anyway.
#[test]
fn the_time_that_the_server_took_counts_as_lag() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.play("e2e4 e7e5");
    let began = test.now;
    test.now = began + 110;
    test.command(&Command::Interrupt { from_ms: began + 10, until_ms: began + 110 });
    test.now = began + 1_000;
    let context = ActContext {
        lag_ms: 50,
        shown: i64::MIN..began + 120,
        handled: began + 970..began + 1_000,
        ..ActContext::default()
    };
    let act = play("g1f3", test.game.version());
    test.command(&Command::Act { by: Color::White, act, context });
    let EventKind::Played { clock: Some(left), lag_ms, .. } = test.log.last().unwrap().kind else {
        panic!("no turn");
    };
    assert_eq!(lag_ms, 50 + 20 + 30);
    assert_eq!(left.white, 60_000 - 1_000 + 100 + 100);
    test.goes_on();
}

/// A player is not charged for the time that the server took to handle a turn, even if that time is longer
/// than the maximum lag for a turn and the flag fell in the meantime.
#[test]
fn a_turn_counts_as_played_when_it_arrived() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.play("e2e4 e7e5");
    let began = test.now;
    test.now = began + 60_900;
    let context = ActContext { lag_ms: 700, handled: began + 59_700..test.now, ..ActContext::default() };
    let act = play("g1f3", test.game.version());
    test.command(&Command::Act { by: Color::White, act, context });
    let EventKind::Played { clock: Some(left), lag_ms, .. } = test.log.last().unwrap().kind else {
        panic!("no turn");
    };
    assert_eq!(lag_ms, 500 + 1_200);
    assert_eq!(left.white, 60_000 - 60_900 + 1_700);
    test.goes_on();
}

#[test]
fn a_first_turn_counts_as_played_when_it_arrived() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    let limit_ms = test.now + SHORT_FIRST_TURN_MS;
    test.now = limit_ms + 1_000;
    for (arrived_ms, is_in_time) in [(limit_ms, false), (limit_ms - 1, true)] {
        let context = ActContext { handled: arrived_ms..test.now, ..ActContext::default() };
        let act = play("e2e4", test.game.version());
        let command = Command::Act { by: Color::White, act, context };
        let events = test.game.decide(&command, test.now).unwrap();
        assert_eq!(matches!(events[0].kind, EventKind::Played { .. }), is_in_time, "{events:?}");
    }
}

/// The flag had fallen before the turn arrived.
#[test]
fn a_turn_that_arrives_after_the_flag_falls_loses_however_long_handling_takes() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.play("e2e4 e7e5");
    let began = test.now;
    test.now = began + 62_000;
    let context = ActContext { handled: began + 60_600..test.now, ..ActContext::default() };
    let act = play("g1f3", test.game.version());
    test.command(&Command::Act { by: Color::White, act, context });
    assert!(matches!(test.log.last().unwrap().kind, EventKind::Ended { .. }));
}

#[test]
fn lag_is_never_more_than_the_turn_took() {
    TestGame::new(chess(clock(SUDDEN_DEATH))).script(
        "
        1000 white e2e4 lag 500  => clocks 60000 60000
        2000 black e7e5
        2120 white g1f3 lag 400  => clocks 60000 60000
        2620 black b8c6 lag 100  => clocks 60000 59600
        ",
    );
}

#[test]
fn downtime_is_charged_to_neither_side() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.script(
        "
        1000   white e2e4
        2000   black e7e5
        12000  server interrupt 5000 11000  => clocks 56000 60000
        12000  server interrupt 5000 11000  => !no-clock-runs
        13000  server interrupt 12500 99999 => clocks 55500 60000
        13000  server interrupt 0 13000     => !no-clock-runs
        14000  white g1f3                   => clocks 54500 60000
        ",
    );
    // A whole night, during which the flag would have fallen.
    test.script(
        "
        50000000 server interrupt 15000 50000000 => clocks 54500 59000
        50000000 server tick                     => !nothing-due
        50058999 black  b8c6                     => clocks 54500 1
        ",
    );
    let EventKind::Interrupted { from_ms, until_ms, .. } = test.log[4].kind else { panic!("{:?}", test.log) };
    assert_eq!((from_ms, until_ms), (12_500, 13_000), "not later than now");
}

#[test]
fn downtime_before_the_latest_event_is_ignored() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.script(
        "
        1000  white e2e4
        2000  black e7e5
        10000 white offer-draw
        20000 server interrupt 9000 20000 => clocks 52000 60000
        ",
    );
}

/// A player who was cut off gets the time back exactly once, whatever the opponent does in the meantime.
#[test]
fn time_lost_by_a_side_that_was_cut_off_is_refunded_once() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.script(
        "
        1000  white e2e4
        2000  black e7e5
        10000 black offer-draw
        11000 black give-time
        20000 server cut-off black 9000 12000 => !no-clock-runs
        20000 server cut-off white 9000 12000 => clocks 60000 60000
        20000 server cut-off white 9000 12000 => !no-clock-runs
        20000 server cut-off white 9500 11000 => !no-clock-runs
        21000 server cut-off white 0 3000     => clocks 60000 60000
        22000 server cut-off white 8000 13000 => clocks 61000 60000
        22500 server interrupt 1000 22000     => !no-clock-runs
        23000 white g1f3                      => clocks 60000 60000
        24000 server cut-off white 22500 23000 => !no-clock-runs
        24000 server cut-off black 22500 23500 => clocks 60000 59500
        ",
    );
    let parts = test.log.iter().filter_map(|event| match event.kind {
        EventKind::Interrupted { from_ms, until_ms, .. } => Some((from_ms, until_ms)),
        _ => None,
    });
    let expected = [(9_000, 12_000), (2_000, 3_000), (8_000, 9_000), (12_000, 13_000), (23_000, 23_500)];
    assert_eq!(parts.collect::<Vec<_>>(), expected);
}

#[test]
fn downtime_also_extends_the_first_turn() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.script("100000 server interrupt 10000 100000 => clocks 60000 60000");
    assert_eq!(test.game.next_deadline_ms(), Some(120_000));
    test.script("119999 white e2e4")
        .script("120000 white resign")
        .script("120001 server interrupt 120000 120001 => !game-over");
}

#[test]
fn a_gift_goes_to_the_opponents_clock() {
    let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
    test.script(
        "
        1000  white e2e4
        2000  black give-time    => clocks 75000 60000
        3000  black e7e5
        4000  white give-time    => clocks 74000 75000
        5000  white g1f3         => clocks 73000 75000
        65500 white give-time    => clocks 73000 29500
        ",
    );
    TestGame::new(chess(clock(ONE_DAY))).script("1000 white give-time => !no-clock");
}

#[test]
fn gifts_do_not_raise_a_clock_above_the_limit() {
    let three_hours = 180 * 60_000;
    let control = TimeControl::Fischer { initial_ms: three_hours, increment_ms: 0 };
    let mut test = TestGame::new(chess(clock(control)));
    let give = Act::GiveTime.by(Color::White);
    // Begins one gift below the limit, because giving enough to reach it within one turn would take more
    // asides than are allowed.
    let ms = MAX_GIVEN_MS - i64::from(three_hours) - GIFT_MS;
    let clock = Times { white: three_hours.into(), black: i64::from(three_hours) + ms };
    let given = EventKind::TimeGiven { color: Color::White, ms, clock };
    test.game.apply(&Event { kind: given, ..test.log[0].clone() }).unwrap();
    test.command(&give);
    assert_eq!(test.game.clock_at(0).unwrap().black, MAX_GIVEN_MS);
    assert_eq!(test.refused(&give), Refusal::ClockLimitReached);
}

/// A gift also helps a player whose time has run out, until the flag is recorded.
#[test]
fn a_gift_is_possible_while_lag_excuses_the_player() {
    TestGame::new(chess(clock(SUDDEN_DEATH))).script(
        "
        1000  white e2e4
        2000  black e7e5
        62400 black give-time  => clocks 14600 60000
        ",
    );
}

#[test]
fn the_clocks_can_be_read_at_any_time() {
    let mut test = TestGame::new(chess(clock(DELAY)));
    let both = |white, black| ByColor { white, black };
    let view = |left_ms, running, delay_left_ms, first_turn_until_ms| {
        Some(ClockView { left_ms, running, delay_left_ms, first_turn_until_ms })
    };
    let full = both(60_000, 60_000);
    assert_eq!(test.game.clock_view(500), view(full, None, 0, Some(30_000)));
    test.script("1000 white e2e4").script("2000 black e7e5");
    let white = Some(Color::White);
    assert_eq!(test.game.clock_view(3_000), view(full, white, 4_000, None));
    assert_eq!(test.game.clock_view(10_000), view(both(57_000, 60_000), white, 0, None));
    // A time before the latest event is treated as the time of that event.
    assert_eq!(test.game.clock_view(0), view(full, white, 5_000, None));
    test.script("12000 white resign");
    assert_eq!(test.game.clock_view(99_000), view(both(55_000, 60_000), None, 0, None));
    let shown = test.game.turns().map(|turn| turn.clock.unwrap()).collect::<Vec<_>>();
    assert_eq!(shown, [full.into(), full.into()]);
}
