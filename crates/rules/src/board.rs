//! The placement of men on the board.

use crate::{
    color::Color,
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
};

/// A placement of men in a game with `N` roles: one set of squares per role and one per colour.
///
/// Not `Copy`, so that its two arrays are cloned separately: in WebAssembly a copy of more than 64 bytes is a
/// function call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<const N: usize> {
    by_role: [SquareSet; N],
    by_color: [SquareSet; 2],
}

impl<const N: usize> Board<N> {
    /// The empty board.
    pub(crate) const EMPTY: Self = Self { by_role: [SquareSet::EMPTY; N], by_color: [SquareSet::EMPTY; 2] };

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.by_color[0] | self.by_color[1]
    }

    /// Returns the squares that hold a man of that colour.
    #[inline]
    pub fn color(&self, color: Color) -> SquareSet {
        self.by_color[color.index()]
    }

    /// Returns the squares that hold a man of that role, of either colour; the empty set for a role that the
    /// game lacks.
    #[inline]
    pub fn role(&self, role: Role) -> SquareSet {
        self.by_role.get(role.index()).copied().unwrap_or(SquareSet::EMPTY)
    }

    /// Returns the squares that hold that man.
    #[inline]
    pub fn piece(&self, color: Color, role: Role) -> SquareSet {
        self.color(color) & self.role(role)
    }

    /// Returns the role of the man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.occupied().contains(square).then(|| self.role_of_man_at(square))
    }

    /// Returns the role of the man on a square that is known to hold one; role 0 if it holds none.
    ///
    /// Tests every role instead of stopping at the first match: the role cannot be predicted, and a
    /// mispredicted branch costs more. The result is a role of the game even if an illegal step has put two
    /// men on the square, and the compiler knows this, so tables indexed by it need no bounds check.
    #[inline]
    pub(crate) fn role_of_man_at(&self, square: Square) -> Role {
        let last_match =
            |found, index: usize| if self.by_role[index].contains(square) { index } else { found };
        Role::new((1..N).fold(0, last_match))
    }

    /// Returns the colour of the man on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        if !self.occupied().contains(square) {
            return None;
        }
        // The colour cannot be predicted, so this must not compile to a branch.
        Some(if self.by_color[1].contains(square) { Color::Black } else { Color::White })
    }

    /// Returns the man on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = self.color_at(square)?;
        Some(Piece { color, role: self.role_of_man_at(square) })
    }

    /// Puts a man on an empty square, or removes that same man from its square.
    ///
    /// The caller must know what the square holds: toggling a second man onto an occupied square would leave
    /// an invalid board.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square, piece: Piece) {
        self.flip(SquareSet::of(square), piece);
    }

    /// Moves a man from an occupied square to an empty one.
    #[inline]
    pub(crate) fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.flip(SquareSet::of(from) | SquareSet::of(to), piece);
    }

    /// Flips the bits of a man on the given squares; only those of its colour if the game lacks its role.
    #[inline]
    fn flip(&mut self, squares: SquareSet, piece: Piece) {
        if let Some(set) = self.by_role.get_mut(piece.role.index()) {
            *set ^= squares;
        }
        self.by_color[piece.color.index()] ^= squares;
    }

    /// Removes all men on the given squares.
    #[inline]
    pub(crate) fn clear(&mut self, squares: SquareSet) {
        for set in self.by_role.iter_mut().chain(&mut self.by_color) {
            *set -= squares;
        }
    }

    /// Returns all men with their squares, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| self.piece_at(square).map(|piece| (square, piece)))
    }
}
