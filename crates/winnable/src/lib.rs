//! Decides whether a side can still win, by any sequence of legal turns, with or without the opponent's help
//! (C20, C23, B13).
//!
//! A position is dead if neither side can win; a player who runs out of time draws if the opponent cannot
//! win. The answer is never wrong. A side can win only if a legal line that ends in mate was found and
//! replayed. It cannot win only if that was proved. Otherwise the answer is unknown, and the side counts as
//! able to win.
//!
//! ```
//! use adoube_rules::{AnyPosition, Color, Variant};
//! use adoube_winnable::{Effort, Verdict, can_win_by_any_sequence, is_dead};
//!
//! // Two locked pawn chains, and nothing behind the enemy's.
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1")?;
//! assert!(is_dead(&position, Effort::Quick));
//!
//! // A lone knight can mate only with the help of an enemy man.
//! let helped = AnyPosition::from_fen(Variant::Chess, "8/8/8/8/8/p1N5/2K5/k7 w - - 0 1")?;
//! let verdict = can_win_by_any_sequence(&helped, Color::White, Effort::Full { nodes: 100_000 });
//! assert!(matches!(verdict, Verdict::Winnable(_)));
//! # Ok::<(), adoube_rules::ReadPositionError>(())
//! ```
//!
//! # How
//!
//! Based on M. Ambrona, *A Practical Algorithm for Chess Unwinnability* (FUN 2022), in this order:
//!
//! 1. Forced turns are played out. A side that can win before them can win after them, and vice versa,
//!    because there is no other line.
//! 2. A side with only its king cannot win: a king gives no check, and it gets no other man. Nor can a side
//!    with too little besides (`material`).
//! 3. `reach` computes the squares that each man may ever reach, and `pattern` whether the men could mate
//!    from there. In the paper, the second step asks only which of the winner's men come near the losing
//!    king, and on which colour of squares. Here it looks for a placement that covers every flight. It
//!    excludes a mate more often, and only if there is no placement at all.
//! 4. `search`: a short search for a helpmate, most promising position first.
//! 5. `shadow`: a search over kings and pawns alone, with the other men anywhere. Not in the paper.
//! 6. Alternating, with growing limits: `bundle`, a search through all positions that handles those that
//!    differ only by one king's square together (not in the paper), and `search` towards mates constructed by
//!    `pattern`. `bundle` goes first, because a scene costs less than a position, and runs long where only
//!    kings and pawns can move, because there it comes to an end. Step 3 is repeated after each of the first
//!    turns.
//! 7. For a side with only knights and bishops, before step 6 and again in its rounds: `search` towards one
//!    constructed mate after the other, each with its own estimate (`blueprint`). The opponent's men have to
//!    be promoted and to block their own king, which succeeds only with a single placement in view. For other
//!    sides this comes last.
//!
//! The paper searches by iterative deepening, with rewards for progress and a lossy table. Here the best
//! position so far is expanded first and none is forgotten. So the search ends by itself where few positions
//! can be reached, and that end is a proof.
//!
//! The verdicts are stable. Which questions remain [`Unknown`](Verdict::Unknown), and how many nodes an
//! answer takes, may change with any version.
//!
//! The halfmove clock and repetitions do not matter: they end no game before a helpmate without detours, and
//! C23 asks for any sequence.

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod blueprint;
mod bundle;
mod material;
mod pattern;
mod reach;
mod search;
mod shadow;

use std::cell::RefCell;

use arrayvec::ArrayVec;

use adoube_rules::{
    AnyPosition, Baroque, ByColor, Chess, Color, DrawRules, Position, SearchPosition, SquareSet, Turn,
    Variant, attacks, variant::chess::role,
};
use bundle::{Bundles, Ended};
use material::too_little;
use pattern::{Pattern, mating_squares, patterns};
use reach::Reach;
use search::{AIMS, Found, Plan, Search};
use shadow::ShadowSearch;

/// The most forced turns played out. After these, the search starts as usual.
const FORCED: usize = 64;

/// The number of scenes created by bundles up to the end of each round.
const BUNDLED: [u64; 5] = [4_000, 8_000, 20_000, 60_000, 100_000];
/// The same where only kings and pawns can move.
const PAWNS: [u64; 5] = [100_000, 100_000, 160_000, 160_000, 160_000];
/// The number of mates that are targeted individually.
const ALONE: usize = 3;
/// The largest number of mates constructed by `drawn_up`.
const DRAWN: usize = 96;
/// The size in positions of a search that tries to prove its first positions unwinnable.
const PROVED: u64 = 100;
/// The number of short searches after promotions in each round, for each side.
const TRIES: u64 = 4;
/// One more such search for this many scenes.
const PER_TRY: u64 = 3_000;

/// Whether a side can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side can win: these legal turns of both sides end in its mate. Empty if it has already mated.
    Winnable(Vec<Turn>),
    /// No sequence of legal turns ends in its giving mate.
    Unwinnable(ProofKind),
    /// Unknown. For the result of a game, the side counts as able to win.
    Unknown,
}

/// Why a side cannot win. Other kinds of proofs may be added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ProofKind {
    /// The game is over, possibly after forced turns, and the side has not won.
    Over,
    /// The side has only its king.
    BareKing,
    /// The side has one knight, or bishops of one shade, against men none of which can block a flight without
    /// parrying; in Baroque one pawn, or two pawns or coordinators against a bare king.
    Material,
    /// The men could not mate even if each were on any square that it may ever reach.
    Walls,
    /// The men could not mate wherever kings and pawns may get to, even with the other men anywhere.
    Shadows,
    /// No reachable position is a mate.
    Exhausted,
}

impl Verdict {
    /// Returns the stable name: `winnable`, `unwinnable` or `unknown`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Winnable(_) => "winnable",
            Self::Unwinnable(_) => "unwinnable",
            Self::Unknown => "unknown",
        }
    }

    /// Returns whether it is proved that the side cannot win.
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Self::Unwinnable(_))
    }
}

/// How much work to spend on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Cheap enough for every turn of a game in progress. Detects positions that are locked for good.
    Quick,
    /// Up to a number of positions; each may take about 150 bytes until the answer.
    ///
    /// Gives up earlier, with [`Verdict::Unknown`], if for a while no position has been nearer to a mate than
    /// the nearest one before: experience shows that continuing does not help then. For the same reason the
    /// search that handles positions with different king's squares together ends after some hundred thousand
    /// of them.
    Full {
        /// The largest number of positions created for one side. Those created together count as one.
        nodes: u64,
    },
}

/// An answer and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the side can win.
    pub verdict: Verdict,
    /// The number of positions created.
    pub nodes: u64,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, nodes: 0 }
    }
}

/// Returns whether a side can win, with or without help.
///
/// In Interweave nothing is proved before the game is over: C20 and C23 do not apply there, and a side that
/// has no turn or completes a repetition loses (I12), so that hardly any material keeps a side from winning.
pub fn can_win_by_any_sequence(position: &AnyPosition, winner: Color, effort: Effort) -> Verdict {
    with_analyst(|analyst| analyst.any(position, winner, effort).verdict)
}

/// Returns whether it is proved that neither side can win (C20).
pub fn is_dead(position: &AnyPosition, effort: Effort) -> bool {
    Color::ALL.into_iter().all(|color| can_win_by_any_sequence(position, color, effort).is_unwinnable())
}

/// Returns whether these turns are legal in sequence and end in a win of that side on the board.
pub fn is_win<P: Position>(position: &P, turns: &[Turn], winner: Color) -> bool {
    let mut at = position.clone();
    for turn in turns {
        for &step in turn.steps() {
            if !at.legal_steps().contains(&step) {
                return false;
            }
            at.play_unchecked(step);
        }
    }
    at.outcome(DrawRules::Fide).and_then(adoube_rules::Outcome::winner) == Some(winner)
}

fn with_analyst<T>(ask: impl FnOnce(&mut Analyst) -> T) -> T {
    thread_local! {
        static ANALYST: RefCell<Analyst> = RefCell::default();
    }
    ANALYST.with_borrow_mut(|analyst| {
        let answer = ask(analyst);
        analyst.trim();
        answer
    })
}

/// Decides whether sides can win.
///
/// Keeps its memory from one question to the next, up to what the hardest one needed, which suits many
/// questions in sequence. The functions of this module use one for each thread, which releases most of its
/// memory.
#[derive(Debug, Default)]
pub struct Analyst {
    search: Search,
    shadows: ShadowSearch,
    bundles: Bundles,
}

/// A position after its forced turns.
struct Settled {
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

/// Returns whether questions about this variant need a search, bounded by the [`Effort`], rather than have an
/// immediate answer.
pub fn searches(variant: Variant) -> bool {
    variant == Chess::VARIANT
}

impl Analyst {
    /// Releases all memory but a few megabytes.
    fn trim(&mut self) {
        self.search.trim();
        self.shadows.trim();
        self.bundles.trim();
    }

    /// Returns whether a side can win, in any variant.
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

    /// Returns whether a side can win a game of chess.
    pub fn side(&mut self, position: &Chess, winner: Color, effort: Effort) -> Answer {
        let asked = ByColor::new_with(|color| color == winner);
        self.ask(position, asked, effort).into_iter().nth(winner.index()).flatten().unwrap_or_else(unknown)
    }

    /// Returns whether each side can win a game of chess. Faster than asking for each.
    pub fn sides(&mut self, position: &Chess, effort: Effort) -> ByColor<Answer> {
        let [white, black] = self.ask(position, ByColor::new_with(|_| true), effort);
        ByColor { white: white.unwrap_or_else(unknown), black: black.unwrap_or_else(unknown) }
    }

    /// Answers for the sides in `asked`.
    fn ask(&mut self, position: &Chess, asked: ByColor<bool>, effort: Effort) -> [Option<Answer>; 2] {
        let settled = settle(position);
        let mut answers = [None, None];
        let mut open = asked;
        for color in both(|color| asked[color]) {
            if let Some(answer) = early(&settled, color) {
                answers[color.index()] = Some(answer);
                open[color] = false;
            }
        }
        if effort == Effort::Quick {
            for color in both(|color| open[color] && seems_alive(&settled.position, color)) {
                open[color] = false;
                answers[color.index()] = Some(unknown());
            }
        }
        if !open.white && !open.black {
            return answers;
        }
        let reach = Reach::of(&settled.position);
        let mut made = ByColor::<u64>::default();
        let mut found: ByColor<Option<Found>> = ByColor::default();
        let mut goals = ByColor::default();
        for color in both(|color| open[color]) {
            let squares = mating_squares(&reach, color);
            goals[color] = squares.each_for_itself;
            let first = if squares.together.is_none() {
                Found::Walls
            } else {
                self.first_round(&settled.position, &reach, color, goals[color], effort, &mut made[color])
            };
            open[color] = first == Found::LimitReached;
            found[color] = Some(first);
        }
        if let Effort::Full { nodes } = effort {
            let task = Task { position: &settled.position, reach: &reach, goals, limit: nodes };
            self.rounds(&task, &mut open, &mut found, &mut made);
        }
        for color in Color::ALL {
            if let Some(found) = found[color].take() {
                let verdict = verdict(position, &settled.forced, color, found);
                answers[color.index()] = Some(Answer { verdict, nodes: made[color] });
            }
        }
        answers
    }

    /// Looks for a short mate, then for a proof by shadows.
    fn first_round(
        &mut self,
        position: &Chess,
        reach: &Reach,
        winner: Color,
        goals: SquareSet,
        effort: Effort,
        made: &mut u64,
    ) -> Found {
        let (first, shadows, limit) = match effort {
            Effort::Quick => (300, 1_000, 300),
            Effort::Full { nodes } => (600, 300, nodes),
        };
        let plan = Plan { limit: limit.min(first), prove: false, greed: 0 };
        let found = self.search.run(position, winner, goals, ArrayVec::new(), reach, plan);
        *made += self.search.visited();
        if found == Found::LimitReached && self.shadows.proves_unwinnable(position, reach, winner, shadows) {
            return Found::Shadows;
        }
        found
    }

    /// Searches alternately through bundles and for individual mates, with growing limits, until every
    /// question is answered.
    fn rounds(
        &mut self,
        task: &Task<'_>,
        open: &mut ByColor<bool>,
        found: &mut ByColor<Option<Found>>,
        made: &mut ByColor<u64>,
    ) {
        let &Task { position, limit, .. } = task;
        let mut aims: ByColor<ArrayVec<Pattern, AIMS>> = ByColor::default();
        if open.white || open.black {
            self.bundles.begin(position, *open);
        }
        // A mate by a bishop or a knight needs a single placement as its target, so this comes first.
        for color in both(|color| open[color] && has_minor_men_alone(position, color)) {
            let mate = self.drawn_up(task, color, 1_000, false, &mut made[color]);
            if mate != Found::LimitReached {
                found[color] = Some(mate);
                open[color] = false;
                self.bundles.close(color);
            }
        }
        // Where only kings and pawns can move, bundles are large, and target mates are of little help.
        let bundled = if officers_can_move(position) { BUNDLED } else { PAWNS };
        self.bundled(bundled[0], task, open, found, made);
        for (round, scenes) in bundled.into_iter().enumerate().skip(1) {
            for color in both(|color| open[color] && made[color] < limit) {
                let answer = self.round(round, task, color, &mut aims[color], &mut made[color]);
                if answer != Found::LimitReached {
                    found[color] = Some(answer);
                    open[color] = false;
                    self.bundles.close(color);
                }
            }
            self.bundled(scenes, task, open, found, made);
        }
    }

    /// Searches once for a mate by one side, longer in later rounds. Round 1 constructs the target mates.
    fn round(
        &mut self,
        round: usize,
        task: &Task<'_>,
        color: Color,
        aims: &mut ArrayVec<Pattern, AIMS>,
        made: &mut u64,
    ) -> Found {
        let &Task { position, reach, goals, .. } = task;
        let drawn = has_minor_men_alone(position, color);
        match round {
            1 => {
                *aims = patterns(reach, color, goals[color], false);
                self.seek(task, color, aims.clone(), 1_500, 6, made)
            }
            2 => {
                let mut answer = if drawn {
                    self.drawn_up(task, color, 1_000, true, made)
                } else {
                    self.seek(task, color, ArrayVec::new(), 4_000, 0, made)
                };
                for aim in aims.iter().take(ALONE) {
                    if answer == Found::LimitReached {
                        let aim = [aim.clone()].into_iter().collect();
                        answer = self.seek(task, color, aim, 1_500, 0, made);
                    }
                }
                if answer == Found::LimitReached
                    && self.shadows.proves_unwinnable(position, reach, color, 4_000)
                {
                    answer = Found::Shadows;
                }
                if answer == Found::LimitReached {
                    answer = self.seek(task, color, ArrayVec::new(), PROVED, 0, made);
                }
                answer
            }
            3 if drawn => self.drawn_up(task, color, 4_000, true, made),
            3 => self.seek(task, color, ArrayVec::new(), 10_000, 0, made),
            _ => {
                let length = if drawn { 20_000 } else { 4_000 };
                match self.drawn_up(task, color, length, drawn, made) {
                    Found::LimitReached => self.seek(task, color, aims.clone(), u64::MAX, 0, made),
                    found => found,
                }
            }
        }
    }

    /// Searches once, towards the target mates if there are any.
    fn seek(
        &mut self,
        task: &Task<'_>,
        color: Color,
        aims: ArrayVec<Pattern, AIMS>,
        length: u64,
        greed: u32,
        made: &mut u64,
    ) -> Found {
        let &Task { position, reach, goals, limit } = task;
        // A position that a turn or two make unwinnable is detected early or never.
        let prove = length <= PROVED;
        let plan = Plan { limit: length.min(limit.saturating_sub(*made)), prove, greed };
        let found = self.search.run(position, color, goals[color], aims, reach, plan);
        *made += self.search.visited();
        found
    }

    /// Searches for one mate after the other, nearest first. Each search creates up to `length` positions, or
    /// more if the loser has rooks or queens.
    ///
    /// Finds a mate or nothing; finding nothing proves nothing.
    fn drawn_up(
        &mut self,
        task: &Task<'_>,
        color: Color,
        length: u64,
        thorough: bool,
        made: &mut u64,
    ) -> Found {
        let &Task { position, reach, goals, limit } = task;
        let drawn: ArrayVec<Pattern, DRAWN> = patterns(reach, color, goals[color], thorough);
        let heavy =
            position.men(!color) & (position.men_of_role(role::ROOK) | position.men_of_role(role::QUEEN));
        // Each rook or queen has about half as many turns as all other men together.
        let length = length * (2 + heavy.len() as u64) / 2;
        for pattern in &drawn {
            if *made >= limit {
                break;
            }
            let found = self.search.run_to(position, color, pattern, reach, length.min(limit - *made));
            *made += self.search.visited();
            if let Some(steps) = found {
                return Found::Mate(steps);
            }
        }
        Found::LimitReached
    }

    /// Continues through the bundles until `scenes` scenes have been created.
    fn bundled(
        &mut self,
        scenes: u64,
        task: &Task<'_>,
        open: &mut ByColor<bool>,
        found: &mut ByColor<Option<Found>>,
        made: &mut ByColor<u64>,
    ) {
        let before = self.bundles.made();
        let left = both(|color| open[color]).into_iter().map(|color| task.limit.saturating_sub(made[color]));
        let scenes = scenes.min(before + left.max().unwrap_or(0));
        let mut tries = ByColor::<u64>::default();
        while open.white || open.black {
            match self.bundles.resume(scenes) {
                Ended::LimitReached => break,
                Ended::Exhausted => {
                    for color in both(|color| open[color]) {
                        found[color] = Some(Found::Exhausted);
                        open[color] = false;
                    }
                }
                Ended::Event => {
                    let Some(event) = self.bundles.event() else { continue };
                    let color = event.color;
                    if !open[color]
                        || !event.mate && tries[color] >= TRIES + (self.bundles.made() - before) / PER_TRY
                    {
                        continue;
                    }
                    let mut rest = Vec::new();
                    if !event.mate {
                        // A new queen is worth a short search of its own.
                        tries[color] += 1;
                        let Some(at) = self.bundles.position_of(event) else { continue };
                        let reach = Reach::of(&at);
                        let goals = mating_squares(&reach, color).each_for_itself;
                        let plan = Plan { limit: 600, prove: false, greed: 0 };
                        let found = self.search.run(&at, color, goals, ArrayVec::new(), &reach, plan);
                        made[color] += self.search.visited();
                        let Found::Mate(steps) = found else { continue };
                        rest = steps;
                    }
                    if let Some(mut steps) = self.bundles.line(event) {
                        steps.extend(rest);
                        found[color] = Some(Found::Mate(steps));
                        open[color] = false;
                        self.bundles.close(color);
                    }
                }
            }
        }
        for color in Color::ALL {
            made[color] += self.bundles.made() - before;
        }
    }
}

/// Returns whether a side has only knights and bishops besides its king.
fn has_minor_men_alone(position: &Chess, color: Color) -> bool {
    let others = position.men_of_role(role::PAWN)
        | position.men_of_role(role::ROOK)
        | position.men_of_role(role::QUEEN);
    (position.men(color) & others).is_empty()
}

/// Returns whether a side has enough to mate, and too few pawns face each other to wall anything off.
///
/// Then a quick proof is unlikely. This is only a heuristic, but it leads to "unknown", which is never wrong.
fn seems_alive(position: &Chess, winner: Color) -> bool {
    let of = |role| position.men_of_role(role);
    let ours = position.men(winner) - of(role::KING);
    let mates = ((of(role::PAWN) | of(role::ROOK) | of(role::QUEEN)) & ours).any() || ours.len() > 2;
    let pawns = of(role::PAWN);
    let faced = (pawns & position.men(Color::White)).step(0, 1) & pawns & position.men(Color::Black);
    let officers = (position.men(Color::White) | position.men(Color::Black)) - pawns - of(role::KING);
    mates && (faced.len() < 2 || faced.len() < 4 && officers.len() > 4)
}

/// Returns whether any man other than kings and pawns can currently move.
fn officers_can_move(position: &Chess) -> bool {
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

/// The subject of a search in rounds.
struct Task<'a> {
    position: &'a Chess,
    reach: &'a Reach,
    /// The squares where mates by each side are conceivable.
    goals: ByColor<SquareSet>,
    /// The largest number of positions created for one side.
    limit: u64,
}

/// Returns the sides for which a condition holds now.
fn both(holds: impl Fn(Color) -> bool) -> ArrayVec<Color, 2> {
    Color::ALL.into_iter().filter(|&color| holds(color)).collect()
}

fn unknown() -> Answer {
    Verdict::Unknown.into()
}

/// Returns the verdict for the result of a search, seen from the position before the forced turns.
fn verdict(position: &Chess, forced: &[Turn], winner: Color, found: Found) -> Verdict {
    match found {
        Found::Mate(steps) => {
            let mut turns = forced.to_vec();
            turns.extend(steps.into_iter().map(Turn::from));
            let right = is_win(position, &turns, winner);
            debug_assert!(right, "{}: {turns:?}", position.fen());
            // No line is trusted that was not replayed.
            if right { Verdict::Winnable(turns) } else { Verdict::Unknown }
        }
        Found::Walls => Verdict::Unwinnable(ProofKind::Walls),
        Found::Shadows => Verdict::Unwinnable(ProofKind::Shadows),
        Found::Exhausted => Verdict::Unwinnable(ProofKind::Exhausted),
        Found::LimitReached => Verdict::Unknown,
    }
}

/// Plays out the forced turns.
fn settle(position: &Chess) -> Settled {
    let mut settled = Settled { position: position.clone(), forced: Vec::new(), end: End::Open };
    loop {
        let at = &mut settled.position;
        match at.count_steps() {
            0 => {
                settled.end = if at.is_check() { End::Mate(!at.side_to_move()) } else { End::Stalemate };
                return settled;
            }
            1 if settled.forced.len() < FORCED => {
                let step = at.legal_steps()[0];
                at.play_unchecked(step);
                settled.forced.push(step.into());
            }
            _ => return settled,
        }
    }
}

/// Returns the answers that need no search.
fn early(settled: &Settled, winner: Color) -> Option<Answer> {
    let verdict = match settled.end {
        End::Mate(color) if color == winner => Verdict::Winnable(settled.forced.clone()),
        End::Mate(_) | End::Stalemate => Verdict::Unwinnable(ProofKind::Over),
        End::Open if !settled.position.men(winner).more_than_one() => {
            Verdict::Unwinnable(ProofKind::BareKing)
        }
        End::Open if too_little(&settled.position, winner) => Verdict::Unwinnable(ProofKind::Material),
        End::Open => return None,
    };
    Some(Answer { verdict, nodes: settled.forced.len() as u64 })
}

/// Returns what is known about Baroque: a side with too little material cannot win (B13). Captured men never
/// return and men do not promote, so a side with too little material has too little in all later positions.
///
/// *A lone king gives no check, nor does a king with only pawns and coordinators.* A king captures only on
/// adjacent squares (B3). So it would give check by standing next to the other king, which could then capture
/// it as well, unless that one is immobilised. That needs an immobilizer or a chameleon on the first king's
/// side (B4), and a king that is itself immobilised gives no check (B12). So the side whose turn led to such
/// a check would have left its own king in check, which B12 forbids: by moving there, or by freeing the
/// immobilised king that stood there. For the same reason, if a side has only pawns and coordinators besides
/// its king and is not to move, its king, immobilised or not, is not next to the other one, which may move
/// and would capture it.
///
/// * *A lone king* does not win, because it gives no check.
/// * *One pawn,* whatever the opponent has. It captures a king only if a friend of the pawn is right behind
///   that king (B6). That friend would be the pawn's king, next to the other one.
/// * *Two pawns against a lone king.* None of their positions is a mate; a test enumerates them all.
/// * *Only coordinators, against a lone king.* A coordinator captures only on its king's file or rank (B7).
///   Let the lone king be in check on the other king's rank; the case of the file is the same. One of the
///   squares directly above and below it is on the board. That square is not next to the other king, which is
///   at least two files away, and it is neither on that king's file nor on its rank, so no coordinator
///   captures there. It is empty or contains a coordinator, which the lone king can capture: no man protects
///   it there. So this is not mate.
///
/// Nothing else is proved: an immobilizer, a long leaper, a chameleon and a withdrawer each mate a lone king
/// with the help of their own king.
fn baroque(position: &Baroque, winner: Color) -> Verdict {
    use adoube_rules::variant::baroque::role as man;
    let ours = position.men(winner) - position.men_of_role(man::KING);
    let theirs = position.men(!winner) - position.men_of_role(man::KING);
    let (pawns, coordinators) =
        (position.men_of_role(man::PINCER_PAWN), position.men_of_role(man::COORDINATOR));
    let few_pawns = (ours - pawns).is_empty() && ours.len() <= if theirs.is_empty() { 2 } else { 1 };
    let coordinators_alone = theirs.is_empty() && (ours - coordinators).is_empty();
    if few_pawns || coordinators_alone { Verdict::Unwinnable(ProofKind::Material) } else { Verdict::Unknown }
}
