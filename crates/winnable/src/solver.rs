//! Combines the searches and proofs to answer a question.

use arrayvec::ArrayVec;

use crate::{
    Answer, Effort, ProofKind, Verdict,
    baroque::baroque,
    bundle::{Bundles, Pause},
    is_win,
    material::is_insufficient,
    pattern::{Pattern, mating_squares, patterns},
    reach::Reach,
    search::{Plan, Search, SearchResult, TARGETS_PER_SEARCH},
    shadow::ShadowSearch,
};
use adoube_rules::{
    AnyPosition, ByColor, Chess, Color, DrawRules, Position, SearchPosition, SquareSet, Turn, attacks,
    variant::chess::role,
};

/// The maximum number of forced turns to play out. Then the search starts, even if the next turn is forced.
const MAX_FORCED_TURNS: usize = 64;

/// The cumulative numbers of scenes created by the end of each round.
const SCENES_PER_ROUND: [u64; 5] = [4_000, 8_000, 20_000, 60_000, 100_000];

/// The cumulative numbers of scenes for positions in which only kings and pawns can move.
const PAWN_SCENES_PER_ROUND: [u64; 5] = [100_000, 100_000, 160_000, 160_000, 160_000];

/// The number of mates that are targeted individually.
const INDIVIDUAL_TARGETS: usize = 3;

/// The maximum number of target mates that `search_placements` constructs.
const MAX_TARGETS: usize = 96;

/// The number of positions created by a search that tries to prove its first positions unwinnable.
const PROOF_POSITIONS: u64 = 100;

/// The number of short searches after promotions in each round, for each side.
const PROMOTION_SEARCHES: u64 = 4;

/// One additional search after a promotion is allowed per this many scenes.
const SCENES_PER_PROMOTION_SEARCH: u64 = 3_000;

/// The searches that decide whether a side can win, together with their memory.
///
/// Keeps the memory that the hardest question needed, so that further questions are faster. The functions of
/// this crate use one solver for each thread, and release most of its memory after each answer.
#[derive(Debug, Default)]
pub struct Solver {
    search: Search,
    shadows: ShadowSearch,
    bundles: Bundles,
}

/// A position after its forced turns.
struct ForcedPosition {
    position: Chess,
    forced: Vec<Turn>,
    end: End,
}

/// The state of a game after its forced turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Mate(Color),
    Stalemate,
}

impl Solver {
    /// Releases all but a few megabytes of memory.
    pub(super) fn trim(&mut self) {
        self.search.trim();
        self.shadows.trim();
        self.bundles.trim();
    }

    /// Decides whether a side can win, in any variant.
    pub fn any(&mut self, position: &AnyPosition, winner: Color, effort: Effort) -> Answer {
        if let AnyPosition::Chess(position) = position {
            return self.side(position, winner, effort);
        }
        if let Some(outcome) = position.outcome(DrawRules::Fide) {
            return Answer::from(match outcome.winner() {
                Some(color) if color == winner => Verdict::Winnable(Vec::new()),
                _ => Verdict::Unwinnable(ProofKind::Over),
            });
        }
        if position
            .variant()
            .info()
            .royal
            .is_some_and(|king| (position.men(winner) - position.men_of_role(king)).is_empty())
        {
            return Answer::from(Verdict::Unwinnable(ProofKind::BareKing));
        }
        Answer::from(match position {
            AnyPosition::Baroque(position) => baroque(position, winner),
            _ => Verdict::Unknown,
        })
    }

    /// Decides whether a side can win a game of chess.
    pub fn side(&mut self, position: &Chess, winner: Color, effort: Effort) -> Answer {
        let sides = ByColor::new_with(|color| color == winner);
        self.decide(position, sides, effort).into_iter().nth(winner.index()).flatten().unwrap_or_else(unknown)
    }

    /// Decides whether each side can win a game of chess. Faster than two calls to [`side`](Self::side).
    pub fn sides(&mut self, position: &Chess, effort: Effort) -> ByColor<Answer> {
        let [white, black] = self.decide(position, ByColor::new_with(|_| true), effort);
        ByColor { white: white.unwrap_or_else(unknown), black: black.unwrap_or_else(unknown) }
    }

    /// Answers for each side whose entry in `sides` is true.
    fn decide(&mut self, position: &Chess, sides: ByColor<bool>, effort: Effort) -> [Option<Answer>; 2] {
        let settled = play_forced_turns(position);
        let mut answers = [None, None];
        let mut open = sides;
        for color in sides_where(|color| sides[color]) {
            if let Some(answer) = immediate_answer(&settled, color) {
                answers[color.index()] = Some(answer);
                open[color] = false;
            }
        }
        if effort == Effort::Quick {
            for color in sides_where(|color| open[color] && is_probably_winnable(&settled.position, color)) {
                open[color] = false;
                answers[color.index()] = Some(unknown());
            }
        }
        if !open.white && !open.black {
            return answers;
        }
        let reach = Reach::of(&settled.position);
        let mut visited = ByColor::<u64>::default();
        let mut found: ByColor<Option<SearchResult>> = ByColor::default();
        let mut goals = ByColor::default();
        for color in sides_where(|color| open[color]) {
            let squares = mating_squares(&reach, color);
            goals[color] = squares.coverable;
            let first = if squares.jointly_coverable.is_none() {
                SearchResult::Walls
            } else {
                let position = &settled.position;
                self.search_short_mates(position, &reach, color, goals[color], effort, &mut visited[color])
            };
            open[color] = first == SearchResult::LimitReached;
            found[color] = Some(first);
        }
        if let Effort::Full { nodes } = effort {
            let task = Task { position: &settled.position, reach: &reach, goals, limit: nodes };
            self.rounds(&task, &mut open, &mut found, &mut visited);
        }
        for color in Color::ALL {
            if let Some(found) = found[color].take() {
                let verdict = verdict(position, &settled.forced, color, found);
                answers[color.index()] = Some(Answer { verdict, nodes: visited[color] });
            }
        }
        answers
    }

    /// Looks for a short mate, then for a proof by shadows.
    fn search_short_mates(
        &mut self,
        position: &Chess,
        reach: &Reach,
        winner: Color,
        goals: SquareSet,
        effort: Effort,
        visited: &mut u64,
    ) -> SearchResult {
        let (first, shadows, limit) = match effort {
            Effort::Quick => (300, 1_000, 300),
            Effort::Full { nodes } => (600, 300, nodes),
        };
        let plan = Plan { limit: limit.min(first), prove: false, capture_value: 0 };
        let found = self.search.run(position, winner, goals, ArrayVec::new(), reach, plan);
        *visited += self.search.visited();
        if found == SearchResult::LimitReached
            && self.shadows.proves_unwinnable(position, reach, winner, shadows)
        {
            return SearchResult::Shadows;
        }
        found
    }

    /// Searches alternately through bundles and for individual mates, with growing limits, until the answers
    /// are known or the limits are reached.
    fn rounds(
        &mut self,
        task: &Task<'_>,
        open: &mut ByColor<bool>,
        found: &mut ByColor<Option<SearchResult>>,
        visited: &mut ByColor<u64>,
    ) {
        let &Task { position, limit, .. } = task;
        let mut aims: ByColor<ArrayVec<Pattern, TARGETS_PER_SEARCH>> = ByColor::default();
        if open.white || open.black {
            self.bundles.begin(position, *open);
        }
        // A search finds a mate by bishops or knights only if it aims at a single placement. So
        // such searches come first.
        for color in sides_where(|color| open[color] && has_only_minor_men(position, color)) {
            let mate = self.search_placements(task, color, 1_000, false, &mut visited[color]);
            if mate != SearchResult::LimitReached {
                found[color] = Some(mate);
                open[color] = false;
                self.bundles.close(color);
            }
        }
        // Where only kings and pawns can move, bundles are large, and target mates are of little help.
        let scene_limits = if others_can_move(position) { SCENES_PER_ROUND } else { PAWN_SCENES_PER_ROUND };
        self.search_bundles(scene_limits[0], task, open, found, visited);
        for (round, scenes) in scene_limits.into_iter().enumerate().skip(1) {
            for color in sides_where(|color| open[color] && visited[color] < limit) {
                let answer = self.round(round, task, color, &mut aims[color], &mut visited[color]);
                if answer != SearchResult::LimitReached {
                    found[color] = Some(answer);
                    open[color] = false;
                    self.bundles.close(color);
                }
            }
            self.search_bundles(scenes, task, open, found, visited);
        }
    }

    /// Looks for a mate by one side, for longer in later rounds. Round 1 constructs the target mates.
    fn round(
        &mut self,
        round: usize,
        task: &Task<'_>,
        color: Color,
        aims: &mut ArrayVec<Pattern, TARGETS_PER_SEARCH>,
        visited: &mut u64,
    ) -> SearchResult {
        let &Task { position, reach, goals, .. } = task;
        let minor_men_only = has_only_minor_men(position, color);
        match round {
            1 => {
                *aims = patterns(reach, color, goals[color], false);
                self.seek(task, color, aims.clone(), 1_500, 6, visited)
            }
            2 => {
                let mut answer = if minor_men_only {
                    self.search_placements(task, color, 1_000, true, visited)
                } else {
                    self.seek(task, color, ArrayVec::new(), 4_000, 0, visited)
                };
                for aim in aims.iter().take(INDIVIDUAL_TARGETS) {
                    if answer == SearchResult::LimitReached {
                        let aim = [aim.clone()].into_iter().collect();
                        answer = self.seek(task, color, aim, 1_500, 0, visited);
                    }
                }
                if answer == SearchResult::LimitReached
                    && self.shadows.proves_unwinnable(position, reach, color, 4_000)
                {
                    answer = SearchResult::Shadows;
                }
                if answer == SearchResult::LimitReached {
                    answer = self.seek(task, color, ArrayVec::new(), PROOF_POSITIONS, 0, visited);
                }
                answer
            }
            3 if minor_men_only => self.search_placements(task, color, 4_000, true, visited),
            3 => self.seek(task, color, ArrayVec::new(), 10_000, 0, visited),
            _ => {
                let length = if minor_men_only { 20_000 } else { 4_000 };
                match self.search_placements(task, color, length, minor_men_only, visited) {
                    SearchResult::LimitReached => self.seek(task, color, aims.clone(), u64::MAX, 0, visited),
                    found => found,
                }
            }
        }
    }

    /// Searches once, towards the target mates, if any.
    fn seek(
        &mut self,
        task: &Task<'_>,
        color: Color,
        aims: ArrayVec<Pattern, TARGETS_PER_SEARCH>,
        length: u64,
        capture_value: u32,
        visited: &mut u64,
    ) -> SearchResult {
        let &Task { position, reach, goals, limit } = task;
        // If a turn or two make the position unwinnable, the proof is found early or never.
        let prove = length <= PROOF_POSITIONS;
        let plan = Plan { limit: length.min(limit.saturating_sub(*visited)), prove, capture_value };
        let found = self.search.run(position, color, goals[color], aims, reach, plan);
        *visited += self.search.visited();
        found
    }

    /// Searches for one mate after another, nearest first. Each search creates up to `length` positions, or
    /// more if the loser has rooks or queens.
    ///
    /// Not finding a mate proves nothing.
    fn search_placements(
        &mut self,
        task: &Task<'_>,
        color: Color,
        length: u64,
        thorough: bool,
        visited: &mut u64,
    ) -> SearchResult {
        let &Task { position, reach, goals, limit } = task;
        let targets: ArrayVec<Pattern, MAX_TARGETS> = patterns(reach, color, goals[color], thorough);
        let heavy =
            position.men(!color) & (position.men_of_role(role::ROOK) | position.men_of_role(role::QUEEN));
        // Each rook or queen has about half as many turns as all other men together.
        let length = length * (2 + heavy.len() as u64) / 2;
        for pattern in &targets {
            if *visited >= limit {
                break;
            }
            let found = self.search.run_to(position, color, pattern, reach, length.min(limit - *visited));
            *visited += self.search.visited();
            if let Some(steps) = found {
                return SearchResult::Mate(steps);
            }
        }
        SearchResult::LimitReached
    }

    /// Continues through the bundles until `scenes` scenes have been created.
    fn search_bundles(
        &mut self,
        scenes: u64,
        task: &Task<'_>,
        open: &mut ByColor<bool>,
        found: &mut ByColor<Option<SearchResult>>,
        visited: &mut ByColor<u64>,
    ) {
        let before = self.bundles.created();
        let mut tries = ByColor::<u64>::default();
        while open.white || open.black {
            let left = |color| task.limit.saturating_sub(visited[color]);
            let left = sides_where(|color| open[color]).into_iter().map(left).max().unwrap_or(0);
            match self.bundles.resume(scenes.min(before + left)) {
                Pause::LimitReached => break,
                Pause::Exhausted => {
                    for color in sides_where(|color| open[color]) {
                        found[color] = Some(SearchResult::Exhausted);
                        open[color] = false;
                    }
                }
                Pause::Event => {
                    let Some(event) = self.bundles.event() else { continue };
                    let color = event.color;
                    let created = self.bundles.created() - before;
                    let max_tries = PROMOTION_SEARCHES + created / SCENES_PER_PROMOTION_SEARCH;
                    if !open[color] || !event.mate && tries[color] >= max_tries {
                        continue;
                    }
                    let mut rest = Vec::new();
                    if !event.mate {
                        // A new queen is worth a separate short search.
                        tries[color] += 1;
                        let Some(at) = self.bundles.position_of(event) else { continue };
                        let reach = Reach::of(&at);
                        let goals = mating_squares(&reach, color).coverable;
                        let limit = task.limit.saturating_sub(visited[color] + created).min(600);
                        let plan = Plan { limit, prove: false, capture_value: 0 };
                        let found = self.search.run(&at, color, goals, ArrayVec::new(), &reach, plan);
                        visited[color] += self.search.visited();
                        let SearchResult::Mate(steps) = found else { continue };
                        rest = steps;
                    }
                    if let Some(mut steps) = self.bundles.line(event) {
                        steps.extend(rest);
                        found[color] = Some(SearchResult::Mate(steps));
                        open[color] = false;
                        self.bundles.close(color);
                    }
                }
            }
        }
        for color in Color::ALL {
            visited[color] += self.bundles.created() - before;
        }
    }
}

/// Returns `true` if a side has only knights and bishops besides its king.
fn has_only_minor_men(position: &Chess, color: Color) -> bool {
    let others = position.men_of_role(role::PAWN)
        | position.men_of_role(role::ROOK)
        | position.men_of_role(role::QUEEN);
    (position.men(color) & others).is_empty()
}

/// Returns `true` if a side has enough to mate, and too few pawns face each other to wall anything off.
///
/// A quick proof is then unlikely. This is only a heuristic, but "unknown" is never a wrong answer.
fn is_probably_winnable(position: &Chess, winner: Color) -> bool {
    let of = |role| position.men_of_role(role);
    let ours = position.men(winner) - of(role::KING);
    let mates = ((of(role::PAWN) | of(role::ROOK) | of(role::QUEEN)) & ours).any() || ours.len() > 2;
    let pawns = of(role::PAWN);
    let faced = (pawns & position.men(Color::White)).step(0, 1) & pawns & position.men(Color::Black);
    let others = (position.men(Color::White) | position.men(Color::Black)) - pawns - of(role::KING);
    mates && (faced.len() < 2 || faced.len() < 4 && others.len() > 4)
}

/// Returns `true` if any man other than kings and pawns can currently move.
fn others_can_move(position: &Chess) -> bool {
    let occupied = position.men(Color::White) | position.men(Color::Black);
    Color::ALL.into_iter().any(|color| {
        let own = position.men(color);
        [role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN].into_iter().any(|role| {
            (own & position.men_of_role(role)).into_iter().any(|from| {
                let targets = match role {
                    role::KNIGHT => attacks::knight(from),
                    role::BISHOP => attacks::bishop(from, occupied),
                    role::ROOK => attacks::rook(from, occupied),
                    _ => attacks::queen(from, occupied),
                };
                (targets - own).any()
            })
        })
    })
}

/// The question that a search in rounds has to answer.
struct Task<'a> {
    position: &'a Chess,
    reach: &'a Reach,
    /// The squares where mates by each side are conceivable.
    goals: ByColor<SquareSet>,
    /// The maximum number of positions created for one side.
    limit: u64,
}

/// Returns the sides for which a condition holds at the time of the call.
fn sides_where(holds: impl Fn(Color) -> bool) -> ArrayVec<Color, 2> {
    Color::ALL.into_iter().filter(|&color| holds(color)).collect()
}

fn unknown() -> Answer {
    Verdict::Unknown.into()
}

/// Returns the verdict for the result of a search, seen from the position before the forced turns.
fn verdict(position: &Chess, forced: &[Turn], winner: Color, found: SearchResult) -> Verdict {
    match found {
        SearchResult::Mate(steps) => {
            let mut turns = forced.to_vec();
            turns.extend(steps.into_iter().map(Turn::from));
            let right = is_win(position, &turns, winner);
            debug_assert!(right, "{}: {turns:?}", position.fen());
            // A line that cannot be replayed is not trusted.
            if right { Verdict::Winnable(turns) } else { Verdict::Unknown }
        }
        SearchResult::Walls => Verdict::Unwinnable(ProofKind::Walls),
        SearchResult::Shadows => Verdict::Unwinnable(ProofKind::Shadows),
        SearchResult::Exhausted => Verdict::Unwinnable(ProofKind::Exhausted),
        SearchResult::LimitReached => Verdict::Unknown,
    }
}

/// Plays out the forced turns.
fn play_forced_turns(position: &Chess) -> ForcedPosition {
    let mut settled = ForcedPosition { position: position.clone(), forced: Vec::new(), end: End::Open };
    loop {
        let last = &mut settled.position;
        match last.count_steps() {
            0 => {
                settled.end = if last.is_check() { End::Mate(!last.side_to_move()) } else { End::Stalemate };
                return settled;
            }
            1 if settled.forced.len() < MAX_FORCED_TURNS => {
                let step = last.legal_steps()[0];
                last.play_unchecked(step);
                settled.forced.push(step.into());
            }
            _ => return settled,
        }
    }
}

/// Returns the answer if it needs no search.
fn immediate_answer(settled: &ForcedPosition, winner: Color) -> Option<Answer> {
    let verdict = match settled.end {
        End::Mate(color) if color == winner => Verdict::Winnable(settled.forced.clone()),
        End::Mate(_) | End::Stalemate => Verdict::Unwinnable(ProofKind::Over),
        End::Open if !settled.position.men(winner).more_than_one() => {
            Verdict::Unwinnable(ProofKind::BareKing)
        }
        End::Open if is_insufficient(&settled.position, winner) => Verdict::Unwinnable(ProofKind::Material),
        End::Open => return None,
    };
    Some(Answer { verdict, nodes: settled.forced.len() as u64 })
}
