//! Visitors that only watch the first game, and measure how late its turns reach them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;
use tokio::{task::JoinSet, time::Instant};

use crate::{
    game::Table,
    nodes::Nodes,
    player::{Event, Player, Received},
    report::Tally,
};

/// The instants at which the turns of a game were due, keyed by `VERSION TURN`.
pub(crate) type DueTurns = Arc<Mutex<HashMap<String, Instant>>>;

pub(crate) struct Spectators(JoinSet<()>);

impl Spectators {
    pub(crate) async fn stop(mut self) {
        self.0.shutdown().await;
    }
}

pub(crate) async fn watch(
    nodes: &Nodes,
    table: &Table,
    spectators: usize,
    tally: &Arc<Tally>,
) -> Result<Spectators> {
    let mut tasks = JoinSet::new();
    for number in 0..spectators {
        // Spectators have addresses beyond those of the players; the server gives each spectator an identity.
        let mut player = Player::new(nodes, table.id(), 1_000_000 + number, String::new());
        player.connect().await?;
        let (due, tally) = (Arc::clone(table.due_turns()), Arc::clone(tally));
        tasks.spawn(async move {
            loop {
                match player.receive().await {
                    Some(Ok(Received::Event { event: Event::Played { turn, .. }, version })) => {
                        player.version = version;
                        let key = format!("{version} {turn}");
                        let due = due.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
                        if let Some(due) = due {
                            tally.record_spectator_latency(due.elapsed());
                        }
                    }
                    Some(Ok(Received::Snapshot { game })) => player.version = game.version,
                    Some(Ok(Received::Event { version, .. })) => player.version = version,
                    Some(Ok(_)) => {}
                    Some(Err(_)) => tally.count_contradiction(),
                    None => {
                        player.reconnect().await;
                    }
                }
            }
        });
    }
    Ok(Spectators(tasks))
}
