//! An evaluator that updates the hidden layer of a network from position to position.

use std::sync::Arc;

use adoube_rules::{Color, Position, Step};
use arrayvec::ArrayVec;

use super::{
    Network,
    kernels::{self, Block},
    placement::{Inputs, Placement, View},
};
use crate::eval::{Evaluator, Searchable};

/// Evaluates positions with a network, using the differences between positions in a line.
///
/// Playing a step costs nothing. When a position is evaluated, it is compared with the last evaluated
/// position before it in the line, and only the weights of the men that differ are added or subtracted.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    /// One entry for each position of the line, the root's first. Entries beyond `height` belong to lines
    /// that were taken back.
    entries: Vec<Entry>,
    /// The hidden layers of each entry: White's view, Black's view.
    values: Vec<Block>,
    height: usize,
    /// The placement at the last call to `refresh` for each view, and its hidden layer. Updates start from it
    /// if the line has no useful entry, for example after a king move that changed its side's view.
    last_placements: Vec<Placement>,
    last_values: Vec<Block>,
    /// The placement of the evaluated position. It is reused, so that the sets that a variant does not use
    /// need not be cleared each time.
    target: Placement,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Whether the other fields, and the hidden layers, are up to date.
    is_known: bool,
    placement: Placement,
    views: [View; 2],
    men: usize,
}

// A `u32` has a bit for each set, to mark the sets that differ.
const _: () = assert!(Placement::SETS <= u32::BITS as usize);

/// With more changed men than this, recomputing is cheaper.
const MAX_CHANGES: usize = 24;

/// The inputs of one view.
type ActiveInputs = ArrayVec<u16, { Inputs::MAX_ACTIVE }>;

/// The inputs of both views that became active or inactive, White's first.
#[derive(Default)]
struct Changes {
    added: [ArrayVec<u16, MAX_CHANGES>; 2],
    removed: [ArrayVec<u16, MAX_CHANGES>; 2],
    /// Whether more men changed than fit in the lists.
    too_many: bool,
}

impl Changes {
    /// Records the men of one set that appeared or disappeared.
    #[inline]
    fn record(&mut self, inputs: Inputs, views: [View; 2], set: usize, current: u64, before: u64) {
        let mut changed = current ^ before;
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            let rows = if current >> bit & 1 == 1 { &mut self.added } else { &mut self.removed };
            for (rows, view) in rows.iter_mut().zip(views) {
                self.too_many |= rows.try_push(inputs.index(view, set, bit) as u16).is_err();
            }
            changed &= changed - 1;
        }
    }

    /// Returns `true` if updating costs less than recomputing.
    fn is_incremental_cheaper(&self) -> bool {
        !self.too_many && self.added[0].len() + self.removed[0].len() <= MAX_CHANGES
    }
}

impl NetworkEvaluator {
    /// Returns an evaluator that uses a network.
    pub fn new(network: Arc<Network>) -> Self {
        let views = network.inputs.views();
        let mut evaluator = Self {
            last_placements: vec![Placement::EMPTY; views],
            last_values: network.biases.repeat(views),
            network,
            entries: Vec::new(),
            values: Vec::new(),
            height: 0,
            target: Placement::EMPTY,
        };
        evaluator.push_empty();
        evaluator
    }

    /// Marks the entry at the current height as unknown, adding it if it does not exist.
    #[inline]
    fn push_empty(&mut self) {
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

    /// Updates the hidden layers of the entry at the current height to match the evaluated placement.
    fn update(&mut self) {
        let inputs = self.network.inputs;
        let width = self.network.width;
        let views = Color::ALL.map(|color| inputs.view(&self.target, color));
        let current = &self.target.sets[..inputs.sets()];
        let base = (0..=self.height).rev().find(|&at| self.entries[at].is_known);
        let mut changes = Changes::default();
        let compared = base.unwrap_or(self.height);
        // Find the sets that differ, without a branch for each set, which would be unpredictable.
        let before = &self.entries[compared].placement.sets[..current.len()];
        let differ = |set: usize| u32::from(current[set] != before[set]) << set;
        let mut differing = (0..current.len()).map(differ).fold(0, |sets, one| sets | one);
        while differing != 0 {
            let set = differing.trailing_zeros() as usize;
            changes.record(inputs, views, set, current[set], before[set]);
            differing &= differing - 1;
        }
        self.entries[self.height].placement.sets[..current.len()].copy_from_slice(current);
        let is_incremental = changes.is_incremental_cheaper();
        for color in Color::ALL {
            let view = views[color.index()];
            let offset = (2 * self.height + color.index()) * width;
            let usable = base.filter(|&at| is_incremental && self.entries[at].views[color.index()] == view);
            if let Some(at) = usable {
                let (added, removed) = (&changes.added[color.index()], &changes.removed[color.index()]);
                let weights = &self.network.weights;
                if at == self.height {
                    kernels::update(&mut self.values[offset..offset + width], weights, added, removed);
                } else {
                    let (before, values) = self.values.split_at_mut(offset);
                    let before = &before[(2 * at + color.index()) * width..][..width];
                    kernels::derive(before, &mut values[..width], weights, added, removed);
                }
                continue;
            }
            self.refresh(view);
            let refreshed = &self.last_values[view.number() * width..][..width];
            self.values[offset..offset + width].copy_from_slice(refreshed);
        }
        let entry = &mut self.entries[self.height];
        (entry.is_known, entry.views, entry.men) = (true, views, self.target.men());
    }

    /// Updates the hidden layer stored for a view to match the evaluated placement.
    fn refresh(&mut self, view: View) {
        let inputs = self.network.inputs;
        let width = self.network.width;
        // Both lists are long enough for positions with at most two immobilizers. In a setup with more,
        // inputs beyond `MAX_ACTIVE` are lost, and the evaluation is wrong.
        let (mut added, mut removed) = (ActiveInputs::new(), ActiveInputs::new());
        let current = &self.target.sets[..inputs.sets()];
        for (set, (&current, before)) in
            current.iter().zip(&mut self.last_placements[view.number()].sets).enumerate()
        {
            let mut changed = current ^ *before;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                let rows = if current >> bit & 1 == 1 { &mut added } else { &mut removed };
                let _ = rows.try_push(inputs.index(view, set, bit) as u16);
                changed &= changed - 1;
            }
            *before = current;
        }
        let values = &mut self.last_values[view.number() * width..][..width];
        kernels::update(values, &self.network.weights, &added, &removed);
    }

    /// Returns the value of a position for the side to move, in units of the search.
    #[inline]
    pub(crate) fn value<P: Position>(&mut self, position: &P) -> i32 {
        self.target.assign(position);
        self.value_of_target(position.side_to_move())
    }

    /// Returns the value of a placement for the side to move.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn value_of(&mut self, placement: &Placement, side_to_move: Color) -> i32 {
        self.target = *placement;
        self.value_of_target(side_to_move)
    }

    #[inline]
    fn value_of_target(&mut self, side_to_move: Color) -> i32 {
        let entry = &self.entries[self.height];
        let used = self.network.inputs.sets();
        if !entry.is_known || entry.placement.sets[..used] != self.target.sets[..used] {
            self.update();
        }
        let width = self.network.width;
        let (white, black) = self.values[2 * self.height * width..][..2 * width].split_at(width);
        let (own, other) = if side_to_move == Color::White { (white, black) } else { (black, white) };
        self.network.weigh(own, other, self.entries[self.height].men)
    }
}

impl<P: Searchable> Evaluator<P> for NetworkEvaluator {
    fn start(&mut self, root: &P) {
        self.height = 0;
        self.push_empty();
        // Compute the hidden layers of the root now, so that every turn from it can be compared with it.
        self.target.assign(root);
        self.update();
    }

    #[inline]
    fn play(&mut self, _before: &P, _step: Step, _after: &P) {
        self.height += 1;
        self.push_empty();
    }

    #[inline]
    fn null_move(&mut self, _after: &P) {
        self.height += 1;
        self.push_empty();
    }

    #[inline]
    fn undo(&mut self) {
        self.height = self.height.saturating_sub(1);
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        self.value(position)
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Baroque, Chess, Interweave, Role, Square, SquareSet, Variant, fen};

    use super::*;
    use crate::{network::HIDDEN_UNIT, random::Random};

    /// The reference implementation, which computes the value man by man, in numbers that cannot overflow.
    fn evaluate_from_scratch<P: Position>(
        network: &Network,
        position: &P,
        frozen: &dyn Fn(&P) -> SquareSet,
    ) -> i32 {
        let variant = position.variant();
        let men: Vec<_> =
            Square::ALL.into_iter().filter_map(|square| Some((square, position.piece_at(square)?))).collect();
        let (weights, output, output_biases) = network.weights();
        let hidden = network.hidden();
        let bucket = (men.len() - 1) * network.buckets() / 32;
        let mut sum = 0_i64;
        for (side, color) in [position.side_to_move(), !position.side_to_move()].into_iter().enumerate() {
            let king = match variant {
                Variant::Interweave => None,
                _ => men.iter().find(|(_, man)| man.color == color && man.role == Role::new(5)),
            };
            let is_right = king.is_some_and(|(square, _)| square.index() % 8 >= 4);
            let biases = weights.len() / hidden - 1;
            let rank = king.map_or(0, |(square, _)| square.index() / 8);
            let is_in_corner = king.is_some_and(|(square, _)| [0, 1, 6, 7].contains(&(square.index() % 8)));
            let king_bucket = match if color == Color::White { rank } else { 7 - rank } {
                0 if is_in_corner => 0,
                0 => 1,
                1 => 2,
                _ => 3,
            };
            // All king buckets have the same number of rows, if there are several.
            let first = if network.inputs.buckets() == 1 { 0 } else { king_bucket * (biases / 4) };
            let mut rows = Vec::new();
            for (square, man) in &men {
                let (mut file, mut rank) = (square.index() % 8, square.index() / 8);
                if color == Color::Black {
                    rank = 7 - rank;
                }
                if is_right {
                    file = 7 - file;
                }
                let enemy = usize::from(man.color != color);
                let row = (man.role.index() * 2 + enemy) * 64 + rank * 8 + file;
                rows.push(row);
                if frozen(position).contains(*square) {
                    rows.push(variant.roles().len() * 128 + row);
                }
            }
            for (index, &role) in variant.reserve_roles().iter().enumerate() {
                for (enemy, color) in [color, !color].into_iter().enumerate() {
                    for man in 0..usize::from(position.reserve(color, role)).min(2) {
                        rows.push(variant.roles().len() * 128 + enemy * 6 + index * 2 + man);
                    }
                }
            }
            for at in 0..hidden {
                let weights_of = |row: usize| i64::from(weights[row * hidden + at]);
                let value = weights_of(biases) + rows.iter().map(|row| weights_of(first + row)).sum::<i64>();
                let value = value.clamp(0, HIDDEN_UNIT.into());
                sum += value * value * i64::from(output[(2 * bucket + side) * hidden + at]);
            }
        }
        let sum = sum / i64::from(HIDDEN_UNIT) + i64::from(output_biases[bucket]);
        (sum * 400 / (255 * 64)) as i32
    }

    /// Plays steps and takes them back, as a search does but at random, and compares evaluations from time to
    /// time.
    fn check<P: Searchable>(
        fens: &[&str],
        variant: Variant,
        frozen: &dyn Fn(&P) -> SquareSet,
        classify: &dyn Fn(&P, Step, &P) -> Option<usize>,
    ) {
        let mut random = Random::new(8, 8);
        let mut seen = [0; 4];
        for round in 0..150 {
            let king_buckets = if round % 2 == 1 && variant != Variant::Interweave { 4 } else { 1 };
            let inputs = Inputs::of(variant, king_buckets);
            let network = Arc::new(Network::random_with_inputs(inputs, 64, 1 + round % 5, round as u64));
            let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
            let setup = fen::parse(variant, fens[round % fens.len()]).expect("a FEN");
            let root = P::from_setup(&setup).expect("a position");
            let mut line = vec![root];
            evaluator.start(&line[0]);
            for _ in 0..400 {
                let current = &line[line.len() - 1];
                let steps = current.legal_steps();
                if line.len() > 1 && (steps.is_empty() || line.len() > 120 || random.below(4) == 0) {
                    for _ in 0..=random.below((line.len() - 1).min(6)) {
                        line.pop();
                        Evaluator::<P>::undo(&mut evaluator);
                    }
                } else if let Some(after) =
                    current.null_move().filter(|_| random.below(10) == 0 && !current.is_check())
                {
                    evaluator.null_move(&after);
                    line.push(after);
                    seen[3] += 1;
                } else if !steps.is_empty() {
                    let step = steps[random.below(steps.len())];
                    let next = current.after(step);
                    if let Some(kind) = classify(current, step, &next) {
                        seen[kind] += 1;
                    }
                    evaluator.play(current, step, &next);
                    line.push(next);
                }
                if random.below(3) == 0 {
                    let current = &line[line.len() - 1];
                    assert_eq!(
                        evaluator.evaluate(current),
                        evaluate_from_scratch(&network, current, frozen),
                        "{}",
                        current.fen()
                    );
                }
            }
        }
        let passes = if variant == Variant::Chess { 10 } else { 0 };
        assert!(seen[..3].iter().all(|&times| times > 10) && seen[3] >= passes, "{seen:?}");
    }

    #[test]
    fn incremental_and_full_evaluation_agree_in_chess() {
        let fens = [
            Variant::Chess.initial_fen(),
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/PPP5/8/8/8/8/5ppp/4K3 w - - 0 1",
        ];
        check::<Chess>(&fens, Variant::Chess, &|_| SquareSet::EMPTY, &|current, step, _| {
            let role = current.piece_at(step.from())?.role;
            let own = current.men(current.side_to_move()).contains(step.to());
            match role.index() {
                5 if own => Some(0),
                0 if step.promotion().is_some() => Some(1),
                0 if current.taken(step).any() && current.piece_at(step.to()).is_none() => Some(2),
                _ => None,
            }
        });
    }

    #[test]
    fn incremental_and_full_evaluation_agree_in_baroque() {
        let fens = [
            Variant::Baroque.initial_fen(),
            "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1",
            "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
        ];
        check::<Baroque>(
            &fens,
            Variant::Baroque,
            &|current| current.immobilized(Color::White) | current.immobilized(Color::Black),
            &|current, step, _| {
                let taken = current.taken(step).len();
                let is_king = current.piece_at(step.from())?.role.index() == 5;
                let files = [step.from(), step.to()].map(|square| square.index() % 8 >= 4);
                if is_king && files[0] != files[1] {
                    Some(2)
                } else {
                    taken.checked_sub(1).map(|more| more.min(1))
                }
            },
        );
    }

    #[test]
    fn incremental_and_full_evaluation_agree_in_interweave() {
        let fens = [
            Variant::Interweave.initial_fen(),
            "3kkBb1/p1b2pp1/5p2/p7/2PnN3/5p2/2PPP1P1/1B1KK1r1[RRNrn] b - - 2 18",
            "4k3/bPk5/6R1/6P1/2K4P/4K3/1p6/8[RRNNBBrrnn] w - - 0 41",
        ];
        check::<Interweave>(&fens, Variant::Interweave, &|_| SquareSet::EMPTY, &|current, step, next| {
            if current.side_to_move() == next.side_to_move() {
                Some(0)
            } else if step.promotion().is_some() {
                Some(1)
            } else {
                current.chain().map(|_| 2)
            }
        });
    }

    #[test]
    fn mirrored_positions_have_the_same_value_for_the_side_to_move() {
        let value = |fen| {
            let position: Chess = Chess::from_fen(fen).expect("a position");
            NetworkEvaluator::new(Arc::new(Network::random(Variant::Chess, 32, 1, 5))).evaluate(&position)
        };
        let white = value("4k3/1p6/8/8/2N5/8/P7/4K2R w - - 0 1");
        assert_eq!(white, value("4k2r/p7/8/2n5/8/8/1P6/4K3 b - - 0 1"));
        assert_eq!(white, value("3k4/6p1/8/8/5N2/8/7P/R2K4 w - - 0 1"));
    }
}
