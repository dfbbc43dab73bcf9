//! Faults during a run: servers, the database and the bus are killed or suspended, one at a time, and servers
//! are restarted.

use std::time::Duration;

use adoube_test_services::{Nats, Postgres};
use anyhow::{Result, ensure};
use tokio::{
    task::block_in_place,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    Arguments,
    cluster::{Cluster, Services},
    player::SeededRng,
    report::{Report, Tally},
};

/// The maximum time before a killed process is restarted; the actual time is random. The maximum exceeds a
/// lease, so that other nodes sometimes take over.
const MAX_RESTART_DELAY: Duration = Duration::from_secs(6);
/// The minimum mean time from the end of a fault to the next one.
const MIN_MEAN_PAUSE: Duration = Duration::from_millis(1_500);
/// The time at the end of play in which no fault begins.
const FAULT_FREE_END: Duration = Duration::from_secs(12);

/// The component that a fault makes unavailable.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Affected {
    Node,
    Data,
    Bus,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// SIGKILL (for the database, an immediate shutdown), then a restart.
    Kill(Affected),
    /// SIGSTOP, then SIGCONT after `--suspend-seconds`. The number selects the node.
    Suspend(Affected, usize),
    /// SIGTERM to the node with this number, then a restart with the program given by `--server`.
    Restart(usize),
}

impl Fault {
    fn name(self) -> &'static str {
        match self {
            Self::Kill(Affected::Node) => "node-killed",
            Self::Kill(Affected::Data) => "data-killed",
            Self::Kill(Affected::Bus) => "bus-killed",
            Self::Suspend(Affected::Node, _) => "node-suspended",
            Self::Suspend(Affected::Data, _) => "data-suspended",
            Self::Suspend(Affected::Bus, _) => "bus-suspended",
            Self::Restart(_) => "node-restarted",
        }
    }

    fn affected(self) -> Affected {
        match self {
            Self::Kill(affected) | Self::Suspend(affected, _) => affected,
            Self::Restart(_) => Affected::Node,
        }
    }
}

/// The faults of a run, in order.
#[derive(Debug)]
pub(crate) struct Plan {
    faults: Vec<Fault>,
    suspended: Duration,
    rng: SeededRng,
}

impl Plan {
    /// Chooses a random order for the faults. Rolling restarts come last, one node after another. Fails if
    /// the run is too short for all faults.
    pub(crate) fn new(arguments: &Arguments, nodes: usize) -> Result<Self> {
        let mut rng = SeededRng::new(arguments.seed ^ 0x6b69_6c6c);
        let kills = [
            (Affected::Node, arguments.kills),
            (Affected::Data, arguments.kill_data),
            (Affected::Bus, arguments.kill_bus),
        ];
        let kills =
            kills.into_iter().flat_map(|(affected, times)| (0..times).map(move |_| Fault::Kill(affected)));
        let suspends = (0..arguments.suspend).flat_map(|_| {
            let nodes = (0..nodes).map(|node| Fault::Suspend(Affected::Node, node));
            let data = matches!(arguments.data, Some(crate::cluster::Data::Temporary))
                .then_some(Fault::Suspend(Affected::Data, 0));
            let bus = matches!(arguments.bus, Some(crate::cluster::Bus::Temporary))
                .then_some(Fault::Suspend(Affected::Bus, 0));
            nodes.chain(data).chain(bus)
        });
        let mut faults = kills.chain(suspends).collect::<Vec<_>>();
        for at in (1..faults.len()).rev() {
            faults.swap(at, rng.below(at + 1));
        }
        faults.extend((0..arguments.rolling_restarts).flat_map(|_| (0..nodes).map(Fault::Restart)));
        let plan = Self { faults, suspended: Duration::from_secs(arguments.suspend_seconds), rng };
        let needed = plan.min_duration();
        ensure!(
            plan.faults.is_empty() || Duration::from_secs(arguments.seconds) >= needed,
            "{} faults need --seconds {} or more",
            plan.faults.len(),
            needed.as_millis().div_ceil(1_000)
        );
        Ok(plan)
    }

    /// Returns the expected duration of all faults together.
    fn outages(&self) -> Duration {
        let of = |fault: &Fault| match fault {
            Fault::Kill(_) => MAX_RESTART_DELAY / 2 + Duration::from_secs(1),
            Fault::Suspend(..) => self.suspended,
            Fault::Restart(_) => Duration::from_secs(2),
        };
        self.faults.iter().map(of).sum()
    }

    /// Returns the minimum duration of a run with these faults.
    fn min_duration(&self) -> Duration {
        self.outages()
            + MIN_MEAN_PAUSE * u32::try_from(self.faults.len()).unwrap_or(u32::MAX)
            + FAULT_FREE_END
    }

    /// Carries out the plan, spreading the faults over the time until `end`.
    pub(crate) async fn carry_out(
        mut self,
        cluster: &mut Cluster,
        services: &Services,
        (start, end): (Instant, Instant),
        (report, tally): (&mut Report, &Tally),
    ) -> Result<()> {
        let Ok(count) = u32::try_from(self.faults.len()) else { return Ok(()) };
        if count == 0 {
            return Ok(());
        }
        let pause = (end - start).saturating_sub(self.outages() + FAULT_FREE_END) / count;
        sleep_until(start).await;
        for fault in self.faults.clone() {
            sleep(pause.mul_f64(0.5 + self.rng.fraction())).await;
            if Instant::now() + FAULT_FREE_END > end {
                report.faults_skipped += 1;
                continue;
            }
            let from = Instant::now();
            self.inject(fault, cluster, services, report).await?;
            tally.record_fault(fault.affected(), from, Instant::now());
            *report.faults.entry(fault.name()).or_default() += 1;
            report.exits += cluster.restart_exited().await?;
        }
        Ok(())
    }

    async fn inject(
        &mut self,
        fault: Fault,
        cluster: &mut Cluster,
        services: &Services,
        report: &mut Report,
    ) -> Result<()> {
        let delay = MAX_RESTART_DELAY.mul_f64(self.rng.fraction());
        match fault {
            Fault::Kill(Affected::Node) => {
                let server = self.rng.below(cluster.servers.len());
                let server = &mut cluster.servers[server];
                server.kill().await?;
                sleep(delay).await;
                report.start_ms.push(server.restart().await?);
                report.kills += 1;
            }
            Fault::Kill(Affected::Data) => {
                let server = services.postgres()?;
                block_in_place(|| server.stop())?;
                sleep(delay).await;
                block_in_place(|| server.restart())?;
            }
            Fault::Kill(Affected::Bus) => {
                let server = services.nats()?;
                block_in_place(|| server.kill());
                sleep(delay).await;
                block_in_place(|| server.restart())?;
            }
            Fault::Suspend(affected, node) => {
                let (postgres, nats) = (services.postgres(), services.nats());
                match affected {
                    Affected::Node => cluster.servers[node].signal("STOP").await?,
                    Affected::Data => block_in_place(|| postgres.and_then(|it| Ok(Postgres::pause(it)?)))?,
                    Affected::Bus => block_in_place(|| nats.and_then(|it| Ok(Nats::pause(it)?)))?,
                }
                sleep(self.suspended).await;
                match affected {
                    Affected::Node => cluster.servers[node].signal("CONT").await?,
                    Affected::Data => block_in_place(|| services.postgres().and_then(|it| Ok(it.resume()?)))?,
                    Affected::Bus => block_in_place(|| services.nats().and_then(|it| Ok(it.resume()?)))?,
                }
            }
            Fault::Restart(node) => {
                let server = &mut cluster.servers[node];
                server.terminate().await?;
                report.start_ms.push(server.start_newest().await?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn plan(faults: &str) -> Result<Plan> {
        let shared = "adoube-load --server adoube --nodes 3 --data postgres --bus nats";
        let arguments = Arguments::parse_from(shared.split(' ').chain(faults.split(' ')));
        Plan::new(&arguments, arguments.nodes)
    }

    #[test]
    fn a_plan_has_all_faults_and_rolling_restarts_last() {
        let faults = "--kills 4 --kill-data 2 --kill-bus 1 --suspend 2 --suspend-seconds 1 --rolling-restarts 2 --seconds 100";
        let plan = plan(faults).unwrap();
        let count = |name| plan.faults.iter().filter(|fault| fault.name() == name).count();
        let names =
            ["node-killed", "data-killed", "bus-killed", "node-suspended", "data-suspended", "bus-suspended"];
        assert_eq!(names.map(count), [4, 2, 1, 6, 2, 2]);
        let restarts = plan.faults[17..].iter().map(|fault| match fault {
            Fault::Restart(node) => *node,
            other => panic!("{other:?} is among the restarts"),
        });
        assert_eq!(restarts.collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        // The same seed gives the same order, and another seed a different one.
        let order = |plan: &Plan| plan.faults.iter().map(|fault| fault.name()).collect::<Vec<_>>();
        assert_eq!(order(&plan), order(&self::plan(faults).unwrap()));
        assert_ne!(order(&plan), order(&self::plan(&format!("{faults} --seed 2")).unwrap()));
    }

    #[test]
    fn a_run_that_is_too_short_for_its_faults_is_refused() {
        let refused = plan("--kills 100 --seconds 60").unwrap_err().to_string();
        assert_eq!(refused, "100 faults need --seconds 562 or more");
        assert!(plan("--kills 100 --seconds 562").is_ok());
        assert!(plan("--seconds 1").is_ok());
    }
}
