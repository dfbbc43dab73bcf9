//! Proposals, studies, chat and problems. There are none.

use adoube_protocol::{AnalysisId, ChatRoom, CommandId, GameId, Millis, PlayerId, ProblemId};
use adoube_store::{
    Analysis, AnalysisChange, ChangeStore, Changed, ChatAdded, ChatMessage, ChatStore, Counted, NewAnalysis,
    NewChatMessage, NewProblem, NewReport, ProblemFilter, ProblemStore, Proposal, ProposalAdded,
    ProposalLimits, ProposalList, ProposalStore, Published, Report, Result, Saved, StoredProblem, StudyStore,
    Try, Versions,
};
use async_trait::async_trait;

use super::{SimStore, absent};

#[async_trait]
impl ProposalStore for SimStore {
    async fn add_proposal(&self, _: Proposal, _: &ProposalLimits) -> Result<ProposalAdded> {
        absent()
    }

    async fn delete_proposal(&self, _: &str) -> Result<bool> {
        Ok(false)
    }

    async fn lookup_proposal(&self, _: &str, _: Millis) -> Result<Option<Proposal>> {
        Ok(None)
    }

    async fn list_proposals(&self, _: Millis) -> Result<ProposalList> {
        Ok(ProposalList::default())
    }
}

#[async_trait]
impl ChangeStore for SimStore {
    async fn versions(&self) -> Result<Versions> {
        Ok(Versions::default())
    }

    async fn announce_change(&self) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl StudyStore for SimStore {
    async fn add_try(&self, _: &PlayerId, _: Try) -> Result<Counted> {
        absent()
    }

    async fn list_tries(&self, _: &PlayerId, _: Option<&str>) -> Result<Vec<Try>> {
        Ok(Vec::new())
    }

    async fn add_analysis(&self, _: NewAnalysis) -> Result<Saved> {
        absent()
    }

    async fn change_analysis(&self, _: AnalysisChange) -> Result<Changed> {
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
