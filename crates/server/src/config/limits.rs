use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::text::{as_text, choices, number, seconds};
use crate::limits::Rate;

/// A predefined set of limits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Preset {
    #[default]
    Default,
    /// For a class of 60 that shares one IP address. The per-address limits are higher than the defaults, and
    /// the per-visitor limits are the same.
    Club,
}

choices!(Preset: Default = "default", Club = "club");
as_text!(Preset);

/// Limits on the use of resources. The defaults suit a small machine. For IPv6, per-address limits apply to
/// whole networks.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Limits {
    /// The preset that supplies the limits that are not set explicitly.
    pub preset: Preset,
    /// The maximum number of connections.
    #[serde(with = "number")]
    pub connections: usize,
    /// The maximum number of connections from one IP address.
    #[serde(with = "number")]
    pub connections_per_address: usize,
    /// The maximum size of a socket message, and of most request bodies, in bytes.
    #[serde(with = "number")]
    pub message_bytes: usize,
    /// Messages on sockets, per visitor and per address.
    pub messages: Rate,
    pub messages_per_address: Rate,
    /// Games (including rematches), seeks, challenges, saved analyses, published problems, and attempts at
    /// problems, per visitor and per address.
    pub creations: Rate,
    pub creations_per_address: Rate,
    /// Trees of conditional turns, per visitor and per address.
    pub conditions: Rate,
    pub conditions_per_address: Rate,
    /// Touches and announcements of *j'adoube* in games with touch-move, per visitor and per address.
    pub touches: Rate,
    pub touches_per_address: Rate,
    /// Snapshots of games that clients request again on a socket, and snapshots of the hall requested on a
    /// socket or over HTTP, per visitor and per address.
    pub resyncs: Rate,
    pub resyncs_per_address: Rate,
    /// Requests that load a game: its page, snapshot, PGN, socket, picture, animation or invitation, per
    /// visitor and per address.
    pub snapshots: Rate,
    pub snapshots_per_address: Rate,
    /// Exports of many games, of all of an account's analyses or of all its data, per visitor and per
    /// address.
    pub exports: Rate,
    pub exports_per_address: Rate,
    /// HTTP requests of any kind, per address.
    pub requests_per_address: Rate,
    /// Wrong passwords, counted per name and address together, per known browser, and per session. Also wrong
    /// second-factor codes.
    pub sign_ins: Rate,
    /// Requests to register, sign in, recover or change an account, or use an invitation to the house, per
    /// address. They count whether or not their password or token is right.
    pub sign_ins_per_address: Rate,
    /// Wrong passwords per name, from all addresses.
    pub wrong_passwords_per_name: Rate,
    /// Wrong passwords per address, for all names.
    pub wrong_passwords_per_address: Rate,
    /// Registrations of accounts, per address.
    pub registrations_per_address: Rate,
    /// Requests for a recovery link, per address.
    pub recoveries_per_address: Rate,
    /// Requests for a confirmation link, per address.
    pub confirmations_per_address: Rate,
    /// Chat lines, and reports of them, per visitor and per address.
    pub chat_lines: Rate,
    pub chat_lines_per_address: Rate,
    /// Bytes stored, per visitor and per address.
    pub bytes: Rate,
    pub bytes_per_address: Rate,
    /// The maximum size of an account's analyses and composed problems, in bytes.
    #[serde(with = "number")]
    pub account_bytes: u64,
    /// The number of free bytes on the disk below which new games and other new data are refused. Zero
    /// disables the check.
    #[serde(with = "number")]
    pub low_disk_bytes: u64,
    /// The time limit for an export of many games, of all of an account's analyses or of all its data.
    #[serde(rename = "export_s", with = "seconds")]
    pub export_time: Duration,
    /// The maximum number of passwords hashed at the same time.
    #[serde(with = "number")]
    pub hashes: usize,
    /// The maximum number of composed problems proved at the same time.
    #[serde(with = "number")]
    pub proofs: usize,
    /// The maximum number of positions that a proof examines.
    #[serde(with = "number")]
    pub proof_nodes: u64,
    /// The time limit for a proof. The wait before it starts is limited to half of this time. Both together
    /// must be less than `request_time`.
    #[serde(rename = "proof_s", with = "seconds")]
    pub proof_time: Duration,
    /// Requests for a proof, per visitor and per address.
    pub proof_asks: Rate,
    pub proof_asks_per_address: Rate,
    /// The time limit for the headers of a request.
    #[serde(rename = "header_s", with = "seconds")]
    pub header_time: Duration,
    /// The time limit for a request as a whole.
    #[serde(rename = "request_s", with = "seconds")]
    pub request_time: Duration,
    /// The write timeout of a connection or socket.
    #[serde(rename = "send_s", with = "seconds")]
    pub send_time: Duration,
    /// The time without a message from the client after which a socket is closed.
    #[serde(rename = "silence_s", with = "seconds")]
    pub silence: Duration,
    /// The time allowed for work in progress to finish when the server stops.
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
            // A visible page pings up to twice every three seconds, and shows the connection as lost if its
            // pings are delayed. Therefore this rate must suffice for `connections_per_address` pages.
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
            // A full bucket and its refill together allow at most 20 MB in any hour.
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
                // A browser opens up to six connections for requests, one socket for each open page, and
                // another socket for each open game.
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
