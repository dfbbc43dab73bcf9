//! Checks and corrections of logs, for commands of the operator that run without a server.

use adoube_game::{Event, Game};
use adoube_protocol::Millis;
use serde_json::Value;

use crate::error::causes;

/// Replays a log. Returns the reason as an error if it cannot be replayed.
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

/// Sets every time in a log that is later than `latest` to `latest`.
pub fn set_log_back(bodies: &mut [String], latest: Millis) -> Result<(), String> {
    for body in &mut *bodies {
        let mut event: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        if clamp_times(&mut event, &["atMs", "fromMs", "untilMs"], latest) {
            *body = event.to_string();
        }
    }
    check_log(bodies.iter().map(String::as_str))
}

/// Sets later times back. Returns `true` if there were any.
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
