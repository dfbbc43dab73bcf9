//! Pictures of a game, turn by turn.

use adoube_rules::{AnyPosition, Position as _, Square, Turn};

use crate::{marks::Marks, svg::Picture};

impl Picture {
    /// Returns this picture, followed by a picture of the position after each turn. The added pictures
    /// highlight the squares of the turn and have no marks. The turns must be legal.
    pub fn after_each_turn(&self, turns: &[Turn]) -> Vec<Self> {
        let mut pictures = vec![self.clone()];
        let mut position = self.position.clone();
        for turn in turns {
            let last = squares(&position, turn);
            position.play_turn_unchecked(turn);
            let picture = Self { position: position.clone(), last, marks: Marks::default(), ..self.clone() };
            pictures.push(picture);
        }
        pictures
    }
}

/// Returns the squares that a turn visits, in order. Castling ends on the king's destination.
fn squares(position: &AnyPosition, turn: &Turn) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut current = position.clone();
    for &step in turn.steps() {
        squares.extend([step.from(), current.destination(step)]);
        current.play_unchecked(step);
    }
    squares.dedup();
    squares
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Variant, coordinate};

    use super::*;

    #[test]
    fn each_turn_is_shown_with_its_squares() {
        let start = AnyPosition::initial(Variant::Chess);
        let mut position = start.clone();
        let turns: Vec<Turn> = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"]
            .into_iter()
            .map(|text| {
                let turn = coordinate::parse(&position, text).unwrap();
                position.play_turn_unchecked(&turn);
                turn
            })
            .collect();
        let marks = "e4".parse().unwrap();
        let pictures = Picture { marks, ..Picture::of(start.clone()) }.after_each_turn(&turns);
        assert_eq!(pictures.len(), 8);
        assert_eq!(pictures[0].position, start);
        assert!(pictures[0].last.is_empty() && pictures[0].svg() != Picture::of(start).svg());
        assert_eq!(pictures[7].position, position);
        let names: Vec<String> = pictures[7].last.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["e1", "g1"]);
        assert_eq!(pictures[7].marks.to_string(), "");
    }
}
