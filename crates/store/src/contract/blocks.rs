//! Blocks, and the audience that may see whether a player is online.

use adoube_vocabulary::{Millis, PlayerId, PresenceAudience};

use super::{accounts::account, player};
use crate::{BLOCKS_PER_ACCOUNT, Blocked, BlockedPlayer, Blocks, NameRetirement, Registered, Store};

pub(super) async fn check(store: &dyn Store) {
    let (anna, bert, eve) = (player(890), player(891), player(892));
    for (number, name) in [(890, "Annabelle"), (891, "Bertille"), (892, "Evelyne")] {
        assert_eq!(store.add_account(account(number, name)).await.unwrap(), Registered::Done);
    }
    assert_eq!(store.lookup_blocks(&anna).await.unwrap(), Blocks::default());
    assert_eq!(store.add_block(&anna, &bert, Millis(1)).await.unwrap(), Blocked::Done);
    assert_eq!(store.add_block(&anna, &eve, Millis(2)).await.unwrap(), Blocked::Done);
    // Blocking again changes nothing. Blocking in the other direction is a separate block.
    assert_eq!(store.add_block(&anna, &bert, Millis(3)).await.unwrap(), Blocked::Done);
    assert_eq!(store.add_block(&bert, &anna, Millis(4)).await.unwrap(), Blocked::Done);
    assert_eq!(store.add_block(&anna, &player(899), Millis(5)).await.unwrap(), Blocked::NoAccount);
    let blocks = store.lookup_blocks(&anna).await.unwrap();
    let blocked =
        |player: &PlayerId, name: &str, at| BlockedPlayer { player: player.clone(), name: name.into(), at };
    assert_eq!(blocks.blocked, [blocked(&eve, "Evelyne", Millis(2)), blocked(&bert, "Bertille", Millis(1))]);
    assert_eq!(blocks.blockers, [(bert.clone(), "Bertille".to_owned())]);
    assert_eq!(store.lookup_blocks(&eve).await.unwrap().blockers, [(anna.clone(), "Annabelle".to_owned())]);
    assert!(store.delete_block(&anna, &bert).await.unwrap());
    assert!(!store.delete_block(&anna, &bert).await.unwrap());
    assert_eq!(store.lookup_blocks(&bert).await.unwrap().blockers, []);
    assert_eq!(store.lookup_blocks(&bert).await.unwrap().blocked, [blocked(&anna, "Annabelle", Millis(4))]);
    // A deleted account neither blocks nor is blocked.
    store.delete_account(&anna, &NameRetirement::default()).await.unwrap();
    assert_eq!(store.lookup_blocks(&bert).await.unwrap(), Blocks::default());
    assert_eq!(store.lookup_blocks(&eve).await.unwrap(), Blocks::default());

    for number in 0..u128::from(BLOCKS_PER_ACCOUNT) {
        let new = account(10_000 + number, &format!("Blocked{number}"));
        assert_eq!(store.add_account(new).await.unwrap(), Registered::Done);
        let blocked = store.add_block(&bert, &player(10_000 + number), Millis(6)).await.unwrap();
        assert_eq!(blocked, Blocked::Done);
    }
    assert_eq!(store.add_block(&bert, &eve, Millis(7)).await.unwrap(), Blocked::Full);
    assert_eq!(store.add_block(&bert, &player(10_000), Millis(7)).await.unwrap(), Blocked::Done);

    let shown_to = async || store.lookup_account(&bert).await.unwrap().unwrap().shown_to;
    assert_eq!(shown_to().await, PresenceAudience::Everybody);
    for wanted in PresenceAudience::ALL {
        store.set_shown_to(&bert, wanted).await.unwrap();
        assert_eq!(shown_to().await, wanted);
    }
}
