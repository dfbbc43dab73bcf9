//! The names of accounts, which accompany most messages.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use adoube_game::{Game, Seat};
use adoube_protocol::PlayerId;
use adoube_rules::Color;
use adoube_store::Store;

use crate::{error::Error, wire};

/// Maximum number of players that are cached, with or without a name.
const REMEMBERED: usize = 32_768;

#[derive(Debug)]
pub(crate) struct Names {
    store: Arc<dyn Store>,
    known: Mutex<HashMap<PlayerId, Option<String>>>,
}

impl Names {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Mutex::default() }
    }

    pub(crate) async fn of(&self, player: &PlayerId) -> Result<Option<String>, Error> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(player) {
            return Ok(known.clone());
        }
        let name = self.store.lookup_account(player).await?.map(|account| account.name);
        self.set(player, name.clone());
        Ok(name)
    }

    /// Sets the name of a player whose account has been created or deleted.
    pub(crate) fn set(&self, player: &PlayerId, name: Option<String>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            // Dropped players are looked up again.
            known.clear();
        }
        known.insert(player.clone(), name);
    }

    pub(crate) async fn of_game(&self, game: &Game) -> Result<wire::PlayerNames, Error> {
        Ok(wire::PlayerNames {
            white: self.of_seat(&game.seats()[Color::White]).await?,
            black: self.of_seat(&game.seats()[Color::Black]).await?,
        })
    }

    async fn of_seat(&self, seat: &Seat) -> Result<Option<String>, Error> {
        match player_of(seat) {
            Some(player) => self.of(player).await,
            None => Ok(None),
        }
    }
}

/// Returns the player on a seat, if a person occupies it.
pub(crate) fn player_of(seat: &Seat) -> Option<&PlayerId> {
    match seat {
        Seat::Person { player } => Some(player),
        Seat::Open | Seat::Machine { .. } => None,
    }
}
