//! The stable names of reasons, of capture methods, and of the ways in which a wrong turn misses a drill's
//! goal.

use adoube_learn::Miss;
use adoube_rules::explain::{CaptureMethod, CastlingObstacle, Reason};
use serde::{Serialize, Serializer};

/// Declares a list of names for which the page has messages.
///
/// The names are written out because a table of them takes less space in the module than the function that
/// `derive(Serialize)` generates, which has a call for each name.
macro_rules! codes {
    ($(#[$doc:meta])* $enum:ident { $($(#[$of:meta])* $code:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $enum { $($(#[$of])* #[cfg_attr(test, ts(rename = $name))] $code),* }

        impl $enum {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$code),*];

            const fn name(self) -> &'static str {
                match self { $(Self::$code => $name),* }
            }
        }

        impl Serialize for $enum {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

codes! {
    /// A reason. The key of its message is `why-` followed by the name.
    ReasonCode {
        GameOver = "game-over",
        NotYourTurn = "not-your-turn",
        Pass = "pass",
        NoMan = "no-man",
        NotYourMan = "not-your-man",
        InvalidMovement = "invalid-movement",
        NotFromStart = "not-from-start",
        WrongSquareColor = "wrong-square-color",
        OddDistance = "odd-distance",
        OwnMan = "own-man",
        Occupied = "occupied",
        Blocked = "blocked",
        NothingToTake = "nothing-to-take",
        NothingToLeap = "nothing-to-leap",
        LeapOverFriend = "leap-over-friend",
        LeapOverOther = "leap-over-other",
        LeapEvenDistance = "leap-even-distance",
        TwoInARow = "two-in-a-row",
        TwoInOneLeap = "two-in-one-leap",
        NoRoomBehind = "no-room-behind",
        EnPassantNotPossible = "en-passant-not-possible",
        EnPassantExposes = "en-passant-exposes",
        Pinned = "pinned",
        CheckNotParried = "check-not-parried",
        DoubleCheck = "double-check",
        KingExposed = "king-exposed",
        KingLeftInCheck = "king-left-in-check",
        CastlingRightLost = "castling-right-lost",
        CastlingNoRook = "castling-no-rook",
        CastlingBetween = "castling-between",
        CastlingInCheck = "castling-in-check",
        CastlingCrosses = "castling-crosses",
        CastlingLandsOn = "castling-lands-on",
        FrozenByImmobilizer = "frozen-by-immobilizer",
        FreesOnlyOthers = "frees-only-others",
        FrozenByChameleon = "frozen-by-chameleon",
        TakingCompulsory = "taking-compulsory",
        ChainGoesOn = "chain-goes-on",
        PromotionMissing = "promotion-missing",
        PromotionNotHere = "promotion-not-here",
        PromotionRole = "promotion-role",
        NotInReserve = "not-in-reserve",
        NoManInReserve = "no-man-in-reserve",
        /// A reason that is missing from this list because it is newer.
        Other = "other",
    }
}

codes! {
    /// A way of taking. The key of its message is `way-` followed by the name.
    CaptureMethodCode {
        Landing = "landing",
        EnPassant = "en-passant",
        Pincer = "pincer",
        Coordination = "coordination",
        Leap = "leap",
        Withdrawal = "withdrawal",
        Approach = "approach",
        ShortLeap = "short-leap",
        LongLeap = "long-leap",
        DoubleKnightLeap = "double-knight-leap",
        Removal = "removal",
        Custodian = "custodian",
        /// A way that is missing from this list because it is newer.
        Other = "other",
    }
}

codes! {
    /// Something that a wrong turn in a drill does or leaves undone. The key of its message is `drill-why-`
    /// followed by the name.
    MissCode {
        Over = "over",
        Stays = "stays",
        TooMany = "too-many",
        Retaken = "retaken",
        Unreachable = "unreachable",
        Landing = "landing",
        OtherMan = "other-man",
        PincerDiagonal = "pincer-diagonal",
        PincerFar = "pincer-far",
        PincerEdge = "pincer-edge",
        PincerAlone = "pincer-alone",
        Aligned = "aligned",
        Corners = "corners",
        EnPassant = "en-passant",
        Leap = "leap",
        Withdrawal = "withdrawal",
        Approach = "approach",
        Count = "count",
        NoCheck = "no-check",
        NoAttack = "no-attack",
        Left = "left",
        KingMoved = "king-moved",
        KingStayed = "king-stayed",
        KingStill = "king-still",
        KingOneSquare = "king-one-square",
        NoPromotion = "no-promotion",
        Promoted = "promoted",
        NotTouching = "not-touching",
        Mobile = "mobile",
        Occurs = "occurs",
        Held = "held",
        Replies = "replies",
        Refuted = "refuted",
        OutOfReach = "out-of-reach",
    }
}

impl MissCode {
    pub(crate) fn of(miss: &Miss) -> Self {
        match miss {
            Miss::Over { .. } => Self::Over,
            Miss::Stays { .. } => Self::Stays,
            Miss::TooMany { .. } => Self::TooMany,
            Miss::Retaken { .. } => Self::Retaken,
            Miss::Unreachable { .. } => Self::Unreachable,
            Miss::Landing { .. } => Self::Landing,
            Miss::OtherMan => Self::OtherMan,
            Miss::PincerDiagonal { .. } => Self::PincerDiagonal,
            Miss::PincerFar { .. } => Self::PincerFar,
            Miss::PincerEdge { .. } => Self::PincerEdge,
            Miss::PincerAlone { .. } => Self::PincerAlone,
            Miss::Aligned { .. } => Self::Aligned,
            Miss::Corners { .. } => Self::Corners,
            Miss::EnPassant => Self::EnPassant,
            Miss::Leap { .. } => Self::Leap,
            Miss::Withdrawal { .. } => Self::Withdrawal,
            Miss::Approach { .. } => Self::Approach,
            Miss::Count { .. } => Self::Count,
            Miss::NoCheck { .. } => Self::NoCheck,
            Miss::NoAttack { .. } => Self::NoAttack,
            Miss::Left { .. } => Self::Left,
            Miss::KingMoved { .. } => Self::KingMoved,
            Miss::KingStayed => Self::KingStayed,
            Miss::KingStill { .. } => Self::KingStill,
            Miss::KingOneSquare { .. } => Self::KingOneSquare,
            Miss::NoPromotion => Self::NoPromotion,
            Miss::Promoted { .. } => Self::Promoted,
            Miss::NotTouching { .. } => Self::NotTouching,
            Miss::Mobile { .. } => Self::Mobile,
            Miss::Occurs { .. } => Self::Occurs,
            Miss::Held { .. } => Self::Held,
            Miss::Replies { .. } => Self::Replies,
            Miss::Refuted { .. } => Self::Refuted,
            Miss::OutOfReach => Self::OutOfReach,
        }
    }
}

impl ReasonCode {
    pub(super) fn of(reason: &Reason) -> Self {
        match reason {
            Reason::GameOver { .. } => Self::GameOver,
            Reason::NotYourTurn { .. } => Self::NotYourTurn,
            Reason::Pass => Self::Pass,
            Reason::NoMan { .. } => Self::NoMan,
            Reason::NotYourMan { .. } => Self::NotYourMan,
            Reason::InvalidMovement { .. } => Self::InvalidMovement,
            Reason::NotFromStart { .. } => Self::NotFromStart,
            Reason::WrongSquareColor { .. } => Self::WrongSquareColor,
            Reason::OddDistance { .. } => Self::OddDistance,
            Reason::OwnMan { .. } => Self::OwnMan,
            Reason::Occupied { .. } => Self::Occupied,
            Reason::Blocked { .. } => Self::Blocked,
            Reason::NothingToTake { .. } => Self::NothingToTake,
            Reason::NothingToLeap { .. } => Self::NothingToLeap,
            Reason::LeapOverFriend { .. } => Self::LeapOverFriend,
            Reason::LeapOverOther { .. } => Self::LeapOverOther,
            Reason::LeapEvenDistance { .. } => Self::LeapEvenDistance,
            Reason::TwoInARow { .. } => Self::TwoInARow,
            Reason::TwoInOneLeap { .. } => Self::TwoInOneLeap,
            Reason::NoRoomBehind { .. } => Self::NoRoomBehind,
            Reason::EnPassantNotPossible { .. } => Self::EnPassantNotPossible,
            Reason::EnPassantExposes { .. } => Self::EnPassantExposes,
            Reason::Pinned { .. } => Self::Pinned,
            Reason::CheckNotParried { double: false, .. } => Self::CheckNotParried,
            Reason::CheckNotParried { double: true, .. } => Self::DoubleCheck,
            Reason::KingExposed { standing: false, .. } => Self::KingExposed,
            Reason::KingExposed { standing: true, .. } => Self::KingLeftInCheck,
            Reason::Castling { obstacle, .. } => Self::of_castling(*obstacle),
            Reason::FrozenByImmobilizer { frees_only_others: false, .. } => Self::FrozenByImmobilizer,
            Reason::FrozenByImmobilizer { frees_only_others: true, .. } => Self::FreesOnlyOthers,
            Reason::FrozenByChameleon { .. } => Self::FrozenByChameleon,
            Reason::TakingCompulsory { .. } => Self::TakingCompulsory,
            Reason::ChainMustContinue { .. } => Self::ChainGoesOn,
            Reason::PromotionMissing { .. } => Self::PromotionMissing,
            Reason::PromotionNotHere { .. } => Self::PromotionNotHere,
            Reason::PromotionRole { .. } => Self::PromotionRole,
            Reason::NotInReserve { .. } => Self::NotInReserve,
            Reason::NoManInReserve { .. } => Self::NoManInReserve,
            _ => Self::Other,
        }
    }

    fn of_castling(obstacle: CastlingObstacle) -> Self {
        match obstacle {
            CastlingObstacle::RightLost => Self::CastlingRightLost,
            CastlingObstacle::NoRook => Self::CastlingNoRook,
            CastlingObstacle::Between { .. } => Self::CastlingBetween,
            CastlingObstacle::InCheck { .. } => Self::CastlingInCheck,
            CastlingObstacle::Crosses { .. } => Self::CastlingCrosses,
            CastlingObstacle::LandsOn { .. } => Self::CastlingLandsOn,
            _ => Self::Other,
        }
    }
}

impl CaptureMethodCode {
    pub(super) fn of(method: CaptureMethod) -> Self {
        match method {
            CaptureMethod::Landing => Self::Landing,
            CaptureMethod::EnPassant { .. } => Self::EnPassant,
            CaptureMethod::Pincer { .. } => Self::Pincer,
            CaptureMethod::Coordination { .. } => Self::Coordination,
            CaptureMethod::Leap { .. } => Self::Leap,
            CaptureMethod::Withdrawal => Self::Withdrawal,
            CaptureMethod::Approach => Self::Approach,
            CaptureMethod::ShortLeap => Self::ShortLeap,
            CaptureMethod::LongLeap { .. } => Self::LongLeap,
            CaptureMethod::DoubleKnightLeap { .. } => Self::DoubleKnightLeap,
            CaptureMethod::Removal => Self::Removal,
            CaptureMethod::Custodian { .. } => Self::Custodian,
            _ => Self::Other,
        }
    }
}
