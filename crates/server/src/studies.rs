//! The problem standings and the saved analyses of accounts.

use std::sync::Arc;

use adoube_notation::pgn::{Checker, GameProblem, Stream, SyntaxProblem, TreeBuilder};
use adoube_problems::{Rating, is_solved, problem};
use adoube_protocol::{
    AnalysisDocument, AnalysisId, AnalysisList, AttemptResult, ChangeAnalysis, PlayerId, ProblemAttempt,
    ProblemStanding, RatingChange, SaveAnalysis, SavedAnalysis,
};
use adoube_rules::{Position as _, Variant};
use adoube_store::{
    Analysis, AnalysisChange, AnalysisText, Attempt, AttemptOutcome, ChangeOutcome, NewAnalysis, SaveOutcome,
    Store,
};

use crate::{chat::line_of, clock::Clock, entropy::Entropy, error::Error, limits::Tenant, work::Workers};

/// The maximum size of an analysis's PGN, in bytes.
pub(crate) const MAX_PGN_BYTES: usize = 256 * 1024;
/// The maximum number of analyses per account.
const MAX_ANALYSES: u32 = 100;
/// The maximum length of an analysis's name in characters.
const MAX_NAME_LENGTH: usize = 100;
/// The maximum number of tries to count an attempt while the account's other attempts are being counted.
const ATTEMPTS: usize = 10;

/// The service for the standings and analyses of accounts.
#[derive(Debug)]
pub(crate) struct Studies {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The workers for long tasks, such as judging attempts, parsing and writing PGN, and drawing pictures.
    pub(crate) work: Workers,
    /// The maximum total size of an account's analyses and composed problems, in bytes.
    pub(crate) max_bytes: u64,
}

impl Studies {
    pub(crate) async fn standing(
        &self,
        player: &PlayerId,
        variant: Variant,
    ) -> Result<ProblemStanding, Error> {
        Ok(standing(&self.store.list_attempts(player, Some(variant.name())).await?))
    }

    /// Judges and counts an account's first attempt at a problem. For any other attempt at that problem,
    /// returns the result of the first.
    pub(crate) async fn count(
        &self,
        player: &PlayerId,
        tenant: Tenant,
        variant: Variant,
        request: ProblemAttempt,
    ) -> Result<AttemptResult, Error> {
        let ProblemAttempt { command, problem: id, turns } = request;
        let problem = problem(variant, &id).ok_or(Error::ProblemNotFound)?;
        let mut judged = None;
        for _ in 0..ATTEMPTS {
            let mut attempts = self.store.list_attempts(player, Some(variant.name())).await?;
            let known = attempts.iter().find(|known| known.problem == id);
            if let Some(known) = known {
                // A repeated request also gets the change in the rating; another attempt does not count.
                let rated = (known.command == command).then_some(rated(known));
                return Ok(AttemptResult { solved: known.solved, rated, standing: standing(&attempts) });
            }
            let solved = match judged {
                Some(solved) => solved,
                None => self.check_attempt(tenant.clone(), variant, problem, turns.clone()).await?,
            };
            judged = Some(solved);
            let new = next(attempts.last(), variant, problem, solved, command, self.clock.now());
            match self.store.add_attempt(player, new.clone()).await? {
                AttemptOutcome::Done => {
                    let rated = Some(rated(&new));
                    attempts.push(new);
                    return Ok(AttemptResult { solved, rated, standing: standing(&attempts) });
                }
                // Another attempt, or a repetition of this one, was counted in the meantime.
                AttemptOutcome::Conflict | AttemptOutcome::AlreadyCounted(_) => {}
                AttemptOutcome::NoAccount => return Err(Error::NotSignedIn),
            }
        }
        Err(Error::Busy)
    }

    async fn check_attempt(
        &self,
        tenant: Tenant,
        variant: Variant,
        problem: &'static adoube_problems::Problem,
        turns: Vec<String>,
    ) -> Result<bool, Error> {
        let judge = move || {
            is_solved(variant, problem, &turns).map_err(|error| Error::Message(crate::error::causes(&error)))
        };
        self.work.run(tenant, judge).await
    }

    pub(crate) async fn analyses(&self, player: &PlayerId) -> Result<AnalysisList, Error> {
        let analyses = self.store.list_analyses(player).await?;
        Ok(AnalysisList { analyses: analyses.into_iter().map(analysis_view).collect(), limit: MAX_ANALYSES })
    }

    pub(crate) async fn analysis(
        &self,
        player: &PlayerId,
        id: &AnalysisId,
    ) -> Result<AnalysisDocument, Error> {
        let found = self.store.lookup_analysis(player, id).await?;
        let (analysis, pgn) = found.ok_or(Error::AnalysisNotFound)?;
        Ok(AnalysisDocument { analysis: analysis_view(analysis), pgn })
    }

    pub(crate) async fn save(
        &self,
        player: &PlayerId,
        tenant: Tenant,
        request: SaveAnalysis,
    ) -> Result<SavedAnalysis, Error> {
        let new = NewAnalysis {
            id: AnalysisId::from_random(self.entropy.random()?),
            player: player.clone(),
            command: request.command,
            name: checked_name(&request.name)?,
            text: self.read(tenant, request.pgn).await?,
            at: self.clock.now(),
            max_analyses: MAX_ANALYSES,
            max_bytes: self.max_bytes,
        };
        match self.store.add_analysis(new).await? {
            SaveOutcome::Done(analysis) | SaveOutcome::Repeated(analysis) => Ok(analysis_view(analysis)),
            SaveOutcome::Full => Err(Error::TooManyAnalyses(MAX_ANALYSES)),
            SaveOutcome::NoRoom => Err(Error::AccountFull(self.max_bytes)),
            SaveOutcome::NoAccount => Err(Error::NotSignedIn),
        }
    }

    pub(crate) async fn change(
        &self,
        player: &PlayerId,
        tenant: Tenant,
        id: AnalysisId,
        request: ChangeAnalysis,
    ) -> Result<SavedAnalysis, Error> {
        let text = match request.pgn {
            Some(pgn) => Some(self.read(tenant, pgn).await?),
            None => None,
        };
        let change = AnalysisChange {
            id,
            player: player.clone(),
            based_on: request.version,
            name: request.name.as_deref().map(checked_name).transpose()?,
            text,
            at: self.clock.now(),
            max_bytes: self.max_bytes,
        };
        match self.store.change_analysis(change).await? {
            ChangeOutcome::Done(analysis) => Ok(analysis_view(analysis)),
            ChangeOutcome::Conflict(analysis) => Err(Error::AnalysisChanged(analysis.version)),
            ChangeOutcome::Missing => Err(Error::AnalysisNotFound),
            ChangeOutcome::NoRoom => Err(Error::AccountFull(self.max_bytes)),
        }
    }

    pub(crate) async fn delete(&self, player: &PlayerId, id: &AnalysisId) -> Result<(), Error> {
        if self.store.delete_analysis(player, id).await? { Ok(()) } else { Err(Error::AnalysisNotFound) }
    }

    /// Checks the size of a PGN, and that it contains one game whose turns are all legal. The error for a
    /// mistake in the game gives its line.
    async fn read(&self, tenant: Tenant, pgn: String) -> Result<AnalysisText, Error> {
        if pgn.len() > MAX_PGN_BYTES {
            return Err(Error::TooLarge(MAX_PGN_BYTES));
        }
        self.work
            .run(tenant, move || Ok(AnalysisText { variant: variant_of(&pgn)?.to_string(), body: pgn }))
            .await
    }
}

/// Returns the variant of a PGN that contains one game whose turns, including those of variations, are all
/// legal. The text is parsed as on the page and on the command line, where small mistakes in tags, annotation
/// glyphs and the result are tolerated. Content that the page could not store is refused, so nothing is lost
/// later.
fn variant_of(text: &str) -> Result<Variant, Error> {
    let mut stream = Stream::new(text.as_bytes());
    // Reading from memory cannot fail, so an error means that the text is not valid PGN.
    let refused = |error: std::io::Error| Error::Pgn { line: 1, problem: error.to_string() };
    let bad = |line, problem: &GameProblem| Error::Pgn { line, problem: problem.to_string() };
    let first = stream.read_game(&mut TreeBuilder::default()).map_err(refused)?.ok_or(Error::PgnGames)?;
    let tree = first.map_err(|error| bad(error.line, &error.problem))?;
    let lost = tree.warnings.first.iter().find(|warning| {
        matches!(
            warning.problem,
            GameProblem::CutVariation(_)
                | GameProblem::TooMuch(_)
                | GameProblem::NoTurn(_)
                | GameProblem::Syntax(SyntaxProblem::TooDeep)
        )
    });
    if let Some(warning) = lost {
        return Err(bad(warning.line, &warning.problem));
    }
    let next = stream.read_game(&mut Checker::default()).map_err(refused)?;
    if next.is_some() { Err(Error::PgnGames) } else { Ok(tree.initial.variant()) }
}

fn checked_name(name: &str) -> Result<String, Error> {
    line_of(name, MAX_NAME_LENGTH).ok_or(Error::AnalysisName(MAX_NAME_LENGTH))
}

/// Returns the record of a new attempt, with the rating and the streak computed from the last attempt.
fn next(
    last: Option<&Attempt>,
    variant: Variant,
    problem: &adoube_problems::Problem,
    solved: bool,
    command: adoube_protocol::CommandId,
    at: adoube_protocol::Millis,
) -> Attempt {
    let rating =
        last.map_or_else(Rating::default, |last| Rating { value: last.after, problems: last.number });
    let after = rating.after(problem.rating, solved);
    Attempt {
        variant: variant.name().to_owned(),
        problem: problem.id.clone(),
        number: after.problems,
        command,
        solved,
        before: rating.value,
        after: after.value,
        streak: if solved { last.map_or(0, |last| last.streak) + 1 } else { 0 },
        at,
    }
}

fn rated(one: &Attempt) -> RatingChange {
    RatingChange { before: one.before, after: one.after }
}

/// Returns the standing of an account after its attempts in one variant.
fn standing(attempts: &[Attempt]) -> ProblemStanding {
    let rating = Rating::default();
    let (value, problems, streak) = attempts
        .last()
        .map_or((rating.value, rating.problems, 0), |last| (last.after, last.number, last.streak));
    let seen = attempts.iter().map(|one| (one.problem.clone(), one.solved)).collect();
    ProblemStanding { value, problems, streak, seen }
}

pub(crate) fn analysis_view(analysis: Analysis) -> SavedAnalysis {
    let Analysis { id, name, variant, version, created_at, changed_at } = analysis;
    SavedAnalysis { id, name, variant, version, created_at, changed_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pgn_must_contain_one_game_with_legal_turns() {
        assert_eq!(variant_of("1. e4 (1. d4 {a comment}) 1... e5 $1 *").unwrap(), Variant::Chess);
        assert_eq!(variant_of("[Variant \"Baroque\"]\n\n1. Pc2c4 *").unwrap(), Variant::Baroque);
        for text in ["", "  \n", "1. e4 *\n\n[Event \"x\"]\n\n1. d4 *"] {
            assert!(matches!(variant_of(text), Err(Error::PgnGames)), "{text:?}");
        }
        for (text, at) in [
            ("[Event \"x\"]\n\n1. e4 e5\n2. Qxh7 *", 4),
            ("1. e4 (1. e5) *", 1),
            ("[Variant \"Draughts\"]\n\n*", 1),
            ("1. e4 {never closed", 1),
        ] {
            match variant_of(text) {
                Err(Error::Pgn { line, .. }) => assert_eq!(line, at, "{text:?}"),
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }
}
