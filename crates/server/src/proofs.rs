//! Proofs of composed problems.
//!
//! A proof may occupy a core for its whole time limit, which makes it a target for denial of service.
//! Therefore, only a few proofs run at a time, on threads that do not serve other requests. Only a few
//! requests may wait, and only for a short time. Each proof ends after a maximum number of positions, at its
//! time limit, or when its client disconnects. A node may delegate proofs to other processes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use adoube_problems::{Composition, CompositionError, Effort, Finding, Goal, check, examine};
use adoube_rules::Variant;
use tokio::time::timeout;

use crate::{
    error::{Error, LogError},
    jobs::{Jobs, PROOF},
    limits::Tenant,
    stored,
    work::WorkerSlots,
};

/// The maximum number of waiting requests.
const MAX_WAITING: usize = 8;
/// The maximum number of proofs that other processes compute for this one at the same time.
const MAX_DELEGATED: usize = 16;

/// A composition to be proved.
#[derive(Clone, Debug)]
pub(crate) struct ProofRequest {
    pub(crate) variant: Variant,
    pub(crate) fen: String,
    pub(crate) goal: Goal,
    pub(crate) turns: u8,
    pub(crate) lines: Vec<Vec<String>>,
}

impl ProofRequest {
    fn composition(&self) -> Composition<'_> {
        let Self { variant, fen, goal, turns, lines } = self;
        Composition { variant: *variant, fen, goal: *goal, turns: *turns, lines }
    }
}

/// The service that proves composed problems.
#[derive(Debug)]
pub(crate) struct Proofs {
    slots: WorkerSlots,
    nodes: u64,
    time: Duration,
    /// Delegates proofs to other processes; `None` if they run in this process.
    jobs: Option<Jobs>,
}

/// A guard that stops a proof on drop, so that the proof does not go on after its client has disconnected.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Proofs {
    /// Creates a service that runs at most `max_concurrent` proofs at the same time, and at most half of
    /// them, rounded up, for one tenant. Each proof visits at most `nodes` positions and takes at most
    /// `time`.
    pub(crate) fn new(max_concurrent: usize, nodes: u64, time: Duration) -> Self {
        Self {
            slots: WorkerSlots::new(max_concurrent, MAX_WAITING, max_concurrent.div_ceil(2)),
            nodes,
            time,
            jobs: None,
        }
    }

    /// Delegates proofs to other processes, at most [`MAX_DELEGATED`] at the same time, and at most half of
    /// them for one tenant.
    pub(crate) fn delegating_to(self, jobs: Jobs) -> Self {
        let slots = WorkerSlots::new(MAX_DELEGATED, MAX_WAITING, MAX_DELEGATED.div_ceil(2));
        Self { slots, jobs: Some(jobs), ..self }
    }

    /// Examines a composition as soon as there is a free slot. The inner error says why the composition
    /// cannot be examined.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`] if too many requests are waiting, or if this one has waited too long.
    pub(crate) async fn examine(
        &self,
        tenant: Tenant,
        request: ProofRequest,
    ) -> Result<Result<Finding, CompositionError>, Error> {
        if self.jobs.is_some()
            && let Err(unfit) = check(&request.composition())
        {
            return Ok(Err(unfit));
        }
        // If a client had to wait any longer, its request could time out before its own proof ended.
        let max_wait = self.time / 2;
        let started = tokio::time::Instant::now();
        let slot = timeout(max_wait, self.slots.take(tenant)).await.map_err(|_| Error::Busy)??;
        if let Some(jobs) = &self.jobs {
            let body = serde_json::to_string(&stored::proof_job(request)).map_err(LogError::Write)?;
            let result = jobs.run_remotely(PROOF, body, max_wait.saturating_sub(started.elapsed())).await?;
            drop(slot);
            let result = serde_json::from_str(&result).map_err(LogError::Job)?;
            return Ok(Ok(stored::finding(result)));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_on_drop = StopOnDrop(Arc::clone(&stop));
        self.prove(request, stop, slot).await
    }

    /// Computes the proof for a job and returns its result as JSON. Setting `stop` ends the proof early.
    pub(crate) async fn prove_job(&self, body: &str, stop: Arc<AtomicBool>) -> Result<String, Error> {
        let job = serde_json::from_str(body).map_err(LogError::Job)?;
        let request = stored::proof_request(job)?;
        match self.prove(request, stop, ()).await? {
            Ok(finding) => {
                Ok(serde_json::to_string(&stored::proof_result(finding)).map_err(LogError::Write)?)
            }
            // The node that created the job has checked the composition.
            Err(_) => Err(Error::Internal("the composition of a job cannot be examined")),
        }
    }

    /// Runs the proof on a separate thread, which holds `slot` until it ends.
    async fn prove(
        &self,
        request: ProofRequest,
        stop: Arc<AtomicBool>,
        slot: impl Send + 'static,
    ) -> Result<Result<Finding, CompositionError>, Error> {
        let effort = Effort { nodes: self.nodes, stop: Arc::clone(&stop) };
        let mut task = tokio::task::spawn_blocking(move || {
            // Held by the thread, because a client that stops waiting does not free the core.
            let _slot = slot;
            examine(&request.composition(), &effort)
        });
        let result = if let Ok(result) = timeout(self.time, &mut task).await {
            result
        } else {
            // The proof sees `stop` within a few thousand positions, and then reports its progress.
            stop.store(true, Relaxed);
            task.await
        };
        result.map_err(|_| Error::Internal("a proof did not finish"))
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, Position as _};

    use super::*;

    /// A composition that can be neither proved nor refuted in time.
    fn hard_request() -> ProofRequest {
        ProofRequest {
            variant: Variant::Chess,
            fen: AnyPosition::initial(Variant::Chess).fen(),
            goal: Goal::Win,
            turns: 8,
            lines: Vec::new(),
        }
    }

    fn tenant(number: u8) -> Tenant {
        Tenant::Network([10, 0, 0, number].into())
    }

    fn is_too_hard(end: &Result<Result<Finding, CompositionError>, Error>) -> bool {
        matches!(end, Ok(Ok(Finding::TooHard { .. })))
    }

    #[tokio::test]
    async fn a_proof_ends_at_its_position_or_time_limit() {
        let few = Proofs::new(1, 10_000, Duration::from_mins(1)).examine(tenant(1), hard_request()).await;
        assert!(matches!(few, Ok(Ok(Finding::TooHard { nodes: 10_001 }))), "{few:?}");
        let started = tokio::time::Instant::now();
        let late =
            Proofs::new(1, u64::MAX, Duration::from_millis(100)).examine(tenant(1), hard_request()).await;
        assert!(is_too_hard(&late), "{late:?}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    async fn too_many_waiting_requests_are_refused_and_cancelled_ones_free_their_slots() {
        let proofs = Arc::new(Proofs::new(1, u64::MAX, Duration::from_mins(1)));
        let send = |proofs: &Arc<Proofs>| {
            let proofs = Arc::clone(proofs);
            tokio::spawn(async move { proofs.examine(tenant(1), hard_request()).await })
        };
        let first = send(&proofs);
        while proofs.slots.free() > 0 {
            tokio::task::yield_now().await;
        }
        let waiting = (0..MAX_WAITING).map(|_| send(&proofs)).collect::<Vec<_>>();
        while proofs.slots.waiting() < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        assert!(matches!(proofs.examine(tenant(1), hard_request()).await, Err(Error::Busy)));
        // All clients disconnect, so no proof is left running.
        for one in waiting.into_iter().chain([first]) {
            one.abort();
            let _ = one.await;
        }
        let freed = async {
            while proofs.slots.free() == 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(10), freed).await.unwrap();
        assert_eq!(proofs.slots.waiting(), 0);
    }

    #[tokio::test]
    async fn no_request_waits_longer_than_half_the_time_limit_of_a_proof() {
        let proofs = Arc::new(Proofs::new(1, u64::MAX, Duration::from_millis(400)));
        let (one, other) = tokio::join!(
            proofs.examine(tenant(1), hard_request()),
            proofs.examine(tenant(1), hard_request())
        );
        assert!(is_too_hard(&one), "{one:?}");
        assert!(matches!(other, Err(Error::Busy)), "{other:?}");
    }

    #[tokio::test]
    async fn one_visitors_proofs_do_not_make_others_wait() {
        let proofs = Arc::new(Proofs::new(2, 10_000, Duration::from_mins(1)));
        let many = (0..12).map(|_| {
            let proofs = Arc::clone(&proofs);
            tokio::spawn(async move { proofs.examine(tenant(1), hard_request()).await })
        });
        let many = many.collect::<Vec<_>>();
        while proofs.slots.waiting() < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        assert_eq!(proofs.slots.free(), 1);
        assert!(is_too_hard(&proofs.examine(tenant(2), hard_request()).await));
        for one in many {
            one.abort();
        }
    }
}
