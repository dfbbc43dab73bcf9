//! `adoube work`: a worker that does computations for a house's servers.

use adoube_server::Worker;
use anyhow::bail;
use clap::Args;

use super::serve::{START, Start, prepare, runtime, services, shutdown_signal, with_logged_error};
use crate::{
    service_manager::Service,
    settings::{Layers, LogFormat, SettingFlags},
};

/// Compute the machine's turns and the proofs of composed problems for the servers of one house
///
/// A worker shares the database and the bus of the servers (--data postgres://…, --bus nats://…) and serves
/// no pages. With `thinking = "workers"` or `"standby"` the servers leave this work to it. Any number of
/// workers can run; if one dies, the others take over within five seconds. `metrics` sets an address for
/// /metrics, /api/health and /api/ready.
#[derive(Args, Debug)]
pub(crate) struct Work {
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &Work) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    with_logged_error(&layers, || work(&layers))
}

fn work(layers: &Layers) -> anyhow::Result<()> {
    let Start { config, data, bus, mailer, log } = prepare(layers)?;
    let format = log.format;
    if !data.is_shared() {
        bail!(
            "the data is in the file {data}, which only one process can use: a worker needs a PostgreSQL database \
             (--data postgres://ROLE@HOST/DATABASE)"
        );
    }
    if bus.is_none() {
        bail!(
            "a worker needs the bus of its servers (--bus nats://HOST:4222), which carries its turns to them"
        );
    }
    log.begin();
    for warning in layers.warnings() {
        tracing::warn!("{warning}");
    }
    runtime()?.block_on(async {
        let services = services(&data, bus, mailer).await?;
        let bus = std::sync::Arc::clone(&services.bus);
        let worker = Worker::start(config, services).await?;
        match format {
            LogFormat::Text => eprintln!("adoube: working"),
            LogFormat::Json => tracing::info!(target: START, "working"),
        }
        let service = Service::ready("working");
        let ended = worker.run(service.report_stopping_after(shutdown_signal())).await;
        bus.close().await;
        Ok(ended?)
    })
}
