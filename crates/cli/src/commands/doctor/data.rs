//! Checks the data: its location, permissions, version, disk and clock.

use std::path::{Path, PathBuf};

use adoube_server::{Clock as _, Config, SystemClock};
use adoube_store::Inspection;
use adoube_store_sqlite::InspectError;

#[cfg(unix)]
use super::permissions::check as check_permissions;
use super::report::Report;
use crate::{
    describe,
    settings::{Data, EARLIEST},
};

/// The largest acceptable difference between this machine's clock and the database's, in milliseconds. A
/// server logs larger ones.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 2_000;

/// Checks the database, its disk and the clock. Returns the state of the database if it can be opened.
pub(super) async fn check(
    data: &Data,
    config: &Config,
    report: &mut Report<'_>,
) -> anyhow::Result<Option<Inspection>> {
    let inspected = match data {
        Data::File(path) => {
            let is_permitted = check_permissions(path, report)?;
            match adoube_store_sqlite::inspect(path).await {
                // The permissions, reported above, are the reason.
                Err(InspectError::Unopened { .. }) if !is_permitted => {
                    check_clock(config, None, report)?;
                    return Ok(None);
                }
                Ok(found) => Ok(found),
                Err(error) => {
                    let remedy = remedy(&error);
                    Err((describe(&error.into()), remedy))
                }
            }
        }
        Data::Postgres(address) => adoube_store_postgres::inspect(address, || SystemClock::new().now())
            .await
            .map_err(|error| (error.to_string(), "see docs/postgresql.md, \"When something is wrong\"")),
    };
    let found = match inspected {
        Ok(found) => found,
        Err((error, remedy)) => {
            report.error("data", error, remedy)?;
            check_clock(config, None, report)?;
            return Ok(None);
        }
    };
    check_version(&found, report)?;
    check_disk(data, &found, config, report)?;
    check_clock(config, Some(&found), report)?;
    Ok(Some(found))
}

/// Returns the remedy for a data file that cannot be inspected. A backup lacks everything written since it
/// was made, so it is a remedy only if the file itself is damaged. Even then, `adoube restore` keeps the
/// damaged file.
fn remedy(error: &InspectError) -> &'static str {
    match error {
        InspectError::Foreign(_) => {
            "correct the file name in `data`; if this is the right file, it is damaged: stop the server, and put a backup in its place with `adoube restore`"
        }
        InspectError::Newer { .. } => {
            "the data is intact; install the version of adoube that wrote it, or a later one (docs/upgrading.md)"
        }
        InspectError::Damaged { .. } => {
            "stop the server, and restore a backup with `adoube restore`, which keeps the damaged file"
        }
        InspectError::Locked(_) => "stop the other program; `fuser -v FILE` names it",
        InspectError::Unopened { .. } => {
            "this does not mean that the data is damaged, so keep the file; run this command as the server's user; if that does not help, look for a security module, such as SELinux or AppArmor, that denies access to it"
        }
        InspectError::Unreadable { .. } => {
            "keep the file; look for disk errors (`dmesg`), and copy the file to another disk before anything else"
        }
    }
}

fn check_version(found: &Inspection, report: &mut Report<'_>) -> anyhow::Result<()> {
    let Inspection { version, schema, newest_schema, holder, .. } = found;
    let size = megabytes(found.bytes);
    let in_use = holder.as_ref().map(|holder| format!(", in use by {holder}")).unwrap_or_default();
    match schema {
        None => report.ok("data", format!("{version}; there is no data yet; the first start creates it"))?,
        Some(schema) if schema < newest_schema => report.ok(
            "data",
            format!(
                "{version}, {size}{in_use}; its schema {schema} is from an older version, and the next start migrates it to {newest_schema}"
            ),
        )?,
        Some(schema) => report.ok("data", format!("{version}, {size}, schema {schema}{in_use}"))?,
    }
    for risk in &found.risks {
        report.error(
            "data",
            format!(
                "the database runs with {risk} = off: acknowledged data, or all data, may be lost in a power cut"
            ),
            format!("set {risk} = on in postgresql.conf, and restart PostgreSQL"),
        )?;
    }
    Ok(())
}

fn check_disk(
    data: &Data,
    found: &Inspection,
    config: &Config,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    if let Data::File(path) = data
        && let Some(kind) = network_file_system(path)
    {
        report.error(
            "disk",
            format!(
                "the data is on a network file system ({kind}), where SQLite's write-ahead log does not work"
            ),
            "put the file on a local disk, or the data into PostgreSQL",
        )?;
    }
    let Some(free) = found.free_bytes else { return Ok(()) };
    let low = config.limits.low_disk_bytes;
    if free < low {
        report.error(
            "disk",
            format!(
                "{} free: below {}, new games and other new data are refused",
                megabytes(free),
                megabytes(low)
            ),
            "make space, or lower `limits.low_disk_bytes`",
        )
    } else if free < found.bytes.saturating_add(low) {
        report.warning(
            "disk",
            format!(
                "{} free, but the data takes {}: there is no space for the copy that an update makes",
                megabytes(free),
                megabytes(found.bytes)
            ),
            "make space before the next update",
        )
    } else {
        report.ok("disk", format!("{} free", megabytes(free)))
    }
}

fn check_clock(config: &Config, found: Option<&Inspection>, report: &mut Report<'_>) -> anyhow::Result<()> {
    let mut clock = config.clock.clone();
    clock.earliest = EARLIEST;
    let newest = found.and_then(|found| found.latest_write);
    if let Err(error) = clock.check(SystemClock::new().now(), newest) {
        return report.error(
            "clock",
            error.to_string(),
            "set the clock over the network: `timedatectl set-ntp true`",
        );
    }
    if let Some(ahead) = found.and_then(|found| found.clock_ahead_ms)
        && ahead.abs() > MAX_CLOCK_DIFFERENCE_MS
    {
        return report.error(
            "clock",
            format!("the database's clock differs from that of this machine by {} ms", ahead.abs()),
            "set both clocks over the network: `timedatectl set-ntp true` on both machines",
        );
    }
    let synchronised = Path::new("/run/systemd/timesync");
    if synchronised.is_dir() && !synchronised.join("synchronized").exists() {
        return report.warning(
            "clock",
            "plausible, but systemd-timesyncd has not set it over the network since the machine started",
            "`systemctl status systemd-timesyncd` shows the reason",
        );
    }
    report.ok("clock", "plausible")
}

/// Formats a size in MB.
fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// Returns the name of the file system if it is a known network file system.
#[cfg(target_os = "linux")]
fn network_file_system(path: &Path) -> Option<&'static str> {
    // These numbers are from linux/magic.h, and from the sources of file systems that are not in it.
    let kind = rustix::fs::statfs(folder_of(path)).ok()?.f_type;
    match kind & 0xffff_ffff {
        0x6969 => Some("NFS"),
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => Some("SMB"),
        0x0102_1997 => Some("9P"),
        0x5346_414f | 0x6b41_4653 => Some("AFS"),
        0x00c3_6400 => Some("Ceph"),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn network_file_system(_: &Path) -> Option<&'static str> {
    None
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(not(unix))]
fn check_permissions(_: &Path, _: &mut Report<'_>) -> anyhow::Result<bool> {
    Ok(true)
}
