//! A slow move generator for Giveaway that follows the clauses word for word. All it shares with the crate is
//! the FEN of a position. It wrote the counts in `perft/giveaway.epd`.

use std::fmt::Write as _;

/// The board, by file and rank from 0, and whether White is to move. A square is a FEN letter or `.`.
#[derive(Clone)]
struct Board([[char; 8]; 8], bool);

impl Board {
    fn of_fen(fen: &str) -> Self {
        let mut words = fen.split(' ');
        let mut men = [['.'; 8]; 8];
        for (row, text) in words.next().expect("a board").split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        men[file][7 - row] = letter;
                        file += 1;
                    }
                }
            }
        }
        Self(men, words.next() == Some("w"))
    }

    /// Returns the letter on a square; a space beyond the edge.
    fn at(&self, (file, rank): (i32, i32)) -> char {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        if on_board { self.0[file as usize][rank as usize] } else { ' ' }
    }

    fn is_enemy(&self, at: (i32, i32)) -> bool {
        self.at(at).is_alphabetic() && self.at(at).is_uppercase() != self.1
    }

    /// Returns the squares that the man on a square reaches, regardless of compulsory captures (G3 to G5).
    fn reach(&self, from: (i32, i32)) -> Vec<(i32, i32)> {
        let plus = |(files, ranks): (i32, i32), times| (from.0 + files * times, from.1 + ranks * times);
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let (ways, longest) = match self.at(from).to_ascii_lowercase() {
            'p' => {
                let ahead = if self.1 { 1 } else { -1 };
                let advance = Some(plus((0, ahead), 1)).filter(|&to| self.at(to) == '.');
                let takes = [plus((-1, ahead), 1), plus((1, ahead), 1)];
                return takes.into_iter().filter(|&to| self.is_enemy(to)).chain(advance).collect();
            }
            'n' => (vec![(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)], 1),
            'b' => (diagonal.to_vec(), 7),
            'r' => (straight.to_vec(), 7),
            'q' => ([straight, diagonal].concat(), 7),
            _ => ([straight, diagonal].concat(), 1),
        };
        let mut reach = Vec::new();
        for way in ways {
            for to in (1..=longest).map(|times| plus(way, times)) {
                if self.at(to) == '.' || self.is_enemy(to) {
                    reach.push(to);
                }
                if self.at(to) != '.' {
                    break;
                }
            }
        }
        reach
    }

    /// Returns the board after each legal turn.
    fn turns(&self) -> Vec<Self> {
        let squares = (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)));
        let own = squares.filter(|&at| self.at(at).is_alphabetic() && !self.is_enemy(at));
        let mut pairs: Vec<_> =
            own.flat_map(|from| self.reach(from).into_iter().map(move |to| (from, to))).collect();
        // G2
        if pairs.iter().any(|&(_, to)| self.is_enemy(to)) {
            pairs.retain(|&(_, to)| self.is_enemy(to));
        }
        let mut turns = Vec::new();
        for (from, to) in pairs {
            let man = self.at(from);
            // G6
            let becomes = if man.eq_ignore_ascii_case(&'p') && (to.1 == 0 || to.1 == 7) {
                "qrbnk".chars().map(|role| if self.1 { role.to_ascii_uppercase() } else { role }).collect()
            } else {
                vec![man]
            };
            for man in becomes {
                let mut after = Self(self.0, !self.1);
                after.0[from.0 as usize][from.1 as usize] = '.';
                after.0[to.0 as usize][to.1 as usize] = man;
                turns.push(after);
            }
        }
        turns
    }

    fn perft(&self, depth: u32) -> u64 {
        let turns = self.turns();
        if depth == 1 { turns.len() as u64 } else { turns.iter().map(|turn| turn.perft(depth - 1)).sum() }
    }
}

#[test]
fn the_low_perft_depths_match_the_clauses() {
    for line in include_str!("perft/giveaway.epd").lines() {
        let mut parts = line.split(';');
        let board = Board::of_fen(parts.next().expect("a FEN"));
        for (depth, part) in (1..=3).zip(parts) {
            assert_eq!(part, format!("D{depth} {}", board.perft(depth)), "{line}");
        }
    }
}

/// Writes `tests/perft/giveaway.epd`.
#[test]
#[ignore = "writes a file"]
fn write_perft() {
    let mut lines = String::new();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "rnbqk1nr/pp1p1ppp/4p3/8/1b6/P7/2PPPPPP/1NBQKBNR b - - 0 5",
        "8/1P4P1/8/3k4/4K3/8/1p4p1/R6n w - - 0 1",
        "n1b5/PPP5/8/8/8/8/ppp5/N1B5 b - - 0 1",
        "k7/8/1q6/8/8/6Q1/8/7K w - - 0 1",
        "8/p7/P7/8/8/7p/7P/8 w - - 0 1",
    ] {
        lines += fen;
        for depth in 1..=4 {
            // Writing to a string cannot fail.
            let _ = write!(lines, ";D{depth} {}", Board::of_fen(fen).perft(depth));
        }
        lines.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft/giveaway.epd");
    std::fs::write(path, lines).expect("a file that can be written");
}
