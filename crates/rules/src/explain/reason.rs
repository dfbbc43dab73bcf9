//! Reasons why a step is illegal.

use super::{Legal, Man, Taking};
use crate::{
    color::Color,
    game_info::PassingClauses,
    outcome::{Draw, Outcome, Win},
    role::Role,
    square::Square,
    square_set::SquareSet,
    variant::Variant,
};

/// One reason why a step is not legal, or why a man is held.
///
/// `man` is always the man that would move, on the square where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The game is over.
    GameOver {
        /// The outcome.
        outcome: Outcome,
    },
    /// The other side is to move (C2).
    NotYourTurn {
        /// The side to move.
        to_move: Color,
    },
    /// The turn has no steps; passing is not allowed (C2).
    Pass,
    /// No man stands there (C2).
    NoMan {
        /// The empty square.
        square: Square,
    },
    /// The man belongs to the other side (C2).
    NotYourMan {
        /// The other side's man.
        man: Man,
    },
    /// Men of this kind never move this way.
    InvalidMovement {
        /// The man.
        man: Man,
    },
    /// A pawn advances two squares only from its starting rank (C7, I9).
    NotFromStart {
        /// The pawn.
        man: Man,
    },
    /// The square is not of the colour that the man stands on (I2).
    WrongSquareColor {
        /// The man.
        man: Man,
    },
    /// Along files and ranks the man moves only an even distance (I2, I6, I7).
    OddDistance {
        /// The man.
        man: Man,
        /// The number of squares that it would move.
        distance: u8,
    },
    /// A man of the same side stands there.
    OwnMan {
        /// The man that would move.
        man: Man,
        /// The man on the square it would reach.
        occupant: Man,
    },
    /// An enemy stands there, and this man does not take by landing (B3, I5–I9).
    Occupied {
        /// The man that would move.
        man: Man,
        /// The enemy on the square it would reach.
        occupant: Man,
    },
    /// A man stands in the way. There is one reason for each such man, nearest first.
    Blocked {
        /// The man that would move.
        man: Man,
        /// The man in the way.
        by: Man,
    },
    /// The man can make this step only by taking, and there is nothing to take (C7, I8).
    NothingToTake {
        /// The man.
        man: Man,
        /// The square where an enemy would have to stand; for a remover, its own square, next to which an
        /// enemy would have to stand.
        at: Square,
    },
    /// The step is a leap, and there is nothing to leap over (I5, I9).
    NothingToLeap {
        /// The man.
        man: Man,
        /// The square where an enemy would have to stand.
        over: Square,
    },
    /// A friend is never leapt over (B8, I5, I7, I9).
    LeapOverFriend {
        /// The man.
        man: Man,
        /// The friend in the way.
        over: Man,
    },
    /// A chameleon leaps only over long leapers (B10).
    LeapOverOther {
        /// The chameleon.
        man: Man,
        /// The enemy in the way, which is not a long leaper.
        over: Man,
    },
    /// A leaper leaps only over an enemy at an odd distance, on a square of the other colour (I2, I7).
    LeapEvenDistance {
        /// The leaper.
        man: Man,
        /// The enemy at an even distance.
        over: Man,
    },
    /// Two enemies in a row cannot be leapt over (B8).
    TwoInARow {
        /// The man.
        man: Man,
        /// The nearer enemy.
        first: Man,
        /// The enemy right behind it.
        second: Man,
    },
    /// One step leaps over only one man (I7).
    TwoInOneLeap {
        /// The leaper.
        man: Man,
        /// The first man in the line.
        first: Man,
        /// Another man behind it, short of the destination.
        second: Man,
    },
    /// The square right behind the man to be leapt over is not empty (B8, I5, I7, I9).
    NoRoomBehind {
        /// The man.
        man: Man,
        /// The enemy to be leapt over.
        over: Man,
        /// The man right behind it.
        behind: Man,
    },
    /// The pawn cannot be taken en passant now: it has not just advanced two squares, or this is a later step
    /// of a chain (C8, I10).
    EnPassantNotPossible {
        /// The pawn that would take.
        man: Man,
        /// The pawn that it would take.
        pawn: Man,
    },
    /// Taking en passant would open a line to the side's own king, because both pawns leave that line (C8).
    EnPassantExposes {
        /// The pawn that would take.
        man: Man,
        /// The taking of the king that the enemy would then have.
        taking: Taking,
    },
    /// The man is pinned and would leave the line of the pin (C11).
    Pinned {
        /// The pinned man.
        man: Man,
        /// The enemy that pins it.
        by: Man,
        /// The king behind it.
        king: Square,
        /// The squares from the king to the pinning man, both included; the man may still move along them.
        line: SquareSet,
    },
    /// The king is in check, and the step parries it neither by taking nor by interposing (C12); one reason
    /// for each check that is not parried.
    CheckNotParried {
        /// The man that gives check.
        by: Man,
        /// Whether another man gives check as well: only the king can parry a double check.
        double: bool,
    },
    /// The king could be taken after this step (C4, C12, B12); one reason for each enemy and way of taking.
    KingExposed {
        /// The man that would move.
        man: Man,
        /// The taking that the enemy would then have.
        taking: Taking,
        /// Whether that enemy already gives check, so the step fails to parry it.
        standing: bool,
    },
    /// The king cannot castle (C10); one reason for each obstacle.
    Castling {
        /// The square of the rook with which it would castle.
        rook: Square,
        /// The obstacle.
        obstacle: CastlingObstacle,
    },
    /// The man stands next to an enemy immobilizer (B4a, U4a).
    FrozenByImmobilizer {
        /// The frozen man.
        man: Man,
        /// The immobilizer.
        by: Man,
        /// Whether this man, an immobilizer or chameleon, is the only one that neutralises `by`. It frees the
        /// other men, but not itself. If false, no man neutralises `by`.
        frees_only_others: bool,
    },
    /// The immobilizer stands next to an enemy chameleon (B4b, U4b).
    FrozenByChameleon {
        /// The immobilizer.
        man: Man,
        /// The chameleon.
        by: Man,
    },
    /// Taking is compulsory, and the step takes nothing (I4).
    TakingCompulsory {
        /// All takings to choose from.
        takings: Vec<Legal>,
    },
    /// The man that has just taken can take again, and must (I4).
    ChainMustContinue {
        /// The man that must continue its chain.
        with: Man,
        /// All possible continuations.
        takings: Vec<Legal>,
    },
    /// The pawn must promote (C9, I11).
    PromotionMissing {
        /// The pawn.
        man: Man,
        /// The roles that it may promote to.
        choices: Vec<Role>,
    },
    /// The man cannot promote here (C9, I11).
    PromotionNotHere {
        /// The man.
        man: Man,
        /// The requested role.
        role: Role,
    },
    /// Pawns never promote to this role (C9, I11).
    PromotionRole {
        /// The pawn.
        man: Man,
        /// The requested role.
        role: Role,
        /// The roles that it may promote to.
        choices: Vec<Role>,
    },
    /// No man of this role is in reserve (I11).
    NotInReserve {
        /// The pawn.
        man: Man,
        /// The requested role.
        role: Role,
        /// The roles that it may promote to.
        choices: Vec<Role>,
    },
    /// The pawn would have to promote on its last rank, and no man is in reserve (I11).
    NoManInReserve {
        /// The pawn.
        man: Man,
    },
}

/// The obstacle that keeps a king from castling (C10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CastlingObstacle {
    /// The king or the rook has moved before; the position does not record which one.
    RightLost,
    /// The side has no rook on the square.
    NoRook,
    /// A man stands in the way of the king or the rook.
    Between {
        /// The man.
        man: Man,
    },
    /// The king is in check.
    InCheck {
        /// The man that gives check.
        by: Man,
    },
    /// The king would cross an attacked square.
    Crosses {
        /// The square.
        square: Square,
        /// The man that attacks it.
        by: Man,
    },
    /// The king would land on an attacked square.
    LandsOn {
        /// The square.
        square: Square,
        /// The man that attacks it.
        by: Man,
    },
}

impl Reason {
    /// Returns the id of the clause that makes this a reason, such as `B4`.
    pub fn clause(&self, variant: Variant) -> &'static str {
        let info = variant.info();
        let clauses = &info.clauses;
        match self {
            Self::GameOver { outcome } => outcome_clause(*outcome, variant),
            Self::NotYourTurn { .. } | Self::Pass | Self::NoMan { .. } | Self::NotYourMan { .. } => "C2",
            Self::WrongSquareColor { .. } | Self::OddDistance { .. } | Self::LeapEvenDistance { .. } => "I2",
            Self::LeapOverOther { .. } => passing_clause(variant, |clauses| clauses.imitation),
            Self::Occupied { man, .. } => {
                clauses.occupied.unwrap_or_else(|| role_clause(variant, man.role()))
            }
            Self::LeapOverFriend { man, .. }
            | Self::TwoInARow { man, .. }
            | Self::NoRoomBehind { man, .. } => {
                clauses.leap.unwrap_or_else(|| role_clause(variant, man.role()))
            }
            Self::InvalidMovement { man }
            | Self::NotFromStart { man }
            | Self::OwnMan { man, .. }
            | Self::Blocked { man, .. }
            | Self::NothingToTake { man, .. }
            | Self::NothingToLeap { man, .. }
            | Self::TwoInOneLeap { man, .. } => role_clause(variant, man.role()),
            Self::EnPassantNotPossible { .. } => clauses.en_passant,
            Self::EnPassantExposes { .. } => "C8",
            Self::Pinned { .. } => "C11",
            Self::KingExposed { man, .. } => {
                clauses.king_exposed.unwrap_or(if Some(man.role()) == info.royal { "C4" } else { "C12" })
            }
            Self::CheckNotParried { .. } => "C12",
            Self::Castling { .. } => "C10",
            Self::FrozenByImmobilizer { .. } | Self::FrozenByChameleon { .. } => {
                passing_clause(variant, |clauses| clauses.freezing)
            }
            Self::TakingCompulsory { .. } | Self::ChainMustContinue { .. } => {
                clauses.compulsory.unwrap_or("C3")
            }
            Self::PromotionMissing { .. }
            | Self::PromotionNotHere { .. }
            | Self::PromotionRole { .. }
            | Self::NotInReserve { .. }
            | Self::NoManInReserve { .. } => clauses.promotion,
        }
    }
}

/// Returns the id of the clause that describes how a kind of man moves.
pub(super) fn role_clause(variant: Variant, role: Role) -> &'static str {
    variant.roles().get(role.index()).map_or("C2", |info| info.clause)
}

/// Returns the id of a clause about Abbott's men.
pub(super) fn passing_clause(variant: Variant, clause: fn(&PassingClauses) -> &'static str) -> &'static str {
    variant.info().clauses.passing.as_ref().map_or("C2", clause)
}

/// Returns the id of the clause that an outcome follows from.
pub fn outcome_clause(outcome: Outcome, variant: Variant) -> &'static str {
    let clauses = &variant.info().clauses;
    match outcome {
        Outcome::Decisive { reason, .. } => match reason {
            Win::KingCaptured => "I3",
            Win::Repetition => "I12",
            Win::NoMoves => clauses.stalemate,
            Win::Checkmate => clauses.checkmate,
        },
        Outcome::Draw { reason } => match reason {
            Draw::Stalemate => clauses.stalemate,
            Draw::InsufficientMaterial => clauses.insufficient_material,
            Draw::FiftyMoves => "C21",
            Draw::Repetition => "C22",
        },
    }
}
