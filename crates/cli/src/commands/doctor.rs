//! `adoube doctor`: checks an installation, and suggests remedies.

mod data;
mod mail;
mod openid;
#[cfg(unix)]
mod permissions;
mod probe;
mod report;
mod web;

use std::io::Write;

use adoube_bus::Bus as _;
use adoube_bus_nats::{NatsBus, NatsSettings};
use anyhow::bail;
use clap::Args;

use super::serve::{Start, prepare, runtime};
use crate::{
    describe,
    settings::{Layers, SYSTEM_FILE, SettingFlags},
};
use report::Report;

/// Check an installation, and suggest remedies
///
/// Checks the settings, the data and its permissions, the disk, the clock, the addresses, the proxy, the mail
/// server, the identity provider and the bus, and changes nothing. A server may be running; without one, the
/// proxy is checked more thoroughly. Prints `STATUS SUBJECT: FINDING` for each check, where STATUS is `ok`,
/// `warning` or `error`, and after each warning or error a `  remedy: …` line. Exits with status 2 if there
/// is an error. Run it as the server's user.
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    #[command(flatten)]
    settings: SettingFlags,
    /// Also send an e-mail to this address, to check that it arrives
    #[arg(long, value_name = "ADDRESS")]
    mail_to: Option<String>,
}

pub(crate) fn run(arguments: &Doctor, out: &mut impl Write) -> anyhow::Result<()> {
    let mut report = Report::new(out);
    report.ok("version", concat!("adoube ", env!("ADOUBE_VERSION")))?;
    runtime()?.block_on(examine(arguments, &mut report))?;
    match report.errors() {
        0 => Ok(()),
        1 => bail!("one error was found"),
        errors => bail!("{errors} errors were found"),
    }
}

/// Returns the remedy for settings that would prevent a server from starting.
fn settings_remedy(error: &anyhow::Error) -> &'static str {
    let is_denied = error.chain().any(|cause| {
        let cause = cause.downcast_ref::<std::io::Error>();
        cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::PermissionDenied)
    });
    if is_denied {
        "run this command as the server's user; if the file is the server's settings file, let that user read it: chown root:USER FILE, and chmod 640 FILE"
    } else {
        "correct it; `adoube config` lists all settings and where each comes from"
    }
}

async fn examine(arguments: &Doctor, report: &mut Report<'_>) -> anyhow::Result<()> {
    let layers = match Layers::read(&arguments.settings) {
        Ok(layers) => layers,
        Err(error) => {
            return report.error("settings", describe(&error), settings_remedy(&error));
        }
    };
    for warning in layers.warnings() {
        report.warning("settings", warning.problem, warning.remedy)?;
    }
    let start = match prepare(&layers) {
        Ok(start) => start,
        Err(error) => {
            report.error("settings", describe(&error), settings_remedy(&error))?;
            // The other checks depend on the settings, but the data can still be checked.
            if let Ok(data) = layers.data()
                && data.check().is_ok()
            {
                data::check(&data, &adoube_server::Config::default(), report).await?;
            }
            return Ok(());
        }
    };
    let Start { config, data, bus, .. } = start;
    let no_file = format!(
        "; there is no settings file, neither {SYSTEM_FILE} nor one named by --config or ADOUBE_CONFIG"
    );
    let file = if layers.has_file() { "" } else { &no_file };
    report.ok("settings", format!("a server would accept them; the data is in {data}{file}"))?;
    let found = data::check(&data, &config, report).await?;
    // Without the data, it is not known which house this is.
    if let (Some(settings), Some(found)) = (bus, found) {
        check_bus(&settings, found.house, report).await?;
    }
    mail::check(&layers.settings()?.mail, arguments.mail_to.as_deref(), report).await?;
    openid::check(&config, report).await?;
    web::check(&config, report).await
}

/// Connects to the bus as a server of this house.
async fn check_bus(
    settings: &NatsSettings,
    house: Option<Vec<u8>>,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    use std::fmt::Write as _;
    let house = house.unwrap_or_default().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    match NatsBus::open(settings, &house).await {
        Ok(bus) => {
            let address = bus.address().to_owned();
            bus.close().await;
            report.ok("bus", format!("{address} can be used"))
        }
        Err(error) => report.error(
            "bus",
            error.to_string(),
            "start nats-server there, or correct `bus.url`; a house with a single server needs no bus",
        ),
    }
}
