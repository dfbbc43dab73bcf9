//! Checks and corrections of game logs, for operator commands that run without a server.

use adoube_game::{Event, Game};
use adoube_protocol::Millis;
use serde_json::Value;

use crate::error::causes;

/// Replays a game's log, given as the JSON text of each event.
///
/// # Errors
///
/// The reason, as text, if an event cannot be read or the log cannot be replayed.
pub fn check_log<'a>(bodies: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let mut events = Vec::new();
    for (body, version) in bodies.into_iter().zip(1u64..) {
        let event = serde_json::from_str::<Event>(body);
        events.push(event.map_err(|error| format!("event {version} cannot be read: {error}"))?);
    }
    match Game::replay(&events) {
        Ok(_) => Ok(()),
        Err(error) => {
            let cause = causes(&error);
            Err(if cause.is_empty() { error.to_string() } else { format!("{error}: {cause}") })
        }
    }
}

/// Clamps the times in a game's log to at most `latest`, in place.
///
/// # Errors
///
/// The reason, as text, if an event is not JSON or the result cannot be replayed; see [`check_log`].
pub fn set_log_back(bodies: &mut [String], latest: Millis) -> Result<(), String> {
    for body in &mut *bodies {
        let mut event: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        if clamp_times(&mut event, &["atMs", "fromMs", "untilMs"], latest) {
            *body = event.to_string();
        }
    }
    check_log(bodies.iter().map(String::as_str))
}

/// Clamps the times in the fields `names` to at most `latest`. Returns `true` if any of them was later.
fn clamp_times(value: &mut Value, names: &[&str], latest: Millis) -> bool {
    let Some(fields) = value.as_object_mut() else { return false };
    let mut changed = false;
    for name in names {
        if let Some(at) = fields.get_mut(*name)
            && at.as_i64().is_some_and(|at| at > latest.0)
        {
            *at = latest.0.into();
            changed = true;
        }
    }
    changed
}
