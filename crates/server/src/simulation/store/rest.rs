//! Seeks. Studies, chat and problems are not simulated.

use adoube_protocol::{AnalysisId, ChatRoom, CommandId, GameId, Millis, PlayerId, ProblemId};
use adoube_store::{
    Analysis, AnalysisChange, Attempt, AttemptOutcome, ChangeOutcome, ChangeStore, ChatAdded, ChatMessage,
    ChatStore, NewAnalysis, NewChatMessage, NewProblem, NewReport, ProblemFilter, ProblemStore, Proposal,
    ProposalAdded, ProposalCounts, ProposalLimits, ProposalList, ProposalStore, Published, Report, Result,
    SaveOutcome, StoredProblem, StudyStore, Versions,
};
use async_trait::async_trait;

use super::{SimStore, absent, disk::State};

impl State {
    fn propose(&mut self, new: Proposal, limits: &ProposalLimits) -> ProposalAdded {
        let is_repeated = |it: &&Proposal| it.from == new.from && it.command == new.command;
        if let Some(earlier) = self.proposals.values().find(is_repeated) {
            return ProposalAdded::Repeated(Box::new(earlier.clone()));
        }
        let count = |is_like: fn(&Proposal, &Proposal) -> bool| {
            self.proposals.values().filter(|it| is_like(it, &new)).count() as i64
        };
        let counts = ProposalCounts {
            player: count(|it, new| it.from == new.from),
            origin: count(|it, new| it.origin == new.origin),
            kind: self.proposals.len() as i64,
            ..ProposalCounts::default()
        };
        if let Some(limit) = limits.reached_limit(&counts) {
            return ProposalAdded::Full(limit);
        }
        self.proposals.insert(new.id.clone(), new);
        self.proposal_changes += 1;
        ProposalAdded::Done
    }
}

#[async_trait]
impl ProposalStore for SimStore {
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded> {
        let limits = *limits;
        self.change(move |state| state.propose(proposal, &limits)).await
    }

    async fn delete_proposal(&self, id: &str) -> Result<bool> {
        let id = id.to_owned();
        self.change(move |state| {
            let was_open = state.proposals.remove(&id).is_some();
            state.proposal_changes += u64::from(was_open);
            was_open
        })
        .await
    }

    async fn lookup_proposal(&self, id: &str, _: Millis) -> Result<Option<Proposal>> {
        self.read(|state| state.proposals.get(id).cloned()).await
    }

    async fn list_proposals(&self, _: Millis) -> Result<ProposalList> {
        self.read(|state| ProposalList {
            version: state.proposal_changes,
            proposals: state.proposals.values().cloned().collect(),
        })
        .await
    }
}

#[async_trait]
impl ChangeStore for SimStore {
    async fn versions(&self) -> Result<Versions> {
        self.read(|state| Versions { proposals: state.proposal_changes, house: 0 }).await
    }

    async fn announce_change(&self) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl StudyStore for SimStore {
    async fn add_attempt(&self, _: &PlayerId, _: Attempt) -> Result<AttemptOutcome> {
        absent()
    }

    async fn list_attempts(&self, _: &PlayerId, _: Option<&str>) -> Result<Vec<Attempt>> {
        Ok(Vec::new())
    }

    async fn add_analysis(&self, _: NewAnalysis) -> Result<SaveOutcome> {
        absent()
    }

    async fn change_analysis(&self, _: AnalysisChange) -> Result<ChangeOutcome> {
        absent()
    }

    async fn lookup_analysis(&self, _: &PlayerId, _: &AnalysisId) -> Result<Option<(Analysis, String)>> {
        Ok(None)
    }

    async fn list_analyses(&self, _: &PlayerId) -> Result<Vec<Analysis>> {
        Ok(Vec::new())
    }

    async fn delete_analysis(&self, _: &PlayerId, _: &AnalysisId) -> Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl ChatStore for SimStore {
    async fn add_message(&self, _: NewChatMessage) -> Result<ChatAdded> {
        absent()
    }

    async fn list_messages(&self, _: &GameId, _: ChatRoom, _: u32) -> Result<Vec<ChatMessage>> {
        Ok(Vec::new())
    }

    async fn list_messages_of(&self, _: &PlayerId, _: i64, _: u32) -> Result<Vec<(GameId, ChatMessage)>> {
        Ok(Vec::new())
    }

    async fn list_reports(&self, _: u32) -> Result<Vec<Report>> {
        Ok(Vec::new())
    }

    async fn add_report(&self, _: NewReport) -> Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl ProblemStore for SimStore {
    async fn add_problem(&self, _: NewProblem) -> Result<Published> {
        absent()
    }

    async fn lookup_publication(&self, _: &PlayerId, _: CommandId) -> Result<Option<ProblemId>> {
        Ok(None)
    }

    async fn lookup_problem_at(&self, _: &str, _: &str) -> Result<Option<ProblemId>> {
        Ok(None)
    }

    async fn lookup_problem(&self, _: &ProblemId) -> Result<Option<StoredProblem>> {
        Ok(None)
    }

    async fn list_problems(&self, _: &ProblemFilter) -> Result<Vec<StoredProblem>> {
        Ok(Vec::new())
    }

    async fn withdraw_problem(&self, _: &PlayerId, _: &ProblemId) -> Result<bool> {
        Ok(false)
    }
}
