//! Tests the verdicts on whether a side can still win (C20, C23, B13, U13, I12) with hand-written positions,
//! with random positions and games, and against a slow reference.

use std::collections::{HashMap, HashSet, VecDeque};

use adoube_rules::{
    AnyPosition, Baroque, ByColor, Chess, Color, DrawRules, Position, SearchPosition, Setup, Turn, Variant,
};
use adoube_winnable::{Answer, Effort, ProofKind, Solver, Verdict, can_win_by_any_sequence, is_dead, is_win};

const FULL: Effort = Effort::Full { nodes: 200_000 };

/// Positions: the FEN, whether White can win, whether Black can win, and the reason.
const POSITIONS: [(&str, bool, bool, &str); 25] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true, "the start"),
    ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", false, false, "bare kings"),
    ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", false, false, "a lone knight cannot mate a bare king"),
    ("8/8/4k3/8/8/3KB3/8/8 b - - 0 1", false, false, "a lone bishop cannot mate a bare king"),
    ("8/8/4k3/8/8/2NKN3/8/8 b - - 0 1", true, false, "two knights mate with help"),
    ("8/5b2/4k3/8/8/3KN3/8/8 w - - 0 1", true, true, "each minor man blocks a flight of its own king"),
    ("8/4b3/4k3/8/8/3KB3/8/8 w - - 0 1", false, false, "both bishops on dark squares"),
    ("8/5b2/4k3/8/8/3KB3/8/8 w - - 0 1", true, true, "f7 is light, e3 dark: each can block a flight square"),
    ("8/8/4k1b1/8/8/3K1B2/8/8 w - - 0 1", false, false, "both bishops on light squares"),
    (
        "8/3q4/4k3/8/8/3KN3/8/8 w - - 0 1",
        false,
        true,
        "whichever flight square the queen blocks, it can take the knight",
    ),
    ("8/3p4/4k3/8/8/3K4/8/8 w - - 0 1", false, true, "a pawn becomes a queen"),
    ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", false, false, "the queen must be taken"),
    ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", false, false, "stalemate"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, false, "mate"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false, false, "four locked pairs, every gap guarded"),
    ("4k3/8/8/p1p3p1/P1P3P1/8/8/4K3 w - - 0 1", true, true, "a gap on the e-file for the kings"),
    (
        "4k3/8/8/1p1p1p1p/1P1P1P1P/4B3/8/4K3 w - - 0 1",
        false,
        false,
        "a dark-squared bishop behind its own pawns on dark squares",
    ),
    ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/4B3/4K3 w - - 0 1", true, true, "a light-squared bishop takes b5"),
    ("4k3/8/1p6/pP1p1p1p/P2P1P1P/8/8/4K3 w - - 0 1", false, false, "locked"),
    ("4k3/8/1p6/pP1p1p1p/P2P1P1P/8/8/4K3 w - a6 0 1", true, true, "b5xa6 en passant, and the pawn runs"),
    (
        "4k3/8/1p6/pP1p1p1p/P2P1P1P/8/8/4K3 b - - 0 1",
        false,
        false,
        "locked, and en passant is no longer possible",
    ),
    ("7k/7p/7P/8/8/8/8/K6N w - - 0 1", true, true, "the knight helps either side"),
    ("8/8/8/8/8/5k2/5p2/5K2 b - - 0 1", false, true, "the pawn is not yet stopped for good"),
    ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", false, false, "White is already stalemated"),
    ("k7/p7/P7/8/8/8/8/K7 w - - 0 1", true, true, "the kings walk round the locked pawns"),
];

fn chess(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn agrees(position: &Chess, color: Color, verdict: &Verdict, is_winnable: bool, why: &str) {
    let fen = position.fen();
    match verdict {
        Verdict::Winnable(turns) => {
            assert!(is_winnable, "{fen}: {color} cannot win ({why}), but {turns:?}");
            assert!(is_win(position, turns, color), "{fen}: {turns:?} is not a win for {color}");
        }
        Verdict::Unwinnable(reason) => {
            assert!(!is_winnable, "{fen}: {color} can win ({why}), but {reason:?}");
        }
        Verdict::Unknown => panic!("{fen}: unknown for {color} ({why})"),
    }
}

#[test]
fn c20_c23_constructed_positions_are_decided() {
    let mut solver = Solver::default();
    for (fen, white, black, why) in POSITIONS {
        let position = chess(fen);
        let both = solver.sides(&position, FULL);
        agrees(&position, Color::White, &both.white.verdict, white, why);
        agrees(&position, Color::Black, &both.black.verdict, black, why);
        for color in Color::ALL {
            let alone = solver.side(&position, color, FULL).verdict;
            agrees(&position, color, &alone, if color == Color::White { white } else { black }, why);
            let quick = solver.side(&position, color, Effort::Quick).verdict;
            if quick != Verdict::Unknown {
                agrees(&position, color, &quick, if color == Color::White { white } else { black }, why);
            }
        }
    }
}

#[test]
fn c20_mirrored_hand_written_positions_are_decided() {
    let mut solver = Solver::default();
    for (fen, white, black, why) in POSITIONS {
        let mut setup = chess(fen).to_setup();
        let mut turned = setup.clone();
        for (index, piece) in setup.pieces.iter_mut().enumerate() {
            turned.pieces[index ^ 0x38] = piece.take().map(|mut piece| {
                piece.color = !piece.color;
                piece
            });
        }
        turned.side_to_move = !setup.side_to_move;
        turned.castling = setup.castling.flip_vertical();
        if let Some(en_passant) = &mut turned.en_passant {
            en_passant.crossed = en_passant.crossed.flip_vertical();
        }
        let position = Chess::from_setup(&turned).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let both = solver.sides(&position, FULL);
        agrees(&position, Color::Black, &both.black.verdict, white, why);
        agrees(&position, Color::White, &both.white.verdict, black, why);
    }
}

/// Positions in which a side with one or two minor men can mate, usually only if the opponent promotes pawns
/// or blocks its own king. Each entry is a FEN and that side.
const HELPMATES: [(&str, Color); 18] = [
    ("8/8/1k4B1/1p2K2p/1r6/8/8/8 b - - 0 50", Color::White),
    ("8/8/1k4B1/1p2K1p1/1r6/8/8/8 b - - 0 50", Color::White),
    ("8/8/1k4N1/1p2K2p/1r6/8/8/8 b - - 0 50", Color::White),
    ("8/8/1k4B1/1p2K2p/1n6/8/8/8 w - - 0 50", Color::White),
    ("8/1k6/6B1/4K2p/1rr5/8/8/8 b - - 0 50", Color::White),
    ("8/8/6k1/p4pp1/Bb6/5K2/8/8 w - - 0 45", Color::White),
    ("8/8/6k1/p5p1/Bb3p2/5K2/8/8 w - - 0 45", Color::White),
    ("8/8/6k1/p4p1p/B1b5/5K2/8/8 b - - 0 45", Color::White),
    ("8/6k1/8/p7/Bb6/5K2/8/8 w - - 0 45", Color::White),
    ("5k2/4r1p1/2B5/2n5/8/4p3/8/4K3 w - - 1 45", Color::White),
    ("5k2/4r1p1/2B5/2n5/4p3/8/8/4K3 b - - 1 45", Color::White),
    ("5k2/4q1p1/2B5/8/2n5/4p3/8/4K3 w - - 1 45", Color::White),
    ("5k2/4r3/2N5/2n5/8/4p3/7p/4K3 w - - 1 45", Color::White),
    ("8/1pp5/3k4/2r5/8/8/1K6/6BB w - - 0 1", Color::White),
    ("2k5/8/5q2/8/3q4/8/6p1/1B2K3 b - - 0 1", Color::White),
    ("4k3/P7/1R6/8/5n2/8/3K2R1/8 w - - 0 1", Color::Black),
    ("8/8/8/2k5/3R1P2/8/b5K1/8 b - - 0 1", Color::Black),
    ("6k1/8/8/5Q2/7b/1K6/2P5/8 w - - 0 1", Color::Black),
];

/// Returns the position and its images: with files reversed, with colours exchanged, and both; each with
/// `true` if the colours are exchanged. Castling rights and en passant are dropped.
fn images(fen: &str) -> [(String, bool); 4] {
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks = fields[0].split('/').map(|row| row.chars().rev().collect::<String>()).collect::<Vec<_>>();
    let turned = |board: &str| -> String {
        let rows: Vec<&str> = board.split('/').rev().collect();
        let swap = |man: char| {
            if man.is_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() }
        };
        rows.join("/").chars().map(swap).collect()
    };
    let (same, mirrored) = (fields[0].to_owned(), ranks.join("/"));
    let other = if fields[1] == "w" { "b" } else { "w" };
    [
        (format!("{same} {} - - 0 1", fields[1]), false),
        (format!("{mirrored} {} - - 0 1", fields[1]), false),
        (format!("{} {other} - - 0 1", turned(&same)), true),
        (format!("{} {other} - - 0 1", turned(&mirrored)), true),
    ]
}

/// Plays a line, and checks that each turn is legal and that the last one mates.
#[track_caller]
fn plays_to_mate(position: &Chess, turns: &[Turn], winner: Color) {
    let mut current = position.clone();
    for step in turns.iter().flat_map(Turn::steps) {
        assert!(
            current.legal_steps().contains(step),
            "{}: {step:?} of {turns:?} is not legal",
            current.fen()
        );
        current = current.after(*step);
    }
    let mate = current.side_to_move() != winner && current.is_check() && current.legal_steps().is_empty();
    assert!(mate, "{}: {turns:?} ends with {}", position.fen(), current.fen());
}

#[test]
fn c23_a_minor_man_mates_with_the_help_of_promoted_or_blocking_men() {
    let mut solver = Solver::default();
    for (fen, winner) in HELPMATES {
        for (image, exchanged) in images(fen) {
            let (position, winner) = (chess(&image), if exchanged { !winner } else { winner });
            let answer = solver.side(&position, winner, Effort::Full { nodes: 1_000_000 });
            let Verdict::Winnable(turns) = answer.verdict else {
                panic!("{image}: {:?} for {winner} after {} nodes", answer.verdict, answer.nodes);
            };
            plays_to_mate(&position, &turns, winner);
        }
    }
}

/// Returns a position in which White has one or two minor men, sometimes with a pawn, and Black one to six
/// men.
fn position_with_minor_men(random: &mut Random) -> Option<Chess> {
    let mut board = [None; 64];
    let ours = ["B", "N", "B", "N", "BB", "BN", "NN", "BP", "NP"][random.below(9)];
    let mut men: Vec<char> = "Kk".chars().chain(ours.chars()).collect();
    men.extend((0..=random.below(6)).map(|_| ['p', 'p', 'p', 'r', 'n', 'b', 'q'][random.below(7)]));
    for man in men {
        let square = if man.eq_ignore_ascii_case(&'p') { 8 + random.below(48) } else { random.below(64) };
        if board[square].is_some() {
            return None;
        }
        board[square] = Some(man);
    }
    position_of(&board, ['w', 'b'][random.below(2)])
}

#[test]
fn c23_each_win_by_minor_men_plays_to_mate() {
    let mut random = Random(0x5eed_c0de_0005);
    let mut solver = Solver::default();
    let (mut won, mut lost) = (0, 0);
    for _ in 0..3_000 {
        let Some(original) = position_with_minor_men(&mut random) else { continue };
        let mut names = Vec::new();
        for (image, exchanged) in images(&original.fen()) {
            let position = chess(&image);
            let both = solver.sides(&position, Effort::Full { nodes: 1_000_000 });
            let seen = if exchanged { [Color::Black, Color::White] } else { Color::ALL };
            names.push(seen.map(|color| both[color].verdict.name()));
            for color in Color::ALL {
                let Answer { verdict, nodes } = &both[color];
                match verdict {
                    Verdict::Winnable(turns) => {
                        won += 1;
                        plays_to_mate(&position, turns, color);
                    }
                    Verdict::Unwinnable(reason) => {
                        lost += 1;
                        let (mates, _) = brute_force(&position, 200);
                        assert!(!mates[color], "{image}: {color} mates, but {reason:?}");
                    }
                    Verdict::Unknown => panic!("{image}: unknown for {color} after {nodes} nodes"),
                }
            }
        }
        assert!(names.iter().all(|name| *name == names[0]), "{}: {names:?}", original.fen());
    }
    assert!(won > 2_000 && lost > 50, "{won} {lost}");
}

#[test]
fn walls_are_detected_quickly() {
    let locked = AnyPosition::Chess(chess("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"));
    assert!(is_dead(&locked, Effort::Quick));
    let verdict = can_win_by_any_sequence(&locked, Color::White, Effort::Quick);
    assert_eq!(verdict, Verdict::Unwinnable(ProofKind::Walls));
    assert!(!is_dead(&AnyPosition::initial(Variant::Chess), Effort::Quick));
}

#[test]
fn a_limit_is_respected() {
    let start = chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for nodes in [0, 1, 50, 700, 5_000] {
        let Answer { verdict, nodes: used } =
            Solver::default().side(&start, Color::White, Effort::Full { nodes });
        // The expansion in progress is completed, so the limit may be exceeded a little.
        assert!(used < nodes + 250, "{used} of {nodes}");
        assert!(!verdict.is_unwinnable());
    }
    for (fen, winner) in HELPMATES {
        for nodes in [0, 1, 50, 700, 1_500, 5_000] {
            let answer = Solver::default().side(&chess(fen), winner, Effort::Full { nodes });
            assert!(answer.nodes < nodes + 250, "{fen}: {} of {nodes}", answer.nodes);
            assert!(!answer.verdict.is_unwinnable(), "{fen}");
        }
    }
}

#[test]
fn b13_a_lone_king_in_baroque_cannot_win() {
    let read = |fen| AnyPosition::from_fen(Variant::Baroque, fen).expect("a position in this file");
    let position = read("4k3/8/8/8/8/8/3M4/4K3 w - - 0 1");
    let verdict = |color| can_win_by_any_sequence(&position, color, FULL);
    assert_eq!(verdict(Color::Black), Verdict::Unwinnable(ProofKind::BareKing));
    // The immobilizer can freeze the black king, and its own king then gives check.
    assert_eq!(verdict(Color::White), Verdict::Unknown);
    assert!(!is_dead(&AnyPosition::initial(Variant::Baroque), FULL));
    assert!(is_dead(&read("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), FULL));
}

#[test]
fn u13_a_lone_king_in_ultima_cannot_win() {
    let position = |fen| AnyPosition::from_fen(Variant::Ultima, fen).expect("a position in this file");
    let pawn = position("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1");
    assert_eq!(can_win_by_any_sequence(&pawn, Color::Black, FULL), Verdict::Unwinnable(ProofKind::BareKing));
    assert_eq!(can_win_by_any_sequence(&pawn, Color::White, FULL), Verdict::Unknown);
    // Random games test the claim behind this: the side with other men is never in check, and always has a
    // turn.
    let (mut random, mut seen) = (Random(0xba2e_0002), 0);
    for fen in [
        "8/8/8/3k4/8/PP6/PK6/MP6 w - - 0 1",
        "8/3k4/8/3M4/4K3/8/8/8 w - - 0 1",
        "8/8/8/3k4/8/8/P7/K7 w - - 0 1",
    ] {
        for _ in 0..60 {
            let mut current = position(fen);
            for _ in 0..80 {
                if (current.men(Color::White) & current.men_of_role(king_of(&current)))
                    == current.men(Color::White)
                {
                    break;
                }
                let steps = current.legal_steps();
                assert!(
                    current.side_to_move() == Color::Black || !current.is_check() && !steps.is_empty(),
                    "{}",
                    current.fen()
                );
                if steps.is_empty() {
                    break;
                }
                current.play_unchecked(steps[random.below(steps.len())]);
                seen += 1;
            }
        }
    }
    assert!(seen > 2_000, "{seen}");
}

fn king_of(position: &AnyPosition) -> adoube_rules::Role {
    position.variant().info().royal.expect("a king")
}

#[test]
fn b13_no_line_in_baroque_ends_in_mate_by_a_lone_king() {
    // Random games test the claim behind the answer: in thousands of positions, a lone king never gives
    // check.
    let mut random = Random(0xba2e_0001);
    let mut seen = 0;
    for fen in [
        "4k3/8/8/3M4/8/2B5/8/4K3 w - - 0 1",
        "8/3k4/8/3M4/4K3/8/8/8 w - - 0 1",
        "8/8/2k5/1M6/1K3R2/8/3N4/7Q b - - 0 1",
    ] {
        let start = AnyPosition::from_fen(Variant::Baroque, fen).expect("a position in this file");
        for _ in 0..60 {
            let mut current = start.clone();
            for _ in 0..80 {
                let steps = current.legal_steps();
                if steps.is_empty() {
                    break;
                }
                current.play_unchecked(steps[random.below(steps.len())]);
                seen += 1;
                assert!(current.side_to_move() == Color::Black || !current.is_check(), "{}", current.fen());
            }
        }
    }
    assert!(seen > 2_000, "{seen}");
}

/// Visits every placement of both kings and the given white men, with Black to move. Black has only a
/// king. The rules have all eight symmetries of the board (B2), so it is enough to place Black's king in the
/// triangle with the corners a1, d1 and d4.
fn for_each_placement_against_a_lone_king(men: &[char], mut visit: impl FnMut(&Baroque)) {
    let setup_of =
        |fen: &str| -> Setup { Baroque::from_fen(fen).expect("a position in this file").to_setup() };
    let kings = setup_of("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let start = setup_of("rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1");
    let pieces: Vec<_> = men.iter().map(|man| start.pieces["MNBQKBNRP".find(*man).expect("a man")]).collect();
    let mut empty = kings.clone();
    empty.pieces[4] = None;
    empty.pieces[60] = None;
    for black in [0, 1, 2, 3, 9, 10, 11, 18, 19, 27] {
        for code in 0..64usize.pow(1 + men.len() as u32) {
            let squares = |index: usize| code >> (6 * index) & 63;
            let mut setup = empty.clone();
            setup.pieces[black] = kings.pieces[60];
            let mut free = true;
            for (index, piece) in std::iter::once(kings.pieces[4]).chain(pieces.iter().copied()).enumerate() {
                free &= setup.pieces[squares(index)].is_none();
                setup.pieces[squares(index)] = piece;
            }
            if free && let Ok(position) = Baroque::from_setup(&setup) {
                visit(&position);
            }
        }
    }
}

#[test]
fn b13_which_men_mate_a_lone_king() {
    let mut solver = Solver::default();
    for (men, mates) in [
        (&['P'][..], false),
        (&['P', 'P'], false),
        (&['R'], false),
        (&['R', 'R'], false),
        (&['N'], true),
        (&['B'], true),
        (&['Q'], true),
        (&['M'], true),
    ] {
        let (mut found, mut positions, mut last) = (0, 0, None);
        for_each_placement_against_a_lone_king(men, |position| {
            positions += 1;
            let mate = position.is_check() && position.count_steps() == 0;
            found += u32::from(mate);
            if mate || last.is_none() {
                last = Some(position.clone());
            }
        });
        assert_eq!(found > 0, mates, "{men:?}: {found} of {positions}");
        // Where no placement is a mate, the material alone proves that White cannot win.
        let last = AnyPosition::Baroque(last.expect("a position"));
        let verdict = solver.any(&last, Color::White, FULL).verdict;
        if mates {
            assert!(matches!(verdict, Verdict::Winnable(_)), "{men:?}: {verdict:?}");
        } else {
            assert_eq!(verdict, Verdict::Unwinnable(ProofKind::Material), "{men:?}");
        }
        assert!(positions > 30_000, "{men:?}: {positions}");
    }
}

#[test]
fn b13_a_king_and_one_pawn_never_give_check() {
    // Random games test the claim behind the answer: whatever men Black has, White's king and pawn never give
    // check.
    let mut random = Random(0xba2e_0002);
    let mut seen = 0;
    for fen in [
        "4k3/2n5/5b2/3P4/8/2r5/3q4/4K3 w - - 0 1",
        "8/2pkp3/2p1p3/3P4/4K3/8/5m2/8 w - - 0 1",
        "8/8/2kp4/8/1KP2r2/3q4/3n1b2/8 w - - 0 1",
    ] {
        let start = AnyPosition::from_fen(Variant::Baroque, fen).expect("a position in this file");
        let verdict = can_win_by_any_sequence(&start, Color::White, FULL);
        assert_eq!(verdict, Verdict::Unwinnable(ProofKind::Material), "{fen}");
        for _ in 0..100 {
            let mut current = start.clone();
            for _ in 0..80 {
                let steps = current.legal_steps();
                if steps.is_empty() {
                    break;
                }
                current.play_unchecked(steps[random.below(steps.len())]);
                seen += 1;
                assert!(current.side_to_move() == Color::White || !current.is_check(), "{}", current.fen());
            }
        }
    }
    assert!(seen > 4_000, "{seen}");
}

#[test]
fn i12_nothing_is_proved_in_interweave_before_the_end() {
    let start = AnyPosition::initial(Variant::Interweave);
    for color in Color::ALL {
        assert_eq!(can_win_by_any_sequence(&start, color, FULL), Verdict::Unknown);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Visits the reachable positions, nearest first, until more than `limit` of them have been found. Returns
/// the sides that mate in one of those visited, and `true` if all reachable positions were visited.
fn brute_force(position: &Chess, limit: usize) -> (ByColor<bool>, bool) {
    let mut mates = ByColor::default();
    let mut seen = HashSet::new();
    let mut left = VecDeque::from([position.clone()]);
    seen.insert(position.key());
    while let Some(current) = left.pop_front() {
        if let Some(winner) = current.outcome(DrawRules::Fide).and_then(adoube_rules::Outcome::winner) {
            mates[winner] = true;
        }
        for step in current.legal_steps() {
            let next = current.after(step);
            if seen.insert(next.key()) {
                if seen.len() > limit {
                    return (mates, false);
                }
                left.push_back(next);
            }
        }
    }
    (mates, true)
}

/// Returns a position with kings, pairs of pawns that face each other, and a few other men.
fn blocked_pawns(random: &mut Random) -> Option<Chess> {
    let mut board = [None; 64];
    let (rank, parity) = (2 + random.below(3), random.below(2));
    for file in 0..8 {
        // Pairs on every other file stop both kings. If a pair is missing, or its pawns are too far apart,
        // the kings get through.
        if file % 2 == parity && random.below(24) != 0 || random.below(24) == 0 {
            let gap = usize::from(random.below(24) == 0);
            board[rank * 8 + file] = Some('P');
            board[(rank + 1 + gap) * 8 + file] = Some('p');
        }
    }
    let mut men = vec!['K', 'k'];
    men.extend((0..random.below(3)).map(|_| ['B', 'b', 'B', 'b', 'N', 'R', 'p'][random.below(7)]));
    for man in men {
        let square = 8 + random.below(48);
        if board[square].is_some() {
            return None;
        }
        board[square] = Some(man);
    }
    position_of(&board, ['w', 'b'][random.below(2)])
}

fn position_of(board: &[Option<char>; 64], turn: char) -> Option<Chess> {
    let rows = (0..8).rev().map(|rank| {
        (0..8).map(|file| board[rank * 8 + file].map_or("1".to_owned(), String::from)).collect::<String>()
    });
    let fen = format!("{} {turn} - - 0 1", rows.collect::<Vec<_>>().join("/"));
    Chess::from_fen(&fen).ok()
}

#[test]
fn c20_proofs_agree_with_brute_force() {
    let mut random = Random(0x5eed_c0de_0001);
    let mut solver = Solver::default();
    let mut reasons: HashMap<ProofKind, u32> = HashMap::new();
    let mut complete = 0;
    for _ in 0..3_000 {
        let Some(position) = blocked_pawns(&mut random) else { continue };
        let both = solver.sides(&position, Effort::Full { nodes: 30_000 });
        let (mates, all) = brute_force(&position, 12_000);
        complete += u32::from(all);
        for color in Color::ALL {
            match &both[color].verdict {
                Verdict::Winnable(turns) => {
                    assert!(is_win(&position, turns, color), "{}: {turns:?}", position.fen());
                    assert!(mates[color] || !all, "{}: {turns:?}", position.fen());
                }
                Verdict::Unwinnable(reason) => {
                    *reasons.entry(*reason).or_default() += 1;
                    assert!(!mates[color], "{}: {color} mates, but {reason:?}", position.fen());
                }
                Verdict::Unknown => {}
            }
        }
    }
    assert!(complete > 50, "{complete} {reasons:?}");
    assert!(reasons.get(&ProofKind::Walls).is_some_and(|&count| count > 100), "{reasons:?}");
}

/// Returns a position with a king that cannot leave its cage, and with pawns that face each other and soon
/// run out of moves.
fn caged_king(random: &mut Random) -> Option<Chess> {
    let mut board = [None; 64];
    for (square, man) in [(57, 'k'), (49, 'P'), (40, 'B'), (41, 'P'), (33, 'P')] {
        board[square] = Some(man);
    }
    for file in [3 + random.below(2), 5, 7] {
        if random.below(3) != 0 {
            board[8 * (1 + random.below(3)) + file] = Some('P');
            board[8 * (4 + random.below(3)) + file] = Some('p');
        }
    }
    let king = random.below(24);
    if board[king].is_some() {
        return None;
    }
    board[king] = Some('K');
    position_of(&board, ['w', 'b'][random.below(2)])
}

/// Returns a position with a king that has two squares behind a wall, a bishop that can never attack both,
/// and a free king.
fn hidden_bishop(random: &mut Random) -> Option<Chess> {
    let mut board = [None; 64];
    for (square, man) in [(49, 'p'), (41, 'P'), (42, 'p'), (34, 'P'), (26, 'P'), (24, 'p'), (16, 'P')] {
        board[square] = Some(man);
    }
    board[[32, 40][random.below(2)]] = Some('k');
    for man in ['K', 'B', ['b', '.', 'p', '.', '.'][random.below(5)]] {
        let square = 8 * random.below(6) + 2 + random.below(6);
        if man != '.' {
            if board[square].is_some() {
                return None;
            }
            board[square] = Some(man);
        }
    }
    position_of(&board, ['w', 'b'][random.below(2)])
}

#[test]
fn c20_cages_agree_with_brute_force() {
    let mut random = Random(0x5eed_c0de_0002);
    let mut solver = Solver::default();
    let (mut complete, mut exhausted, mut shadows, mut won) = (0, 0, 0, 0);
    for round in 0..500 {
        let position = if round % 2 == 0 { caged_king(&mut random) } else { hidden_bishop(&mut random) };
        let Some(position) = position else { continue };
        let both = solver.sides(&position, Effort::Full { nodes: 30_000 });
        let (mates, all) = brute_force(&position, 20_000);
        complete += u32::from(all);
        for color in Color::ALL {
            match &both[color].verdict {
                Verdict::Winnable(turns) => {
                    won += 1;
                    assert!(is_win(&position, turns, color), "{}: {turns:?}", position.fen());
                    assert!(mates[color] || !all, "{}: {turns:?}", position.fen());
                }
                Verdict::Unwinnable(reason) => {
                    exhausted += u32::from(*reason == ProofKind::Exhausted);
                    shadows += u32::from(*reason == ProofKind::Shadows);
                    assert!(!mates[color], "{}: {color} mates, but {reason:?}", position.fen());
                }
                Verdict::Unknown => {}
            }
        }
    }
    let counts = [complete, exhausted, shadows, won];
    assert!(counts.into_iter().all(|count| count > 20), "{counts:?}");
}

/// Returns a position in which a side that may castle, White or Black, is behind a locked pawn chain.
fn castling(random: &mut Random) -> Option<Chess> {
    let rows = ["3k4", "8", "8", "8", "p1p1p1p1", "PpPpPpPp", "1P1P1P1P"];
    let (first, rights) =
        [("4K2R", "K"), ("R3K3", "Q"), ("R3K2R", "KQ"), ("2B1K2R", "K"), ("4KR2", "F")][random.below(5)];
    let mut rows = rows.map(String::from).to_vec();
    rows.push(first.to_owned());
    // In most positions the other side has a man besides its king and pawns, and in some the chain has a gap.
    ["7k", "n6k", "3k3b", "k7", "2k4r", "4k2q"][random.below(6)].clone_into(&mut rows[0]);
    if random.below(3) == 0 {
        let file = random.below(8);
        for row in &mut rows[4..7] {
            let mut men: Vec<char> = row
                .chars()
                .flat_map(|man| man.to_digit(10).map_or(vec![man], |n| vec!['1'; n as usize]))
                .collect();
            men[file] = '1';
            *row = men.into_iter().collect();
        }
    }
    let turn = ["w", "b"][random.below(2)];
    if random.below(2) == 0 {
        return Chess::from_fen(&format!("{} {turn} {rights} - 0 1", rows.join("/"))).ok();
    }
    rows.reverse();
    let turned: String = rows
        .join("/")
        .chars()
        .map(|man| if man.is_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() })
        .collect();
    Chess::from_fen(&format!("{turned} {turn} {} - 0 1", rights.to_lowercase())).ok()
}

#[test]
fn c10_c23_lines_with_castling_are_legal() {
    let mut random = Random(0x5eed_c0de_0004);
    let mut solver = Solver::default();
    let mut castled = 0;
    for _ in 0..40 {
        let Some(position) = castling(&mut random) else { continue };
        let both = solver.sides(&position, Effort::Full { nodes: 100_000 });
        for color in Color::ALL {
            match &both[color].verdict {
                Verdict::Winnable(turns) => {
                    assert!(is_win(&position, turns, color), "{}: {turns:?}", position.fen());
                    let mut current = position.clone();
                    for step in turns.iter().flat_map(Turn::steps) {
                        castled += u32::from(current.men(current.side_to_move()).contains(step.to()));
                        current.play_unchecked(*step);
                    }
                }
                verdict => assert!(!verdict.is_unwinnable() || position.men(color).len() == 1, "{verdict:?}"),
            }
        }
    }
    assert!(castled > 0);
}

#[test]
fn c20_insufficient_material_cannot_mate_anywhere() {
    // The two lemmas in `material`, with men on any squares: a mate by one knight against queens, or by
    // bishops of one shade against rooks, queens and bishops of that shade, would be a double check, which no
    // turn can give.
    let mut random = Random(0x5eed_c0de_0003);
    let (mut checks, mut nearly) = (0, 0);
    for round in 0..400_000 {
        let mut board = [None; 64];
        let king = [0, 7, 56, 63, 3, 24, 31, 60, 27, 36][random.below(10)];
        board[king] = Some('k');
        let knight = round % 2 == 0;
        let shade = random.below(2);
        for (count, men) in
            [(1, "K"), (1 + random.below(3), if knight { "N" } else { "B" }), (random.below(7), "rqb")]
        {
            for _ in 0..if knight && men == "N" { 1 } else { count } {
                let men: Vec<char> = men.chars().collect();
                let man = if knight && men.len() == 3 { 'q' } else { men[random.below(men.len())] };
                // The men are placed near the king, where they matter, with bishops on one shade.
                let (file, rank) = (king % 8 + random.below(5), king / 8 + random.below(5));
                if !(2..10).contains(&file) || !(2..10).contains(&rank) {
                    continue;
                }
                let square = (rank - 2) * 8 + file - 2;
                let fits = !man.eq_ignore_ascii_case(&'b') || (square / 8 + square) % 2 == shade;
                if board[square].is_none() && fits {
                    board[square] = Some(man);
                }
            }
        }
        let Some(position) = position_of(&board, 'b') else { continue };
        if position.checkers().any() {
            checks += 1;
            if position.count_steps() == 0 {
                assert!(position.checkers().more_than_one(), "{}", position.fen());
            }
            nearly += u32::from(position.count_steps() == 1);
        }
        let verdict = Solver::default().side(&position, Color::White, Effort::Quick).verdict;
        assert!(verdict.is_unwinnable() || position.count_steps() == 0, "{}: {verdict:?}", position.fen());
    }
    assert!(checks > 5_000 && nearly > 500, "{checks} {nearly}");
}

#[test]
fn c23_positions_from_games_are_decided() {
    // Random games of up to 400 plies reach all kinds of endings. A few thousand nodes decide most of them. Each
    // claimed win is played out to mate. If a side is claimed to be unable to win, a short search must not
    // find a mate by that side.
    let mut random = Random(0x5eed_c0de_0006);
    let mut solver = Solver::default();
    let (mut questions, mut won, mut lost) = (0, 0, 0);
    for _ in 0..60 {
        let mut position = chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        for ply in 1..=400 {
            let steps = position.legal_steps();
            if steps.is_empty() {
                break;
            }
            position.play_unchecked(steps[random.below(steps.len())]);
            if ply % 10 != 0 {
                continue;
            }
            let both = solver.sides(&position, Effort::Full { nodes: 3_000 });
            for color in Color::ALL {
                questions += 1;
                match &both[color].verdict {
                    Verdict::Winnable(turns) => {
                        won += 1;
                        plays_to_mate(&position, turns, color);
                    }
                    Verdict::Unwinnable(reason) => {
                        lost += 1;
                        let (mates, _) = brute_force(&position, 300);
                        assert!(!mates[color], "{}: {color} mates, but {reason:?}", position.fen());
                    }
                    Verdict::Unknown => {}
                }
            }
        }
    }
    assert!((won + lost) * 10 > questions * 8 && lost > 100, "{won} won and {lost} lost of {questions}");
}
