//! The Prometheus text format, and the metrics that other modules count.

use std::fmt::Write as _;

use adoube_bus::BusCounts;
use adoube_store::{GROUP_SIZES, WriteCounts};

use super::Gauges;

/// Metrics in the text format.
pub(super) struct Text(pub(super) String);

impl Text {
    /// Writes a metric with its help text. Each line is a suffix to append to the name, such as labels, and a
    /// value.
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str, lines: &[(&str, String)]) {
        let Self(text) = self;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (rest, value) in lines {
            let _ = writeln!(text, "{name}{rest} {value}");
        }
    }

    pub(super) fn data(&mut self, gauges: &Gauges) {
        for (name, help, bytes) in [
            ("adoube_disk_free_bytes", "Free space on the data disk.", gauges.free_bytes),
            ("adoube_data_bytes", "Size of the stored data.", gauges.data_bytes),
        ] {
            if let Some(bytes) = bytes {
                self.family(name, "gauge", help, &[("", bytes.to_string())]);
            }
        }
    }

    pub(super) fn writes(&mut self, writes: WriteCounts) {
        let mut lines = Vec::new();
        for (groups, bound) in writes.by_size.iter().zip(GROUP_SIZES) {
            lines.push((format!("_bucket{{le=\"{bound}\"}}"), groups.to_string()));
        }
        lines.push(("_bucket{le=\"+Inf\"}".into(), writes.groups.to_string()));
        lines.push(("_sum".into(), writes.changes.to_string()));
        lines.push(("_count".into(), writes.groups.to_string()));
        let lines = lines.iter().map(|(rest, value)| (rest.as_str(), value.clone())).collect::<Vec<_>>();
        self.family("adoube_commit_group_size", "histogram", "Changes written per transaction.", &lines);
    }

    pub(super) fn bus(&mut self, bus: BusCounts) {
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
                "Number of times that notices were lost and everything was read again from the store.",
                bus.losses,
            ),
            ("adoube_bus_reconnects_total", "Reconnections to the bus.", bus.reconnects),
        ] {
            self.family(name, "counter", help, &[("", value.to_string())]);
        }
    }
}
