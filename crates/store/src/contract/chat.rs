//! Chat messages and reports.

use adoube_vocabulary::{ChatRoom, Color, Millis};

use super::{accounts, command_id, game_id, games::new_game, player};
use crate::{ChatAdded, NameRetirement, NewChatMessage, NewReport, Store};

fn message(game: u128, room: ChatRoom, author: u128, command: u128, text: &str) -> NewChatMessage {
    NewChatMessage {
        game: game_id(game),
        room,
        player: player(author),
        command: command_id(command),
        color: (room == ChatRoom::Players).then_some(Color::White),
        text: text.into(),
        at: Millis(7),
    }
}

pub(super) async fn check(store: &dyn Store) {
    store.add_game(new_game(900, 90, 900)).await.unwrap();
    let first = store.add_message(message(900, ChatRoom::Players, 90, 901, "hello")).await.unwrap();
    let ChatAdded::New(first) = first else { panic!("{first:?}") };
    assert_eq!(
        store.add_message(message(900, ChatRoom::Players, 90, 901, "hello")).await.unwrap(),
        ChatAdded::Repeated
    );
    for other in
        [message(900, ChatRoom::Players, 90, 901, "bye"), message(900, ChatRoom::Watchers, 90, 901, "hello")]
    {
        assert_eq!(store.add_message(other).await.unwrap(), ChatAdded::CommandReused);
    }
    let second = store.add_message(message(900, ChatRoom::Players, 90, 902, "<b>there</b>")).await.unwrap();
    let ChatAdded::New(second) = second else { panic!("{second:?}") };
    assert!(second > first);
    let spectator_line = store.add_message(message(900, ChatRoom::Watchers, 91, 901, "psst")).await.unwrap();
    let ChatAdded::New(spectator_line) = spectator_line else { panic!("{spectator_line:?}") };

    let listed = async |room: ChatRoom, limit: u32| {
        let messages = store.list_messages(&game_id(900), room, limit).await.unwrap();
        messages.into_iter().map(|message| (message.id, message.text)).collect::<Vec<_>>()
    };
    let both = [(first, "hello".to_owned()), (second, "<b>there</b>".to_owned())];
    assert_eq!(listed(ChatRoom::Players, 9).await, both);
    assert_eq!(listed(ChatRoom::Players, 1).await, both[1..]);
    assert_eq!(listed(ChatRoom::Watchers, 9).await, [(spectator_line, "psst".to_owned())]);
    assert_eq!(store.list_messages_of(&player(90), 0, 9).await.unwrap().len(), 2);
    assert_eq!(store.list_messages_of(&player(90), 0, 1).await.unwrap()[0].1.id, first);
    assert_eq!(store.list_messages_of(&player(90), first, 9).await.unwrap()[0].1.id, second);
    assert_eq!(store.list_messages_of(&player(90), second, 9).await.unwrap(), []);

    let report = |game: u128, message: i64| NewReport {
        game: game_id(game),
        room: ChatRoom::Players,
        message,
        player: player(92),
        reason: "rude".into(),
        at: Millis(8),
    };
    assert!(store.add_report(report(900, first)).await.unwrap());
    assert!(store.add_report(report(900, first)).await.unwrap(), "a report may be repeated");
    assert!(!store.add_report(report(900, 12345)).await.unwrap());
    assert!(!store.add_report(report(901, first)).await.unwrap(), "a message from another game");
    let from_outside = NewReport { room: ChatRoom::Watchers, ..report(900, first) };
    assert!(!store.add_report(from_outside).await.unwrap(), "a message from another room");

    // Deleting an account deletes its messages, but not reports about them.
    store.add_account(accounts::account(90, "Chatter")).await.unwrap();
    let messages = store.list_messages(&game_id(900), ChatRoom::Players, 9).await.unwrap();
    assert!(messages.iter().all(|line| line.name.as_deref() == Some("Chatter")));
    store.delete_account(&player(90), &NameRetirement::default()).await.unwrap();
    assert_eq!(listed(ChatRoom::Players, 9).await, []);
    assert_eq!(listed(ChatRoom::Watchers, 9).await.len(), 1);

    let [kept] = &*store.list_reports(9).await.unwrap() else { panic!("not exactly one report") };
    assert_eq!(kept.report, report(900, first));
    assert_eq!(
        (&kept.author, kept.name.as_deref()),
        (&player(90), None),
        "the author had no account at that time"
    );
    let messages = kept.messages.iter().map(|message| (message.id, message.text.clone())).collect::<Vec<_>>();
    assert_eq!(messages, both);
}
