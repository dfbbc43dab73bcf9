//! Metrics for the operator, in the text format of Prometheus.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use adoube_bus::BusCounts;
use adoube_protocol::Millis;
use adoube_store::{GROUP_SIZES, WriteCounts};

use crate::error::Error;

/// Upper bounds of the buckets, in microseconds.
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

    /// Returns the suffix of the name, and the value, of each line of the histogram.
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
    reports: AtomicU64,
    nodes: NodeMetrics,
    version: &'static str,
    started: Millis,
}

/// Counters of this node as one of several.
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
    /// Number of nodes with a valid lease, this one included.
    pub(crate) alive: usize,
    /// The amount by which the database's clock is ahead of this node's.
    pub(crate) clock_off_ms: i64,
}

/// Values that are counted elsewhere, read when the metrics are requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauges {
    pub(crate) games_remembered: usize,
    pub(crate) deadlines: usize,
    pub(crate) seeks: usize,
    pub(crate) connections: usize,
    /// The counters of the bus, if it has a connection to other processes.
    pub(crate) bus: Option<BusCounts>,
    /// The nodes, if there can be several.
    pub(crate) nodes: Option<NodeGauges>,
    /// Statistics of the writer, if the store has any.
    pub(crate) writes: Option<WriteCounts>,
    /// Free bytes on the disk of the data, if they are known.
    pub(crate) free_bytes: Option<u64>,
    /// Bytes of the data, if they are known.
    pub(crate) data_bytes: Option<u64>,
}

/// The kinds of sockets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Socket {
    Game,
    Hall,
}

/// Keeps a socket counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    metrics: std::sync::Arc<Metrics>,
    kind: Socket,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.metrics.sockets(self.kind).fetch_sub(1, Relaxed);
    }
}

impl Metrics {
    /// Returns the metrics of a process of this version that starts now.
    pub(crate) fn new(version: &'static str, started: Millis) -> Self {
        Self { version, started, ..Self::default() }
    }

    /// Counts an attempt to sign in. One that was refused for another reason than a wrong password or code,
    /// such as a limit, is not counted.
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

    /// Counts a report of a line of chat.
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

    /// Counts a decision that was repeated because another node had changed the game.
    pub(crate) fn append_conflict(&self) {
        self.append_conflicts.fetch_add(1, Relaxed);
    }

    /// Counts a renewal of the lease. It was lost if it had expired before.
    pub(crate) fn lease_renewed(&self, was_valid: bool) {
        let count = if was_valid { &self.nodes.leases_renewed } else { &self.nodes.leases_lost };
        count.fetch_add(1, Relaxed);
    }

    /// Counts a renewal that failed in the store.
    pub(crate) fn lease_failed(&self) {
        self.nodes.leases_failed.fetch_add(1, Relaxed);
    }

    pub(crate) fn took_over(&self) {
        self.nodes.takeovers.fetch_add(1, Relaxed);
    }

    /// Counts a player who was refunded the time that the end of a node has cost.
    pub(crate) fn refunded(&self) {
        self.nodes.refunds.fetch_add(1, Relaxed);
    }

    /// Counts a turn of the machine, with the duration of the search and of storing the turn.
    pub(crate) fn machine_turn(&self, time: Duration) {
        self.machine_turns.fetch_add(1, Relaxed);
        self.machine_turn_time.record(time);
    }

    /// Counts a proof that this process has computed.
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

    pub(crate) fn open(self: &std::sync::Arc<Self>, kind: Socket) -> Counted {
        self.sockets(kind).fetch_add(1, Relaxed);
        Counted { metrics: std::sync::Arc::clone(self), kind }
    }

    fn sockets(&self, kind: Socket) -> &AtomicI64 {
        match kind {
            Socket::Game => &self.game_sockets,
            Socket::Hall => &self.hall_sockets,
        }
    }

    /// Returns all metrics as text.
    pub(crate) fn text(&self, gauges: Gauges) -> String {
        let mut text = Text(String::with_capacity(4096));
        text.family(
            "adoube_commands_total",
            "counter",
            "Commands of players, by outcome.",
            &[
                ("{end=\"done\"}", count(&self.done)),
                ("{end=\"refused\"}", count(&self.refused)),
                ("{end=\"failed\"}", count(&self.failed)),
            ],
        );
        for (name, help, histogram) in [
            (
                "adoube_command_duration_seconds",
                "Time from the arrival of a command until it is on the disk or refused.",
                &self.command_time,
            ),
            (
                "adoube_machine_turn_duration_seconds",
                "Time that this process needs for a turn of the machine, until it is on the disk.",
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
                "Turns of the machine, found by this process.",
                &self.machine_turns,
            ),
            ("adoube_job_proofs_total", "Proofs that this process has computed for others.", &self.proofs),
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
        text.family("adoube_chat_lines_total", "counter", "Lines of chat.", &[("", count(&self.chat_lines))]);
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
            ("adoube_connections", "Open connections, sockets included.", gauges.connections),
            ("adoube_games_remembered", "Games whose state is in memory.", gauges.games_remembered),
            ("adoube_games_with_deadline", "Games with a deadline.", gauges.deadlines),
            ("adoube_seeks", "Open seeks and challenges.", gauges.seeks),
        ] {
            text.family(name, "gauge", help, &[("", value.to_string())]);
        }
        text.family(
            "adoube_append_conflicts_total",
            "counter",
            "Decisions repeated because the game had changed meanwhile.",
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

    /// Writes what visitors do besides playing.
    fn visitors(&self, text: &mut Text) {
        for (name, help, ends) in [
            (
                "adoube_sign_ins_total",
                "Attempts to sign in: done, or failed by a wrong password or code.",
                [("{end=\"done\"}", &self.signed_in), ("{end=\"failed\"}", &self.sign_ins_failed)],
            ),
            (
                "adoube_emails_total",
                "E-mails: taken by the mail server, or failed.",
                [("{end=\"sent\"}", &self.emails_sent), ("{end=\"failed\"}", &self.emails_failed)],
            ),
        ] {
            text.family(name, "counter", help, &ends.map(|(end, value)| (end, count(value))));
        }
        text.family(
            "adoube_reports_total",
            "counter",
            "Reported lines of chat.",
            &[("", count(&self.reports))],
        );
    }

    /// Writes the version, and what the system knows of this process.
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
            "Start of the process, in seconds since 1970.",
            &[("", seconds_of_ms(self.started.0))],
        );
        if let Some(seconds) = cpu_seconds() {
            text.family(
                "process_cpu_seconds_total",
                "counter",
                "Processor time of the process.",
                &[("", seconds)],
            );
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            text.family(
                "process_open_fds",
                "gauge",
                "Open files and connections of the process.",
                &[("", files.count().to_string())],
            );
        }
        if let Some(bytes) = resident_bytes() {
            text.family(
                "process_resident_memory_bytes",
                "gauge",
                "Memory of the process.",
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
            "Servers with a valid lease, this one included.",
            &[("", nodes.alive.to_string())],
        );
        text.family(
            "adoube_clock_off_seconds",
            "gauge",
            "Amount by which the database's clock is ahead of this server's.",
            &[("", seconds_of_ms(nodes.clock_off_ms))],
        );
        text.family(
            "adoube_lease_renewals_total",
            "counter",
            "Renewals of this server's lease: in time, after it had expired, or not done.",
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
                "Players who were refunded the time that the end of a server had cost.",
                &self.refunds,
            ),
        ] {
            text.family(name, "counter", help, &[("", count(counter))]);
        }
    }
}

/// Metrics in the text format.
struct Text(String);

impl Text {
    /// Writes a metric: each line is its labels and its value.
    fn family(&mut self, name: &str, kind: &str, help: &str, lines: &[(&str, String)]) {
        let Self(text) = self;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (rest, value) in lines {
            let _ = writeln!(text, "{name}{rest} {value}");
        }
    }

    fn data(&mut self, gauges: &Gauges) {
        for (name, help, bytes) in [
            ("adoube_disk_free_bytes", "Free space on the disk of the data.", gauges.free_bytes),
            ("adoube_data_bytes", "Size of the data.", gauges.data_bytes),
        ] {
            if let Some(bytes) = bytes {
                self.family(name, "gauge", help, &[("", bytes.to_string())]);
            }
        }
    }

    fn writes(&mut self, writes: WriteCounts) {
        let mut lines = Vec::new();
        for (groups, bound) in writes.by_size.iter().zip(GROUP_SIZES) {
            lines.push((format!("_bucket{{le=\"{bound}\"}}"), groups.to_string()));
        }
        lines.push(("_bucket{le=\"+Inf\"}".into(), writes.groups.to_string()));
        lines.push(("_sum".into(), writes.changes.to_string()));
        lines.push(("_count".into(), writes.groups.to_string()));
        let lines = lines.iter().map(|(rest, value)| (rest.as_str(), value.clone())).collect::<Vec<_>>();
        self.family(
            "adoube_commit_group_size",
            "histogram",
            "Changes in one transaction of the writer.",
            &lines,
        );
    }

    fn bus(&mut self, bus: BusCounts) {
        self.family(
            "adoube_bus_notices_total",
            "counter",
            "Notices to and from other servers; dropped ones were outgoing.",
            &[
                ("{end=\"published\"}", bus.published.to_string()),
                ("{end=\"received\"}", bus.received.to_string()),
                ("{end=\"dropped\"}", bus.dropped.to_string()),
            ],
        );
        for (name, help, value) in [
            (
                "adoube_bus_losses_total",
                "Losses of notices, after which everything is read again from the store.",
                bus.losses,
            ),
            ("adoube_bus_reconnects_total", "Reconnections to the bus.", bus.reconnects),
        ] {
            self.family(name, "counter", help, &[("", value.to_string())]);
        }
    }
}

fn count(counter: &AtomicU64) -> String {
    counter.load(Relaxed).to_string()
}

/// Writes milliseconds as seconds.
fn seconds_of_ms(ms: i64) -> String {
    let (sign, ms) = (if ms < 0 { "-" } else { "" }, ms.unsigned_abs());
    format!("{sign}{}.{:03}", ms / 1_000, ms % 1_000)
}

/// Returns the processor time of this process in seconds, on systems with `/proc`.
fn cpu_seconds() -> Option<String> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain blanks.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<i64>().ok();
    // The kernel counts 100 ticks a second here, whatever its own clock does.
    Some(seconds_of_ms((ticks()? + ticks()?) * 10))
}

/// Returns the memory of this process, on systems with `/proc`.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_count_what_is_at_most_their_bound() {
        let metrics = Metrics::new("1.2.3 (\"abc\")", Millis(1_500));
        metrics.sign_in(&Err::<(), _>(Error::SignInFailed));
        metrics.sign_in(&Err::<(), _>(Error::Busy));
        metrics.email(true);
        metrics.report();
        metrics.command(&Ok(()), Duration::from_micros(1_500));
        metrics.command(&Err::<(), _>(Error::NotAPlayer), Duration::from_secs(2));
        let bus = BusCounts { published: 5, received: 6, dropped: 7, losses: 8, reconnects: 9 };
        let gauges = Gauges {
            games_remembered: 1,
            deadlines: 2,
            seeks: 3,
            connections: 4,
            bus: None,
            nodes: None,
            writes: None,
            free_bytes: None,
            data_bytes: Some(4096),
        };
        let alone = metrics.text(gauges);
        for absent in
            ["adoube_bus", "adoube_lease", "adoube_nodes", "adoube_commit_group", "adoube_disk_free"]
        {
            assert!(!alone.contains(absent), "{absent}");
        }
        metrics.lease_renewed(true);
        metrics.lease_renewed(false);
        metrics.append_conflict();
        let counter = adoube_store::WriteCounter::default();
        counter.record(3);
        counter.record(1);
        let nodes = Some(NodeGauges { alive: 3, clock_off_ms: -12 });
        let text = metrics.text(Gauges { bus: Some(bus), nodes, writes: Some(counter.read()), ..gauges });
        for line in [
            "adoube_commands_total{end=\"done\"} 1",
            "adoube_commands_total{end=\"refused\"} 1",
            "adoube_command_duration_seconds_bucket{le=\"0.001000\"} 0",
            "adoube_command_duration_seconds_bucket{le=\"0.002000\"} 1",
            "adoube_command_duration_seconds_bucket{le=\"+Inf\"} 2",
            "adoube_command_duration_seconds_sum 2.001500",
            "adoube_games_with_deadline 2",
            "adoube_bus_notices_total{end=\"dropped\"} 7",
            "adoube_bus_losses_total 8",
            "adoube_bus_reconnects_total 9",
            "adoube_nodes_alive 3",
            "adoube_clock_off_seconds -0.012",
            "adoube_lease_renewals_total{end=\"renewed\"} 1",
            "adoube_lease_renewals_total{end=\"lost\"} 1",
            "adoube_lease_renewals_total{end=\"failed\"} 0",
            "adoube_takeovers_total 0",
            "adoube_append_conflicts_total 1",
            "adoube_build_info{version=\"1.2.3 (abc)\"} 1",
            "process_start_time_seconds 1.500",
            "adoube_sign_ins_total{end=\"done\"} 0",
            "adoube_sign_ins_total{end=\"failed\"} 1",
            "adoube_emails_total{end=\"sent\"} 1",
            "adoube_reports_total 1",
            "adoube_data_bytes 4096",
            "adoube_commit_group_size_bucket{le=\"2\"} 1",
            "adoube_commit_group_size_bucket{le=\"4\"} 2",
            "adoube_commit_group_size_sum 4",
            "adoube_commit_group_size_count 2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }

    /// Returns all metrics, with a value for each gauge.
    fn everything() -> String {
        Metrics::new("1.2.3", Millis(0)).text(Gauges {
            games_remembered: 0,
            deadlines: 0,
            seeks: 0,
            connections: 0,
            bus: Some(BusCounts { published: 0, received: 0, dropped: 0, losses: 0, reconnects: 0 }),
            nodes: Some(NodeGauges { alive: 1, clock_off_ms: 0 }),
            writes: Some(adoube_store::WriteCounter::default().read()),
            free_bytes: Some(0),
            data_bytes: Some(0),
        })
    }

    #[test]
    fn the_guide_for_operators_explains_every_metric() {
        let guide = include_str!("../../../docs/operating.md");
        let everything = everything();
        for line in everything.lines() {
            let Some(name) = line.strip_prefix("# TYPE ") else { continue };
            let name = name.split(' ').next().unwrap();
            assert!(guide.contains(&format!("`{name}")), "docs/operating.md does not explain {name}");
        }
    }

    #[test]
    fn the_dashboard_shows_only_metrics_that_exist() {
        let dashboard = include_str!("../../../deploy/grafana/adoube.json");
        let everything = everything();
        let names = dashboard.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names = names.filter(|name| name.starts_with("adoube_") || name.starts_with("process_"));
        let names: std::collections::BTreeSet<_> = names.collect();
        assert!(names.len() > 20, "{names:?}");
        for name in names {
            let is_known = |mark| everything.contains(&format!("\n{name}{mark}"));
            assert!(
                everything.starts_with(name) || is_known(' ') || is_known('{'),
                "{name} is in the dashboard, but not among the metrics"
            );
        }
    }
}
