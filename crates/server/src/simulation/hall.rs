//! Visitors in the hall: they create and withdraw seeks, and view the hall, each time on a random process.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use adoube_protocol::{
    ColorChoice, CommandId, CreateSeek, GameSettings, PlayerId, SeekId, SessionId, TimeControl,
};
use tokio::time::sleep;

use super::{
    rng::SeededRng,
    world::{Node, World},
};
use crate::auth::Visitor;

/// The number of visitors who create seeks.
const MAKERS: u8 = 3;
/// The time within which a process learns of a change made on another one, in milliseconds: a second for a
/// lost notice to be reported, a few round trips to the disk, and the network delay.
const NOTIFY_MS: i64 = 2_500;

/// A seek whose creation was confirmed.
#[derive(Debug)]
pub(super) struct ConfirmedSeek {
    id: SeekId,
    maker: u8,
    at: i64,
    /// Whether its maker has tried to withdraw it.
    withdrawal_attempted: bool,
    /// The time at which the withdrawal was confirmed.
    ended_at: Option<i64>,
}

/// Visits the hall until the faults end.
pub(super) async fn visit(world: Arc<World>, rng: SeededRng) {
    let makers = (0..MAKERS).map(|maker| {
        let player = PlayerId::from_random(u128::MAX - u128::from(maker));
        // The makers have accounts and seek correspondence games, so their seeks persist when they leave.
        world.disk.add_session(&player, &format!("maker {maker}"), SessionId::from_random(maker.into()));
        Visitor { player, session: None, until: None }
    });
    let makers = makers.collect::<Vec<_>>();
    while !world.faults_ended.is_cancelled() {
        sleep(rng.ms(1_500)).await;
        let Some(node) = world.node(&rng) else { continue };
        match rng.below(100) {
            0..35 => create_seek(&world, &node, &makers, &rng).await,
            35..55 => withdraw_seek(&world, &node, &makers, &rng).await,
            _ => check_lists(&world, &node).await,
        }
    }
}

async fn create_seek(world: &World, node: &Node, makers: &[Visitor], rng: &SeededRng) {
    let maker = rng.below(MAKERS.into()) as u8;
    let request = CreateSeek {
        command: CommandId(uuid::Builder::from_random_bytes(rng.wide().to_le_bytes()).into_uuid()),
        color: ColorChoice::Random,
        settings: GameSettings {
            time_control: Some(TimeControl::Correspondence { days_per_turn: 3 }),
            ..GameSettings::default()
        },
    };
    let address = [127, 0, 1, maker].into();
    let created =
        world.ask(node, node.app.hall.create_seek(&makers[usize::from(maker)], address, request)).await;
    // Even without a response, the seek may have been created.
    if let Some(Ok(id)) = created {
        let at = world.now_ms();
        world.record().seeks.push(ConfirmedSeek {
            id,
            maker,
            at,
            withdrawal_attempted: false,
            ended_at: None,
        });
    }
}

async fn withdraw_seek(world: &World, node: &Node, makers: &[Visitor], rng: &SeededRng) {
    let (id, maker) = {
        let mut record = world.record();
        let mut open = record.seeks.iter_mut().filter(|seek| !seek.withdrawal_attempted).collect::<Vec<_>>();
        let count = open.len() as u64;
        if count == 0 {
            return;
        }
        let seek = open.swap_remove(rng.below(count) as usize);
        seek.withdrawal_attempted = true;
        (seek.id.clone(), seek.maker)
    };
    let withdrawn =
        world.ask(node, node.app.hall.withdraw_seek(&makers[usize::from(maker)].player, &id)).await;
    if let Some(Ok(())) = withdrawn {
        let now = world.now_ms();
        let mut record = world.record();
        record.seeks.iter_mut().filter(|seek| seek.id == id).for_each(|seek| seek.ended_at = Some(now));
    }
}

/// Returns the seeks that a process shows.
async fn visible_seeks(world: &World, node: &Node) -> Option<BTreeSet<String>> {
    let stranger = PlayerId::from_random(2);
    let hall = world.ask(node, node.app.hall.show(&stranger, false)).await?.ok()?;
    Some(hall.seeks.into_iter().map(|seek| seek.id.to_string()).collect())
}

/// Checks that a process promptly shows new seeks and hides withdrawn ones, whichever process they are from.
async fn check_lists(world: &World, node: &Node) {
    let requested_at = world.now_ms();
    let Some(shown) = visible_seeks(world, node).await else { return };
    let index = node.process.index();
    let mut violations = Vec::new();
    {
        let record = world.record();
        let is_known = |at| requested_at - record.disruptions.undisturbed_since(at, requested_at) > NOTIFY_MS;
        for seek in &record.seeks {
            let (id, is_shown) = (&seek.id, shown.contains(seek.id.as_str()));
            if !seek.withdrawal_attempted && is_known(seek.at) && !is_shown {
                violations.push(format!(
                    "the hall of process {index} does not show seek {id}, created at {}",
                    seek.at
                ));
            }
            if let Some(ended_at) = seek.ended_at.filter(|&ended_at| is_known(ended_at) && is_shown) {
                violations
                    .push(format!("the hall of process {index} shows seek {id}, withdrawn at {ended_at}"));
            }
        }
    }
    for violation in violations {
        world.report_violation(violation);
    }
}

/// Checks that all processes show the seeks in the database, a few seconds after the last change.
pub(super) async fn check(world: &World) {
    if world.has_one_process() {
        return;
    }
    sleep(Duration::from_secs(3)).await;
    let open = world.disk.proposals();
    for node in world.all_nodes() {
        let shown = visible_seeks(world, &node).await;
        if shown.as_ref() != Some(&open) {
            let index = node.process.index();
            world.report_violation(format!(
                "the hall of process {index} shows {shown:?} at the end, not {open:?}"
            ));
        }
    }
}
