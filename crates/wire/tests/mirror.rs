//! A mirror that receives the server's messages, as text, agrees with the server's game.

use adoube_game::{
    Act, ActContext, Command, Condition, DrawRules, Event, EventKind, Game, LEFT_AFTER_MS, MatchGame,
    NewGame, Options, Seat, TimeControl,
};
use adoube_protocol as wire;
use adoube_protocol::{GameId, HalfPoints, LogEntry, MatchState, Millis, PlayerId, ServerMessage};
use adoube_rules::{ByColor, Color, Position as _, Square, Variant, coordinate};
use adoube_wire::{EventContext, Mirror, MirrorError, PlayerNames, View, event, hidden, log, snapshot};
use proptest::prelude::*;
use serde_json::json;

const CONTROLS: [TimeControl; 5] = [
    TimeControl::Unlimited,
    TimeControl::Fischer { initial_ms: 60_000, increment_ms: 1_000 },
    TimeControl::Delay { initial_ms: 30_000, delay_ms: 2_000 },
    TimeControl::Correspondence { days_per_turn: 1 },
    TimeControl::Correspondence { days_per_turn: 14 },
];

const VIEWERS: [Option<Color>; 3] = [Some(Color::White), Some(Color::Black), None];

/// One action by a player or the server.
#[derive(Clone, Copy, Debug)]
struct Action {
    kind: u8,
    pick: usize,
    wait_ms: i64,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let wait_ms = prop_oneof![9 => 0..2_000_i64, 1 => 0..20_000_i64];
    let action =
        (0..40_u8, any::<usize>(), wait_ms).prop_map(|(kind, pick, wait_ms)| Action { kind, pick, wait_ms });
    prop::collection::vec(action, 1..120)
}

fn id() -> GameId {
    "aB3dE5gH7jK9".parse().unwrap()
}

fn names() -> PlayerNames {
    PlayerNames { white: Some("anna".into()), black: None }
}

fn match_state() -> MatchState {
    MatchState {
        id: "mB3dE5gH7jK9".parse().unwrap(),
        number: 2,
        best_of: 4,
        half_points: HalfPoints::default(),
        over: false,
        next: None,
    }
}

/// The game on the server, with its log.
struct Server {
    game: Game,
    events: Vec<(u64, Event)>,
}

impl Server {
    fn new(new: NewGame) -> Self {
        let (game, events) = Game::create(new, 1_000).unwrap();
        Self { game, events: (1..).zip(events).collect() }
    }

    /// Returns the first message to a visitor, as text.
    fn snapshot(&self, you: Option<Color>, now: Millis) -> String {
        let log = log(&self.events, you, &names());
        serde_json::to_string(&snapshot(&id(), &self.game, self.view(you, log, now))).unwrap()
    }

    fn view(&self, you: Option<Color>, log: Vec<LogEntry>, now: Millis) -> View {
        let in_match = self.game.options().in_match.as_ref().map(|_| match_state());
        View { you, names: names(), in_match, log, now }
    }

    /// Returns the game as a visitor sees it, without the log.
    fn visible_state(&self, you: Option<Color>, now: Millis) -> wire::Game {
        snapshot(&id(), &self.game, self.view(you, Vec::new(), now))
    }

    /// Carries out a command. Returns the messages for each viewer, as text.
    fn execute(&mut self, command: &Command, now_ms: i64) -> Vec<[String; 3]> {
        let Ok(events) = self.game.decide(command, now_ms) else { return Vec::new() };
        let apply = |happened: Event| {
            self.game.apply(&happened).unwrap();
            let version = self.game.version();
            let received = VIEWERS.map(|viewer| {
                let message = if happened.kind.visible_to(viewer) {
                    event(version, &happened, EventContext::of(&happened, &self.game, &names())).unwrap()
                } else {
                    hidden(version, &happened)
                };
                serde_json::to_string(&message).unwrap()
            });
            self.events.push((version, happened));
            received
        };
        events.into_iter().map(apply).collect()
    }
}

fn mirror(snapshot: &str) -> Mirror {
    Mirror::new(serde_json::from_str(snapshot).unwrap()).unwrap()
}

fn entry(message: &str) -> LogEntry {
    match serde_json::from_str(message).unwrap() {
        ServerMessage::Event { version, at, event } => LogEntry { version, at, event },
        other => panic!("{other:?}"),
    }
}

fn turn(game: &Game, pick: usize) -> String {
    // Only the first 200, because there may be very many chains.
    let turns = game.allowed_turns().take(200).collect::<Vec<_>>();
    let turn = turns.get(pick % turns.len().max(1)).map(|turn| coordinate::write(game.position(), turn));
    turn.unwrap_or_default()
}

/// Returns up to twelve replies by the opponent, each with an answer.
fn tree(game: &Game, pick: usize) -> Vec<Condition> {
    let answered = |reply| {
        let mut after = game.position().clone();
        after.play_turn_unchecked(&reply);
        let answer = after.turns().next()?;
        Some(Condition {
            reply: coordinate::write(game.position(), &reply),
            answer: coordinate::write(&after, &answer),
            then: Vec::new(),
        })
    };
    game.position().turns().skip(pick % 5).take(12).filter_map(answered).collect()
}

fn command(game: &Game, action: Action, now_ms: i64) -> Command {
    let pick = action.pick;
    let by = Color::ALL[pick % 2];
    let to_move = game.side_to_move();
    let version = game.version();
    match action.kind {
        0 => best_case(by, Act::OfferDraw),
        1 => best_case(by, Act::DeclineDraw),
        2 => best_case(by, Act::ClaimDraw),
        3 if pick.is_multiple_of(7) => best_case(by, Act::AcceptDraw),
        3 if pick.is_multiple_of(31) => best_case(by, Act::Resign),
        3 if pick.is_multiple_of(5) => best_case(by, Act::Abort),
        3 if pick.is_multiple_of(11) => best_case(by, Act::ClaimLeft),
        4 => best_case(by, Act::ProposeTakeback),
        5 => best_case(by, Act::AcceptTakeback),
        6 => best_case(by, Act::DeclineTakeback),
        7 => best_case(by, Act::GiveTime),
        8 => best_case(by, Act::OfferRematch),
        9 => best_case(by, Act::AcceptRematch),
        10 => best_case(by, Act::DeclineRematch),
        11..14 => {
            best_case(to_move, Act::Touch { square: Square::from_index(pick / 2).to_string(), version })
        }
        14 => best_case(to_move, Act::Adjust { version }),
        15..18 => best_case(!to_move, Act::SetConditions { tree: tree(game, pick), version }),
        18 if pick.is_multiple_of(3) => Command::CutOff {
            color: by,
            from_ms: now_ms - (pick % 5_000) as i64,
            until_ms: now_ms - (pick % 700) as i64,
        },
        18 => Command::Interrupt { from_ms: now_ms - (pick % 5_000) as i64, until_ms: now_ms },
        19 => Command::Join { color: Color::Black, player: PlayerId::from_random(2) },
        20 => Command::Tick,
        _ => best_case(to_move, Act::Play { turn: turn(game, pick), version }),
    }
}

/// Returns a player's command. Assumes the best case for facts that only the server knows.
fn best_case(by: Color, act: Act) -> Command {
    let rematch = Some("nB3dE5gH7jK9".parse().unwrap());
    let context =
        ActContext { lag_ms: 70, opponent_away_ms: LEFT_AFTER_MS, rematch, ..ActContext::default() };
    Command::Act { by, act, context }
}

/// Returns acts that a player might try. The turn among them is legal.
fn attempts(game: &Game, by: Color) -> Vec<Command> {
    let version = game.version();
    let mut acts = vec![
        Act::Play { turn: turn(game, 3), version },
        Act::Touch { square: "e2".into(), version },
        Act::SetConditions { tree: tree(game, 1), version },
    ];
    acts.extend(acts_without_choice(version));
    acts.into_iter().map(|act| best_case(by, act)).collect()
}

/// Returns all acts except turns and touches. The tree of conditions is empty.
fn acts_without_choice(version: u64) -> impl Iterator<Item = Act> {
    let by_name =
        move |&name| serde_json::from_value(json!({"type": name, "version": version, "tree": []})).unwrap();
    Act::NAMES.iter().filter(|name| !["play", "touch"].contains(name)).map(by_name)
}

/// Returns the events of a command up to, but not including, a conditional answer, because the opponent's
/// conditions are secret.
fn first_events(game: &Game, command: &Command, now_ms: i64) -> Result<Vec<Event>, adoube_game::Refusal> {
    let mut events = game.decide(command, now_ms)?;
    if let Some(second) =
        events.iter().skip(1).position(|event| matches!(event.kind, EventKind::Played { .. }))
    {
        events.truncate(second + 1);
    }
    Ok(events)
}

fn new_game(variant: usize, control: usize, options: (bool, bool, bool, bool)) -> NewGame {
    let (fide, touch_move, is_open, in_match) = options;
    let black = if is_open { Seat::Open } else { Seat::Person { player: PlayerId::from_random(2) } };
    NewGame {
        variant: Variant::ALL[variant],
        fen: None,
        draw_rules: if fide { DrawRules::Fide } else { DrawRules::Club },
        seats: ByColor { white: Seat::Person { player: PlayerId::from_random(1) }, black },
        options: Options {
            clock: CONTROLS[control],
            touch_move,
            casual: !in_match,
            in_match: in_match.then(|| Box::new(MatchGame { id: match_state().id, number: 2 })),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn a_mirror_agrees_with_the_servers_game(
        variant in 0..Variant::ALL.len(),
        control in 0..CONTROLS.len(),
        options in any::<(bool, bool, bool, bool)>(),
        actions in actions(),
        rejoin in any::<prop::sample::Index>(),
    ) {
        let mut server = Server::new(new_game(variant, control, options));
        let mut now_ms = 1_000;
        let mut mirrors = VIEWERS.map(|viewer| mirror(&server.snapshot(viewer, Millis(now_ms))));
        let rejoin_index = rejoin.index(actions.len());
        for (index, action) in actions.into_iter().enumerate() {
            now_ms += action.wait_ms;
            let now = Millis(now_ms);
            for received in server.execute(&command(&server.game, action, now_ms), now_ms) {
                for (mirror, received) in mirrors.iter_mut().zip(&received) {
                    mirror.apply(entry(received)).unwrap();
                }
            }
            if index == rejoin_index {
                mirrors = VIEWERS.map(|viewer| mirror(&server.snapshot(viewer, now)));
            }
            for (mirror, viewer) in mirrors.iter().zip(VIEWERS) {
                prop_assert_eq!(mirror.snapshot(now), server.visible_state(viewer, now));
                prop_assert_eq!(mirror.game().next_deadline_ms(), server.game.next_deadline_ms());
                let Some(by) = viewer else {
                    prop_assert!(mirror.acts(now).is_empty());
                    continue;
                };
                if index % 8 > 0 {
                    continue;
                }
                let acts = mirror.acts(now);
                let is_time_up = server.game.next_deadline_ms().is_some_and(|deadline| now_ms >= deadline);
                for act in acts_without_choice(server.game.version()) {
                    let name = act.name();
                    let possible = !is_time_up && server.game.decide(&best_case(by, act), now_ms).is_ok();
                    prop_assert_eq!(acts.iter().any(|act| act.act == name), possible, "{}", name);
                }
                for attempt in attempts(&server.game, by) {
                    let decided = first_events(mirror.game(), &attempt, now_ms);
                    prop_assert_eq!(decided, first_events(&server.game, &attempt, now_ms), "{:?}", attempt);
                }
            }
        }
    }
}

fn game_of_two(options: Options) -> Server {
    let mut new = new_game(0, 0, (false, false, false, false));
    new.options = options;
    Server::new(new)
}

#[test]
fn a_missing_event_is_noticed() {
    let mut server = game_of_two(Options::default());
    let mut mirror = mirror(&server.snapshot(None, Millis(1_000)));
    let play = |game: &Game, turn: &str| {
        best_case(game.side_to_move(), Act::Play { turn: turn.into(), version: game.version() })
    };
    server.execute(&play(&server.game, "e2e4"), 2_000);
    let [received] = &server.execute(&play(&server.game, "e7e5"), 3_000)[..] else { panic!() };
    assert_eq!(mirror.apply(entry(&received[2])), Err(MirrorError::Gap { expected: 2, found: 3 }));
    let mut received: wire::Game = serde_json::from_str(&server.snapshot(None, Millis(3_000))).unwrap();
    received.log.pop();
    assert_eq!(Mirror::new(received).err(), Some(MirrorError::Incomplete { expected: 3, found: 2 }));
}

#[test]
fn unknown_values_are_refused_with_a_one_line_error() {
    let server = game_of_two(Options::default());
    let mut received: wire::Game = serde_json::from_str(&server.snapshot(None, Millis(1_000))).unwrap();
    let mut mirror = Mirror::new(received.clone()).unwrap();
    let at = Millis(2_000);
    let ended = |reason: &str| wire::GameEvent::Ended {
        result: wire::GameResult::Draw,
        reason: reason.into(),
        clock: None,
    };
    let entry = |event| LogEntry { version: wire::Version(2), at, event };
    let before = mirror.snapshot(at);
    let error = mirror.apply(entry(ended("boredom"))).unwrap_err();
    assert_eq!(error.to_string(), "unknown ending \"boredom\"");
    assert_eq!(mirror.snapshot(at), before);
    mirror.apply(entry(ended("agreement"))).unwrap();
    received.variant = "ludo".into();
    assert_eq!(Mirror::new(received).unwrap_err().to_string(), "unknown variant \"ludo\"");
}

/// The page requests the possible acts after every event, so a search would take too long.
#[test]
fn c23_the_mirror_never_searches_for_the_result() {
    let clock = TimeControl::Fischer { initial_ms: 60_000, increment_ms: 0 };
    let mut server = game_of_two(Options { clock, ..Options::default() });
    for (index, turn) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        let version = server.game.version();
        let play = Act::Play { turn: turn.into(), version };
        server.execute(&best_case(server.game.side_to_move(), play), 2_000 + index as i64);
    }
    let now = Millis(3_000);
    let white = mirror(&server.snapshot(Some(Color::White), now));
    let claim = white.acts(now).into_iter().find(|possible| possible.act == "claim-left");
    assert_eq!(claim.map(|possible| possible.ends), Some(None));
    // A side whose time is up on this clock may still have time on the server's.
    let black = mirror(&server.snapshot(Some(Color::Black), now));
    assert_eq!(black.play("b8c6", Millis(1_000_000)), Ok("b8c6".to_owned()));
}

#[test]
fn c25_aborting_a_game_is_offered_with_its_result() {
    let ends = |server: &Server, act: &str| {
        let mirror = mirror(&server.snapshot(Some(Color::White), Millis(1_000)));
        let acts = mirror.acts(Millis(1_000));
        acts.iter().find(|possible| possible.act == act).map(|possible| possible.ends)
    };
    let server = game_of_two(Options::default());
    assert_eq!(ends(&server, "abort"), Some(Some(adoube_game::GameResult::NoResult)));
    assert_eq!(ends(&server, "offer-draw"), Some(None));
    assert_eq!(ends(&server, "accept-draw"), None);
    let in_match = Some(Box::new(MatchGame { id: match_state().id, number: 1 }));
    let server = game_of_two(Options { in_match, ..Options::default() });
    assert_eq!(ends(&server, "abort"), Some(Some(adoube_game::GameResult::BlackWins)));
}
