//! Standard algebraic notation for all variants (N3).
//!
//! # Chess
//!
//! The notation is that of the PGN standard: `e4`, `exd5`, `Nbd2`, `R1e2`, `O-O-O`, `e8=Q+`, `Qxf7#`.
//!
//! # Baroque, Interweave and Ultima
//!
//! A step is written as
//!
//! 1. the letter of the man's role, pawns included (`P`);
//! 2. its origin. A pawn's is written in full (`Pc2-c4`), because pawns that move like rooks (or diagonally)
//!    can rarely be told apart by their destination alone. For any other man, only as much is written as is
//!    needed: nothing if no other man of that role can legally go to the same square, otherwise the file, the
//!    rank or both. This comparison ignores captures, so the text still means the same turn if its
//!    parentheses are left out;
//! 3. `x` if the step captures anything in any way, `-` if not;
//! 4. the destination; a remover that captures stays on its square: `Bxe4(e5,f4)`;
//! 5. `=` and a letter, if the man is promoted;
//! 6. the squares of the men captured in passing, in the order a1, b1, … h8, in parentheses and separated by
//!    commas. The destination is not one of them: a Baroque king captures by moving there, `Kxe5`.
//!
//! A man that is given up (U14) goes to its own square, which is also in parentheses: `N-e4(e4)`,
//! `Pe4-e4(e4)`. Without the parentheses, both squares are needed: `N-e4` alone is not a turn.
//!
//! A chain is written as its steps joined by `;`, each with its letter. Steps after the first have no origin,
//! because the same man continues: `Nxf7(e5);Nxh7(g7)`, `Pg5xh6(h5);Pxh8=B(h7);Bxh8(g8)`.
//!
//! # Marks
//!
//! `#` follows every turn that wins on the board: by checkmate, by capturing a king, or by leaving the
//! opponent without a legal turn where that loses. `+` follows every other turn that gives check, in the
//! variants with check.
//!
//! # Input
//!
//! Everything above is read, and so are common variations: missing or wrong `+` and `#`, marks such as `!?`,
//! castling with zeros, no `x` or `-`, `x` as `:` or `×`, more of the origin than needed, or less if only one
//! turn fits (`Pc2c4`, `P-c4`), no letter for pawns (`c4`), no letter if both squares are given (`g1f3`), no
//! parentheses, promotions as `=Q`, `Q`, `/Q` or `(Q)`, and `-` for a capture. Otherwise the text must be
//! true: a step with `x` captures, and parentheses contain exactly the captured squares, in any order.
//!
//! The notation of the vchess site for Baroque and Interweave is read too: a trailing `X` for captures in
//! passing (`Qd5X`), commas between the steps of a chain, the new man's letter for a promoting pawn (`Nc8X`),
//! and `e4R` for a capture by the remover on e4.
//!
//! # Examples
//!
//! Chess. Two knights can go to d2, and the file tells them apart:
//!
//! ```
//! # use adoube_notation::san;
//! # use adoube_rules::{AnyPosition, Position, Variant};
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . k . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . N . .
//! 2 . . . . . . . .
//! 1 . N . . K . . .
//!   a b c d e f g h
//! ");
//! let turn = san::parse(&position, "Nbd2")?;
//! assert_eq!(san::write(&position, &turn), "Nbd2");
//! assert_eq!(san::parse(&position, "b1-d2"), Ok(turn));
//! let ambiguous = san::parse(&position, "Nd2").unwrap_err();
//! assert_eq!(ambiguous.to_string(), "\"Nd2\" may mean Nbd2 or Nfd2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Baroque. The squares of men captured in passing are written in parentheses, which may be omitted in input:
//!
//! ```
//! # use adoube_notation::san;
//! # use adoube_rules::{AnyPosition, Position, Variant};
//! let position = AnyPosition::from_fen(Variant::Baroque, "8/2b4K/2q5/3p1N1p/8/8/2R5/k7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . .
//! 7 . . b . . . . K
//! 6 . . q . . . . .
//! 5 . . . p . N . p
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . R . . . . .
//! 1 k . . . . . . .
//!   a b c d e f g h
//! ");
//! let turn = san::parse(&position, "Rc5")?;
//! assert_eq!(san::write(&position, &turn), "Rxc5(h5,c7)");
//! // As the vchess site writes it.
//! assert_eq!(san::parse(&position, "Rc5X"), Ok(turn));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Interweave. A chain is written as its steps, one after another; a part of it is not a turn:
//!
//! ```
//! # use adoube_notation::san::{self, SanError};
//! # use adoube_rules::{AnyPosition, Position, Square, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/3p4/4p3/4K3/8/8/8/7K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . p . . . .
//! 6 . . . . p . . .
//! 5 . . . . K . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let turn = san::parse(&position, "Kxe7;Kxc7")?;
//! assert_eq!(san::write(&position, &turn), "Kxe7(e6);Kxc7(d7)");
//! let unfinished = san::parse(&position, "Kxe7(e6)");
//! assert!(matches!(unfinished, Err(SanError::Unfinished { square: Square::E7, .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attempt;
mod chess;
mod pattern;

use adoube_rules::{DrawRules, Position, Role, Square, SquareSet, Step, StepList, Turn, Variant};

pub use self::attempt::attempted_steps;
use self::pattern::{Man, Pattern};

/// The reason why a string is not the SAN of a legal turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not SAN.
    #[error("{0:?} cannot be read as a turn of {1}")]
    Syntax(String, Variant),
    /// The game is over.
    #[error("{0:?} cannot be played; the game is over")]
    GameOver(String),
    /// No legal turn is written like this.
    #[error("{0:?} is not a legal turn here")]
    NoMatch(String),
    /// The text fits several legal turns.
    #[error("{text:?} may mean {}", matches.join(" or "))]
    Ambiguous {
        /// The text read.
        text: String,
        /// The possible turns, in full.
        matches: Vec<String>,
    },
    /// The turn is incomplete: the man must continue capturing.
    #[error("{text:?} is not the whole turn; the man on {square} can take again and must continue")]
    Unfinished {
        /// The text read.
        text: String,
        /// The square of the man.
        square: Square,
    },
}

/// The maximum number of characters that error messages quote.
const MAX_QUOTE: usize = 64;

/// Writes a legal turn in a position.
pub fn write<P: Position>(position: &P, turn: &Turn) -> String {
    let mut text = String::with_capacity(12);
    let mut at = position.clone();
    for (index, &step) in turn.steps().iter().enumerate() {
        if index > 0 {
            text.push(';');
        }
        write_step(&at, step, &mut text);
        at.play_unchecked(step);
    }
    if at.outcome(DrawRules::Club).is_some_and(|outcome| outcome.winner().is_some()) {
        text.push('#');
    } else if at.is_check() {
        text.push('+');
    }
    text
}

fn write_step<P: Position>(position: &P, step: Step, text: &mut String) {
    let variant = position.variant();
    if is_castling(position, step) {
        text.push_str(if step.to().file() > step.from().file() { "O-O" } else { "O-O-O" });
        return;
    }
    let Some(role) = position.piece_at(step.from()).map(|piece| piece.role) else { return };
    let taken = position.taken(step);
    if variant.info().san_lists_taken {
        text.push(variant.letter(role));
        if position.chain().is_some() {
            // The man that continues the chain is known.
        } else if Some(role) == pawn(variant) {
            text.push_str(&step.from().to_string());
        } else {
            write_origin(position, step, role, text);
        }
        text.push(if taken.any() { 'x' } else { '-' });
    } else {
        if Some(role) != pawn(variant) {
            text.push(variant.letter(role));
            write_origin(position, step, role, text);
        } else if taken.any() {
            text.push(step.from().file().char());
        }
        if taken.any() {
            text.push('x');
        }
    }
    text.push_str(&step.to().to_string());
    if let Some(role) = step.promotion() {
        text.push('=');
        text.push(variant.letter(role));
    }
    let in_passing =
        if position.gives_up(step) { SquareSet::of(step.from()) } else { taken - SquareSet::of(step.to()) };
    if variant.info().san_lists_taken && in_passing.any() {
        let squares: Vec<String> = in_passing.into_iter().map(|square| square.to_string()).collect();
        text.push('(');
        text.push_str(&squares.join(","));
        text.push(')');
    }
}

/// Writes as much of the origin as distinguishes the man from others of its role that can go to the same
/// square.
fn write_origin<P: Position>(position: &P, step: Step, role: Role, text: &mut String) {
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    for other in position.legal_steps() {
        let from = other.from();
        if other.to() == step.to()
            && from != step.from()
            && position.piece_at(from).is_some_and(|piece| piece.role == role)
            && !is_castling(position, other)
        {
            rivals = true;
            same_file |= from.file() == step.from().file();
            same_rank |= from.rank() == step.from().rank();
        }
    }
    if rivals && (!same_file || same_rank) {
        text.push(step.from().file().char());
    }
    if same_file {
        text.push(step.from().rank().char());
    }
}

/// Returns `true` if a legal step is castling. Such a step goes from the king's square to the rook's square.
fn is_castling<P: Position>(position: &P, step: Step) -> bool {
    step.from() != step.to() && position.men(position.side_to_move()).contains(step.to())
}

fn pawn(variant: Variant) -> Option<Role> {
    variant.role_of_letter('P')
}

/// Reads a legal turn in a position.
pub fn parse<P: Position>(position: &P, text: &str) -> Result<Turn, SanError> {
    if !position.variant().info().san_lists_taken
        && let Some(step) = chess::parse(position, text.as_bytes())
    {
        return Ok(step.into());
    }
    parse_any(position, text)
}

/// Reads a legal turn in a position by comparing the text with every legal turn.
fn parse_any<P: Position>(position: &P, text: &str) -> Result<Turn, SanError> {
    let quote = || text.chars().take(MAX_QUOTE).collect::<String>();
    let patterns = pattern::parse(position.variant(), text)
        .ok_or_else(|| SanError::Syntax(quote(), position.variant()))?;
    let mut search = Search { found: Vec::new(), unfinished: None };
    search.extend(position, &patterns, &mut Turn::empty());
    match (search.found.len(), search.found.pop(), search.unfinished) {
        (1, Some(turn), _) => Ok(turn),
        (_, None, Some(square)) => Err(SanError::Unfinished { text: quote(), square }),
        (_, None, None) if position.legal_steps().is_empty() => Err(SanError::GameOver(quote())),
        (_, None, None) => Err(SanError::NoMatch(quote())),
        (_, Some(last), _) => {
            search.found.push(last);
            let matches = search.found.iter().map(|turn| write(position, turn)).collect();
            Err(SanError::Ambiguous { text: quote(), matches })
        }
    }
}

/// The legal turns that match the patterns of a string.
struct Search {
    found: Vec<Turn>,
    unfinished: Option<Square>,
}

impl Search {
    fn extend<P: Position>(&mut self, position: &P, patterns: &[Pattern], turn: &mut Turn) {
        let Some((pattern, rest)) = patterns.split_first() else { return };
        for step in candidates(position, pattern) {
            if !turn.push(step) {
                return;
            }
            let next = position.after(step);
            let goes_on = next.side_to_move() == position.side_to_move();
            match (rest.is_empty(), goes_on) {
                (true, false) => self.found.push(turn.clone()),
                (true, true) => self.unfinished = next.chain(),
                (false, true) => self.extend(&next, rest, turn),
                (false, false) => {}
            }
            turn.pop();
        }
    }
}

/// Returns the legal steps that a pattern may mean.
fn candidates<P: Position>(position: &P, pattern: &Pattern) -> StepList {
    let mut steps = position.legal_steps();
    let man = match pattern {
        Pattern::Castling { king_side } => {
            steps.retain(|step| {
                is_castling(position, step) && (step.to().file() > step.from().file()) == *king_side
            });
            return steps;
        }
        Pattern::Man(man) => man,
    };
    let variant = position.variant();
    let select = |man: &Man, promotion: &dyn Fn(Option<Role>) -> bool| {
        let mut steps = steps.clone();
        steps.retain(|step| promotion(step.promotion()) && matches_pattern(position, man, step));
        steps
    };

    let exact = select(man, &|role| role == man.promotion);
    if !exact.is_empty() {
        return exact;
    }
    if man.promotion.is_none() {
        let promoting = select(man, &|role| role.is_some());
        if !promoting.is_empty() {
            return promoting;
        }
    }
    if variant.reserve_roles().is_empty() {
        return exact;
    }
    // The notation of the vchess site for Interweave.
    if man.promotion.is_none() {
        select(&Man { role: pawn(variant), ..*man }, &|role| role.is_some() && role == man.role)
    } else if man.role.is_none() && !man.promotion_marked {
        let in_place =
            Man { role: None, from_file: Some(man.to.file()), from_rank: Some(man.to.rank()), ..*man };
        select(&in_place, &|role| role.is_none())
    } else {
        exact
    }
}

/// Returns `true` if a pattern matches a legal step, ignoring promotion.
fn matches_pattern<P: Position>(position: &P, man: &Man, step: Step) -> bool {
    let from = step.from();
    let role = position.piece_at(from).map(|piece| piece.role);
    let named = match man.role {
        Some(_) => role == man.role,
        // The man is determined by its square, or is the one that must continue.
        None if man.from_file.is_some() && man.from_rank.is_some() => true,
        None => position.chain().is_some() || role == pawn(position.variant()),
    };
    if !named
        || step.to() != man.to
        || man.from_file.is_some_and(|file| file != from.file())
        || man.from_rank.is_some_and(|rank| rank != from.rank())
        || is_castling(position, step)
    {
        return false;
    }
    if position.gives_up(step) {
        // "Ne4" means that a leaper goes to e4. Giving up the leaper on e4 must be written explicitly.
        let both_squares = man.from_file.is_some() && man.from_rank.is_some();
        return !man.takes && man.taken.map_or(both_squares, |listed| listed == SquareSet::of(from));
    }
    if !man.takes && man.taken.is_none() {
        return true;
    }
    let taken = position.taken(step);
    taken.any()
        && man.taken.is_none_or(|listed| listed == taken || listed == taken - SquareSet::of(step.to()))
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, coordinate};

    use super::*;

    /// The fast reader agrees with the general one, and reads more than 95% of all turns itself.
    #[test]
    fn n3_the_fast_reader_agrees_with_the_general_one() {
        let (mut quick, mut all) = (0, 0);
        for line in include_str!("../tests/perft/chess.epd").lines() {
            let Some(fen) = line.split(';').next().filter(|fen| !fen.trim().is_empty()) else { continue };
            let position = AnyPosition::from_fen(Variant::Chess, fen).expect("a playable position");
            for turn in position.legal_turns() {
                let text = write(&position, &turn);
                all += 1;
                quick += usize::from(chess::parse(&position, text.as_bytes()).is_some());
            }
            // Try every text of these forms, whether or not it is a legal turn.
            for to in Square::ALL {
                for man in ["", "N", "B", "R", "Q", "K"] {
                    let mut texts = vec![format!("{man}{to}"), format!("{man}x{to}")];
                    for origin in "abcdefgh12345678".chars() {
                        texts.extend([format!("{man}{origin}{to}"), format!("{man}{origin}x{to}=Q")]);
                        texts.extend([format!("{man}{origin}x{to}"), format!("{man}{to}={man}")]);
                    }
                    for text in texts {
                        let Some(step) = chess::parse(&position, text.as_bytes()) else { continue };
                        let turn = Turn::from(step);
                        assert_eq!(parse_any(&position, &text), Ok(turn), "{text} in {fen}");
                    }
                }
            }
        }
        assert!(all > 100 && quick * 100 > all * 95, "the fast reader read {quick} of {all}");
        let start = AnyPosition::initial(Variant::Chess);
        let turn = coordinate::parse(&start, "g1f3").expect("a legal turn");
        assert_eq!(chess::parse(&start, b"Nf3").map(Turn::from), Some(turn));
    }
}
