//! Proposals, visitors, and the versions that let processes detect changes.

use std::sync::Arc;

use adoube_vocabulary::{Color, GameId, Millis, NodeId, PresenceAudience};

use super::{accounts::account, command_id, game_id, games::new_game, nodes::lease, player};
use crate::{
    Created, LEASE_MS, NewGame, PresenceChange, Proposal, ProposalAdded, ProposalLimit, ProposalLimits,
    Registered, RoomState, Store, TokenHash, VisitorChange, VisitorList, VisitorName,
};

/// The first of the ids reserved for this module.
const FIRST: u128 = 80_000;

/// Limits too high for any test to reach.
pub(super) const WIDE: ProposalLimits = ProposalLimits {
    per_player: 1_000,
    per_origin: 1_000,
    per_recipient_and_origin: 1_000,
    per_recipient: 1_000,
    per_kind: 1_000,
};

pub(super) async fn check(store: &Arc<dyn Store>) {
    proposals_are_taken_once(&**store).await;
    a_command_makes_one_proposal(&**store).await;
    proposals_have_limits(&**store).await;
    a_game_deletes_its_proposal(&**store).await;
    visitors_are_counted_once(&**store).await;
    names_are_shown_to_those_who_may_see_them(&**store).await;
    visitors_of_a_dead_node_are_gone(&**store).await;
    rooms_are_the_same_on_all_nodes(&**store).await;
    changes_are_numbered(&**store).await;
}

pub(super) fn proposal(number: u128, to: Option<u128>) -> Proposal {
    Proposal {
        id: format!("proposal {number}"),
        from: player(FIRST + 1),
        to: to.map(|to| player(FIRST + to)),
        command: Some(command_id(FIRST + number)),
        body: "chess".into(),
        created_at: Millis(number as i64),
        expires_at: Millis(100 + number as i64),
        signed_in: true,
        needs_maker: false,
        origin: None,
    }
}

async fn add(store: &dyn Store, new: Proposal) {
    assert_eq!(store.add_proposal(new, &WIDE).await.unwrap(), ProposalAdded::Done);
}

async fn proposals_are_taken_once(store: &dyn Store) {
    let before = store.list_proposals(Millis(0)).await.unwrap();
    assert_eq!(before.proposals, []);
    let all = [
        proposal(1, Some(2)),
        Proposal { command: None, signed_in: false, ..proposal(2, None) },
        Proposal { needs_maker: true, origin: Some(TokenHash([7; 32])), ..proposal(3, None) },
    ];
    for at in [1, 0, 2] {
        add(store, all[at].clone()).await;
    }
    let listed = store.list_proposals(Millis(50)).await.unwrap();
    assert_eq!((listed.version, &*listed.proposals), (before.version + 3, &all[..]));
    assert_eq!(store.list_proposals(Millis(102)).await.unwrap().proposals, all[2..]);
    assert_eq!(store.lookup_proposal("proposal 3", Millis(102)).await.unwrap().as_ref(), Some(&all[2]));
    assert_eq!(store.lookup_proposal("proposal 3", Millis(103)).await.unwrap(), None);
    assert!(store.delete_proposal("proposal 3").await.unwrap());
    assert!(!store.delete_proposal("proposal 3").await.unwrap());
    assert_eq!(store.lookup_proposal("proposal 3", Millis(0)).await.unwrap(), None);
    let after = store.list_proposals(Millis(1_000)).await.unwrap();
    assert_eq!((after.version, after.proposals.len()), (before.version + 4, 0));
}

async fn a_command_makes_one_proposal(store: &dyn Store) {
    let first = Proposal { created_at: Millis(1_000), expires_at: Millis(2_000), ..proposal(10, None) };
    add(store, first.clone()).await;
    let repeated = Proposal { id: "proposal 11".into(), body: "other".into(), ..first.clone() };
    assert_eq!(
        store.add_proposal(repeated.clone(), &WIDE).await.unwrap(),
        ProposalAdded::Repeated(Box::new(first.clone()))
    );
    // The same command id from another player is a different command. So is a repeat after the proposal has
    // been deleted or has expired.
    add(store, Proposal { id: "proposal 12".into(), from: player(FIRST + 9), ..first.clone() }).await;
    assert!(store.delete_proposal(&first.id).await.unwrap());
    add(store, repeated.clone()).await;
    assert!(store.delete_proposal("proposal 12").await.unwrap());
    let last_moment = Proposal { created_at: Millis(1_999), ..first.clone() };
    assert_eq!(
        store.add_proposal(last_moment, &WIDE).await.unwrap(),
        ProposalAdded::Repeated(Box::new(repeated))
    );
    let later = Proposal { created_at: Millis(2_000), expires_at: Millis(3_000), ..first };
    add(store, later.clone()).await;
    assert_eq!(
        store.add_proposal(later.clone(), &WIDE).await.unwrap(),
        ProposalAdded::Repeated(Box::new(later.clone()))
    );
    assert!(!store.delete_proposal("proposal 11").await.unwrap());
    assert!(store.delete_proposal(&later.id).await.unwrap());
}

async fn proposals_have_limits(store: &dyn Store) {
    let limits = ProposalLimits {
        per_player: 2,
        per_origin: 3,
        per_recipient_and_origin: 2,
        per_recipient: 4,
        per_kind: 6,
    };
    let origin = |number: u8| Some(TokenHash([number; 32]));
    let new = |number: u128, from: u128, to: Option<u128>, network: u8| Proposal {
        from: player(FIRST + from),
        created_at: Millis(3_000),
        expires_at: Millis(4_000),
        origin: origin(network),
        ..proposal(100 + number, to)
    };
    let mut added = Vec::new();
    let steps = [
        (new(0, 10, None, 1), None),
        (new(1, 10, Some(50), 2), None),
        (new(2, 10, None, 3), Some(ProposalLimit::Player)),
        (new(3, 11, None, 1), None),
        (new(4, 12, None, 1), None),
        (new(5, 13, None, 1), Some(ProposalLimit::Origin)),
        // Two challenges from one network to the same player.
        (new(6, 14, Some(50), 2), None),
        (new(7, 15, Some(50), 2), Some(ProposalLimit::RecipientAndOrigin)),
        (new(8, 15, Some(51), 2), None),
        // Four challenges to one player by players with an account, and as many by others.
        (new(9, 16, Some(50), 4), None),
        (new(10, 17, Some(50), 5), None),
        (new(11, 18, Some(50), 6), Some(ProposalLimit::Recipient)),
        (Proposal { signed_in: false, ..new(12, 18, Some(50), 6) }, None),
        // Six proposals of one kind by players with an account, and as many by others.
        (new(13, 19, Some(52), 7), None),
        (new(14, 20, Some(53), 7), Some(ProposalLimit::Kind)),
        (Proposal { signed_in: false, ..new(15, 20, Some(53), 7) }, None),
        (new(16, 21, None, 8), None),
        (new(17, 22, None, 8), None),
        (new(18, 23, None, 8), None),
        (new(19, 24, None, 9), Some(ProposalLimit::Kind)),
        (Proposal { signed_in: false, ..new(20, 24, None, 9) }, None),
        // There is no limit for an unknown network.
        (Proposal { signed_in: false, origin: None, ..new(21, 25, None, 9) }, None),
        // The earlier ones have expired.
        (Proposal { created_at: Millis(4_000), expires_at: Millis(5_000), ..new(22, 10, None, 1) }, None),
    ];
    for (at, (new, limit)) in steps.into_iter().enumerate() {
        let id = new.id.clone();
        let expected = limit.map_or(ProposalAdded::Done, ProposalAdded::Full);
        assert_eq!(store.add_proposal(new, &limits).await.unwrap(), expected, "step {at}");
        if limit.is_none() {
            added.push(id);
        }
    }
    for id in added {
        store.delete_proposal(&id).await.unwrap();
    }
}

/// A game is created and its proposal is deleted, or neither happens.
async fn a_game_deletes_its_proposal(store: &dyn Store) {
    let open = Proposal { created_at: Millis(5_000), expires_at: Millis(6_000), ..proposal(200, None) };
    add(store, open.clone()).await;
    let version = store.versions().await.unwrap().proposals;
    let game = |number: u128, command: u128| NewGame {
        proposal: Some(open.id.clone()),
        ..new_game(FIRST + number, FIRST + 1, FIRST + command)
    };
    // A game whose id is taken leaves the proposal open.
    store.add_game(NewGame { proposal: None, ..game(0, 500) }).await.unwrap();
    assert_eq!(store.add_game(game(0, 501)).await.unwrap(), Created::IdTaken);
    assert_eq!(store.versions().await.unwrap().proposals, version);
    assert_eq!(store.add_game(game(1, 502)).await.unwrap(), Created::Done);
    assert_eq!(store.versions().await.unwrap().proposals, version + 1);
    assert_eq!(store.lookup_proposal(&open.id, Millis(5_001)).await.unwrap(), None);
    // A repeated command gets its first answer, but another command comes too late.
    let answer = format!("answer {}", FIRST + 1);
    assert_eq!(store.add_game(game(2, 502)).await.unwrap(), Created::Repeated(answer));
    assert_eq!(store.add_game(game(3, 503)).await.unwrap(), Created::ProposalGone);
    for number in [2, 3] {
        assert_eq!(store.lookup_game(&game_id(FIRST + number)).await.unwrap(), None);
    }
}

fn node(number: u128) -> NodeId {
    NodeId::from_random(FIRST + number)
}

fn visitor(number: u128, is_here: bool, is_in_hall: bool, left_at: Option<i64>) -> VisitorChange {
    VisitorChange { player: player(FIRST + number), is_here, is_in_hall, left_hall_at: left_at.map(Millis) }
}

async fn visitors_are_counted_once(store: &dyn Store) {
    let count = async || store.list_visitors(10).await.unwrap().count;
    let set = async |at: u128, changes: &[VisitorChange]| {
        store.set_visitors(&node(at), changes, Millis(500)).await.unwrap();
    };
    assert_eq!(store.list_visitors(10).await.unwrap(), VisitorList::default());
    set(1, &[visitor(20, true, true, None), visitor(21, true, false, None)]).await;
    set(2, &[visitor(20, true, false, None)]).await;
    assert_eq!(count().await, 2);
    let players = [20, 21, 22].map(|number| player(FIRST + number));
    let absent = async |since: i64| store.list_absent(&players, Millis(since)).await.unwrap();
    let is_visiting = async |number: usize| store.is_visiting(&players[number]).await.unwrap();
    assert!(is_visiting(0).await && is_visiting(1).await && !is_visiting(2).await);
    assert_eq!(absent(600).await, players[1..], "only the first is in the hall");
    // The visitor leaves one node but is still connected to the other.
    set(1, &[visitor(20, true, true, None), visitor(20, false, false, Some(700))]).await;
    assert_eq!(count().await, 2);
    assert!(is_visiting(0).await);
    assert_eq!((absent(699).await.len(), absent(700).await.len()), (2, 3));
    set(2, &[visitor(20, false, false, None)]).await;
    assert_eq!(count().await, 1);
    assert!(!is_visiting(0).await && is_visiting(1).await);
    // The visitor has left the hall and comes back, but only to a game. The time when they left still counts.
    set(1, &[visitor(20, true, false, None)]).await;
    assert_eq!((absent(699).await.len(), absent(700).await.len()), (2, 3));
    set(1, &[visitor(20, true, true, None)]).await;
    assert_eq!(absent(900).await.len(), 2);
    // Visitors who have left are forgotten after a while.
    set(1, &[visitor(20, false, false, Some(400)), visitor(21, false, false, None)]).await;
    assert_eq!((count().await, absent(300).await.len()), (0, 3));
}

async fn names_are_shown_to_those_who_may_see_them(store: &dyn Store) {
    for (number, name, shown_to) in [
        (40, "Visible", PresenceAudience::Everybody),
        (41, "Unseen", PresenceAudience::Nobody),
        (42, "Shy", PresenceAudience::Members),
    ] {
        let new = account(FIRST + number, name);
        assert_eq!(store.add_account(new).await.unwrap(), Registered::Done);
        store.set_shown_to(&player(FIRST + number), shown_to).await.unwrap();
    }
    let all = |is_here| [40, 41, 42].map(|number| visitor(number, is_here, is_here, None));
    store.set_visitors(&node(1), &all(true), Millis(0)).await.unwrap();
    let list = store.list_visitors(10).await.unwrap();
    let name = |name: &str, members_only| VisitorName { name: name.into(), members_only };
    assert_eq!((list.count, list.names), (3, vec![name("Shy", true), name("Visible", false)]));
    store.set_visitors(&node(1), &all(false), Millis(0)).await.unwrap();
}

async fn visitors_of_a_dead_node_are_gone(store: &dyn Store) {
    // This is later than all leases in the contract test so far.
    let now = 500_000_000;
    for (which, address) in [(3, "hall-3:1"), (4, "hall-4:1")] {
        store.renew_lease(lease(&node(which), address, Millis(now)), Millis(now)).await.unwrap();
    }
    let visitors = [visitor(30, true, true, None), visitor(31, true, false, None)];
    store.set_visitors(&node(3), &visitors, Millis(0)).await.unwrap();
    store.add_game(new_game(FIRST + 10, FIRST + 1, FIRST + 510)).await.unwrap();
    store.set_watchers(&node(3), &[(game_id(FIRST + 10), 2)]).await.unwrap();
    let player = [player(FIRST + 30)];
    assert_eq!(store.list_absent(&player, Millis(now)).await.unwrap(), []);
    store.renew_lease(lease(&node(4), "hall-4:1", Millis(now + LEASE_MS)), Millis(now)).await.unwrap();
    let dead = store.take_over(&node(4), Millis(now + LEASE_MS)).await.unwrap();
    assert!(dead.iter().any(|dead| dead.id == node(3)));
    assert!(store.forget_node(&node(4), &node(3), Millis(now + LEASE_MS)).await.unwrap());
    // The player left the hall at the time of the node's last heartbeat.
    assert_eq!(store.list_absent(&player, Millis(now - 1)).await.unwrap(), []);
    assert_eq!(store.list_absent(&player, Millis(now)).await.unwrap(), player);
    assert_eq!(store.list_visitors(10).await.unwrap().count, 0);
    assert_eq!(store.list_rooms(&[game_id(FIRST + 10)]).await.unwrap()[0].watchers, 0);
    // Neither a node that stops gracefully nor one that renews an expired lease keeps its visitors.
    store.set_visitors(&node(4), &visitors, Millis(0)).await.unwrap();
    store.release_lease(&node(4), Millis(now + 5_000)).await.unwrap();
    assert_eq!(store.list_visitors(10).await.unwrap().count, 0);
    assert_eq!(store.list_absent(&player, Millis(now + 5_000)).await.unwrap(), player);
    store.renew_lease(lease(&node(3), "hall-3:1", Millis(now + 6_000)), Millis(now)).await.unwrap();
    store.set_visitors(&node(3), &visitors, Millis(0)).await.unwrap();
    let late = Millis(now + 6_000 + LEASE_MS);
    assert!(!store.renew_lease(lease(&node(3), "hall-3:1", late), Millis(now)).await.unwrap().was_valid);
    assert_eq!(store.list_visitors(10).await.unwrap().count, 0);
    store.release_lease(&node(3), late).await.unwrap();
}

async fn rooms_are_the_same_on_all_nodes(store: &dyn Store) {
    let [one, other] = [20, 21].map(|number| game_id(FIRST + number));
    for number in [20, 21] {
        store.add_game(new_game(FIRST + number, FIRST + 1, FIRST + 500 + number)).await.unwrap();
    }
    let missing = game_id(FIRST + 22);
    let room = |game: &GameId, white, black, watchers| RoomState {
        game: game.clone(),
        version: adoube_vocabulary::Version(1),
        white,
        black,
        watchers,
    };
    let mut games = [one.clone(), other.clone(), missing.clone()];
    games.sort();
    let rooms = async || {
        let mut rooms = store.list_rooms(&games).await.unwrap();
        rooms.sort_by_key(|room| room.game != one);
        rooms
    };
    assert_eq!(rooms().await, [room(&one, false, false, 0), room(&other, false, false, 0)]);
    for (which, address) in [(5, "hall-5:1"), (6, "hall-6:1")] {
        store
            .renew_lease(lease(&node(which), address, Millis(600_000_000)), Millis(600_000_000))
            .await
            .unwrap();
    }
    let since = Millis(600_000_000);
    let here = PresenceChange { game: one.clone(), color: Color::White, since, away_since: None };
    store.set_presence(&node(5), std::slice::from_ref(&here)).await.unwrap();
    store.set_presence(&node(6), &[PresenceChange { color: Color::Black, ..here.clone() }]).await.unwrap();
    store.set_watchers(&node(5), &[(one.clone(), 2), (other.clone(), 1), (missing, 4)]).await.unwrap();
    store.set_watchers(&node(6), &[(one.clone(), 7), (one.clone(), 3)]).await.unwrap();
    assert_eq!(rooms().await, [room(&one, true, true, 5), room(&other, false, false, 1)]);
    store.set_watchers(&node(5), &[(one.clone(), 0)]).await.unwrap();
    let away = PresenceChange { away_since: Some(Millis(600_000_005)), ..here };
    store.set_presence(&node(5), &[away]).await.unwrap();
    assert_eq!(rooms().await, [room(&one, false, true, 3), room(&other, false, false, 1)]);
    store.set_watchers(&node(5), &[(other.clone(), 0)]).await.unwrap();
    store.set_watchers(&node(6), &[(one.clone(), 0)]).await.unwrap();
    assert_eq!(store.list_rooms(&[]).await.unwrap(), []);
}

async fn changes_are_numbered(store: &dyn Store) {
    let before = store.versions().await.unwrap();
    store.announce_change().await.unwrap();
    let after = store.versions().await.unwrap();
    assert_eq!((after.house, after.proposals), (before.house + 1, before.proposals));
}
