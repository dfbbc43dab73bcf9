//! Tidying deletes data past its age limit, and no other data.

use adoube_vocabulary::{ChatRoom, Color, GameResult, InvitationToken, Millis, Version};

use super::{accounts::account, command_id, game_id, games::new_game, player};
use crate::{
    Ages, Append, ChatAdded, NewChatMessage, NewEvent, NewGame, NewReport, Phase, ReadModel, Seat, Store,
    Tidied,
};

/// The first of this test's games, which are all older than those of the other tests.
const FIRST: u128 = 5_000;

fn finished(result: GameResult) -> ReadModel {
    ReadModel {
        phase: Phase::Over,
        turn: None,
        result: Some(result),
        deadline: None,
        awaits_machine: None,
        summary: String::new(),
    }
}

async fn add(store: &dyn Store, number: u128, creator: u128, read_model: Option<ReadModel>) {
    let new = new_game(number, creator, number);
    let new = NewGame { created_at: Millis(-1000), ..new };
    store.add_game(new).await.unwrap();
    let Some(read_model) = read_model else { return };
    let append = Append {
        game: game_id(number),
        based_on: Version(1),
        events: vec![NewEvent { at: Millis(-900), body: "over".into() }],
        seats: vec![Seat { color: Color::Black, player: player(creator + 1) }],
        read_model,
        command: None,
    };
    store.append(append).await.unwrap();
}

pub(super) async fn check(store: &dyn Store) {
    let [unjoined, called_off, played, of_an_account, report] = [0, 1, 2, 3, 4].map(|number| FIRST + number);
    store.add_account(account(5_100, "Tidied")).await.unwrap();
    add(store, unjoined, 5_000, None).await;
    add(store, called_off, 5_010, Some(finished(GameResult::NoResult))).await;
    add(store, played, 5_020, Some(finished(GameResult::Draw))).await;
    add(store, of_an_account, 5_100, Some(finished(GameResult::WhiteWins))).await;
    let line = NewChatMessage {
        game: game_id(played),
        room: ChatRoom::Players,
        player: player(5_020),
        command: command_id(report),
        color: None,
        text: "hello".into(),
        at: Millis(-900),
    };
    let ChatAdded::New(id) = store.add_message(line).await.unwrap() else { panic!("no message was sent") };
    let complaint = NewReport {
        game: game_id(played),
        room: ChatRoom::Players,
        message: id,
        player: player(1),
        reason: "rude".into(),
        at: Millis(-900),
    };
    assert!(store.add_report(complaint).await.unwrap());

    let is_there = async |number| store.lookup_game(&game_id(number)).await.unwrap().is_some();
    let all = Ages {
        unjoined_games: Some(Millis(-900)),
        called_off_games: Some(Millis(-800)),
        anonymous_games: Some(Millis(-800)),
        reports: None,
        expired: None,
    };
    // Data is kept if it is not old enough, or if its age limit is not set.
    let earlier = Ages {
        unjoined_games: Some(Millis(-1000)),
        called_off_games: Some(Millis(-900)),
        anonymous_games: Some(Millis(-900)),
        ..Ages::default()
    };
    for ages in [earlier, Ages::default()] {
        assert_eq!(store.tidy(&ages, 100, false).await.unwrap(), Tidied::default());
    }
    // A called-off game between anonymous players is counted in both kinds. Counting changes nothing.
    let counted = Tidied { unjoined_games: 1, called_off_games: 1, anonymous_games: 2, ..Tidied::default() };
    assert_eq!(store.tidy(&all, 1, true).await.unwrap(), counted);
    assert!(is_there(unjoined).await && is_there(called_off).await && is_there(played).await);
    let first = Tidied { unjoined_games: 1, called_off_games: 1, anonymous_games: 1, ..Tidied::default() };
    assert_eq!(store.tidy(&all, 1, false).await.unwrap(), first);
    assert_eq!(store.tidy(&all, 1, false).await.unwrap(), Tidied::default());
    for deleted_game in [unjoined, called_off, played] {
        assert!(!is_there(deleted_game).await, "{deleted_game}");
        assert_eq!(store.list_events(&game_id(deleted_game), Version(0)).await.unwrap(), []);
        assert_eq!(store.lookup_invitation(&InvitationToken::from_random(deleted_game)).await.unwrap(), None);
    }
    assert_eq!(store.lookup_command(&player(5_000), command_id(unjoined)).await.unwrap(), None);
    assert_eq!(store.list_messages_of(&player(5_020), 0, 9).await.unwrap(), []);
    assert!(is_there(of_an_account).await);
}
