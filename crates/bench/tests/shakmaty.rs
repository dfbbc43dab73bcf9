//! Compares our chess with another library's over random games: turns, SAN, check, outcome and FEN after each
//! turn.
//!
//! About half of the games begin from a shuffled start, and half of those have a different order for each
//! side.

use adoube_notation::san;
use adoube_rules::{AnyPosition, DrawRules, Position as _, Variant, coordinate, shuffle};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

/// Number of positions to visit, which takes a few seconds.
const POSITIONS: usize = 100_000;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Returns a starting position in both libraries, and the mode in which the other library writes castling
/// from there.
fn start(random: &mut Random) -> (AnyPosition, Chess, CastlingMode) {
    if random.below(2) == 0 {
        return (AnyPosition::initial(Variant::Chess), Chess::default(), CastlingMode::Standard);
    }
    let white = random.below(960) as u16;
    let black = if random.below(2) == 0 { white } else { random.below(960) as u16 };
    let setup = shuffle::setup(Variant::Chess, white, black).expect("a number below 960");
    let ours = AnyPosition::from_setup(&setup).expect("a playable start");
    let theirs = ours.fen().parse::<Fen>().expect("a FEN");
    let theirs = theirs.into_position(CastlingMode::Chess960).expect("a playable start");
    (ours, theirs, CastlingMode::Chess960)
}

#[test]
fn random_games_agree_with_another_library() {
    let mut random = Random(0x00c0_ffee_d00d);
    let (mut ours, mut theirs, mut mode) = start(&mut random);
    for _ in 0..POSITIONS {
        let fen = ours.fen();
        assert_eq!(fen, Fen::from_position(&theirs, EnPassantMode::Always).to_string());
        let turns = ours.legal_turns();
        let moves = theirs.legal_moves();
        let mut found: Vec<_> = turns.iter().map(|turn| san::write(&ours, turn)).collect();
        let mut expected: Vec<_> =
            moves.iter().map(|&m| SanPlus::from_move(theirs.clone(), m).to_string()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{fen}");
        assert_eq!(ours.is_check(), theirs.is_check(), "{fen}");
        assert_eq!(turns.is_empty(), theirs.is_checkmate() || theirs.is_stalemate(), "{fen}");
        let outcome = ours.outcome(DrawRules::Fide);
        assert_eq!(outcome.is_some_and(|outcome| outcome.winner().is_some()), theirs.is_checkmate(), "{fen}");
        if turns.is_empty() || ours.halfmove_clock() > 150 || theirs.is_insufficient_material() {
            (ours, theirs, mode) = start(&mut random);
            continue;
        }
        let m = moves[random.below(moves.len())];
        // Each library must be able to read the turn as the other one writes it.
        let text = m.to_uci(mode).to_string();
        let turn = coordinate::parse(&ours, &text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
        let written: UciMove =
            coordinate::write(&ours, &turn).parse().expect("a move in coordinate notation");
        assert_eq!(written.to_move(&theirs).ok(), Some(m), "{fen} {text}");
        ours.play_turn_unchecked(&turn);
        theirs.play_unchecked(m);
    }
}
