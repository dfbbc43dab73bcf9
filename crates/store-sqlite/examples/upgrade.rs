//! Measures how long a house with many games is unavailable while a new version changes its tables: the time
//! that it takes to copy, migrate and open the file.
//!
//! The file is made from `tests/data/schema-25.db`, which has the tables of an earlier version. Each new game
//! copies the row and the first two events of the longest finished game in that file; every later event is
//! the same turn. The first argument is the number of games, 100,000 by default. If a second one is given, it
//! is the path at which the file is also saved before it is migrated, so that a whole server can be started
//! on it.

use std::{error::Error, fs, path::Path, time::Instant};

use adoube_store::GameStore as _;
use adoube_store_sqlite::SqliteStore;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

const GAMES: u32 = 100_000;
/// The number of events in each game: two at its beginning, and 72 turns.
const EVENTS: u32 = 74;
/// The number of players who play White; an equal number of others play Black.
const PLAYERS: u32 = 5_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games = match arguments.next() {
        Some(text) => match text.parse() {
            Ok(games @ 1..=1_000_000) => games,
            _ => return Err(format!("{text:?} is not a number of games from 1 to 1000000").into()),
        },
        None => GAMES,
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.sqlite");
    write_earlier_version(&path, games).await?;
    if let Some(kept) = arguments.next() {
        fs::copy(&path, kept)?;
    }
    println!("{games} games, {} events, {} MB", games * EVENTS, fs::metadata(&path)?.len() / 1_000_000);

    let began = Instant::now();
    let store = SqliteStore::open(&path).await?;
    println!("copied, migrated and opened in {:.1} s", began.elapsed().as_secs_f64());
    store.close().await;
    let began = Instant::now();
    SqliteStore::open(&path).await?;
    println!("opened again, with nothing to change, in {:.3} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// Writes a file with the tables of the earlier version.
async fn write_earlier_version(path: &Path, games: u32) -> Result<(), Box<dyn Error>> {
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/schema-25.db"), path)?;
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await?;
    // Formatting is safe here, because the values are numbers.
    let fill = format!(
        r#"
        PRAGMA journal_mode = WAL;
        PRAGMA foreign_keys = OFF;
        CREATE TEMP TABLE template AS
            SELECT * FROM games WHERE phase = 'over' ORDER BY version DESC, id LIMIT 1;
        CREATE TEMP TABLE numbers (n INTEGER NOT NULL PRIMARY KEY);
        WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {games})
            INSERT INTO numbers SELECT n FROM counter;
        CREATE TEMP TABLE versions AS
            WITH RECURSIVE counter (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM counter WHERE v < {EVENTS})
            SELECT v, coalesce(
                (SELECT body FROM events WHERE game = (SELECT id FROM template) AND version = v AND v <= 2),
                '{{"schema":2,"atMs":1750000003000,"type":"played","color":"white","turn":"e2e3"}}'
            ) AS body FROM counter;
        BEGIN;
        INSERT INTO games (id, version, created_at, updated_at, phase, awaits_machine, summary, variant, turn,
                deadline, public, match_id, match_number, chain)
            SELECT printf('%012d', n), {EVENTS}, created_at, updated_at, phase, awaits_machine, summary, variant,
                turn, deadline, public, NULL, NULL, chain
            FROM numbers, template ORDER BY n;
        INSERT INTO events (game, version, at, body)
            SELECT printf('%012d', n), v, 1750000003000 + v, body FROM numbers, versions ORDER BY n, v;
        INSERT INTO seats (player, game, color)
            SELECT printf('%020d', n % {PLAYERS}), printf('%012d', n), 'white' FROM numbers
            UNION ALL
            SELECT printf('%020d', {PLAYERS} + n % {PLAYERS}), printf('%012d', n), 'black' FROM numbers
            ORDER BY 1, 2;
        INSERT INTO commands (player, id, game, answer)
            SELECT printf('%020d', (v % 2) * {PLAYERS} + n % {PLAYERS}),
                CAST(printf('%011d%05d', n, v) AS BLOB), printf('%012d', n), '{{"version":1234}}'
            FROM numbers, versions ORDER BY 1, 2;
        COMMIT;
        "#
    );
    sqlx::raw_sql(AssertSqlSafe(fill)).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
