//! Checks that the server shows data written by earlier versions exactly as those versions did.
//!
//! Each database in `crates/store-sqlite/tests/data` is named after the last migration of the version that
//! wrote it. The text file next to it contains the output of that version. `writes_a_database`, which is
//! ignored by default, writes both files for the current version.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use adoube_protocol::{
    Act, AnalysisList, Challenge, ChallengeList, ClientMessage, ColorChoice, ComposedList, ComposedProblem,
    Condition, EventKind, GameEvent, GameList, GameResult, GameSettings, GameSummary, Hall, Me, Obligation,
    Players, ProblemList, ProblemStanding, Seat, Seek, ServerMessage, SessionMessage, Shuffle,
    SolutionBranch, Status, TimeControl,
};
use adoube_rules::Variant;
use adoube_server::{Opponent, OpponentRequest};
use adoube_store::{ChatStore as _, GameStore as _};
use adoube_store_sqlite::SqliteStore;
use serde_json::{Value, json};

use crate::hall::enter;
use crate::house::{FirstTurnOpponent, House, Socket, Visitor, act, begin, chat, command, play, times};

/// The time between writing a database and reading it, in milliseconds.
const LATER_MS: i64 = 3_600_000;

/// A machine that never finds a turn, so games in which it is to move do not change.
struct Undecided;

impl Opponent for Undecided {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        while !request.cancel.load(Ordering::SeqCst) {
            std::thread::park_timeout(Duration::from_millis(5));
        }
        None
    }
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../store-sqlite/tests/data")
}

#[tokio::test]
async fn a_database_of_schema_25_is_shown_as_it_was() {
    // The version that wrote it supported three variants.
    check_unchanged("schema-25", &[Variant::Chess, Variant::Baroque, Variant::Interweave]).await;
}

/// Opens a copy of a database and compares all output with the output of the version that wrote it. `games`
/// are the variants that the earlier version supported.
async fn check_unchanged(name: &str, games: &[Variant]) {
    let expected = fs::read_to_string(data().join(format!("{name}.txt"))).unwrap();
    let (head, _) = expected.split_once("\n\n").unwrap();
    let mut lines = head.lines();
    let now = lines.next().and_then(|line| line.strip_prefix("closed at ")).unwrap().parse().unwrap();
    let visitors = lines.map(|line| {
        let (name, cookie) = line.strip_prefix("visitor ").and_then(|line| line.split_once(' ')).unwrap();
        (name.to_owned(), cookie.to_owned())
    });
    let found =
        describe_database(&data().join(format!("{name}.db")), now, &visitors.collect::<Vec<_>>(), games)
            .await;
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {} of {name}.txt", number + 1);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// Describes the output of a server that runs on a copy of a database, for the given visitors and for a
/// stranger. The database was closed at `closed_at`. Each visitor is given as a name and a cookie.
async fn describe_database(
    database: &Path,
    closed_at: i64,
    visitors: &[(String, String)],
    games: &[Variant],
) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(database, folder.path().join("data.sqlite")).unwrap();
    let store = SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
    let mut text = format!("closed at {closed_at}\n");
    for (name, cookie) in visitors {
        writeln!(text, "visitor {name} {cookie}").unwrap();
    }
    text += "\n";
    write_stored(&mut text, &store).await;
    let change = |config: &mut adoube_server::Config| {
        (config.limits.requests_per_address, _) = times(100_000);
    };
    let house = House::on_store(folder, store, closed_at + LATER_MS, Arc::new(Undecided), change).await;
    let mut ids = Vec::new();
    for (name, cookie) in visitors {
        let mut visitor = Visitor { cookie: Some(cookie.clone()), ..house.visitor() };
        write_account(&mut text, name, &mut visitor, games).await;
        for id in write_games(&mut text, name, &mut visitor).await {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    let mut stranger = house.visitor();
    write_public(&mut text, &mut stranger, games).await;
    for id in ids {
        write_game(&mut text, &mut stranger, &id).await;
        let pgn = stranger.get(&format!("/api/games/{id}/pgn")).await.body;
        let compared_tags = ["[White ", "[Black ", "[Result ", "[Round ", "[TimeControl ", "[FEN "];
        let is_compared = |line: &&str| {
            !line.is_empty()
                && (!line.starts_with('[') || compared_tags.iter().any(|tag| line.starts_with(tag)))
        };
        for line in pgn.lines().filter(is_compared) {
            writeln!(text, "    {line}").unwrap();
        }
    }
    house.close().await;
    text
}

/// Describes the data that only the operator can see.
async fn write_stored(text: &mut String, store: &SqliteStore) {
    for report in store.list_reports(100).await.unwrap() {
        let messages = report.messages.iter().map(|line| line.text.as_str()).collect::<Vec<_>>();
        let name = report.name.as_deref().unwrap_or("nobody");
        writeln!(
            text,
            "report in {} of {name}: {:?}, {messages:?}",
            report.report.game, report.report.reason
        )
        .unwrap();
    }
    let waiting = store.list_awaiting_machine(None, 100).await.unwrap();
    for cursor in waiting {
        writeln!(text, "awaits the machine since {}: {}", cursor.at.0, cursor.game).unwrap();
    }
    let mut running = store.list_running().await.unwrap();
    running.sort_by_key(|game| game.id.clone());
    for game in running {
        writeln!(text, "runs until {}: {}, updated at {}", game.deadline.0, game.id, game.updated_at.0)
            .unwrap();
    }
}

async fn write_account(text: &mut String, name: &str, visitor: &mut Visitor, games: &[Variant]) {
    let me: Me = read(visitor, "/api/account").await;
    let Some(account) = me.account else {
        writeln!(text, "{name} has no account").unwrap();
        return;
    };
    writeln!(
        text,
        "{name} is {}, address {:?} (confirmed: {}), language {}, reminders {}, since {}",
        account.name,
        account.email,
        account.email_confirmed,
        account.language,
        account.reminders,
        account.created_at.0
    )
    .unwrap();
    let challenges: ChallengeList = read(visitor, "/api/challenges").await;
    for (kind, mut list) in [("received", challenges.received), ("sent", challenges.sent)] {
        // Several challenges were created at the same moment, so the id must break ties in the order.
        list.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        for Challenge { id, from, to, color, settings, created_at } in list {
            let settings = settings_text(&settings);
            let color = color_choice(color);
            writeln!(text, "  {kind} challenge {id} {from:?} -> {to} {color} {settings} at {}", created_at.0)
                .unwrap();
        }
    }
    for game in games {
        let standing: ProblemStanding = read(visitor, &format!("/api/standings/{game}")).await;
        writeln!(
            text,
            "  {game}: {} after {} problems, streak {}, {:?}",
            standing.value, standing.problems, standing.streak, standing.seen
        )
        .unwrap();
    }
    let analyses: AnalysisList = read(visitor, "/api/analyses").await;
    for analysis in analyses.analyses {
        let found = visitor.get(&format!("/api/analyses/{}", analysis.id)).await.json();
        let version = analysis.version.0;
        writeln!(
            text,
            "  analysis {} {:?} {} version {version}: {}",
            analysis.id, analysis.name, analysis.variant, found["pgn"]
        )
        .unwrap();
    }
    let data = visitor.get("/api/account/data").await.json();
    writeln!(text, "  said {}", data["chat"]).unwrap();
}

/// Describes a visitor's lists, and each game as the visitor sees it. Returns the ids of the games.
async fn write_games(text: &mut String, name: &str, visitor: &mut Visitor) -> Vec<String> {
    let mine: GameList = read(visitor, "/api/games").await;
    assert_eq!(mine.next, None, "more than a page");
    for game in &mine.games {
        writeln!(text, "  {}", summary(game)).unwrap();
    }
    for query in [
        "state=waiting",
        "state=playing",
        "state=finished",
        "variant=baroque",
        "state=finished&variant=chess",
    ] {
        let list: GameList = read(visitor, &format!("/api/games?{query}")).await;
        let ids = list.games.iter().map(|game| game.id.as_str()).collect::<Vec<_>>();
        writeln!(text, "  {name} {query}: {}", ids.join(" ")).unwrap();
    }
    let ids = mine.games.iter().map(|game| game.id.to_string()).collect::<Vec<_>>();
    for id in &ids {
        write_game(text, visitor, id).await;
        let mut socket = visitor.socket(id, "").await;
        socket.send(&SessionMessage::Ping.into()).await;
        loop {
            match socket.next().await.unwrap() {
                ServerMessage::ChatHistory { lines } => {
                    for line in lines {
                        let (name, color) = (line.name, line.color);
                        writeln!(
                            text,
                            "    {} {} {name:?} {color:?} at {}: {:?}",
                            line.id, line.author, line.at.0, line.text
                        )
                        .unwrap();
                    }
                }
                ServerMessage::Pong { .. } => break,
                _ => {}
            }
        }
    }
    ids
}

async fn write_public(text: &mut String, stranger: &mut Visitor, games: &[Variant]) {
    let hall: Hall = read(stranger, "/api/hall").await;
    for Seek { id, name, color, settings, created_at } in hall.seeks {
        writeln!(
            text,
            "seek {id} {name:?} {} {} at {}",
            color_choice(color),
            settings_text(&settings),
            created_at.0
        )
        .unwrap();
    }
    for game in &hall.games {
        writeln!(text, "shown in the hall: {}", summary(game)).unwrap();
    }
    for game in games {
        let list: ComposedList = read(stranger, &format!("/api/problems/{game}/composed")).await;
        for listed in list.problems {
            let path = format!("/api/problems/{game}/composed/{}", listed.id);
            let problem: ComposedProblem = read(stranger, &path).await;
            assert_eq!(problem.listed, listed);
            let (by, turns) = (listed.by, listed.turns);
            writeln!(
                text,
                "problem {} {:?} {by:?} {game} {:?} {turns} turns at {}",
                listed.id, listed.title, listed.fen, listed.created_at.0
            )
            .unwrap();
            writeln!(
                text,
                "    {} | {} (complete: {})",
                problem.line.join(" "),
                branch(&problem.solution.first),
                problem.solution.complete
            )
            .unwrap();
        }
    }
}

async fn write_game(text: &mut String, visitor: &mut Visitor, id: &str) {
    let game = visitor.game(id).await;
    let you = game
        .you
        .map_or("nobody", |color| if color == adoube_protocol::Color::White { "white" } else { "black" });
    write!(
        text,
        "  game {id} as {you}: {} version {} {:?} {:?}",
        game.variant, game.version.0, game.initial_fen, game.draw_rules
    )
    .unwrap();
    write!(text, " [{}] {} {}", game.turns.join(" "), players(&game.players), status(&game.status)).unwrap();
    write!(text, " created {} {}", game.created_at.0, time_control(&game.time_control)).unwrap();
    if game.touch_move {
        let touch = &game.touch;
        let obligation = touch.obligation.as_ref().map_or_else(String::new, obligation);
        write!(text, " touch-move [{}] adjusting {} {obligation}", touch.squares.join(" "), touch.adjusting)
            .unwrap();
    }
    if let Some(clock) = game.clock {
        write!(text, " clock {}/{}", clock.left.white, clock.left.black).unwrap();
        write!(
            text,
            " running {:?} delay {} first turn until {:?}",
            clock.running, clock.delay_left_ms, clock.first_turn_until
        )
        .unwrap();
    }
    if game.casual {
        text.push_str(", casual");
    }
    for (what, by) in
        [("draw", game.draw_offer), ("takeback", game.takeback), ("rematch", game.rematch_offer)]
    {
        if let Some(by) = by {
            write!(text, ", {what} offered by {by:?}").unwrap();
        }
    }
    if let Some(next) = &game.rematch {
        write!(text, ", rematch {next}").unwrap();
    }
    if !game.conditions.is_empty() {
        write!(text, ", conditions {}", conditions(&game.conditions)).unwrap();
    }
    if let Some(state) = &game.in_match {
        let points = state.half_points;
        write!(text, ", game {} of {} of match {}", state.number, state.best_of, state.id).unwrap();
        write!(
            text,
            " {}:{} half points, over {}, next {:?}",
            points.white,
            points.black,
            state.over,
            state.next.as_ref().map(ToString::to_string)
        )
        .unwrap();
    }
    text.push('\n');
}

async fn read<T: serde::de::DeserializeOwned>(visitor: &mut Visitor, path: &str) -> T {
    let response = visitor.get(path).await;
    assert_eq!(response.status, 200, "{path}: {response:?}");
    serde_json::from_str(&response.body).unwrap()
}

fn summary(game: &GameSummary) -> String {
    let color = |color: Option<adoube_protocol::Color>| {
        color.map_or_else(|| "-".to_owned(), |color| format!("{color:?}"))
    };
    format!(
        "{} {} {} you {} {} turn {} plies {} {} touch-move {} deadline {:?} created {} updated {}",
        game.id,
        game.variant,
        players(&game.players),
        color(game.you),
        status(&game.status),
        color(game.turn),
        game.plies,
        time_control(&game.time_control),
        game.touch_move,
        game.deadline.map(|deadline| deadline.0),
        game.created_at.0,
        game.updated_at.0
    )
}

fn players(players: &Players) -> String {
    let seat = |seat: &Seat| match seat {
        Seat::Open => "open".to_owned(),
        Seat::Person { name } => name.clone().unwrap_or_else(|| "anonymous".into()),
        Seat::Machine { level } => format!("machine {}", level.get()),
    };
    format!("{} - {}", seat(&players.white), seat(&players.black))
}

fn status(status: &Status) -> String {
    match status {
        Status::Waiting => "waiting".to_owned(),
        Status::Playing => "playing".to_owned(),
        Status::Over { result, reason } => {
            let result = match result {
                GameResult::WhiteWins => "1-0",
                GameResult::BlackWins => "0-1",
                GameResult::Draw => "1/2-1/2",
                GameResult::NoResult => "*",
            };
            format!("{result} by {reason}")
        }
    }
}

fn time_control(control: &TimeControl) -> String {
    match control {
        TimeControl::Unlimited => "unlimited".to_owned(),
        TimeControl::Fischer { initial_ms, increment_ms } => format!("{initial_ms}+{increment_ms}"),
        TimeControl::Delay { initial_ms, delay_ms } => format!("{initial_ms} delay {delay_ms}"),
        TimeControl::Correspondence { days_per_turn } => format!("{days_per_turn} days a turn"),
    }
}

fn obligation(obligation: &Obligation) -> String {
    match obligation {
        Obligation::MustMove { own } => format!("must move {own}"),
        Obligation::MustTake { enemy } => format!("must take {enemy}"),
        Obligation::MustTakeWith { own, enemy } => format!("must take {enemy} with {own}"),
    }
}

fn color_choice(color: ColorChoice) -> &'static str {
    match color {
        ColorChoice::White => "white",
        ColorChoice::Black => "black",
        ColorChoice::Random => "random",
    }
}

fn settings_text(settings: &GameSettings) -> String {
    let shuffle = settings.shuffle.map(|shuffle| match shuffle {
        Shuffle::Number { white, black } => format!("{white}/{black}"),
        Shuffle::Random { sides } => format!("random {sides:?}"),
    });
    format!(
        "{} from {:?} shuffle {shuffle:?} {:?} {:?} touch-move {:?} casual {:?} games {:?}",
        settings.variant,
        settings.fen,
        settings.time_control.as_ref().map(time_control),
        settings.draw_rules,
        settings.touch_move,
        settings.casual,
        settings.games
    )
}

fn conditions(tree: &[Condition]) -> String {
    let condition = |one: &Condition| format!("{} {} ({})", one.reply, one.answer, conditions(&one.then));
    tree.iter().map(condition).collect::<Vec<_>>().join(", ")
}

fn branch(at: &SolutionBranch) -> String {
    let replies = at.replies.iter().map(|reply| format!("{}: {}", reply.turn, branch(&reply.then)));
    format!("{} or {:?} {{{}}}", at.turn, at.others, replies.collect::<Vec<_>>().join("; "))
}

/// Plays games of all kinds, and writes the database and a description of the output to the data folder. The
/// environment variable `ADOUBE_DATABASE` gives the name of both files.
#[tokio::test]
#[ignore = "writes test data for the current schema; see crates/store-sqlite/tests/data/README.md"]
async fn writes_a_database() {
    let name =
        std::env::var("ADOUBE_DATABASE").expect("ADOUBE_DATABASE names the database, such as schema-25");
    let change = |config: &mut adoube_server::Config| {
        let limits = &mut config.limits;
        (limits.creations, limits.creations_per_address) = times(10_000);
        (limits.requests_per_address, limits.messages_per_address) = times(100_000);
        (limits.chat_lines, limits.chat_lines_per_address) = times(10_000);
    };
    // A realistic time so that the dates in the files are plausible.
    let begin_ms = 1_750_000_000_000;
    let house =
        House::open_at(tempfile::tempdir().unwrap(), begin_ms, Arc::new(FirstTurnOpponent), change).await;
    let [mut anna, mut bela, mut carl, mut dora] = [(); 4].map(|()| house.visitor());
    for visitor in [&mut carl, &mut dora] {
        visitor.get("/api/account").await;
    }
    anna.register("Anna").await;
    let bela_registration =
        json!({ "name": "Béla", "password": "correct horse", "email": "bela@example.org", "language": "es" });
    assert_eq!(bela.post("/api/account", &bela_registration).await.status, 201);

    end_games(&house, &mut anna, &mut bela, &mut carl).await;
    run_out_of_time(&house, &mut anna, &mut dora).await;
    play_matches(&house, &mut anna, &mut bela, &mut carl).await;
    play_machine(&house, &mut anna, &mut carl).await;
    study(&mut anna, &mut bela).await;
    create_deleted_account(&house, &mut anna).await;
    create_hall_games(&mut anna, &mut bela, &mut carl).await;
    leave_open(&house, &mut anna, &mut bela, &mut carl, &mut dora).await;

    // The games in which the machine is to move must not change, so its engine never finds a turn.
    let now = house.clock_now();
    let house = House::open_at(house.close().await, now, Arc::new(Undecided), change).await;
    anna.address = house.address;
    anna.create("baroque", "black", &json!({ "type": "machine", "level": 7 })).await;
    let closed_at = house.clock_now();
    let folder = house.close().await;

    let database = data().join(format!("{name}.db"));
    shrink(&folder.path().join("data.sqlite"), &database);
    let visitors = [("anna", anna), ("bela", bela), ("carl", carl), ("dora", dora)];
    let visitors = visitors.map(|(name, visitor)| (name.to_owned(), visitor.cookie.unwrap()));
    let text = describe_database(&database, closed_at, &visitors, &Variant::ALL).await;
    fs::write(data().join(format!("{name}.txt")), text).unwrap();
}

/// Compacts a database, with small pages and without deleted rows.
fn shrink(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
    let done = std::process::Command::new("sqlite3")
        .arg(to)
        .arg("PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM;")
        .status();
    assert!(done.expect("sqlite3 is installed").success());
}

type ScriptedGame<'a> = (&'a str, Option<&'a str>, &'a str, &'a str);

/// Plays untimed games, which end on the board or through a player's act.
async fn end_games(house: &House, anna: &mut Visitor, bela: &mut Visitor, carl: &mut Visitor) {
    let knights = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let kings = "a1b2 h8g7 b2a1 g7h8 a1b2 h8g7 b2a1 g7h8";
    let games: [ScriptedGame<'_>; 12] = [
        ("chess", None, "club", "f2f3 e7e5 g2g4 d8h4"),
        ("chess", Some("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), "club", "g5g6"),
        ("chess", Some("8/8/4k3/8/8/4p3/4K3/1N3N2 w - - 0 1"), "club", "e2e3"),
        ("chess", Some("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1"), "club", "g3g4"),
        ("chess", Some("8/8/4k3/8/8/4K3/8/R7 w - - 98 80"), "club", "a1a2 e6e5"),
        ("chess", None, "club", knights),
        ("baroque", None, "club", "b2b3 b7b6 b3b2 b6b7 b2b3 b7b6 b3b2 b6b7"),
        ("interweave", Some("4k2k/8/8/8/8/8/8/K2K4 w - - 0 1"), "fide", kings),
        ("interweave", Some("7k/8/8/8/8/4k3/4K3/K7 w - - 0 1"), "club", "e2e4"),
        ("interweave", Some("k7/1P6/8/8/8/8/6P1/K1K4k w - - 0 1"), "club", "c1d2"),
        ("chess", Some("4k3/P7/8/8/8/8/8/4K2R w K - 0 1"), "club", "e1g1 e8d7 a7a8n d7c6"),
        ("ultima", None, "club", "b2b3 b7b6 b3b2 b6b7 b2b3 b7b6 b3b2 b6b7"),
    ];
    for (index, (variant, fen, rules, turns)) in games.into_iter().enumerate() {
        let settings = json!({ "variant": variant, "drawRules": rules, "fen": fen });
        let (white, black) = if index % 2 == 0 { (&mut *anna, &mut *bela) } else { (&mut *carl, &mut *anna) };
        let mut board = Board::begin(white, black, settings).await;
        house.clock.advance(1_000);
        board.play(turns).await;
    }
    let fifty = json!({ "variant": "chess", "drawRules": "fide", "fen": "8/8/4k3/8/8/4K3/8/R7 w - - 98 80" });
    let mut board = Board::begin(anna, bela, fifty).await;
    board.play("a1a2 e6e5").await;
    board.send(0, &act(Act::ClaimDraw)).await;

    let mut board = Board::begin(bela, anna, json!({ "variant": "baroque", "casual": false })).await;
    board.play("a2a4 a7a5").await;
    board.send(1, &act(Act::Resign)).await;

    let mut board = Board::begin(anna, bela, json!({ "variant": "chess" })).await;
    board.play("e2e4").await;
    board.send(1, &act(Act::OfferDraw)).await;
    board.send(0, &act(Act::DeclineDraw)).await;
    board.play("e7e5").await;
    board.send(0, &act(Act::ProposeTakeback)).await;
    board.send(1, &act(Act::DeclineTakeback)).await;
    board.play("g1f3").await;
    board.send(0, &act(Act::ProposeTakeback)).await;
    board.send(1, &act(Act::AcceptTakeback)).await;
    board.plies -= 1;
    board.play("d2d4").await;
    board.send(0, &act(Act::OfferDraw)).await;
    board.send(1, &act(Act::AcceptDraw)).await;
    // The rematch, with the sides exchanged.
    board.send(0, &act(Act::OfferRematch)).await;
    board.send(1, &act(Act::DeclineRematch)).await;
    board.send(1, &act(Act::OfferRematch)).await;
    board.send(0, &act(Act::AcceptRematch)).await;
    let id = board.id.clone();
    let next = anna.game(&id).await.rematch.unwrap();
    let mut rematch = Board::at(bela, anna, next.as_str(), 1).await;
    rematch.play("c2c4").await;
    rematch.send(0, &act(Act::Resign)).await;
    rematch.send(1, &act(Act::OfferRematch)).await;

    let mut board = Board::begin(carl, bela, json!({ "variant": "interweave" })).await;
    board.send(1, &act(Act::Abort)).await;
}

/// Plays games that end because time has run out or a player has left.
async fn run_out_of_time(house: &House, anna: &mut Visitor, dora: &mut Visitor) {
    let blitz = |fen: Option<&str>| {
        json!({
            "variant": "chess", "fen": fen,
            "timeControl": { "type": "fischer", "initialMs": 180_000, "incrementMs": 2_000 },
        })
    };
    let wait_until_over = async |visitor: &mut Visitor, id: &str| {
        for _ in 0..1_000 {
            if matches!(visitor.game(id).await.status, Status::Over { .. }) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{id} is not over");
    };
    let mut board = Board::begin(anna, dora, blitz(None)).await;
    board.play("e2e4 e7e5").await;
    house.clock.advance(10_000);
    board.play("g1f3").await;
    board.send(0, &act(Act::GiveTime)).await;
    let id = board.id.clone();
    drop(board);
    house.clock.advance(200_000);
    wait_until_over(anna, &id).await;

    // In this game, the side with time left cannot win.
    let mut board = Board::begin(anna, dora, blitz(Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))).await;
    board.play("e2e3 e8d7").await;
    let id = board.id.clone();
    drop(board);
    house.clock.advance(200_000);
    wait_until_over(anna, &id).await;

    let delay = json!({ "variant": "baroque", "timeControl": { "type": "delay", "initialMs": 60_000, "delayMs": 2_000 } });
    let id = begin(dora, anna, delay).await;
    house.clock.advance(60_001);
    wait_until_over(dora, &id).await;

    let mut board = Board::begin(anna, dora, blitz(None)).await;
    board.play("e2e4 e7e5 g1f3").await;
    let Board { mut sockets, id, .. } = board;
    drop(sockets.pop());
    sockets[0].presence((true, false, 0)).await;
    house.clock.advance(60_000);
    sockets[0].command(&act(Act::ClaimLeft)).await.unwrap();
    assert!(matches!(anna.game(&id).await.status, Status::Over { .. }));
}

/// Creates a match that is decided, one that is in progress, and one without an opponent.
async fn play_matches(house: &House, anna: &mut Visitor, bela: &mut Visitor, carl: &mut Visitor) {
    let settings = json!({ "variant": "chess", "games": 3 });
    let mut board = Board::begin(anna, bela, settings.clone()).await;
    board.send(1, &act(Act::Resign)).await;
    let second = next_of_match(anna, &board.id.clone()).await;
    // A player who calls the game off loses it.
    Board::at(bela, anna, &second, 1).await.send(1, &act(Act::Abort)).await;
    house.clock.advance(1_000);
    let third = next_of_match(anna, &second).await;
    let mut board = Board::at(anna, bela, &third, 1).await;
    board.play("f2f3 e7e5 g2g4 d8h4").await;
    assert!(anna.game(&third).await.in_match.unwrap().over);

    let settings = json!({ "variant": "baroque", "games": 5, "touchMove": true });
    let mut board = Board::begin(carl, anna, settings).await;
    board.send(0, &act(Act::OfferDraw)).await;
    board.send(1, &act(Act::AcceptDraw)).await;
    let second = next_of_match(anna, &board.id.clone()).await;
    let mut board = Board::at(anna, carl, &second, 1).await;
    board.play("a2a4").await;
    board.send(1, &act(Act::Resign)).await;
    let third = next_of_match(anna, &second).await;
    Board::at(carl, anna, &third, 1).await.play("b2b4").await;

    let mut friend = json!({ "command": command(), "color": "random", "opponent": { "type": "friend" } });
    friend
        .as_object_mut()
        .unwrap()
        .extend(json!({ "variant": "interweave", "games": 2 }).as_object().unwrap().clone());
    assert_eq!(carl.post("/api/games", &friend).await.status, 201);
}

async fn next_of_match(visitor: &mut Visitor, id: &str) -> String {
    visitor.game(id).await.in_match.unwrap().next.unwrap().to_string()
}

async fn play_machine(house: &House, anna: &mut Visitor, carl: &mut Visitor) {
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 3 })).await;
    let mut socket = anna.socket(&id, "?version=1").await;
    for (turn, version) in [("e2e4", 1), ("d2d4", 3)] {
        socket.send(&play(version, turn)).await;
        while socket.event().await.0 < version + 2 {}
    }
    socket.command(&act(Act::ProposeTakeback)).await.unwrap();
    while !matches!(socket.event().await.1, GameEvent::Other(EventKind::TakenBack { .. })) {}
    house.clock.advance(1_000);
    socket.command(&act(Act::Resign)).await.unwrap();
    socket.command(&act(Act::OfferRematch)).await.unwrap();
    while !matches!(socket.event().await.1, GameEvent::Other(EventKind::RematchAccepted { .. })) {}
    let (id, _) = carl.create("interweave", "white", &json!({ "type": "machine", "level": 10 })).await;
    let mut socket = carl.socket(&id, "?version=1").await;
    socket.send(&play(1, "b2c3")).await;
    while socket.event().await.0 < 3 {}
}

/// Creates composed problems, attempts and analyses.
async fn study(anna: &mut Visitor, bela: &mut Visitor) {
    let composed = [
        ("chess", "8/7k/8/3N1KR1/8/8/8/8 w - - 0 1", 2, json!("Nocturne")),
        ("baroque", "pk6/8/8/4p3/5P2/1K2m2b/3P1P1M/n7 b - - 0 1", 2, Value::Null),
        ("interweave", "3kkn2/3N2RR/8/3n4/1p1p4/5P2/4P3/3KK3[NBBrrbb] b - - 0 1", 2, json!("À deux rois")),
        ("ultima", "3k4/8/8/8/P2Bm1p1/2b2P1M/3q4/1K6 b - - 0 1", 2, json!("Ultima")),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, json!("To be withdrawn")),
    ];
    let mut last = String::new();
    for (variant, fen, turns, title) in composed {
        let problem = json!({
            "command": command(), "title": title, "fen": fen, "goal": "win", "turns": turns, "lines": [],
        });
        let published = bela.post(&format!("/api/problems/{variant}/composed"), &problem).await;
        assert_eq!(published.status, 201, "{published:?}");
        last = published.json()["id"].as_str().unwrap().into();
    }
    assert_eq!(
        bela.request("DELETE", &format!("/api/problems/chess/composed/{last}"), &[], "").await.status,
        204
    );
    for variant in Variant::ALL {
        let list: ProblemList = read(anna, &format!("/api/problems/{variant}")).await;
        for (problem, own) in list.problems.iter().zip([usize::MAX, 1, usize::MAX]) {
            let turns = problem.line.iter().step_by(2).take(own).collect::<Vec<_>>();
            let attempt = json!({ "command": command(), "problem": problem.id, "turns": turns });
            assert_eq!(anna.post(&format!("/api/standings/{variant}"), &attempt).await.status, 200);
        }
    }
    for (name, pgn) in [
        ("Italian", "[Event \"?\"]\n\n1. e4 e5 2. Nf3 (2. Bc4 $5 {towards f7}) 2... Nc6 *\n"),
        ("Avec un accent: é", "[Variant \"Baroque\"]\n\n1. Pc2c4 *"),
    ] {
        let saved =
            anna.post("/api/analyses", &json!({ "command": command(), "name": name, "pgn": pgn })).await;
        assert_eq!(saved.status, 201, "{saved:?}");
    }
}

/// Creates an account that plays and is then deleted.
async fn create_deleted_account(house: &House, anna: &mut Visitor) {
    let mut emil = house.visitor();
    emil.register("Emil").await;
    let mut board = Board::begin(&mut emil, anna, json!({ "variant": "chess" })).await;
    board.play("e2e4 e7e5").await;
    board.send(0, &chat("good bye")).await;
    drop(board);
    let body = json!({ "password": "correct horse" }).to_string();
    let response =
        emil.request("DELETE", "/api/account", &[("content-type", "application/json")], &body).await;
    assert_eq!(response.status, 204, "{response:?}");
}

/// Creates games that begin in the hall, and proposals that remain open.
async fn create_hall_games(anna: &mut Visitor, bela: &mut Visitor, carl: &mut Visitor) {
    let _socket = enter(anna).await;
    let request_with = |settings: Value| {
        let mut request = json!({ "command": command(), "color": "random", "variant": "chess" });
        request.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        request
    };
    let days = json!({ "type": "correspondence", "daysPerTurn": 3 });
    let delay = json!({ "type": "delay", "initialMs": 3_600_000, "delayMs": 5_000 });
    let shuffled = json!({ "color": "white", "variant": "baroque", "timeControl": delay, "shuffle": { "type": "random", "sides": "different" } });
    let seek = anna.post("/api/seeks", &request_with(shuffled)).await.json();
    let taken = carl.post(&format!("/api/seeks/{}/accept", seek["id"].as_str().unwrap()), &Value::Null).await;
    assert_eq!(taken.status, 200, "{taken:?}");
    let numbered = json!({ "to": "Anna", "variant": "interweave", "timeControl": days, "shuffle": { "type": "number", "white": 7, "black": 11 } });
    let challenge = bela.post("/api/challenges", &request_with(numbered)).await.json();
    let id = challenge["id"].as_str().unwrap();
    let taken = anna.post(&format!("/api/challenges/{id}/accept"), &Value::Null).await;
    assert_eq!(taken.status, 200, "{taken:?}");

    for settings in [
        json!({ "timeControl": days, "drawRules": "fide", "touchMove": true, "casual": false }),
        json!({ "variant": "baroque", "timeControl": days, "shuffle": { "type": "random", "sides": "same" }, "games": 4 }),
    ] {
        assert_eq!(anna.post("/api/seeks", &request_with(settings)).await.status, 201);
    }
    for (mut visitor, to, settings) in [
        (
            anna.clone(),
            "Béla",
            json!({ "color": "black", "timeControl": { "type": "unlimited" }, "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" }),
        ),
        (
            bela.clone(),
            "Anna",
            json!({ "color": "white", "variant": "interweave", "timeControl": { "type": "fischer", "initialMs": 600_000, "incrementMs": 0 } }),
        ),
        (
            anna.clone(),
            "Béla",
            json!({ "variant": "baroque", "shuffle": { "type": "number", "white": 3, "black": 3 } }),
        ),
    ] {
        let mut challenge = request_with(settings);
        challenge["to"] = json!(to);
        assert_eq!(visitor.post("/api/challenges", &challenge).await.status, 201);
    }
}

/// Leaves some games in progress, each in a different state.
async fn leave_open(
    house: &House,
    anna: &mut Visitor,
    bela: &mut Visitor,
    carl: &mut Visitor,
    dora: &mut Visitor,
) {
    for (color, variant) in [("white", "chess"), ("black", "interweave")] {
        carl.create(variant, color, &json!({ "type": "friend" })).await;
    }
    let days = json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    let mut board = Board::begin(anna, bela, days).await;
    board.play("e2e4").await;
    let then = vec![Condition { reply: "b8c6".into(), answer: "f1b5".into(), then: Vec::new() }];
    let tree = vec![
        Condition { reply: "e7e5".into(), answer: "g1f3".into(), then },
        Condition { reply: "c7c5".into(), answer: "b1c3".into(), then: Vec::new() },
    ];
    let set = act(Act::SetConditions { version: board.version, tree });
    board.send(0, &set).await;
    board.play("e7e5").await;

    let mut board = Board::begin(bela, dora, json!({ "variant": "chess", "touchMove": true })).await;
    let version = board.version;
    board.send(0, &act(Act::Adjust { version })).await;
    for square in ["a2", "e2"] {
        board.send(0, &act(Act::Touch { version, square: square.into() })).await;
    }
    for (side, text) in [(0, "<b>hello</b>"), (1, "Ça va ?"), (0, "rude words")] {
        board.send(side, &chat(text)).await;
    }
    let mut spectator = carl.socket(&board.id, "?version=2").await;
    spectator.command(&chat("psst")).await.unwrap();
    let line = last_line(dora, &board.id).await;
    board
        .send(1, &SessionMessage::ReportChat { command: command(), line, reason: "rude".into() }.into())
        .await;
    drop((board, spectator));

    let mut board = Board::begin(dora, carl, json!({ "variant": "interweave" })).await;
    board.play("b2c3").await;
    board.send(0, &act(Act::ProposeTakeback)).await;
    let mut board = Board::begin(carl, dora, json!({ "variant": "baroque" })).await;
    board.play("a2a4 a7a5").await;
    board.send(0, &act(Act::OfferDraw)).await;

    let rapid = json!({ "variant": "chess", "timeControl": { "type": "fischer", "initialMs": 1_800_000, "incrementMs": 10_000 } });
    let mut board = Board::begin(anna, carl, rapid).await;
    board.play("d2d4 d7d5").await;
    house.clock.advance(20_000);
    board.play("c2c4").await;
}

async fn last_line(visitor: &Visitor, id: &str) -> i64 {
    let mut socket = visitor.socket(id, "?version=2").await;
    loop {
        if let Some(ServerMessage::ChatHistory { lines }) = socket.next().await {
            return lines.last().unwrap().id;
        }
    }
}

/// A game with the sockets of both players open.
struct Board {
    id: String,
    sockets: Vec<Socket>,
    /// The version on which the next turn is based.
    version: u64,
    plies: usize,
}

impl Board {
    async fn begin(white: &mut Visitor, black: &mut Visitor, mut settings: Value) -> Self {
        settings.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let id = begin(white, black, settings).await;
        Self::at(white, black, &id, 2).await
    }

    async fn at(white: &mut Visitor, black: &mut Visitor, id: &str, version: u64) -> Self {
        let query = format!("?version={version}");
        let sockets = vec![white.socket(id, &query).await, black.socket(id, &query).await];
        Self { id: id.to_owned(), sockets, version, plies: 0 }
    }

    /// Plays turns, White first. The game may end with the last one.
    async fn play(&mut self, turns: &str) {
        for turn in turns.split(' ') {
            self.version = self.sockets[self.plies % 2].play(self.version, turn).await.unwrap();
            self.plies += 1;
        }
    }

    /// Sends a message from one side. The next turn is based on the resulting version.
    async fn send(&mut self, side: usize, message: &ClientMessage) {
        let version = self.sockets[side].command(message).await.unwrap();
        self.version = self.version.max(version);
    }
}
