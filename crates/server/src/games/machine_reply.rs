//! The machine's automatic replies to its opponent's proposals.

use std::sync::Arc;

use adoube_game::{Act, ActContext, Game, Seat};
use adoube_protocol::{CommandId, GameId};
use adoube_rules::Color;

use super::{commands::Commands, matches::Matches, system_player};
use crate::{entropy::Entropy, error::Error};

/// An automatic reply by the machine. Draw offers are answered elsewhere (`crates/server/src/machine.rs`),
/// because the answer requires thinking.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum MachineReply {
    AcceptTakeback,
    AcceptRematch,
}

impl MachineReply {
    /// Returns the machine's side and its reply, if an opponent's proposal awaits one.
    pub(super) fn to(game: &Game) -> Option<(Color, Self)> {
        let is_machine = |&color: &Color| matches!(game.seats()[color], Seat::Machine { .. });
        let machine = Color::ALL.into_iter().find(is_machine)?;
        if game.takeback_proposal() == Some(!machine) {
            Some((machine, Self::AcceptTakeback))
        } else if game.rematch_offer() == Some(!machine) {
            Some((machine, Self::AcceptRematch))
        } else {
            None
        }
    }
}

#[derive(Debug)]
pub(crate) struct MachineReplies {
    pub(super) commands: Arc<Commands>,
    pub(super) matches: Arc<Matches>,
    pub(super) entropy: Arc<dyn Entropy>,
}

impl MachineReplies {
    /// Carries out a reply in a game.
    pub(super) async fn apply(
        &self,
        id: &GameId,
        game: &Game,
        (machine, reply): (Color, MachineReply),
    ) -> Result<(), Error> {
        let (act, rematch) = match reply {
            MachineReply::AcceptTakeback => (Act::AcceptTakeback, None),
            MachineReply::AcceptRematch => (Act::AcceptRematch, Some(self.matches.rematch(id, game).await?)),
        };
        let context = |_: &Game, _| ActContext { rematch: rematch.clone(), ..ActContext::default() };
        let random = self.entropy.random()?.to_le_bytes();
        let command = CommandId(uuid::Builder::from_random_bytes(random).into_uuid());
        let side = |_: &Game| Ok(machine);
        self.commands.act_as(id, &system_player(), command, (&act, &context), &side).await.map(|_| ())
    }
}
