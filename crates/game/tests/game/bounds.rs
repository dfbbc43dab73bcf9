//! The cost of a game is bounded, whatever its initial position and whatever its players do.

use adoube_game::{
    ASIDES_GAINED, ASIDES_PER_GAME, ASIDES_PER_TURN, Act, CONDITIONS_PER_GAME, CONDITIONS_PER_TURN, Event,
    EventKind, Game, NewGame, Options, Refusal, TOUCH_STEPS, TimeControl, TouchOutcome,
};
use adoube_rules::{
    AnyPosition, Color, MAX_STEPS, Position as _, Square, Turn, Variant, capture, coordinate,
};

use crate::script::{TestGame, chess};

/// Positions with very many chains; the first has nine million. Found by changing men at random and keeping
/// the changes that made a query more expensive.
const EXPENSIVE: [&str; 3] = [
    "3k4/3p4/2p1p3/1p1pNp2/pKpKp1p1/1p1p1p2/2p4k/8[] w - - 0 1",
    "N4N1B/PN4n1/K1Nr1p1p/kNp1p3/1pKp4/k1b1p3/3r1r1p/2r5[] w - - 0 1",
    "2r2N1N/NpNpNp1K/2p1p2N/1p1p3B/K1p1b1k1/Np1pN2p/4n1k1/N1N5[] w - - 0 1",
];

fn touch_move() -> Options {
    Options { touch_move: true, ..Options::default() }
}

fn game_at(variant: Variant, fen: &str) -> Option<TestGame> {
    let new = NewGame { variant, fen: Some(fen.into()), ..chess(touch_move()) };
    let (game, log) = Game::create(new, 0).ok()?;
    Some(TestGame { game, log, now: 0 })
}

/// Touches every man, in the order of the squares and in reverse, and each time plays a turn that fulfils the
/// obligation. Returns `true` if the position is playable.
fn touch_all_and_play(variant: Variant, fen: &str) -> bool {
    let squares: [Vec<Square>; 2] = [Square::ALL.to_vec(), Square::ALL.iter().rev().copied().collect()];
    for squares in squares {
        let Some(mut test) = game_at(variant, fen) else { return false };
        for square in squares {
            let (by, version) = (test.game.side_to_move(), test.game.version());
            let touch = Act::Touch { version, square: square.to_string() }.by(by);
            let position = test.game.position();
            if position.piece_at(square).is_none() {
                continue;
            }
            if !position.men(by).contains(square) {
                let mut left = TOUCH_STEPS;
                let known = capture::can_take(position, None, square, &mut left);
                // The search has found an answer, or its budget is used up.
                assert!(known.is_some() || left == 0, "{fen} {square}");
                let touched = test.game.decide(&touch, 0).unwrap();
                let EventKind::Touched { outcome: Some(outcome), .. } = &touched[0].kind else { panic!() };
                if test.game.obligation().is_none() {
                    assert_eq!(outcome.binds, known.unwrap_or(false), "{fen} {square}");
                }
            }
            test.command(&touch);
        }
        test.log_replays_the_same();
        let owed = test.game.obligation();
        // Checks that the obligation can be fulfilled.
        let mut walk = test.game.position().turns().with_limit(200_000);
        let allows = |turn: &Turn| owed.is_none_or(|owed| owed.allows(test.game.position(), turn));
        let Some(allowed) = walk.find(allows) else {
            assert!(walk.is_truncated(), "{fen}: {owed:?}");
            continue;
        };
        let text = coordinate::write(test.game.position(), &allowed);
        test.play(&text).log_replays_the_same();
    }
    true
}

#[test]
fn c13_a_touch_looks_at_a_bounded_number_of_steps() {
    for fen in EXPENSIVE {
        assert!(touch_all_and_play(Variant::Interweave, fen));
        let position = AnyPosition::from_fen(Variant::Interweave, fen).unwrap();
        for enemy in position.men(Color::Black) {
            let mut left = TOUCH_STEPS;
            capture::can_take(&position, None, enemy, &mut left);
            let mut all = u32::MAX;
            let known = capture::can_take(&position, None, enemy, &mut all);
            assert!(known.is_some(), "{fen} {enemy}");
            assert!(u32::MAX - all < 3 * TOUCH_STEPS, "{fen} {enemy}: {}", u32::MAX - all);
        }
    }
    // In the first position, the enemy kings are on squares of the same shade as all of White's men, so no
    // chain needs to be searched.
    let position = AnyPosition::from_fen(Variant::Interweave, EXPENSIVE[0]).unwrap();
    for king in [Square::D8, Square::H2] {
        let mut left = MAX_STEPS as u32;
        assert_eq!(capture::can_take(&position, None, king, &mut left), Some(false));
    }
}

#[test]
fn c13_a_touch_with_an_unknown_outcome_does_not_bind() {
    let expensive = EXPENSIVE
        .iter()
        .filter_map(|fen| Some((fen, AnyPosition::from_fen(Variant::Interweave, fen).ok()?)))
        .find_map(|(fen, position)| {
            let is_unknown = |&enemy: &Square| {
                capture::can_take(&position, None, enemy, &mut TOUCH_STEPS.clone()).is_none()
            };
            Some((fen, position.men(Color::Black).into_iter().find(is_unknown)?))
        });
    let (fen, square) = expensive.expect("a man for which the search finds no answer within its limit");
    let mut test = game_at(Variant::Interweave, fen).unwrap();
    test.script(&format!("1 white touch {square} => owes nothing"));
}

#[test]
fn c13_a_stored_touch_outcome_is_not_recomputed() {
    let mut test = TestGame::new(chess(touch_move()));
    test.script("1 white touch e2 => owes must-move e2");
    let mut log = test.log.clone();
    let EventKind::Touched { outcome, .. } = &mut log[1].kind else { panic!("{:?}", log[1]) };
    assert_eq!(*outcome, Some(TouchOutcome { binds: true, can_take: false }));
    // In logs written before outcomes were stored, the outcome is computed when the log is read.
    *outcome = None;
    assert_eq!(Game::replay(&log).unwrap(), test.game);
    let EventKind::Touched { outcome, .. } = &mut log[1].kind else { panic!() };
    *outcome = Some(TouchOutcome::default());
    assert_eq!(Game::replay(&log).unwrap().obligation(), None);
    let old: Event =
        serde_json::from_str(r#"{"schema":2,"atMs":30,"type":"touched","color":"white","square":"e2"}"#)
            .unwrap();
    assert!(matches!(old.kind, EventKind::Touched { outcome: None, .. }));
}

/// Returns a FEN of a board full of random men.
fn hostile_fen(variant: Variant, bytes: &[u8]) -> String {
    let men = match variant {
        Variant::Chess => "pppppnbrqPNBRQ........",
        _ => "ppppppnbrPNBRNNN......",
    };
    let men: Vec<char> = men.chars().collect();
    let mut board: Vec<char> =
        bytes.iter().take(64).map(|byte| men[usize::from(*byte) % men.len()]).collect();
    let kings: &[char] = if variant == Variant::Interweave { &['k', 'k', 'K', 'K'] } else { &['k', 'K'] };
    let mut at = usize::from(bytes[64]);
    for king in kings {
        at += 13;
        board[at % 64] = *king;
    }
    // At most sixteen men per side, and no pawns on the first and last ranks.
    let mut found = [0, 0];
    for (index, man) in board.iter_mut().enumerate() {
        let is_misplaced_pawn = matches!(*man, 'p' | 'P') && !(8..56).contains(&index);
        let count = &mut found[usize::from(man.is_ascii_uppercase())];
        let is_king = man.eq_ignore_ascii_case(&'k');
        if is_misplaced_pawn || (*count == 16 - kings.len() / 2 && !is_king) {
            *man = '.';
        } else if *man != '.' && !is_king {
            *count += 1;
        }
    }
    let row = |men: &[char]| {
        let row = men.iter().collect::<String>();
        (1..=8).rev().fold(row, |row, empty| row.replace(&".".repeat(empty), &empty.to_string()))
    };
    let rows: Vec<String> = board.chunks(8).map(row).collect();
    let reserves = if variant == Variant::Interweave { "[]" } else { "" };
    format!("{}{reserves} w - - 0 1", rows.join("/"))
}

#[test]
fn commands_are_bounded_on_any_board() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 24) as u8
    };
    for variant in Variant::ALL {
        let fen = |_| hostile_fen(variant, &std::array::from_fn::<u8, 65, _>(|_| byte()));
        let played = (0..400).map(fen).filter(|fen| touch_all_and_play(variant, fen)).count();
        assert!(played > 20, "{variant}: {played}");
    }
}

fn asides(test: &TestGame, color: Color) -> usize {
    let is_aside = |event: &&Event| match &event.kind {
        EventKind::TimeGiven { color: by, .. }
        | EventKind::Touched { color: by, .. }
        | EventKind::Adjusted { color: by }
        | EventKind::ConditionsSet { color: by, .. }
        | EventKind::TakebackProposed { color: by } => *by == color,
        _ => false,
    };
    test.log.iter().filter(is_aside).count()
}

#[test]
fn c25_takebacks_are_limited_per_game() {
    let mut test = TestGame::new(chess(Options::default()));
    test.play("e2e4");
    let (white, black) = (Color::White, Color::Black);
    let refusal = loop {
        if let Err(refusal) = test.try_command(&Act::ProposeTakeback.by(white)) {
            break refusal;
        }
        test.command(&Act::AcceptTakeback.by(black));
        test.play("e2e4");
    };
    let max_asides = ASIDES_PER_GAME + ASIDES_GAINED;
    assert_eq!(refusal, Refusal::GameLimitReached { limit: max_asides });
    assert_eq!(asides(&test, white), max_asides as usize);
    // The other side has its own limits, and the game continues to its end.
    test.play("e7e5");
    test.command(&Act::ProposeTakeback.by(black));
    test.command(&Act::AcceptTakeback.by(white));
    test.play("e7e5 g1f3");
    test.command(&Act::OfferDraw.by(white));
    test.command(&Act::AcceptDraw.by(black));
    test.log_replays_the_same();
}

#[test]
fn c25_setting_conditions_is_limited_per_turn_and_per_game() {
    let clock = TimeControl::Correspondence { days_per_turn: 3 };
    let mut test = TestGame::new(chess(Options { clock, ..Options::default() }));
    let set = |test: &TestGame| {
        Act::SetConditions { version: test.game.version(), tree: Vec::new() }.by(!test.game.side_to_move())
    };
    for _ in 0..CONDITIONS_PER_TURN {
        test.command(&set(&test));
    }
    let refusal = test.refused(&set(&test));
    assert_eq!(refusal, Refusal::TurnLimitReached { limit: CONDITIONS_PER_TURN.into() });
    assert_eq!(refusal.code(), "enough-this-turn");
    test.play("e2e4");
    test.command(&set(&test));
    // Taking the turn back resets the limit per turn, but not the limit per game.
    let refusal = loop {
        if let Err(refusal) = test.try_command(&set(&test)) {
            if matches!(refusal, Refusal::GameLimitReached { .. }) {
                break refusal;
            }
            let by = !test.game.side_to_move();
            test.command(&Act::ProposeTakeback.by(by));
            test.command(&Act::AcceptTakeback.by(!by));
            test.play("e2e4");
        }
    };
    assert_eq!(refusal.code(), "enough-in-game");
    assert!(asides(&test, Color::White) < 2 * CONDITIONS_PER_GAME as usize);
    test.play("e7e5 g1f3");
    test.log_replays_the_same();
}

#[test]
fn c25_gifts_of_time_are_limited_per_turn() {
    let clock = TimeControl::Fischer { initial_ms: 60_000, increment_ms: 0 };
    let mut test = TestGame::new(chess(Options { clock, ..Options::default() }));
    test.play("e2e4 e7e5");
    for _ in 0..ASIDES_PER_TURN {
        test.command(&Act::GiveTime.by(Color::Black));
    }
    let refusal = test.refused(&Act::GiveTime.by(Color::Black));
    assert_eq!(refusal, Refusal::TurnLimitReached { limit: ASIDES_PER_TURN.into() });
    test.command(&Act::GiveTime.by(Color::White));
    test.play("g1f3");
    test.command(&Act::GiveTime.by(Color::Black));
}

/// Logs written before there were limits can still be read.
#[test]
fn a_log_that_exceeds_the_limits_is_read() {
    let mut test = TestGame::new(chess(touch_move()));
    let adjusted = Event { kind: EventKind::Adjusted { color: Color::White }, ..test.log[0].clone() };
    for _ in 0..2 * ASIDES_PER_GAME {
        test.game.apply(&adjusted).unwrap();
        test.log.push(adjusted.clone());
    }
    test.log_replays_the_same();
    test.play("e2e4 e7e5 g1f3");
    assert_eq!(test.refused(&Act::OfferDraw.by(Color::White)).code(), "enough-in-game");
    test.command(&Act::OfferDraw.by(Color::Black));
    test.command(&Act::Resign.by(Color::White));
}
