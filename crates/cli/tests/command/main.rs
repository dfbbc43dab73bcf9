//! Tests the real binary: its output and its errors.

mod administration;
#[cfg(unix)]
mod backup;
mod copy;
mod doctor;
mod house;
mod postgres;
mod proxies;
mod refusals;
mod serving;
mod upgrade;

use std::{
    ffi::{OsStr, OsString},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Output, Stdio},
};

fn adoube<S: AsRef<OsStr>>(arguments: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adoube")).args(arguments).output().expect("the binary runs")
}

/// Returns the output of a command that succeeds.
#[track_caller]
fn stdout_of(arguments: &[&str]) -> String {
    let output = adoube(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the error line of a command that is refused.
#[track_caller]
fn refused<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let shown: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    let output = adoube(arguments);
    assert_eq!(output.status.code(), Some(2), "{shown:?}");
    assert_eq!(output.stdout, b"", "{shown:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.ends_with('\n') && error.lines().count() == 1, "{shown:?}: {error:?}");
    assert!(error.len() > "adoube: \n".len() && !error.contains("panicked"), "{shown:?}: {error:?}");
    error
}

/// Returns the lines of `moves` with a given prefix.
#[track_caller]
fn moves(variant: &str, fen: &str, origin: &str) -> Vec<String> {
    let text = stdout_of(&["moves", "--variant", variant, "--fen", fen]);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    lines.into_iter().filter(|line| line.starts_with(origin)).collect()
}

/// Returns the destinations of turns with one step.
fn destinations(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| &line[2..4]).collect()
}

#[test]
fn b_the_printed_examples_of_baroque() {
    assert_eq!(moves("baroque", "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7", "c2c4"), ["c2c4 [d4+c5]"]);
    assert_eq!(moves("baroque", "8/2b4K/2q5/3p1N1p/8/8/2R5/k7", "c2c5"), ["c2c5 [h5+c7]"]);
    let takings: Vec<String> = moves("baroque", "2n4k/3r4/5b2/3p4/1m6/3b4/3N4/K7", "d2")
        .into_iter()
        .filter(|line| !line.ends_with("[]"))
        .collect();
    assert_eq!(takings, ["d2a5 [b4]", "d2d4 [d3]", "d2d6 [d3+d5]", "d2d8 [d3+d5+d7]"]);
    let takings: Vec<String> = moves("baroque", "7k/8/8/3Qr3/8/8/8/K7", "d5")
        .into_iter()
        .filter(|line| !line.ends_with("[]"))
        .collect();
    assert_eq!(takings, ["d5a5 [e5]", "d5b5 [e5]", "d5c5 [e5]"]);
    assert_eq!(moves("baroque", "7k/8/8/r3pP2/2n5/8/B7/K7", "a2d5"), ["a2d5 [c4+a5]"]);
    let king = moves("baroque", "7k/8/8/p4r/4K3/8/8/8", "e4");
    assert!(!king.is_empty() && !destinations(&king).contains(&"e5"), "{king:?}");
}

#[test]
fn i_the_printed_examples_of_interweave() {
    // The printed diagrams have no kings, except the one that shows the king's moves. Each side needs two
    // kings, so kings were added where they neither take nor are taken.
    let takings = moves("interweave", "8/8/4b3/3nK3/8/8/8/k1k4K", "e5");
    assert_eq!(takings, ["e5c5 [d5]", "e5e7 [e6]"]);
    assert_eq!(moves("interweave", "k1k5/1p6/8/8/8/8/1R4p1/K1K5", "b2"), ["b2b6 [b7]", "b2f2 [g2]"]);
    let quiet = moves("interweave", "K1K3k1/8/5p2/8/8/8/1R3p1k/8", "b2");
    assert_eq!(destinations(&quiet), ["a1", "a3", "b4", "b6", "b8", "c1", "c3", "d2", "d4", "e5"]);
    let quiet = moves("interweave", "3k3k/p7/5p2/7K/8/1P5K/8/N5p1", "a1");
    assert_eq!(destinations(&quiet), ["a3", "a5", "b2", "c1", "c3", "d4", "e1", "e3", "e5"]);
    let takings = moves("interweave", "6kk/8/8/7K/p6K/8/2p5/N6b", "a1");
    assert_eq!(takings, ["a1a5 [a4]", "a1a7 [a4]", "a1e3 [c2]"]);
    assert_eq!(moves("interweave", "k1k5/8/8/4p3/4Bp2/8/8/K1K5", "e4"), ["e4e4 [f4+e5]"]);
    let quiet = moves("interweave", "kk6/8/3P4/8/8/8/1P6/6KK", "");
    let pawns: Vec<String> =
        quiet.into_iter().filter(|line| line.starts_with("b2") || line.starts_with("d6")).collect();
    assert_eq!(destinations(&pawns), ["a3", "c3", "d4", "c7", "e7"]);
    let takings = moves("interweave", "k1k5/Nr5R/2rP3n/2N5/7b/4b2P/4P3/K1K5", "");
    for expected in ["d6c7 [c6+b7]", "e2e4 [e3]", "h3h5 [h4+h6]"] {
        assert!(takings.iter().any(|line| line == expected), "{expected}: {takings:?}");
    }
}

#[test]
fn chains_are_printed_step_by_step() {
    let fen = "1b1kk1b1/prppp1rp/8/1p4Pp/7P/N1P1P3/1n6/2RKK1BR[NBn] w - g6h5 0 16";
    assert_eq!(moves("interweave", fen, "h4h6h8n"), ["h4h6h8nf8b6b4 [h5|h7|g8|d7|b5]"]);
}

#[test]
fn perft_counts() {
    for (variant, depth, count) in [
        ("chess", "0", "1\n"),
        ("chess", "3", "8902\n"),
        ("baroque", "3", "42762\n"),
        ("interweave", "3", "26318\n"),
    ] {
        for more in [&[][..], &["--no-bulk"], &["--threads", "3"], &["--threads", "256", "--no-bulk"]] {
            let arguments = [&["perft", "--variant", variant, "--depth", depth], more].concat();
            assert_eq!(stdout_of(&arguments), count, "{arguments:?}");
        }
    }
}

#[test]
fn perft_divides() {
    let fen = "1b1kk1b1/prppp1rp/8/1p4Pp/7P/N1P1P3/1n6/2RKK1BR[NBn] w - g6h5 0 16";
    for (depth, threads) in [("1", "1"), ("3", "1"), ("3", "2"), ("4", "2")] {
        let mut arguments =
            vec!["perft", "--variant", "interweave", "--fen", fen, "--depth", depth, "--threads", threads];
        let total = stdout_of(&arguments);
        arguments.push("--divide");
        let text = stdout_of(&arguments);
        let mut lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.pop().map(str::to_owned), Some(total.trim().to_owned()));
        assert!(lines.is_sorted());
        let sum: u64 = lines
            .iter()
            .map(|line| {
                line.split_once(' ').and_then(|(_, count)| count.parse::<u64>().ok()).expect("a count")
            })
            .sum();
        assert_eq!(sum.to_string(), total.trim());
    }
    assert_eq!(stdout_of(&["perft", "--variant", "chess", "--depth", "0", "--divide"]), "1\n");
    assert!(
        stdout_of(&["perft", "--variant", "chess", "--depth", "2", "--divide"]).ends_with("\nh2h4 20\n400\n")
    );
}

#[test]
fn status_prints_the_state_of_the_game() {
    for (variant, fen, expected) in [
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "ongoing"),
        ("chess", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", "check"),
        ("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate black"),
        ("chess", "6rk/5Npp/8/8/8/8/8/K7 b - - 100 60", "checkmate white"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("chess", "7k/8/8/8/8/8/8/KNN5 w - - 0 1", "draw insufficient-material"),
        ("chess", "7k/8/8/8/8/8/8/KR6 w - - 100 80", "draw fifty-moves"),
        ("chess", "7k/8/8/8/8/8/8/KR6 w - - 99 80", "ongoing"),
        ("chess", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1", "draw dead-position"),
        ("chess", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 100 90", "draw dead-position"),
        ("chess", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/R3K3 w - - 0 1", "ongoing"),
        ("baroque", "7k/8/8/8/8/8/8/K7 w - - 0 1", "draw insufficient-material"),
        ("baroque", "7k/8/8/8/8/8/1n6/K7 w - - 0 1", "ongoing"),
        ("interweave", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "king-captured black"),
        ("interweave", "k7/8/8/8/8/8/8/KK6 b - - 0 1", "king-captured white"),
        ("interweave", "3kk3/8/8/8/8/8/PP6/KK6 w - - 0 1", "ongoing"),
        ("interweave", "kk6/ppp5/8/8/8/8/1P6/6KK[] b - - 100 1", "draw fifty-moves"),
        ("interweave", "KK6/PPP5/pp1p4/8/8/8/8/6kk[] w - - 0 1", "no-moves black"),
    ] {
        assert_eq!(
            stdout_of(&["status", "--variant", variant, "--fen", fen]).trim_end(),
            expected,
            "{variant} {fen}"
        );
    }
}

#[test]
fn convert_works_in_both_directions() {
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n";
    assert_eq!(
        stdout_of(&["convert", "--variant", "chess", "--moves", "e2e4 e7e5"]),
        format!("e4 e5\n{after}")
    );
    assert_eq!(
        stdout_of(&["convert", "--variant", "chess", "--san", "e4 e5"]),
        format!("e2e4 e7e5\n{after}")
    );
    let fen = "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7";
    assert_eq!(
        stdout_of(&["convert", "--variant", "baroque", "--fen", fen, "--moves", "c2c4 h7h5"]),
        "Pc2xc4(d4,c5) Ph7-h5\n7k/5pp1/2N5/7p/2P1B3/8/PP6/K7 w - - 1 2\n"
    );
    for empty in [&[][..], &["--moves", ""], &["--san", " "]] {
        let arguments = [&["convert", "--variant", "baroque", "--fen", fen], empty].concat();
        assert_eq!(stdout_of(&arguments), "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1\n");
    }
}

#[test]
fn bad_input_causes_exit_status_2_and_one_line() {
    let long = "8/".repeat(10_000);
    let many = "e2e4 ".repeat(10_000);
    for (arguments, part) in [
        (&["help", "fly"][..], "unrecognized subcommand"),
        (&["version", "fly"], "unexpected argument"),
        (&["uci", "--seed", "x"], "--seed"),
        (&["fly"], "unrecognized subcommand 'fly'"),
        (&["moves"], "--variant"),
        (&["moves", "--variant", "xiangqi"], "the games are chess, baroque, "),
        (&["moves", "--variant", "Chess"], "the games are chess, baroque, "),
        (&["moves", "--variant", ""], "--variant"),
        (&["moves", "--variant", "chess\n\nbaroque"], "adoube: "),
        (&["moves", "--variant", "chess", "--fen"], "value is required"),
        (&["moves", "--variant", "chess", "--fen", ""], "the FEN is empty"),
        (&["moves", "--variant", "chess", "--fen", "8/8"], "2 ranks"),
        (&["moves", "--variant", "chess", "--fen", "8/8/8/8/8/8/8/8 w - -"], "kings"),
        (
            &["moves", "--variant", "chess", "--fen", "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - -"],
            "'m'",
        ),
        (&["moves", "--variant", "baroque", "--fen", "k7/8/8/8/8/8/8/K7[R] w - - 0 1"], "reserve"),
        (&["moves", "--variant", "chess", "--fen", "k7/8/8/8/8/8/8/K7 w - - 99999 1"], "halfmove clock"),
        (&["moves", "--variant", "chess", "--fen", "k7/8/8/8/8/8/8/K7\n\u{1b}[31m w"], "adoube: "),
        (&["moves", "--variant", "chess", "--fen", &long], "it can have at most 4096"),
        (&["status", "--variant", "chess", "--fen", "♔7/8/8/8/8/8/8/8 w"], "'♔'"),
        (&["status", "--variant", "chess", "--fen", "k7/8/8/8/8/8/8/K7 w", "more"], "unexpected argument"),
        (&["perft", "--variant", "chess"], "--depth"),
        (&["perft", "--variant", "chess", "--depth", "-1"], "'-1'"),
        (&["perft", "--variant", "chess", "--depth", "65"], "0..=64"),
        (&["perft", "--variant", "chess", "--depth", "99999999999999999999"], "invalid value"),
        (&["perft", "--variant", "chess", "--depth", "1", "--threads", "0"], "1 to 256"),
        (&["perft", "--variant", "chess", "--depth", "1", "--threads", "257"], "1 to 256"),
        (&["perft", "--variant", "chess", "--depth", "1", "--threads", "two"], "1 to 256"),
        (&["convert", "--variant", "chess", "--moves", "e2e5"], "turn 1: \"e2e5\" is not legal"),
        (&["convert", "--variant", "chess", "--moves", "e2e4 e4"], "turn 2: \"e4\" is not a turn"),
        (&["convert", "--variant", "chess", "--moves", "e2e4 e2e4"], "turn 2: no man stands on e2"),
        (&["convert", "--variant", "chess", "--moves", &many], "turn 2"),
        (&["convert", "--variant", "chess", "--moves", &"e2".repeat(10_000)], "turn 1"),
        (&["convert", "--variant", "chess", "--moves", "é2e4"], "turn 1"),
        (&["convert", "--variant", "chess", "--san", "e4 Ke3"], "turn 2: \"Ke3\" is not a legal turn here"),
        (&["convert", "--variant", "chess", "--san", &"N".repeat(10_000)], "turn 1"),
        (&["convert", "--variant", "chess", "--san", "f3 e5 g4 Qh4# e3"], "turn 5: \"e3\" cannot be played"),
        (&["convert", "--variant", "chess", "--san", "e4", "--moves", "e2e4"], "cannot be used with"),
        (
            &["convert", "--variant", "chess", "--fen", "1k6/8/8/8/8/8/4K3/R6R w", "--san", "Rd1"],
            "may mean Rad1 or Rhd1",
        ),
    ] {
        let error = refused(arguments);
        assert!(error.contains(part), "{arguments:?}: {error:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_refused() {
    use std::os::unix::ffi::OsStringExt as _;

    let bad = OsString::from_vec(b"k7/\xff\xfe".to_vec());
    refused(&[OsStr::new("moves"), OsStr::new("--variant"), OsStr::new("chess"), OsStr::new("--fen"), &bad]);
    refused(&[bad]);
}

#[test]
fn help_and_version_are_printed() {
    assert!(stdout_of(&["--help"]).contains("perft"));
    assert!(stdout_of(&["perft", "--help"]).contains("--threads"));
    assert_eq!(stdout_of(&["help", "perft"]), stdout_of(&["perft", "--help"]));
    assert_eq!(stdout_of(&["help"]), stdout_of(&["--help"]));
    assert!(stdout_of(&["help", "pgn", "check"]).contains("including variations"));
    let version = stdout_of(&["--version"]);
    assert!(version.starts_with(concat!("adoube ", env!("CARGO_PKG_VERSION"))), "{version}");
    assert_eq!(stdout_of(&["version"]), version);
}

/// Two good games with a bad one between them.
const GAMES: &str = "[Event \"1\"]\n\n1. e4 {why not} (1. d4 d5) e5 2. Nf3 1-0\n\n[Event \"2\"]\n\n1. e4 e4 *\n\n\
                     [Event \"3\"]\n[Variant \"Baroque\"]\n\n1. Pc2c4 Pc7c5 1/2-1/2\n";

#[test]
fn game_files_are_checked_counted_and_rewritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, GAMES).expect("a file");
    let file = path.to_str().expect("UTF-8");

    let output = adoube(&["pgn", "check", file]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{file}:7: turn 2: \"e4\" is not a legal turn here\n3 games, 6 plies, 1 bad\n")
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "adoube: 1 of 3 games cannot be played as written\n");

    let counts = "games 6\nplies 14\nwhite 2\nblack 0\ndraw 2\nunknown 2\nchess 4\nbaroque 2\ninterweave 0\nultima 0\nother 0\n";
    assert_eq!(stdout_of(&["pgn", "stats", file, file]), counts);

    let output = adoube(&["pgn", "convert", "--to", "coordinates", file]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("1. e2e4 {why not} (1. d2d4 d7d5) 1... e7e5 2. g1f3 1-0\n"), "{text}");
    let again = folder.path().join("again.pgn");
    std::fs::write(&again, text).expect("a file");
    let again = again.to_str().expect("UTF-8");
    assert_eq!(stdout_of(&["pgn", "check", again]), "2 games, 5 plies, 0 bad\n");
    assert!(stdout_of(&["pgn", "convert", again]).contains("1. Pc2-c4 Pc7-c5 1/2-1/2\n"));

    assert!(refused(&["pgn", "check", "no such file"]).contains("no such file"));
    refused(&["pgn", "check"]);
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let good = write("good.pgn", b"1. e4 e5 2. Nf3 1-0\n");
    let zip = write("games.zip", b"PK\x03\x04rest");
    let page = write("page.pgn", b"<!DOCTYPE html><html>");
    let missing = folder.path().join("missing.pgn").to_str().expect("UTF-8").to_owned();

    let output = adoube(&["pgn", "check", &missing, &good, &zip, &page, &good]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 games, 6 plies, 0 bad\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    for (file, reason) in [
        (&missing, "No such file"),
        (&zip, "a compressed file or an archive (zip), not PGN; unpack it first"),
        (&page, "but a web page"),
    ] {
        assert!(error.contains(file.as_str()) && error.contains(reason), "{error}");
    }
    let output = adoube(&["pgn", "stats", &missing, &good]);
    assert!(output.stdout.starts_with(b"games 1\nplies 3\nwhite 1\n"));
    let output = adoube(&["pgn", "convert", &missing, &good]);
    assert_eq!((output.status.code(), output.stdout.ends_with(b"1. e4 e5 2. Nf3 1-0\n\n")), (Some(2), true));
    assert!(refused(&["pgn", "stats", &zip]).contains("a compressed file or an archive (zip)"));
}

#[test]
fn omissions_are_reported_and_the_game_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let text = b"[White.Elo \"1\"]\n[Result \"1/2\"]\n\n1. e4 (1. -- d5 2. Ke3) e5 1/2 - 1/2 {agreed}\n";
    std::fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("UTF-8");
    let output = adoube(&["pgn", "convert", file]);
    assert_eq!(output.status.code(), Some(0));
    let written = String::from_utf8_lossy(&output.stdout);
    assert!(written.contains("1. e4 (1. -- d5) 1... e5 {agreed} 1/2-1/2\n"), "{written}");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "{file}:1: warning: \"[White.Elo \\\"1\\\"]\" is not a tag; write [Name \"value\"]\n\
             {file}:4: warning: a variation was cut off: turn 1: \"Ke3\" is not a legal turn here\n"
        )
    );
    // The game cannot be played as written, but all commands read the same result.
    assert_eq!(adoube(&["pgn", "check", file]).status.code(), Some(2));
    assert!(stdout_of(&["pgn", "stats", file]).contains("draw 1\nunknown 0\n"));
}

#[test]
fn positions_are_read_in_the_forms_that_people_paste() {
    let printed_with = |command: &str, fen: &str| {
        let output = adoube(&[command, "--variant", "chess", "--fen", fen]);
        assert_eq!(output.status.code(), Some(0), "{fen}: {output:?}");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (text(output.stdout).trim_end().to_owned(), text(output.stderr))
    };
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    for text in [
        format!("\"{fen}\""),
        format!("fen {fen}"),
        format!("[FEN \"{fen}\"]"),
        fen.replace(' ', "_"),
        format!("{fen};"),
    ] {
        assert_eq!(printed_with("convert", &text), (fen.to_owned(), String::new()), "{text}");
        assert_eq!(printed_with("status", &text).0, "ongoing", "{text}");
    }
    assert_eq!(
        printed_with("convert", "7k/8/8/8/8/8/4K3/R7 w KQ - bm Rb7; id \"1\";"),
        (
            "7k/8/8/8/8/8/4K3/R7 w - - 0 1".to_owned(),
            "adoube: --fen: warning: the EPD operations \"bm Rb7; id \\\"1\\\"\" were left out\n\
             adoube: --fen: warning: the castling right 'K' was left out: king and rook are not in place for it\n\
             adoube: --fen: warning: the castling right 'Q' was left out: king and rook are not in place for it\n"
                .to_owned()
        )
    );
    let output = adoube(&["winnable", "--fen", "\"7k/8/8/8/8/8/8/KR6 w KQ - 0 1\""]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn games_are_read_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["pgn", "check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(b"1. f3 e5 2. g4 Qh4#").expect("the process reads");
    let output = child.wait_with_output().expect("the process exits");
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), &b"1 games, 4 plies, 0 bad\n"[..])
    );
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["perft", "--variant", "baroque", "--depth", "3", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("UTF-8");
    assert_eq!((child.wait().expect("the process exits").code(), error.as_str()), (Some(0), ""));
}

#[test]
fn winnable_reports_which_side_can_still_win() {
    let answer = |arguments: &[&str]| {
        let text = stdout_of(arguments);
        let first = text.lines().next().expect("a line").to_owned();
        let words: Vec<String> = first.split(' ').map(str::to_owned).collect();
        assert!(words[2].starts_with("nodes=") && words[3].starts_with("us="), "{first}");
        (words[..2].join(" "), text)
    };
    let locked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    assert_eq!(answer(&["winnable", "--fen", locked]).0, "white=unwinnable black=unwinnable");
    assert_eq!(answer(&["winnable", "--quick", "--fen", locked]).0, "white=unwinnable black=unwinnable");
    let (first, text) = answer(&["winnable", "--line", "--fen", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]);
    assert_eq!(first, "white=winnable black=unwinnable");
    assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("white: ")), "{text}");
    assert_eq!(answer(&["winnable"]).0, "white=winnable black=winnable");
    assert_eq!(answer(&["winnable", "--nodes", "1"]).0, "white=unknown black=unknown");
    refused(&["winnable", "--fen", "nothing"]);
    refused(&["winnable", "--nodes", "many"]);
}

#[test]
fn positions_and_games_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let draw = |name: &str, more: &[&str]| {
        let path = file(name);
        let output = path.to_str().expect("UTF-8");
        let game =
            ["diagram", "--variant", "interweave", "--width", "96", "--moves", "c2e4 f7h5", "-o", output];
        assert_eq!(stdout_of(&[&game[..], more].concat()), "");
    };
    draw("end.svg", &["--marks", "e4 Rh5e4"]);
    let svg = std::fs::read_to_string(file("end.svg")).expect("a picture");
    assert!(svg.contains("<circle") && svg.contains("rotate("), "a mark and an arrow");
    draw("end.PNG", &["--flip", "--plain", "--men", "silhouette", "--board", "walnut"]);
    assert!(std::fs::read(file("end.PNG")).expect("a picture").starts_with(b"\x89PNG"));
    draw("game.gif", &["--delay", "50"]);
    assert!(std::fs::read(file("game.gif")).expect("a picture").starts_with(b"GIF89a"));
    draw("at-{}.svg", &[]);
    for name in ["at-000.svg", "at-001.svg", "at-002.svg"] {
        assert!(file(name).exists(), "{name}");
    }
    let svg = stdout_of(&["diagram", "--variant", "chess", "-o", "-"]);
    assert!(svg.starts_with("<svg") && svg.contains("<title>rnbqkbnr/pppppppp"), "{svg:.200}");
}

#[test]
fn an_invalid_drawing_is_refused() {
    let refused = |more: &[&str]| refused(&[&["diagram", "--variant", "chess"], more].concat());
    assert!(refused(&["-o", "x.bmp"]).contains(".svg, .png or .gif"));
    assert!(refused(&["-o", "/nowhere/x.svg"]).contains("/nowhere/x.svg"));
    assert!(refused(&["-o", "x.svg", "--marks", "e9"]).contains("e9"));
    assert!(refused(&["-o", "x.svg", "--moves", "e2e5"]).contains("turn 1"));
    assert!(refused(&["-o", "x.svg", "--width", "9"]).contains("64"));
    assert!(refused(&["-o", "x.svg", "--men", "wood"]).contains("mechanism"));
    assert!(refused(&["-o", "x.svg", "--board", "glass"]).contains("walnut"));
    assert!(refused(&[]).contains("--output"));
}

#[test]
fn problems_are_found_reproducibly() {
    let folder = tempfile::tempdir().unwrap();
    let generate = |name: &str| {
        let file = folder.path().join(name).display().to_string();
        let stdout = stdout_of(&[
            "problems",
            "--variant",
            "interweave",
            "--seed",
            "5",
            "--count",
            "3",
            "--games",
            "6",
            "-o",
            &file,
        ]);
        (stdout, std::fs::read_to_string(file).unwrap())
    };
    let (stdout, first) = generate("one.jsonl");
    let last = stdout.lines().last().unwrap();
    assert!(last.starts_with("games ") && last.contains(" problems "), "{stdout}");
    assert!(
        first.lines().all(|line| line.starts_with("{\"id\":\"") && line.contains("\"line\":[\"")),
        "{first}"
    );
    assert!(!first.is_empty());
    assert_eq!(generate("two.jsonl").1, first);
}

#[test]
fn a_network_is_trained_from_games_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let (positions, network) = (path("positions"), path("network"));
    let generate = |games: &str| {
        stdout_of(&[
            "datagen",
            "--variant",
            "interweave",
            "--nodes",
            "50",
            "--games",
            games,
            "--threads",
            "2",
            "-o",
            &positions,
        ])
    };
    let first = generate("20");
    assert!(first.starts_with("20 games, "), "{first}");
    let more = generate("40");
    assert!(more.starts_with("40 games, "), "{more}");
    assert_eq!(generate("40"), more, "nothing is left to do");

    let learnt = stdout_of(&[
        "train",
        "--variant",
        "interweave",
        "--data",
        &positions,
        "--hidden",
        "32",
        "--epochs",
        "2",
        "-o",
        &network,
    ]);
    let lines: Vec<&str> = learnt.lines().collect();
    assert!(lines[0].starts_with("positions ") && lines[2].starts_with("epoch 2 loss "), "{learnt}");
    assert!(lines[3].starts_with("validation ") && lines.len() == 4, "{learnt}");

    let player = format!("network:{network}");
    let play = |variant: &str| {
        [
            "match",
            "--variant",
            variant,
            "--first",
            &player,
            "--second",
            "random",
            "--games",
            "2",
            "--nodes",
            "200",
        ]
        .map(str::to_owned)
    };
    let played = stdout_of(&play("interweave").each_ref().map(String::as_str));
    assert!(played.contains(" against random: games 2 "), "{played}");
    let error = refused(&play("chess"));
    assert!(error.contains("the network is for interweave, not for chess"), "{error}");
    let error = refused(&["train", "--variant", "chess", "--data", &positions, "-o", &network]);
    assert!(error.contains("is for interweave"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_program_that_exits_loses_that_game_and_is_restarted() {
    let program = std::env::temp_dir().join(format!("adoube-ends-{}.sh", std::process::id()));
    let script = "while read -r word rest; do\n\
        case $word in uci) echo uciok;; isready) echo readyok;; go) exit 1;; esac\n\
        done\n";
    std::fs::write(&program, script).expect("disk space");
    let command = format!("sh {}", program.display());
    let output =
        adoube(&["match", "--variant", "chess", "--second", &command, "--games", "4", "--nodes", "100"]);
    let _ = std::fs::remove_file(&program);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    assert!(lines.iter().all(|line| line.contains(" has exited or stopped responding; ")), "{error}");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.contains("games 4 +4 =0 -0 "), "{stdout}");
    assert!(stdout.trim_end().ends_with(" disconnected:4"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_loses_on_time_and_is_restarted() {
    let program = std::env::temp_dir().join(format!("adoube-hangs-{}.sh", std::process::id()));
    let script = "while read -r word rest; do\n\
        case $word in uci) echo uciok;; isready) echo readyok;; quit) exit 0;; esac\n\
        done\n";
    std::fs::write(&program, script).expect("disk space");
    let command = format!("sh {}", program.display());
    for limit in [["--tc", "0.2+0.01"], ["--movetime", "50"]] {
        let arguments = ["match", "--variant", "chess", "--second", &command, "--games", "2"];
        let output = adoube(&[&arguments[..], &limit].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(error.matches(" did not answer in time; position: ").count(), 2, "{error}");
        let stdout = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(stdout.contains("games 2 +2 =0 -0 ") && stdout.trim_end().ends_with(" time:2"), "{stdout}");
    }
    let _ = std::fs::remove_file(&program);
}

#[test]
fn the_games_of_a_match_differ() {
    let arguments = ["match", "--variant", "chess", "--first", "skill:0", "--second", "skill:0"];
    let played = |seed: &str| {
        let folder = tempfile::tempdir().expect("disk space");
        let pgn = folder.path().join("games.pgn");
        let pgn = pgn.to_str().expect("UTF-8");
        stdout_of(
            &[
                &arguments[..],
                &["--plies", "0", "--games", "6", "--max-plies", "10", "--seed", seed, "--pgn", pgn],
            ]
            .concat(),
        );
        let text = std::fs::read_to_string(pgn).expect("games");
        text.split("[Event")
            .map(|game| game.rsplit("\n\n").nth(1).unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let games = played("1");
    let mut different = games[1..].to_vec();
    different.sort();
    different.dedup();
    assert_eq!((games.len(), different.len()), (7, 6), "{games:?}");
    assert_eq!(games, played("1"), "the same seed gives the same match");
}

/// Returns the output of a program that gets all of its input at once.
fn stdout_with_input(command: &mut Command, input: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the process reads");
    let output = child.wait_with_output().expect("the process exits");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn best_moves(stdout: &str) -> Vec<&str> {
    stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect()
}

#[test]
fn the_engine_answers_a_search_right_after_a_stop() {
    // Polyglot sends this after a ponder miss, without waiting for an answer in between.
    let commands = "position fen k7/8/1K6/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\n\
                    position fen 8/8/8/8/8/6k1/8/7K w - - 0 1\ngo depth 2\n";
    for _ in 0..20 {
        let stdout = stdout_with_input(Command::new(env!("CARGO_BIN_EXE_adoube")).arg("uci"), commands);
        assert_eq!(best_moves(&stdout), ["a8b8", "h1g1"], "{stdout}");
    }
}

#[test]
fn without_arguments_or_terminal_the_program_is_an_engine() {
    let commands = "uci\nposition startpos\ngo movetime 30\n";
    let stdout = stdout_with_input(&mut Command::new(env!("CARGO_BIN_EXE_adoube")), commands);
    assert!(stdout.contains("uciok\n"), "{stdout}");
    assert_eq!(best_moves(&stdout).len(), 1, "{stdout}");
}

#[cfg(unix)]
#[test]
fn the_program_is_an_engine_under_the_name_adoube_uci() {
    let folder = tempfile::tempdir().expect("disk space");
    let link = folder.path().join("adoube-uci");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_adoube"), &link).expect("a link");
    let commands = "setoption name Skill Level value 0\nposition startpos\ngo nodes 500\n";
    let seeded = || stdout_with_input(Command::new(&link).args(["--seed", "7"]), commands);
    let stdout = seeded();
    assert_eq!((best_moves(&stdout).len(), best_moves(&stdout)), (1, best_moves(&seeded())), "{stdout}");
}

#[test]
fn settings_are_checked_without_starting_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.sqlite");
    let data = data.to_str().unwrap();
    assert_eq!(stdout_of(&["config", "--check", "--data", data]), "");
    let mail =
        ["mail.smtp=smtp://mail.example.org", "mail.from=a@example.org", "public_origin=https://example.org"];
    let set = mail.iter().flat_map(|setting| ["--set", setting]);
    let check = ["config", "--check", "--data", data].into_iter().chain(set).collect::<Vec<_>>();
    assert_eq!(stdout_of(&check), "");
    // The message does not point to the line of another setting.
    let settings = folder.path().join("adoube.toml");
    let settings_path = settings.to_str().unwrap();
    for (from, message) in [
        ("", "adoube: mail.from is missing: mail.smtp needs the address of the sender"),
        ("from = \"Club\"", "adoube.toml:5: mail.from must be the address of the sender"),
    ] {
        let file = format!(
            "public_origin = \"https://example.org\"\n\n[mail]\nsmtp = \"smtp://mail.example.org\"\n{from}\n"
        );
        std::fs::write(&settings, file).unwrap();
        let error = refused(&["config", "--check", "--config", settings_path, "--data", data]);
        assert!(error.contains(message) && !error.contains("Invalid input"), "{error}");
    }
    // Even with an error in the settings file, the names of all settings can be looked up.
    std::fs::write(&settings, "preset = \"club\"").unwrap();
    let shown = adoube(&["config", "--config", settings_path]);
    let (printed, error) = (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&shown.stderr));
    assert!(!shown.status.success() && printed.contains("limits.preset = "), "{printed}");
    assert!(error.contains("adoube.toml:1: unknown setting \"preset\"; put it below"), "{error}");
    for (setting, message) in [
        ("limits.creations=abc", "limits.creations"),
        ("public_origin=chess.example.org", "public"),
        ("mail.smtp=smtps://mail.example.org", "mail.smtp needs public_origin"),
        ("log=adoube_server=loud", "log contains \"adoube_server=loud\", but \"loud\" is not a level"),
        ("log=infoo", "neither a level nor a part of this program; did you mean info?"),
        ("log_format=xml", "log_format must be one of text, json"),
        ("hsts=all", "hsts must be one of off, host, subdomains"),
        ("metrics=9187", "metrics must be an IP address and a port"),
        ("keep.reports=30", "keep.reports"),
        ("bus=me:horse@example.org", "bus address `example.org` is not nats://HOST:PORT"),
        ("bus=http://example.org", "bus address `http://example.org` is not nats://HOST:PORT"),
        ("metrics=127.0.0.1:8787", "metrics is the same address as listen"),
        ("other_origins=https://a.example.org", "other_origins needs public_origin"),
        ("listen=unix:socket", "or unix: and a path"),
    ] {
        for command in [&["config", "--check"][..], &["serve"]] {
            let mut words = command.to_vec();
            words.extend(["--data", data, "--set", setting]);
            let error = refused(&words);
            assert!(error.contains(message), "{words:?}: {error}");
        }
    }
    assert!(!folder.path().join("data.sqlite").exists());
}

#[test]
fn an_unreachable_bus_is_an_error_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.sqlite");
    // A port on which nothing listens, because it was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bus = format!("nats://me:horse@{free}");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()];
    let output =
        Command::new(env!("CARGO_BIN_EXE_adoube")).args(serve).args(["--bus", &bus]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = format!("adoube: the bus at nats://{free} cannot be reached: Connection refused");
    assert!(
        error.starts_with(&expected) && error.lines().count() == 1 && !error.contains("horse"),
        "{error}"
    );
}

/// Programs must be able to parse a log that is written to a journal or a file.
#[test]
fn logs_outside_a_terminal_have_no_colours_and_are_json_on_request() {
    for format in ["text", "json"] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.sqlite");
        let mut server = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(["serve", "--listen", "127.0.0.1:0", "--set", &format!("log_format={format}"), "--data"])
            .arg(&data)
            .env("ADOUBE_PRIVATE_GARDEN", "1")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr_lines = BufReader::new(server.stderr.take().unwrap()).lines();
        let mut lines = Vec::new();
        while let Some(Ok(line)) = stderr_lines.next() {
            let is_address = line.contains("http://127.0.0.1:");
            lines.push(line);
            if is_address {
                break;
            }
        }
        server.kill().unwrap();
        server.wait().unwrap();
        assert!(lines.iter().any(|line| line.contains("ADOUBE_PRIVATE_GARDEN")), "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains('\u{1b}')), "{lines:?}");
        let is_json = |line: &String| serde_json::from_str::<serde_json::Value>(line).is_ok();
        let last = lines.last().unwrap();
        assert!(last.contains("http://127.0.0.1:"), "{lines:?}");
        assert_eq!(lines.iter().all(is_json), format == "json", "{lines:?}");
    }
}
