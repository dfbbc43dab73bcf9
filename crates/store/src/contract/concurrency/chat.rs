//! Chat messages.

use adoube_vocabulary::{ChatRoom, GameId, Millis};

use super::{FIRST, ROUNDS, Shared, at_once, exactly_one, new};
use crate::{
    ChatAdded, NewChatMessage,
    contract::{command_id, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    a_chat_message_is_stored_once(both).await;
}

async fn a_chat_message_is_stored_once(both: &(Shared, Shared)) {
    both.0.add_game(new(3, 0)).await.unwrap();
    for round in 0..ROUNDS {
        let got = at_once(both, |store, _| async move {
            let line = NewChatMessage {
                game: GameId::from_random(FIRST + 3),
                room: ChatRoom::Players,
                player: player(FIRST),
                command: command_id(FIRST + round),
                color: None,
                text: "hello".into(),
                at: Millis(1),
            };
            store.add_message(line).await.unwrap()
        })
        .await;
        assert_eq!(exactly_one(got, |added| matches!(added, ChatAdded::New(_))).1, ChatAdded::Repeated);
    }
}
