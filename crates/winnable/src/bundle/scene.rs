//! The common part of a bundle's positions: everything except the free king's square.

use crate::reach::forward;
use adoube_rules::{
    ByColor, Chess, Color, EnPassant, Piece, Position, Role, Setup, Square, SquareSet, attacks,
    variant::chess::role,
};

/// Added to the stage of scenes without a promotion since the root. Higher stages are earlier, so these
/// scenes count as earlier than those with a promotion.
pub(super) const EARLY: usize = 192;

/// A position without the free king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scene {
    /// Pawns, knights, bishops, rooks and queens.
    pub(super) roles: [SquareSet; 5],
    /// The men of each side, without the free king.
    pub(super) men: ByColor<SquareSet>,
    /// The other king.
    pub(super) king: Square,
    pub(super) side_to_move: Color,
    pub(super) en_passant: Option<Square>,
    /// The files of the rooks that may castle, one bit each, for White and Black.
    pub(super) castling: [u8; 2],
}

/// A scene in packed form: White's men, three sets that together encode the role on each square, and the
/// rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedScene {
    pub(super) sets: [SquareSet; 4],
    /// Castling, the other king's square, en passant and the side to move, from the highest bits down.
    pub(super) rest: u32,
}

impl Scene {
    pub(super) fn of(position: &Chess, free: Color) -> Self {
        let king = SquareSet::of(position.king(free));
        Self {
            roles: [role::PAWN, role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN]
                .map(|role| position.men_of_role(role)),
            men: ByColor::new_with(|color| position.men(color) - king),
            king: position.king(!free),
            side_to_move: position.side_to_move(),
            en_passant: position.possible_en_passant(),
            castling: [Color::White, Color::Black].map(|color| {
                let rooks = (position.castling_rooks() & position.men(color)).0;
                (if color == Color::White { rooks } else { rooks >> 56 }) as u8
            }),
        }
    }

    /// Returns the rooks that may castle.
    #[inline]
    pub(super) fn castling_rooks(&self) -> SquareSet {
        SquareSet(u64::from(self.castling[0]) | u64::from(self.castling[1]) << 56)
    }

    /// Removes the castling rights of rooks on these squares.
    #[inline]
    pub(super) fn lose_castling(&mut self, squares: SquareSet) {
        let left = (self.castling_rooks() - squares).0;
        self.castling = [left as u8, (left >> 56) as u8];
    }

    #[inline]
    pub(super) fn of_role(&self, role: Role) -> SquareSet {
        self.roles[role.index()]
    }

    #[inline]
    pub(super) fn occupied(&self) -> SquareSet {
        self.men.white | self.men.black
    }

    /// Returns the squares that the men of a side attack. The free king blocks and attacks nothing.
    pub(super) fn attacked(&self, by: Color) -> SquareSet {
        let men = self.men[by];
        let occupied = self.occupied();
        let ahead = forward(by);
        let pawns = men & self.of_role(role::PAWN);
        let mut attacked = pawns.step(-1, ahead) | pawns.step(1, ahead);
        for from in men & self.of_role(role::KNIGHT) {
            attacked |= attacks::knight(from);
        }
        for from in men & (self.of_role(role::BISHOP) | self.of_role(role::QUEEN)) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in men & (self.of_role(role::ROOK) | self.of_role(role::QUEEN)) {
            attacked |= attacks::rook(from, occupied);
        }
        if men.contains(self.king) {
            attacked |= attacks::king(self.king);
        }
        attacked
    }

    /// Returns the squares of the free king for which the other king is not in check, ignoring adjacent
    /// kings.
    pub(super) fn safe(&self, free: Color) -> SquareSet {
        let men = self.men[free];
        let occupied = self.occupied();
        let leapers = attacks::pawn(!free, self.king) & self.of_role(role::PAWN)
            | attacks::knight(self.king) & self.of_role(role::KNIGHT);
        if (leapers & men).any() {
            return SquareSet::EMPTY;
        }
        let queens = self.of_role(role::QUEEN);
        if ((self.of_role(role::BISHOP) | self.of_role(role::ROOK) | queens) & men).is_empty() {
            return SquareSet::FULL;
        }
        let sliders = (attacks::bishop(self.king, occupied) & (self.of_role(role::BISHOP) | queens)
            | attacks::rook(self.king, occupied) & (self.of_role(role::ROOK) | queens))
            & men;
        let mut safe = SquareSet::FULL;
        for slider in sliders {
            safe &= attacks::between(slider, self.king);
        }
        safe
    }

    /// Returns the scene after a turn by a man other than a king. A man on the destination is captured.
    #[inline]
    pub(super) fn after(&self, moved: Role, from: Square, to: Square) -> Self {
        let mut next = Self { en_passant: None, side_to_move: !self.side_to_move, ..*self };
        next.take(to);
        next.roles[moved.index()].remove(from);
        next.roles[moved.index()].insert(to);
        next.men[self.side_to_move].remove(from);
        next.men[self.side_to_move].insert(to);
        next.lose_castling(SquareSet::of(from));
        next
    }

    #[inline]
    pub(super) fn take(&mut self, square: Square) {
        if self.occupied().contains(square) {
            for set in &mut self.roles {
                set.remove(square);
            }
            self.men.white.remove(square);
            self.men.black.remove(square);
            self.lose_castling(SquareSet::of(square));
        }
    }

    /// Returns the numbers of knights, bishops, rooks and queens of a side.
    pub(super) fn non_pawns(&self, color: Color) -> [u8; 4] {
        [1, 2, 3, 4].map(|role| (self.roles[role] & self.men[color]).len() as u8)
    }

    /// Returns the stage: the pawns' distances to promotion plus the number of men. A turn never increases
    /// it.
    #[inline]
    pub(super) fn stage(&self) -> usize {
        let pawns = self.of_role(role::PAWN);
        // The highest byte of each product is a weighted sum of the numbers of men on the eight ranks: the
        // weights are 7 to 0 for White's pawns, 0 to 7 for Black's, and 1 for the men.
        let white = counts_by_rank(pawns & self.men.white).wrapping_mul(0x0706_0504_0302_0100) >> 56;
        let black = counts_by_rank(pawns & self.men.black).wrapping_mul(0x0001_0203_0405_0607) >> 56;
        let men = counts_by_rank(self.occupied()).wrapping_mul(0x0101_0101_0101_0101) >> 56;
        ((white + black + men) as usize).min(EARLY - 1)
    }

    #[inline]
    pub(super) fn packed(&self) -> PackedScene {
        let [pawns, knights, bishops, rooks, queens] = self.roles;
        let king = SquareSet::of(self.king);
        let sets =
            [self.men.white, pawns | bishops | queens, knights | bishops | king, rooks | queens | king];
        let low = self.king.index() << 8
            | self.en_passant.map_or(64, Square::index) << 1
            | self.side_to_move.index();
        let rest = u32::from(self.castling[0]) << 24 | u32::from(self.castling[1]) << 16 | low as u32;
        PackedScene { sets, rest }
    }

    #[inline]
    pub(super) fn unpacked(packed: PackedScene) -> Self {
        let PackedScene { sets: [white, a, b, c], rest } = packed;
        let en_passant = rest >> 1 & 0x7f;
        Self {
            roles: [a - b - c, b - a - c, a & b, c - a - b, a & c],
            men: ByColor { white, black: (a | b | c) - white },
            king: Square::ALL[(rest >> 8 & 0x3f) as usize],
            side_to_move: if rest & 1 == 0 { Color::White } else { Color::Black },
            en_passant: (en_passant < 64).then(|| Square::ALL[en_passant as usize]),
            castling: [(rest >> 24) as u8, (rest >> 16) as u8],
        }
    }

    /// Returns the position with the free king on one of its squares; `None` if the position is not valid.
    pub(super) fn position(&self, free: Color, king: Square) -> Option<Chess> {
        let mut setup = Setup::empty(Chess::VARIANT);
        for (index, &squares) in self.roles.iter().enumerate() {
            let role = Role::new(index);
            for color in Color::ALL {
                for square in squares & self.men[color] {
                    setup.pieces[square.index()] = Some(Piece { color, role });
                }
            }
        }
        for (color, square) in [(free, king), (!free, self.king)] {
            setup.pieces[square.index()] = Some(Piece { color, role: role::KING });
        }
        setup.side_to_move = self.side_to_move;
        setup.castling = self.castling_rooks();
        setup.en_passant = self.en_passant.map(|crossed| {
            let pawn = crossed.offset(0, forward(!self.side_to_move));
            EnPassant { crossed, pawn: pawn.unwrap_or(crossed) }
        });
        let position = Chess::from_setup(&setup);
        debug_assert!(position.is_ok(), "{position:?}: {setup}");
        position.ok()
    }
}

/// Returns the number of the set's squares on each rank, one byte for each rank. Without a population count
/// instruction, this costs about as much as counting the squares of a single rank.
#[inline]
pub(super) const fn counts_by_rank(set: SquareSet) -> u64 {
    let pairs = set.0 - (set.0 >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

impl PackedScene {
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let mut hash = u64::from(self.rest).wrapping_mul(0x94d0_49bb_1331_11eb);
        for set in self.sets {
            hash = (hash ^ set.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 32;
        }
        hash
    }
}
