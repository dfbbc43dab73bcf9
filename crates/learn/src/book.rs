//! The diagrams of a game.

use std::{collections::BTreeMap, sync::LazyLock};

use adoube_diagram::{Brush, Mark, Marks, Picture};
use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant, coordinate};
use serde::Deserialize;
use thiserror::Error;

use crate::claim::{Claim, ClaimError, FalseClaim};

/// The diagrams of a game, by name.
#[derive(Clone, Debug)]
pub struct Book {
    diagrams: BTreeMap<String, Diagram>,
    first_look: Option<String>,
}

/// A position with claims about it.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The position.
    pub position: AnyPosition,
    /// The claims, checked against the rules in a test.
    pub claims: Vec<Claim>,
    /// Circles and arrows, derived from the claims.
    pub marks: Marks,
}

/// An error in a book. The books are part of the program, so it occurs only in tests.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The book is not valid TOML, or a field is missing.
    #[error("the book cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// The position of a diagram is not valid.
    #[error("{name}: {reason}")]
    Position {
        /// The name of the diagram.
        name: String,
        /// The problem with its FEN.
        reason: String,
    },
    /// A diagram has a claim that cannot be read.
    #[error("{name}: {error}")]
    Claim {
        /// The name of the diagram.
        name: String,
        /// The problem with the claim.
        error: ClaimError,
    },
    /// Several diagrams are marked as the first look, or the first claim of the marked diagram is not a
    /// [`Claim::Takes`].
    #[error("{0}: only one diagram can be the first look, and its first claim must be a turn that takes men")]
    FirstLook(String),
    /// A diagram has a false claim.
    #[error("{name}: {false_claim}")]
    FalseClaim {
        /// The name of the diagram.
        name: String,
        /// The claim, and what is true according to the rules.
        false_claim: FalseClaim,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDiagram {
    fen: String,
    #[serde(default)]
    claims: Vec<String>,
    #[serde(default)]
    first_look: bool,
}

/// Returns the diagrams of a game.
pub fn book(variant: Variant) -> &'static Book {
    static BOOKS: LazyLock<[Book; Variant::COUNT]> = LazyLock::new(|| {
        Variant::ALL.map(|variant| {
            // A test checks that every book can be read.
            Book::read(variant, source(variant))
                .unwrap_or_else(|_| Book { diagrams: BTreeMap::new(), first_look: None })
        })
    });
    &BOOKS[variant.index()]
}

const fn source(variant: Variant) -> &'static str {
    adoube_content::of!(variant, "diagrams.toml")
}

impl Book {
    /// Reads a book without checking its claims.
    pub fn read(variant: Variant, text: &str) -> Result<Self, BookError> {
        let raw: BTreeMap<String, RawDiagram> = toml::from_str(text)?;
        let mut first_look = None;
        let mut diagrams = BTreeMap::new();
        for (name, raw) in raw {
            let position = AnyPosition::from_fen(variant, &raw.fen)
                .map_err(|error| BookError::Position { name: name.clone(), reason: error.to_string() })?;
            let claims = raw.claims.iter().map(|claim| claim.parse()).collect::<Result<Vec<Claim>, _>>();
            let claims = claims.map_err(|error| BookError::Claim { name: name.clone(), error })?;
            let marks = marks(&position, &claims);
            if raw.first_look {
                if first_look.is_some() || !matches!(claims.first(), Some(Claim::Takes { .. })) {
                    return Err(BookError::FirstLook(name));
                }
                first_look = Some(name.clone());
            }
            diagrams.insert(name, Diagram { position, claims, marks });
        }
        Ok(Self { diagrams, first_look })
    }

    /// Checks all claims against the rules. Returns the first false one as an error.
    pub fn confirm(&self) -> Result<(), BookError> {
        for (name, diagram) in &self.diagrams {
            for claim in &diagram.claims {
                claim
                    .confirm(&diagram.position)
                    .map_err(|false_claim| BookError::FalseClaim { name: name.clone(), false_claim })?;
            }
        }
        Ok(())
    }

    /// Returns a diagram by its name.
    pub fn get(&self, name: &str) -> Option<&Diagram> {
        self.diagrams.get(name)
    }

    /// Returns the diagram that shows at a glance what is special about the game, and the turn that shows it,
    /// in coordinate notation. It is the one with `first_look = true`; not every game has one.
    pub fn first_look(&self) -> Option<(&Diagram, &str)> {
        let diagram = self.get(self.first_look.as_deref()?)?;
        match diagram.claims.first()? {
            Claim::Takes { turn, .. } => Some((diagram, turn)),
            _ => None,
        }
    }

    /// Returns all diagrams, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Diagram)> {
        self.diagrams.iter().map(|(name, diagram)| (name.as_str(), diagram))
    }
}

impl Diagram {
    /// Returns the picture of the diagram.
    pub fn picture(&self) -> Picture {
        Picture { marks: self.marks.clone(), ..Picture::of(self.position.clone()) }
    }
}

/// Returns the marks for claims: turns as arrows, captured men in red, destinations in green, illegal steps
/// in yellow. A red circle therefore always surrounds a captured man.
fn marks(position: &AnyPosition, claims: &[Claim]) -> Marks {
    let mut marks: Vec<Mark> = Vec::new();
    let mut add = |brush, from, to| {
        let mark = Mark { brush, from, to };
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    };
    let circles = |add: &mut dyn FnMut(Brush, Square, Square), brush, squares: SquareSet| {
        squares.into_iter().for_each(|square| add(brush, square, square));
    };
    for claim in claims {
        match claim {
            Claim::Takes { turn, squares } => {
                circles(&mut add, Brush::Red, *squares);
                // A turn that cannot be read gets no arrows.
                let Ok(turn) = coordinate::parse(position, turn) else { continue };
                let mut current = position.clone();
                for &step in turn.steps() {
                    let to = current.destination(step);
                    if step.from() != to {
                        add(Brush::Green, step.from(), to);
                    }
                    current.play_unchecked(step);
                }
            }
            Claim::Goes { squares, .. } => circles(&mut add, Brush::Green, *squares),
            Claim::TakesBy { from, squares } => {
                for &step in &position.legal_steps() {
                    let (to, taken) = (position.destination(step), position.taken(step));
                    if step.from() != *from || taken.is_empty() || !squares.contains(to) {
                        continue;
                    }
                    circles(&mut add, Brush::Red, taken);
                    if !taken.contains(to) {
                        add(Brush::Green, to, to);
                    }
                }
            }
            Claim::Illegal { from, to, .. } => add(Brush::Yellow, *from, *to),
            Claim::Check | Claim::Over { .. } | Claim::Dead => {}
        }
    }
    Marks(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_about_a_diagram_is_true() {
        let mut wrong = Vec::new();
        for variant in Variant::ALL {
            match Book::read(variant, source(variant)) {
                Err(error) => wrong.push(format!("{variant} {error}")),
                Ok(book) => {
                    for (name, diagram) in book.iter() {
                        let false_claims =
                            diagram.claims.iter().filter_map(|claim| claim.confirm(&diagram.position).err());
                        wrong.extend(false_claims.map(|claim| format!("{variant} {name}: {claim}")));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn false_claims_are_not_confirmed() {
        let book = |fen: &str, claim: &str| {
            let text = format!("[d]\nfen = {fen:?}\nclaims = [{claim:?}]\n");
            Book::read(Variant::Baroque, &text).and_then(|book| book.confirm())
        };
        let pincers = "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7";
        assert!(book(pincers, "c2c4 takes c5 d4").is_ok());
        for claim in [
            "c2c4 takes c5",
            "c2c4 takes c5 d4 f7",
            "c2c4 takes nothing",
            "c2d3 takes c5",
            "c2 takes-by c3",
            "c2 goes c3",
            "c2c4 illegal B2",
            "check",
            "over B13",
            "dead",
        ] {
            assert!(matches!(book(pincers, claim), Err(BookError::FalseClaim { .. })), "{claim}");
        }
        for claim in ["c2c4 takes", "c2c4 eats d4", "", "z9 goes a1"] {
            assert!(matches!(book(pincers, claim), Err(BookError::Claim { .. })), "{claim}");
        }
        assert!(matches!(book("8/8", "check"), Err(BookError::Position { .. })));
    }

    #[test]
    fn the_first_look_of_a_game_takes_at_least_two_men() {
        assert!(book(Variant::Chess).first_look().is_none());
        for variant in Variant::ALL {
            let Some((diagram, turn)) = book(variant).first_look() else { continue };
            let turn = coordinate::parse(&diagram.position, turn).expect("a legal turn");
            assert!(diagram.position.taken(turn.steps()[0]).len() >= 2, "{variant}");
        }
        assert!(book(Variant::Baroque).first_look().is_some());
        let quiet = "[d]\nfen = \"7k/8/8/8/8/8/8/K7\"\nfirst_look = true\n";
        assert!(matches!(Book::read(Variant::Baroque, quiet), Err(BookError::FirstLook(_))));
    }

    #[test]
    fn marks_are_derived_from_claims() {
        let pincers = book(Variant::Baroque).get("pawn").expect("a diagram");
        assert_eq!(pincers.marks.to_string(), "Rd4 Rc5 Gc2c4");
        // Captures by landing, and by withdrawing to one of several squares.
        let pawn = book(Variant::Chess).get("pawn-takes").expect("a diagram");
        assert_eq!(pawn.marks.to_string(), "Ge4 Rd4 Rf4");
        let withdrawer = book(Variant::Baroque).get("withdrawer").expect("a diagram");
        assert_eq!(withdrawer.marks.to_string(), "Re5 Ga5 Gb5 Gc5");
    }
}
