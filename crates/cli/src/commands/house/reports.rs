use std::io::Write;

use adoube_store::Report;
use adoube_store_sqlite::list_reports;
use clap::Args;

use crate::{
    commands::{data::in_runtime, operator::date},
    settings::{Data, Layers, SettingFlags},
};

/// Show reported chat messages, newest first; a server may be running
///
/// Prints `DATE  game ID  by player ID: REASON` for each report, then the reported line, marked `>`, among
/// the lines around it. Dates are in UTC.
#[derive(Args, Debug)]
pub(crate) struct Reports {
    /// The maximum number of reports
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    limit: u32,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &Reports, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let reports = match layers.existing_data()? {
        // A running server may have locked the file, but this only reads it.
        Data::File(path) => in_runtime(async { anyhow::Ok(list_reports(&path, arguments.limit).await?) })??,
        data @ Data::Postgres(_) => in_runtime(async {
            let store = data.open().await?;
            let reports = store.list_reports(arguments.limit).await;
            store.close().await;
            anyhow::Ok(reports?)
        })??,
    };
    for report in &reports {
        print(report, out)?;
    }
    Ok(())
}

fn print(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    let Report { report: reported, author, name, messages } = report;
    writeln!(
        out,
        "{}  game {}  by player {}: {}",
        date(reported.at),
        reported.game,
        reported.player,
        reported.reason
    )?;
    for line in messages {
        let mark = if line.id == reported.message { '>' } else { ' ' };
        // If the account has been deleted since, the report still has its name.
        let name = line.name.as_deref().or_else(|| name.as_deref().filter(|_| line.player == *author));
        writeln!(out, "  {mark} {}  {}: {}", date(line.at), name.unwrap_or(line.player.as_str()), line.text)?;
    }
    Ok(())
}
