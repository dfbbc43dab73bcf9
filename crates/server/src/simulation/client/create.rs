//! Creates games, and chooses the processes that their visitors prefer.

use std::sync::{Arc, Mutex};

use adoube_protocol::{ColorChoice, CreateGame, GameId, GameSettings, OpponentChoice, PlayerId, TimeControl};
use adoube_rules::{Color, Variant};
use tokio::time::sleep;

use super::{
    super::{
        rng::SeededRng,
        world::{NODES, World},
    },
    Client, new_command,
};
use crate::auth::Visitor;

/// The processes that the visitors of a game prefer.
#[derive(Clone, Copy)]
enum Preference {
    None,
    /// All prefer the same process.
    Same(usize),
    /// The first visitor prefers this process, the second one the next process, and so on.
    Different(usize),
}

impl Preference {
    fn random(world: &World, rng: &SeededRng) -> Self {
        let index = if world.has_one_process() { 0 } else { rng.below(NODES as u64) as usize };
        match rng.below(100) {
            _ if world.has_one_process() => Self::None,
            0..40 => Self::Same(index),
            40..70 => Self::Different(index),
            _ => Self::None,
        }
    }

    /// Returns the process that all visitors prefer, if any.
    fn common(self) -> Option<usize> {
        if let Self::Same(index) = self { Some(index) } else { None }
    }

    /// Returns the process that a visitor of a game prefers, if any.
    fn of_visitor(self, number: usize) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Same(index) => Some(index),
            Self::Different(first) => Some((first + number) % NODES),
        }
    }
}

/// Creates a game and starts the clients of its players and spectators. Seats the second player, unless the
/// opponent is the machine.
pub(in super::super) async fn create(world: Arc<World>, rng: SeededRng, number: u64) {
    let against_machine = !world.has_one_process() && rng.percent(35);
    let preference = Preference::random(&world, &rng);
    let settings = settings(&rng, against_machine || world.is_long());
    let (first, second) = (PlayerId::from_random(rng.wide()), PlayerId::from_random(rng.wide()));
    let creation = CreateGame {
        command: new_command(&rng),
        color: ColorChoice::White,
        opponent: if against_machine {
            OpponentChoice::Machine { level: 1.try_into().unwrap() }
        } else {
            OpponentChoice::Friend
        },
        settings: settings.clone(),
    };
    let created = loop {
        sleep(rng.ms(300)).await;
        let Some(node) = world.preferred_node(preference.common(), &rng) else { continue };
        // Sometimes the response is lost.
        let created = world.ask(&node, node.app.games.creator.create(&first, creation.clone())).await;
        if let Some(Ok(created)) = created
            && (world.faults_ended.is_cancelled() || rng.percent(80))
        {
            break created;
        }
    };
    world.record().games.push(created.id.clone());
    let variant = settings.variant.parse().unwrap();
    let opponent = (!against_machine).then(|| second.clone());
    spawn_visitors(&world, &rng, (&created.id, variant), (first, opponent), (number, preference));
    let Some(token) = created.invitation else { return };
    loop {
        sleep(rng.ms(300)).await;
        let Some(node) = world.preferred_node(preference.common(), &rng) else { continue };
        if let Some(Ok(id)) = world.ask(&node, node.app.games.commands.join(&second, &token)).await {
            if id != created.id {
                world.report_violation(format!("an invitation to {} leads to {id}", created.id));
            }
            return;
        }
    }
}

/// Starts the clients of the players and of some spectators. Without a second player, the first one plays
/// against the machine.
fn spawn_visitors(
    world: &Arc<World>,
    rng: &SeededRng,
    (game, variant): (&GameId, Variant),
    (first, second): (PlayerId, Option<PlayerId>),
    (number, preference): (u64, Preference),
) {
    // Some games are abandoned by all visitors.
    let stays = rng.percent(if world.has_one_process() { 70 } else { 50 });
    let against_machine = second.is_none();
    let mut visitors = vec![(first, Some(Color::White))];
    visitors.extend(second.map(|second| (second, Some(Color::Black))));
    for _ in 0..rng.below(3) {
        visitors.push((PlayerId::from_random(rng.wide()), None));
    }
    let mut name = number * 10;
    for (number, (player, side)) in visitors.into_iter().enumerate() {
        let visitor = Arc::new(Mutex::new(Visitor { player, session: None, until: None }));
        let has_account = !world.has_one_process() && rng.percent(25);
        // Some visitors have the game open twice, possibly on two processes.
        for _ in 0..=u64::from(!world.has_one_process() && rng.percent(25)) {
            let client = Client {
                world: Arc::clone(world),
                rng: rng.fork(),
                name,
                visitor: Arc::clone(&visitor),
                has_account,
                side,
                game: game.clone(),
                variant,
                against_machine,
                view: None,
                pending: Vec::new(),
                gifts: 0,
                is_persistent: stays,
                pause_ms: if world.has_one_process() { 400 } else { *rng.pick(&[400, 400, 4_500]) },
                pace_ms: if world.has_one_process() { 1_200 } else { *rng.pick(&[1_200, 1_200, 8_000]) },
                preferred: preference.of_visitor(number),
                span: None,
                presence_version: 0,
            };
            name += 1;
            world.record().at_rest.insert(client.name, (game.clone(), 0));
            tokio::spawn(client.run());
        }
    }
}

fn settings(rng: &SeededRng, is_long: bool) -> GameSettings {
    let initial_ms = *rng.pick(if is_long { &[20_000, 60_000, 120_000] } else { &[4_000, 10_000, 20_000] });
    let time_control = match rng.below(3) {
        0 => TimeControl::Fischer { initial_ms, increment_ms: 0 },
        1 => TimeControl::Fischer { initial_ms, increment_ms: 1_000 },
        _ => TimeControl::Delay { initial_ms, delay_ms: 700 },
    };
    let variant = *rng.pick(&Variant::ALL);
    GameSettings { variant: variant.to_string(), time_control: Some(time_control), ..GameSettings::default() }
}
