//! The generator of legal steps, compiled separately for each side and each sink.
#![expect(
    clippy::inline_always,
    reason = "code inlined into a function with target features is compiled for those features"
)]

use super::{
    Chess, role,
    sink::{Count, Sink},
};
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::{attacks, color::Color, square::Square, square_set::SquareSet};

/// Passes to the sink all legal steps of the side to move.
#[inline]
pub(super) fn generate<S: Sink>(position: &Chess, sink: &mut S) {
    match position.side_to_move {
        Color::White => side::<S, true, false>(position, sink),
        Color::Black => side::<S, false, false>(position, sink),
    }
}

/// Passes to the sink the legal steps that take or promote.
#[inline]
pub(super) fn generate_loud<S: Sink>(position: &Chess, sink: &mut S) {
    match position.side_to_move {
        Color::White => side::<S, true, true>(position, sink),
        Color::Black => side::<S, false, true>(position, sink),
    }
}

/// Returns the number of legal steps of the side to move.
#[inline]
pub(super) fn count(position: &Chess) -> usize {
    #[cfg(target_arch = "x86_64")]
    if cpu::has_bit_instructions() {
        // SAFETY: the condition above checks that the processor has these instructions. Without them,
        // counting the squares of a set takes a dozen instructions; bulk `perft` shows the difference.
        #[expect(unsafe_code, reason = "calling a function with target features is unsafe")]
        return unsafe { count_with_bit_instructions(position) };
    }
    count_steps(position)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn count_with_bit_instructions(position: &Chess) -> usize {
    count_steps(position)
}

#[inline(always)]
fn count_steps(position: &Chess) -> usize {
    let mut count = Count::default();
    generate(position, &mut count);
    count.0
}

/// The restrictions on the side to move.
struct Restrictions {
    /// Enemies that give check.
    checkers: SquareSet,
    /// Men of the side to move, each the only man between its king and an enemy that moves along that line
    /// (C11).
    pinned: SquareSet,
}

#[inline(always)]
fn restrictions(position: &Chess, king: Square, us: Color) -> Restrictions {
    let board = &position.board;
    let (own, enemy) = (board.color(us), board.color(!us));
    let queens = board.role(role::QUEEN);
    let mut checkers = (attacks::pawn(us, king) & board.role(role::PAWN)
        | attacks::knight(king) & board.role(role::KNIGHT))
        & enemy;
    // The sliders that would attack the king if its own side's men were absent.
    let snipers = (attacks::bishop(king, enemy) & (board.role(role::BISHOP) | queens)
        | attacks::rook(king, enemy) & (board.role(role::ROOK) | queens))
        & enemy;
    let mut pinned = SquareSet::EMPTY;
    for sniper in snipers {
        let shield = attacks::between(king, sniper) & own;
        if shield.is_empty() {
            checkers.insert(sniper);
        } else if !shield.more_than_one() {
            pinned |= shield;
        }
    }
    Restrictions { checkers, pinned }
}

/// Passes all legal steps of one side to the sink, or only those that take or promote.
#[inline(always)]
fn side<S: Sink, const WHITE: bool, const LOUD: bool>(position: &Chess, sink: &mut S) {
    let us = if WHITE { Color::White } else { Color::Black };
    let board = &position.board;
    let own = board.color(us);
    let targets_mask = if LOUD { board.color(!us) } else { !own };
    let king = position.king(us);
    let Restrictions { checkers, pinned } = restrictions(position, king, us);

    let parry = match (checkers.first(), checkers.more_than_one()) {
        (None, _) => {
            if LOUD {
                king_steps::<S, WHITE>(position, sink, king, targets_mask);
            } else {
                king_and_castling_steps::<S, WHITE>(position, sink, king);
            }
            SquareSet::FULL
        }
        (Some(checker), false) => {
            king_steps::<S, WHITE>(position, sink, king, targets_mask);
            attacks::between(king, checker) | SquareSet::of(checker)
        }
        // Only the king can parry a double check (C12).
        (Some(_), true) => return king_steps::<S, WHITE>(position, sink, king, targets_mask),
    };
    man_steps(position, sink, king, us, parry & targets_mask, pinned);
    pawn_steps::<S, WHITE, LOUD>(position, sink, king, parry, pinned);
}

/// Returns those of the given squares that the enemy would attack if the king of the side to move were off
/// the board.
#[inline(always)]
fn attacked<const WHITE: bool>(position: &Chess, king: Square, squares: SquareSet) -> SquareSet {
    /// With more squares than this, attacks are cheaper to compute from the enemy's men than from the
    /// squares.
    const MAX_PROBED_SQUARES: usize = 2;
    let (us, backward) = if WHITE { (Color::White, -1) } else { (Color::Black, 1) };
    let board = &position.board;
    let enemy = board.color(!us);
    let pawns = enemy & board.role(role::PAWN);
    let mut attacked = pawns.step(-1, backward) | pawns.step(1, backward) | attacks::king(position.king(!us));
    for knight in enemy & board.role(role::KNIGHT) {
        attacked |= attacks::knight(knight);
    }
    let left = squares - attacked;
    if left.is_empty() {
        return squares;
    }
    let occupied = board.occupied() - SquareSet::of(king);
    let queens = board.role(role::QUEEN);
    let (diagonal, orthogonal) =
        (enemy & (board.role(role::BISHOP) | queens), enemy & (board.role(role::ROOK) | queens));
    if left.len() <= MAX_PROBED_SQUARES {
        for square in left {
            let sliders =
                attacks::bishop(square, occupied) & diagonal | attacks::rook(square, occupied) & orthogonal;
            if sliders.any() {
                attacked.insert(square);
            }
        }
    } else {
        for slider in diagonal {
            attacked |= attacks::bishop(slider, occupied);
        }
        for slider in orthogonal {
            attacked |= attacks::rook(slider, occupied);
        }
    }
    attacked & squares
}

#[inline(always)]
fn king_steps<S: Sink, const WHITE: bool>(
    position: &Chess,
    sink: &mut S,
    king: Square,
    targets_mask: SquareSet,
) {
    let targets = attacks::king(king) & targets_mask;
    if targets.any() {
        sink.man(role::KING, king, targets - attacked::<WHITE>(position, king, targets));
    }
}

/// Generates the steps of a king that is not in check.
#[inline(always)]
fn king_and_castling_steps<S: Sink, const WHITE: bool>(position: &Chess, sink: &mut S, king: Square) {
    let us = if WHITE { Color::White } else { Color::Black };
    let own = position.board.color(us);
    let rooks = position.castling & own;
    if rooks.is_empty() {
        return king_steps::<S, WHITE>(position, sink, king, !own);
    }
    let targets = attacks::king(king) - own;
    let mut paths = SquareSet::EMPTY;
    let mut ready = SquareSet::EMPTY;
    for rook in rooks {
        let (king_to, rook_to) = Chess::castling_destinations(king, rook);
        let king_path = attacks::between(king, king_to) | SquareSet::of(king_to);
        let rook_path = attacks::between(rook, rook_to) | SquareSet::of(rook_to);
        let others = position.board.occupied() - SquareSet::of(king) - SquareSet::of(rook);
        if ((king_path | rook_path | attacks::between(king, rook)) & others).is_empty() {
            paths |= king_path;
            ready.insert(rook);
        }
    }
    let judged = targets | paths;
    if judged.is_empty() {
        return;
    }
    let attacked = attacked::<WHITE>(position, king, judged);
    sink.man(role::KING, king, targets - attacked);
    for rook in ready {
        let (king_to, _) = Chess::castling_destinations(king, rook);
        let king_path = attacks::between(king, king_to) | SquareSet::of(king_to);
        if (king_path & attacked).is_empty() && !shields(position, king, rook, us) {
            sink.castling(king, rook);
        }
    }
}

/// Returns `true` if an enemy on the far side of a castling rook would attack the king once the rook has
/// left.
#[cold]
fn shields(position: &Chess, king: Square, rook: Square, us: Color) -> bool {
    // A rook in the corner has nothing behind it.
    if (SquareSet::of(rook) & SquareSet::CORNERS).any() {
        return false;
    }
    let (king_to, _) = Chess::castling_destinations(king, rook);
    let others = position.board.occupied() - SquareSet::of(king) - SquareSet::of(rook);
    let king_path = attacks::between(king, king_to) | SquareSet::of(king_to);
    king_path.into_iter().any(|square| position.attackers(square, !us, others).any())
}

#[inline(always)]
fn man_steps<S: Sink>(
    position: &Chess,
    sink: &mut S,
    king: Square,
    us: Color,
    targets: SquareSet,
    pinned: SquareSet,
) {
    let board = &position.board;
    let own = board.color(us);
    let occupied = board.occupied();
    let (bishops, rooks, queens) =
        (own & board.role(role::BISHOP), own & board.role(role::ROOK), own & board.role(role::QUEEN));
    for from in (own & board.role(role::KNIGHT)) - pinned {
        sink.man(role::KNIGHT, from, attacks::knight(from) & targets);
    }
    for from in bishops - pinned {
        sink.man(role::BISHOP, from, attacks::bishop(from, occupied) & targets);
    }
    for from in rooks - pinned {
        sink.man(role::ROOK, from, attacks::rook(from, occupied) & targets);
    }
    for from in queens - pinned {
        sink.man(role::QUEEN, from, attacks::queen(from, occupied) & targets);
    }
    // A pinned man still moves along its line (C11).
    for from in (bishops | rooks | queens) & pinned {
        let line = attacks::line(king, from) & targets;
        if bishops.contains(from) {
            sink.man(role::BISHOP, from, attacks::bishop(from, occupied) & line);
        } else if rooks.contains(from) {
            sink.man(role::ROOK, from, attacks::rook(from, occupied) & line);
        } else {
            sink.man(role::QUEEN, from, attacks::queen(from, occupied) & line);
        }
    }
}

#[inline(always)]
fn pawn_steps<S: Sink, const WHITE: bool, const LOUD: bool>(
    position: &Chess,
    sink: &mut S,
    king: Square,
    parry: SquareSet,
    pinned: SquareSet,
) {
    let us = if WHITE { Color::White } else { Color::Black };
    let board = &position.board;
    let pawns = board.piece(us, role::PAWN);
    pawn_moves::<S, WHITE, LOUD>(position, sink, pawns - pinned, parry);
    for from in pawns & pinned {
        pawn_moves::<S, WHITE, LOUD>(position, sink, SquareSet::of(from), parry & attacks::line(king, from));
    }
    if let Some(crossed) = position.en_passant {
        for from in attacks::pawn(!us, crossed) & pawns {
            if position.en_passant_is_safe(from, crossed) {
                sink.en_passant(from, crossed);
            }
        }
    }
}

#[inline(always)]
fn pawn_moves<S: Sink, const WHITE: bool, const LOUD: bool>(
    position: &Chess,
    sink: &mut S,
    pawns: SquareSet,
    targets: SquareSet,
) {
    let (us, forward) = if WHITE { (Color::White, 1) } else { (Color::Black, -1) };
    let (third, last) = if WHITE {
        (SquareSet(0xff << 16), SquareSet(0xff << 56))
    } else {
        (SquareSet(0xff << 40), SquareSet(0xff))
    };
    let board = &position.board;
    let empty = !board.occupied();
    let enemies = board.color(!us) & targets;
    let single = pawns.step(0, forward) & empty;
    let double = (single & third).step(0, forward) & empty & targets;
    let single = single & targets;
    let left = pawns.step(-1, forward) & enemies;
    let right = pawns.step(1, forward) & enemies;
    if !LOUD {
        sink.pawns(8 * forward, single - last);
        sink.double_advances(16 * forward, double);
    }
    sink.pawns(8 * forward - 1, left - last);
    sink.pawns(8 * forward + 1, right - last);
    if ((single | left | right) & last).any() {
        sink.promotions(8 * forward, single & last);
        sink.promotions(8 * forward - 1, left & last);
        sink.promotions(8 * forward + 1, right & last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        moves::{Step, StepList},
        position::{Position as _, SearchPosition as _},
    };

    /// The code for older processors, which no other test reaches, gives the same counts. The shortcuts that
    /// avoid playing a step agree with playing it.
    #[test]
    fn counts_agree_on_every_processor_and_shortcuts_match_playing() {
        fn walk(position: &Chess, depth: u32) {
            let listed = position.legal_steps().len();
            assert_eq!(count_steps(position), listed, "{}", position.fen());
            assert_eq!(count(position), listed, "{}", position.fen());
            let steps = position.legal_steps();
            let is_loud = |step: &Step| step.promotion().is_some() || position.taken(*step).any();
            let mut loud: Vec<_> = steps.iter().copied().filter(is_loud).collect();
            let mut found = StepList::default();
            position.add_loud_steps(&mut found);
            loud.sort_unstable_by_key(|step| step.to_bits());
            found.sort_unstable_by_key(|step| step.to_bits());
            assert_eq!(found[..], loud[..], "{}", position.fen());
            let gives_check = position.gives_check();
            for &step in &steps {
                let fen = position.fen();
                assert_eq!(gives_check(step), position.after(step).is_check(), "{fen} {step:?}");
            }
            if depth > 0 {
                position.for_each_successor(&mut |next| walk(next, depth - 1));
            }
        }
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            // The castling rook shields the king's destination from the queen until it leaves.
            "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1",
            // Checks by castling, by promoting, and by men that step out of the way, one of them taken en
            // passant.
            "5k2/P7/8/8/8/8/8/4K2R w K - 0 1",
            "8/4P3/8/k2pP2R/8/8/8/4K3 w - d6 0 1",
            "1k6/4P3/8/8/1N3P2/6B1/8/1R2K3 w - - 0 1",
            "4k3/8/8/4N3/8/B2pP3/4R3/4K3 b - - 0 1",
        ] {
            walk(&Chess::from_fen(fen).expect("a position"), 2);
        }
    }
}
