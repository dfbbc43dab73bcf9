//! Games and their events, and secrets.

use adoube_vocabulary::{Color, InvitationToken, MatchId, Version};

use super::{FIRST, ROUNDS, Shared, append, at_once, exactly_one, many, new};
use crate::{
    Append, Appended, CommandRecord, Created, NewGame, Seat,
    contract::{command_id, game_id, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    writes_are_visible_through_both_handles(both).await;
    one_of_two_appends_to_a_version_succeeds(both).await;
    a_command_is_carried_out_once(both).await;
    a_game_is_created_once(both).await;
    both_append_to_many_games(both).await;
    a_secret_is_created_once(both).await;
}

async fn writes_are_visible_through_both_handles((first, second): &(Shared, Shared)) {
    first.add_game(new(0, 0)).await.unwrap();
    for version in 1..20u64 {
        let (writer, reader) = if version % 2 == 0 { (first, second) } else { (second, first) };
        assert_eq!(
            writer.append(append(0, version, "turn")).await.unwrap(),
            Appended::Done(Version(version + 1))
        );
        assert_eq!(reader.lookup_game(&game_id(FIRST)).await.unwrap().unwrap().version, Version(version + 1));
        assert_eq!(reader.list_events(&game_id(FIRST), Version(version)).await.unwrap().len(), 1);
    }
}

async fn one_of_two_appends_to_a_version_succeeds(both: &(Shared, Shared)) {
    both.0.add_game(new(1, 0)).await.unwrap();
    for version in 1..=ROUNDS as u64 {
        let got = at_once(both, |store, number| async move {
            store.append(append(1, version, &format!("of {number}"))).await.unwrap()
        })
        .await;
        let (winner, loser) = exactly_one(got, |got| *got == Appended::Done(Version(version + 1)));
        assert_eq!(loser, Appended::Conflict(Version(version + 1)));
        let log = both.0.list_events(&game_id(FIRST + 1), Version(version)).await.unwrap();
        assert_eq!(log.iter().map(|event| event.body.clone()).collect::<Vec<_>>(), [format!("of {winner}")]);
    }
    // The same race for a seat.
    let got = at_once(both, |store, number| async move {
        let seats = vec![Seat { color: Color::Black, player: player(FIRST + 50 + number) }];
        store.append(Append { seats, ..append(1, ROUNDS as u64 + 1, "joined") }).await.unwrap()
    })
    .await;
    exactly_one(got, |got| matches!(got, Appended::Done(_)));
}

async fn a_command_is_carried_out_once(both: &(Shared, Shared)) {
    both.0.add_game(new(2, 0)).await.unwrap();
    for version in 1..=ROUNDS as u64 {
        let got = at_once(both, |store, number| async move {
            let command = CommandRecord {
                player: player(FIRST),
                id: command_id(FIRST + 1000 + u128::from(version)),
                answer: format!("answer of {number}"),
            };
            store.append(Append { command: Some(command), ..append(2, version, "turn") }).await.unwrap()
        })
        .await;
        let (winner, loser) = exactly_one(got, |got| *got == Appended::Done(Version(version + 1)));
        assert_eq!(loser, Appended::Repeated(format!("answer of {winner}")));
    }
    assert_eq!(both.1.list_events(&game_id(FIRST + 2), Version(0)).await.unwrap().len(), ROUNDS as usize + 1);
}

async fn a_game_is_created_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let number = move |which: u128| 100 + 2 * round + which;
        let got = at_once(both, |store, which| async move {
            let created = new(number(which), 0);
            let command = CommandRecord { id: command_id(FIRST + 2000 + round), ..created.command };
            let invitation = Some(InvitationToken::from_random(FIRST + number(which)));
            store.add_game(NewGame { invitation, command, ..created }).await.unwrap()
        })
        .await;
        let (winner, loser) = exactly_one(got, |got| *got == Created::Done);
        let winner = number(winner as u128);
        assert_eq!(loser, Created::Repeated(format!("answer {}", FIRST + winner)));
        for which in [0, 1] {
            let exists = both.1.lookup_game(&game_id(FIRST + number(which))).await.unwrap().is_some();
            assert_eq!(exists, number(which) == winner);
            let token = InvitationToken::from_random(FIRST + number(which));
            assert_eq!(both.0.lookup_invitation(&token).await.unwrap().is_some(), exists);
        }
    }
}

/// Both handles append to all games. No log has gaps, and each contains every acknowledged event once.
async fn both_append_to_many_games(both: &(Shared, Shared)) {
    const GAMES: u128 = 24;
    const TURNS: u64 = 12;
    for number in 0..GAMES {
        let in_match = Some((MatchId::from_random(FIRST), number as u16));
        both.0.add_game(NewGame { in_match, ..new(200 + number, 3) }).await.unwrap();
    }
    let done = many(both, 2 * GAMES, |store, number| async move {
        let (game, server) = (200 + number / 2, number % 2);
        let mut done = Vec::new();
        let mut version = 1;
        while version <= TURNS {
            let body = format!("{server} {version}");
            match store.append(append(game, version, &body)).await.unwrap() {
                Appended::Done(Version(now)) => {
                    done.push((game, now, body));
                    version = now;
                }
                Appended::Conflict(Version(now)) => version = now,
                other => panic!("{other:?}"),
            }
        }
        done
    })
    .await;
    let mut acknowledged = done.into_iter().flatten().collect::<Vec<_>>();
    acknowledged.sort();
    let mut stored = Vec::new();
    for game in (0..GAMES).map(|number| 200 + number) {
        let log = both.1.list_events(&game_id(FIRST + game), Version(1)).await.unwrap();
        stored.extend(log.into_iter().map(|event| (game, event.version.0, event.body)));
    }
    assert_eq!(acknowledged, stored);
    assert_eq!(both.0.list_match(&MatchId::from_random(FIRST)).await.unwrap().len(), GAMES as usize);
}

async fn a_secret_is_created_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let [first, second] = at_once(both, |store, number| async move {
            store.secret(&format!("race {round}"), &[number as u8]).await.unwrap()
        })
        .await;
        assert_eq!(first, second);
    }
}
