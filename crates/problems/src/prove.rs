//! Proof of forced wins.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use adoube_rules::{Color, SearchPosition, Stalemate, Step, Turn};

/// An exhaustive search for forced wins: mates, and the other ways to win a game on the board, such as
/// capturing a king or leaving the opponent without a legal turn.
///
/// Every turn of both sides is examined. The fifty-move rule (C21) and repetition (C22, I12) are ignored,
/// because they depend on the game's history.
#[derive(Debug)]
pub struct Prover {
    table: Vec<Entry>,
    /// The last refuting step, by the number of turns left. It is likely to refute again.
    refuting: [Option<Step>; MAX_TURNS as usize + 1],
    nodes: u64,
    limit: u64,
    /// Whether the limit applies to all searches together.
    is_total: bool,
    stop: Option<Arc<AtomicBool>>,
}

/// The maximum length of a win to look for, counted in the winner's turns.
const MAX_TURNS: u8 = 12;
/// The maximum number of legal turns that [`choices`] lists. It gives up on a position with more, because
/// there can be very many chains.
const MAX_CHOICES: usize = 1 << 14;
/// The maximum number of steps played in order to list these turns.
const MAX_STEPS: usize = 1 << 18;
/// The number of positions between two checks of the stop flag.
const CHECK_INTERVAL: u64 = 1 << 10;

/// The `bits` of a bounded prover, as in [`Prover::new`]. Its table takes a quarter of a mebibyte.
const BOUNDED_BITS: u32 = 14;
/// The maximum number of positions that a bounded prover visits in one search: about a second in a slow
/// browser.
const BOUNDED_NODES: u64 = 1_000_000;

/// The known bounds of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// The side to move wins within this many turns; 0 if unknown.
    wins: u8,
    /// The side to move does not win within this many turns.
    fails: u8,
}

/// The error when a search ends without a result: it has reached its position limit, met a position with too
/// many turns, or been stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("nothing was proved within the limits")]
pub struct LimitReached;

/// The result of a search that may reach its limits.
pub(crate) type Limited<T> = Result<T, LimitReached>;

/// The best defence against an intended winning turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestDefence {
    /// There is no defence: the game is over and won.
    AlreadyWon,
    /// A turn that refutes the intended one: the win comes too late, or not at all.
    Refutes(Turn),
    /// Every turn loses. This one resists longest.
    Resists {
        /// The turn.
        turn: Turn,
        /// The number of turns until the winner has won.
        left: u8,
    },
    /// There is nothing to defend against: the game is over and not won.
    OverWithoutWin,
}

impl Prover {
    /// Returns a prover with a table of 2^`bits` positions (up to 2^24), of 16 bytes each.
    pub fn new(bits: u32) -> Self {
        Self {
            table: vec![Entry::default(); 1 << bits.min(24)],
            refuting: [None; MAX_TURNS as usize + 1],
            nodes: 0,
            limit: u64::MAX,
            is_total: false,
            stop: None,
        }
    }

    /// Returns the prover that web pages and servers use for attempts. Both must reach the same result
    /// quickly.
    pub fn bounded() -> Self {
        Self::new(BOUNDED_BITS).with_limit(BOUNDED_NODES)
    }

    /// Limits the number of positions that each search visits from now on.
    #[must_use]
    pub fn with_limit(mut self, nodes: u64) -> Self {
        self.limit = nodes;
        self
    }

    /// Limits the number of positions visited by all searches together. Searches check `stop` from time to
    /// time, and return [`LimitReached`] once it is true.
    #[must_use]
    pub fn with_total(mut self, nodes: u64, stop: Arc<AtomicBool>) -> Self {
        (self.limit, self.is_total, self.stop) = (nodes, true, Some(stop));
        self
    }

    /// Returns the number of positions visited by the last search, or by all searches together if the limit
    /// applies to all of them.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn begin(&mut self) {
        if !self.is_total {
            self.nodes = 0;
        }
    }

    /// Returns how many turns of its own the side to move needs for its shortest win, or `None` if it needs
    /// more than `max`.
    pub fn shortest<P: SearchPosition>(&mut self, position: &P, max: u8) -> Result<Option<u8>, LimitReached> {
        self.begin();
        self.wins_within(position, max)
    }

    /// Returns all first turns after which the side to move still wins within `turns` turns, including the
    /// first.
    pub fn first_turns<P: SearchPosition>(
        &mut self,
        position: &P,
        turns: u8,
    ) -> Result<Vec<Turn>, LimitReached> {
        self.begin();
        let mut found = Vec::new();
        for turn in choices(position)? {
            if self.wins_with(position, &turn, turns)? {
                found.push(turn);
            }
        }
        Ok(found)
    }

    /// Returns `true` if the side to move wins within `turns` turns, of which `turn` is the first. `turn`
    /// must be legal.
    pub fn turn_wins<P: SearchPosition>(
        &mut self,
        position: &P,
        turn: &Turn,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        self.begin();
        self.wins_with(position, turn, turns)
    }

    fn wins_with<P: SearchPosition>(
        &mut self,
        position: &P,
        turn: &Turn,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        let mut next = position.clone();
        next.play_turn_unchecked(turn);
        self.wins_after(&next, position.side_to_move(), turns.min(MAX_TURNS))
    }

    /// Returns the best defence of the side to move against a win by the opponent within `turns` turns.
    pub fn best_defence<P: SearchPosition>(
        &mut self,
        position: &P,
        turns: u8,
    ) -> Result<BestDefence, LimitReached> {
        self.begin();
        let winner = !position.side_to_move();
        if is_won(position, winner) {
            return Ok(BestDefence::AlreadyWon);
        }
        let mut longest: Option<(Turn, u8)> = None;
        let replies = choices(position)?;
        if replies.is_empty() {
            return Ok(BestDefence::OverWithoutWin);
        }
        for turn in replies {
            let mut next = position.clone();
            next.play_turn_unchecked(&turn);
            let Some(left) = self.wins_within(&next, turns)? else { return Ok(BestDefence::Refutes(turn)) };
            if longest.as_ref().is_none_or(|(_, max)| left > *max) {
                longest = Some((turn, left));
            }
        }
        Ok(longest.map_or(BestDefence::OverWithoutWin, |(turn, left)| BestDefence::Resists { turn, left }))
    }

    /// Returns a shortest win against the longest resistance, starting with the winner's turn; `None` if
    /// there is no win within `max` turns.
    pub fn line<P: SearchPosition>(
        &mut self,
        position: &P,
        max: u8,
    ) -> Result<Option<Vec<Turn>>, LimitReached> {
        let Some(mut left) = self.shortest(position, max)? else { return Ok(None) };
        let mut current = position.clone();
        let mut line = Vec::new();
        loop {
            let Some(turn) = self.first_turns(&current, left)?.into_iter().next() else { return Ok(None) };
            current.play_turn_unchecked(&turn);
            line.push(turn);
            match self.best_defence(&current, left - 1)? {
                BestDefence::AlreadyWon => return Ok(Some(line)),
                BestDefence::Resists { turn, left: rest } => {
                    current.play_turn_unchecked(&turn);
                    line.push(turn);
                    left = rest;
                }
                BestDefence::Refutes(_) | BestDefence::OverWithoutWin => return Ok(None),
            }
        }
    }

    fn wins_within<P: SearchPosition>(&mut self, position: &P, max: u8) -> Result<Option<u8>, LimitReached> {
        // Short wins first: they are cheap to find, and the table stores failed attempts.
        for turns in 1..=max.min(MAX_TURNS) {
            if self.attack(position, position.side_to_move(), turns)? {
                return Ok(Some(turns));
            }
        }
        Ok(None)
    }

    /// Returns `true` if a turn that leads to `next` wins within `turns` turns, including itself.
    fn wins_after<P: SearchPosition>(
        &mut self,
        next: &P,
        winner: Color,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        Ok(is_won(next, winner) || (turns > 1 && self.defence_fails(next, winner, turns - 1)?))
    }

    /// Returns `true` if the winner, who is to move or in the middle of a chain, wins within `turns` turns.
    fn attack<P: SearchPosition>(
        &mut self,
        position: &P,
        winner: Color,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        self.count()?;
        let begins = position.chain().is_none();
        let slot = (position.key() as usize) & (self.table.len() - 1);
        if begins {
            let entry = self.table[slot];
            if entry.key == position.key() {
                if entry.wins != 0 && entry.wins <= turns {
                    return Ok(true);
                }
                if entry.fails >= turns {
                    return Ok(false);
                }
            }
        }
        let wins = self.any_step_wins(position, winner, turns)?;
        if begins {
            let entry = &mut self.table[slot];
            if entry.key != position.key() {
                *entry = Entry { key: position.key(), ..Entry::default() };
            }
            if wins {
                entry.wins = turns;
            } else {
                entry.fails = entry.fails.max(turns);
            }
        }
        Ok(wins)
    }

    fn any_step_wins<P: SearchPosition>(
        &mut self,
        position: &P,
        winner: Color,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        let mut quiet = Vec::new();
        let mut loud = Vec::new();
        for step in position.legal_steps() {
            let next = position.after(step);
            if next.side_to_move() == winner {
                // The chain continues within the same turn.
                loud.push(next);
            } else if is_won(&next, winner) {
                return Ok(true);
            } else if turns > 1 {
                let is_loud = next.is_check() || position.taken(step).any();
                if is_loud { loud.push(next) } else { quiet.push(next) }
            }
        }
        for next in loud.iter().chain(&quiet) {
            let wins = if next.side_to_move() == winner {
                self.attack(next, winner, turns)?
            } else {
                self.defence_fails(next, winner, turns - 1)?
            };
            if wins {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns `true` if every turn of the side to move loses within `turns` of the winner's turns.
    fn defence_fails<P: SearchPosition>(
        &mut self,
        position: &P,
        winner: Color,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        self.count()?;
        let steps = position.legal_steps();
        if steps.is_empty() {
            // `is_won` has already returned false, so this is not a win.
            return Ok(false);
        }
        let first = self.refuting[usize::from(turns)].filter(|step| steps.contains(step));
        let others = steps.iter().copied().filter(|&step| Some(step) != first);
        for step in first.into_iter().chain(others) {
            let next = position.after(step);
            let fails = if next.side_to_move() == winner {
                self.attack(&next, winner, turns)?
            } else {
                self.defence_fails(&next, winner, turns)?
            };
            if !fails {
                self.refuting[usize::from(turns)] = Some(step);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn count(&mut self) -> Result<(), LimitReached> {
        self.nodes += 1;
        let is_stopped = || self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if self.nodes > self.limit || (self.nodes.is_multiple_of(CHECK_INTERVAL) && is_stopped()) {
            return Err(LimitReached);
        }
        Ok(())
    }
}

/// Returns all legal turns, or an error if there are too many.
pub(crate) fn choices<P: SearchPosition>(position: &P) -> Result<Vec<Turn>, LimitReached> {
    fn extend<P: SearchPosition>(
        current: &P,
        side: Color,
        turn: &mut Turn,
        turns: &mut Vec<Turn>,
        walked: &mut usize,
    ) -> Result<(), LimitReached> {
        for step in current.legal_steps() {
            *walked += 1;
            if *walked > MAX_STEPS || turns.len() >= MAX_CHOICES {
                return Err(LimitReached);
            }
            if !turn.push(step) {
                continue;
            }
            let next = current.after(step);
            if next.side_to_move() == side {
                extend(&next, side, turn, turns, walked)?;
            } else {
                turns.push(turn.clone());
            }
            turn.pop();
        }
        Ok(())
    }
    let mut turns = Vec::new();
    extend(position, position.side_to_move(), &mut Turn::empty(), &mut turns, &mut 0)?;
    Ok(turns)
}

/// Returns `true` if `winner`, the side that has just moved, has won.
pub(crate) fn is_won<P: SearchPosition>(position: &P, winner: Color) -> bool {
    let info = position.variant().info();
    if info.royal.is_none() {
        return position
            .outcome(adoube_rules::DrawRules::Club)
            .is_some_and(|end| end.winner() == Some(winner));
    }
    // The cheap test comes first: in most positions there is no check.
    let may_be_lost = position.is_check() || info.stalemate == Stalemate::Loses;
    may_be_lost && position.count_steps() == 0
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, Position, Variant, coordinate};

    use super::*;

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        AnyPosition::from_fen(variant, fen).expect("a position")
    }

    #[track_caller]
    fn first_turns(variant: Variant, fen: &str, turns: u8) -> Vec<String> {
        let position = position(variant, fen);
        let found = Prover::new(16).first_turns(&position, turns).expect("no limit");
        found.iter().map(|turn| coordinate::write(&position, turn)).collect()
    }

    #[test]
    fn c16_the_shortest_mate_is_found_and_no_shorter_one_is_claimed() {
        // A ladder with two rooks: the rook on the fifth rank cuts off the king, which is then mated on the
        // last rank.
        let ladder = position(Variant::Chess, "8/8/2k5/7R/6R1/8/8/6K1 w - - 0 1");
        let mut prover = Prover::new(16);
        assert_eq!(prover.shortest(&ladder, 2), Ok(None));
        assert_eq!(prover.shortest(&ladder, 4), Ok(Some(3)));
        let line = prover.line(&ladder, 4).expect("no limit").expect("a mate");
        assert_eq!(line.len(), 5);
        let mut position = ladder.clone();
        for turn in &line {
            position.try_play(turn).expect("legal");
        }
        assert!(is_won(&position, Color::White), "{position}");
    }

    #[test]
    fn c18_stalemate_is_not_a_win() {
        let fen = "7k/4Q3/6K1/8/8/8/8/8 w - - 0 1";
        let mut turns = first_turns(Variant::Chess, fen, 1);
        turns.sort_unstable();
        // On f7 the queen stalemates the king.
        assert_eq!(turns, ["e7d8", "e7e8", "e7f8", "e7g7", "e7h7"]);
    }

    #[test]
    fn u13_leaving_the_opponent_no_turn_is_a_win_where_stalemate_loses() {
        // On g7 the immobilizer freezes a lone king.
        let fen = "7k/8/8/4M3/8/8/8/K7 w - - 0 1";
        assert_eq!(first_turns(Variant::Ultima, fen, 1), ["e5g7"]);
        assert_eq!(Prover::new(16).shortest(&position(Variant::Ultima, fen), 3), Ok(Some(1)));
        assert_eq!(first_turns(Variant::Baroque, fen, 1), [""; 0], "a stalemate is a draw in Baroque");
    }

    #[test]
    fn i3_capturing_the_king_is_a_win() {
        let taken = position(Variant::Interweave, "7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1");
        assert_eq!(Prover::new(16).shortest(&taken, 3), Ok(Some(1)));
    }

    #[test]
    fn the_best_defence_is_a_refutation_if_there_is_one() {
        // The rook gives a check that is not mate: the king walks away.
        let mut after_check = position(Variant::Chess, "7k/8/8/8/8/8/R7/6K1 w - - 0 1");
        after_check.try_play(&coordinate::parse(&after_check, "a2a8").unwrap()).unwrap();
        let answer = Prover::new(16).best_defence(&after_check, 1).expect("no limit");
        assert!(matches!(answer, BestDefence::Refutes(_)), "{answer:?}");
    }

    #[test]
    fn a_limit_is_respected() {
        let initial = AnyPosition::initial(Variant::Chess);
        let mut prover = Prover::new(10).with_limit(500);
        assert_eq!(prover.shortest(&initial, 5), Err(LimitReached));
        assert!(prover.nodes() <= 501);
    }

    #[test]
    fn a_total_counts_all_searches_and_the_stop_flag_ends_them() {
        let ladder = position(Variant::Chess, "8/8/2k5/7R/6R1/8/8/6K1 w - - 0 1");
        let stop = Arc::new(AtomicBool::new(false));
        let mut prover = Prover::new(10).with_total(5_000_000, Arc::clone(&stop));
        assert_eq!(prover.shortest(&ladder, 3), Ok(Some(3)));
        let first = prover.nodes();
        assert_eq!(prover.shortest(&ladder, 2), Ok(None));
        assert!(prover.nodes() > first, "the limit applies to both searches together");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(prover.shortest(&AnyPosition::initial(Variant::Chess), 5), Err(LimitReached));
        assert!(prover.nodes() < first + 10_000, "{} after {first}", prover.nodes());
    }

    #[test]
    fn choices_are_the_legal_turns() {
        for variant in Variant::ALL {
            for problem in crate::problems(variant).iter().take(40) {
                let at = position(variant, &problem.fen);
                assert_eq!(choices(&at), Ok(at.legal_turns()));
            }
        }
    }
}
