//! Carries out operator commands. If the data is a file that a running server has locked, the server carries
//! them out; otherwise this process opens the data itself.

use std::{io::Write, path::PathBuf};

use adoube_protocol::{AdminAct, AdminDone, AdminQuery, AdminRequest, Millis};
use adoube_server::{Administration, Config, NoMailer};
use anyhow::{Context as _, anyhow};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::serve::services;
use crate::{
    commands::data::{in_runtime, system_time},
    settings::{Data, Layers, SettingFlags},
};

/// Carries out an operator command.
pub(super) fn act(settings: &SettingFlags, act: AdminAct) -> anyhow::Result<AdminDone> {
    carry_out(settings, &AdminRequest::Act(act))
}

/// Answers a query.
pub(super) fn query<T: DeserializeOwned>(settings: &SettingFlags, query: AdminQuery) -> anyhow::Result<T> {
    carry_out(settings, &AdminRequest::Query(query))
}

fn carry_out<T: DeserializeOwned>(settings: &SettingFlags, request: &AdminRequest) -> anyhow::Result<T> {
    let layers = Layers::read(settings)?;
    let data = layers.existing_data()?;
    system_time()?;
    let response = in_runtime(async {
        #[cfg(unix)]
        if let Data::File(path) = &data
            && let Some(response) = adoube_server::ask_server(&socket(path), request).await?
        {
            return Ok(response);
        }
        on_data(&layers, &data, request).await
    })??;
    serde_json::from_value(response).context("the response cannot be read")
}

/// Returns the path of the local socket of the server that uses this data file.
pub(super) fn socket(data: &std::path::Path) -> PathBuf {
    let mut name = std::fs::canonicalize(data).unwrap_or_else(|_| data.to_owned()).into_os_string();
    name.push(".admin");
    name.into()
}

async fn on_data(layers: &Layers, data: &Data, request: &AdminRequest) -> anyhow::Result<Value> {
    let settings = layers.settings()?;
    let services = services(data, settings.bus.nats(), std::sync::Arc::new(NoMailer)).await?;
    let result = async {
        let administration = Administration::open(&settings.server, &services).await?;
        administration.request(request).await.map_err(|error| anyhow!(error.message))
    };
    let result = result.await;
    services.bus.close().await;
    services.store.close().await;
    result
}

/// Prints the effect of an operator command.
pub(super) fn print_result(result: &AdminDone, out: &mut impl Write) -> anyhow::Result<()> {
    match result.ended_sessions {
        0 => writeln!(out, "done{}", audit_entry(result))?,
        ended => writeln!(out, "done; sessions ended: {ended}{}", audit_entry(result))?,
    }
    Ok(())
}

/// Returns the end of the message about an act: its entry in the audit log.
pub(super) fn audit_entry(done: &AdminDone) -> String {
    done.entry.map_or_else(String::new, |number| format!("; audit log entry {number}"))
}

/// Returns the full URL of a link, given its path.
pub(super) fn link(settings: &SettingFlags, path: &str) -> anyhow::Result<String> {
    let config: Config = Layers::read(settings)?.settings()?.server;
    Ok(format!("{}{path}", config.link_address()))
}

/// Formats a time in UTC, such as `2026-11-25 12:03:59`.
pub(super) fn date(at: Millis) -> String {
    let Ok(at) = time::OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)) else {
        return at.0.to_string();
    };
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    format!("{date} {hour:02}:{minute:02}:{second:02}")
}
