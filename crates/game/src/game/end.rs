//! How a game ends: on the board (C16–C22, I12), and when time is up or a player has gone (C23).

use adoube_rules::{
    AnyPosition, Color, Position, Step, Turn, Variant,
    winnable::{self, Effort},
};

use super::Game;
use crate::{
    clock::Phase,
    ending::{Ending, Reason},
    event::DrawRules,
};

/// How long a player must have been away before the other one may claim the win, in milliseconds.
pub const LEFT_AFTER_MS: i64 = 60_000;

/// Positions that are looked at to find out whether the side with time left could win. What is not known by then
/// is taken as won, and that is rare: nearly every position is decided within some hundreds.
const UNWINNABLE_NODES: u64 = 50_000;

/// After so many turns without a pawn move or a taking, it is asked anew whether the position is dead.
const ASK_DEAD_EVERY: u16 = 16;

impl Game {
    /// How the game ends with the present position, nobody asking for it.
    pub(super) fn ending_on_the_board(&self) -> Option<Ending> {
        let occurrences = self.record.occurrences(self.position.key());
        ending_on_the_board(&self.position, occurrences, self.draw_rules, true)
    }

    /// How the game ends with a turn that leads to the position `after`.
    pub(super) fn ending_with(&self, turn: &Turn, after: &AnyPosition) -> Option<Ending> {
        let occurrences = self.record.occurrences(after.key()) + 1;
        let asks_dead = may_be_newly_dead(&self.position, turn, after);
        ending_on_the_board(after, occurrences, self.draw_rules, asks_dead)
    }

    /// The draw that the side to move may claim (C21, C22).
    pub(super) fn claimable(&self) -> Option<Ending> {
        if self.position.halfmove_clock() >= 100 {
            Some(Ending::draw(Reason::FiftyMoves))
        } else if !repetition_loses(self.variant) && self.record.occurrences(self.position.key()) >= 3 {
            Some(Ending::draw(Reason::Repetition))
        } else {
            None
        }
    }

    /// How the game ends if nothing has happened by now.
    pub(super) fn lapsed(&self, now_ms: i64) -> Option<Ending> {
        (now_ms >= self.next_deadline_ms()?).then(|| self.out_of_time())
    }

    /// How the game ends when the time of the side to move is up.
    pub(super) fn out_of_time(&self) -> Ending {
        let other = !self.turn();
        if self.phase() == Phase::FirstTurn {
            Ending::called_off(Reason::NoFirstTurn)
        } else if self.can_still_win(other) {
            Ending::win(other, Reason::TimeOut)
        } else {
            Ending::draw(Reason::TimeOutUnwinnable)
        }
    }

    /// How the game ends when the side to move has left.
    pub(super) fn abandoned(&self) -> Ending {
        let other = !self.turn();
        if self.can_still_win(other) {
            Ending::win(other, Reason::Abandonment)
        } else {
            Ending::draw(Reason::Abandonment)
        }
    }

    /// Whether a side could win by any sequence of legal turns whatsoever (C23). In Interweave nobody asks (I12).
    fn can_still_win(&self, color: Color) -> bool {
        let effort = Effort::Full { nodes: UNWINNABLE_NODES };
        self.variant == Variant::Interweave
            || !winnable::can_win_by_any_sequence(&self.position, color, effort).is_unwinnable()
    }
}

/// How the game ends with a position that has been on the board so often; `asks_dead` says whether it is worth
/// asking for a dead one.
fn ending_on_the_board(
    position: &AnyPosition,
    occurrences: usize,
    rules: DrawRules,
    asks_dead: bool,
) -> Option<Ending> {
    if let Some(outcome) = position.outcome(rules.into()) {
        return Some(outcome.into());
    }
    // What cannot be proved in a moment plays on: a dead position stays dead (C20).
    if asks_dead && winnable::is_dead(position, Effort::Quick) {
        return Some(Ending::draw(Reason::DeadPosition));
    }
    let (repetitions, halfmoves) = match rules {
        DrawRules::Club => (3, 100),
        DrawRules::Fide => (5, 150),
    };
    if repetition_loses(position.variant()) {
        if occurrences >= 3 {
            // The side to move is the winner: the other one brought the position about (I12).
            return Some(Ending::win(position.turn(), Reason::Repetition));
        }
    } else if occurrences >= repetitions {
        return Some(Ending::draw(Reason::Repetition));
    }
    (position.halfmove_clock() >= halfmoves).then(|| Ending::draw(Reason::FiftyMoves))
}

/// Whether a turn may have made the position a dead one, as far as can be told at once.
///
/// To look for a win in orthodox chess takes fifty times as long as all the rest of a turn. A position that can
/// come back is no more dead after the turn than it was before, and that is soon seen: most turns can be undone.
/// Now and then it is asked all the same, because what could not be proved from one place may be from another.
fn may_be_newly_dead(before: &AnyPosition, turn: &Turn, after: &AnyPosition) -> bool {
    match (before, after) {
        (AnyPosition::Chess(before), AnyPosition::Chess(after)) => {
            after.halfmove_clock().is_multiple_of(ASK_DEAD_EVERY) || !can_come_back(before, turn, after)
        }
        // Nothing is searched there.
        _ => true,
    }
}

/// Whether the position before a turn is seen to come back if both sides go to and fro.
fn can_come_back<P: Position>(before: &P, turn: &Turn, after: &P) -> bool {
    let &[step] = turn.steps() else { return false };
    let back = Step::new(step.to(), step.from());
    after.legal_steps().into_iter().any(|reply| {
        let mut at = after.after(reply);
        // Pawn moves and takings are for good.
        if at.halfmove_clock() == 0 || !at.legal_steps().contains(&back) {
            return false;
        }
        at.play_unchecked(back);
        let reply_back = Step::new(reply.to(), reply.from());
        at.legal_steps().contains(&reply_back) && at.after(reply_back).key() == before.key()
    })
}

/// Whether a side that brings the same position about for the third time loses (I12), instead of drawing (C22).
fn repetition_loses(variant: Variant) -> bool {
    variant == Variant::Interweave
}
