//! Many players at once: opens games, plays them by a schedule that does not wait for answers, kills the server if
//! asked to, and compares at the end what the server has with what it had acknowledged.
//!
//! Prints one JSON object. Latencies are counted from the moment when a turn was due, not from when it could be sent:
//! a server that stalls cannot make the client wait and so look better than it is.

#![expect(clippy::cast_precision_loss, reason = "times and shares are measured, and not to fifteen digits")]

mod flags;
mod game;
mod http;
mod report;
mod server;
mod socket;

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use clap::Parser as _;
use tokio::{sync::Semaphore, task::JoinSet, time::Instant};

use crate::{
    flags::Flags,
    game::{Plan, Table},
    report::Report,
    server::Server,
};

/// Games that are opened, and compared, at the same time.
const AT_ONCE: usize = 64;
/// Between the opening of all games and the first turn.
const BREATH: Duration = Duration::from_secs(2);
/// After the last turn was due, for those that are late.
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> Result<()> {
    let flags = Flags::parse();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run(flags))
}

async fn run(flags: Flags) -> Result<()> {
    let flags = Arc::new(flags);
    let server = Arc::new(Server::start(&flags).await?);
    let mut report = Report::default();
    report.idle_mib = server.memory_mib();

    let opening = Instant::now();
    let tables = in_parallel((0..flags.games).map(|number| {
        let (flags, server) = (Arc::clone(&flags), Arc::clone(&server));
        async move { Table::open(number, &flags, server.address()).await }
    }))
    .await?;
    report.open_seconds = opening.elapsed().as_secs_f64();
    let watched = tables.first().map(Table::id);

    let plan = Plan::new(&flags, Instant::now() + BREATH);
    let mut players = JoinSet::new();
    for table in tables {
        players.spawn(table.play(plan, server.address()));
    }
    let mut watchers = JoinSet::new();
    if let Some(id) = watched {
        for _ in 0..flags.watchers {
            watchers.spawn(game::watch(id.clone(), plan, server.address()));
        }
    }
    tokio::time::sleep_until(plan.begin).await;
    let peak = tokio::spawn(Arc::clone(&server).peak_memory(plan.end));
    if let Some(every) = flags.kill_every() {
        let mut seed = flags.seed;
        loop {
            // Somewhere between half and one and a half times as long: no phase of the work is spared.
            seed = game::mix(seed);
            let pause = every.mul_f64(0.5 + (seed % 1_000) as f64 / 1_000.0);
            if Instant::now() + pause + every > plan.end {
                break;
            }
            tokio::time::sleep(pause).await;
            report.restart_seconds.push(server.kill_and_restart().await?);
        }
    }
    let mut played = Vec::new();
    let all = async {
        while let Some(one) = players.join_next().await {
            played.push(one??);
        }
        Ok::<(), anyhow::Error>(())
    };
    tokio::time::timeout_at(plan.end + PATIENCE, all)
        .await
        .context("some games did not come to their end")??;
    while let Some(watched) = watchers.join_next().await {
        report.watched_us.extend(watched??);
    }
    report.peak_mib = peak.await?;
    report.seconds = plan.length().as_secs_f64();

    let checked = in_parallel(played.into_iter().map(|played| {
        let address = server.address();
        async move { played.check(address).await }
    }))
    .await?;
    for played in checked {
        report.add(played);
    }
    server.stop().await?;
    println!("{}", serde_json::to_string_pretty(&report.json(&flags))?);
    report.verdict()
}

/// Does all of it, a few at a time.
async fn in_parallel<T: Send + 'static>(
    work: impl Iterator<Item = impl Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for one in work {
        let places = Arc::clone(&places);
        tasks.spawn(async move {
            let _place = places.acquire().await?;
            one.await
        });
    }
    let mut done = Vec::new();
    while let Some(one) = tasks.join_next().await {
        done.push(one??);
    }
    Ok(done)
}
