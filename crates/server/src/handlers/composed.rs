//! Endpoints for problems composed by visitors. Every visitor may request a proof, but publishing requires an
//! account.

use adoube_documents::ProblemDocument;
use adoube_problems::{Branch, CompositionError, Finding, Goal, Proof, position_of, problems};
use adoube_protocol::{
    ComposedList, ComposedProblem, Composition, ListedProblem, ProblemGoal, ProblemId, ProofReason,
    ProofReport, PublishProblem, PublishedProblem, Solution, SolutionBranch, SolutionReply,
};
use adoube_refusal::Refusal;
use adoube_rules::{AnyPosition, Position as _, Variant};
use adoube_store::{NewProblem, ProblemCursor, ProblemFilter, Published, StoredProblem};
use axum::{Extension, Json, extract::State, http::StatusCode};
use serde::Deserialize;

use super::{ApiQuery, JsonBody, PathSegment, ROW_BYTES, TwoSegments, cursor};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    chat::line_of,
    error::{Error, LogError, causes},
    limits::Resource,
    listed::variant_of,
    proofs::ProofRequest,
    stored,
};

/// The maximum length of a title, in characters.
const MAX_TITLE_LENGTH: usize = 80;
/// The number of problems on each page of the list.
const PAGE: u32 = 30;
/// The maximum number of attempts to generate an unused id.
const ID_ATTEMPTS: usize = 3;

/// Proves a composed problem without storing anything.
pub(crate) async fn prove(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    variant: PathSegment,
    body: Result<JsonBody<Composition>, Error>,
) -> Result<Json<ProofReport>, Error> {
    let variant = variant_of(variant.text())?;
    let JsonBody(composition) = body?;
    app.allowances.spend(Resource::ProofAsks, peer.requester(&visitor))?;
    let known = problem_at_position(&app, variant, &composition.fen).await?;
    let found = app.proofs.examine(peer.tenant(&visitor), proof_request(variant, composition)).await?;
    Ok(Json(report(variant, found, known)))
}

/// Proves a problem and publishes it.
pub(crate) async fn publish(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    variant: PathSegment,
    body: Result<JsonBody<PublishProblem>, Error>,
) -> Result<(StatusCode, Json<PublishedProblem>), Error> {
    let variant = variant_of(variant.text())?;
    if visitor.session.is_none() {
        return Err(Error::AccountNeeded);
    }
    let JsonBody(PublishProblem { command, title, composition }) = body?;
    if let Some(id) = app.store.lookup_publication(&visitor.player, command).await? {
        return Ok((StatusCode::CREATED, Json(PublishedProblem { id })));
    }
    let title = title.filter(|title| !title.trim().is_empty());
    let title =
        title.map(|title| line_of(&title, MAX_TITLE_LENGTH).ok_or(Error::ProblemTitle(MAX_TITLE_LENGTH)));
    let title = title.transpose()?;
    app.allowances.spend(Resource::ProofAsks, peer.requester(&visitor))?;
    if let Some(id) = problem_at_position(&app, variant, &composition.fen).await? {
        return Err(Error::ProblemKnown(id));
    }
    let turns = composition.turns;
    let proof = match app.proofs.examine(peer.tenant(&visitor), proof_request(variant, composition)).await? {
        Ok(Finding::Proved(proof)) => proof,
        found => return Err(Error::Unproved(Box::new(report(variant, found, None)))),
    };
    let position = position_of(&proof.fen);
    let document = serde_json::to_string(&stored::problem(proof, turns)).map_err(LogError::Write)?;
    app.charge_creation(peer.requester(&visitor), 1, ROW_BYTES + document.len()).await?;
    for _ in 0..ID_ATTEMPTS {
        let new = NewProblem {
            id: ProblemId::from_random(app.entropy.random()?),
            owner: visitor.player.clone(),
            command,
            variant: variant.name().to_owned(),
            position: position.clone(),
            title: title.clone(),
            document: document.clone(),
            created_at: app.clock.now(),
            max_bytes: app.config.limits.account_bytes,
        };
        let id = new.id.clone();
        match app.store.add_problem(new).await? {
            Published::Done => {
                tracing::info!(problem = %id, variant = variant.name(), "a problem was published");
                return Ok((StatusCode::CREATED, Json(PublishedProblem { id })));
            }
            Published::Repeated(id) => return Ok((StatusCode::CREATED, Json(PublishedProblem { id }))),
            Published::Known(id) => return Err(Error::ProblemKnown(id.to_string())),
            Published::NoRoom => return Err(Error::AccountFull(app.config.limits.account_bytes)),
            Published::IdTaken => {}
        }
    }
    Err(Error::Internal("found no unused id for a problem"))
}

/// The query parameters for the list of composed problems.
#[derive(Debug, Deserialize)]
pub(crate) struct ProblemQuery {
    cursor: Option<String>,
    #[serde(default)]
    mine: bool,
}

pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    variant: PathSegment,
    ApiQuery(query): ApiQuery<ProblemQuery>,
) -> Result<Json<ComposedList>, Error> {
    let variant = variant_of(variant.text())?;
    let after = query.cursor.as_deref().filter(|text| !text.is_empty()).map(cursor).transpose()?;
    let filter = ProblemFilter {
        variant: Some(variant.name().to_owned()),
        owner: query.mine.then(|| visitor.player.clone()),
        after: after.map(|(at, id)| ProblemCursor { at, id }),
        limit: PAGE,
    };
    let stored = app.store.list_problems(&filter).await?;
    let is_full = stored.len() == PAGE as usize;
    let next = stored.last().filter(|_| is_full).map(|last| format!("{}-{}", last.created_at.0, last.id));
    let problems = readable(stored, &visitor).map(|problem| problem.listed);
    Ok(Json(ComposedList { problems: problems.collect(), next }))
}

pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    TwoSegments(variant, id): TwoSegments,
) -> Result<Json<ComposedProblem>, Error> {
    let variant = variant_of(variant.text())?;
    let id: ProblemId = id.id(Error::ProblemNotFound)?;
    let stored = app.store.lookup_problem(&id).await?;
    let stored = stored.filter(|stored| stored.variant == variant.name()).ok_or(Error::ProblemNotFound)?;
    Ok(Json(read(stored, &visitor)?))
}

pub(crate) async fn withdraw(
    State(app): State<App>,
    visitor: Visitor,
    TwoSegments(variant, id): TwoSegments,
) -> Result<StatusCode, Error> {
    let variant = variant_of(variant.text())?;
    let id: ProblemId = id.id(Error::ProblemNotFound)?;
    let stored = app.store.lookup_problem(&id).await?;
    let stored = stored.filter(|stored| stored.variant == variant.name()).ok_or(Error::ProblemNotFound)?;
    // Visitors without a session cannot own a problem, because publishing requires an account.
    if visitor.session.is_none() || stored.owner != visitor.player {
        return Err(Error::NotYours);
    }
    if app.store.withdraw_problem(&visitor.player, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::ProblemNotFound)
    }
}

/// Returns a page of the visitor's own problems, and the cursor of the next page if there is one.
pub(super) async fn page_of(
    app: &App,
    visitor: &Visitor,
    after: Option<ProblemCursor>,
) -> Result<(Vec<ComposedProblem>, Option<ProblemCursor>), Error> {
    let owner = Some(visitor.player.clone());
    let filter = ProblemFilter { owner, after, limit: PAGE, ..ProblemFilter::default() };
    let stored = app.store.list_problems(&filter).await?;
    let next = stored.last().filter(|_| stored.len() == PAGE as usize);
    let next = next.map(|last| ProblemCursor { at: last.created_at, id: last.id.clone() });
    Ok((readable(stored, visitor).collect(), next))
}

/// Returns the problems that can be read. The others are logged and omitted, so one unreadable row does not
/// make the whole list unavailable.
fn readable(stored: Vec<StoredProblem>, visitor: &Visitor) -> impl Iterator<Item = ComposedProblem> {
    stored.into_iter().filter_map(move |stored| {
        let id = stored.id.clone();
        let log = |error: &Error| tracing::error!(problem = %id, error = %causes(error), "omitted an unreadable problem from a list");
        read(stored, visitor).inspect_err(log).ok()
    })
}

fn read(stored: StoredProblem, visitor: &Visitor) -> Result<ComposedProblem, Error> {
    let StoredProblem { id, owner, name, title, document, created_at, .. } = stored;
    let document: ProblemDocument =
        serde_json::from_str(&document).map_err(|source| LogError::Problem { id: id.clone(), source })?;
    let ProblemDocument { schema: _, fen, turns, line, solution } = document;
    let listed = ListedProblem {
        id,
        title,
        by: name,
        mine: visitor.session.is_some() && owner == visitor.player,
        created_at,
        fen,
        goal: ProblemGoal::Win,
        turns,
    };
    Ok(ComposedProblem { listed, line, solution: stored::solution(solution) })
}

fn proof_request(variant: Variant, composition: Composition) -> ProofRequest {
    let Composition { fen, goal, turns, lines } = composition;
    let goal = match goal {
        ProblemGoal::Win => Goal::Win,
        ProblemGoal::Gain => Goal::Gain,
    };
    ProofRequest { variant, fen, goal, turns, lines }
}

/// Returns the id of the built-in or published problem that has this position, if there is one.
async fn problem_at_position(app: &App, variant: Variant, fen: &str) -> Result<Option<String>, Error> {
    // An invalid position is refused later by the proof, which gives the reasons.
    let Ok(position) = AnyPosition::from_fen(variant, fen) else { return Ok(None) };
    let position = position_of(&position.fen());
    if let Some(problem) = problems(variant).iter().find(|problem| position_of(&problem.fen) == position) {
        return Ok(Some(problem.id.clone()));
    }
    let stored = app.store.lookup_problem_at(variant.name(), &position).await?;
    Ok(stored.map(|id| id.to_string()))
}

fn report(variant: Variant, found: Result<Finding, CompositionError>, known: Option<String>) -> ProofReport {
    match found {
        Ok(Finding::Proved(Proof { line, solution: found, .. })) => {
            ProofReport::Proved { line, solution: solution(found), known }
        }
        Ok(Finding::SecondSolution { own, others }) => ProofReport::SecondSolution { own, others },
        Ok(Finding::Sooner { turns, line }) => ProofReport::Sooner { turns, line },
        Ok(Finding::Refuted(refutation)) => ProofReport::Refuted {
            line: refutation.line,
            reply: refutation.reply,
            instead: refutation.alternatives,
        },
        Ok(Finding::NoWin) => ProofReport::NoWin,
        Ok(Finding::TooHard { nodes }) => ProofReport::TooHard { nodes },
        Err(unfit) => ProofReport::Unfit { reasons: reasons(variant, &unfit) },
    }
}

fn solution(found: adoube_problems::Solution) -> Solution {
    Solution { first: branch(found.first), complete: found.is_complete }
}

fn branch(branch_found: Branch) -> SolutionBranch {
    let Branch { turn, others, replies } = branch_found;
    let replies = replies.into_iter().map(|(turn, then)| SolutionReply { turn, then: branch(then) });
    SolutionBranch { turn, others, replies: replies.collect() }
}

fn reasons(variant: Variant, unfit: &CompositionError) -> Vec<ProofReason> {
    let refusals = match unfit {
        CompositionError::Position(error) => adoube_refusal::of_position(variant, error),
        CompositionError::Over(_) => vec![Refusal::new("position-over", [])],
        CompositionError::Turns(_) => {
            let limit = adoube_problems::MAX_COMPOSED_TURNS.to_string();
            vec![Refusal::new("compose-turns", [("limit", limit)])]
        }
        CompositionError::Goal => vec![Refusal::new("compose-goal", [])],
        CompositionError::TooManyLines => vec![Refusal::new("compose-too-many-lines", [])],
        CompositionError::LineTooLong { .. } => vec![Refusal::new("compose-line-too-long", [])],
        CompositionError::Turn { error, .. } => vec![adoube_refusal::of_turn(error)],
        CompositionError::TwoFirstTurns(one, other) => {
            vec![Refusal::new("compose-two-first-turns", [("one", one.clone()), ("other", other.clone())])]
        }
    };
    let reason = |Refusal { code, args }: Refusal| ProofReason {
        code: code.to_owned(),
        args: args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    };
    refusals.into_iter().map(reason).collect()
}
