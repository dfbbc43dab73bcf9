//! The turns of a game, stored compactly. Thousands of games are open at once, and each needs all of its
//! turns for repetition (C22), for takebacks and for new viewers.

use adoube_rules::{AnyPosition, ByColor, Color, Position as _, Step, Turn, coordinate};

use crate::clock::Times;

/// A turn of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlayedTurn {
    pub turn: Turn,
    /// The version of the game after this turn.
    pub version: u64,
    /// The time when it was played, in milliseconds since 1970.
    pub at_ms: i64,
    /// The time left on both clocks after it, if the game has clocks.
    pub clock: Option<Times>,
}

/// All turns so far, in order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Record {
    first_key: u64,
    turns: Vec<Entry>,
    /// The steps of all turns.
    steps: Vec<Step>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct Entry {
    /// The key of the position after the turn.
    key: u64,
    at_ms: i64,
    version: u32,
    /// The number of steps in all turns up to and including this one.
    steps: u32,
    left_ms: ByColor<u32>,
}

// Two entries fill a cache line.
const _: () = assert!(size_of::<Entry>() == 32);

impl Record {
    pub(crate) fn new(first_key: u64) -> Self {
        Self { first_key, turns: Vec::new(), steps: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.turns.len()
    }

    pub(crate) fn push(&mut self, turn: &Turn, key: u64, version: u64, at_ms: i64, clock: Option<Times>) {
        self.steps.extend_from_slice(turn.steps());
        let left_ms = clock.map_or(ByColor { white: 0, black: 0 }, |times| ByColor {
            white: u32::try_from(times.white.max(0)).unwrap_or(u32::MAX),
            black: u32::try_from(times.black.max(0)).unwrap_or(u32::MAX),
        });
        self.turns.push(Entry {
            key,
            at_ms,
            version: u32::try_from(version).unwrap_or(u32::MAX),
            steps: self.steps.len() as u32,
            left_ms,
        });
    }

    /// Removes all turns but the first `plies`.
    pub(crate) fn truncate(&mut self, plies: usize) {
        self.turns.truncate(plies);
        self.steps.truncate(self.turns.last().map_or(0, |entry| entry.steps as usize));
    }

    /// Returns the clocks after the first `plies` turns, or `None` if `plies` is 0 or there are fewer turns.
    /// Both are 0 in a game without clocks.
    pub(crate) fn left_ms(&self, plies: usize) -> Option<ByColor<i64>> {
        let left_ms = self.turns.get(plies.checked_sub(1)?)?.left_ms;
        Some(ByColor::new_with(|color: Color| i64::from(left_ms[color])))
    }

    /// Returns the number of occurrences of the position with this key.
    pub(crate) fn occurrences(&self, key: u64) -> usize {
        let first = usize::from(self.first_key == key);
        first + self.turns.iter().filter(|entry| entry.key == key).count()
    }

    pub(crate) fn turn(&self, ply: usize) -> Option<Turn> {
        let end = self.turns.get(ply)?.steps as usize;
        let start = ply.checked_sub(1).map_or(0, |before| self.turns[before].steps as usize);
        let mut turn = Turn::empty();
        for &step in &self.steps[start..end] {
            turn.push(step);
        }
        Some(turn)
    }

    pub(crate) fn turns(&self, has_clock: bool) -> impl ExactSizeIterator<Item = PlayedTurn> {
        (0..self.len()).map(move |ply| {
            let entry = &self.turns[ply];
            PlayedTurn {
                turn: self.turn(ply).unwrap_or_default(),
                version: entry.version.into(),
                at_ms: entry.at_ms,
                clock: has_clock
                    .then(|| Times { white: entry.left_ms.white.into(), black: entry.left_ms.black.into() }),
            }
        })
    }

    /// Plays all turns from the first position. Returns each in coordinate notation, and the last position.
    pub(crate) fn play_through(&self, first: AnyPosition) -> (Vec<String>, AnyPosition) {
        let mut position = first;
        let mut texts = Vec::with_capacity(self.len());
        for turn in (0..self.len()).filter_map(|ply| self.turn(ply)) {
            texts.push(coordinate::write(&position, &turn));
            position.play_turn_unchecked(&turn);
        }
        (texts, position)
    }
}
