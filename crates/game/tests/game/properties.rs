//! Properties that hold whatever the players do.

use adoube_game::{
    Act, ActContext, Command, Condition, DrawRules, Event, EventKind, Game, NewGame, Options, Refusal,
    TimeControl, Times,
};
use adoube_rules::{Color, Position as _, Square, Turn, Variant, coordinate};
use proptest::prelude::*;

use crate::script::{accept_rematch, advance, away_for, chess, delayed, play, player};

const CONTROLS: [TimeControl; 6] = [
    TimeControl::Unlimited,
    TimeControl::Fischer { initial_ms: 60_000, increment_ms: 1_000 },
    TimeControl::Fischer { initial_ms: 0, increment_ms: 5_000 },
    TimeControl::Delay { initial_ms: 30_000, delay_ms: 2_000 },
    TimeControl::Correspondence { days_per_turn: 1 },
    TimeControl::Correspondence { days_per_turn: 14 },
];

/// One action of a player or the server.
#[derive(Clone, Copy, Debug)]
struct Action {
    kind: u8,
    pick: usize,
    /// Time since the previous action, in milliseconds; negative if the system clock has gone back.
    wait_ms: i64,
}

fn actions(max: usize) -> impl Strategy<Value = Vec<Action>> {
    let wait_ms = prop_oneof![6 => 0..3_000_i64, 1 => -500..0_i64, 1 => 0..40_000_i64];
    let action =
        (0..40_u8, any::<usize>(), wait_ms).prop_map(|(kind, pick, wait_ms)| Action { kind, pick, wait_ms });
    prop::collection::vec(action, 1..max)
}

fn some_turn(game: &Game, pick: usize) -> String {
    let turns = game.position().legal_turns();
    let turn = turns.get(pick % turns.len().max(1)).map(|turn| coordinate::write(game.position(), turn));
    turn.unwrap_or_default()
}

/// Returns a turn that the side to move may play, if there is one.
fn allowed_turn(game: &Game, pick: usize) -> String {
    let turns = game.allowed_turns().collect::<Vec<_>>();
    let turn = turns.get(pick % turns.len().max(1)).map(|turn| coordinate::write(game.position(), turn));
    turn.unwrap_or_default()
}

/// Returns a tree with one reply and one answer; empty if there is no legal reply or no legal answer.
fn some_tree(game: &Game, pick: usize) -> Vec<Condition> {
    let turns = game.position().legal_turns();
    let Some(reply) = turns.get(pick % turns.len().max(1)) else { return Vec::new() };
    let mut after = game.position().clone();
    after.play_turn_unchecked(reply);
    let Some(answer) = after.legal_turns().into_iter().next() else { return Vec::new() };
    vec![Condition {
        reply: coordinate::write(game.position(), reply),
        answer: coordinate::write(&after, &answer),
        then: Vec::new(),
    }]
}

fn command(game: &Game, action: Action, now_ms: i64) -> Command {
    let pick = action.pick;
    let by = Color::ALL[pick % 2];
    let version = game.version().saturating_sub((pick / 2 % 9 / 8) as u64);
    let lag_ms = (pick % 700) as u32;
    match action.kind {
        0 => Act::OfferDraw.by(by),
        1 => Act::DeclineDraw.by(by),
        2 => Act::ClaimDraw.by(by),
        // Acts that end the game are rare, so that most games are long.
        3 if pick.is_multiple_of(7) => Act::AcceptDraw.by(by),
        3 if pick.is_multiple_of(31) => Act::Resign.by(by),
        3 if pick.is_multiple_of(5) => Act::Abort.by(by),
        3 if pick.is_multiple_of(11) => away_for((pick % 120_000) as i64, by),
        4 => Act::ProposeTakeback.by(by),
        5 => Act::AcceptTakeback.by(by),
        6 => Act::DeclineTakeback.by(by),
        7 => Act::GiveTime.by(by),
        8 => Act::OfferRematch.by(by),
        9 => accept_rematch("next", by),
        10 => Act::DeclineRematch.by(by),
        11..14 => Act::Touch { version: game.version(), square: Square::from_index(pick / 2).to_string() }
            .by(game.side_to_move()),
        14 => Act::Adjust { version }.by(by),
        15 => Act::SetConditions { version, tree: some_tree(game, pick) }.by(by),
        16 | 17 => Act::SetConditions { version, tree: some_tree(game, pick) }.by(!game.side_to_move()),
        18 => Command::Tick,
        19 if pick.is_multiple_of(3) => Command::CutOff {
            color: by,
            from_ms: now_ms - (pick % 5_000) as i64,
            until_ms: now_ms - (pick % 700) as i64,
        },
        19 => Command::Interrupt { from_ms: now_ms - (pick % 5_000) as i64, until_ms: now_ms },
        20 => Command::Join { color: by, player: player("carl") },
        21 => delayed(lag_ms, play(&some_turn(game, pick), version), by),
        22 => {
            let handled = now_ms - (pick % 300) as i64..now_ms;
            let shown = now_ms - (pick % 5_000) as i64..now_ms - (pick % 700) as i64;
            let context = ActContext { lag_ms, shown, handled, ..ActContext::default() };
            let act = play(&allowed_turn(game, pick), game.version());
            Command::Act { by: game.side_to_move(), act, context }
        }
        _ => delayed(lag_ms, play(&allowed_turn(game, pick), game.version()), game.side_to_move()),
    }
}

fn new_game(variant: usize, control: usize, fide: bool, options: Options) -> NewGame {
    let draw_rules = if fide { DrawRules::Fide } else { DrawRules::Club };
    let options = Options { clock: CONTROLS[control], ..options };
    NewGame { variant: Variant::ALL[variant], draw_rules, ..chess(options) }
}

/// Returns the clocks that an event contains.
fn clock_in(event: &Event) -> Option<Times> {
    match event.kind {
        EventKind::Played { clock, .. } | EventKind::TakenBack { clock, .. } => clock,
        EventKind::TimeGiven { clock, .. } | EventKind::Interrupted { clock, .. } => Some(clock),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn replaying_the_events_gives_the_same_game(
        variant in 0..Variant::ALL.len(),
        control in 0..CONTROLS.len(),
        fide in any::<bool>(),
        touch_move in any::<bool>(),
        actions in actions(250),
    ) {
        let options = Options { touch_move, ..Options::default() };
        let (mut game, mut log) = Game::create(new_game(variant, control, fide, options), 0).unwrap();
        let mut now_ms = 0;
        for action in actions {
            now_ms += action.wait_ms;
            let deadline = game.next_deadline_ms();
            let before = game.clone();
            let Ok(events) = game.decide(&command(&game, action, now_ms), now_ms) else {
                // Once the time is up, a command ends the game. Only interruptions and cut-offs may be
                // refused.
                let due = deadline.is_some_and(|deadline| now_ms.max(game.updated_at_ms()) >= deadline);
                prop_assert!(!due || matches!(action.kind, 19));
                continue;
            };
            prop_assert_eq!(&game, &before);
            prop_assert!(!events.is_empty());
            for event in events {
                prop_assert!(event.at_ms >= game.updated_at_ms());
                game.apply(&event).unwrap();
                if let Some(clocks) = clock_in(&event) {
                    prop_assert_eq!(game.clock_at(event.at_ms).map(Times::from), Some(clocks));
                }
                log.push(event);
            }
            prop_assert_eq!(game.version(), log.len() as u64);
            if let Some(left) = game.clock_at(now_ms) {
                prop_assert!(left.white >= 0 && left.black >= 0, "{:?}", left);
            }
            // Check the queries that are possible in every state.
            prop_assert!(game.obligation().is_none() || game.ending().is_none());
            prop_assert_eq!(game.turn_texts().len(), game.plies());
            prop_assert!(Color::ALL.into_iter().any(|color| game.conditions(color).is_empty()));
        }
        let read = |event: &Event| serde_json::from_str::<Event>(&serde_json::to_string(event).unwrap()).unwrap();
        let read = log.iter().map(read).collect::<Vec<_>>();
        prop_assert_eq!(&read, &log);
        prop_assert_eq!(Game::replay(&read).unwrap(), game);
        let ends = log.iter().filter(|event| matches!(event.kind, EventKind::Ended { .. })).count();
        prop_assert!(ends <= 1);
    }

    /// Without takebacks, the sum of both clocks is always the sum of their initial times plus all time
    /// gained, minus the time that has passed since they began to run.
    #[test]
    fn clocks_account_for_all_time(
        variant in 0..Variant::ALL.len(),
        increment_ms in 0..3_000_u32,
        actions in actions(250),
    ) {
        let clock = TimeControl::Fischer { initial_ms: 600_000, increment_ms };
        let options = Options { casual: false, ..Options::default() };
        let new = NewGame { variant: Variant::ALL[variant], ..chess(Options { clock, ..options }) };
        let (mut game, _) = Game::create(new, 0).unwrap();
        let (mut now_ms, mut earned, mut running_since) = (0, 1_200_000, None);
        for action in actions {
            now_ms += action.wait_ms;
            let Ok(events) = game.decide(&command(&game, action, now_ms), now_ms) else { continue };
            for event in events {
                game.apply(&event).unwrap();
                match event.kind {
                    EventKind::Played { lag_ms, .. } => earned += i64::from(increment_ms) + i64::from(lag_ms),
                    EventKind::TimeGiven { ms, .. } => earned += ms,
                    EventKind::Interrupted { from_ms, until_ms, .. } if running_since.is_some() => {
                        earned += until_ms - from_ms;
                    }
                    _ => {}
                }
                if game.plies() == 2 {
                    running_since.get_or_insert(event.at_ms);
                }
                if game.ending().is_some() {
                    break;
                }
                let passed = running_since.map_or(0, |since| event.at_ms - since);
                let left = game.clock_at(event.at_ms).unwrap();
                prop_assert_eq!(left.white + left.black, earned - passed);
            }
        }
    }

    /// Before the deadline, a tick is refused. From then on, it ends the game, and the side to move does not
    /// win.
    #[test]
    fn the_deadline_is_when_time_is_up(
        control in 1..CONTROLS.len(),
        actions in actions(60),
    ) {
        let (mut game, _) = Game::create(new_game(0, control, false, Options::default()), 0).unwrap();
        let mut now_ms = 0;
        for action in actions {
            now_ms += action.wait_ms;
            if let Ok((_, after)) = advance(&game, &command(&game, action, now_ms), now_ms) {
                game = after;
            }
            let Some(deadline) = game.next_deadline_ms() else { continue };
            if deadline > game.updated_at_ms() {
                prop_assert_eq!(game.decide(&Command::Tick, deadline - 1), Err(Refusal::TimeNotUp));
            }
            let turn = game.side_to_move();
            let (_, ended) = advance(&game, &Command::Tick, deadline).unwrap();
            prop_assert!(ended.ending().unwrap().winner() != Some(turn));
            if game.first_turns_played() {
                prop_assert_eq!(ended.clock_at(deadline).unwrap()[turn], 0);
            }
        }
    }

    /// C13: of the legal turns, exactly those that fulfil the obligation are accepted, and there is at least
    /// one.
    #[test]
    fn c13_touch_move_allows_exactly_the_turns_that_fulfil_the_obligation(
        variant in 0..Variant::ALL.len(),
        picks in prop::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 1..40),
    ) {
        let options = Options { touch_move: true, ..Options::default() };
        let (mut game, _) = Game::create(new_game(variant, 0, false, options), 0).unwrap();
        for (one, other, pick) in picks {
            for square in [one, other] {
                let touch =
                    Act::Touch { version: game.version(), square: Square::from_index(square).to_string() }
                        .by(game.side_to_move());
                if let Ok((_, after)) = advance(&game, &touch, 0) {
                    game = after;
                }
            }
            let allowed = game.allowed_turns().collect::<Vec<_>>();
            if game.ending().is_some() {
                break;
            }
            prop_assert!(!allowed.is_empty());
            let command = |turn: &Turn| {
                play(&coordinate::write(game.position(), turn), game.version()).by(game.side_to_move())
            };
            let legal = game.position().legal_turns();
            for turn in &legal {
                let refused = game.decide(&command(turn), 0).err();
                let owed = (!allowed.contains(turn)).then(|| Refusal::Touched(game.obligation().unwrap()));
                prop_assert_eq!(refused, owed);
            }
            game = advance(&game, &command(&allowed[pick % allowed.len()]), 0).unwrap().1;
            prop_assert_eq!(game.obligation(), None);
        }
    }
}
