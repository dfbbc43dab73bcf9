//! Evaluators of positions. The search notifies its evaluator of every step that it plays or takes back, so
//! an evaluator such as a network can update incrementally.

use std::sync::Arc;

use adoube_rules::{Role, Step};

use super::Searchable;
use crate::network::{Network, NetworkEvaluator};

/// Evaluates positions.
///
/// After [`start`](Self::start), each [`play`](Self::play) and each [`null_move`](Self::null_move) is
/// eventually matched by an [`undo`](Self::undo), so the evaluated position is always the result of the
/// calls that have not been undone.
pub trait Evaluator<P>: Clone + Send + Sync + 'static {
    /// Called when a search starts at a position.
    fn start(&mut self, _root: &P) {}

    /// Called after a step is played.
    fn play(&mut self, _before: &P, _step: Step, _after: &P) {}

    /// Called after a null move is played.
    fn null_move(&mut self, _after: &P) {}

    /// Called after the last step or null move is taken back.
    fn undo(&mut self) {}

    /// Returns the value of a position for the side to move, in units of the search.
    fn evaluate(&mut self, position: &P) -> i32;
}

/// The hand-crafted evaluation of each variant.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandCrafted;

impl<P: Searchable> Evaluator<P> for HandCrafted {
    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        position.evaluate()
    }
}

/// The engine's default, which is the network of the variant if there is one, and the hand-crafted evaluation
/// otherwise.
#[derive(Clone, Debug)]
pub(crate) struct DefaultEvaluator(Option<NetworkEvaluator>);

impl DefaultEvaluator {
    pub(crate) fn new(network: Option<&Arc<Network>>) -> Self {
        Self(network.map(|network| NetworkEvaluator::new(Arc::clone(network))))
    }
}

impl<P: Searchable> Evaluator<P> for DefaultEvaluator {
    fn start(&mut self, root: &P) {
        if let Some(network) = &mut self.0 {
            network.start(root);
        }
    }

    #[inline]
    fn play(&mut self, before: &P, step: Step, after: &P) {
        if let Some(network) = &mut self.0 {
            network.play(before, step, after);
        }
    }

    #[inline]
    fn null_move(&mut self, after: &P) {
        if let Some(network) = &mut self.0 {
            network.null_move(after);
        }
    }

    #[inline]
    fn undo(&mut self) {
        if let Some(network) = &mut self.0 {
            <NetworkEvaluator as Evaluator<P>>::undo(network);
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        match &mut self.0 {
            Some(network) => network.evaluate(position),
            None => position.evaluate(),
        }
    }
}

/// Counts only material. Serves as a baseline for comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<P: Searchable> Evaluator<P> for Material {
    fn evaluate(&mut self, position: &P) -> i32 {
        let us = position.side_to_move();
        let roles = (0..Role::MAX).map(Role::new);
        let worth = roles.map(|role| {
            let men = position.men_of_role(role);
            let ahead = (men & position.men(us)).len() as i32 - (men & position.men(!us)).len() as i32;
            ahead * P::VALUES[role.index()]
        });
        worth.sum()
    }
}

/// An evaluator with noise. The noise is reproducible: it depends only on the position and the seed.
#[derive(Clone, Copy, Debug)]
pub struct NoisyEvaluator<E> {
    /// The evaluator without noise.
    pub inner: E,
    /// The largest deviation, in units of the search.
    pub noise: u16,
    /// The seed for the noise.
    pub seed: u64,
}

impl<P: Searchable, E: Evaluator<P>> Evaluator<P> for NoisyEvaluator<E> {
    fn start(&mut self, root: &P) {
        self.inner.start(root);
    }

    fn play(&mut self, before: &P, step: Step, after: &P) {
        self.inner.play(before, step, after);
    }

    fn null_move(&mut self, after: &P) {
        self.inner.null_move(after);
    }

    fn undo(&mut self) {
        self.inner.undo();
    }

    fn evaluate(&mut self, position: &P) -> i32 {
        let value = self.inner.evaluate(position);
        let noise = i64::from(self.noise);
        let drawn = mix(position.key() ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        value + ((drawn >> 33) as i64 % (2 * noise + 1) - noise) as i32
    }
}

/// Returns a number with no visible relation to the argument (the finalizer of `SplitMix64`).
#[inline]
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Chess, Variant};

    use super::*;

    #[test]
    fn noise_is_bounded_and_reproducible() {
        let position: Chess = Chess::from_fen(Variant::Chess.initial_fen()).expect("the start");
        let plain = HandCrafted.evaluate(&position);
        let mut values = Vec::new();
        for seed in 0..50 {
            let mut noisy = NoisyEvaluator { inner: HandCrafted, noise: 30, seed };
            let value = noisy.evaluate(&position);
            assert!((value - plain).abs() <= 30);
            assert_eq!(value, noisy.evaluate(&position));
            values.push(value);
        }
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 10, "the noise hardly depends on the seed: {values:?}");
    }

    #[test]
    fn material_counts_only_men() {
        let value = |fen| Material.evaluate(&Chess::from_fen(fen).expect("a position"));
        assert_eq!(value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), Chess::VALUES[3]);
        assert_eq!(value("4k3/8/8/8/R7/8/8/4K3 b - - 0 1"), -Chess::VALUES[3]);
    }
}
