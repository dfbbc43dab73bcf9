//! The disk: what it holds, and the task that writes changes to it in groups.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};

use adoube_protocol::{Color, CommandId, GameId, InvitationToken, Millis, PlayerId};
use adoube_store::{Downtime, Game, NodeId, Phase, StoredEvent};
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    super::{chance::Chance, fault::Fault},
    nodes::{Connection, Lease},
};

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) secrets: BTreeMap<String, Vec<u8>>,
    pub(super) games: BTreeMap<GameId, (Game, Vec<StoredEvent>)>,
    pub(super) commands: BTreeMap<(PlayerId, CommandId), String>,
    pub(super) invitations: BTreeMap<InvitationToken, GameId>,
    pub(super) beat: Option<Millis>,
    pub(super) downtimes: Vec<Downtime>,
    pub(super) nodes: BTreeMap<NodeId, Lease>,
    pub(super) presence: BTreeMap<(GameId, Color, NodeId), Connection>,
}

/// The disk, which outlives the processes.
#[derive(Debug)]
pub(in super::super) struct Disk {
    pub(super) inside: Mutex<Inside>,
    pub(super) chance: Chance,
    pub(super) fault: Option<Fault>,
    pub(super) sync_ms: u64,
    /// Whether several processes use it.
    pub(super) is_shared: bool,
}

#[derive(Debug)]
pub(super) struct Inside {
    pub(super) state: State,
    /// The state after a crash, where that is less than was acknowledged.
    pub(super) synced: State,
    /// Percentage of groups that are refused.
    pub(super) refused: u64,
    pub(super) refusals: u64,
}

impl Disk {
    pub(in super::super) fn new(chance: Chance, fault: Option<Fault>, is_shared: bool) -> Arc<Self> {
        let refused = *chance.pick(&[0, 0, 0, 5]);
        let sync_ms = *chance.pick(&[0, 3, 20, 60]);
        let inside = Inside { state: State::default(), synced: State::default(), refused, refusals: 0 };
        Arc::new(Self { inside: Mutex::new(inside), chance, fault, sync_ms, is_shared })
    }

    pub(super) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }

    /// Stops refusing groups.
    pub(in super::super) fn calm(&self) {
        self.inside().refused = 0;
    }

    /// Returns the number of refused groups.
    pub(in super::super) fn refusals(&self) -> u64 {
        self.inside().refusals
    }

    /// Returns all games with their logs.
    pub(in super::super) fn logs(&self) -> Vec<(GameId, Vec<StoredEvent>)> {
        let inside = self.inside();
        inside.state.games.iter().map(|(id, (_, events))| (id.clone(), events.clone())).collect()
    }

    /// Returns the version and the phase of a game.
    pub(in super::super) fn standing(&self, id: &GameId) -> Option<(u64, Phase)> {
        self.inside().state.games.get(id).map(|(game, _)| (game.version.0, game.phase))
    }

    pub(in super::super) fn crash(&self) {
        if self.fault == Some(Fault::AnswerBeforeCommit) {
            let mut inside = self.inside();
            inside.state = inside.synced.clone();
        }
    }
}

/// Notifies the caller.
pub(super) type Reply = Box<dyn FnOnce() + Send>;
/// A change, which is given `None` if it is refused.
pub(super) type Job = Box<dyn FnOnce(Option<&mut State>) -> Reply + Send>;

/// Writes all waiting changes in one group, as long as the process lives.
pub(super) async fn write(
    disk: Arc<Disk>,
    crashed: CancellationToken,
    mut jobs: mpsc::UnboundedReceiver<Job>,
) {
    let chance = disk.chance.fork();
    let mut group = Vec::new();
    loop {
        tokio::select! {
            biased;
            () = crashed.cancelled() => return,
            count = jobs.recv_many(&mut group, 64) => if count == 0 { return },
        }
        sleep(chance.ms(disk.sync_ms)).await;
        if crashed.is_cancelled() {
            return;
        }
        let replies: Vec<_> = {
            let mut inside = disk.inside();
            if chance.percent(inside.refused) {
                inside.refusals += 1;
                group.drain(..).map(|job| job(None)).collect()
            } else {
                if disk.fault == Some(Fault::AnswerBeforeCommit) {
                    inside.synced = inside.state.clone();
                }
                group.drain(..).map(|job| job(Some(&mut inside.state))).collect()
            }
        };
        // The group is on the disk, and no caller knows yet.
        if chance.percent(20) {
            sleep(chance.ms(disk.sync_ms)).await;
        }
        if crashed.is_cancelled() {
            return;
        }
        for reply in replies {
            reply();
        }
    }
}
