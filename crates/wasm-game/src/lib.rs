//! A mirrored game for the browser: a thin layer over the mirror in `adoube-wire`. It is a separate module
//! because only players' and spectators' pages need it. Positions are shown by the rules module; the two
//! modules exchange only text.
//!
//! Arguments and results are simple values, or JSON with the protocol's types and those that a test
//! writes to `web/src/lib/game-types.ts`. This crate contains no user-visible text: refusals are codes with
//! arguments, for which the page has the messages.

#[cfg(test)]
mod export;

use adoube_game::GameResult;
use adoube_protocol::{LogEntry, MatchState, Millis};
use adoube_refusal::{self as refusal, Refusal};
use adoube_rules::{Square, Turn, coordinate};
use adoube_wire::{Mirror, MirrorError, PossibleAct};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::wasm_bindgen;

/// An action that is available to the visitor in the current state of a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PossibleActView {
    /// The type of the message that requests it.
    #[cfg_attr(test, ts(type = "Act['type']"))]
    pub act: &'static str,
    /// The result of the game, if the action ends it; `null` for `claim-left`, whose result requires a search
    /// (C23).
    #[cfg_attr(test, ts(type = "GameResult | null"))]
    pub ends: Option<&'static str>,
}

impl From<PossibleAct> for PossibleActView {
    fn from(possible: PossibleAct) -> Self {
        Self { act: possible.act, ends: possible.ends.map(GameResult::text) }
    }
}

/// A game as the visitor knows it. It is immutable: applying an event returns a new game.
///
/// Snapshots, events and states are JSON, as in the protocol. `now` is the server's time in milliseconds
/// since 1970. Methods that can fail throw a non-empty JSON list of [`Refusal`]s.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct GameHandle {
    mirror: Mirror,
}

#[wasm_bindgen]
impl GameHandle {
    /// Creates the game that a snapshot describes.
    #[wasm_bindgen(js_name = fromSnapshot)]
    pub fn from_snapshot(snapshot: &str) -> Result<Self, String> {
        let mirror = Mirror::new(read(snapshot)?).map_err(|error| outdated(&error))?;
        Ok(Self { mirror })
    }

    /// Returns the game after the next event, given as a log entry.
    pub fn after(&self, entry: &str) -> Result<Self, String> {
        let mut mirror = self.mirror.clone();
        mirror.apply(read::<LogEntry>(entry)?).map_err(|error| outdated(&error))?;
        Ok(Self { mirror })
    }

    /// Returns the game with the new state of its match.
    #[wasm_bindgen(js_name = withMatch)]
    pub fn with_match(&self, state: &str) -> Result<Self, String> {
        let mut mirror = self.mirror.clone();
        mirror.set_match_state(read::<MatchState>(state)?);
        Ok(Self { mirror })
    }

    /// Returns the state of the game as a snapshot without its log, in JSON.
    pub fn view(&self, now: f64) -> String {
        json(&self.mirror.snapshot(Millis(now as i64)))
    }

    /// Returns the state of the clocks, as JSON; `null` in a game without clocks.
    pub fn clock(&self, now: f64) -> String {
        json(&self.mirror.clock(Millis(now as i64)))
    }

    /// Returns the actions that the visitor may take now, except turns and touches, as a JSON list of
    /// [`PossibleActView`]s. Lists `claim-left` even if the opponent has not been away for long enough yet.
    pub fn acts(&self, now: f64) -> String {
        let acts = self.mirror.acts(Millis(now as i64));
        json(&acts.into_iter().map(PossibleActView::from).collect::<Vec<_>>())
    }

    /// Returns `true` if the visitor may touch the man on a square now.
    #[wasm_bindgen(js_name = mayTouch)]
    pub fn may_touch(&self, square: &str, now: f64) -> bool {
        let square = square.parse::<Square>();
        square.is_ok_and(|square| self.mirror.may_touch(square, Millis(now as i64)))
    }

    /// Returns the steps that can continue the turn after the steps in `prefix` and that fulfil the
    /// obligations of the side to move. All steps are in coordinate notation; those returned are separated by
    /// spaces.
    pub fn steps(&self, prefix: &str) -> Result<String, String> {
        let position = self.mirror.game().position();
        let (prefix, at) = if prefix.is_empty() {
            (Turn::empty(), position.clone())
        } else {
            coordinate::parse_steps(position, prefix).map_err(|error| json(&[refusal::of_turn(&error)]))?
        };
        let steps = self.mirror.game().allowed_steps(&prefix);
        let text = |step| coordinate::write(&at, &Turn::from(step));
        Ok(steps.into_iter().map(text).collect::<Vec<_>>().join(" "))
    }

    /// Returns the turn that the visitor wants to play, in canonical notation, or the reason why it is
    /// refused.
    pub fn play(&self, turn: &str, now: f64) -> Result<String, String> {
        self.mirror.play(turn, Millis(now as i64)).map_err(|refusal| json(&[of_game(&refusal)]))
    }

    /// Returns the visitor's conditional answer to the last turn. The server plays this answer at once.
    #[wasm_bindgen(js_name = conditionalAnswer)]
    pub fn conditional_answer(&self) -> Option<String> {
        let game = self.mirror.game();
        let is_own = self.mirror.you() == Some(game.side_to_move());
        game.conditional_answer().filter(|_| is_own).map(str::to_owned)
    }
}

fn of_game(refusal: &adoube_game::Refusal) -> Refusal {
    Refusal { code: refusal.code(), args: refusal.args().into_iter().collect() }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| json(&[page_outdated(error.to_string())]))
}

fn outdated(error: &MirrorError) -> String {
    json(&[page_outdated(error.to_string())])
}

/// Returns the refusal for data that this module does not understand, which means that the versions of the
/// page and the server differ.
fn page_outdated(what: String) -> Refusal {
    Refusal::new("page-outdated", [("what", what)])
}

#[cfg(test)]
mod tests {
    use adoube_game::{DrawRules, Game, NewGame, Options, Seat, TimeControl};
    use adoube_protocol::{GameId, PlayerId, Version};
    use adoube_rules::{ByColor, Color, Variant};
    use adoube_wire::{PlayerNames, View, snapshot};
    use serde_json::Value;

    use super::*;

    /// Returns a new game between two people, as seen by the given side.
    fn new(variant: Variant, fen: Option<&str>, options: Options, you: Color) -> GameHandle {
        let person = |random| Seat::Person { player: PlayerId::from_random(random) };
        let new = NewGame {
            variant,
            fen: fen.map(str::to_owned),
            draw_rules: DrawRules::Club,
            seats: ByColor { white: person(1), black: person(2) },
            options,
        };
        let (game, _) = Game::create(new, 0).unwrap();
        let view = View {
            you: Some(you),
            names: PlayerNames::default(),
            in_match: None,
            log: Vec::new(),
            now: Millis(0),
        };
        let id: GameId = "aB3dE5gH7jK9".parse().unwrap();
        GameHandle::from_snapshot(&json(&snapshot(&id, &game, view))).unwrap()
    }

    fn apply(game: &GameHandle, event: &str) -> GameHandle {
        let version = game.mirror.game().version() + 1;
        game.after(&format!(r#"{{"version":{version},"at":10,"event":{event}}}"#)).unwrap()
    }

    fn steps(game: &GameHandle, prefix: &str) -> Vec<String> {
        game.steps(prefix).unwrap().split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_game_applies_events_and_lists_the_possible_actions() {
        let clock = TimeControl::Fischer { initial_ms: 60_000, increment_ms: 0 };
        let game = new(Variant::Chess, None, Options { clock, ..Options::default() }, Color::Black);
        let game = apply(
            &game,
            r#"{"type":"played","color":"white","turn":"e2e4","clock":{"white":60000,"black":60000}}"#,
        );
        let game = apply(&game, r#"{"type":"draw-offered","color":"white"}"#);
        let view: Value = serde_json::from_str(&game.view(20.)).unwrap();
        assert_eq!((&view["turns"], &view["drawOffer"]), (&Value::from(vec!["e2e4"]), &Value::from("white")));
        let acts = game.acts(20.);
        assert!(acts.contains(r#"{"act":"accept-draw","ends":"1/2-1/2"}"#), "{acts}");
        assert!(acts.contains(r#"{"act":"abort","ends":"*"}"#), "{acts}");
        assert!(!acts.contains("offer-rematch"), "{acts}");
        assert_eq!(game.play("e7-e5", 20.).unwrap_err().matches("turn-syntax").count(), 1);
        assert_eq!(game.play("e7e5", 20.).unwrap(), "e7e5");
        let game = apply(
            &game,
            r#"{"type":"played","color":"black","turn":"e7e5","clock":{"white":60000,"black":60000}}"#,
        );
        let clock: Value = serde_json::from_str(&game.clock(1_010.)).unwrap();
        assert_eq!(
            (&clock["left"]["white"], &clock["running"]),
            (&Value::from(59_000), &Value::from("white"))
        );
        assert!(game.play("g8f6", 1_010.).unwrap_err().contains("not-your-turn"));
    }

    #[test]
    fn c13_a_touched_man_must_move() {
        let game =
            new(Variant::Chess, None, Options { touch_move: true, ..Options::default() }, Color::White);
        assert_eq!(steps(&game, "").len(), 20);
        assert!(game.may_touch("g1", 0.) && !game.may_touch("e5", 0.) && !game.may_touch("z9", 0.));
        let game = apply(
            &game,
            r#"{"type":"touched","color":"white","square":"g1","obligation":{"type":"must-move","own":"g1"}}"#,
        );
        assert_eq!(steps(&game, ""), ["g1f3", "g1h3"]);
        assert!(game.play("e2e4", 0.).unwrap_err().contains("touched-must-move"));
    }

    #[test]
    fn i4_steps_continue_a_chain_in_progress() {
        let fen = "6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1";
        let game = new(Variant::Interweave, Some(fen), Options::default(), Color::White);
        assert!(steps(&game, "").contains(&"a1a3".to_owned()));
        assert!(steps(&game, "a1a3").iter().all(|text| text.starts_with("a3")));
        assert!(game.steps("a1h8").is_err());
    }

    #[test]
    fn conditions_apply_only_to_their_player() {
        let clock = TimeControl::Correspondence { days_per_turn: 1 };
        let game = new(Variant::Chess, None, Options { clock, ..Options::default() }, Color::Black);
        let set = r#"{"type":"conditions-set","color":"black","tree":[{"reply":"e2e4","answer":"e7e5"}]}"#;
        let play = r#"{"type":"played","color":"white","turn":"e2e4"}"#;
        assert_eq!(apply(&apply(&game, set), play).conditional_answer().as_deref(), Some("e7e5"));
        assert_eq!(apply(&apply(&game, r#"{"type":"hidden"}"#), play).conditional_answer(), None);
    }

    #[test]
    fn messages_from_another_version_are_refused() {
        let game = new(Variant::Chess, None, Options::default(), Color::White);
        for entry in [
            "",
            r#"{"version":2,"at":0,"event":{"type":"castled"}}"#,
            r#"{"version":9,"at":0,"event":{"type":"adjusted","color":"white"}}"#,
        ] {
            assert!(game.after(entry).unwrap_err().contains("page-outdated"), "{entry}");
        }
        let mut snapshot = game.mirror.snapshot(Millis(0));
        snapshot.version = Version(7);
        assert!(GameHandle::from_snapshot(&json(&snapshot)).unwrap_err().contains("page-outdated"));
    }
}
