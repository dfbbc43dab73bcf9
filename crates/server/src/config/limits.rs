use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::text::{as_text, choices, number, seconds};
use crate::limits::Rate;

/// A set of limits for a kind of house.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Preset {
    #[default]
    Default,
    /// For a class of 60 behind one address. The limits by visitor are the default ones; those by address are
    /// larger.
    Club,
}

choices!(Preset: Default = "default", Club = "club");
as_text!(Preset);

/// Limits on the use of resources. The defaults are meant for a small machine.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Limits {
    /// The source of the values that are not set.
    pub preset: Preset,
    /// Total number of connections.
    #[serde(with = "number")]
    pub connections: usize,
    /// Number of connections of one IP address.
    #[serde(with = "number")]
    pub connections_per_address: usize,
    /// The maximum size of a message on a socket, and of the body of a request, in bytes.
    #[serde(with = "number")]
    pub message_bytes: usize,
    /// Messages on sockets, by visitor and by address.
    pub messages: Rate,
    pub messages_per_address: Rate,
    /// Creations, by visitor and by address: games (including those that follow from other games), seeks,
    /// challenges, analyses, and judged attempts.
    pub creations: Rate,
    pub creations_per_address: Rate,
    /// Trees of conditional turns, by visitor and by address.
    pub conditions: Rate,
    pub conditions_per_address: Rate,
    /// Touches in games with touch-move, by visitor and by address.
    pub touches: Rate,
    pub touches_per_address: Rate,
    /// Snapshots of games and of the hall that are requested again, by visitor and by address.
    pub resyncs: Rate,
    pub resyncs_per_address: Rate,
    /// Games that are opened, as a page or by a socket, by visitor and by address.
    pub snapshots: Rate,
    pub snapshots_per_address: Rate,
    /// Files of many games or of all data of an account, by visitor and by address.
    pub exports: Rate,
    pub exports_per_address: Rate,
    /// HTTP requests of any kind, by address.
    pub requests_per_address: Rate,
    /// Wrong passwords: of a name from one address, of a browser that the account knows, and in one session.
    pub sign_ins: Rate,
    /// Requests with a password, right or wrong, by address: signing in, registering, recovering an account.
    pub sign_ins_per_address: Rate,
    /// Wrong passwords of a name, from all addresses.
    pub wrong_passwords_per_name: Rate,
    /// Wrong passwords from an address, for all names.
    pub wrong_passwords_per_address: Rate,
    /// Registrations of accounts, by address.
    pub registrations_per_address: Rate,
    /// Requests for a recovery link, by address.
    pub recoveries_per_address: Rate,
    /// Requests for a confirmation link, by address.
    pub confirmations_per_address: Rate,
    /// Lines of chat, by visitor and by address.
    pub chat_lines: Rate,
    pub chat_lines_per_address: Rate,
    /// Bytes stored, by visitor and by address.
    pub bytes: Rate,
    pub bytes_per_address: Rate,
    /// The maximum size of the analyses and composed problems of an account, in bytes.
    #[serde(with = "number")]
    pub account_bytes: u64,
    /// Free bytes on the disk below which nothing new may begin; 0 switches the check off.
    #[serde(with = "number")]
    pub low_disk_bytes: u64,
    /// Time limit for a file of many games or of all data of an account.
    #[serde(rename = "export_s", with = "seconds")]
    pub export_time: Duration,
    /// Number of passwords that are hashed at the same time.
    #[serde(with = "number")]
    pub hashes: usize,
    /// Number of composed problems that are proved at the same time.
    #[serde(with = "number")]
    pub proofs: usize,
    /// The maximum number of positions that a proof examines.
    #[serde(with = "number")]
    pub proof_nodes: u64,
    /// Time limit for a proof; the wait before it is limited to half of that. Together they must be less than
    /// `request_time`.
    #[serde(rename = "proof_s", with = "seconds")]
    pub proof_time: Duration,
    /// Requests for a proof, by visitor and by address.
    pub proof_asks: Rate,
    pub proof_asks_per_address: Rate,
    /// Time limit for the headers of a request.
    #[serde(rename = "header_s", with = "seconds")]
    pub header_time: Duration,
    /// Time limit for a request as a whole.
    #[serde(rename = "request_s", with = "seconds")]
    pub request_time: Duration,
    /// Write timeout of a socket.
    #[serde(rename = "send_s", with = "seconds")]
    pub send_time: Duration,
    /// Time without messages after which a socket is closed.
    #[serde(rename = "silence_s", with = "seconds")]
    pub silence: Duration,
    /// Time limit for work in progress when the server stops.
    #[serde(rename = "farewell_s", with = "seconds")]
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            preset: Preset::Default,
            connections: 20_000,
            connections_per_address: 256,
            message_bytes: 8 * 1024,
            messages: Rate::new(100, Duration::from_secs(20)),
            // Every visible page pings twice in three seconds. A page whose pings had to wait would report a
            // lost connection, so this rate suffices for `connections_per_address`.
            messages_per_address: Rate::new(4_000, Duration::from_secs(20)),
            creations: Rate::per_min(60),
            creations_per_address: Rate::per_min(60),
            conditions: Rate::per_min(20),
            conditions_per_address: Rate::per_min(60),
            touches: Rate::per_min(120),
            touches_per_address: Rate::per_min(600),
            resyncs: Rate::per_min(20),
            resyncs_per_address: Rate::per_min(120),
            snapshots: Rate::per_min(120),
            snapshots_per_address: Rate::per_min(1_200),
            exports: Rate::new(6, Duration::from_mins(10)),
            exports_per_address: Rate::new(20, Duration::from_mins(10)),
            requests_per_address: Rate::new(3_000, Duration::from_secs(10)),
            sign_ins: Rate::per_hour(10),
            sign_ins_per_address: Rate::per_min(120),
            wrong_passwords_per_name: Rate::new(100, Duration::from_hours(2)),
            wrong_passwords_per_address: Rate::per_hour(120),
            registrations_per_address: Rate::per_hour(100),
            recoveries_per_address: Rate::per_hour(20),
            confirmations_per_address: Rate::new(100, Duration::from_hours(24)),
            chat_lines: Rate::new(5, Duration::from_secs(15)),
            chat_lines_per_address: Rate::new(30, Duration::from_secs(15)),
            // With a full bucket and its refill, at most 20 MB in any hour.
            bytes: Rate::per_hour(10_000_000),
            bytes_per_address: Rate::per_hour(10_000_000),
            account_bytes: 10_000_000,
            low_disk_bytes: 200_000_000,
            export_time: Duration::from_mins(10),
            hashes: 2,
            proofs: 2,
            proof_nodes: 6_000_000,
            proof_time: Duration::from_secs(8),
            proof_asks: Rate::new(20, Duration::from_mins(2)),
            proof_asks_per_address: Rate::new(20, Duration::from_mins(2)),
            header_time: Duration::from_secs(10),
            request_time: Duration::from_secs(15),
            send_time: Duration::from_secs(10),
            silence: Duration::from_secs(30),
            farewell: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// Returns the limits of a preset.
    pub fn of(preset: Preset) -> Self {
        let usual = Self::default();
        match preset {
            Preset::Default => usual,
            Preset::Club => Self {
                preset,
                // Browsers open up to six connections. Each page adds a socket, and each game another one.
                connections_per_address: 1_024,
                messages_per_address: Rate::new(16_000, Duration::from_secs(20)),
                creations_per_address: Rate::per_min(600),
                conditions_per_address: Rate::per_min(600),
                touches_per_address: Rate::per_min(6_000),
                resyncs_per_address: Rate::per_min(1_200),
                snapshots_per_address: Rate::per_min(6_000),
                exports_per_address: Rate::new(120, Duration::from_mins(10)),
                requests_per_address: Rate::new(12_000, Duration::from_secs(10)),
                sign_ins_per_address: Rate::per_min(240),
                wrong_passwords_per_address: Rate::per_hour(240),
                registrations_per_address: Rate::per_hour(240),
                recoveries_per_address: Rate::per_hour(120),
                confirmations_per_address: Rate::new(300, Duration::from_hours(24)),
                chat_lines_per_address: Rate::new(300, Duration::from_secs(15)),
                bytes_per_address: Rate::per_hour(100_000_000),
                proof_asks_per_address: Rate::new(100, Duration::from_mins(2)),
                ..usual
            },
        }
    }
}
