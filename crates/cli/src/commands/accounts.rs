//! `adoube house` commands for accounts and chat reports.

use std::{io::Write, path::Path};

use adoube_protocol::Millis;
use adoube_store::{Account, AccountStore as _, GameStore as _, Report, SecondFactorStore as _};
use adoube_store_sqlite::{SqliteStore, list_reports};
use anyhow::{Context as _, ensure};

use super::data::in_runtime;
use crate::{
    arguments::{Named, Reports},
    settings::Settings,
};

pub(crate) fn reports(arguments: &Reports, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    ensure!(data.is_file(), "there is no data in {}", data.display());
    for report in in_runtime(list_reports(data, arguments.limit))?? {
        print(&report, out)?;
    }
    Ok(())
}

fn print(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    let Report { report: reported, author, name, said } = report;
    writeln!(
        out,
        "{}  game {}  by player {}: {}",
        date(reported.at),
        reported.game,
        reported.player,
        reported.reason
    )?;
    for line in said {
        let mark = if line.id == reported.line { '>' } else { ' ' };
        // The account may have been deleted since; the report keeps its name.
        let name = line.name.as_deref().or_else(|| name.as_deref().filter(|_| line.player == *author));
        writeln!(out, "  {mark} {}  {}: {}", date(line.at), name.unwrap_or(line.player.as_str()), line.text)?;
    }
    Ok(())
}

/// Formats a time in UTC: `2026-11-25 12:03:59`.
fn date(at: Millis) -> String {
    let Ok(at) = time::OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)) else {
        return at.0.to_string();
    };
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    format!("{date} {hour:02}:{minute:02}:{second:02}")
}

pub(crate) fn sign_out(arguments: &Named, out: &mut impl Write) -> anyhow::Result<()> {
    let ended =
        with_account(arguments, async |store, account| Ok(store.end_sessions(&account.player).await?))?;
    Ok(writeln!(out, "{} sessions ended", ended.len())?)
}

pub(crate) fn second_factor_off(arguments: &Named, out: &mut impl Write) -> anyhow::Result<()> {
    let ended = with_account(arguments, async |store, account| {
        ensure!(store.delete_second_factor(&account.player).await?, "{} has no second factor", account.name);
        Ok(store.end_sessions(&account.player).await?)
    })?;
    Ok(writeln!(out, "the second factor is off; {} sessions ended", ended.len())?)
}

/// Runs `work` on an account while no server is running.
fn with_account<T>(
    arguments: &Named,
    work: impl AsyncFnOnce(&SqliteStore, Account) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    ensure!(data.is_file(), "there is no data in {}", data.display());
    in_runtime(async {
        let store = SqliteStore::open(data).await?;
        let account = store.lookup_account_by_name(&arguments.name).await;
        let done = match account {
            Ok(Some(account)) => work(&store, account).await,
            Ok(None) => Err(anyhow::anyhow!("no account is called {:?}", arguments.name)),
            Err(error) => Err(error.into()),
        };
        store.close().await;
        done
    })?
}
