//! Requests that visitors send to the processes.

use std::sync::Arc;

use adoube_protocol::{GameId, SessionId};
use tokio::time::{sleep, timeout};

use super::{
    super::{
        connection::{ClientEnd, open_connection},
        rng::SeededRng,
    },
    Credential, Node, RESPONSE_TIMEOUT, World,
};
use crate::{
    auth::Visitor,
    changes::Change,
    metrics::Socket as SocketKind,
    socket::{Connection, CredentialWatch, SocketOwner, game::Admission, run_session},
};

impl World {
    /// Opens a game's socket, unless the process does not respond or no longer accepts the credential.
    pub(in super::super) async fn connect(
        &self,
        node: &Node,
        game: &GameId,
        visitor: &Visitor,
        since: u64,
        rng: &SeededRng,
    ) -> Option<ClientEnd> {
        let handshake = async {
            node.process.running().await;
            if !node.app.accounts.is_valid(visitor).await.ok()? {
                return None;
            }
            let entry = Admission::of(&node.app, game.clone(), visitor.player.clone()).await.ok()?;
            let credential = CredentialWatch::of(&node.app, visitor);
            Some((entry, credential))
        };
        let (entry, credential) = tokio::select! {
            biased;
            () = node.process.crashed() => return None,
            () = node.app.stop.cancelled() => return None,
            opened = timeout(RESPONSE_TIMEOUT, handshake) => opened.ok()??,
        };
        let (client, server) = open_connection(&node.process, rng);
        let address = [127, 0, 0, 1].into();
        let slot = Arc::new(node.app.connections.enter(address, false)?);
        let owner = SocketOwner { player: visitor.player.clone(), address, slot };
        let connection =
            Connection::new(node.app.clone(), Box::new(server), owner, SocketKind::Game, credential);
        tokio::spawn(run_session(connection, move |connection| {
            entry.run(connection, adoube_protocol::Version(since))
        }));
        Some(client)
    }

    /// Calls a process directly rather than through a socket. Returns `None` if the process crashes or does
    /// not answer in time.
    pub(in super::super) async fn ask<T>(&self, node: &Node, work: impl Future<Output = T>) -> Option<T> {
        let call = async {
            node.process.running().await;
            work.await
        };
        tokio::select! {
            biased;
            () = node.process.crashed() => None,
            done = timeout(RESPONSE_TIMEOUT, call) => done.ok(),
        }
    }

    /// Ends the visitor's session, if any, on a random process. Retries until this succeeds.
    pub(in super::super) async fn sign_out(&self, visitor: &Visitor, rng: &SeededRng) {
        let Some(session) = &visitor.session else { return };
        loop {
            if let Some(node) = self.node(rng) {
                let ended = self.ask(&node, node.app.accounts.end(visitor, session)).await;
                if let Some(Ok(_)) = ended {
                    break;
                }
            }
            sleep(rng.ms(500)).await;
        }
        let now = self.now_ms();
        self.record().ended.insert(Credential::Session(session.clone()), now);
    }

    /// Opens a session. The first one turns an anonymous identity into an account.
    pub(in super::super) async fn sign_in(&self, visitor: &Visitor, rng: &SeededRng) -> Visitor {
        let (player, session) = (visitor.player.clone(), SessionId::from_random(rng.wide()));
        self.disk.add_session(&player, &format!("name of {player}"), session.clone());
        if visitor.session.is_none()
            && !self.record().ended.contains_key(&Credential::Identity(player.clone()))
        {
            loop {
                if let Some(node) = self.node(rng) {
                    let change = Change::Registered { player: player.clone() };
                    if self.ask(&node, node.app.accounts.changes.publish(change)).await.is_some() {
                        break;
                    }
                }
                sleep(rng.ms(500)).await;
            }
            let now = self.now_ms();
            self.record().ended.insert(Credential::Identity(player.clone()), now);
        }
        Visitor { player, session: Some(session), until: None }
    }
}
