//! Finds the steps that a text attempts, legal or not.

use adoube_rules::{File, Position, Square};

use super::{
    pattern::{self, Man, Pattern},
    pawn,
};

/// Returns the origin and destination of the first step of a text, for each man of the side to move that the
/// text may mean, whether or not it can go there. Returns nothing for text that is not SAN.
///
/// `adoube_rules::explain` can then say why [`parse`](super::parse) found no legal turn. Castling is returned
/// with the king's destination.
///
/// ```
/// # use adoube_notation::san;
/// # use adoube_rules::{AnyPosition, Square, Variant};
/// let position = AnyPosition::initial(Variant::Chess);
/// assert_eq!(san::attempted_steps(&position, "Ra5"), [(Square::A1, Square::A5), (Square::H1, Square::A5)]);
/// assert_eq!(san::attempted_steps(&position, "R1a5").len(), 2);
/// assert_eq!(san::attempted_steps(&position, "Rha5"), [(Square::H1, Square::A5)]);
/// ```
pub fn attempted_steps<P: Position>(position: &P, text: &str) -> Vec<(Square, Square)> {
    let Some(patterns) = pattern::parse(position.variant(), text) else { return Vec::new() };
    let own = position.men(position.side_to_move());
    match patterns.first() {
        None => Vec::new(),
        Some(Pattern::Castling { king_side }) => {
            let kings = position.variant().role_of_letter('K').map(|king| own & position.men_of_role(king));
            let file = if *king_side { File::G } else { File::C };
            let to = |king: Square| Square::new(file, king.rank());
            kings.into_iter().flatten().map(|king| (king, to(king))).collect()
        }
        Some(Pattern::Man(man)) => {
            own.into_iter().filter(|&from| is_meant(position, man, from)).map(|from| (from, man.to)).collect()
        }
    }
}

/// Returns `true` if a man of the side to move may be the man that the text means.
fn is_meant<P: Position>(position: &P, man: &Man, from: Square) -> bool {
    if man.from_file.is_some_and(|file| file != from.file())
        || man.from_rank.is_some_and(|rank| rank != from.rank())
    {
        return false;
    }
    if position.chain().is_some_and(|chain| chain != from) {
        return false;
    }
    let role = position.piece_at(from).map(|piece| piece.role);
    match man.role {
        Some(_) => role == man.role,
        None if man.from_file.is_some() && man.from_rank.is_some() => true,
        None if position.chain().is_some() => true,
        // In the variants that write pawns without a letter, `e5` means a pawn that moves straight ahead.
        None if man.from_file.is_none() && !position.variant().info().san_lists_taken => {
            role == pawn(position.variant()) && from.file() == man.to.file()
        }
        None => role == pawn(position.variant()),
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, Variant};

    use super::{super::write, *};

    fn attempted(variant: Variant, fen: &str, text: &str) -> String {
        let position = AnyPosition::from_fen(variant, fen).expect("a playable position");
        let steps = attempted_steps(&position, text);
        steps.iter().map(|(from, to)| format!("{from}{to}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn n3_a_text_attempts_the_steps_of_the_men_that_it_may_mean() {
        let chess = "r3k2r/8/8/8/8/8/4P3/R3K1N1 w Qkq - 0 1";
        for (text, attempts) in [
            ("Nf5", "g1f5"),
            ("Rh8", "a1h8"),
            ("O-O", "e1g1"),
            ("O-O-O", "e1c1"),
            ("e5", "e2e5"),
            ("exd3", "e2d3"),
            ("d4", ""),
            ("a1a8", "a1a8"),
            ("e4e5", ""),
            ("Bc4", ""),
            ("hello", ""),
            ("", ""),
        ] {
            assert_eq!(attempted(Variant::Chess, chess, text), attempts, "{text}");
        }
        let baroque = "7k/8/8/p4r2/4K3/8/1P6/2P5 w - - 0 1";
        for (text, attempts) in
            [("Kf6", "e4f6"), ("P-b9", ""), ("P-h8", "c1h8 b2h8"), ("Pb2-h8", "b2h8"), ("O-O", "")]
        {
            assert_eq!(attempted(Variant::Baroque, baroque, text), attempts, "{text}");
        }
    }

    #[test]
    fn n3_a_legal_turn_attempts_its_own_first_step() {
        for variant in Variant::ALL {
            let mut position = AnyPosition::initial(variant);
            for number in 0..60 {
                let turns = position.legal_turns();
                if turns.is_empty() {
                    break;
                }
                for turn in &turns {
                    let first = turn.steps()[0];
                    let attempts = attempted_steps(&position, &write(&position, turn));
                    assert!(
                        attempts.contains(&(first.from(), position.destination(first))),
                        "{} in {}",
                        write(&position, turn),
                        position.fen()
                    );
                }
                position.play_turn_unchecked(&turns[number * 7 % turns.len()].clone());
            }
        }
    }
}
