//! Problems, attempts and analyses.

use adoube_store::{
    Analysis, AnalysisChange, Attempt, AttemptOutcome, ChangeOutcome, NewAnalysis, NewProblem, ProblemFilter,
    ProblemStore, Published, Result, SaveOutcome, StoredProblem, StudyStore,
};
use adoube_vocabulary::{AnalysisId, CommandId, PlayerId, ProblemId};
use async_trait::async_trait;

use crate::{
    PostgresStore, read,
    write::{problems, study},
};

#[async_trait]
impl ProblemStore for PostgresStore {
    async fn add_problem(&self, new: NewProblem) -> Result<Published> {
        self.database.apply(problems::AddProblem(new)).await
    }

    async fn lookup_publication(&self, owner: &PlayerId, command: CommandId) -> Result<Option<ProblemId>> {
        read::problems::publication(&self.database, owner, command).await
    }

    async fn lookup_problem_at(&self, variant: &str, position: &str) -> Result<Option<ProblemId>> {
        read::problems::problem_at(&self.database, variant, position).await
    }

    async fn lookup_problem(&self, id: &ProblemId) -> Result<Option<StoredProblem>> {
        read::problems::problem(&self.database, id).await
    }

    async fn list_problems(&self, filter: &ProblemFilter) -> Result<Vec<StoredProblem>> {
        read::problems::problems(&self.database, filter).await
    }

    async fn withdraw_problem(&self, owner: &PlayerId, id: &ProblemId) -> Result<bool> {
        problems::withdraw(&self.database, owner, id).await
    }
}

#[async_trait]
impl StudyStore for PostgresStore {
    async fn add_attempt(&self, player: &PlayerId, new: Attempt) -> Result<AttemptOutcome> {
        self.database.apply(study::AddAttempt { player: player.clone(), new }).await
    }

    async fn list_attempts(&self, player: &PlayerId, variant: Option<&str>) -> Result<Vec<Attempt>> {
        read::study::attempts(&self.database, player, variant).await
    }

    async fn add_analysis(&self, new: NewAnalysis) -> Result<SaveOutcome> {
        self.database.apply(study::AddAnalysis(new)).await
    }

    async fn change_analysis(&self, change: AnalysisChange) -> Result<ChangeOutcome> {
        self.database.apply(study::ChangeAnalysis(change)).await
    }

    async fn lookup_analysis(
        &self,
        player: &PlayerId,
        id: &AnalysisId,
    ) -> Result<Option<(Analysis, String)>> {
        read::study::analysis(&self.database, player, id).await
    }

    async fn list_analyses(&self, player: &PlayerId) -> Result<Vec<Analysis>> {
        read::study::analyses(&self.database, player).await
    }

    async fn delete_analysis(&self, player: &PlayerId, id: &AnalysisId) -> Result<bool> {
        study::delete_analysis(&self.database, player, id).await
    }
}
