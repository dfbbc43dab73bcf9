//! The handle through which the page uses a position.

use adoube_learn::{WrongTurn, misses};
use adoube_notation::san::{self, SanError};
use adoube_problems::{Prover, Rating};
use adoube_refusal::{self as refusal, Refusal};
use adoube_rules::{
    AnyPosition, Position, Square, Turn, Variant,
    coordinate::{self, TurnError},
    explain::{Reason, step as explain_step},
    shuffle,
};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{
    explain, plan,
    view::{self, RatingView},
    wrong_turn,
};

/// A position. It is immutable: playing a step returns a new position.
///
/// Methods that can fail throw a non-empty JSON list of [`Refusal`]s.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct PositionHandle {
    position: AnyPosition,
    /// The position at the beginning of the current turn.
    start: AnyPosition,
    /// The steps since then.
    current_turn: Turn,
}

#[wasm_bindgen]
impl PositionHandle {
    /// Creates a position from a FEN.
    #[wasm_bindgen(js_name = fromFen)]
    pub fn from_fen(variant: &str, fen: &str) -> Result<Self, String> {
        let variant = parse_variant(variant)?;
        let position = AnyPosition::from_fen(variant, fen)
            .map_err(|error| json(&refusal::of_position(variant, &error)))?;
        Ok(Self::beginning(position))
    }

    /// Reads a FEN that a person typed or pasted. Returns the corrected FEN and the changes made, as a
    /// [`FenView`](crate::FenView) in JSON.
    #[wasm_bindgen(js_name = readFen)]
    pub fn read_fen(variant: &str, text: &str) -> Result<String, String> {
        let variant = parse_variant(variant)?;
        let (position, repairs) = AnyPosition::from_fen_lenient(variant, text)
            .map_err(|error| json(&refusal::of_position(variant, &error)))?;
        let changes = repairs.iter().map(refusal::of_repair).collect();
        Ok(json(&view::FenView { fen: position.fen(), changes }))
    }

    /// Creates the initial position of a game.
    pub fn initial(variant: &str) -> Result<Self, String> {
        Ok(Self::beginning(AnyPosition::initial(parse_variant(variant)?)))
    }

    /// Returns the roles of a game, as JSON.
    pub fn roles(variant: &str) -> Result<String, String> {
        Ok(json(&view::roles(parse_variant(variant)?)))
    }

    /// Returns the number of a game's shuffled first ranks; they are numbered from 0.
    #[wasm_bindgen(js_name = startCount)]
    pub fn start_count(variant: &str) -> Result<u16, String> {
        Ok(shuffle::count(parse_variant(variant)?))
    }

    /// Returns the description of the position, a [`PositionView`](crate::PositionView) in JSON.
    pub fn view(&self) -> String {
        json(&view::position(&self.position))
    }

    /// Returns the steps of the current turn, in coordinate notation.
    #[wasm_bindgen(js_name = currentSteps)]
    pub fn current_steps(&self) -> String {
        if self.current_turn.steps().is_empty() {
            String::new()
        } else {
            coordinate::write(&self.start, &self.current_turn)
        }
    }

    /// Returns the position after one step. The steps of a completed turn can be read from
    /// [`current_steps`](Self::current_steps) until the next step begins a new turn.
    pub fn play(&self, step: &str) -> Result<Self, String> {
        let (steps, position) =
            coordinate::parse_steps(&self.position, step).map_err(|error| refuse(&error))?;
        let continues = self.position.chain().is_some();
        let (start, mut current_turn) = if continues {
            (self.start.clone(), self.current_turn.clone())
        } else {
            (self.position.clone(), Turn::empty())
        };
        for &step in steps.steps() {
            if !current_turn.push(step) {
                return Err(json(&[Refusal::new("turn", [])]));
            }
        }
        Ok(Self { position, start, current_turn })
    }

    /// Returns the position after a whole turn in coordinate notation, or after a null move, `--`.
    #[wasm_bindgen(js_name = playTurn)]
    pub fn play_turn(&self, text: &str) -> Result<Self, String> {
        if text == NULL_MOVE {
            return self.position.after_null_move().map(Self::beginning).ok_or_else(no_null_move);
        }
        let turn = coordinate::parse(&self.position, text).map_err(|error| refuse(&error))?;
        let mut position = self.position.clone();
        position.play_turn_unchecked(&turn);
        Ok(Self::beginning(position))
    }

    /// Returns the coordinate notation of a turn written in any supported notation.
    #[wasm_bindgen(js_name = readTurn)]
    pub fn read_turn(&self, text: &str) -> Result<String, String> {
        let text = text.trim();
        let turn = match coordinate::parse(&self.position, text) {
            // Only text that is not in coordinate notation is read as SAN, so no text is ambiguous.
            Err(TurnError::Syntax(_)) => {
                san::parse(&self.position, text).map_err(|error| json(&[self.refuse_san(text, &error)]))?
            }
            read => read.map_err(|error| refuse(&error))?,
        };
        Ok(coordinate::write(&self.position, &turn))
    }

    /// Returns the steps that may be planned while the other side is to move, as JSON. `planned` contains the
    /// steps already planned, in coordinate notation, separated by spaces.
    #[wasm_bindgen(js_name = stepsToPlan)]
    pub fn steps_to_plan(&self, planned: &str) -> String {
        json(&plan::steps(&self.position, &planned.split_whitespace().collect::<Vec<_>>()))
    }

    /// Returns the SAN and the effects of a turn, as JSON. `text` is the turn in coordinate notation, or `--`
    /// for a null move.
    pub fn describe(&self, text: &str) -> Result<String, String> {
        if text == NULL_MOVE {
            let after = self.position.after_null_move().ok_or_else(no_null_move)?;
            return Ok(json(&view::TurnView {
                color: view::color_name(self.position.side_to_move()),
                text: NULL_MOVE.to_owned(),
                san: NULL_MOVE.to_owned(),
                steps: Vec::new(),
                check: after.is_check(),
            }));
        }
        let turn = coordinate::parse(&self.position, text).map_err(|error| refuse(&error))?;
        let san = san::write(&self.position, &turn);
        Ok(json(&view::turn(&self.position, &turn, san)))
    }

    /// Returns the best defence of the side to move against a win by the other side within `turns` turns, as
    /// JSON.
    #[wasm_bindgen(js_name = bestDefence)]
    pub fn best_defence(&self, turns: u8) -> String {
        let mut prover = Prover::bounded();
        json(&view::defence(&self.position, prover.best_defence(&self.position, turns)))
    }

    /// Returns a solver's rating after a problem, as JSON.
    pub fn rate(value: u16, problems: u32, of: u16, solved: bool) -> String {
        let Rating { value, problems } = Rating { value, problems }.after(of, solved);
        json(&RatingView { value, problems })
    }

    /// Explains why a wrong turn misses a drill's goal. Returns a JSON list of
    /// [`MissView`](crate::MissView)s: what the turn does that it should not, and what it fails to do.
    ///
    /// `man` is the square of the man that the drill is about, or empty. `line` contains a right answer, then
    /// the reply and a right answer for each later stage, separated by spaces. `past` contains the FENs of
    /// the positions so far, separated by line breaks.
    #[wasm_bindgen(js_name = wrongTurn)]
    pub fn wrong_turn(
        &self,
        turn: &str,
        goal: &str,
        man: &str,
        line: &str,
        past: &str,
    ) -> Result<String, String> {
        let before = &self.position;
        let read = |at: &AnyPosition, text: &str| coordinate::parse(at, text).map_err(|error| refuse(&error));
        let turn = read(before, turn)?;
        let (mut at, mut turns) = (before.clone(), Vec::new());
        for text in line.split_whitespace() {
            let turn = read(&at, text)?;
            at.play_turn_unchecked(&turn);
            turns.push(turn);
        }
        let [solution, then @ ..] = &turns[..] else { return Ok(json(&[(); 0])) };
        let past: Vec<AnyPosition> =
            past.lines().filter_map(|fen| AnyPosition::from_fen(before.variant(), fen).ok()).collect();
        let wrong =
            WrongTurn { goal, man: man.parse().ok(), past: &past, before, turn: &turn, solution, then };
        let mut after = before.clone();
        after.play_turn_unchecked(&turn);
        let views: Vec<_> = misses(&wrong).iter().map(|miss| wrong_turn::view(&after, miss)).collect();
        Ok(json(&views))
    }

    /// Explains the man on a square, as JSON; `null` if the square is empty.
    #[wasm_bindgen(js_name = aboutMan)]
    pub fn explain_man(&self, square: &str) -> Result<String, String> {
        Ok(json(&explain::man(&self.position, parse_square(square)?)))
    }

    /// Explains a step: its effects, or all reasons why it is illegal, as JSON.
    #[wasm_bindgen(js_name = aboutStep)]
    pub fn about_step(&self, from: &str, to: &str) -> Result<String, String> {
        Ok(json(&explain::step(&self.position, parse_square(from)?, parse_square(to)?)))
    }
}

impl PositionHandle {
    pub(crate) fn beginning(position: AnyPosition) -> Self {
        Self { start: position.clone(), position, current_turn: Turn::empty() }
    }
}

/// A null move, written as in PGN.
const NULL_MOVE: &str = "--";

fn no_null_move() -> String {
    json(&[Refusal::new("turn-null-move", [])])
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|_| json(&[Refusal::new("variant", [])]))
}

impl PositionHandle {
    /// Returns the reason why a string is not a legal turn in SAN. Adds `from` and `to` if the string names a
    /// step, so that the step can be explained.
    fn refuse_san(&self, text: &str, error: &SanError) -> Refusal {
        let mut refusal = refusal::of_san(error);
        if matches!(error, SanError::NoMatch(_)) {
            // If several men could be meant, prefer one that moves this way but is prevented from doing so.
            let attempts = san::attempted_steps(&self.position, text).into_iter();
            let illegal = attempts.filter_map(|(from, to)| {
                let reasons = explain_step(&self.position, from, to, None).err()?;
                let is_not_its_move =
                    reasons.iter().any(|reason| matches!(reason, Reason::InvalidMovement { .. }));
                Some((is_not_its_move, from, to))
            });
            if let Some((_, from, to)) = illegal.min_by_key(|&(is_not_its_move, ..)| is_not_its_move) {
                refusal.args.extend([("from", from.to_string()), ("to", to.to_string())]);
            }
        }
        refusal
    }
}

fn parse_square(name: &str) -> Result<Square, String> {
    name.parse().map_err(|_| json(&[Refusal::new("turn", [])]))
}

pub(crate) fn refuse(error: &TurnError) -> String {
    json(&[refusal::of_turn(error)])
}

pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(result: Result<String, String>) -> String {
        result.unwrap_err()
    }

    #[test]
    fn n2_n3_turns_are_read_in_either_form() {
        let position = PositionHandle::initial("chess").unwrap();
        assert_eq!(position.read_turn(" Nf3 ").unwrap(), "g1f3");
        assert_eq!(position.read_turn("g1f3").unwrap(), "g1f3");
        assert!(refused(position.read_turn("Nf6")).contains("turn-no-match"));
        assert!(refused(position.read_turn("e2e5")).contains("turn-illegal"));
        assert!(refused(position.read_turn("hello")).contains("turn-syntax"));
    }

    #[test]
    fn n3_a_typed_turn_that_is_illegal_names_the_step_to_explain() {
        let position = PositionHandle::from_fen("chess", "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1").unwrap();
        for (text, step) in [
            // The knight on d2 could go to c4 if it were not pinned. Neither knight can go to h6.
            ("Nc4", Some(r#""from":"d2","to":"c4""#)),
            ("Nh6", Some(r#""from":"g1","to":"h6""#)),
            ("O-O", Some(r#""from":"e1","to":"g1""#)),
            ("Qd4", None),
        ] {
            let refusal = refused(position.read_turn(text));
            assert!(refusal.contains("turn-no-match"), "{refusal}");
            match step {
                Some(step) => assert!(refusal.contains(step), "{text}: {refusal}"),
                None => assert!(!refusal.contains("from"), "{text}: {refusal}"),
            }
        }
    }

    #[test]
    fn n1_an_unplayable_position_is_refused_with_every_reason() {
        let error = PositionHandle::from_fen("chess", "8/8/8/8/8/8/8/P7 w - - 0 1").unwrap_err();
        assert_eq!(error.matches("setup-kings").count(), 2, "{error}");
        assert_eq!(error.matches("setup-pawn-rank").count(), 1, "{error}");
    }

    #[test]
    fn n1_a_pasted_fen_is_read_and_its_changes_are_reported() {
        let read = PositionHandle::read_fen("chess", "\"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\";").unwrap();
        assert!(read.contains(r#""fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1""#), "{read}");
        assert!(read.contains(r#""code":"fen-left-out-castling","args":{"letter":"Q"}"#), "{read}");
        assert!(refused(PositionHandle::read_fen("chess", "fen 8/8 w")).contains("fen-rank-count"));
    }

    #[test]
    fn a_null_move_is_played_and_described_but_not_read_as_a_turn() {
        let position = PositionHandle::initial("chess").unwrap();
        assert!(position.describe("--").unwrap().contains(r#""san":"--","steps":[]"#));
        assert!(position.play_turn("--").unwrap().view().contains(" b KQkq - 1 1"));
        assert!(position.read_turn("--").is_err());
        let check = PositionHandle::from_fen("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(refused(check.describe("--")).contains("turn-null-move"));
    }

    #[test]
    fn c10_castling_leads_to_the_kings_square_and_lists_the_rooks() {
        let position = PositionHandle::from_fen("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let turn = position.describe("e1g1").unwrap();
        assert!(turn.contains(r#""san":"O-O""#), "{turn}");
        assert!(turn.contains(r#""to":"g1","alsoTo":["h1"]"#), "{turn}");
    }

    #[test]
    fn i4_a_chain_is_played_step_by_step_and_written_as_one_turn() {
        let fen = "6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1";
        let position = PositionHandle::from_fen("interweave", fen).unwrap();
        let first = position.play("a1a3").unwrap();
        assert!(first.view().contains(r#""chain":"a3""#), "{}", first.view());
        assert_eq!(first.current_steps(), "a1a3");
        let second = first.play("a3e3").unwrap();
        assert_eq!(second.current_steps(), "a1a3e3");
        assert_eq!(position.play_turn("a1a3e3").unwrap().view(), second.view());
        assert!(position.play_turn("a1a3").unwrap_err().contains("turn-unfinished"));
    }

    #[test]
    fn unknown_games_are_refused() {
        assert!(PositionHandle::initial("draughts").unwrap_err().contains(r#""code":"variant""#));
    }
}
