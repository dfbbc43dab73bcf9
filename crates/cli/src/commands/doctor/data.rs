//! Checks the data: its location, permissions, version, disk and clock.

use std::{
    fs,
    path::{Path, PathBuf},
};

use adoube_server::{Clock as _, Config, SystemClock};
use adoube_store::Inspection;

use super::report::Report;
use crate::settings::{Data, EARLIEST};

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
            check_permissions(path, report)?;
            adoube_store_sqlite::inspect(path).await.map_err(|error| {
                let chain = anyhow::Error::from(error);
                (
                    format!("{chain:#}"),
                    "correct the file name in `data`, or put a backup in its place with `adoube restore`",
                )
            })
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
                "the database runs with {risk} = off: a power cut may lose acknowledged data, or all of it"
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

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Checks the owners and permissions of the data file, its folder and the files next to it. If they are
/// wrong, the usual cause is a command that was run as root.
#[cfg(unix)]
fn check_permissions(path: &Path, report: &mut Report<'_>) -> anyhow::Result<()> {
    use std::{io, os::unix::fs::MetadataExt as _};

    const OTHERS: u32 = 0o007;
    let folder = folder_of(path);
    let me = rustix::process::geteuid().as_raw();
    let may_write = rustix::fs::access(&folder, rustix::fs::Access::WRITE_OK).is_ok();
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_write => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return report.error(
                "permissions",
                format!(
                    "{} does not exist, and {} is not allowed to create it there",
                    path.display(),
                    user(me)
                ),
                format!(
                    "run this command as the server's user, or give it the folder: chown USER {}",
                    folder.display()
                ),
            );
        }
        Err(error) => {
            return report.error(
                "permissions",
                format!("{} cannot be read: {error}", path.display()),
                "run this command as the server's user: sudo -u USER adoube doctor",
            );
        }
    };
    let owner = found.uid();
    let siblings = ["-wal", "-shm", ".lock"].map(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    });
    let files = siblings.iter().filter_map(|file| Some((file, fs::metadata(file).ok()?)));
    let mut is_ok = true;
    for (file, of_file) in files {
        if of_file.uid() != owner {
            is_ok = false;
            report.error(
                "permissions",
                format!(
                    "{} belongs to {}, but the data to {}",
                    file.display(),
                    user(of_file.uid()),
                    user(owner)
                ),
                format!("chown --reference={} {}", path.display(), file.display()),
            )?;
        }
    }
    let of_folder = fs::metadata(&folder)?;
    if of_folder.uid() != owner && me == 0 && of_folder.uid() != 0 {
        is_ok = false;
        report.error(
            "permissions",
            format!(
                "{} belongs to {}, but the data in it to {}",
                folder.display(),
                user(of_folder.uid()),
                user(owner)
            ),
            format!("chown --reference={} {}", folder.display(), path.display()),
        )?;
    }
    if me == owner && !may_write {
        is_ok = false;
        report.error(
            "permissions",
            format!("{} is not allowed to create files in {}", user(me), folder.display()),
            format!("chown {} {}", user(me), folder.display()),
        )?;
    }
    if found.mode() & OTHERS != 0 {
        is_ok = false;
        report.warning(
            "permissions",
            format!(
                "every user of this machine can read {}, which has addresses and password hashes",
                path.display()
            ),
            format!("chmod o= {}", path.display()),
        )?;
    }
    if me != owner && me != 0 {
        is_ok = false;
        report.warning(
            "permissions",
            format!("the data belongs to {}, and this command runs as {}", user(owner), user(me)),
            format!("sudo -u {} adoube doctor", user(owner)),
        )?;
    }
    if is_ok {
        report
            .ok("permissions", format!("the data belongs to {}, and others cannot read it", user(owner)))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_permissions(_: &Path, _: &mut Report<'_>) -> anyhow::Result<()> {
    Ok(())
}

/// Returns the name of an operating-system user, or the user id if it has no name.
#[cfg(unix)]
fn user(uid: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut named = users.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    named.next().unwrap_or_else(|| uid.to_string())
}
