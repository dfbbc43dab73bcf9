//! The squares of the men, as input to networks.

use adoube_rules::{Color, Position, Role, SquareSet, Variant};

/// The squares of the men of a position: a set for each role and colour, the reserves, and, in variants with
/// freezing, the same sets again for the men that cannot move.
///
/// Whatever steps lie between two positions, their placements differ exactly in the men that appeared or
/// disappeared. A network can therefore be updated from one position to the other without knowledge of the
/// rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// The sets of White's and of Black's men, role by role, then their reserves; then the sets of the men
    /// that cannot move, in the same order.
    pub(crate) sets: [u64; Self::SETS],
}

impl Placement {
    /// The maximum number of roles in a variant. No variant uses the last role, so the reserve takes its
    /// place.
    pub(crate) const ROLES: usize = Role::MAX - 1;
    pub(crate) const SETS: usize = 4 * Role::MAX;
    /// The index of the first set of men that cannot move.
    const FIRST_FROZEN_SET: usize = 2 * Role::MAX;
    /// The number of bits for a side's reserve: two men of each of three roles, the first man in the lower
    /// bit.
    pub(crate) const RESERVE: usize = 6;

    pub(crate) const EMPTY: Self = Self { sets: [0; Self::SETS] };

    /// Returns the placement of a position.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn of<P: Position>(position: &P) -> Self {
        let mut placement = Self::EMPTY;
        placement.assign(position);
        placement
    }

    /// Overwrites the placement with that of a position. The old placement must be empty, or belong to the
    /// same variant.
    #[inline]
    pub(crate) fn assign<P: Position>(&mut self, position: &P) {
        let sets = &mut self.sets;
        let (white, black) = (position.men(Color::White), position.men(Color::Black));
        for role in 0..Self::ROLES {
            let men = position.men_of_role(Role::new(role));
            sets[2 * role] = (men & white).0;
            sets[2 * role + 1] = (men & black).0;
        }
        let variant = position.variant();
        for (index, &role) in variant.reserve_roles().iter().enumerate() {
            for color in Color::ALL {
                let men = position.reserve(color, role).min(2);
                let set = &mut sets[2 * Self::ROLES + color.index()];
                *set = *set & !(3 << (2 * index)) | ((1 << men) - 1) << (2 * index);
            }
        }
        self.complete(variant);
    }

    /// Computes the sets that follow from the others: the men that cannot move (B4, U4).
    ///
    /// These sets help because a hidden layer is bad at recognising pairs of neighbours, and freezing is
    /// central to Baroque.
    #[inline]
    pub(crate) fn complete(&mut self, variant: Variant) {
        let Some(freezing) = variant.info().freezing else { return };
        let sets_of = |role: Role| [0, 1].map(|color| SquareSet(self.sets[2 * role.index() + color]));
        let all = [0, 1]
            .map(|color| SquareSet((0..Self::ROLES).fold(0, |men, role| men | self.sets[2 * role + color])));
        let (immobilizers, chameleons) = (sets_of(freezing.immobilizer), sets_of(freezing.chameleon));
        let both = |men: [SquareSet; 2]| men[0] | men[1];
        for color in 0..2 {
            let frozen = freezing.frozen(all[color], all[1 - color], both(immobilizers), both(chameleons)).0;
            for role in 0..Self::ROLES {
                self.sets[Self::FIRST_FROZEN_SET + 2 * role + color] = self.sets[2 * role + color] & frozen;
            }
        }
    }

    /// Returns the placement with files mirrored: a and h, b and g …
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn mirrored(&self) -> Self {
        let mut mirrored = *self;
        let reserve = 2 * Self::ROLES..Self::FIRST_FROZEN_SET;
        for (_, set) in mirrored.sets.iter_mut().enumerate().filter(|(index, _)| !reserve.contains(index)) {
            // Reversing all bits also reverses the ranks, which are bytes, so swap the bytes back.
            *set = set.reverse_bits().swap_bytes();
        }
        mirrored
    }

    /// Returns the number of men on the board.
    #[inline]
    pub(crate) fn men(&self) -> usize {
        self.sets[..2 * Self::ROLES].iter().map(|set| set.count_ones() as usize).sum()
    }
}

/// The inputs of a network for a variant.
///
/// A side sees the board from its own first rank. Its inputs are the men, ordered by role, side (its own
/// first) and square, followed by both reserves, or by the men that cannot move. In a variant with one king,
/// a side whose king is on the right half sees the board mirrored. Only castling distinguishes left from
/// right, so little is lost, and the network learns twice as fast.
///
/// A network may have all these inputs several times, once for each *king bucket*, because the value of a man
/// on a square depends on where the viewing side's king is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inputs {
    pub(crate) variant: Variant,
    roles: usize,
    king: Option<usize>,
    /// The number of king buckets: 1 or [`KING_BUCKETS`](Self::KING_BUCKETS).
    buckets: usize,
    /// The number of leading sets in a placement that can be nonempty; all later ones are empty.
    sets: usize,
    /// The number of inputs in each king bucket.
    per_bucket: usize,
}

/// The orientation and king bucket with which a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct View {
    color: usize,
    /// The number to XOR with the index of a square.
    flip: usize,
    /// The king bucket, for the square of the side's own king.
    bucket: usize,
}

impl View {
    /// Returns the index among all [`views`](Inputs::views).
    #[inline]
    pub(crate) const fn number(self) -> usize {
        (self.bucket * 2 + (self.flip & 7 != 0) as usize) * 2 + self.color
    }
}

impl Inputs {
    /// The number of king buckets of networks that have more than one.
    pub(crate) const KING_BUCKETS: usize = 4;
    /// The maximum number of active inputs: 32 men, and either both reserves or all men that can be frozen at
    /// once, by two immobilizers and by chameleons next to immobilizers. A setup with more than two
    /// immobilizers can exceed it.
    pub(crate) const MAX_ACTIVE: usize = 32 + 20;

    /// Returns the inputs of a network with this many king buckets.
    pub(crate) const fn of(variant: Variant, buckets: usize) -> Self {
        let king = match variant.info().royal {
            Some(king) => Some(king.index()),
            None => None,
        };
        let info = variant.info();
        let roles = info.roles.len();
        let men = roles * 128;
        let (sets, of_bucket) = if info.freezing.is_some() {
            (Placement::SETS, 2 * men)
        } else if info.reserve_roles.is_empty() {
            (2 * roles, men)
        } else {
            (Placement::FIRST_FROZEN_SET, men + 2 * Placement::RESERVE)
        };
        Self { variant, roles, king, buckets, sets, per_bucket: of_bucket }
    }

    /// Returns the number of leading sets in a placement that this variant can use; all later ones are empty.
    #[inline]
    pub(crate) const fn sets(self) -> usize {
        self.sets
    }

    /// Returns the number of inputs for men on squares; the others come after them.
    pub(crate) const fn men(self) -> usize {
        self.roles * 128
    }

    /// Returns the number of king buckets.
    pub(crate) const fn buckets(self) -> usize {
        self.buckets
    }

    /// Returns `true` if a network for a variant may have this many king buckets.
    pub(crate) const fn is_supported(variant: Variant, buckets: usize) -> bool {
        buckets == 1 || buckets == Self::KING_BUCKETS && Self::of(variant, 1).king.is_some()
    }

    /// Returns the number of inputs.
    pub(crate) const fn count(self) -> usize {
        self.buckets() * self.inputs_per_bucket()
    }

    /// Returns the number of inputs for each king bucket.
    pub(crate) const fn inputs_per_bucket(self) -> usize {
        self.per_bucket
    }

    /// Returns `true` if a position and its mirror image look different to the network, so that it must learn
    /// both.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn distinguishes_left_from_right(self) -> bool {
        self.king.is_none()
    }

    /// Returns a side's view of a position.
    #[inline]
    pub(crate) fn view(self, placement: &Placement, color: Color) -> View {
        let ranks = if color == Color::White { 0 } else { 56 };
        let king = self.king.map_or(0, |king| placement.sets[2 * king + color.index()]);
        // The mask contains the files e to h.
        let files = if king & king.wrapping_neg() & 0xf0f0_f0f0_f0f0_f0f0 != 0 { 7 } else { 0 };
        let flip = ranks ^ files;
        let bucket = if self.buckets == 1 { 0 } else { king_bucket(king.trailing_zeros() as usize ^ flip) };
        View { color: color.index(), flip, bucket }
    }

    /// Returns the input for one bit of a placement.
    #[inline]
    pub(crate) fn index(self, view: View, set: usize, bit: usize) -> usize {
        let enemy = (set & 1) ^ view.color;
        let first = view.bucket * self.inputs_per_bucket();
        first
            + match set {
                Placement::FIRST_FROZEN_SET.. => {
                    self.men() + (((set - Placement::FIRST_FROZEN_SET) & !1) + enemy) * 64 + (bit ^ view.flip)
                }
                _ if set >= 2 * Placement::ROLES => self.men() + enemy * Placement::RESERVE + bit,
                _ => ((set & !1) + enemy) * 64 + (bit ^ view.flip),
            }
    }

    /// Returns the number of views of both sides.
    pub(crate) const fn views(self) -> usize {
        4 * self.buckets
    }

    /// Calls `visit` with each active input.
    #[cfg(not(target_family = "wasm"))]
    #[inline]
    pub(crate) fn for_each_input(self, view: View, placement: &Placement, mut visit: impl FnMut(usize)) {
        for (set, &squares) in placement.sets.iter().enumerate() {
            let mut left = squares;
            while left != 0 {
                visit(self.index(view, set, left.trailing_zeros() as usize));
                left &= left - 1;
            }
        }
    }
}

/// Returns the king bucket of a square on the left half, as the king's owner sees the board. The four buckets
/// are the corner of the first rank, the rest of that rank, the second rank, and all ranks beyond, where
/// kings rarely are before the endgame.
const fn king_bucket(square: usize) -> usize {
    match (square / 8, square % 8) {
        (0, 0 | 1) => 0,
        (0, _) => 1,
        (1, _) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, with_position};

    use super::*;

    fn active(variant: Variant, fen: &str, color: Color) -> Vec<usize> {
        let position = AnyPosition::from_fen(variant, fen).expect("a position");
        let placement = with_position!(&position, position => Placement::of(position));
        let inputs = Inputs::of(variant, 1);
        let mut found = Vec::new();
        inputs.for_each_input(inputs.view(&placement, color), &placement, |index| found.push(index));
        assert!(found.iter().all(|&index| index < inputs.count()));
        found.sort_unstable();
        found
    }

    #[test]
    fn both_sides_see_mirrored_positions_alike() {
        let white = "4k3/1p6/8/8/2N5/8/P7/4K2R w - - 0 1";
        let black = "4k2r/p7/8/2n5/8/8/1P6/4K3 b - - 0 1";
        assert_eq!(active(Variant::Chess, white, Color::White), active(Variant::Chess, black, Color::Black));
        assert_eq!(active(Variant::Chess, white, Color::Black), active(Variant::Chess, black, Color::White));
    }

    #[test]
    fn left_and_right_are_mirrored_in_variants_with_one_king() {
        let left = "6k1/8/8/8/2N5/8/P7/1K5R w - - 0 1";
        let right = "1k6/8/8/8/5N2/8/7P/R5K1 w - - 0 1";
        for color in Color::ALL {
            assert_eq!(active(Variant::Chess, left, color), active(Variant::Chess, right, color));
        }
    }

    #[test]
    fn i11_the_reserve_is_encoded_by_its_number_of_men() {
        let none = active(Variant::Interweave, "4k1k1/8/8/8/8/8/8/3K1K2[] w - - 0 1", Color::White);
        let some = active(Variant::Interweave, "4k1k1/8/8/8/8/8/8/3K1K2[RRn] w - - 0 1", Color::White);
        let reserve: Vec<_> = some.into_iter().filter(|index| !none.contains(index)).collect();
        // The side's two smashers and the enemy's leaper.
        assert_eq!(reserve, [640, 641, 648]);
        assert_eq!(Inputs::of(Variant::Interweave, 1).count(), 652);
    }

    #[test]
    fn input_sizes_match_the_variants() {
        assert_eq!(Inputs::of(Variant::Chess, 1).count(), 768);
        assert_eq!(Inputs::of(Variant::Baroque, 1).count(), 2 * 896);
    }

    #[test]
    fn b4_frozen_men_match_the_rules() {
        let mut random = crate::random::Random::new(9, 9);
        let mut frozen = 0;
        for _ in 0..200 {
            let mut position = adoube_rules::Baroque::default();
            for _ in 0..100 {
                let steps = position.legal_steps();
                if steps.is_empty() {
                    break;
                }
                position.play_unchecked(steps[random.below(steps.len())]);
                let placement = Placement::of(&position);
                for color in Color::ALL {
                    let immobilized = position.immobilized(color);
                    let sets =
                        placement.sets[Placement::FIRST_FROZEN_SET..].iter().skip(color.index()).step_by(2);
                    assert_eq!(sets.fold(0, |men, set| men | set), immobilized.0, "{}", position.fen());
                    frozen += immobilized.len();
                }
            }
        }
        assert!(frozen > 1_000, "{frozen}");
    }

    #[test]
    fn king_buckets_depend_on_the_sides_own_king() {
        let inputs = Inputs::of(Variant::Chess, Inputs::KING_BUCKETS);
        let bucket = |fen: &str, color: Color| {
            let position = AnyPosition::from_fen(Variant::Chess, fen).expect("a position");
            let placement = with_position!(&position, position => Placement::of(position));
            let view = inputs.view(&placement, color);
            inputs.for_each_input(view, &placement, |index| assert_eq!(index / 768, view.bucket, "{fen}"));
            assert!(view.number() < inputs.views());
            view.bucket
        };
        let fen = "6k1/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!([Color::White, Color::Black].map(|color| bucket(fen, color)), [1, 0]);
        let fen = "8/3k4/8/8/8/7K/8/8 w - - 0 1";
        assert_eq!([Color::White, Color::Black].map(|color| bucket(fen, color)), [3, 2]);
        assert!(!Inputs::is_supported(Variant::Interweave, Inputs::KING_BUCKETS));
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        let position = AnyPosition::initial(Variant::Baroque);
        let placement = with_position!(&position, position => Placement::of(position));
        assert_ne!(placement.mirrored(), placement);
        assert_eq!(placement.mirrored().mirrored(), placement);
    }
}
