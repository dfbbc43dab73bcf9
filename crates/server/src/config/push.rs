//! Settings for notifications through the browsers' push services.

use adoube_push::PushService;
use serde::{Deserialize, Serialize};

use super::text;

/// The settings for push notifications.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct PushSettings {
    /// The push services that this server may use. If the list is empty, it sends no notifications.
    #[serde(with = "text::list")]
    pub services: Vec<PushService>,
}

impl Default for PushSettings {
    fn default() -> Self {
        Self { services: adoube_push::known_services() }
    }
}
