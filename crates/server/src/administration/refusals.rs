//! The errors for acts that the store has refused.

use adoube_protocol::AdminAct;
use adoube_store::{Administered, Registered};

use super::RefusedNames;
use crate::error::Error;

/// Returns the error for an act that the store has refused.
pub(super) fn refused(act: &AdminAct, refusal: Administered) -> Error {
    let name_refused = |name: String, refusal: &Registered, error: Error| match act {
        AdminAct::AddPupils { .. } => Error::PupilNames(RefusedNames::of(name, refusal)),
        _ => error,
    };
    match refusal {
        Administered::Missing => missing(act),
        Administered::Unchanged => unchanged(act),
        Administered::LastAdministrator => Error::LastAdministrator,
        Administered::NameTaken(name) => name_refused(name, &Registered::NameTaken, Error::NameTaken),
        Administered::NameAlike(name) => name_refused(name, &Registered::NameAlike, Error::NameAlike),
        Administered::NameRetired(name, until) => {
            name_refused(name, &Registered::NameRetired(until), Error::NameRetired(until))
        }
        Administered::NotATeacher => Error::NotATeacher,
        Administered::ClassNameTaken => Error::ClassNameTaken,
        Administered::NoSecondFactor => Error::SecondFactorOff,
        Administered::NotAppended(_) => {
            Error::Internal("the store refused an append, but none was requested")
        }
        Administered::Done { .. } => Error::Internal("an act that was carried out was reported as refused"),
    }
}

/// Returns the error for an act that would change nothing.
fn unchanged(act: &AdminAct) -> Error {
    match act {
        AdminAct::Close { .. } => Error::AlreadyClosed,
        AdminAct::Reopen { .. } => Error::NotClosed,
        AdminAct::Approve { .. } => Error::NotPending,
        AdminAct::Rename { .. } => Error::SameName,
        AdminAct::Silence { .. } => Error::AlreadySilenced,
        AdminAct::Unsilence { .. } => Error::NotSilenced,
        AdminAct::EndSessions { .. } => Error::NoSessions,
        AdminAct::SetRole { .. } => Error::SameRole,
        AdminAct::GiveClass { .. } => Error::SameClass,
        AdminAct::HandleReport { .. } => Error::ReportHandled,
        AdminAct::HideGame { hidden: true, .. } => Error::AlreadyHidden,
        AdminAct::HideGame { hidden: false, .. } => Error::NotHidden,
        _ => Error::Internal("an act that always changes something was reported as unchanged"),
    }
}

/// Returns the error for an act whose target no longer exists.
fn missing(act: &AdminAct) -> Error {
    match act {
        AdminAct::HandleReport { .. } => Error::ReportNotFound,
        AdminAct::HideGame { .. } => Error::GameNotFound,
        AdminAct::GiveClass { .. } => Error::ClassNotFound,
        _ => Error::PlayerNotFound,
    }
}
