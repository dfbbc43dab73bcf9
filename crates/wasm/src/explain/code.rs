//! The stable names of reasons and capture methods.

use adoube_rules::explain::{CaptureMethod, CastlingObstacle, Reason};
use serde::Serialize;

/// Declares a list of names for which the page has messages.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $code:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$of])* $code),* }

        #[cfg(test)]
        impl $name {
            pub(crate) const ALL: &[Self] = &[$(Self::$code),*];
        }
    };
}

codes! {
    /// A reason. The key of its message is `why-` followed by the name.
    ReasonCode {
        GameOver,
        NotYourTurn,
        Pass,
        NoMan,
        NotYourMan,
        #[serde(rename = "does-not-move-so")]
        InvalidMovement,
        NotFromStart,
        #[serde(rename = "other-shade")]
        WrongSquareColor,
        OddDistance,
        OwnMan,
        Occupied,
        Blocked,
        NothingToTake,
        NothingToLeap,
        LeapOverFriend,
        LeapOverOther,
        LeapEvenDistance,
        TwoInARow,
        TwoInOneLeap,
        NoRoomBehind,
        EnPassantNotPossible,
        EnPassantExposes,
        Pinned,
        CheckNotParried,
        DoubleCheck,
        KingExposed,
        KingLeftInCheck,
        CastlingRightLost,
        CastlingNoRook,
        CastlingBetween,
        CastlingInCheck,
        CastlingCrosses,
        CastlingLandsOn,
        FrozenByImmobilizer,
        FreesOnlyOthers,
        FrozenByChameleon,
        TakingCompulsory,
        ChainGoesOn,
        PromotionMissing,
        PromotionNotHere,
        PromotionRole,
        NotInReserve,
        #[serde(rename = "no-man-to-become")]
        NoManInReserve,
        /// A reason that is missing from this list because it is newer.
        Other,
    }
}

codes! {
    /// A way of taking. The key of its message is `way-` followed by the name.
    CaptureMethodCode {
        Landing,
        EnPassant,
        Pincer,
        Coordination,
        Leap,
        Withdrawal,
        Approach,
        ShortLeap,
        LongLeap,
        DoubleKnightLeap,
        Removal,
        Custodian,
        /// A way that is missing from this list because it is newer.
        Other,
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
