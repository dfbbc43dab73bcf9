//! The errors for acts that the store has refused.

use adoube_protocol::AdminAct;

use crate::error::Error;

/// Returns the error for an act that would change nothing.
pub(super) fn unchanged(act: &AdminAct) -> Error {
    match act {
        AdminAct::Close { .. } => Error::ClosedAlready,
        AdminAct::Reopen { .. } => Error::NotClosed,
        AdminAct::Approve { .. } => Error::NotPending,
        AdminAct::Rename { .. } => Error::SameName,
        AdminAct::Silence { .. } => Error::SilencedAlready,
        AdminAct::Unsilence { .. } => Error::NotSilenced,
        AdminAct::EndSessions { .. } => Error::NoSessions,
        AdminAct::SetRole { .. } => Error::SameRole,
        AdminAct::HandleReport { .. } => Error::ReportHandled,
        AdminAct::HideGame { hidden: true, .. } => Error::HiddenAlready,
        AdminAct::HideGame { hidden: false, .. } => Error::NotHidden,
        _ => Error::Internal("this act always changes something"),
    }
}

/// Returns the error for an act whose target no longer exists.
pub(super) fn missing(act: &AdminAct) -> Error {
    match act {
        AdminAct::HandleReport { .. } => Error::ReportNotFound,
        AdminAct::HideGame { .. } => Error::GameNotFound,
        _ => Error::PlayerNotFound,
    }
}
