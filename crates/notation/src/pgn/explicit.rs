//! The second block of each game in a file from the vchess site.
//!
//! That site writes a game twice: first in its own notation, which does not specify which of several men
//! moves, then with one turn per line, such as `12.w e2.e4 wpe4/wpe2`. Each line gives the squares where
//! the turn starts and ends, the men that appear, and the men that disappear. Each man is a colour, a letter
//! and a square. Men are joined by dots; `-` stands for no men. The steps of a chain are joined by commas.

use adoube_rules::{Position, Role, Square, SquareSet, Step, Turn};

/// Reads a line, given without its number, and returns its turn if it is legal.
pub(super) fn parse<P: Position>(position: &P, text: &str) -> Option<Turn> {
    let mut current = position.clone();
    let mut turn = Turn::empty();
    // The parts of a step are separated by spaces, the steps of a chain by commas.
    for part in text.trim().split(',') {
        if current.side_to_move() != position.side_to_move() {
            return None;
        }
        let step = step(&current, part)?;
        if !turn.push(step) {
            return None;
        }
        current.play_unchecked(step);
    }
    (current.side_to_move() != position.side_to_move()).then_some(turn)
}

fn step<P: Position>(position: &P, text: &str) -> Option<Step> {
    let (squares, men) = text.trim().split_once(' ')?;
    let (from, to) = squares.split_once('.')?;
    let (from, to) = (from.parse::<Square>().ok()?, to.parse::<Square>().ok());
    let (appear, vanish) = men.split_once('/')?;
    let (appear, vanish) = (read_men(position, appear)?, read_men(position, vanish)?);
    let vanished: SquareSet = vanish.iter().map(|&(_, square)| square).collect();
    let own = position.men(position.side_to_move());
    let mut fitting = position.legal_steps().into_iter().filter(|&step| {
        let destination = position.destination(step);
        let role = step.promotion().or_else(|| position.piece_at(step.from()).map(|piece| piece.role));
        let ends_there = if appear.is_empty() {
            // A remover captures without moving; `to` is then the square of a captured man.
            step.from() == step.to()
        } else {
            to.is_some_and(|to| to == destination || to == step.to())
                && appear.iter().any(|&(man, square)| square == destination && Some(man) == role)
        };
        step.from() == from && ends_there && vanished - own == position.taken(step)
    });
    let step = fitting.next()?;
    fitting.next().is_none().then_some(step)
}

/// Reads men such as `wpe4.bpd5`.
fn read_men<P: Position>(position: &P, text: &str) -> Option<Vec<(Role, Square)>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let man = |man: &str| {
        let mut chars = man.chars();
        let (_color, letter) = (chars.next()?, chars.next()?);
        Some((position.variant().role_of_letter(letter)?, chars.as_str().parse().ok()?))
    };
    text.split('.').map(man).collect()
}
