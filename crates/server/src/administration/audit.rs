//! Entries of the audit log.

use std::fmt::Write as _;

use adoube_documents::AuditDocument;
use adoube_protocol::{AdminAct, Millis, PlayerId};
use adoube_store::{AuditEntry, NewAuditEntry, chain};
use serde::Serialize;

use crate::error::{Error, LogError};

/// Returns the kind of an act: the `type` field of its JSON.
pub(super) fn kind(act: &AdminAct) -> Result<String, Error> {
    let value = serde_json::to_value(act).map_err(LogError::Write)?;
    let kind = value.get("type").and_then(serde_json::Value::as_str);
    kind.map(str::to_owned).ok_or(Error::Internal("an act without a type"))
}

/// Returns a value as JSON text. A string is returned without its quotation marks.
pub(super) fn text(value: &impl Serialize) -> Result<String, Error> {
    match serde_json::to_value(value).map_err(LogError::Write)? {
        serde_json::Value::String(text) => Ok(text),
        other => Ok(other.to_string()),
    }
}

pub(super) fn entry(document: &AuditDocument, at: Millis) -> Result<NewAuditEntry, Error> {
    let body = serde_json::to_string(document).map_err(LogError::Write)?;
    Ok(NewAuditEntry { at, body })
}

/// Writes an entry to the server's own log, with the hash that covers the audit log up to this entry.
pub(super) fn log(act: &str, by: Option<&PlayerId>, entry: &AuditEntry) {
    tracing::info!(
        number = entry.number,
        act,
        by = by.map_or("the operator", PlayerId::as_str),
        head = %hexadecimal(&entry.head),
        "administration"
    );
}

pub(super) fn hexadecimal(head: &chain::Head) -> String {
    head.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
