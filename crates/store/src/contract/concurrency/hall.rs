//! Proposals.

use std::collections::BTreeSet;

use adoube_vocabulary::Millis;

use super::{FIRST, ROUNDS, Shared, at_once, exactly_one, many, new};
use crate::{
    CommandRecord, Created, NewGame, Proposal, ProposalAdded, ProposalLimits,
    contract::{command_id, game_id, hall::WIDE, hall::proposal, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    a_proposal_is_taken_once(both).await;
    proposals_are_counted_together(both).await;
}

fn race(round: u128, name: &str) -> Proposal {
    Proposal {
        id: format!("race {name} {round}"),
        from: player(FIRST + 800 + round),
        command: Some(command_id(FIRST + 2_000 + round)),
        created_at: Millis(2_000_000),
        expires_at: Millis(3_000_000),
        ..proposal(0, None)
    }
}

/// If a proposal is withdrawn or accepted twice at the same moment, only one of the requests takes effect. If
/// it is accepted while its maker withdraws it, only one of the two takes effect.
async fn a_proposal_is_taken_once(both: &(Shared, Shared)) {
    let start = both.0.versions().await.unwrap().proposals;
    for round in 0..ROUNDS {
        let seek = race(round, "seek");
        both.0.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let id = &seek.id;
        let got = at_once(both, |store, _| {
            let id = id.clone();
            async move { store.delete_proposal(&id).await.unwrap() }
        })
        .await;
        exactly_one(got, |taken| *taken);

        both.1.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let got = at_once(both, |store, which| {
            // In the odd rounds both requests have the same command id.
            let command = CommandRecord {
                player: player(FIRST),
                id: command_id(FIRST + 3_000 + 2 * round + if round % 2 == 0 { which } else { 0 }),
                answer: format!("game {which}"),
            };
            let game = NewGame { command, proposal: Some(id.clone()), ..new(800 + 2 * round + which, 3) };
            async move { store.add_game(game).await.unwrap() }
        })
        .await;
        let (winner, loser) = exactly_one(got, |created| *created == Created::Done);
        let repeated = Created::Repeated(format!("game {winner}"));
        assert!(loser == Created::ProposalGone || loser == repeated, "{loser:?}");
        let exists = async |which: u128| {
            both.1.lookup_game(&game_id(FIRST + 800 + 2 * round + which)).await.unwrap().is_some()
        };
        assert_eq!([exists(0).await, exists(1).await], [winner == 0, winner == 1]);

        both.0.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let got = at_once(both, |store, which| {
            let game = NewGame { proposal: Some(id.clone()), ..new(900 + round, 3) };
            let id = id.clone();
            async move {
                match which {
                    0 => store.add_game(game).await.unwrap() == Created::Done,
                    _ => store.delete_proposal(&id).await.unwrap(),
                }
            }
        })
        .await;
        let (winner, _) = exactly_one(got, |done| *done);
        let game = both.1.lookup_game(&game_id(FIRST + 900 + round)).await.unwrap();
        assert_eq!(game.is_some(), winner == 0);
    }
    let end = both.1.versions().await.unwrap().proposals;
    assert_eq!(end - start, 6 * ROUNDS as u64, "a change was not counted exactly once");
}

/// Both handles add many proposals by one player. Together these stay within the limit.
async fn proposals_are_counted_together(both: &(Shared, Shared)) {
    let limits = ProposalLimits { per_player: 5, ..WIDE };
    let added = many(both, 24, |store, number| async move {
        let new = Proposal {
            from: player(FIRST + 801),
            command: Some(command_id(FIRST + 4_000 + number / 2)),
            ..race(number, "many")
        };
        store.add_proposal(new, &limits).await.unwrap()
    })
    .await;
    assert_eq!(added.iter().filter(|added| **added == ProposalAdded::Done).count(), 5);
    let mine = both.1.list_proposals(Millis(2_000_000)).await.unwrap().proposals;
    let mine = mine.into_iter().filter(|open| open.from == player(FIRST + 801)).collect::<Vec<_>>();
    let commands = mine.iter().map(|open| open.command.unwrap().0).collect::<BTreeSet<_>>();
    assert_eq!((mine.len(), commands.len()), (5, 5), "a command created several proposals");
    for open in mine {
        assert!(both.0.delete_proposal(&open.id).await.unwrap());
    }
}
