//! Helpers for the engine tests: test games, mirrored positions, and a slow solver that knows only the rules.

use adoube_engine::{Level, Opponent, plain};
use adoube_rules::{AnyPosition, Color, DrawRules, Outcome, Position, Square, Turn, Variant, with_position};

/// Reads a position.
#[track_caller]
pub(crate) fn position(variant: Variant, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the position after a turn.
pub(crate) fn after<P: Position>(position: &P, turn: &Turn) -> P {
    let mut next = position.clone();
    next.play_turn_unchecked(turn);
    next
}

/// Returns `true` if the side to move can force a win within `plies`. Uses brute force.
pub(crate) fn can_win<P: Position>(position: &P, plies: u32) -> bool {
    position.legal_turns().iter().any(|turn| wins_by(position, turn, plies))
}

/// Returns `true` if a turn forces a win within `plies`, including the turn itself.
pub(crate) fn wins_by<P: Position>(position: &P, turn: &Turn, plies: u32) -> bool {
    let next = after(position, turn);
    match next.outcome(DrawRules::Club) {
        Some(outcome) => outcome.winner() == Some(position.side_to_move()),
        None if plies < 3 => false,
        None => next.legal_turns().iter().all(|reply| {
            let answered = after(&next, reply);
            match answered.outcome(DrawRules::Club) {
                Some(outcome) => outcome.winner() == Some(position.side_to_move()),
                None => can_win(&answered, plies - 2),
            }
        }),
    }
}

/// Returns the position with ranks mirrored and colours exchanged.
pub(crate) fn mirrored<P: Position>(position: &P) -> P {
    let mut setup = position.to_setup();
    let original = setup.clone();
    for square in Square::ALL {
        setup.pieces[square.flip_vertical().index()] = original.pieces[square.index()].map(|mut piece| {
            piece.color = !piece.color;
            piece
        });
    }
    setup.side_to_move = !original.side_to_move;
    setup.castling = original.castling.flip_vertical();
    for color in Color::ALL {
        setup.reserves[color] = original.reserves[!color];
    }
    setup.en_passant = original.en_passant.map(|mut en_passant| {
        en_passant.crossed = en_passant.crossed.flip_vertical();
        en_passant.pawn = en_passant.pawn.flip_vertical();
        en_passant
    });
    P::from_setup(&setup).expect("a mirrored position is as valid as the original")
}

/// Pseudo-random numbers that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }
}

/// A player of a test game.
pub(crate) enum Player<'a> {
    /// Plays random legal turns.
    Chance,
    /// Looks this many turns ahead and counts only material.
    Plain(u32),
    /// An opponent at a level.
    Machine(&'a dyn Opponent, Level),
}

/// Plays a game of at most `max_plies`, with repetition and the fifty-move rule. Returns the winner, if there
/// is one, and the last position.
pub(crate) fn play(
    variant: Variant,
    players: [&Player<'_>; 2],
    seed: u64,
    max_plies: u32,
) -> (Option<Color>, AnyPosition) {
    let mut random = Random(seed);
    let mut position = AnyPosition::initial(variant);
    let mut history = Vec::new();
    for ply in 0..max_plies {
        if let Some(outcome) = position.outcome(DrawRules::Club) {
            return (outcome.winner(), position);
        }
        let times = history.iter().filter(|&&key| key == position.key()).count();
        if times >= 2 {
            // The side that is not to move has completed the repetition (I12).
            let winner = (variant == Variant::Interweave).then_some(position.side_to_move());
            return (winner, position);
        }
        if position.halfmove_clock() >= 100 {
            return (None, position);
        }
        let legal = position.legal_turns();
        let turn = match players[position.side_to_move().index()] {
            Player::Chance => legal[random.below(legal.len())].clone(),
            Player::Plain(depth) => {
                let seed = random.below(1 << 30) as u64;
                with_position!(&position, position => plain::choose(position, *depth, seed << 16))
                    .expect("there is a legal turn")
            }
            Player::Machine(opponent, level) => opponent
                .choose(&position, &history, *level, seed ^ u64::from(ply), &|| false)
                .expect("there is a legal turn"),
        };
        assert!(legal.contains(&turn), "{turn:?} is not legal in {}", position.fen());
        history.push(position.key());
        position.play_turn_unchecked(&turn);
    }
    (position.outcome(DrawRules::Club).and_then(Outcome::winner), position)
}
