//! What earlier nodes say of the steps that are tried now, and of the evaluation.
//!
//! Every table holds numbers that move towards a bound, the more slowly the nearer they are to it, so that what
//! happened lately counts more than what happened long ago and nothing ever overflows.

use adoube_rules::{Color, Piece, Role, Square, SquareSet, Step};

use crate::memory::prefer_huge_pages;

/// The bound of what steps are given.
pub(crate) const MOST: i32 = 1 << 14;

/// Moves a value towards a bound: by a bonus at zero, by nothing at the bound.
#[inline]
fn shift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MOST) as i16;
}

/// Returns a large table of zeros.
fn zeros(count: usize) -> Vec<i16> {
    let mut table = Vec::with_capacity(count);
    prefer_huge_pages(&mut table);
    table.resize(count, 0);
    table
}

/// A man on the square that it reaches: what a step is about, wherever it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Arrival {
    /// Men of both sides, of all roles, on all squares.
    const COUNT: usize = 2 * Role::MAX * 64;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(((piece.color.index() * Role::MAX + piece.role.index()) * 64 + to.index()) as u16)
    }

    /// Returns the same man on another square.
    #[inline]
    pub(crate) fn on(self, to: Square) -> Self {
        Self(self.0 & !63 | to.index() as u16)
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step as the histories see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) step: Step,
    pub(crate) side: Color,
    pub(crate) arrival: Arrival,
}

/// What quiet steps of a node are judged by, besides themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Where in the table of continuations the steps begin that follow upon those that led to the node.
    rows: [usize; 4],
    /// The squares that the other side attacks: to leave one is another thing than to go to one.
    attacked: SquareSet,
}

impl Context {
    /// The continuation of no step: always zeros, so that no test is needed.
    const NO_ROW: usize = Arrival::COUNT * Arrival::COUNT;

    /// Returns the histories of a node by the steps that led to it, one, two, four and six before, and the squares
    /// attacked. What answers the last step is a counter-move, what continues its own step before that is a plan.
    #[inline]
    pub(crate) fn new(before: [Option<Arrival>; 4], attacked: SquareSet) -> Self {
        let row = |arrival: Arrival| arrival.index() * Arrival::COUNT;
        Self { rows: before.map(|arrival| arrival.map_or(Self::NO_ROW, row)), attacked }
    }
}

/// What one thread remembers between nodes, and between searches of the same game.
#[derive(Debug)]
pub(crate) struct Histories {
    /// By side, whether origin and destination are attacked, origin and destination (Schaeffer, *The history
    /// heuristic*, 1983).
    quiet: Vec<i16>,
    /// By an earlier arrival and this one.
    continuation: Vec<i16>,
    /// Of takings: by arrival and the role taken.
    taking: Vec<i16>,
    /// How far the evaluation was wrong, by side to move and by what of the position decides it.
    corrections: [Vec<i16>; TRAITS],
}

/// What of a position its evaluation may be wrong about again and again: where the men of the first role stand (in
/// all games the pawns), where the others of White stand, where those of Black, and the step before.
const TRAITS: usize = 4;
/// Entries of each table of corrections, for either side.
const TRAIT_SIZE: usize = 1 << 14;

/// What the evaluation of a position is corrected by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    side: Color,
    marks: [u16; TRAITS],
}

impl Marks {
    #[inline]
    pub(crate) fn new(side: Color, pawns: u64, white: u64, black: u64, before: Option<Arrival>) -> Self {
        let place = |hash: u64| (hash % TRAIT_SIZE as u64) as u16;
        let step = before.map_or(Arrival::COUNT as u16, |arrival| arrival.0);
        Self { side, marks: [place(pawns), place(white), place(black), step] }
    }

    #[inline]
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.marks.iter().map(|&mark| self.side.index() * TRAIT_SIZE + usize::from(mark))
    }
}

impl Histories {
    /// One hundredth of a pawn in the tables of corrections.
    const CORRECTION_GRAIN: i32 = 256;
    /// What one table can add to an evaluation.
    const MOST_CORRECTION: i32 = 96;

    pub(crate) fn new() -> Self {
        Self {
            quiet: vec![0; 2 * 4 * 64 * 64],
            continuation: zeros(Context::NO_ROW + Arrival::COUNT),
            taking: vec![0; Arrival::COUNT * Role::MAX],
            corrections: std::array::from_fn(|_| vec![0; 2 * TRAIT_SIZE]),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.taking.fill(0);
        for table in &mut self.corrections {
            table.fill(0);
        }
    }

    #[inline]
    fn quiet_place(seen: Seen, attacked: SquareSet) -> usize {
        let (from, to) = (seen.step.from(), seen.step.to());
        let kind = 2 * usize::from(attacked.contains(from)) + usize::from(attacked.contains(to));
        ((seen.side.index() * 4 + kind) * 64 + from.index()) * 64 + to.index()
    }

    #[inline]
    fn taking_place(seen: Seen, taken: Role) -> usize {
        seen.arrival.index() * Role::MAX + taken.index()
    }

    /// Returns the history score of a quiet step, at most five times [`MOST`].
    #[inline]
    pub(crate) fn of_quiet(&self, seen: Seen, context: &Context) -> i32 {
        let mut sum = i32::from(self.quiet[Self::quiet_place(seen, context.attacked)]);
        for row in context.rows {
            sum += i32::from(self.continuation[row + seen.arrival.index()]);
        }
        sum
    }

    /// Returns the history score of a taking, at most [`MOST`].
    #[inline]
    pub(crate) fn of_taking(&self, seen: Seen, taken: Role) -> i32 {
        i32::from(self.taking[Self::taking_place(seen, taken)])
    }

    pub(crate) fn teach_quiet(&mut self, seen: Seen, context: &Context, bonus: i32) {
        self.teach_step(seen, context, bonus);
        self.teach_continuation(seen, context, bonus);
    }

    /// Teaches what a step is worth by itself, whatever came before it.
    pub(crate) fn teach_step(&mut self, seen: Seen, context: &Context, bonus: i32) {
        shift(&mut self.quiet[Self::quiet_place(seen, context.attacked)], bonus);
    }

    /// Teaches what a step is worth after those that came before it.
    pub(crate) fn teach_continuation(&mut self, seen: Seen, context: &Context, bonus: i32) {
        for row in context.rows.into_iter().filter(|&row| row != Context::NO_ROW) {
            shift(&mut self.continuation[row + seen.arrival.index()], bonus);
        }
    }

    pub(crate) fn teach_taking(&mut self, seen: Seen, taken: Role, bonus: i32) {
        shift(&mut self.taking[Self::taking_place(seen, taken)], bonus);
    }

    /// Returns by how much the evaluation of positions like this one was too low, in hundredths of a pawn.
    #[inline]
    pub(crate) fn correction(&self, marks: &Marks) -> i32 {
        let found = self.corrections.iter().zip(marks.places());
        let sum: i32 = found.map(|(table, place)| i32::from(table[place])).sum();
        sum / Self::CORRECTION_GRAIN
    }

    /// Learns from a search how far the corrected evaluation was still too low.
    pub(crate) fn teach_correction(&mut self, marks: &Marks, error: i32, depth: i32, weight: i32) {
        const LIMIT: i32 = Histories::MOST_CORRECTION * Histories::CORRECTION_GRAIN;
        // What remains of the error moves all tables, until they make up for it together.
        let bonus = (error * depth.min(16) * weight).clamp(-LIMIT / 4, LIMIT / 4);
        for (table, place) in self.corrections.iter_mut().zip(marks.places()) {
            let old = i32::from(table[place]);
            table[place] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bound() {
        let mut value = 0;
        for _ in 0..1_000 {
            shift(&mut value, 2_000);
        }
        assert!((15_000..=MOST).contains(&i32::from(value)), "{value}");
        for _ in 0..1_000 {
            shift(&mut value, -2_000);
        }
        assert!((-MOST..=-15_000).contains(&i32::from(value)), "{value}");
    }

    #[test]
    fn a_repeated_error_is_corrected() {
        let mut histories = Histories::new();
        let marks = Marks::new(Color::White, 1, 2, 3, None);
        assert_eq!(histories.correction(&marks), 0);
        for _ in 0..2_000 {
            histories.teach_correction(&marks, 20 - histories.correction(&marks), 8, 3);
        }
        let learnt = histories.correction(&marks);
        assert!((18..=20).contains(&learnt), "four tables together: {learnt}");
        let other = Marks::new(Color::Black, 1, 2, 3, None);
        assert_eq!(histories.correction(&other), 0, "the other side is another matter");
    }
}
