use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::text::{as_text, choices, number, seconds};
use crate::limits::Rate;

/// Limits that suit a kind of house.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Preset {
    #[default]
    Default,
    /// For a class of 60 behind one address. A person may do no more than by default; the share of an address is larger.
    Club,
}

choices!(Preset: Default = "default", Club = "club");
as_text!(Preset);

/// What bounds a visitor. The figures suit a small machine.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Limits {
    /// Where the values come from that are not set.
    pub preset: Preset,
    /// Connections of all visitors.
    #[serde(with = "number")]
    pub connections: usize,
    /// Connections of one IP address.
    #[serde(with = "number")]
    pub connections_per_address: usize,
    /// Bytes of a message on a socket, and of the body of a request.
    #[serde(with = "number")]
    pub message_bytes: usize,
    /// Messages of a visitor on sockets, and of an address.
    pub messages: Rate,
    pub messages_per_address: Rate,
    /// What a visitor creates: games, also those that follow from games, seeks, challenges, analyses, judged tries; and an address.
    pub creations: Rate,
    pub creations_per_address: Rate,
    /// Trees of conditional turns of a visitor, and of an address.
    pub conditions: Rate,
    pub conditions_per_address: Rate,
    /// Touches of a visitor, in games with touch-move, and of an address.
    pub touches: Rate,
    pub touches_per_address: Rate,
    /// Whole games and halls that a visitor asks for anew, and an address.
    pub resyncs: Rate,
    pub resyncs_per_address: Rate,
    /// Files of many games and of all that is kept, of a visitor and of an address.
    pub exports: Rate,
    pub exports_per_address: Rate,
    /// HTTP requests from an address, of any kind.
    pub requests_per_address: Rate,
    /// Wrong passwords of a name from one address, of a browser that an account knows, and in one session.
    pub sign_ins: Rate,
    /// Requests with a password from an address, right or wrong: signing in, registering, a link to recover an account.
    pub sign_ins_per_address: Rate,
    /// Wrong passwords of a name from all addresses.
    pub wrong_passwords_per_name: Rate,
    /// Wrong passwords from an address, of all names.
    pub wrong_passwords_per_address: Rate,
    /// Accounts that are registered from an address.
    pub registrations_per_address: Rate,
    /// Links to recover an account that are asked for from an address.
    pub recoveries_per_address: Rate,
    /// Links to confirm an address of mail that are asked for from an address.
    pub confirmations_per_address: Rate,
    /// Lines of chat of a visitor, and of an address.
    pub chat_lines: Rate,
    pub chat_lines_per_address: Rate,
    /// Bytes that a visitor, and an address, can cause to be kept.
    pub bytes: Rate,
    pub bytes_per_address: Rate,
    /// Bytes that the analyses and composed problems of an account may take.
    #[serde(with = "number")]
    pub account_bytes: u64,
    /// When less than so many bytes are free where the data is, nothing new is begun; 0 if that is not to be looked at.
    #[serde(with = "number")]
    pub low_disk_bytes: u64,
    /// Time for a file of many games, or of all that is kept of an account.
    #[serde(rename = "export_s", with = "seconds")]
    pub export_time: Duration,
    /// Passwords that are hashed at the same time.
    #[serde(with = "number")]
    pub hashes: usize,
    /// Composed problems that are proved at the same time.
    #[serde(with = "number")]
    pub proofs: usize,
    /// Positions that a proof may look at.
    #[serde(with = "number")]
    pub proof_nodes: u64,
    /// Time for a proof; half of it for the wait before. Together less than `request_time`.
    #[serde(rename = "proof_s", with = "seconds")]
    pub proof_time: Duration,
    /// Proofs that a visitor may ask for, and an address.
    pub proof_asks: Rate,
    pub proof_asks_per_address: Rate,
    /// Time for the headers of a request.
    #[serde(rename = "header_s", with = "seconds")]
    pub header_time: Duration,
    /// Time for a request as a whole.
    #[serde(rename = "request_s", with = "seconds")]
    pub request_time: Duration,
    /// Time for a socket to take what it is sent; then it is closed.
    #[serde(rename = "send_s", with = "seconds")]
    pub send_time: Duration,
    /// Silence after which a socket is closed.
    #[serde(rename = "silence_s", with = "seconds")]
    pub silence: Duration,
    /// Time for what is under way when the server stops.
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
            messages_per_address: Rate::new(1_000, Duration::from_secs(20)),
            creations: Rate::per_min(60),
            creations_per_address: Rate::per_min(60),
            conditions: Rate::per_min(20),
            conditions_per_address: Rate::per_min(60),
            touches: Rate::per_min(120),
            touches_per_address: Rate::per_min(600),
            resyncs: Rate::per_min(20),
            resyncs_per_address: Rate::per_min(120),
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
            // A full bucket and what comes back: at most 20 MB in any hour.
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
                // Browsers open up to six, and a game is a socket more.
                connections_per_address: 1_024,
                messages_per_address: Rate::new(6_000, Duration::from_secs(20)),
                creations_per_address: Rate::per_min(600),
                conditions_per_address: Rate::per_min(600),
                touches_per_address: Rate::per_min(6_000),
                resyncs_per_address: Rate::per_min(1_200),
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
