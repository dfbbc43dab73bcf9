//! Games. Commands become events, which are stored in the game's log and then published to its players and
//! spectators.
//!
//! `ledger` decides, appends and publishes. `commands` passes it the players' commands, and `create` passes
//! it new games. Once events are on disk, `follow` starts the reactions to them: the next game of a match
//! (`matches`), reminders (`reminders`), news for the players (`news`), and the machine's replies
//! (`machine_reply`). `warnings` warns players of deadlines.

mod commands;
mod create;
mod follow;
mod ledger;
mod machine_reply;
mod matches;
mod memory;
mod news;
mod receipt;
mod reminders;
mod warnings;

use std::sync::Arc;

use adoube_bus::Bus;
use adoube_game::Game;
use adoube_protocol::{CommandId, GameId, PlayerId};
use adoube_rules::Color;
use adoube_store::{Cursor, NodeId, Store};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

pub(crate) use self::{
    commands::Commands,
    create::Creator,
    ledger::{Ledger, LoadedGame},
    news::GameNewsPublisher,
    reminders::Reminders,
    warnings::Warnings,
};
use self::{follow::Followers, machine_reply::MachineReplies, matches::Matches, memory::Tenants};
use crate::{
    administration::HouseCache,
    attendance::Attendance,
    clock::Clock,
    downtimes::Downtimes,
    entropy::Entropy,
    error::Error,
    lease::Lease,
    limits::Tenant,
    machine::MachineNotifier,
    mail::EmailSender,
    metrics::Metrics,
    names::{Names, player_of},
    publisher::Publisher,
    push::Pushes,
    wire::{self, View},
};

/// The services that games depend on.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) notifier: MachineNotifier,
    pub(crate) names: Arc<Names>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) attendance: Arc<Attendance>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) emails: Arc<EmailSender>,
    pub(crate) pushes: Arc<Pushes>,
    /// The node id under which this process sends reminders, or `None` if other processes send them.
    pub(crate) sender: Option<NodeId>,
    pub(crate) downtimes: Arc<Downtimes>,
    pub(crate) lease: Arc<Lease>,
}

/// The games of the server.
#[derive(Debug)]
pub(crate) struct Games {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) creator: Arc<Creator>,
    pub(crate) commands: Arc<Commands>,
    pub(crate) reminders: Arc<Reminders>,
    pub(crate) news: Arc<GameNewsPublisher>,
    pub(crate) publisher: Publisher,
    matches: Arc<Matches>,
    /// Keeps the followers alive, because the ledger holds only a weak reference.
    _followers: Arc<Followers>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    names: Arc<Names>,
    tenants: Tenants,
}

impl Games {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts {
            store,
            bus,
            clock,
            entropy,
            notifier,
            names,
            house,
            attendance,
            metrics,
            emails,
            pushes,
            sender,
            downtimes,
            lease,
        } = parts;
        let publisher = Publisher::new(Arc::clone(&bus));
        let ledger = Arc::new(Ledger::new(
            (Arc::clone(&store), Arc::clone(&names), Arc::clone(&attendance.rooms)),
            downtimes,
            publisher.clone(),
            Arc::clone(&lease),
            Arc::clone(&metrics),
        ));
        let creator = Arc::new(Creator {
            ledger: Arc::clone(&ledger),
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
            names: Arc::clone(&names),
            house,
            metrics: Arc::clone(&metrics),
        });
        let news = Arc::new(GameNewsPublisher {
            bus,
            ledger: Arc::clone(&ledger),
            names: Arc::clone(&names),
            rooms: Arc::clone(&attendance.rooms),
            is_shared: attendance.is_shared(),
        });
        let matches = Arc::new(Matches {
            ledger: Arc::clone(&ledger),
            creator: Arc::clone(&creator),
            store: Arc::clone(&store),
            publisher: publisher.clone(),
            news: Arc::clone(&news),
        });
        let commands = Arc::new(Commands {
            ledger: Arc::clone(&ledger),
            creator: Arc::clone(&creator),
            matches: Arc::clone(&matches),
            store: Arc::clone(&store),
            attendance: Arc::clone(&attendance),
            lease,
            metrics,
        });
        let reminders = Arc::new(Reminders {
            store: Arc::clone(&store),
            attendance,
            names: Arc::clone(&names),
            emails,
            pushes,
            sender,
        });
        let replies = Arc::new(MachineReplies {
            commands: Arc::clone(&commands),
            matches: Arc::clone(&matches),
            entropy,
        });
        let followers = Arc::new(Followers {
            notifier,
            matches: Arc::clone(&matches),
            reminders: Arc::clone(&reminders),
            news: Arc::clone(&news),
            replies,
        });
        ledger.observe(&followers);
        Self {
            ledger,
            creator,
            commands,
            reminders,
            news,
            publisher,
            matches,
            _followers: followers,
            store,
            clock,
            names,
            tenants: Tenants::default(),
        }
    }

    /// Returns a complete game as a visitor sees it.
    pub(crate) async fn snapshot(
        &self,
        id: &GameId,
        player: &PlayerId,
    ) -> Result<adoube_protocol::Game, Error> {
        let game = self.ledger.load(id).await?;
        let you = game.color_of(player);
        let names = self.names.of_game(&game).await?;
        let log = self.ledger.log(id, &game, you, &names).await?;
        let in_match = self.matches.state_of(id, &game).await?;
        let view = View { you, names, in_match, log, now: self.clock.now() };
        Ok(wire::snapshot(id, &game, view))
    }

    pub(crate) async fn awaiting_machine(
        &self,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<Cursor>, Error> {
        Ok(self.store.list_awaiting_machine(after, limit).await?)
    }

    /// Records a player's tenant, to which the machine's thinking in the player's games is charged.
    pub(crate) fn record_tenant(&self, player: &PlayerId, tenant: Tenant) {
        self.tenants.insert(player, tenant);
    }

    /// Returns the tenant to charge for the machine's thinking in a game.
    pub(crate) fn machine_tenant(&self, game: &Game) -> Tenant {
        let person = Color::ALL.into_iter().find_map(|color| player_of(&game.seats()[color]));
        person.map_or(Tenant::Server, |player| {
            self.tenants.get(player).unwrap_or_else(|| Tenant::Account(player.clone()))
        })
    }
}

/// Returns the player id used for commands not sent by a player, such as the machine's turns. In practice,
/// random ids do not collide with it.
fn system_player() -> PlayerId {
    PlayerId::from_random(0)
}

/// Derives a command id for creating a game that results from another object, such as a proposal or an
/// earlier game. All processes that try to create this game derive the same id, so it is created only once.
fn derived_command_id(from: &str, id: &str) -> CommandId {
    let digest = Sha256::new().chain_update(from).chain_update(id).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    CommandId(Uuid::from_bytes(bytes))
}
