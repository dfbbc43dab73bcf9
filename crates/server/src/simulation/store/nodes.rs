//! Leases of nodes, the players connected to each node, and claims on the machine's turns.

use adoube_protocol::{Color, GameId, Millis, PlayerId};
use adoube_store::{
    CutOffPlayer, DeadNode, Downtime, LEASE_MS, LeaseRequest, Node, NodeId, NodeStore, Presence,
    PresenceChange, PresenceRow, Renewal, Result, RoomState, VisitorChange, VisitorList, VisitorStore,
    WorkStore,
};
use async_trait::async_trait;

use super::{super::fault::Fault, SimStore, disk::State};

/// A player's connections to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    since: Millis,
    /// The time at which the last connection ended; `None` while the player is connected.
    away_since: Option<Millis>,
    is_cut_off: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Lease {
    address: String,
    seen_at: Millis,
    valid_until: Millis,
    taken_by: Option<NodeId>,
}

impl State {
    pub(super) fn add_downtime(&mut self, downtime: Downtime) {
        match self.downtimes.iter_mut().find(|known| known.from == downtime.from) {
            Some(known) => known.until = known.until.max(downtime.until),
            None => self.downtimes.push(downtime),
        }
    }

    pub(super) fn start_node(&mut self, now: Millis, fault: Option<Fault>) -> Vec<Downtime> {
        if let Some(from) = self.heartbeat
            && from < now
        {
            self.add_downtime(Downtime { from, until: now });
        }
        self.heartbeat = self.heartbeat.max(Some(now));
        if fault == Some(Fault::ForgetDowntimes) { Vec::new() } else { self.downtimes.clone() }
    }

    fn claim(&mut self, id: &NodeId, game: &GameId, now: Millis, fault: Option<Fault>) -> bool {
        let Some((stored, _)) = self.games.get(game) else { return false };
        if !self.awaiting_machine.contains_key(game) {
            return false;
        }
        let version = stored.version;
        if self.is_claimed(id, game, now, fault) {
            return false;
        }
        self.claims.insert(game.clone(), (id.clone(), version));
        true
    }

    /// Returns `true` if another live process has claimed the machine's turn in a game.
    fn is_claimed(&self, by: &NodeId, game: &GameId, now: Millis, fault: Option<Fault>) -> bool {
        let Some((stored, _)) = self.games.get(game) else { return false };
        self.claims.get(game).is_some_and(|(holder, version)| {
            holder != by
                && *version == stored.version
                && (self.is_valid(holder, now) || fault == Some(Fault::ClaimForever))
                && fault != Some(Fault::GrantEveryClaim)
        })
    }

    fn is_valid(&self, id: &NodeId, now: Millis) -> bool {
        self.nodes.get(id).is_some_and(|lease| lease.valid_until > now)
    }

    fn renew(&mut self, request: &LeaseRequest, since: Millis, fault: Option<Fault>) -> Renewal {
        let (id, address) = (request.id.clone(), request.address.clone());
        // A valid lease is renewed in one statement, which uses the time of the request.
        let was_valid = self.is_valid(&id, request.now);
        let now = if was_valid { request.now } else { request.granted_at() };
        if !self.nodes.contains_key(&id) {
            for lease in self.nodes.values_mut().filter(|lease| lease.address == address) {
                lease.valid_until = lease.valid_until.min(now);
            }
        }
        let is_first = !self.nodes.keys().any(|other| self.is_valid(other, now));
        let is_start = fault == Some(Fault::DowntimeAtEachStart) && !was_valid;
        let latest = self.latest_heartbeat().filter(|_| is_first);
        if let Some(from) = latest.or(self.heartbeat.filter(|_| is_start)).filter(|&from| from < now) {
            self.add_downtime(Downtime { from, until: now });
        }
        let before = self.nodes.get(&id).map(|lease| lease.seen_at).filter(|_| !was_valid);
        let mut cut_off = None;
        if let Some(seen_at) = before {
            cut_off = (!is_first).then(|| DeadNode {
                id: id.clone(),
                seen_at,
                players: self.players_connected_only_to(&id, seen_at, now),
            });
            self.disconnect_all(&id, seen_at);
        }
        let new = Lease { address, seen_at: now, valid_until: now, taken_by: None };
        let lease = self.nodes.entry(id).or_insert(new);
        lease.seen_at = lease.seen_at.max(now);
        let lasts_ms = match fault {
            Some(Fault::LeaseForever) => 1_000 * LEASE_MS,
            Some(Fault::LeaseTooShort) => LEASE_MS / 4,
            _ => request.duration_ms(),
        };
        lease.valid_until = lease.valid_until.max(Millis(now.0 + lasts_ms));
        lease.taken_by = None;
        let downtimes = self.downtimes.iter().filter(|down| down.until > since).copied();
        let downtimes = if fault == Some(Fault::ForgetDowntimes) { Vec::new() } else { downtimes.collect() };
        let nodes = self.nodes.iter().filter(|(id, _)| self.is_valid(id, now));
        let node = |(id, lease): (&NodeId, &Lease)| Node {
            id: id.clone(),
            address: lease.address.clone(),
            seen_at: lease.seen_at,
        };
        Renewal { was_valid, cut_off, nodes: nodes.map(node).collect(), downtimes }
    }

    fn disconnect_all(&mut self, id: &NodeId, since: Millis) {
        for ((_, _, node), connection) in &mut self.presence {
            if node == id && connection.away_since.is_none() {
                connection.away_since = Some(since);
                connection.is_cut_off = true;
            }
        }
    }

    /// Returns the time of the last heartbeat of any node.
    pub(super) fn latest_heartbeat(&self) -> Option<Millis> {
        self.heartbeat.max(self.nodes.values().map(|lease| lease.seen_at).max())
    }

    fn players_connected_only_to(&self, id: &NodeId, seen_at: Millis, now: Millis) -> Vec<CutOffPlayer> {
        let connected =
            self.presence.iter().filter(|((_, _, node), it)| node == id && it.away_since.is_none());
        let player = |(game, color, _): &(GameId, Color, NodeId), mine: &Connection| {
            let lost_at = seen_at.max(mine.since);
            let others = self.presence.iter().filter(|((other, side, node), it)| {
                other == game
                    && side == color
                    && node != id
                    && (it.away_since.is_some() || self.is_valid(node, now))
            });
            let others = others.map(|(_, it)| *it).collect::<Vec<_>>();
            let stayed =
                |it: &Connection| it.since <= lost_at && it.away_since.is_none_or(|away| away > lost_at);
            let back_at = others.iter().map(|it| it.since).filter(|&since| since > lost_at).min();
            let player = CutOffPlayer {
                game: game.clone(),
                color: *color,
                last_seen_at: lost_at,
                reconnected_at: back_at,
            };
            (!others.iter().any(stayed)).then_some(player)
        };
        connected.filter_map(|(key, mine)| player(key, mine)).collect()
    }

    fn take_over(&mut self, by: &NodeId, now: Millis, fault: Option<Fault>) -> Vec<DeadNode> {
        let is_free = |state: &Self, (id, lease): &(&NodeId, &Lease)| {
            let taker = lease.taken_by.as_ref();
            *id != by
                && !state.is_valid(id, now)
                && taker.is_none_or(|it| it == by || !state.is_valid(it, now))
        };
        let dead = self.nodes.iter().filter(|node| is_free(self, node));
        let dead = dead.map(|(id, lease)| (id.clone(), lease.seen_at)).collect::<Vec<_>>();
        for (id, _) in &dead {
            self.nodes.entry(id.clone()).and_modify(|lease| lease.taken_by = Some(by.clone()));
        }
        let handed_over = |(id, seen_at): (NodeId, Millis)| DeadNode {
            players: self.players_connected_only_to(&id, seen_at, now),
            id,
            seen_at,
        };
        let all_players = |lost_at| {
            let player = |game: &GameId, color| CutOffPlayer {
                game: game.clone(),
                color,
                last_seen_at: lost_at,
                reconnected_at: None,
            };
            let both = |game: &GameId| [player(game, Color::White), player(game, Color::Black)];
            self.games.keys().flat_map(both).collect()
        };
        let dead = dead.into_iter().map(|(id, seen_at)| match fault {
            Some(Fault::ForgetRefunds) => DeadNode { players: Vec::new(), id, seen_at },
            Some(Fault::RefundAllPlayers) => DeadNode { players: all_players(seen_at), id, seen_at },
            _ => handed_over((id, seen_at)),
        });
        dead.collect()
    }

    /// Returns the state of a game's room, without counting spectators.
    fn room_of(&self, game: &GameId) -> Option<RoomState> {
        let is_here = |color: Color| {
            self.presence.iter().any(|((other, side, _), connected)| {
                other == game && *side == color && connected.away_since.is_none()
            })
        };
        let (stored, _) = self.games.get(game)?;
        Some(RoomState {
            game: game.clone(),
            version: stored.version,
            white: is_here(Color::White),
            black: is_here(Color::Black),
            watchers: 0,
        })
    }

    fn presence_of(&self, game: &GameId, color: Color, now: Millis) -> Presence {
        let of_player = self.presence.iter().filter(|((other, side, _), _)| other == game && *side == color);
        let row = |((_, _, node), connection): (&(GameId, Color, NodeId), &Connection)| PresenceRow {
            node: node.clone(),
            away_since: connection.away_since,
            is_cut_off: connection.is_cut_off,
            lease: self.nodes.get(node).map(|lease| (lease.seen_at, lease.valid_until)),
        };
        Presence::of(&of_player.map(row).collect::<Vec<_>>(), now)
    }
}

#[async_trait]
impl NodeStore for SimStore {
    fn is_shared(&self) -> bool {
        self.disk.is_shared
    }

    async fn time(&self) -> Result<Option<Millis>> {
        if !self.disk.is_shared {
            return Ok(None);
        }
        // Two reads simulate the network delay in both directions.
        let now = self.read(|_| ()).await.map(|()| self.disk.now_ms())?;
        self.read(|_| Some(Millis(now))).await
    }

    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal> {
        let fault = self.disk.fault;
        self.change(move |state| state.renew(&request, since, fault)).await
    }

    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>> {
        let is_ignored = matches!(self.disk.fault, Some(Fault::ForgetReturns | Fault::ForgetRefunds));
        let seen_at = self.read(|state| state.nodes.get(id).map(|lease| lease.seen_at)).await?;
        Ok(if is_ignored { Some(Millis(i64::MAX)) } else { seen_at })
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        let id = id.clone();
        self.change(move |state| {
            state.disconnect_all(&id, now);
            state.heartbeat = state.heartbeat.max(Some(now));
            state.nodes.remove(&id);
        })
        .await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        let (by, fault) = (by.clone(), self.disk.fault);
        self.change(move |state| state.take_over(&by, now, fault)).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        if self.disk.fault == Some(Fault::KeepDeadPresence) {
            return Ok(true);
        }
        let (by, id) = (by.clone(), id.clone());
        self.change(move |state| {
            let lease = state.nodes.get(&id).filter(|lease| lease.valid_until <= now);
            let Some(seen_at) = lease.filter(|lease| lease.taken_by == Some(by)).map(|lease| lease.seen_at)
            else {
                return false;
            };
            state.nodes.remove(&id);
            state.heartbeat = state.heartbeat.max(Some(seen_at));
            state.disconnect_all(&id, seen_at);
            true
        })
        .await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        if self.disk.fault == Some(Fault::ForgetPresence) {
            return Ok(());
        }
        let (id, changes) = (id.clone(), changes.to_vec());
        self.change(move |state| {
            if !state.nodes.contains_key(&id) {
                return;
            }
            for PresenceChange { game, color, since, away_since } in changes {
                let connection = Connection { since, away_since, is_cut_off: false };
                state.presence.insert((game, color, id.clone()), connection);
            }
        })
        .await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        if self.disk.fault == Some(Fault::IgnorePresence) {
            return Ok(Presence::Unknown);
        }
        let presence = self.read(|state| state.presence_of(game, color, now)).await?;
        if self.disk.fault != Some(Fault::ForgetRefunds) {
            return Ok(presence);
        }
        Ok(match presence {
            Presence::Connected { node, .. } => Presence::Connected { node, seen_at: now },
            Presence::Lost { .. } => Presence::Connected { node: NodeId::from_random(0), seen_at: now },
            Presence::Away { since, .. } => Presence::Away { since, is_cut_off: false },
            Presence::Unknown => Presence::Unknown,
        })
    }

    async fn tidy_presence(&self, before: Millis, _: u32) -> Result<u64> {
        let old = move |connection: &Connection| connection.away_since.is_some_and(|since| since < before);
        self.change(move |state| {
            let count = state.presence.len();
            state.presence.retain(|_, connection| !old(connection));
            (count - state.presence.len()) as u64
        })
        .await
    }

    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool> {
        let (id, game, fault) = (id.clone(), game.clone(), self.disk.fault);
        self.change(move |state| state.claim(&id, &game, now, fault)).await
    }
}

#[async_trait]
impl WorkStore for SimStore {
    async fn list_unclaimed_turns(
        &self,
        by: &NodeId,
        now: Millis,
        waiting_since: Millis,
        limit: u32,
    ) -> Result<Vec<GameId>> {
        if self.disk.fault == Some(Fault::ForgetMachineTurns) {
            return Ok(Vec::new());
        }
        let fault = self.disk.fault;
        let waiting = |state: &State| {
            let mut waiting = state.awaiting_machine.iter().collect::<Vec<_>>();
            waiting.retain(|&(game, &at)| at <= waiting_since && !state.is_claimed(by, game, now, fault));
            waiting.sort_by_key(|&(game, &at)| (at, game.clone()));
            waiting.into_iter().take(limit as usize).map(|(game, _)| game.clone()).collect()
        };
        self.read(waiting).await
    }
}

#[async_trait]
impl VisitorStore for SimStore {
    async fn set_visitors(&self, _: &NodeId, _: &[VisitorChange], _: Millis) -> Result<()> {
        Ok(())
    }

    async fn list_visitors(&self, _: u32) -> Result<VisitorList> {
        Ok(VisitorList::default())
    }

    async fn is_visiting(&self, _: &PlayerId) -> Result<bool> {
        Ok(false)
    }

    async fn list_absent(&self, _: &[PlayerId], _: Millis) -> Result<Vec<PlayerId>> {
        Ok(Vec::new())
    }

    async fn set_watchers(&self, _: &NodeId, _: &[(GameId, u32)]) -> Result<()> {
        Ok(())
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        self.read(|state| games.iter().filter_map(|game| state.room_of(game)).collect()).await
    }
}
