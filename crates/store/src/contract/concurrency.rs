//! Two nodes share one database. A request that both make at the same moment is carried out once.

mod accounts;
mod chat;
mod games;
mod hall;
mod study;
mod work;

use std::{future::Future, sync::Arc};

use adoube_vocabulary::{Millis, Version};

use super::games::new_game;
use crate::{Append, NewEvent, NewGame, Store};

type Shared = Arc<dyn Store>;

/// The first of the ids reserved for this module.
const FIRST: u128 = 90_000;
/// Number of times that each pair of requests is made at the same moment.
const ROUNDS: u128 = 12;

/// Checks concurrent requests through two handles to the same database, which need not be empty. If a
/// database can be opened only once, both may be the same handle.
pub async fn check_concurrency(first: Arc<dyn Store>, second: Arc<dyn Store>) {
    let both = &(first, second);
    games::check(both).await;
    accounts::check(both).await;
    hall::check(both).await;
    study::check(both).await;
    chat::check(both).await;
    work::check(both).await;
    super::limits::check_race(&both.0, &both.1).await;
}

/// Makes a request through both handles at the same moment. Returns both results.
async fn at_once<T, F>(both: &(Shared, Shared), request: impl Fn(Shared, u128) -> F) -> [T; 2]
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let (first, second) =
        (tokio::spawn(request(Arc::clone(&both.0), 0)), tokio::spawn(request(Arc::clone(&both.1), 1)));
    [first.await.unwrap(), second.await.unwrap()]
}

/// Makes many requests at the same moment, alternately through the two handles.
async fn many<T, F>(both: &(Shared, Shared), times: u128, request: impl Fn(Shared, u128) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let handle = |number: u128| Arc::clone(if number.is_multiple_of(2) { &both.0 } else { &both.1 });
    let requests = (0..times).map(|number| tokio::spawn(request(handle(number), number))).collect::<Vec<_>>();
    let mut got = Vec::new();
    for one in requests {
        got.push(one.await.unwrap());
    }
    got
}

/// Returns the index of the only result that satisfies a predicate, and the other result.
fn exactly_one<T: std::fmt::Debug>(got: [T; 2], predicate: impl Fn(&T) -> bool) -> (usize, T) {
    let [first, second] = got;
    match (predicate(&first), predicate(&second)) {
        (true, false) => (0, second),
        (false, true) => (1, first),
        _ => panic!("not exactly one of the two: {first:?}, {second:?}"),
    }
}

fn new(number: u128, creator: u128) -> NewGame {
    NewGame { invitation: None, ..new_game(FIRST + number, FIRST + creator, FIRST + number) }
}

fn append(number: u128, based_on: u64, body: &str) -> Append {
    let game = new(number, 0);
    Append {
        game: game.id,
        based_on: Version(based_on),
        events: vec![NewEvent { at: Millis(2000), body: body.into() }],
        seats: Vec::new(),
        read_model: game.read_model,
        command: None,
    }
}
