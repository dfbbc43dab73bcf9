//! A network that follows a search.

use std::sync::Arc;

use adoube_rules::{Color, Position, Step};

use super::{
    Network,
    kernels::{self, Block},
    placement::{Inputs, Placement, View},
};
use crate::eval::{Evaluator, Searchable};

/// Evaluates positions by a network, those of a line each by what has changed since the one before.
///
/// Steps played cost nothing: only where a position is evaluated it is compared with the last one on the way to it that
/// was, and the difference of where the men stand is all that has to be known.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    /// One for each step of the line; those beyond `height` are of lines that were taken back.
    entries: Vec<Entry>,
    /// The hidden layers of each entry: White's view, Black's view.
    values: Vec<Block>,
    height: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Whether the other fields, and the hidden layers, are those of this position.
    is_known: bool,
    placement: Placement,
    views: [View; 2],
    men: usize,
}

/// Men that came or went: more than these, and starting afresh is cheaper.
const MOST_CHANGES: usize = 24;

/// Inputs that became active, or ceased to be.
#[derive(Default)]
struct Changes {
    rows: arrayvec::ArrayVec<u16, { Inputs::MOST_ACTIVE + MOST_CHANGES }>,
}

impl Changes {
    /// Adds the inputs of the bits of a set.
    #[inline]
    fn add(&mut self, inputs: Inputs, view: View, set: usize, mut bits: u64) {
        while bits != 0 {
            // The room is that of 32 men; a placement with more of them is not of these games.
            let _ = self.rows.try_push(inputs.index(view, set, bits.trailing_zeros() as usize) as u16);
            bits &= bits - 1;
        }
    }
}

impl NetworkEvaluator {
    /// Returns an evaluator that asks a network.
    pub fn new(network: Arc<Network>) -> Self {
        let mut evaluator = Self { network, entries: Vec::new(), values: Vec::new(), height: 0 };
        evaluator.make_room();
        evaluator
    }

    /// Makes room for the position at the height of the line, of which nothing is known yet.
    #[inline]
    fn make_room(&mut self) {
        if let Some(entry) = self.entries.get_mut(self.height) {
            entry.is_known = false;
        } else {
            let inputs = self.network.inputs;
            let placement = Placement::EMPTY;
            let views = Color::ALL.map(|color| inputs.view(&placement, color));
            let entry = Entry { is_known: false, placement, views, men: 0 };
            self.entries.resize(self.height + 1, entry);
            self.values.resize((self.height + 1) * 2 * self.network.width, Block::ZERO);
        }
    }

    /// Brings the hidden layers of the entry at the height of the line to a placement.
    fn bring_to(&mut self, placement: Placement) {
        let inputs = self.network.inputs;
        let width = self.network.width;
        let views = Color::ALL.map(|color| inputs.view(&placement, color));
        let base = (0..=self.height).rev().find(|&at| self.entries[at].is_known);
        for color in Color::ALL {
            let view = views[color.index()];
            let here = (2 * self.height + color.index()) * width;
            let usable = base.filter(|&at| self.entries[at].views[color.index()] == view);
            let (mut added, mut removed) = (Changes::default(), Changes::default());
            if let Some(at) = usable {
                let before = &self.entries[at].placement;
                for (set, (&now, &then)) in placement.sets.iter().zip(&before.sets).enumerate() {
                    if now != then {
                        added.add(inputs, view, set, now & !then);
                        removed.add(inputs, view, set, then & !now);
                    }
                }
                if added.rows.len() + removed.rows.len() <= MOST_CHANGES {
                    let there = (2 * at + color.index()) * width;
                    self.values.copy_within(there..there + width, here);
                    let values = &mut self.values[here..here + width];
                    kernels::update(values, &self.network.weights, &added.rows, &removed.rows);
                    continue;
                }
                added.rows.clear();
                removed.rows.clear();
            }
            for (set, &squares) in placement.sets.iter().enumerate() {
                added.add(inputs, view, set, squares);
            }
            let values = &mut self.values[here..here + width];
            values.copy_from_slice(&self.network.biases);
            kernels::update(values, &self.network.weights, &added.rows, &[]);
        }
        self.entries[self.height] = Entry { is_known: true, placement, views, men: placement.men() };
    }

    /// Returns what a position is worth to the side to move, in hundredths of a pawn.
    #[inline]
    pub(crate) fn value<P: Position>(&mut self, position: &P) -> i32 {
        let placement = Placement::of(position);
        self.value_of(placement, position.turn())
    }

    /// Returns what a placement is worth to a side, which is to move.
    #[inline]
    pub(crate) fn value_of(&mut self, placement: Placement, turn: Color) -> i32 {
        let entry = &self.entries[self.height];
        if !entry.is_known || entry.placement != placement {
            self.bring_to(placement);
        }
        let width = self.network.width;
        let (white, black) = self.values[2 * self.height * width..][..2 * width].split_at(width);
        let (own, other) = if turn == Color::White { (white, black) } else { (black, white) };
        self.network.weigh(own, other, self.entries[self.height].men)
    }
}

impl<P: Searchable> Evaluator<P> for NetworkEvaluator {
    fn start(&mut self, _root: &P) {
        self.height = 0;
        self.make_room();
    }

    #[inline]
    fn play(&mut self, _before: &P, _step: Step, _after: &P) {
        self.height += 1;
        self.make_room();
    }

    #[inline]
    fn pass(&mut self, _after: &P) {
        self.height += 1;
        self.make_room();
    }

    #[inline]
    fn back(&mut self) {
        self.height = self.height.saturating_sub(1);
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        self.value(position)
    }
}
