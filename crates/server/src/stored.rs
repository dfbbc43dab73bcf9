//! Converts between stored documents and other types: builds documents from games and requests, and parts of
//! messages from documents. List rows are built in `listed`.

use adoube_documents::{
    CreationRequest, ProblemBranch, ProblemDocument, ProblemReply, ProblemSolution, ProofFinding,
    ProofJobDocument, ProofResultDocument, ProposalColor, ProposalDocument, ProposalSettings,
    ProposalShuffle, ProposalSides, RequestedOpponent, Schema, SummaryDocument, SummarySeat, SummarySeats,
};
use adoube_game::{Game, Seat};
use adoube_problems::{Branch, Finding, Goal, Proof, Refutation, Solution};
use adoube_protocol as protocol;
use adoube_protocol::{ColorChoice, CommandId, GameSettings, OpponentChoice, Shuffle, ShuffledSides};

use crate::{error::Error, proofs::ProofRequest, wire};

/// Returns the summary of a game that is stored for lists. It supplements the columns in the store.
pub(crate) fn summary(game: &Game) -> SummaryDocument {
    let seat = |seat: &Seat| match seat {
        Seat::Open => SummarySeat::Open,
        Seat::Person { .. } => SummarySeat::Person,
        Seat::Machine { level } => SummarySeat::Machine { level: *level },
    };
    let seats = game.seats();
    SummaryDocument {
        schema: Schema::default(),
        players: SummarySeats { white: seat(&seats.white), black: seat(&seats.black) },
        reason: game.ending().map(|ending| ending.reason),
        plies: u32::try_from(game.plies()).unwrap_or(u32::MAX),
        time_control: game.options().clock,
        touch_move: game.options().touch_move,
    }
}

/// Returns the stored document of a seek or a challenge.
pub(crate) fn proposal(command: CommandId, color: ColorChoice, settings: &GameSettings) -> ProposalDocument {
    ProposalDocument {
        schema: Schema::default(),
        command,
        color: proposal_color(color),
        settings: proposal_settings(settings),
    }
}

/// Returns the content of a request for a game. Its digest shows whether a later request is the same.
pub(crate) fn creation_request(
    color: ColorChoice,
    opponent: OpponentChoice,
    settings: &GameSettings,
) -> CreationRequest {
    let opponent = match opponent {
        OpponentChoice::Friend => RequestedOpponent::Friend,
        OpponentChoice::Machine { level } => RequestedOpponent::Machine { level: level.get() },
    };
    CreationRequest(proposal_color(color), opponent, proposal_settings(settings))
}

fn proposal_color(color: ColorChoice) -> ProposalColor {
    match color {
        ColorChoice::White => ProposalColor::White,
        ColorChoice::Black => ProposalColor::Black,
        ColorChoice::Random => ProposalColor::Random,
    }
}

pub(crate) fn color_choice(color: ProposalColor) -> ColorChoice {
    match color {
        ProposalColor::White => ColorChoice::White,
        ProposalColor::Black => ColorChoice::Black,
        ProposalColor::Random => ColorChoice::Random,
    }
}

fn proposal_settings(settings: &GameSettings) -> ProposalSettings {
    let shuffle = |shuffle| match shuffle {
        Shuffle::Number { white, black } => ProposalShuffle::Number { white, black },
        Shuffle::Random { sides: ShuffledSides::Same } => {
            ProposalShuffle::Random { sides: ProposalSides::Same }
        }
        Shuffle::Random { sides: ShuffledSides::Different } => {
            ProposalShuffle::Random { sides: ProposalSides::Different }
        }
    };
    let GameSettings { variant, fen, shuffle: shuffled, time_control, draw_rules, touch_move, casual, games } =
        settings;
    ProposalSettings {
        variant: variant.clone(),
        fen: fen.clone(),
        shuffle: shuffled.map(shuffle),
        time_control: time_control.map(wire::time_control_from_wire),
        draw_rules: draw_rules.map(wire::draw_rules_from_wire),
        touch_move: *touch_move,
        casual: *casual,
        games: *games,
    }
}

pub(crate) fn game_settings(settings: ProposalSettings) -> GameSettings {
    let shuffle = |shuffle| match shuffle {
        ProposalShuffle::Number { white, black } => Shuffle::Number { white, black },
        ProposalShuffle::Random { sides: ProposalSides::Same } => {
            Shuffle::Random { sides: ShuffledSides::Same }
        }
        ProposalShuffle::Random { sides: ProposalSides::Different } => {
            Shuffle::Random { sides: ShuffledSides::Different }
        }
    };
    let ProposalSettings {
        variant,
        fen,
        shuffle: shuffled,
        time_control,
        draw_rules,
        touch_move,
        casual,
        games,
    } = settings;
    GameSettings {
        variant,
        fen,
        shuffle: shuffled.map(shuffle),
        time_control: time_control.map(wire::time_control_to_wire),
        draw_rules: draw_rules.map(wire::draw_rules_to_wire),
        touch_move,
        casual,
        games,
    }
}

/// Returns the stored document of a proved problem.
pub(crate) fn problem(proof: Proof, turns: u8) -> ProblemDocument {
    let Proof { fen, line, solution, .. } = proof;
    ProblemDocument { schema: Schema::default(), fen, turns, line, solution: problem_solution(solution) }
}

fn problem_solution(found: Solution) -> ProblemSolution {
    fn branch(found: Branch) -> ProblemBranch {
        let Branch { turn, others, replies } = found;
        let replies = replies.into_iter().map(|(turn, then)| ProblemReply { turn, then: branch(then) });
        ProblemBranch { turn, others, replies: replies.collect() }
    }
    ProblemSolution { first: branch(found.first), complete: found.is_complete }
}

fn found_solution(stored: ProblemSolution) -> Solution {
    fn branch(stored: ProblemBranch) -> Branch {
        let ProblemBranch { turn, others, replies } = stored;
        let replies = replies.into_iter().map(|ProblemReply { turn, then }| (turn, branch(then)));
        Branch { turn, others, replies: replies.collect() }
    }
    Solution { first: branch(stored.first), is_complete: stored.complete }
}

/// Returns the document of a job that requests a proof. It contains no goal, because the goal is always a
/// win: `adoube_problems::check` refuses any other.
pub(crate) fn proof_job(request: ProofRequest) -> ProofJobDocument {
    let ProofRequest { variant, fen, goal: _, turns, lines } = request;
    ProofJobDocument { schema: Schema::default(), variant: variant.name().to_owned(), fen, turns, lines }
}

/// Returns the composition that a job is to prove.
pub(crate) fn proof_request(job: ProofJobDocument) -> Result<ProofRequest, Error> {
    let ProofJobDocument { schema: _, variant, fen, turns, lines } = job;
    let variant = variant.parse().map_err(|_| Error::Internal("the variant of a job is unknown"))?;
    Ok(ProofRequest { variant, fen, goal: Goal::Win, turns, lines })
}

/// Returns the result document of a job.
pub(crate) fn proof_result(finding: Finding) -> ProofResultDocument {
    let finding = match finding {
        Finding::Proved(Proof { fen, line, solution, nodes }) => {
            ProofFinding::Proved { fen, line, solution: problem_solution(solution), nodes }
        }
        Finding::SecondSolution { own, others } => ProofFinding::SecondSolution { own, others },
        Finding::Sooner { turns, line } => ProofFinding::Sooner { turns, line },
        Finding::Refuted(Refutation { line, reply, alternatives: instead }) => {
            ProofFinding::Refuted { line, reply, instead }
        }
        Finding::NoWin => ProofFinding::NoWin,
        Finding::TooHard { nodes } => ProofFinding::TooHard { nodes },
    };
    ProofResultDocument { schema: Schema::default(), finding }
}

/// Returns the finding in the result document of a job.
pub(crate) fn finding(result: ProofResultDocument) -> Finding {
    match result.finding {
        ProofFinding::Proved { fen, line, solution, nodes } => {
            Finding::Proved(Proof { fen, line, solution: found_solution(solution), nodes })
        }
        ProofFinding::SecondSolution { own, others } => Finding::SecondSolution { own, others },
        ProofFinding::Sooner { turns, line } => Finding::Sooner { turns, line },
        ProofFinding::Refuted { line, reply, instead } => {
            Finding::Refuted(Refutation { line, reply, alternatives: instead })
        }
        ProofFinding::NoWin => Finding::NoWin,
        ProofFinding::TooHard { nodes } => Finding::TooHard { nodes },
    }
}

/// Returns a stored problem's solution as the API shows it.
pub(crate) fn solution(stored: ProblemSolution) -> protocol::Solution {
    fn branch(stored: ProblemBranch) -> protocol::SolutionBranch {
        let reply = |ProblemReply { turn, then }| protocol::SolutionReply { turn, then: branch(then) };
        protocol::SolutionBranch {
            turn: stored.turn,
            others: stored.others,
            replies: stored.replies.into_iter().map(reply).collect(),
        }
    }
    protocol::Solution { first: branch(stored.first), complete: stored.complete }
}
