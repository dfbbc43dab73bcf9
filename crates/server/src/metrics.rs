//! Metrics for the operator, in the Prometheus text format.

mod process;
mod text;

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use adoube_bus::BusCounts;
use adoube_protocol::Millis;
use adoube_store::WriteCounts;

use self::{
    process::{cpu_seconds, resident_bytes},
    text::Text,
};
use crate::error::Error;

/// Upper bounds of the histogram buckets, in microseconds.
const BOUNDS_US: [u64; 12] =
    [500, 1_000, 2_000, 3_000, 5_000, 10_000, 15_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// A histogram of durations.
#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BOUNDS_US.len()],
    count: AtomicU64,
    sum_us: AtomicU64,
}

impl Histogram {
    fn record(&self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        for (bucket, _) in self.buckets.iter().zip(BOUNDS_US).filter(|&(_, bound)| us <= bound) {
            bucket.fetch_add(1, Relaxed);
        }
        self.count.fetch_add(1, Relaxed);
        self.sum_us.fetch_add(us, Relaxed);
    }

    /// Returns the lines of the histogram, each as a suffix to append to the metric's name and a value.
    fn lines(&self) -> Vec<(String, String)> {
        let seconds = |us: u64| format!("{:.6}", Duration::from_micros(us).as_secs_f64());
        let mut lines = Vec::new();
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS_US) {
            lines.push((format!("_bucket{{le=\"{}\"}}", seconds(bound)), count(bucket)));
        }
        lines.push(("_bucket{le=\"+Inf\"}".into(), count(&self.count)));
        lines.push(("_sum".into(), seconds(self.sum_us.load(Relaxed))));
        lines.push(("_count".into(), count(&self.count)));
        lines
    }
}

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    done: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    command_time: Histogram,
    games_created: AtomicU64,
    chat_lines: AtomicU64,
    requests: [AtomicU64; 5],
    machine_turns: AtomicU64,
    machine_turn_time: Histogram,
    proofs: AtomicU64,
    game_sockets: AtomicI64,
    hall_sockets: AtomicI64,
    append_conflicts: AtomicU64,
    signed_in: AtomicU64,
    sign_ins_failed: AtomicU64,
    emails_sent: AtomicU64,
    emails_failed: AtomicU64,
    pushes: [AtomicU64; PushEnd::ALL.len()],
    reports: AtomicU64,
    nodes: NodeMetrics,
    version: &'static str,
    started: Millis,
}

/// The outcome of sending a notification to one browser.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PushEnd {
    /// The push service has accepted it.
    Sent,
    Failed,
    /// The browser has unsubscribed.
    Gone,
    /// The account has reached its daily limit. Counted once for all its browsers.
    Limited,
}

impl PushEnd {
    const ALL: [Self; 4] = [Self::Sent, Self::Failed, Self::Gone, Self::Limited];

    const fn label(self) -> &'static str {
        match self {
            Self::Sent => "{end=\"sent\"}",
            Self::Failed => "{end=\"failed\"}",
            Self::Gone => "{end=\"gone\"}",
            Self::Limited => "{end=\"limited\"}",
        }
    }
}

/// Counters that are written only if there can be several nodes.
#[derive(Debug, Default)]
struct NodeMetrics {
    leases_renewed: AtomicU64,
    leases_lost: AtomicU64,
    leases_failed: AtomicU64,
    takeovers: AtomicU64,
    refunds: AtomicU64,
}

/// The state of the nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeGauges {
    /// The number of nodes with a valid lease, including this one.
    pub(crate) alive: usize,
    /// The amount by which the database's clock is ahead of this node's, in milliseconds.
    pub(crate) clock_off_ms: i64,
}

/// Values that are counted elsewhere, read when the metrics are requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauges {
    pub(crate) games_cached: usize,
    pub(crate) deadlines: usize,
    pub(crate) seeks: usize,
    pub(crate) connections: usize,
    /// The counters of the bus, if it has a connection to other processes.
    pub(crate) bus: Option<BusCounts>,
    /// The nodes, if there can be several.
    pub(crate) nodes: Option<NodeGauges>,
    /// The number and size of the store's transactions, if it counts them.
    pub(crate) writes: Option<WriteCounts>,
    /// Free bytes on the data disk, if known.
    pub(crate) free_bytes: Option<u64>,
    /// The size of the data in bytes, if known.
    pub(crate) data_bytes: Option<u64>,
}

/// The kinds of sockets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Socket {
    Game,
    Hall,
}

/// A guard that counts an open socket until it is dropped.
#[derive(Debug)]
pub(crate) struct SocketGuard {
    metrics: std::sync::Arc<Metrics>,
    kind: Socket,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        self.metrics.sockets(self.kind).fetch_sub(1, Relaxed);
    }
}

impl Metrics {
    /// Returns the initial metrics of a process, given its version and start time.
    pub(crate) fn new(version: &'static str, started: Millis) -> Self {
        Self { version, started, ..Self::default() }
    }

    /// Counts an attempt to sign in, unless it was refused for a reason other than a wrong password or code,
    /// such as a limit.
    pub(crate) fn sign_in<T>(&self, end: &Result<T, Error>) {
        match end {
            Ok(_) => &self.signed_in,
            Err(Error::SignInFailed | Error::SecondFactorWrong) => &self.sign_ins_failed,
            Err(_) => return,
        }
        .fetch_add(1, Relaxed);
    }

    pub(crate) fn email(&self, is_sent: bool) {
        let count = if is_sent { &self.emails_sent } else { &self.emails_failed };
        count.fetch_add(1, Relaxed);
    }

    /// Counts the outcome of a notification to a browser.
    pub(crate) fn push(&self, end: PushEnd) {
        self.pushes[end as usize].fetch_add(1, Relaxed);
    }

    /// Counts a report of a chat line.
    pub(crate) fn report(&self) {
        self.reports.fetch_add(1, Relaxed);
    }

    pub(crate) fn command<T>(&self, end: &Result<T, Error>, time: Duration) {
        match end {
            Ok(_) => &self.done,
            Err(Error::Store(_) | Error::Log(_) | Error::Entropy(_) | Error::Internal(_)) => &self.failed,
            Err(_) => &self.refused,
        }
        .fetch_add(1, Relaxed);
        self.command_time.record(time);
    }

    pub(crate) fn game_created(&self) {
        self.games_created.fetch_add(1, Relaxed);
    }

    /// Counts a decision that was repeated because the game had changed in the meantime.
    pub(crate) fn append_conflict(&self) {
        self.append_conflicts.fetch_add(1, Relaxed);
    }

    /// Counts a renewal of the lease, or a lost lease if it had expired before the renewal.
    pub(crate) fn lease_renewed(&self, was_valid: bool) {
        let count = if was_valid { &self.nodes.leases_renewed } else { &self.nodes.leases_lost };
        count.fetch_add(1, Relaxed);
    }

    /// Counts a renewal that failed because of the store.
    pub(crate) fn lease_failed(&self) {
        self.nodes.leases_failed.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_takeover(&self) {
        self.nodes.takeovers.fetch_add(1, Relaxed);
    }

    /// Counts a refund to a player for time lost when a node stopped or died.
    pub(crate) fn refunded(&self) {
        self.nodes.refunds.fetch_add(1, Relaxed);
    }

    /// Counts one of the machine's turns. `time` is how long it took to find the turn and store it.
    pub(crate) fn machine_turn(&self, time: Duration) {
        self.machine_turns.fetch_add(1, Relaxed);
        self.machine_turn_time.record(time);
    }

    /// Counts a proof that this process has computed as a job.
    pub(crate) fn proof(&self) {
        self.proofs.fetch_add(1, Relaxed);
    }

    pub(crate) fn chat_line(&self) {
        self.chat_lines.fetch_add(1, Relaxed);
    }

    pub(crate) fn request(&self, status: u16) {
        if let Some(class) = self.requests.get(usize::from(status / 100).wrapping_sub(1)) {
            class.fetch_add(1, Relaxed);
        }
    }

    pub(crate) fn open(self: &std::sync::Arc<Self>, kind: Socket) -> SocketGuard {
        self.sockets(kind).fetch_add(1, Relaxed);
        SocketGuard { metrics: std::sync::Arc::clone(self), kind }
    }

    fn sockets(&self, kind: Socket) -> &AtomicI64 {
        match kind {
            Socket::Game => &self.game_sockets,
            Socket::Hall => &self.hall_sockets,
        }
    }

    /// Returns all metrics in the text format.
    pub(crate) fn text(&self, gauges: Gauges) -> String {
        let mut text = Text(String::with_capacity(4096));
        text.family(
            "adoube_commands_total",
            "counter",
            "Commands from players, by outcome.",
            &[
                ("{end=\"done\"}", count(&self.done)),
                ("{end=\"refused\"}", count(&self.refused)),
                ("{end=\"failed\"}", count(&self.failed)),
            ],
        );
        for (name, help, histogram) in [
            (
                "adoube_command_duration_seconds",
                "Time from the arrival of a command until it is on disk or refused.",
                &self.command_time,
            ),
            (
                "adoube_machine_turn_duration_seconds",
                "Time from the start of the machine's search in this process until its turn is on disk.",
                &self.machine_turn_time,
            ),
        ] {
            let lines = histogram.lines();
            let lines = lines.iter().map(|(rest, value)| (rest.as_str(), value.clone())).collect::<Vec<_>>();
            text.family(name, "histogram", help, &lines);
        }
        for (name, help, counter) in [
            (
                "adoube_machine_turns_total",
                "The machine's turns, found by this process.",
                &self.machine_turns,
            ),
            ("adoube_job_proofs_total", "Proofs that this process has computed as jobs.", &self.proofs),
        ] {
            text.family(name, "counter", help, &[("", count(counter))]);
        }
        let classes =
            ["{class=\"1xx\"}", "{class=\"2xx\"}", "{class=\"3xx\"}", "{class=\"4xx\"}", "{class=\"5xx\"}"];
        let lines = classes.into_iter().zip(self.requests.iter().map(count)).collect::<Vec<_>>();
        text.family("adoube_http_requests_total", "counter", "HTTP responses, by status class.", &lines);
        text.family(
            "adoube_games_created_total",
            "counter",
            "Games created.",
            &[("", count(&self.games_created))],
        );
        text.family("adoube_chat_lines_total", "counter", "Chat messages.", &[("", count(&self.chat_lines))]);
        text.family(
            "adoube_sockets",
            "gauge",
            "Open sockets, by kind.",
            &[
                ("{kind=\"game\"}", self.game_sockets.load(Relaxed).to_string()),
                ("{kind=\"hall\"}", self.hall_sockets.load(Relaxed).to_string()),
            ],
        );
        self.visitors(&mut text);
        text.data(&gauges);
        for (name, help, value) in [
            ("adoube_connections", "Open connections, including sockets.", gauges.connections),
            ("adoube_games_remembered", "Games whose state is in memory.", gauges.games_cached),
            ("adoube_games_with_deadline", "Games with a deadline.", gauges.deadlines),
            ("adoube_seeks", "Open seeks and challenges.", gauges.seeks),
        ] {
            text.family(name, "gauge", help, &[("", value.to_string())]);
        }
        text.family(
            "adoube_append_conflicts_total",
            "counter",
            "Decisions repeated because the game had changed in the meantime.",
            &[("", count(&self.append_conflicts))],
        );
        if let Some(writes) = gauges.writes {
            text.writes(writes);
        }
        if let Some(nodes) = gauges.nodes {
            self.nodes.write(nodes, &mut text);
        }
        if let Some(bus) = gauges.bus {
            text.bus(bus);
        }
        self.process(&mut text);
        text.0
    }

    /// Writes the metrics for sign-ins, e-mails, notifications and reports.
    fn visitors(&self, text: &mut Text) {
        for (name, help, ends) in [
            (
                "adoube_sign_ins_total",
                "Attempts to sign in: done, or failed because of a wrong password or code.",
                [("{end=\"done\"}", &self.signed_in), ("{end=\"failed\"}", &self.sign_ins_failed)],
            ),
            (
                "adoube_emails_total",
                "E-mails: accepted by the mail server, or failed.",
                [("{end=\"sent\"}", &self.emails_sent), ("{end=\"failed\"}", &self.emails_failed)],
            ),
        ] {
            text.family(name, "counter", help, &ends.map(|(end, value)| (end, count(value))));
        }
        let ends = PushEnd::ALL.map(|end| (end.label(), count(&self.pushes[end as usize])));
        text.family(
            "adoube_pushes_total",
            "counter",
            "Notifications to browsers: accepted by the push service, failed, undeliverable because the \
             browser has unsubscribed, or not sent because of the daily limit.",
            &ends,
        );
        text.family(
            "adoube_reports_total",
            "counter",
            "Reported chat messages.",
            &[("", count(&self.reports))],
        );
    }

    /// Writes the version, and the operating system's data about this process.
    fn process(&self, text: &mut Text) {
        let version = self.version.replace(['"', '\\', '\n'], "");
        text.family(
            "adoube_build_info",
            "gauge",
            "Always 1; the label is the version.",
            &[(&format!("{{version=\"{version}\"}}"), "1".to_owned())],
        );
        text.family(
            "process_start_time_seconds",
            "gauge",
            "Start time of the process, in seconds since 1970.",
            &[("", seconds_of_ms(self.started.0))],
        );
        if let Some(seconds) = cpu_seconds() {
            text.family(
                "process_cpu_seconds_total",
                "counter",
                "CPU time used by the process.",
                &[("", seconds)],
            );
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            text.family(
                "process_open_fds",
                "gauge",
                "Files and connections that the process has open.",
                &[("", files.count().to_string())],
            );
        }
        if let Some(bytes) = resident_bytes() {
            text.family(
                "process_resident_memory_bytes",
                "gauge",
                "Resident memory of the process.",
                &[("", bytes.to_string())],
            );
        }
    }
}

impl NodeMetrics {
    fn write(&self, nodes: NodeGauges, text: &mut Text) {
        text.family(
            "adoube_nodes_alive",
            "gauge",
            "Servers with a valid lease, including this one.",
            &[("", nodes.alive.to_string())],
        );
        text.family(
            "adoube_clock_off_seconds",
            "gauge",
            "Offset of the database's clock from this server's; positive if the database's is ahead.",
            &[("", seconds_of_ms(nodes.clock_off_ms))],
        );
        text.family(
            "adoube_lease_renewals_total",
            "counter",
            "Renewals of this server's lease: in time, after it had expired, or failed.",
            &[
                ("{end=\"renewed\"}", count(&self.leases_renewed)),
                ("{end=\"lost\"}", count(&self.leases_lost)),
                ("{end=\"failed\"}", count(&self.leases_failed)),
            ],
        );
        for (name, help, counter) in [
            ("adoube_takeovers_total", "Dead servers from which this one has taken over.", &self.takeovers),
            (
                "adoube_refunds_total",
                "Refunds to players for time lost when a server stopped or died.",
                &self.refunds,
            ),
        ] {
            text.family(name, "counter", help, &[("", count(counter))]);
        }
    }
}

fn count(counter: &AtomicU64) -> String {
    counter.load(Relaxed).to_string()
}

/// Formats milliseconds as seconds with three decimals.
fn seconds_of_ms(ms: i64) -> String {
    let (sign, ms) = (if ms < 0 { "-" } else { "" }, ms.unsigned_abs());
    format!("{sign}{}.{:03}", ms / 1_000, ms % 1_000)
}

#[cfg(test)]
mod tests;
