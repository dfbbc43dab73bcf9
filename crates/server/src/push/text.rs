//! The text of a notification, in the account's language.

use adoube_notation::Language;
use adoube_protocol::Millis;
use adoube_store::Account;
use adoube_texts as texts;
use serde_json::json;

use super::{Notification, NotificationKind};
use crate::mail::{opponent_name, time_left};

/// Returns a notification as JSON for the service worker (`web/public/sw.js`), which shows its strings
/// unchanged.
pub(super) fn payload(account: &Account, notification: &Notification<'_>, now: Millis, stop: &str) -> String {
    let Notification { game, variant, opponent, deadline, kind } = notification;
    let language = account.language.parse::<Language>().unwrap_or_default();
    let mut args = texts::Args::new();
    args.set("game", texts::name(language, *variant));
    args.set("opponent", opponent_name(language, *opponent));
    args.set("left", deadline.map_or_else(String::new, |deadline| time_left(language, now, deadline)));
    let key = match kind {
        NotificationKind::Turn => "turn",
        NotificationKind::Warning => "warning",
    };
    json!({
        "title": texts::message(language, &format!("push-{key}-title"), &args),
        "body": texts::message(language, &format!("push-{key}-body"), &args),
        "language": language.code(),
        "path": format!("/game/{game}"),
        // Notifications shown by the game page have the same tag, so that one replaces the other.
        "tag": game,
        "stop": { "title": texts::text(language, "push-stop"), "token": stop },
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use adoube_protocol::GameId;
    use adoube_push::encryption::MAX_BYTES;
    use adoube_rules::Variant;
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_notification_is_complete_in_every_language() {
        let id = GameId::from_random(7);
        for language in Language::ALL {
            let account = crate::mail::account(language.code());
            let mut seen = std::collections::HashSet::new();
            for variant in Variant::ALL {
                for kind in [NotificationKind::Turn, NotificationKind::Warning] {
                    for opponent in [None, Some("Annabelle")] {
                        let deadline = Some(Millis(6 * 60 * 60 * 1000));
                        let notification = Notification { game: &id, variant, opponent, deadline, kind };
                        let text = payload(&account, &notification, Millis(0), "token");
                        assert!(text.len() < MAX_BYTES);
                        let read: Value = serde_json::from_str(&text).unwrap();
                        let field = |key: &str| read[key].as_str().unwrap().to_owned();
                        println!("{language}: {} · {}", field("title"), field("body"));
                        let all = field("title") + &field("body");
                        assert!(all.contains(&texts::name(language, variant)), "{all}");
                        assert!(opponent.is_none_or(|name| all.contains(name)), "{all}");
                        assert!(kind == NotificationKind::Turn || all.contains('6'), "{all}");
                        assert!(!all.contains(['{', '}', '$', '\u{2068}', '\n']) && !all.contains("push-"));
                        assert!(seen.insert(all));
                        assert_eq!(field("path"), format!("/game/{id}"));
                        assert_eq!(read["stop"]["token"], "token");
                        assert_ne!(read["stop"]["title"], "push-stop");
                    }
                }
            }
        }
    }
}
