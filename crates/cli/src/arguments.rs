//! The command line.

use std::{io::Write, num::NonZeroUsize, path::PathBuf, time::Duration};

use adoube_diagram::{Marks, Set};
use adoube_rules::{AnyPosition, Variant, fen::Repair};
use anyhow::Context as _;
use clap::{Args, Parser, Subcommand, ValueEnum, builder::TypedValueParser as _};

use crate::{
    commands::{
        accounts, bench, contest, convert, data, datagen, diagram, moves, odds, perft, pgn, problems, serve,
        status, train, uci, winnable,
    },
    settings::Settings,
};

/// Chess, Baroque (Ultima) and Interweave: rules, notation, engine, and the server to play them.
///
/// Ends with 0, or with 2 and one line on standard error if what it was given is wrong.
#[derive(Parser, Debug)]
#[command(name = "adoube", version = env!("ADOUBE_VERSION"), arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Count the sequences of turns from a position to a depth
    ///
    /// Prints the count. A turn is all that a player does before the other side moves, so that a chain of
    /// Interweave counts once.
    Perft(Perft),
    /// List the legal turns of a position and what they take
    ///
    /// Prints one turn a line, sorted: its coordinates, and between brackets the squares of the men it takes.
    /// Squares taken by one step stand in the order a1, b1 … h8, joined by "+"; steps are joined by "|":
    /// `c2c4 [d4+c5]`, `a7e7a5 [b7|c6]`, `e2e3 []`.
    Moves(Moves),
    /// Say how the game stands in a position
    ///
    /// Prints one of: `ongoing`, `check`, `checkmate SIDE`, `stalemate`, `draw insufficient-material`,
    /// `draw dead-position`, `draw fifty-moves`, `no-moves SIDE`, `king-captured SIDE`; SIDE is the winner, `white` or `black`.
    /// A position is dead if it is proved within 100,000 positions that neither side can win by any sequence of legal turns.
    Status(Status),
    /// Play turns, and write them in the other notation
    ///
    /// With --moves prints their SAN, with --san their coordinates, on one line and separated by spaces; then,
    /// on a line of its own, the FEN of the position after them. Without turns prints only the FEN.
    Convert(Convert),
    /// Check, count or rewrite files of games
    #[command(subcommand)]
    Pgn(Pgn),
    /// Say which side can still win a game of chess, by any sequence of legal turns whatsoever
    ///
    /// Prints for each position `white=V black=V nodes=N us=T`: V is about that side's being able to win and is one
    /// of `winnable`, `unwinnable`, `unknown`; N is the number of positions made to find it out, T the time it took,
    /// in microseconds.
    Winnable(Winnable),
    /// Draw a position or a game
    ///
    /// What is written is said by the end of the file's name: `.svg`, `.png`, or `.gif` for a whole game, one picture
    /// after the other. `{}` in the name stands for the number of the picture, from 0: then each position is a
    /// file of its own.
    Diagram(Diagram),
    /// Speak the Universal Chess Interface, for programs that show a board or let engines play
    ///
    /// The option `UCI_Variant` chooses the game. Reads commands until `quit` or the end of the input. Programs that take no arguments
    /// for an engine can start `adoube` without any, or a link to it named `adoube-uci`.
    Uci(Uci),
    /// Search the same positions as always, and print how many nodes that took
    ///
    /// Prints `GAME NODES` for each game, and the total on the last line; how long it took goes to standard error.
    Bench(Bench),
    /// Let two players play against each other, and say which one is stronger
    ///
    /// A player is `own` (the engine), `hand-made` (without its network), `network:FILE` (with another network),
    /// `material` (its search on nothing but material), `plain:DEPTH` (alpha-beta on
    /// material to so many turns, nothing else), `greedy` (the same as `plain:1`), `random`, `level:NUMBER` (a level
    /// of the machine, which heeds no other limit), `skill:NUMBER` (the same for the skill levels of UCI), `noisy:NUMBER`
    /// (the engine with a judgement off by so many units of the search, heeding nodes and depth alone), or a command that
    /// speaks UCI. Each opening is played twice, with colours reversed. Prints the results after each two games, and on the last line
    /// `FIRST against SECOND: games N +W =D -L score S % elo E ± ERROR REASON:COUNT …`, as FIRST sees it.
    Match(Box<Match>),
    /// Let the engine play against itself, and keep positions for networks to learn from
    ///
    /// Each game begins with 8 to 10 random turns. The same game, seed and nodes give the same file; one that exists
    /// is gone on with. Prints `N games, N positions` now and then, and on the last line.
    Datagen(Datagen),
    /// Let a network learn from positions, and write it to a file
    ///
    /// Prints `positions N aside N scale N`, then `epoch N loss X aside X` after each epoch, and on the last line
    /// `aside X rounded X rounding N`: the mean squared errors of the positions that nothing was learnt from, before
    /// and after the weights were rounded, and what that changes at most, in hundredths of a pawn.
    Train(Box<Train>),
    /// Find what scores mean for the end of a game, from positions that `datagen` made
    ///
    /// Prints `positions N even-win A width B pawn P`, in units of the search: at A half of the games are won, at P three points of
    /// four are made.
    Odds(FitOdds),
    /// Find out which numbers of the search are too small, and which too large, by games of the engine against itself
    ///
    /// Before every two games each number is changed by its step, upwards for one side and downwards for the other, by chance, so
    /// that all are judged by the same games. Prints `games N` now and then, and at the end a line for each number,
    /// `NAME VALUE step STEP elo E ± ERROR`: how much stronger one step more has been than one step less, and the standard deviation
    /// of that.
    Tune(Tune),
    /// Look for problems in games of the engine against itself
    ///
    /// Writes one problem a line, as JSON, the easiest first: wins in one to four turns, each with exactly one first turn
    /// that wins in time, which is proved; and turns that are clearly better than all others. The same game, seed, count and
    /// number of games give the same file. Prints `games N problems N win-in-1 N win-in-2 N win-in-3 N win-in-4 N gain N` now
    /// and then, and on the last line.
    Problems(Problems),
    /// Serve the games and the pages
    ///
    /// Everything is kept in one file, which is made if it is not there. Ends when interrupted or terminated;
    /// what it has acknowledged is kept whatever happens. The variable `ADOUBE_LOG` says what is logged, such as `debug`.
    Serve(Serve),
    /// Show the settings that hold, and where each comes from
    ///
    /// Prints `NAME = "VALUE"  # SOURCE` a line, as a file that can be read again. Secrets are not shown. With --check, prints nothing, and
    /// ends with 2 if `adoube serve` would refuse these settings.
    Config(ShowConfig),
    /// Copy the data to a new file, as it is at one moment; servers may go on meanwhile
    ///
    /// Prints the name of the copy. All that is copied is looked through: if games are damaged, the copy is made all the same, they are
    /// named, and the command ends with 2.
    Backup(Copy),
    /// Put a copy where the data is to be; no server may run meanwhile
    ///
    /// Data that is there already is kept beside it; then prints its name. A copy in which something is damaged is refused.
    Restore(Restore),
    /// Maintain the data and its accounts
    #[command(subcommand)]
    House(House),
    /// Print the version, with the commit if that is known
    Version,
}

#[derive(Subcommand, Debug)]
pub(crate) enum House {
    /// Look through the data, while a server runs or not
    ///
    /// Every game is held against its chain of hashes and replayed. Prints `GAME: REASON` for each that is damaged, then `N games, N
    /// damaged, N without a chain`, which games of an older version have until a server has come to them. Ends with 2 if anything is damaged.
    Check(Chosen),
    /// Take out of the data what a wrong clock has written into it
    ///
    /// Every time that has not come yet, by the system's clock, becomes the present one; so set that first. Turns, results and the clocks
    /// of the players stay as they are. Prints `FILE: N games, N rows`: where the data is kept as it was before, and what was changed.
    ResetClock(Chosen),
    /// Delete what is older than the settings `keep.*` say
    ///
    /// A server does so by itself, a little every hour. Prints `COUNT KIND` for each kind.
    Tidy(Tidy),
    /// Make a new key for the cookies of visitors without an account, while no server runs
    ///
    /// What the old key has signed is accepted for 30 more days and signed anew when it is seen. Sessions of accounts go on. Prints
    /// what becomes of the old key.
    RotateKey(RotateKey),
    /// Show reported chat lines, newest first; a server may be running
    ///
    /// Prints `DATE  game ID  by player ID: REASON` for each report, followed by the surrounding lines, indented, with a `>` before the
    /// reported one. Dates are in UTC.
    Reports(Reports),
    /// End all sessions of an account and revoke its recovery links; no server may be running
    ///
    /// Prints the number of ended sessions.
    SignOut(Named),
    /// Turn off the second factor of an account; no server may be running
    ///
    /// For an owner who has lost both the authenticator app and the recovery codes. Check the identity of the person first. All sessions
    /// of the account end.
    SecondFactorOff(Named),
}

#[derive(Args, Debug)]
pub(crate) struct Reports {
    /// Maximum number of reports
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
}

/// Which account.
#[derive(Args, Debug)]
pub(crate) struct Named {
    /// The name of the account
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
}

#[derive(Args, Debug)]
pub(crate) struct RotateKey {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Forget the old key at once, because others may have it: visitors without an account lose their games, and accounts know no
    /// browser again
    #[arg(long)]
    pub(crate) at_once: bool,
}

impl Command {
    pub(crate) fn run(&self, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
        match self {
            Self::Perft(arguments) => perft::run(arguments, out),
            Self::Moves(Moves { start }) => moves::run(&start.position()?, out),
            Self::Status(Status { start }) => status::run(&start.position()?, out),
            Self::Convert(arguments) => convert::run(arguments, out),
            Self::Pgn(arguments) => pgn::run(arguments, out),
            Self::Winnable(arguments) => winnable::run(arguments, out),
            Self::Diagram(arguments) => diagram::run(arguments, out),
            Self::Uci(arguments) => uci::run(arguments, out),
            Self::Bench(arguments) => bench::run(arguments, out),
            Self::Match(arguments) => contest::run(arguments, out),
            Self::Datagen(arguments) => datagen::run(arguments, out),
            Self::Problems(arguments) => problems::run(arguments, out),
            Self::Train(arguments) => train::run(arguments, out),
            Self::Odds(arguments) => odds::run(arguments, out),
            Self::Tune(arguments) => contest::tune(arguments, out),
            Self::Serve(arguments) => serve::run(arguments),
            Self::Config(ShowConfig { chosen, check: true }) => serve::check(chosen),
            Self::Config(ShowConfig { chosen, check: false }) => Settings::read(chosen)?.print(out),
            Self::Backup(arguments) => data::backup(arguments, out),
            Self::Restore(arguments) => data::restore(arguments, out),
            Self::House(House::Check(chosen)) => data::check(chosen, out),
            Self::House(House::RotateKey(arguments)) => data::rotate_key(arguments, out),
            Self::House(House::ResetClock(chosen)) => data::reset_clock(chosen, out),
            Self::House(House::Tidy(arguments)) => data::tidy(arguments, out),
            Self::House(House::Reports(arguments)) => accounts::reports(arguments, out),
            Self::House(House::SignOut(arguments)) => accounts::sign_out(arguments, out),
            Self::House(House::SecondFactorOff(arguments)) => accounts::second_factor_off(arguments, out),
            Self::Version => Ok(writeln!(out, "adoube {}", env!("ADOUBE_VERSION"))?),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Tidy {
    /// Only count, and delete nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
}

/// Which position.
#[derive(Args, Debug)]
pub(crate) struct Start {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// The position; the initial position of the game if not given
    ///
    /// A FEN, or what people paste of one: in quotes, with `_` for blanks, as the line `[FEN "…"]`, an EPD with its operations. Castling
    /// rights that the men do not allow are left out, which is told on standard error.
    #[arg(long)]
    fen: Option<String>,
}

impl Start {
    pub(crate) fn position(&self) -> anyhow::Result<AnyPosition> {
        match &self.fen {
            None => Ok(AnyPosition::initial(self.variant)),
            Some(fen) => {
                let (position, repairs) =
                    AnyPosition::from_fen_lenient(self.variant, fen).context("--fen")?;
                warn("--fen", &repairs);
                Ok(position)
            }
        }
    }
}

/// Tells on standard error what was changed in a position that was given. If that is closed, nobody wants to know.
pub(crate) fn warn(of: &str, repairs: &[Repair]) {
    for repair in repairs {
        let _ = writeln!(std::io::stderr(), "adoube: {of}: warning: {repair}");
    }
}

#[derive(Args, Debug)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) start: Start,
    /// How many turns deep, 0 to 64
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub(crate) depth: u32,
    /// Print `TURN COUNT` for each turn first, sorted; the total is the last line
    #[arg(long)]
    pub(crate) divide: bool,
    /// How many threads count, 1 to 256
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: NonZeroUsize,
    /// Play the turns of the last ply too, instead of only counting them
    #[arg(long)]
    pub(crate) no_bulk: bool,
}

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    const MAX: usize = 256;
    let threads = text.parse().ok().and_then(NonZeroUsize::new).filter(|threads| threads.get() <= MAX);
    threads.ok_or_else(|| format!("it is a number from 1 to {MAX}"))
}

#[derive(Args, Debug)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) start: Start,
}

#[derive(Args, Debug)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) start: Start,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Turns in coordinates, separated by spaces: "e2e4 e7e5"
    #[arg(long, value_name = "TURNS", conflicts_with = "san")]
    pub(crate) moves: Option<String>,
    /// Turns in SAN, separated by spaces: "e4 e5"
    #[arg(long, value_name = "TURNS")]
    pub(crate) san: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Pgn {
    /// Play every turn of every game, variations included
    ///
    /// Prints `FILE:LINE: REASON` for each game that cannot be played as it is written, then, on the last line,
    /// `N games, N plies, N bad`. Ends with 2 if any game is bad or a file cannot be read. What else is changed or left out so that a
    /// game can be read, such as a line that is no tag, is told as `FILE:LINE: warning: REASON` on standard error.
    Check {
        #[command(flatten)]
        files: Files,
    },
    /// Count the games, their plies, results and variants
    ///
    /// Prints `WORD COUNT` a line: games, plies, white, black, draw, unknown, chess, baroque, interweave, other.
    /// Nothing is played: plies are the turns that are written, variations aside.
    Stats {
        #[command(flatten)]
        files: Files,
    },
    /// Write the games anew, in the export format
    ///
    /// Prints all good games, variations, comments and marks included. A game whose main line cannot be played is left out
    /// and told as `FILE:LINE: REASON` on standard error, and the command ends with 2. A variation is written up to its first bad turn;
    /// that, and what else is changed or left out, is told as `FILE:LINE: warning: REASON`.
    Convert {
        #[command(flatten)]
        files: Files,
        /// How turns are written
        #[arg(long, value_name = "TEXT", value_enum, default_value_t = Turns::San)]
        to: Turns,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Files {
    /// The files, in PGN (UTF-8, UTF-16 or Windows-1252); `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// As people write them: Nf3
    San,
    /// As programs do: g1f3
    Coordinates,
}

#[derive(Args, Debug)]
pub(crate) struct Winnable {
    /// The position; `-` as below; the initial position if not given
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) fen: Option<String>,
    /// Read positions from standard input, one a line
    #[arg(value_name = "-", value_parser = ["-"], conflicts_with = "fen")]
    pub(crate) standard_input: Option<String>,
    /// How many positions are made for each side at most
    #[arg(long, value_name = "N", default_value = "1000000", conflicts_with = "quick")]
    pub(crate) nodes: u64,
    /// Spend as little as a game that is being played does on every turn
    #[arg(long)]
    pub(crate) quick: bool,
    /// Print the helpmates too, each on a line of its own: `white: f2f3 …`
    #[arg(long)]
    pub(crate) line: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Diagram {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Turns that are played first, in coordinates and separated by spaces: "e2e4 e7e5"
    #[arg(long, value_name = "TURNS", default_value = "")]
    pub(crate) moves: String,
    /// Circles and arrows on the last position: "e4 Rd5 Ge2e4", after G, R, Y or B for their colour
    #[arg(long, value_name = "MARKS", default_value = "")]
    pub(crate) marks: Marks,
    /// Which men: classic, or mechanism, that show how they take
    #[arg(long, value_name = "SET", default_value = "classic")]
    pub(crate) set: Set,
    /// Black stands below
    #[arg(long)]
    pub(crate) flip: bool,
    /// Do not name files and ranks
    #[arg(long)]
    pub(crate) plain: bool,
    /// Pixels from side to side
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u32).range(64..=2048))]
    pub(crate) width: u32,
    /// Milliseconds for which each picture of a GIF is shown; the last one three times as long
    #[arg(long, value_name = "MS", default_value = "1000", value_parser = clap::value_parser!(u64).range(20..=60_000))]
    pub(crate) delay: u64,
    /// The file, or `-` for SVG on standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Uci {
    /// What limited strength is drawn from; drawn by chance if not given, so that no two games are the same
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Only this game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Option<Variant>,
    /// How deep, instead of the usual depth of each game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: Option<u32>,
    /// Evaluate by the network of a file, instead of the one that comes with the program
    #[arg(long, value_name = "FILE", requires = "variant")]
    pub(crate) network: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) start: Start,
    /// The player whose results are told
    #[arg(long, value_name = "PLAYER", default_value = "own")]
    pub(crate) first: String,
    /// The other one
    #[arg(long, value_name = "PLAYER")]
    pub(crate) second: String,
    /// An option of the first player, if it speaks UCI: NAME=VALUE
    #[arg(long, value_name = "OPTION")]
    pub(crate) first_option: Vec<String>,
    /// An option of the second player, if it speaks UCI: NAME=VALUE
    #[arg(long, value_name = "OPTION")]
    pub(crate) second_option: Vec<String>,
    /// How many games; an odd number is rounded up
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,
    /// How many random turns each opening has
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=40))]
    pub(crate) plies: u32,
    /// How far ahead a side may be in an opening, by the engine's own look at it, in hundredths of a pawn
    ///
    /// 100 hundredths bring three points of four. Openings that are further off say little of strength: whoever gets the better
    /// side wins.
    #[arg(long, value_name = "CP", default_value = "100", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    pub(crate) edge: i32,
    /// What the openings are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// Nodes for each turn; 20000 if nothing limits the players
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// Depth of each search
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Milliseconds for each turn
    #[arg(long = "movetime", value_name = "MS")]
    move_time: Option<u64>,
    /// Seconds for a game, and more for each turn: 5+0.05, 40/60
    #[arg(long, value_name = "TIME", conflicts_with_all = ["nodes", "depth", "move_time"])]
    pub(crate) tc: Option<String>,
    /// Nodes of the first player, if they are others; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    pub(crate) first_nodes: Option<u64>,
    /// Nodes of the second player, if they are others; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    pub(crate) second_nodes: Option<u64>,
    /// Depth of the first player, if it is another
    #[arg(long, value_name = "N")]
    pub(crate) first_depth: Option<u32>,
    /// Depth of the second player, if it is another
    #[arg(long, value_name = "N")]
    pub(crate) second_depth: Option<u32>,
    /// Size of the table of each player, in mebibytes
    #[arg(long, value_name = "MB", default_value = "16", value_parser = clap::value_parser!(u32).range(1..=65_536).map(|n| n as usize))]
    pub(crate) hash: usize,
    /// Threads of each player
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256).map(|n| n as usize))]
    pub(crate) threads: usize,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    pub(crate) concurrency: NonZeroUsize,
    /// Call a game of so many turns of either side a draw
    #[arg(long, value_name = "N")]
    pub(crate) most_plies: Option<u32>,
    /// End as soon as it is known, with 5 % of error, which of two differences in (logistic) Elo is nearer: 0,10
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<String>,
    /// Add the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
}

impl Match {
    pub(crate) fn movetime(&self) -> Option<Duration> {
        self.move_time.map(Duration::from_millis)
    }
}

#[derive(Args, Debug)]
pub(crate) struct Datagen {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Variant,
    /// How many games the file is to hold; no limit if not given
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u32>,
    /// How many positions the file is to hold; a million if neither is given
    #[arg(long, value_name = "N")]
    pub(crate) positions: Option<u64>,
    /// Nodes after which a turn is thought about enough
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// How many games are played at once
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: NonZeroUsize,
    /// What the games are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// A network to play with instead of the one of the engine; `none` is the hand-made evaluation
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
    /// Where the positions go
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Tune {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Variant,
    /// Nodes for each turn
    #[arg(long, value_name = "N", default_value = "8000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// How many games are played
    #[arg(long, value_name = "N", default_value = "4000")]
    pub(crate) games: u64,
    /// How many games are played at once
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub(crate) concurrency: NonZeroUsize,
    /// What the games are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct FitOdds {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Variant,
    /// Files of positions
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Train {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Variant,
    /// Files of positions
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// A network to go on with, whose hidden layer may be smaller; without it all weights are drawn by chance
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Values of the hidden layer: 32, 64, 96, 128, 192, 256, 384 or 512
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) hidden: usize,
    /// Sets of output weights, by the number of men, 1 to 16
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) buckets: usize,
    /// Sets of input weights, by where the own king stands, 1 or 4; a network with one can be gone on with by one with four
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) king_buckets: usize,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) epochs: u32,
    /// Positions between two changes of the weights
    #[arg(long, value_name = "N", default_value = "16384", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub(crate) batch: u32,
    /// How fast it learns in the beginning
    #[arg(long, value_name = "X", default_value = "0.001", value_parser = parse_rate)]
    pub(crate) rate: f32,
    /// How fast it learns at the end
    #[arg(long, value_name = "X", default_value = "0.00001", value_parser = parse_rate)]
    pub(crate) last_rate: f32,
    /// Which share the end of the game has in what is learnt, 0 to 1; the rest is that of the search
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = parse_share)]
    pub(crate) result_share: f32,
    /// Hundredths of a pawn at which a side has 73 % of the points; if not given, that of the network gone on with, or fitted
    /// to the games
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) scale: Option<u16>,
    /// What order and first weights are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// How many threads learn
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: NonZeroUsize,
    /// Where the network goes
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Problems {
    /// The game: chess, baroque or interweave
    #[arg(long, value_name = "GAME")]
    pub(crate) variant: Variant,
    /// How many problems are wanted
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) count: u32,
    /// After so many games it ends with what there is
    #[arg(long, value_name = "N", default_value = "20000")]
    pub(crate) games: u32,
    /// What the games are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// Where the problems go
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or_else(|| "it is a number above 0, at most 1".to_owned())
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

#[derive(Args, Debug)]
pub(crate) struct ShowConfig {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Say whether a server would start with them, instead of showing them
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Believe the system's clock for this start, whatever speaks against it
    #[arg(long)]
    pub(crate) accept_clock: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Copy {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// The copy
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Restore {
    #[command(flatten)]
    pub(crate) copy: Copy,
    /// Take the copy although something in it is damaged; it is named
    #[arg(long)]
    pub(crate) accept_damaged: bool,
}

/// Settings from the command line. They hold before those of the environment, and these before those of the file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// A file of settings, in TOML; `$ADOUBE_CONFIG` if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Where to listen, as an IP address and a port: 127.0.0.1:8787
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// The file that holds the games: adoube.sqlite
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// How browsers reach the server, if something stands before it: `https://chess.example.org`
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) public_origin: Option<String>,
    /// Any setting by its name, such as `limits.connections=500`; `adoube config` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub(crate) set: Vec<(String, String)>,
}

impl Chosen {
    /// Returns all of them by name.
    pub(crate) fn values(&self) -> Vec<(&str, String)> {
        let data = self.data.as_ref().map(|path| path.to_string_lossy().into_owned());
        let named =
            [("listen", self.listen.clone()), ("data", data), ("public_origin", self.public_origin.clone())];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        named.chain(self.set.iter().map(|(name, value)| (name.as_str(), value.clone()))).collect()
    }
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is a name and a value, with `=` between them")?;
    Ok((name.to_owned(), value.to_owned()))
}
