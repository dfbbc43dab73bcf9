//! The handle of a position that the page holds.

use adoube_rules::{AnyPosition, Position, Turn, Variant, coordinate};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{
    refusal::{self, Refusal},
    view,
};

/// A position. It never changes: playing gives another one.
///
/// Every method that can refuse throws a JSON list of [`Refusal`]s, at least one.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct PositionHandle {
    position: AnyPosition,
    /// Where the turn under way began.
    start: AnyPosition,
    /// The steps since then.
    under: Turn,
}

#[wasm_bindgen]
impl PositionHandle {
    /// The position of a FEN.
    #[wasm_bindgen(js_name = fromFen)]
    pub fn from_fen(variant: &str, fen: &str) -> Result<Self, String> {
        let variant = parse_variant(variant)?;
        let position = AnyPosition::from_fen(variant, fen)
            .map_err(|error| json(&refusal::of_position(variant, &error)))?;
        Ok(Self::beginning(position))
    }

    /// The position in which a game begins.
    pub fn initial(variant: &str) -> Result<Self, String> {
        Ok(Self::beginning(AnyPosition::initial(parse_variant(variant)?)))
    }

    /// The roles of a game, as JSON.
    pub fn roles(variant: &str) -> Result<String, String> {
        Ok(json(&view::roles(parse_variant(variant)?)))
    }

    /// All that is shown of the position, as JSON.
    pub fn view(&self) -> String {
        json(&view::position(&self.position))
    }

    /// The coordinate text of the steps that led here within one turn.
    pub fn under(&self) -> String {
        if self.under.steps().is_empty() { String::new() } else { coordinate::write(&self.start, &self.under) }
    }

    /// The position after one step. A turn that is over stays readable in [`under`](Self::under) until the next
    /// step begins another.
    pub fn play(&self, step: &str) -> Result<Self, String> {
        let (steps, position) = coordinate::parse_steps(&self.position, step).map_err(|error| refuse(&error))?;
        let goes_on = self.position.chain().is_some();
        let (start, mut under) = if goes_on {
            (self.start.clone(), self.under.clone())
        } else {
            (self.position.clone(), Turn::empty())
        };
        for &step in steps.steps() {
            if !under.push(step) {
                return Err(json(&[Refusal::new("turn", [])]));
            }
        }
        Ok(Self { position, start, under })
    }

    /// The position after a whole turn in coordinate text.
    #[wasm_bindgen(js_name = playTurn)]
    pub fn play_turn(&self, text: &str) -> Result<Self, String> {
        let turn = coordinate::parse(&self.position, text).map_err(|error| refuse(&error))?;
        let mut position = self.position.clone();
        position.play_turn_unchecked(&turn);
        Ok(Self::beginning(position))
    }

    /// The coordinate text of a turn written in any of the ways that are read.
    #[wasm_bindgen(js_name = readTurn)]
    pub fn read_turn(&self, text: &str) -> Result<String, String> {
        let turn = coordinate::parse(&self.position, text.trim()).map_err(|error| refuse(&error))?;
        Ok(coordinate::write(&self.position, &turn))
    }

    /// What a turn in coordinate text is called and does, as JSON.
    pub fn describe(&self, text: &str) -> Result<String, String> {
        let turn = coordinate::parse(&self.position, text).map_err(|error| refuse(&error))?;
        let san = coordinate::write(&self.position, &turn);
        Ok(json(&view::turn(&self.position, &turn, san)))
    }
}

impl PositionHandle {
    fn beginning(position: AnyPosition) -> Self {
        Self { start: position.clone(), position, under: Turn::empty() }
    }
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|_| json(&[Refusal::new("variant", [])]))
}

fn refuse(error: &coordinate::TurnError) -> String {
    json(&[refusal::of_turn(error)])
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
