//! Tests of UCI sessions: commands in, answers out.

use std::{
    fmt::Write as _,
    io::{self, BufRead as _, Write},
};

use adoube_engine::{Engine, Random, uci};
use adoube_rules::Variant;

/// Positions with one legal turn each, so that an answer shows which position it belongs to.
const A: &str = "position fen k7/8/1K6/8/8/8/8/8 b - - 0 1";
const A_TURN: &str = "a8b8";
const B: &str = "position fen 8/8/8/8/8/6k1/8/7K w - - 0 1";
const B_TURN: &str = "h1g1";
const C: &str = "position fen 7K/8/6k1/8/8/8/8/8 w - - 0 1";
const C_TURN: &str = "h8g8";

/// Runs a session with these commands, one per line, followed by the end of the input. Returns the lines of
/// the output.
#[track_caller]
fn session_with_seed(commands: &str, seed: u64) -> Vec<String> {
    let mut output = Vec::new();
    uci::serve(commands.as_bytes(), &mut output, seed).expect("nothing is closed");
    let output = String::from_utf8(output).expect("UTF-8");
    output.lines().map(str::to_owned).collect()
}

#[track_caller]
fn session(commands: &str) -> Vec<String> {
    session_with_seed(commands, 0)
}

/// Returns the turns of all `bestmove` lines. Checks that each is preceded by a line with a score and a
/// variation that begins with that turn.
#[track_caller]
fn answers(lines: &[String]) -> Vec<&str> {
    let mut answers = Vec::new();
    let mut reported = None;
    for line in lines {
        if let Some(answer) = line.strip_prefix("bestmove ") {
            let answer = answer.split(' ').next().unwrap_or_default();
            if answer != "(none)" {
                assert_eq!(reported, Some(answer), "{lines:#?}");
            }
            answers.push(answer);
            reported = None;
        } else if line.starts_with("info depth") && !line.contains(" multipv ") {
            assert!(line.contains(" score "), "{line}");
        } else if line.contains(" multipv 1 ") {
            assert!(line.contains(" score cp ") || line.contains(" score mate "), "{line}");
            reported = line.split_once(" pv ").and_then(|(_, line)| line.split(' ').next());
        }
    }
    answers
}

fn reports(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

#[test]
fn every_go_is_answered_in_order_for_its_own_position() {
    let [a, b, c] = [A_TURN, B_TURN, C_TURN];
    for (commands, expected) in [
        (format!("{A}\ngo infinite\nstop\n{B}\ngo depth 2\n"), &[a, b][..]),
        (format!("{A}\ngo infinite\nstop\nstop\n{B}\ngo depth 2\nstop\n"), &[a, b]),
        (format!("{A}\ngo ponder\nstop\n{B}\ngo depth 2\n"), &[a, b]),
        (format!("{A}\ngo ponder wtime 60000\nponderhit\nstop\n{B}\ngo nodes 5\n"), &[a, b]),
        (format!("{A}\ngo ponder depth 3\nponderhit\n{B}\ngo depth 2\n"), &[a, b]),
        (
            format!("{A}\ngo ponder\nstop\n{B}\ngo ponder wtime 1000\nponderhit\n{C}\ngo depth 1\n"),
            &[a, b, c],
        ),
        (format!("{A}\ngo infinite\nstop\n{B}\ngo infinite\nstop\n{C}\ngo infinite\nstop\n"), &[a, b, c]),
        // Without `stop`, the next `go` lets a finite search finish, and ends an infinite one.
        (format!("{A}\ngo depth 4\n{B}\ngo depth 2\n{C}\ngo movetime 20\n"), &[a, b, c]),
        (format!("{A}\ngo infinite\n{B}\ngo depth 2\n"), &[a, b]),
        (format!("{A}\ngo ponder\n{B}\ngo ponder\nponderhit\n{C}\ngo\n"), &[a, b, c]),
        (format!("{A}\ngo infinite\ngo infinite\ngo infinite\nstop\n"), &[a, a, a]),
        (
            format!(
                "{A}\ngo infinite\nstop\nisready\nucinewgame\n{B}\nsetoption name Hash value 1\ngo depth 1\n"
            ),
            &[a, b],
        ),
        (format!("{A}\nponderhit\nstop\ngo depth 1\nstop\nponderhit\n{B}\ngo depth 1\nquit\n"), &[a, b]),
        (format!("{A}\ngo infinite\nquit\n{B}\ngo depth 1\n"), &[a]),
    ] {
        assert_eq!(answers(&session(&commands)), expected, "{commands}");
    }
}

#[test]
fn options_apply_to_later_searches() {
    let castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let go = "go infinite searchmoves e1g1";
    let on = "setoption name UCI_Chess960 value true";
    let lines = session(&format!("{castling}\n{go}\nstop\n{on}\n{go}\nstop\n"));
    assert_eq!(answers(&lines), ["e1g1", "e1h1"]);

    let lines =
        session(&format!("{A}\ngo infinite\nstop\nsetoption name UCI_Variant value baroque\ngo depth 1\n"));
    let turns = answers(&lines);
    assert_eq!(turns[0], A_TURN);
    assert!(turns[1].len() == 4 && turns[1] != A_TURN, "{turns:?}");

    let two = "setoption name MultiPV value 2";
    let lines = session(&format!("position startpos\ngo infinite\nstop\n{two}\ngo depth 1\n"));
    let first = lines.iter().position(|line| line.starts_with("bestmove")).expect("an answer");
    assert!(!lines[..first].iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
    assert!(lines[first..].iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
}

#[test]
fn the_number_of_waiting_searches_is_limited() {
    let lines = session(&format!("position startpos\n{}", "go movetime 1\n".repeat(5_000)));
    let (answered, refused) = (answers(&lines).len(), reports(&lines).len());
    assert!(answered >= 64 && answered + refused == 5_000, "{answered} {refused}");
}

#[test]
fn unknown_words_do_not_prevent_an_answer() {
    for (line, complaint) in [
        ("go depth 2 foo 3", "unknown word \"foo\" after \"go\"; ignored"),
        ("go wtime 1000.5 btime 1000.0 depth 1", "\"wtime\": \"1000.5\" is read as 1000"),
        ("go movetime infinite", "\"movetime\" needs a number, not \"infinite\""),
        ("go depth 2 searchmoves foo bar", "unknown word \"foo\" after \"go\"; ignored"),
        (
            "go nodes 18446744073709551615 depth 1",
            "\"nodes\": \"18446744073709551615\" is read as 9223372036854775807",
        ),
        ("go movetime 100ms", "\"movetime\": \"100ms\" is read as 100"),
        ("joho go depth 1", "unknown command \"joho\""),
        ("go depth x", "the limits of this search cannot be read; it gets one second"),
        ("go depth 1 searchmoves e2e5", "\"e2e5\" is not legal"),
        ("go depth -3 nodes -1", ""),
        ("go depth 0 movestogo 0", ""),
        ("go movetime 0", ""),
        ("go movetime -5", ""),
        ("go wtime -5 btime 0", ""),
        ("go wtime 9223372036854775807 winc 9223372036854775807 depth 1", ""),
        ("go movetime 9223372036854775807 depth 1", ""),
        ("go btime 1000", "there is no clock for the side to move"),
        ("go winc 1", ""),
        ("go binc 1", ""),
        ("go mate 0 nodes 10", ""),
        ("go infinite depth 1", ""),
        ("go ponder infinite nodes 3", ""),
    ] {
        let lines = session(&format!("position startpos\n{line}\n"));
        assert_eq!(answers(&lines).len(), 1, "{line}: {lines:#?}");
        let reports = reports(&lines);
        assert_eq!(reports.is_empty(), complaint.is_empty(), "{line}: {reports:?}");
        assert!(
            complaint.is_empty() || reports.iter().any(|reported| reported.starts_with(complaint)),
            "{reports:?}"
        );
    }
    assert_eq!(session("joho isready\n"), ["info string unknown command \"joho\"", "readyok"]);
    assert_eq!(session("isready now\n"), ["readyok"]);
}

#[test]
fn the_end_of_the_input_ends_every_search_and_each_is_answered() {
    for go in [
        "go",
        "go infinite",
        "go ponder",
        "go mate 5",
        "go depth 100",
        "go nodes 1000000000",
        "go movetime 3600000",
        "go wtime 999999999 btime 999999999",
        "go movestogo 40",
        "go infinite\ngo\ngo depth 100\ngo ponder",
    ] {
        let lines = session(&format!("position startpos\n{go}\n"));
        assert_eq!(answers(&lines).len(), go.lines().count(), "{go}");
    }
    let lines = session("position startpos\ngo perft 4000000000\n");
    assert_eq!(reports(&lines), ["perft 64 was stopped"]);
}

#[test]
fn short_searches_are_completed_at_the_end_of_the_input() {
    let lines = session("position startpos\ngo depth 9\n");
    assert_eq!(answers(&lines).len(), 1);
    assert!(lines.iter().any(|line| line.starts_with("info depth 9 ")), "{lines:#?}");
    let lines = session("position startpos\ngo nodes 20000\n");
    let nodes =
        lines.iter().rev().find_map(|line| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok());
    assert!(nodes.is_some_and(|nodes: u64| nodes > 5_000), "{lines:#?}");
    assert!(session("position startpos\ngo perft 5\n").contains(&"Nodes searched: 4865609".to_owned()));
}

/// A writer that closes after a number of lines.
struct ClosingWriter(usize);

impl Write for ClosingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = usize::from(bytes.contains(&b'\n'));
        self.0 = self.0.checked_sub(lines).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_search_ends_when_the_output_is_closed() {
    for go in ["go infinite", "go ponder", "go movetime 50000", "go depth 24", "go"] {
        let commands = format!("position startpos\n{go}\n");
        let result = uci::serve(commands.as_bytes(), ClosingWriter(2), 0);
        assert_eq!(result.expect_err("closed").kind(), io::ErrorKind::BrokenPipe, "{go}");
    }
    // No further input is read.
    let mut input = io::Cursor::new("isready\n".repeat(100_000));
    uci::serve(&mut input, ClosingWriter(0), 0).expect_err("closed");
    assert!(input.fill_buf().is_ok_and(|left| !left.is_empty()));
}

#[test]
fn the_first_iteration_is_completed_whatever_the_limit() {
    let mate = "position fen 6k1/8/6K1/8/8/8/8/R7 w - - 0 1";
    for go in [
        "go nodes 1",
        "go nodes 0",
        "go infinite\nstop",
        "go movetime 1",
        "go wtime 1",
        "go depth 1",
        "go ponder\nstop",
    ] {
        let lines = session(&format!("{mate}\n{go}\n"));
        assert_eq!(answers(&lines), ["a1a8"], "{go}");
        assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{go}: {lines:#?}");
    }
    for (variant, options) in [
        ("chess", ""),
        ("baroque", ""),
        ("interweave", ""),
        ("interweave", "setoption name Skill Level value 0\n"),
        ("chess", "setoption name Skill Level value 0\nsetoption name MultiPV value 256\n"),
        ("baroque", "setoption name MultiPV value 4\n"),
    ] {
        let lines = session(&format!(
            "setoption name UCI_Variant value {variant}\n{options}position startpos\ngo nodes 1\n"
        ));
        assert_eq!(answers(&lines).len(), 1, "{variant} {options}");
    }
}

#[test]
fn the_turn_reported_last_is_played() {
    let mut commands = String::new();
    let mut random = Random::new(3, 5);
    let mut count = 0;
    for variant in Variant::ALL {
        let _ = writeln!(commands, "setoption name UCI_Variant value {variant}");
        // At most 64 searches in total, because only that many may wait.
        for _ in 0..60 / Variant::COUNT {
            let _ = writeln!(commands, "position startpos\ngo nodes {}", 300 + random.below(20_000));
            count += 1;
        }
    }
    let lines = session(&format!("setoption name Threads value 3\n{commands}"));
    assert_eq!(answers(&lines).len(), count);
}

#[test]
fn a_position_that_was_refused_is_not_searched() {
    let reason = "there is nothing to search, because the last \"position\" was refused: ";
    for refused in [
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "position fen PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8/8/4k3/4K3 w - - 0 1",
        "position fen rubbish",
        "position fen",
        "position",
        "position startpos e2e4",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 xyzzy e7e5",
    ] {
        for go in ["go depth 1", "go infinite", "go ponder", "go movetime 10"] {
            let lines = session(&format!("{A}\n{refused}\n{go}\n"));
            assert_eq!(answers(&lines), ["(none)"], "{refused}");
            let reports = reports(&lines);
            assert!(reports.len() == 2 && reports[1].starts_with(reason), "{refused}: {reports:?}");
        }
        let lines =
            session(&format!("{A}\ngo infinite\n{refused}\ngo depth 1\nd\ngo perft 1\n{B}\ngo depth 1\n"));
        // `go perft` is not a search, so it gets only the report.
        assert_eq!(answers(&lines), [A_TURN, "(none)", B_TURN], "{refused}");
    }
    // Choosing a different variant sets up its initial position.
    let lines = session("position nowhere\nsetoption name UCI_Variant value baroque\ngo depth 1\n");
    assert!(answers(&lines) != ["(none)"], "{lines:#?}");
    // A line that is too long is refused as a whole.
    let lines = session(&format!("{A}\nposition startpos moves {}\ngo depth 1\n", "e2e4 ".repeat(300_000)));
    assert_eq!(answers(&lines), ["(none)"]);
}

#[test]
fn the_board_of_a_variant_is_reported_when_it_is_chosen() {
    let lines = session("setoption name uci_variant value BAROQUE\nsetoption name UCI_Variant value Chess\n");
    assert_eq!(
        reports(&lines),
        [
            "variant baroque files 8 ranks 8 pocket 0 template fairy startpos \
             rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
            "variant chess files 8 ranks 8 pocket 0 template fairy startpos \
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        ]
    );
}

/// Returns the reported scores and lines, without time and nodes.
fn scores_and_lines(lines: &[String]) -> Vec<(&str, &str)> {
    let scored = lines.iter().filter_map(|line| line.split_once(" nodes "));
    scored.map(|(score, rest)| (score, rest.split_once(" pv ").map_or("", |(_, line)| line))).collect()
}

#[test]
fn a_search_at_limited_strength_does_not_affect_the_next_one() {
    for (limit, full) in [
        ("setoption name Skill Level value 0", "setoption name Skill Level value 20"),
        (
            "setoption name UCI_Elo value 900\nsetoption name UCI_LimitStrength value True",
            "setoption name UCI_LimitStrength value false",
        ),
    ] {
        let go = "position startpos\ngo depth 3\n";
        let clean = session(go);
        let lines = session(&format!("{limit}\nposition startpos\ngo movetime 30\n{full}\n{go}"));
        let last = lines.iter().rposition(|line| line.starts_with("info string")).unwrap_or(0);
        let first = lines.iter().position(|line| line.starts_with("bestmove")).expect("an answer").max(last);
        assert_eq!(scores_and_lines(&lines[first..]), scores_and_lines(&clean));
    }
}

#[test]
fn at_limited_strength_the_engine_varies_its_turns() {
    let commands = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1300\n\
                    position startpos\ngo nodes 1000\n";
    let answer = |seed| answers(&session_with_seed(commands, seed)).concat();
    let mut turns: Vec<String> = (0..8).map(answer).collect();
    assert_eq!(turns[3], answer(3));
    turns.sort();
    turns.dedup();
    assert!(turns.len() > 2, "{turns:?}");

    let game = "ucinewgame\nposition startpos\ngo nodes 1000\n";
    let lines = session(&format!("setoption name Skill Level value 0\n{}", game.repeat(8)));
    let mut turns = answers(&lines);
    turns.sort_unstable();
    turns.dedup();
    assert!(turns.len() > 2, "{turns:?}");
    // At full strength nothing is random.
    let full = |seed| answers(&session_with_seed("position startpos\ngo nodes 1000\n", seed)).concat();
    assert_eq!(full(1), full(2));
}

#[test]
fn the_number_of_threads_is_limited() {
    let lines = session("setoption name Threads value 256\nposition startpos\ngo movetime 50\n");
    assert_eq!(answers(&lines).len(), 1);
    let max = Engine::max_threads();
    let expected = format!("256 threads are too many for this machine; using {max}");
    assert_eq!(reports(&lines).contains(&expected.as_str()), max < 256, "{lines:#?}");
}
