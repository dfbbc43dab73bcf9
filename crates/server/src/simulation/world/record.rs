//! The record of a run, for the checks.

use std::collections::BTreeMap;

use adoube_protocol::{CommandId, GameId, PlayerId, SessionId};

use super::super::{disruption::Disruptions, hall, opponent::Search};
use crate::auth::Visitor;

/// The act of a command, insofar as it is visible in the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(in super::super) enum ActName {
    Play(String),
    Other(&'static str),
}

/// A command from a client.
#[derive(Clone, Debug)]
pub(in super::super) struct Sent {
    pub(in super::super) game: GameId,
    /// `None` for a spectator.
    pub(in super::super) by: Option<adoube_rules::Color>,
    pub(in super::super) act: ActName,
    pub(in super::super) accepted: Option<u64>,
    /// The number of times that the command was sent.
    pub(in super::super) copies: u32,
    /// The number of times that the command was permanently refused.
    pub(in super::super) refused: u32,
}

/// The period of a visitor's connection, as seen by both sides. Times are in milliseconds by the database's
/// clock; `until` and `disconnected_at` are `i64::MAX` while the connection is open.
#[derive(Clone, Debug)]
pub(in super::super) struct Span {
    pub(in super::super) client: u64,
    pub(in super::super) game: GameId,
    /// `None` for a spectator.
    pub(in super::super) side: Option<adoube_rules::Color>,
    pub(in super::super) node: usize,
    /// The time at which the client received the first message.
    pub(in super::super) from: i64,
    /// The time at which the client gave up on the connection, or found that it was closed.
    pub(in super::super) until: i64,
    /// The time at which the process noticed the end of the connection.
    pub(in super::super) disconnected_at: i64,
    /// The longest possible round trip of the connection, in milliseconds.
    pub(in super::super) longest_round_trip_ms: i64,
    /// The versions of the game that the client learned of, each with the time.
    pub(in super::super) received_versions: Vec<(u64, i64)>,
}

/// Everything that is recorded for the checks at the end.
#[derive(Debug, Default)]
pub(in super::super) struct Record {
    pub(in super::super) sent: BTreeMap<CommandId, Sent>,
    /// Every event as it was published, by game and version.
    pub(in super::super) published: BTreeMap<(GameId, u64), String>,
    /// The times at which the events of games were stored, by game and version.
    pub(in super::super) stored_at: BTreeMap<(GameId, u64), i64>,
    /// Downtimes, by the server's time, in which no process ran, all were paused, or the database was
    /// unreachable.
    pub(in super::super) downtimes: Vec<(i64, i64)>,
    /// The times, by the server's time, at which a start ended a downtime.
    pub(in super::super) restarted_at: Vec<i64>,
    /// The maximum duration of a disk sync, in milliseconds.
    pub(in super::super) longest_sync_ms: i64,
    /// All disruptions, for the checks of a house with several processes.
    pub(in super::super) disruptions: Disruptions,
    /// The connections of all visitors.
    pub(in super::super) spans: Vec<Span>,
    /// The admissions of players by processes: the game, the side and the time. A client may have given up
    /// on the connection before it received anything.
    pub(in super::super) admissions: Vec<(GameId, adoube_rules::Color, i64)>,
    /// The seeks whose creation was confirmed.
    pub(in super::super) seeks: Vec<hall::ConfirmedSeek>,
    /// The machine's searches.
    pub(in super::super) searches: Vec<Search>,
    /// The times at which credentials ended, by the database's clock.
    pub(in super::super) ended: BTreeMap<Credential, i64>,
    /// The number of times that a process started.
    pub(in super::super) starts: u64,
    /// The number of pauses, of one process or of all.
    pub(in super::super) stalls: u64,
    pub(in super::super) games: Vec<GameId>,
    pub(in super::super) violations: Vec<String>,
    /// A digest of all messages to the clients, with their times, and of the logs at the end.
    pub(super) trace: u64,
    pub(super) down_since_ms: Option<i64>,
    /// Whether White and Black are connected, according to the last message to each client.
    pub(in super::super) presence: BTreeMap<u64, (bool, bool)>,
    /// The game of each client and the version that it knows, or 0 if it knows none or a command is
    /// unanswered.
    pub(in super::super) at_rest: BTreeMap<u64, (GameId, u64)>,
}

/// A credential that identifies a visitor to the server.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(in super::super) enum Credential {
    Identity(PlayerId),
    Session(SessionId),
}

impl Credential {
    pub(in super::super) fn of(visitor: &Visitor) -> Self {
        match &visitor.session {
            Some(session) => Self::Session(session.clone()),
            None => Self::Identity(visitor.player.clone()),
        }
    }
}
