//! The contract test that every database must pass.

mod accounts;
mod administration;
mod blocks;
mod chat;
mod concurrency;
mod games;
mod hall;
mod house;
mod identities;
mod limits;
mod nodes;
mod problems;
mod push;
mod study;
mod tidy;
mod work;

use std::sync::Arc;

use adoube_vocabulary::{CommandId, GameId, PlayerId};

use crate::Store;

pub use concurrency::check_concurrency;

/// Runs the contract test on an empty store.
pub async fn check_contract(store: Arc<dyn Store>) {
    games::check(&store).await;
    accounts::check(&*store).await;
    identities::check(&*store).await;
    blocks::check(&*store).await;
    push::check(&*store).await;
    chat::check(&*store).await;
    administration::check(&*store).await;
    house::check(&*store).await;
    problems::check(&store).await;
    study::check(&*store).await;
    nodes::check(&store).await;
    work::check(&*store).await;
    limits::check(&*store).await;
    tidy::check(&*store).await;
    hall::check(&store).await;
}

fn game_id(number: u128) -> GameId {
    GameId::from_random(number)
}

fn player(number: u128) -> PlayerId {
    PlayerId::from_random(number)
}

fn command_id(number: u128) -> CommandId {
    // A command id may be any UUID.
    let text = format!("{number:032x}");
    CommandId(text.parse().unwrap())
}
