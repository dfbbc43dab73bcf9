//! Who can still win, by any sequence of legal turns whatsoever, helped or not (C20, C23, B13).
//!
//! A position is dead if neither side can; a flag that falls draws if the other side cannot. The answer is never
//! wrong: a side can win only if a line of legal turns that ends in its giving mate has been found and played
//! through; it cannot only if that has been proved; otherwise nobody knows, and the side counts as able to win.
//!
//! ```
//! use adoube_rules::{AnyPosition, Color, Variant};
//! use adoube_winnable::{Effort, Verdict, can_win_by_any_sequence, is_dead};
//!
//! // Two pawn chains that lock each other, and nobody behind the enemy's.
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1")?;
//! assert!(is_dead(&position, Effort::Quick));
//!
//! // A knight mates nobody, unless the other side's own man helps.
//! let helped = AnyPosition::from_fen(Variant::Chess, "8/8/8/8/8/p1N5/2K5/k7 w - - 0 1")?;
//! let verdict = can_win_by_any_sequence(&helped, Color::White, Effort::Full { nodes: 100_000 });
//! assert!(matches!(verdict, Verdict::Winnable(_)));
//! # Ok::<(), adoube_rules::ReadPositionError>(())
//! ```
//!
//! # How
//!
//! After M. Ambrona, *A Practical Algorithm for Chess Unwinnability* (FUN 2022), in this order:
//!
//! 1. Forced turns are played out. Whoever can win before them can win after them, and the other way round, since
//!    there is no other line.
//! 2. A side with nothing but its king cannot win: a king gives no check, and it gets no other man. Nor can one with
//!    too little besides (`material`).
//! 3. `reach`: where may each man ever stand? `pattern`: could the men mate, each standing anywhere there? The paper
//!    asks of the second only which of the winner's men come near the losing king, and what colour of squares they stand
//!    on; here a placement is looked for that covers every flight. It says no more often, and no only if
//!    there is no placement at all.
//! 4. `search`: a short search for a helpmate, the most promising position first.
//! 5. `shadow`: a search over kings and pawns alone, the other men being anywhere. The paper has nothing like it.
//! 6. In turns, for longer and longer: `bundle`, a search through all positions in which those that differ by one king's
//!    square are made together, and `search` towards mates that `pattern` has drawn up. The paper has nothing like the
//!    first of them. It goes first, since a scene of it costs less than a position; and where only kings and pawns can
//!    move, for long, since there it ends. Step 3 is tried once more behind each of the first turns.
//! 7. For a side that has only knights and bishops, before step 6 and again in its rounds: `search` towards one drawn-up
//!    mate after the other, each with an estimate of its own (`blueprint`). The other side's men have to be promoted and
//!    to block their own king, and that succeeds only with one placement in view. For other sides this comes last.
//!
//! The paper searches by iterative deepening, with rewards for progress and a table that forgets. Here the best
//! position met so far goes first and none is forgotten, so that a search ends by itself where few
//! positions can be reached, and that end is a proof.
//!
//! The verdicts are stable; which questions stay [`Unknown`](Verdict::Unknown) and how many nodes an answer takes may
//! change with any version.
//!
//! Halfmove clock and repetition do not matter: they end no game before a helpmate that does without detours, and
//! C23 asks for any sequence whatsoever.

/// The examples of the README are tried like all others.
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

/// Forced turns played out at most; behind them the search goes on as it does anywhere.
const FORCED: usize = 64;

/// Scenes made through bundles up to the end of each round.
const BUNDLED: [u64; 5] = [4_000, 8_000, 20_000, 60_000, 100_000];
/// The same where only kings and pawns can move.
const PAWNS: [u64; 5] = [100_000, 100_000, 160_000, 160_000, 160_000];
/// How many mates are aimed at one by one.
const ALONE: usize = 3;
/// The largest number of mates drawn up by `drawn_up`.
const DRAWN: usize = 96;
/// Positions made in a search that tries to prove the first ones hopeless.
const PROVED: u64 = 100;
/// Short searches behind promotions in each of them, for each side.
const TRIES: u64 = 4;
/// One more for so many scenes.
const PER_TRY: u64 = 3_000;

/// Whether a side can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It can: these legal turns, of both sides one after the other, end in its giving mate. None if it has mated.
    Winnable(Vec<Turn>),
    /// No sequence of legal turns ends in its giving mate.
    Unwinnable(Reason),
    /// Not known. For the result of a game it counts as being able to win.
    Unknown,
}

/// Why a side cannot win. Other ways of proof may be added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The game is over, maybe after forced turns, and it has not won.
    Over,
    /// It has nothing but its king.
    BareKing,
    /// It has one knight, or bishops of one shade, against men of which none can block a flight without parrying; in
    /// Baroque one pawn, or two pawns or coordinators against a bare king.
    Material,
    /// The men could not mate even if each stood wherever it may ever come to stand.
    Walls,
    /// The men could not mate wherever kings and pawns may come to stand, the others being anywhere.
    Shadows,
    /// No position that can be reached is a mate.
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

/// How much is spent on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Little enough for every turn of a game that is being played. Finds what is locked for good.
    Quick,
    /// As many positions as it takes, up to a number of them; each may keep about 150 bytes until the answer.
    ///
    /// It gives up earlier, with [`Verdict::Unknown`], once all positions for a while have been no nearer to a mate than
    /// the nearest before them: this is where more of the same has not been seen to help. For the same reason the
    /// search that makes positions together which differ by one king's square ends after some hundred thousand of them.
    Full {
        /// The largest number of positions made for one side; those made together count as one.
        nodes: u64,
    },
}

/// An answer and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the side can win.
    pub verdict: Verdict,
    /// The number of positions made to find it out.
    pub nodes: u64,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, nodes: 0 }
    }
}

/// Returns whether a side can win, helped or not.
///
/// In Interweave nothing is proved while the game lasts: C20 and C23 do not apply there, and the side that repeats a
/// position once too often or has no turn loses (I12), so that hardly any material keeps a side from winning.
pub fn can_win_by_any_sequence(position: &AnyPosition, winner: Color, effort: Effort) -> Verdict {
    with_analyst(|analyst| analyst.any(position, winner, effort).verdict)
}

/// Returns whether it is proved that neither side can win (C20).
pub fn is_dead(position: &AnyPosition, effort: Effort) -> bool {
    Color::ALL.into_iter().all(|color| can_win_by_any_sequence(position, color, effort).is_unwinnable())
}

/// Returns whether these turns are legal, one after the other, and end in a win of that side on the board.
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

/// Finds out whether sides can win.
///
/// It keeps its memory from one question to the next, up to what the hardest so far took: for many questions one after
/// the other. The functions of this module have one for each thread, which gives most of it back.
#[derive(Debug, Default)]
pub struct Analyst {
    search: Search,
    shadows: ShadowSearch,
    bundles: Bundles,
}

/// A position behind its forced turns.
struct Settled {
    position: Chess,
    forced: Vec<Turn>,
    end: End,
}

/// How a game stands behind its forced turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Mate(Color),
    Stalemate,
}

/// Tells games whose answer needs a search, up to the [`Effort`], from games whose answer is immediate.
pub fn searches(variant: Variant) -> bool {
    variant == Chess::VARIANT
}

impl Analyst {
    /// Gives memory back but for a few megabytes.
    fn trim(&mut self) {
        self.search.trim();
        self.shadows.trim();
        self.bundles.trim();
    }

    /// Returns whether a side can win, whatever the game.
    pub fn any(&mut self, position: &AnyPosition, winner: Color, effort: Effort) -> Answer {
        if let AnyPosition::Chess(position) = position {
            return self.side(position, winner, effort);
        }
        if let Some(outcome) = position.outcome(DrawRules::Fide) {
            return Answer::from(match outcome.winner() {
                Some(color) if color == winner => Verdict::Winnable(Vec::new()),
                _ => Verdict::Unwinnable(Reason::Over),
            });
        }
        if position
            .variant()
            .info()
            .royal
            .is_some_and(|king| (position.men(winner) - position.men_of_role(king)).is_empty())
        {
            return Answer::from(Verdict::Unwinnable(Reason::BareKing));
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

    /// Returns whether either side can win a game of chess; quicker than asking for each.
    pub fn sides(&mut self, position: &Chess, effort: Effort) -> ByColor<Answer> {
        let [white, black] = self.ask(position, ByColor::new_with(|_| true), effort);
        ByColor { white: white.unwrap_or_else(unknown), black: black.unwrap_or_else(unknown) }
    }

    /// Answers for the sides asked about.
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

    /// Looks for a mate near by, then for a proof by shadows.
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

    /// Searches in turns through bundles and for mates one by one, for longer and longer, until all is found.
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
        // Only one placement after the other leads to a mate by a bishop or a knight: it comes before all else.
        for color in both(|color| open[color] && has_minor_men_alone(position, color)) {
            let mate = self.drawn_up(task, color, 1_000, false, &mut made[color]);
            if mate != Found::LimitReached {
                found[color] = Some(mate);
                open[color] = false;
                self.bundles.close(color);
            }
        }
        // Where only kings and pawns can move, bundles are large, and mates to aim at are of little help.
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

    /// Searches once for a mate by one side, longer the later the round; round 1 draws up the mates to aim at.
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

    /// Searches once, towards the mates to aim at if there are any.
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
        // What a turn or two make hopeless is seen soon or never.
        let prove = length <= PROVED;
        let plan = Plan { limit: length.min(limit.saturating_sub(*made)), prove, greed };
        let found = self.search.run(position, color, goals[color], aims, reach, plan);
        *made += self.search.visited();
        found
    }

    /// Searches for one mate after the other, the nearest first. Each search makes `length` positions at most, more if
    /// the loser has rooks or queens.
    ///
    /// Finds a mate or nothing; finding nothing is no proof.
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

    /// Goes on through the bundles until so many scenes have been made.
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

/// Returns whether a side has nothing but knights and bishops.
fn has_minor_men_alone(position: &Chess, color: Color) -> bool {
    let others = position.men_of_role(role::PAWN)
        | position.men_of_role(role::ROOK)
        | position.men_of_role(role::QUEEN);
    (position.men(color) & others).is_empty()
}

/// Returns whether a side has enough to mate, and too few pawns stand face to face to wall anything off.
///
/// Then nothing will be proved in a moment. It is only a sign; but what it leads to is "not known", which is never wrong.
fn seems_alive(position: &Chess, winner: Color) -> bool {
    let of = |role| position.men_of_role(role);
    let ours = position.men(winner) - of(role::KING);
    let mates = ((of(role::PAWN) | of(role::ROOK) | of(role::QUEEN)) & ours).any() || ours.len() > 2;
    let pawns = of(role::PAWN);
    let faced = (pawns & position.men(Color::White)).step(0, 1) & pawns & position.men(Color::Black);
    let officers = (position.men(Color::White) | position.men(Color::Black)) - pawns - of(role::KING);
    mates && (faced.len() < 2 || faced.len() < 4 && officers.len() > 4)
}

/// Returns whether anything but kings and pawns has a square to go to as things stand.
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

/// What a search in rounds is about.
struct Task<'a> {
    position: &'a Chess,
    reach: &'a Reach,
    /// Where mates by each side are conceivable.
    goals: ByColor<SquareSet>,
    /// The largest number of positions made for one side.
    limit: u64,
}

/// Returns the sides of which something holds now.
fn both(holds: impl Fn(Color) -> bool) -> ArrayVec<Color, 2> {
    Color::ALL.into_iter().filter(|&color| holds(color)).collect()
}

fn unknown() -> Answer {
    Verdict::Unknown.into()
}

/// Returns what a search has found, seen from the position before the forced turns.
fn verdict(position: &Chess, forced: &[Turn], winner: Color, found: Found) -> Verdict {
    match found {
        Found::Mate(steps) => {
            let mut turns = forced.to_vec();
            turns.extend(steps.into_iter().map(Turn::from));
            let right = is_win(position, &turns, winner);
            debug_assert!(right, "{}: {turns:?}", position.fen());
            // Nothing is believed that has not been played through.
            if right { Verdict::Winnable(turns) } else { Verdict::Unknown }
        }
        Found::Walls => Verdict::Unwinnable(Reason::Walls),
        Found::Shadows => Verdict::Unwinnable(Reason::Shadows),
        Found::Exhausted => Verdict::Unwinnable(Reason::Exhausted),
        Found::LimitReached => Verdict::Unknown,
    }
}

/// Plays the forced turns out.
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
        End::Mate(_) | End::Stalemate => Verdict::Unwinnable(Reason::Over),
        End::Open if !settled.position.men(winner).more_than_one() => Verdict::Unwinnable(Reason::BareKing),
        End::Open if too_little(&settled.position, winner) => Verdict::Unwinnable(Reason::Material),
        End::Open => return None,
    };
    Some(Answer { verdict, nodes: settled.forced.len() as u64 })
}

/// Returns what is known of Baroque: who has too little to win (B13). Men never come back and none becomes another, so
/// what a side has too little of, it has too little of in all positions to come.
///
/// *A king alone gives no check, nor does a king that has nobody else but pawns and coordinators.* A king takes
/// only next to itself (B3). So it would give check by standing next to the other king, which could then take it as
/// well, unless that one is immobilised; but that takes an immobilizer or a chameleon on the first king's side (B4). And
/// a king that is itself immobilised gives no check (B12). So whoever's turn brought such a check about would have
/// left the own king in check, which B12 forbids: the first side by going there, the other side by going there, or by
/// setting free the king that stood there immobilised. For the same reason, where a side has nobody but pawns and
/// coordinators and is not to move, its king, immobilised or not, does not stand next to the other one, which may
/// move and would take it.
///
/// * *A bare king* does not win, then: it gives no check.
/// * *One pawn,* whatever the other side has. It takes a king that has a friend of the pawn's right behind it (B6). That
///   friend is the pawn's king, next to the other one.
/// * *Two pawns, against a bare king.* None of their positions is a mate; a test goes through them all.
/// * *Coordinators alone, against a bare king.* A coordinator takes only what stands on its king's file or rank (B7). So
///   let the bare king be in check on the other king's rank; its file goes in the same way. One of the squares straight
///   above and below is on the board. That square is not next to the other king, which stands two files away or
///   more, and so it is neither on that king's file nor on its rank: no coordinator takes there. It holds nobody,
///   or a coordinator, which the bare king takes. Nobody holds it where it is. So it is not mate.
///
/// Nothing else is proved, and nothing else is claimed: an immobilizer, a long leaper, a chameleon and a withdrawer
/// mate a bare king each with its king alone.
fn baroque(position: &Baroque, winner: Color) -> Verdict {
    use adoube_rules::variant::baroque::role as man;
    let ours = position.men(winner) - position.men_of_role(man::KING);
    let theirs = position.men(!winner) - position.men_of_role(man::KING);
    let (pawns, coordinators) =
        (position.men_of_role(man::PINCER_PAWN), position.men_of_role(man::COORDINATOR));
    let few_pawns = (ours - pawns).is_empty() && ours.len() <= if theirs.is_empty() { 2 } else { 1 };
    let coordinators_alone = theirs.is_empty() && (ours - coordinators).is_empty();
    if few_pawns || coordinators_alone { Verdict::Unwinnable(Reason::Material) } else { Verdict::Unknown }
}
