//! The operating system's data about this process.

use super::seconds_of_ms;

/// Returns the CPU time used by this process in seconds, on systems with `/proc`.
pub(super) fn cpu_seconds() -> Option<String> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Fields are counted from the program name, which is in parentheses and may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<i64>().ok();
    // The kernel reports 100 ticks a second here, regardless of its own tick rate.
    Some(seconds_of_ms((ticks()? + ticks()?) * 10))
}

/// Returns the resident memory of this process in bytes, on systems with `/proc`.
pub(super) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
