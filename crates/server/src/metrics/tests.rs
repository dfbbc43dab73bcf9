use super::*;

#[test]
fn metrics_are_written_in_the_text_format() {
    let metrics = Metrics::new("1.2.3 (\"abc\")", Millis(1_500));
    metrics.sign_in(&Err::<(), _>(Error::SignInFailed));
    metrics.sign_in(&Err::<(), _>(Error::Busy));
    metrics.email(true);
    metrics.push(PushEnd::Gone);
    metrics.report();
    metrics.command(&Ok(()), Duration::from_micros(1_500));
    metrics.command(&Err::<(), _>(Error::NotAPlayer), Duration::from_secs(2));
    let bus = BusCounts { published: 5, received: 6, dropped: 7, losses: 8, reconnects: 9 };
    let gauges = Gauges {
        games_cached: 1,
        deadlines: 2,
        seeks: 3,
        connections: 4,
        bus: None,
        nodes: None,
        writes: None,
        free_bytes: None,
        data_bytes: Some(4096),
    };
    let single_node = metrics.text(gauges);
    for absent in ["adoube_bus", "adoube_lease", "adoube_nodes", "adoube_commit_group", "adoube_disk_free"] {
        assert!(!single_node.contains(absent), "{absent} is written although its value is unknown");
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
        "adoube_pushes_total{end=\"sent\"} 0",
        "adoube_pushes_total{end=\"gone\"} 1",
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
fn all_metrics() -> String {
    Metrics::new("1.2.3", Millis(0)).text(Gauges {
        games_cached: 0,
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
fn the_guide_for_operators_names_every_metric() {
    let guide = include_str!("../../../../docs/operating.md");
    let everything = all_metrics();
    for line in everything.lines() {
        let Some(name) = line.strip_prefix("# TYPE ") else { continue };
        let name = name.split(' ').next().unwrap();
        let is_named = ["`", "{"].iter().any(|end| guide.contains(&format!("`{name}{end}")));
        assert!(is_named, "docs/operating.md does not name {name}");
    }
}

#[test]
fn the_dashboard_shows_only_metrics_that_exist() {
    let dashboard = include_str!("../../../../deploy/grafana/adoube.json");
    let everything = all_metrics();
    let names = dashboard.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = names.filter(|name| name.starts_with("adoube_") || name.starts_with("process_"));
    let names: std::collections::BTreeSet<_> = names.collect();
    assert!(names.len() > 20, "the dashboard names only {names:?}");
    for name in names {
        let is_known = |mark| everything.contains(&format!("\n{name}{mark}"));
        assert!(is_known(' ') || is_known('{'), "{name} is in the dashboard, but not among the metrics");
    }
}
