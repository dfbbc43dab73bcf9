//! Orthodox chess against another library, over random games: turns, check, outcome and FEN after each turn.

use adoube_rules::{AnyPosition, DrawRules, Position as _, Variant, coordinate};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

/// Positions visited; all of them in a few seconds.
const POSITIONS: usize = 20_000;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

#[test]
fn random_games_agree_with_another_library() {
    let mut random = Random(0x00c0_ffee_d00d);
    let mut ours = AnyPosition::initial(Variant::Chess);
    let mut theirs = Chess::default();
    for _ in 0..POSITIONS {
        let fen = ours.fen();
        assert_eq!(fen, Fen::from_position(&theirs, EnPassantMode::Always).to_string());
        let mut turns: Vec<_> =
            ours.legal_turns().iter().map(|turn| coordinate::write(&ours, turn)).collect();
        turns.sort();
        let mut expected: Vec<_> =
            theirs.legal_moves().iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
        expected.sort();
        assert_eq!(turns, expected, "{fen}");
        assert_eq!(ours.is_check(), theirs.is_check(), "{fen}");
        let outcome = ours.outcome(DrawRules::Fide);
        assert_eq!(turns.is_empty(), theirs.is_checkmate() || theirs.is_stalemate(), "{fen}");
        assert_eq!(outcome.is_some_and(|outcome| outcome.winner().is_some()), theirs.is_checkmate(), "{fen}");
        if turns.is_empty() || ours.halfmove_clock() > 150 || theirs.is_insufficient_material() {
            ours = AnyPosition::initial(Variant::Chess);
            theirs = Chess::default();
            continue;
        }
        let text = &turns[random.below(turns.len())];
        ours.play_turn_unchecked(&coordinate::parse(&ours, text).expect("a legal turn"));
        let uci: UciMove = text.parse().expect("a move in coordinates");
        theirs.play_unchecked(uci.to_move(&theirs).expect("a legal move"));
    }
}
