//! A second implementation of Ultima, slow and simple: it implements the clauses about turns and check
//! literally, on a board of letters, and shares no code with the crate.
//!
//! It generated `tests/perft/ultima.epd`
//! (`cargo test -p adoube-rules --release --test ultima_by_definition -- --ignored`). The tests compare it
//! with that file, and with the crate in random games from the initial position and from random boards.

use std::{collections::BTreeSet, fmt::Write as _};

use adoube_rules::{AnyPosition, DrawRules, Outcome, Position, Variant, coordinate};

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ALL: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// A square: file and rank, counted from 0.
type Coordinates = (i32, i32);

/// The board: a FEN letter or `.` on each square, and the side to move.
#[derive(Clone)]
struct Board {
    men: [[char; 8]; 8],
    white: bool,
}

/// A turn: origin, destination, the men it takes, and the board after it.
struct Move {
    from: Coordinates,
    to: Coordinates,
    taken: Vec<Coordinates>,
    after: Board,
}

fn plus((file, rank): Coordinates, (files, ranks): (i32, i32), times: i32) -> Coordinates {
    (file + files * times, rank + ranks * times)
}

fn name((file, rank): Coordinates) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Board {
    fn of_fen(fen: &str) -> Self {
        let mut words = fen.split(' ');
        let mut men = [['.'; 8]; 8];
        for (row, text) in words.next().expect("a board").split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    men[7 - row][file] = letter;
                    file += 1;
                }
            }
        }
        Self { men, white: words.next() != Some("b") }
    }

    fn fen(&self) -> String {
        let rows: Vec<String> = (0..8)
            .rev()
            .map(|rank: usize| {
                let mut row: String = self.men[rank].iter().collect();
                for length in (1..=8).rev() {
                    row = row.replace(&".".repeat(length), &length.to_string());
                }
                row
            })
            .collect();
        format!("{} {} - - 0 1", rows.join("/"), if self.white { "w" } else { "b" })
    }

    /// Returns the character on a square, or a space beyond the edge.
    fn at(&self, (file, rank): Coordinates) -> char {
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            self.men[rank as usize][file as usize]
        } else {
            ' '
        }
    }

    fn put(&mut self, (file, rank): Coordinates, letter: char) {
        self.men[rank as usize][file as usize] = letter;
    }

    fn is_own(&self, at: Coordinates) -> bool {
        let letter = self.at(at);
        letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == self.white
    }

    fn is_enemy(&self, at: Coordinates) -> bool {
        let letter = self.at(at);
        letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() != self.white
    }

    fn is_enemy_of_kind(&self, at: Coordinates, kind: char) -> bool {
        self.is_enemy(at) && self.at(at).eq_ignore_ascii_case(&kind)
    }

    fn own_men(&self) -> Vec<Coordinates> {
        let squares = (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)));
        squares.filter(|&at| self.is_own(at)).collect()
    }

    /// Returns `true` if the man on a square is frozen (U4).
    fn is_frozen(&self, at: Coordinates) -> bool {
        let is_next_to =
            |kind| ALL.into_iter().any(|direction| self.is_enemy_of_kind(plus(at, direction, 1), kind));
        is_next_to('m') || (self.at(at).eq_ignore_ascii_case(&'m') && is_next_to('b'))
    }

    fn other_side(&self) -> Self {
        Self { white: !self.white, ..self.clone() }
    }

    /// Returns all turns that U2–U11 and U14 allow, ignoring the safety of the side's own king.
    fn turns(&self) -> Vec<Move> {
        let mut turns = Vec::new();
        for from in self.own_men() {
            let kind = self.at(from).to_ascii_lowercase();
            if self.is_frozen(from) {
                if kind != 'k' {
                    let mut after = self.other_side();
                    after.put(from, '.');
                    turns.push(Move { from, to: from, taken: Vec::new(), after });
                }
                continue;
            }
            for direction in if kind == 'p' { &STRAIGHT[..] } else { &ALL[..] } {
                self.along(from, kind, *direction, &mut turns);
            }
        }
        turns
    }

    /// Adds the turns of a man in one direction.
    fn along(&self, from: Coordinates, kind: char, direction: (i32, i32), turns: &mut Vec<Move>) {
        let mut jumped = Vec::new();
        let mut times = 1;
        loop {
            let to = plus(from, direction, times);
            let behind = plus(from, direction, times + 1);
            match self.at(to) {
                ' ' => return,
                '.' => turns.push(self.turn(from, to, kind, direction, &jumped)),
                // U3, U11: the king lands on any enemy, the chameleon on an adjacent king.
                _ if times == 1
                    && (kind == 'k' && self.is_enemy(to)
                        || kind == 'b' && self.is_enemy_of_kind(to, 'k')) =>
                {
                    turns.push(self.turn(from, to, kind, direction, &jumped));
                    return;
                }
                // U8, U10.
                _ if (kind == 'n' && self.is_enemy(to) || kind == 'b' && self.is_enemy_of_kind(to, 'n'))
                    && self.at(behind) == '.' =>
                {
                    jumped.push(to);
                }
                _ => return,
            }
            if kind == 'k' {
                return;
            }
            times += 1;
        }
    }

    fn turn(
        &self,
        from: Coordinates,
        to: Coordinates,
        kind: char,
        direction: (i32, i32),
        jumped: &[Coordinates],
    ) -> Move {
        let straight = direction.0 == 0 || direction.1 == 0;
        // The man no longer stands on the square that it has left, so it is not its own partner.
        let mut left = self.clone();
        left.put(from, '.');
        let pinched: Vec<Coordinates> = STRAIGHT
            .into_iter()
            .filter(|&side| left.is_enemy(plus(to, side, 1)) && left.is_own(plus(to, side, 2)))
            .map(|side| plus(to, side, 1))
            .collect();
        let king = self.own_men().into_iter().find(|&at| self.at(at).eq_ignore_ascii_case(&'k'));
        let corners: Vec<Coordinates> = match king {
            Some(king) if king.0 != to.0 && king.1 != to.1 => vec![(king.0, to.1), (to.0, king.1)],
            _ => Vec::new(),
        };
        let corners: Vec<Coordinates> = corners.into_iter().filter(|&at| self.is_enemy(at)).collect();
        let behind: Vec<Coordinates> =
            vec![plus(from, direction, -1)].into_iter().filter(|&at| self.is_enemy(at)).collect();
        let landed: Vec<Coordinates> = vec![to].into_iter().filter(|&at| self.is_enemy(at)).collect();
        let of_kind = |men: &[Coordinates], kind: char| -> Vec<Coordinates> {
            men.iter().copied().filter(|&at| self.is_enemy_of_kind(at, kind)).collect()
        };
        let taken = match kind {
            'p' => pinched,
            'r' => corners,
            'q' => behind,
            'n' => jumped.to_vec(),
            'k' => landed,
            'b' => [
                if straight { of_kind(&pinched, 'p') } else { Vec::new() },
                of_kind(&corners, 'r'),
                of_kind(&behind, 'q'),
                of_kind(jumped, 'n'),
                of_kind(&landed, 'k'),
            ]
            .concat(),
            _ => Vec::new(),
        };
        let mut after = left;
        for &at in &taken {
            after.put(at, '.');
        }
        after.put(to, self.at(from));
        after.white = !self.white;
        Move { from, to, taken, after }
    }

    /// Returns `true` if the side to move could take the other side's king (U12).
    fn takes_king(&self) -> bool {
        self.turns().iter().any(|turn| turn.taken.iter().any(|&at| self.is_enemy_of_kind(at, 'k')))
    }

    fn legal(&self) -> Vec<Move> {
        self.turns().into_iter().filter(|turn| !turn.after.takes_king()).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        legal.iter().map(|turn| turn.after.perft(depth - 1)).sum()
    }
}

/// Reproducible pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Returns a board on which immobilizers and chameleons stand close together, or `None` if the square chosen
/// for a king is occupied or the side to move could take the other side's king.
fn crowded_board(random: &mut Random) -> Option<Board> {
    let mut board = Board { men: [['.'; 8]; 8], white: random.below(2) == 0 };
    let men = ["kmbbnnrqppp", "kmmbnrqpp", "kmbnqppp", "kmb"][random.below(4)];
    let (left, low) = (random.below(3) as i32, random.below(3) as i32);
    for white in [true, false] {
        for letter in men.chars() {
            // Kings may be anywhere; all other men stand within an area of six squares by six.
            let at = if letter == 'k' {
                (random.below(8) as i32, random.below(8) as i32)
            } else {
                (left + random.below(6) as i32, low + random.below(6) as i32)
            };
            if board.at(at) != '.' {
                if letter == 'k' {
                    return None;
                }
                continue;
            }
            board.put(at, if white { letter.to_ascii_uppercase() } else { letter });
        }
    }
    (!board.takes_king()).then_some(board)
}

/// Calls `visit` with the boards of random games. Every other round begins on a crowded board, or is skipped
/// if `crowded_board` returns `None`.
fn boards(rounds: usize, seed: u64, mut visit: impl FnMut(&Board)) {
    let mut random = Random(seed);
    for round in 0..rounds {
        let mut board = Board::of_fen("rnbqkbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1");
        if round % 2 == 1 {
            let Some(other) = crowded_board(&mut random) else { continue };
            board = other;
        }
        for _ in 0..60 {
            visit(&board);
            let mut legal = board.legal();
            if legal.is_empty() {
                break;
            }
            board = legal.swap_remove(random.below(legal.len())).after;
        }
    }
}

fn to_position(board: &Board) -> AnyPosition {
    let fen = board.fen();
    AnyPosition::from_fen(Variant::Ultima, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the turns as text, each with the squares of the men that it takes.
fn turns_as_text(board: &Board) -> BTreeSet<String> {
    let legal = board.legal();
    let texts: BTreeSet<String> = legal
        .iter()
        .map(|turn| {
            let mut taken: Vec<String> = turn.taken.iter().map(|&at| name(at)).collect();
            taken.sort();
            format!("{}{} {}", name(turn.from), name(turn.to), taken.join(" "))
        })
        .collect();
    assert_eq!(texts.len(), legal.len(), "a turn is listed twice: {}", board.fen());
    texts
}

fn turns_of_crate_as_text(position: &AnyPosition) -> BTreeSet<String> {
    let text = |turn: &adoube_rules::Turn| {
        let mut taken: Vec<String> =
            position.taken(turn.steps()[0]).into_iter().map(|square| square.to_string()).collect();
        taken.sort();
        format!("{} {}", coordinate::write(position, turn), taken.join(" "))
    };
    position.legal_turns().iter().map(text).collect()
}

#[test]
fn u2_to_u14_turns_match_the_clauses() {
    let (mut compared, mut given_up, mut lost, mut mated) = (0, 0, 0, 0);
    boards(36, 0x0b1e_c7ed, |board| {
        let position = to_position(board);
        let expected = turns_as_text(board);
        assert_eq!(turns_of_crate_as_text(&position), expected, "{}", board.fen());
        for turn in board.legal() {
            // The crate reaches the same board.
            let text = format!("{}{}", name(turn.from), name(turn.to));
            let played = coordinate::parse(&position, &text).expect("a legal turn");
            let step = played.steps()[0];
            assert_eq!(position.gives_up(step), turn.from == turn.to);
            let after = position.after(step).fen();
            assert_eq!(
                after.split(' ').next(),
                turn.after.fen().split(' ').next(),
                "{text} in {}",
                board.fen()
            );
            given_up += usize::from(turn.from == turn.to);
        }
        let checked = board.other_side().takes_king();
        assert_eq!(position.is_check(), checked, "{}", board.fen());
        if expected.is_empty() {
            let reason = position.outcome(DrawRules::Club).map(Outcome::reason);
            assert_eq!(reason, Some(if checked { "checkmate" } else { "no-moves" }), "{}", board.fen());
            if checked { mated += 1 } else { lost += 1 }
        }
        compared += 1;
    });
    assert!(compared > 700 && given_up > 300, "{compared} {given_up} {lost} {mated}");
}

#[test]
fn u14_giving_up_never_parries_a_check() {
    let (mut random, mut checks) = (Random(0xc4ec), 0);
    for _ in 0..400 {
        let Some(board) = crowded_board(&mut random) else { continue };
        let mut position = to_position(&board);
        for _ in 0..40 {
            let steps = position.legal_steps();
            if position.is_check() {
                checks += 1;
                assert!(steps.iter().all(|&step| !position.gives_up(step)), "{}", position.fen());
            }
            if steps.is_empty() {
                break;
            }
            position.play_unchecked(steps[random.below(steps.len())]);
        }
    }
    assert!(checks > 100, "{checks}");
}

#[test]
fn perft_file_matches_the_clauses_for_two_plies() {
    let mut compared = 0;
    for line in include_str!("perft/ultima.epd").lines().step_by(6) {
        let mut parts = line.split(';');
        let board = Board::of_fen(parts.next().expect("a FEN"));
        for (depth, part) in (1..=2).zip(parts) {
            assert_eq!(part, format!("D{depth} {}", board.perft(depth)), "{line}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

/// Writes `tests/perft/ultima.epd`.
#[test]
#[ignore = "writes a file, and takes minutes"]
fn write_perft() {
    let mut lines = String::new();
    let mut line = |board: &Board, depth: u32| {
        lines += &board.fen();
        for depth in 1..=depth {
            // Writing to a string cannot fail.
            let _ = write!(lines, ";D{depth} {}", board.perft(depth));
        }
        lines.push('\n');
    };
    line(&Board::of_fen("rnbqkbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1"), 3);
    line(&Board::of_fen("rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR b - - 0 1"), 3);
    let (mut seen, mut matching) = (0, 0);
    boards(200, 0x91f7, |board| {
        seen += 1;
        let frozen = board.own_men().into_iter().filter(|&at| board.is_frozen(at)).count();
        // Use one board in 60, but one in 12 of those on which several men are frozen.
        if seen % if frozen >= 2 { 12 } else { 60 } == 0 && matching < 100 {
            matching += 1;
            // On boards with many turns, the third ply takes seconds.
            line(board, if board.legal().len() < 36 { 3 } else { 2 });
        }
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft/ultima.epd");
    std::fs::write(path, lines).expect("a file that can be written");
}
