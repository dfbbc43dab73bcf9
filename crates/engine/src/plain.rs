//! A minimal player: alpha-beta on material to a fixed depth, without any other search technique.
//!
//! The engine is measured against it in variants that no other program plays, so it must never change.

use adoube_rules::{Stalemate, Turn};

use crate::eval::{Evaluator, Material, Searchable};

const INFINITE: i32 = 1_000_000;
const WIN_SCORE: i32 = 100_000;

/// Returns the best turn by material, if there is a legal turn. Searches `depth` turns ahead, including the
/// turn itself, and picks at random among equal turns. At depth 1, this is a turn that wins at once or, if
/// there is none, one that gains the most material.
pub fn choose<P: Searchable>(position: &P, depth: u32, seed: u64) -> Option<Turn> {
    let mut turns = position.legal_turns();
    turns.sort_by_cached_key(|turn| -turn.steps().first().map_or(0, |&step| position.gain(step)));
    let mut best = Vec::new();
    let mut max = -INFINITE;
    for turn in turns {
        let mut next = position.clone();
        next.play_turn_unchecked(&turn);
        // The window reaches one below the best score, so that all turns with that score are found.
        let score = -search(&next, depth.saturating_sub(1), -INFINITE, 1 - max);
        if score > max {
            best.clear();
        }
        if score >= max {
            max = score;
            best.push(turn);
        }
    }
    let index = (seed >> 16).checked_rem(best.len() as u64)?;
    best.into_iter().nth(index as usize)
}

fn search<P: Searchable>(position: &P, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let mut steps = position.legal_steps();
    if steps.is_empty() {
        // A quicker win is worth more. Otherwise a win could be postponed forever.
        let won = WIN_SCORE + depth as i32;
        return match P::STALEMATE {
            _ if position.is_check() => -won,
            Stalemate::Loses => -won,
            Stalemate::Draws => 0,
            Stalemate::Wins => won,
        };
    }
    if depth == 0 && position.chain().is_none() {
        return Material.evaluate(position);
    }
    if depth > 1 {
        // The order does not affect the score, only the time needed to find it.
        steps.sort_by_cached_key(|&step| -position.gain(step));
    }
    for step in steps {
        let next = position.after(step);
        let score = if next.side_to_move() == position.side_to_move() {
            search(&next, depth, alpha, beta)
        } else {
            -search(&next, depth.saturating_sub(1), -beta, -alpha)
        };
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Chess, coordinate};

    use super::*;

    #[test]
    fn captures_material_and_mates_in_one() {
        let chosen = |fen, depth| {
            let position: Chess = Chess::from_fen(fen).expect("a position");
            let turn = choose(&position, depth, 5).expect("a turn");
            coordinate::write(&position, &turn)
        };
        assert_eq!(chosen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 1), "e4d5");
        assert_eq!(chosen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1), "d1d8");
        // The rook guards the pawn on d5. The search does not see this before depth 2.
        assert_ne!(chosen("3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1", 2), "d1d5");
        assert_eq!(chosen("3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1", 1), "d1d5");
    }
}
