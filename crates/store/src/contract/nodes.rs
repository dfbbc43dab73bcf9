//! Nodes: leases, presence, and taking over from a dead node.

use std::sync::Arc;

use adoube_vocabulary::{Color, Level, Millis, NodeId, Version};

use super::{game_id, games::new_game};
use crate::{
    Append, Cursor, CutOffPlayer, DeadNode, Downtime, LEASE_MS, LeaseClock, LeaseRequest, NewEvent, Phase,
    Presence, PresenceChange, ReadModel, RunningGame, STARTING_LEASE_MS, Store,
};

fn node(number: u128) -> NodeId {
    NodeId::from_random(number)
}

/// A time later than all downtimes in the parts of the test that run before this one, so those downtimes are
/// not found here.
const START: i64 = 1_000_000;

fn at(ms: i64) -> Millis {
    Millis(START + ms)
}

/// Returns the lease request of a serving node, to be granted immediately.
pub(super) fn lease(id: &NodeId, address: &str, now: Millis) -> LeaseRequest {
    let (id, address) = (id.clone(), address.to_owned());
    LeaseRequest { id, address, is_serving: true, now, clock: LeaseClock::fixed(now) }
}

pub(super) async fn check(store: &Arc<dyn Store>) {
    leases_show_when_no_node_was_running(&**store).await;
    a_node_that_dies_while_it_starts_has_not_served(&**store).await;
    a_request_that_has_waited_finds_expired_leases(&**store).await;
    a_restarted_node_ends_its_earlier_lease(&**store).await;
    presence_is_the_same_on_every_node(&**store).await;
    a_dead_node_is_taken_over_once(store).await;
    players_who_reconnect_before_the_takeover_are_reported(&**store).await;
    a_slow_node_learns_which_players_it_has_cut_off(&**store).await;
    old_presence_is_deleted(&**store).await;
    one_node_computes_the_machines_turn(store).await;
    games_are_due_by_their_deadline(&**store).await;
}

async fn renew(store: &dyn Store, number: u128, ms: i64) -> (bool, Vec<NodeId>, Vec<Downtime>) {
    let address = format!("machine-{number}:8787");
    let renewal = store.renew_lease(lease(&node(number), &address, at(ms)), at(0)).await.unwrap();
    (renewal.was_valid, renewal.nodes.into_iter().map(|node| node.id).collect(), renewal.downtimes)
}

fn ids(numbers: &[u128]) -> Vec<NodeId> {
    let mut ids = numbers.iter().map(|&number| node(number)).collect::<Vec<_>>();
    ids.sort();
    ids
}

async fn leases_show_when_no_node_was_running(store: &dyn Store) {
    // The first node ends the downtime since the last heartbeat.
    let (was_valid, nodes, downtimes) = renew(store, 1, 0).await;
    assert_eq!(
        (was_valid, nodes, downtimes),
        (false, ids(&[1]), vec![]),
        "a downtime that ends at the requested time does not end after it"
    );
    assert_eq!(renew(store, 1, 1_000).await, (true, ids(&[1]), vec![]));
    // A second node starts while the first is running, so there is no downtime.
    assert_eq!(renew(store, 2, 1_500).await, (false, ids(&[1, 2]), vec![]));
    assert!(store.latest_write().await.unwrap() >= Some(at(1_500)));
    // The first node dies and comes back with a new lease. The second was running, so there is no downtime.
    assert_eq!(renew(store, 2, 3_500).await, (true, ids(&[1, 2]), vec![]));
    assert_eq!(renew(store, 2, 1_000 + LEASE_MS).await, (true, ids(&[2]), vec![]));
    assert_eq!(renew(store, 1, 6_000).await, (false, ids(&[1, 2]), vec![]));
    // Both die. The next node to start records the downtime, and the others learn of it from the store.
    let down = Downtime { from: at(6_000), until: at(60_000) };
    assert_eq!(renew(store, 3, 60_000).await, (false, ids(&[3]), vec![down]));
    assert_eq!(renew(store, 2, 60_100).await, (false, ids(&[2, 3]), vec![down]));
    // A node that stops gracefully needs no takeover.
    store.release_lease(&node(3), at(60_200)).await.unwrap();
    assert_eq!(renew(store, 2, 60_300).await, (true, ids(&[2]), vec![down]));
    // A renewal with an earlier time, from a clock that is behind, does not shorten the lease.
    assert_eq!(renew(store, 2, 60_000).await, (true, ids(&[2]), vec![down]));
    assert_eq!(renew(store, 2, 60_300 + LEASE_MS - 1).await, (true, ids(&[2]), vec![down]));
    store.release_lease(&node(2), at(65_000)).await.unwrap();
    forget_all_dead(store, 9, 90_000).await;
}

async fn a_node_that_dies_while_it_starts_has_not_served(store: &dyn Store) {
    renew(store, 11, 71_000).await;
    let starting = LeaseRequest { is_serving: false, ..lease(&node(12), "machine-12:8787", at(73_000)) };
    assert_eq!(store.renew_lease(starting, at(72_000)).await.unwrap().downtimes, []);
    // The node that died while starting never served, so it does not hide the downtime.
    let next = store.renew_lease(lease(&node(13), "machine-13:8787", at(74_000)), at(72_000)).await.unwrap();
    assert_eq!(STARTING_LEASE_MS, 1_000);
    assert_eq!(next.downtimes, [Downtime { from: at(73_000), until: at(74_000) }]);
    store.release_lease(&node(13), at(74_100)).await.unwrap();
    forget_all_dead(store, 9, 74_200).await;
}

async fn a_request_that_has_waited_finds_expired_leases(store: &dyn Store) {
    for number in [13, 14] {
        renew(store, number, 74_300).await;
    }
    renew(store, 13, 74_600).await;
    // The request is made while the other node's lease is valid, and granted after it has expired.
    let now = at(74_300 + LEASE_MS);
    let clock = LeaseClock::fixed(at(74_600 + LEASE_MS));
    let waited = LeaseRequest { clock, ..lease(&node(14), "machine-14:8787", now) };
    let renewal = store.renew_lease(waited, at(74_300)).await.unwrap();
    assert_eq!(renewal.downtimes, [Downtime { from: at(74_600), until: at(74_600 + LEASE_MS) }]);
    assert!(!renewal.was_valid && renewal.cut_off.is_none());
    store.release_lease(&node(14), at(74_600 + LEASE_MS)).await.unwrap();
    forget_all_dead(store, 9, 74_600 + LEASE_MS).await;
}

/// Takes over all dead nodes, and forgets them.
async fn forget_all_dead(store: &dyn Store, by: u128, ms: i64) {
    for dead in store.take_over(&node(by), at(ms)).await.unwrap() {
        assert!(store.forget_node(&node(by), &dead.id, at(ms)).await.unwrap());
    }
}

/// Connects a player, or disconnects one.
async fn change(store: &dyn Store, number: u128, game: u128, color: Color, away_since: Option<i64>) {
    change_since(store, number, (game, color), 0, away_since).await;
}

async fn change_since(
    store: &dyn Store,
    number: u128,
    (game, color): (u128, Color),
    since: i64,
    away_since: Option<i64>,
) {
    let change =
        PresenceChange { game: game_id(game), color, since: at(since), away_since: away_since.map(at) };
    store.set_presence(&node(number), &[change]).await.unwrap();
}

fn away(since: i64, is_cut_off: bool) -> Presence {
    Presence::Away { since: at(since), is_cut_off }
}

async fn a_restarted_node_ends_its_earlier_lease(store: &dyn Store) {
    renew(store, 15, 95_000).await;
    store.renew_lease(lease(&node(16), "machine-15:8787", at(96_000)), at(95_000)).await.unwrap();
    let renewal =
        store.renew_lease(lease(&node(16), "machine-15:8787", at(97_000)), at(95_000)).await.unwrap();
    assert_eq!(renewal.nodes.iter().map(|node| node.id.clone()).collect::<Vec<_>>(), ids(&[16]));
    // No other node was running in the meantime.
    assert_eq!(renewal.downtimes, [Downtime { from: at(95_000), until: at(96_000) }]);
    let dead = store.take_over(&node(16), at(97_000)).await.unwrap();
    assert_eq!(dead, [DeadNode { id: node(15), seen_at: at(95_000), players: vec![] }]);
    assert!(store.forget_node(&node(16), &node(15), at(97_000)).await.unwrap());
    store.release_lease(&node(16), at(97_000)).await.unwrap();
}

async fn presence_is_the_same_on_every_node(store: &dyn Store) {
    store.add_game(new_game(9_001, 901, 901)).await.unwrap();
    renew(store, 11, 100_000).await;
    renew(store, 12, 100_000).await;
    let presence =
        |ms| async move { store.lookup_presence(&game_id(9_001), Color::White, at(ms)).await.unwrap() };
    assert_eq!(presence(100_000).await, Presence::Unknown);
    let at_node = |number| Presence::Connected { node: node(number), seen_at: at(100_000) };
    change(store, 11, 9_001, Color::White, None).await;
    assert_eq!(presence(100_000).await, at_node(11));
    assert_eq!(store.last_renewal(&node(11)).await.unwrap(), Some(at(100_000)));
    assert_eq!(
        store.lookup_presence(&game_id(9_001), Color::Black, at(100_000)).await.unwrap(),
        Presence::Unknown
    );
    // A player with connections to two nodes counts as away from the moment when the last one ends.
    change(store, 12, 9_001, Color::White, None).await;
    change(store, 11, 9_001, Color::White, Some(100_500)).await;
    assert_eq!(presence(100_600).await, at_node(12));
    change(store, 12, 9_001, Color::White, Some(101_000)).await;
    assert_eq!(presence(101_500).await, away(101_000, false));
    change(store, 11, 9_001, Color::White, None).await;
    assert_eq!(presence(101_500).await, at_node(11));
    // The node dies. Until it comes back or another node takes over, the player counts as lost, not as away.
    assert_eq!(presence(100_000 + LEASE_MS).await, Presence::Lost { seen_at: at(100_000) });
    renew(store, 11, 110_000).await;
    assert_eq!(presence(110_000).await, away(101_000, false), "a new lease begins without players");
    change(store, 11, 9_001, Color::White, None).await;
    store.release_lease(&node(11), at(111_000)).await.unwrap();
    assert_eq!(presence(111_000).await, away(111_000, true));
    assert_eq!(store.last_renewal(&node(11)).await.unwrap(), None);
    // A game that does not exist has no players, and causes no error.
    change(store, 12, 9_999, Color::White, None).await;
    assert_eq!(
        store.lookup_presence(&game_id(9_999), Color::White, at(111_000)).await.unwrap(),
        Presence::Unknown
    );
    // A node that no longer exists causes no error either.
    change(store, 11, 9_001, Color::Black, None).await;
    assert_eq!(
        store.lookup_presence(&game_id(9_001), Color::Black, at(111_000)).await.unwrap(),
        Presence::Unknown
    );
    forget_all_dead(store, 19, 190_000).await;
}

async fn a_dead_node_is_taken_over_once(store: &Arc<dyn Store>) {
    for (number, game) in [(21, 9_011), (21, 9_012), (22, 9_012)] {
        store.add_game(new_game(game, 900 + game, game)).await.unwrap();
        renew(&**store, number, 200_000).await;
        change(&**store, number, game, Color::Black, None).await;
    }
    renew(&**store, 22, 202_500).await;
    renew(&**store, 23, 202_500).await;
    assert_eq!(store.take_over(&node(22), at(202_500)).await.unwrap(), [], "every lease is valid");
    let late = at(200_000 + LEASE_MS);
    let takers = [22, 23].map(|number| {
        let store = Arc::clone(store);
        tokio::spawn(async move { (number, store.take_over(&node(number), late).await.unwrap()) })
    });
    let mut taken = Vec::new();
    for taker in takers {
        let (number, dead) = taker.await.unwrap();
        taken.extend(dead.into_iter().map(|dead| (number, dead)));
    }
    let [(taker, dead)] = &taken[..] else { panic!("not taken over exactly once: {taken:?}") };
    // The other game's player is connected elsewhere, too.
    let lost = CutOffPlayer {
        game: game_id(9_011),
        color: Color::Black,
        last_seen_at: at(200_000),
        reconnected_at: None,
    };
    let players = vec![lost];
    assert_eq!(*dead, DeadNode { id: node(21), seen_at: at(200_000), players });
    // Until the taker has finished the takeover, it finds the dead node again. If the taker dies too, another
    // node finds both.
    assert_eq!(store.take_over(&node(*taker), late).await.unwrap().len(), 1);
    renew(&**store, 45 - taker, 210_000).await;
    let again = store.take_over(&node(45 - taker), at(210_000)).await.unwrap();
    assert_eq!(again.iter().map(|dead| dead.id.clone()).collect::<Vec<_>>(), {
        let mut expected = vec![node(21), node(*taker)];
        expected.sort();
        expected
    });
    let (taker, other) = (node(*taker), node(45 - taker));
    assert!(
        !store.forget_node(&taker, &node(21), at(210_000)).await.unwrap(),
        "another node has taken it over"
    );
    for dead in again {
        assert!(store.forget_node(&other, &dead.id, at(210_000)).await.unwrap());
        assert!(!store.forget_node(&other, &dead.id, at(210_000)).await.unwrap());
    }
    assert_eq!(store.take_over(&other, at(210_000)).await.unwrap(), []);
    let presence = store.lookup_presence(&game_id(9_011), Color::Black, at(210_000)).await.unwrap();
    assert_eq!(presence, away(200_000, true));
    store.release_lease(&other, at(210_000)).await.unwrap();
}

async fn players_who_reconnect_before_the_takeover_are_reported(store: &dyn Store) {
    let games = [9_041, 9_042, 9_043, 9_044, 9_045];
    for game in games {
        store.add_game(new_game(game, 900 + game, game)).await.unwrap();
    }
    for number in [24, 25] {
        renew(store, number, 220_000).await;
    }
    for game in games {
        let since = if game == 9_045 { 220_400 } else { 219_000 };
        change_since(store, 24, (game, Color::White), since, None).await;
    }
    renew(store, 25, 222_000).await;
    // There are five players. One reconnected; one reconnected and left again; one was connected to another
    // node throughout and then left; one never came back; one moved to the dead node just before it died.
    change_since(store, 25, (9_041, Color::White), 221_500, None).await;
    change_since(store, 25, (9_042, Color::White), 221_000, Some(222_000)).await;
    change_since(store, 25, (9_043, Color::White), 219_500, Some(222_000)).await;
    change_since(store, 25, (9_044, Color::White), 210_000, Some(219_900)).await;
    change_since(store, 25, (9_045, Color::White), 210_000, Some(220_300)).await;
    let dead = store.take_over(&node(25), at(223_000)).await.unwrap();
    let player = |game, lost_at, back_at: Option<i64>| CutOffPlayer {
        game: game_id(game),
        color: Color::White,
        last_seen_at: at(lost_at),
        reconnected_at: back_at.map(at),
    };
    let mut players = vec![
        player(9_041, 220_000, Some(221_500)),
        player(9_042, 220_000, Some(221_000)),
        player(9_044, 220_000, None),
        player(9_045, 220_400, None),
    ];
    players.sort_by(|one, other| one.game.cmp(&other.game));
    assert_eq!(dead, [DeadNode { id: node(24), seen_at: at(220_000), players }]);
    // The node was only slow, so the takeover is void.
    renew(store, 24, 223_500).await;
    assert!(!store.forget_node(&node(25), &node(24), at(224_000)).await.unwrap());
    for number in [24, 25] {
        store.release_lease(&node(number), at(225_000)).await.unwrap();
    }
}

async fn a_slow_node_learns_which_players_it_has_cut_off(store: &dyn Store) {
    for number in [26, 27] {
        renew(store, number, 230_000).await;
    }
    change_since(store, 26, (9_041, Color::Black), 229_000, None).await;
    renew(store, 27, 232_500).await;
    let renewal = |number: u128, ms: i64| {
        let address = format!("machine-{number}:8787");
        async move { store.renew_lease(lease(&node(number), &address, at(ms)), at(ms)).await.unwrap() }
    };
    let late = renewal(26, 234_000).await;
    let lost = CutOffPlayer {
        game: game_id(9_041),
        color: Color::Black,
        last_seen_at: at(230_000),
        reconnected_at: None,
    };
    let players = vec![lost];
    assert_eq!(late.cut_off, Some(DeadNode { id: node(26), seen_at: at(230_000), players }));
    assert_eq!(renewal(26, 235_000).await.cut_off, None);
    // If no other node was running, the gap is a downtime and is not charged to any player.
    change_since(store, 26, (9_041, Color::Black), 234_500, None).await;
    let late = renewal(26, 250_000).await;
    assert_eq!((late.was_valid, late.cut_off), (false, None));
    assert_eq!(renewal(26, 250_500).await.downtimes, []);
    forget_all_dead(store, 26, 251_000).await;
    store.release_lease(&node(26), at(251_000)).await.unwrap();
}

async fn old_presence_is_deleted(store: &dyn Store) {
    store.add_game(new_game(9_051, 951, 951)).await.unwrap();
    renew(store, 28, 260_000).await;
    change(store, 28, 9_051, Color::White, Some(260_000)).await;
    change(store, 28, 9_051, Color::Black, None).await;
    while store.tidy_presence(at(260_000), 2).await.unwrap() > 0 {}
    let presence =
        |color| async move { store.lookup_presence(&game_id(9_051), color, at(260_000)).await.unwrap() };
    assert_eq!(presence(Color::White).await, away(260_000, false), "it is not old enough");
    assert_eq!(store.tidy_presence(at(260_001), 2).await.unwrap(), 1);
    assert_eq!(presence(Color::White).await, Presence::Unknown);
    assert_eq!(presence(Color::Black).await, Presence::Connected { node: node(28), seen_at: at(260_000) });
    store.release_lease(&node(28), at(261_000)).await.unwrap();
}

pub(super) fn waiting_for_machine(game: u128, based_on: u64, level: Option<Level>) -> Append {
    let read_model = ReadModel {
        phase: Phase::Playing,
        turn: Some(Color::Black),
        result: None,
        deadline: None,
        awaits_machine: level,
        summary: "thinking".into(),
    };
    Append {
        game: game_id(game),
        based_on: Version(based_on),
        events: vec![NewEvent { at: at(300_000), body: "turn".into() }],
        seats: Vec::new(),
        read_model,
        command: None,
    }
}

async fn one_node_computes_the_machines_turn(store: &Arc<dyn Store>) {
    store.add_game(new_game(9_021, 921, 921)).await.unwrap();
    renew(&**store, 31, 300_000).await;
    renew(&**store, 32, 300_000).await;
    let claim = |number, ms| {
        let store = Arc::clone(store);
        async move { store.claim_machine_turn(&node(number), &game_id(9_021), at(ms)).await.unwrap() }
    };
    assert!(!claim(31, 300_000).await, "it is not the machine's turn");
    let level = Level::try_from(3).unwrap();
    store.append(waiting_for_machine(9_021, 1, Some(level))).await.unwrap();
    let (one, other) = tokio::join!(tokio::spawn(claim(31, 300_000)), tokio::spawn(claim(32, 300_000)));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert!(one ^ other, "both nodes have claimed the turn, or neither has");
    let (winner, loser) = if one { (31, 32) } else { (32, 31) };
    assert!(claim(winner, 301_000).await, "its own claim is valid");
    assert!(!claim(loser, 301_000).await);
    // The node that is thinking dies.
    renew(&**store, loser, 302_000).await;
    assert!(claim(loser, 300_000 + LEASE_MS).await);
    renew(&**store, winner, 304_000).await;
    assert!(!claim(winner, 304_500).await);
    // The claim does not extend to the next turn.
    store.append(waiting_for_machine(9_021, 2, Some(level))).await.unwrap();
    assert!(claim(winner, 304_900).await);
    store.append(waiting_for_machine(9_021, 3, None)).await.unwrap();
    assert!(!claim(winner, 304_900).await);
    for number in [31, 32] {
        store.release_lease(&node(number), at(305_000)).await.unwrap();
    }
}

async fn games_are_due_by_their_deadline(store: &dyn Store) {
    // These deadlines are earlier than all others in the contract test.
    for (number, deadline) in [(9_031, 30), (9_032, 10), (9_033, 20)] {
        store.add_game(new_game(number, 930, number)).await.unwrap();
        let mut append = waiting_for_machine(number, 1, None);
        append.read_model.deadline = Some(Millis(deadline));
        store.append(append).await.unwrap();
    }
    let due = |after: Option<(u128, i64)>, until, limit| {
        let after = after.map(|(game, at)| Cursor { at: Millis(at), game: game_id(game) });
        async move {
            let due = store.list_due(after.as_ref(), Millis(until), limit).await.unwrap();
            due.into_iter().map(|RunningGame { id, deadline, .. }| (id, deadline.0)).collect::<Vec<_>>()
        }
    };
    assert_eq!(due(None, 9, 10).await, []);
    assert_eq!(due(None, 20, 10).await, [(game_id(9_032), 10), (game_id(9_033), 20)]);
    assert_eq!(due(None, 30, 2).await, [(game_id(9_032), 10), (game_id(9_033), 20)]);
    assert_eq!(due(Some((9_033, 20)), 30, 2).await, [(game_id(9_031), 30)]);
    assert_eq!(due(Some((9_031, 30)), 30, 2).await, []);
    for (number, _) in [(9_031, 30), (9_032, 10), (9_033, 20)] {
        store.append(waiting_for_machine(number, 2, None)).await.unwrap();
    }
    assert_eq!(due(None, 30, 10).await, []);
}
