//! Scripted games between two players.

use adoube_game::{
    Act, ActContext, AdvanceError, Command, Condition, DrawRules, EndReason, Ending, Event, EventKind, Game,
    GameResult, NewGame, Options, Refusal, Seat, TimeControl,
};
use adoube_rules::{ByColor, Color, Variant};
use adoube_vocabulary::{GameId, MatchId, PlayerId};

pub(crate) fn person(name: &str) -> Seat {
    Seat::Person { player: player(name) }
}

/// Returns the id of the player with that name.
pub(crate) fn player(name: &str) -> PlayerId {
    format!("{name:0<20}").parse().unwrap()
}

/// Returns the id of the game with that name.
pub(crate) fn game_id(name: &str) -> GameId {
    format!("{name:0<12}").parse().unwrap()
}

/// Returns the id of the match with that name.
pub(crate) fn match_id(name: &str) -> MatchId {
    format!("{name:0<12}").parse().unwrap()
}

/// Three minutes, and two seconds per turn.
pub(crate) const FISCHER: TimeControl = TimeControl::Fischer { initial_ms: 180_000, increment_ms: 2_000 };
/// One minute without an increment.
pub(crate) const SUDDEN_DEATH: TimeControl = TimeControl::Fischer { initial_ms: 60_000, increment_ms: 0 };

pub(crate) fn clock(clock: TimeControl) -> Options {
    Options { clock, ..Options::default() }
}

/// Returns the settings of a game of chess in which Anna plays White and Bela plays Black.
pub(crate) fn chess(options: Options) -> NewGame {
    let seats = ByColor { white: person("anna"), black: person("bela") };
    NewGame { variant: Variant::Chess, fen: None, draw_rules: DrawRules::Club, seats, options }
}

pub(crate) fn play(turn: &str, version: u64) -> Act {
    Act::Play { version, turn: turn.into() }
}

/// Returns the command for an act that was in transit for `lag_ms`.
pub(crate) fn delayed(lag_ms: u32, act: Act, by: Color) -> Command {
    Command::Act { by, act, context: ActContext { lag_ms, ..ActContext::default() } }
}

/// Returns the command that claims a win because the opponent has been away for `opponent_away_ms`.
pub(crate) fn away_for(opponent_away_ms: i64, by: Color) -> Command {
    let context = ActContext { opponent_away_ms, ..ActContext::default() };
    Command::Act { by, act: Act::ClaimLeft, context }
}

/// Returns the command that accepts a rematch. The rematch is the game named `id`.
pub(crate) fn accept_rematch(id: &str, by: Color) -> Command {
    let context = ActContext { rematch: Some(game_id(id)), ..ActContext::default() };
    Command::Act { by, act: Act::AcceptRematch, context }
}

/// Returns the events that a command produces, and the game after them. Panics if they cannot be applied.
#[track_caller]
pub(crate) fn advance(game: &Game, command: &Command, now_ms: i64) -> Result<(Vec<Event>, Game), Refusal> {
    game.advance(command, now_ms).map_err(|error| match error {
        AdvanceError::Refused(refusal) => refusal,
        AdvanceError::Inconsistent(error) => panic!("{command:?}: {error:?}"),
    })
}

pub(crate) struct TestGame {
    pub(crate) game: Game,
    pub(crate) log: Vec<Event>,
    pub(crate) now: i64,
}

impl TestGame {
    #[track_caller]
    pub(crate) fn new(new: NewGame) -> Self {
        let (game, log) = Game::create(new, 0).unwrap();
        Self { game, log, now: 0 }
    }

    #[track_caller]
    pub(crate) fn at(fen: &str, options: Options) -> Self {
        Self::new(NewGame { fen: Some(fen.into()), ..chess(options) })
    }

    pub(crate) fn try_command(&mut self, command: &Command) -> Result<(), Refusal> {
        let (events, after) = advance(&self.game, command, self.now)?;
        self.log.extend(events);
        self.game = after;
        Ok(())
    }

    #[track_caller]
    pub(crate) fn command(&mut self, command: &Command) {
        self.try_command(command).unwrap();
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, command: &Command) -> Refusal {
        let before = self.game.clone();
        let refusal = self.try_command(command).unwrap_err();
        assert_eq!(self.game, before);
        refusal
    }

    #[track_caller]
    pub(crate) fn play(&mut self, turns: &str) -> &mut Self {
        for turn in turns.split_whitespace() {
            let (by, version) = (self.game.side_to_move(), self.game.version());
            self.now += 10;
            self.command(&play(turn, version).by(by));
        }
        self
    }

    #[track_caller]
    pub(crate) fn ends(&self, result: GameResult, reason: EndReason) {
        assert_eq!(self.game.ending(), Some(Ending { result, reason }));
        assert!(matches!(self.log.last().unwrap().kind, EventKind::Ended { .. }));
        self.log_replays_the_same();
    }

    #[track_caller]
    pub(crate) fn goes_on(&self) {
        assert_eq!(self.game.ending(), None);
        self.log_replays_the_same();
    }

    /// Checks that writing the log as text, reading it back and replaying it gives the same game.
    #[track_caller]
    pub(crate) fn log_replays_the_same(&self) {
        let read = |event| serde_json::from_str::<Event>(&serde_json::to_string(event).unwrap()).unwrap();
        let log = self.log.iter().map(read).collect::<Vec<_>>();
        assert_eq!(log, self.log);
        assert_eq!(Game::replay(&log).unwrap(), self.game);
    }

    /// Plays a script: one line for each command, `time player command => outcome`.
    ///
    /// The time is in milliseconds. The player is `white`, `black` or `server`. The outcome is the time left
    /// (`clocks 57000 60000`), the ending (`over 1-0 time-out`), the obligation (`owes must-move e2`, `owes
    /// nothing`), all turns so far (`plays e2e4 e7e5`), or the refusal (`!code`). Without an outcome, the
    /// command must be accepted.
    #[track_caller]
    pub(crate) fn script(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, outcome) = line
                .split_once("=>")
                .map_or((line, None), |(command, outcome)| (command, Some(outcome.trim())));
            let words = command.split_whitespace().collect::<Vec<_>>();
            let [time, side, words @ ..] = &words[..] else {
                panic!("{line}: expected time, player, command")
            };
            self.now = time.parse().unwrap();
            let command = self.read_command(side, words);
            let Some(outcome) = outcome else {
                self.try_command(&command).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
                continue;
            };
            if let Some(code) = outcome.strip_prefix('!') {
                let before = self.game.clone();
                let refusal =
                    self.try_command(&command).map_or_else(|refusal| refusal.code(), |()| "accepted");
                assert_eq!(refusal, code, "{line}");
                assert_eq!(self.game, before, "{line}");
            } else {
                self.try_command(&command).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
                assert_eq!(self.outcome_like(outcome), outcome, "{line}");
            }
        }
        self.log_replays_the_same();
        self
    }

    fn read_command(&self, side: &str, words: &[&str]) -> Command {
        let version = self.game.version();
        if side == "server" {
            return match words {
                ["tick"] => Command::Tick,
                ["interrupt", from, until] => {
                    Command::Interrupt { from_ms: from.parse().unwrap(), until_ms: until.parse().unwrap() }
                }
                ["cut-off", color, from, until] => Command::CutOff {
                    color: color.parse().unwrap(),
                    from_ms: from.parse().unwrap(),
                    until_ms: until.parse().unwrap(),
                },
                _ => panic!("unknown server command {words:?}"),
            };
        }
        let by = side.parse::<Color>().unwrap();
        match words {
            ["join", name] => Command::Join { color: by, player: player(name) },
            ["resign"] => Act::Resign.by(by),
            ["offer-draw"] => Act::OfferDraw.by(by),
            ["accept-draw"] => Act::AcceptDraw.by(by),
            ["decline-draw"] => Act::DeclineDraw.by(by),
            ["claim-draw"] => Act::ClaimDraw.by(by),
            ["abort"] => Act::Abort.by(by),
            ["propose-takeback"] => Act::ProposeTakeback.by(by),
            ["accept-takeback"] => Act::AcceptTakeback.by(by),
            ["decline-takeback"] => Act::DeclineTakeback.by(by),
            ["give-time"] => Act::GiveTime.by(by),
            ["claim-left", away] => away_for(away.parse().unwrap(), by),
            ["offer-rematch"] => Act::OfferRematch.by(by),
            ["accept-rematch", next] => accept_rematch(next, by),
            ["decline-rematch"] => Act::DeclineRematch.by(by),
            ["touch", square] => Act::Touch { version, square: (*square).into() }.by(by),
            ["adjust"] => Act::Adjust { version }.by(by),
            ["conditions", tree] => Act::SetConditions { version, tree: tree_of(tree) }.by(by),
            [turn] => play(turn, version).by(by),
            [turn, "lag", ms] => delayed(ms.parse().unwrap(), play(turn, version), by),
            _ => panic!("unknown player command {words:?}"),
        }
    }

    /// Describes the game's state in the form of the expected outcome.
    #[track_caller]
    fn outcome_like(&self, expected: &str) -> String {
        match expected.split_whitespace().next() {
            Some("over") => self.game.ending().map_or_else(
                || "goes on".into(),
                |ending| format!("over {} {}", ending.result.text(), ending.reason.name()),
            ),
            Some("clocks") => self
                .game
                .clock_at(self.now)
                .map_or_else(|| "no clocks".into(), |left| format!("clocks {} {}", left.white, left.black)),
            Some("owes") => self.game.obligation().map_or_else(
                || "owes nothing".into(),
                |obligation| {
                    let squares = [obligation.own_man(), obligation.enemy()].into_iter().flatten();
                    squares.fold(format!("owes {}", obligation.name()), |text, square| {
                        format!("{text} {square}")
                    })
                },
            ),
            Some("plays") => {
                let texts = self.game.turn_texts();
                format!("plays {}", texts.join(" ")).trim_end().to_owned()
            }
            _ => panic!("unknown outcome {expected:?}"),
        }
    }
}

/// Reads a tree of conditions from JSON.
pub(crate) fn tree_of(json: &str) -> Vec<Condition> {
    serde_json::from_str(json).unwrap()
}
