//! PostgreSQL and `SQLite` store the same data and return the same results.

use std::sync::atomic::{AtomicU64, Ordering};

use adoube_store::{
    Admission, Append, CommandRecord, GameFilter, NameSkeleton, NewAccount, NewEvent, NewGame, Phase,
    ReadModel, Seat, Store,
};
use adoube_store_postgres::PostgresStore;
use adoube_store_sqlite::SqliteStore;
use adoube_vocabulary::{
    Color, CommandId, GameId, GameResult, InvitationToken, Level, ListState, MatchId, Millis, PlayerId,
    Version,
};
use proptest::{prelude::*, test_runner::TestRunner};

use crate::start;

pub(crate) fn account(number: u128) -> NewAccount {
    let name = format!("Player{number}");
    NewAccount {
        player: PlayerId::from_random(number),
        skeleton: NameSkeleton {
            skeleton: name.to_lowercase(),
            alternatives: Vec::new(),
            retired: Vec::new(),
        },
        name,
        password: "hash".into(),
        identity: None,
        email: None,
        language: "en".into(),
        created_at: Millis(5),
        admission: Admission::Open,
    }
}

/// A request to both stores. The numbers are small, so that requests refer to the same games and commands.
#[derive(Clone, Debug)]
enum Act {
    Create { game: u8, player: u8, command: u8, read_model: u8 },
    Append { game: u8, based_on: u8, events: u8, command: Option<(u8, u8)>, seat: Option<u8>, read_model: u8 },
}

const GAMES: u8 = 4;
const PLAYERS: u8 = 3;

fn act() -> impl Strategy<Value = Act> {
    let command = || 0..6u8;
    prop_oneof![
        1 => (0..GAMES, 0..PLAYERS, command(), any::<u8>())
            .prop_map(|(game, player, command, read_model)| Act::Create { game, player, command, read_model }),
        4 => (
            0..GAMES,
            1..8u8,
            0..3u8,
            proptest::option::of((0..PLAYERS, command())),
            proptest::option::weighted(0.2, 0..PLAYERS),
            any::<u8>()
        )
            .prop_map(|(game, based_on, events, command, seat, read_model)| Act::Append {
                game,
                based_on,
                events,
                command,
                seat,
                read_model
            }),
    ]
}

/// The ids used in one history.
#[derive(Clone, Copy)]
struct Numbers(u64);

impl Numbers {
    fn game(self, number: u8) -> GameId {
        GameId::from_random(u128::from(self.0 + u64::from(number)))
    }

    fn player(self, number: u8) -> PlayerId {
        PlayerId::from_random(u128::from(self.0 + u64::from(number)))
    }

    fn command(self, (player, number): (u8, u8)) -> CommandRecord {
        let id = CommandId(uuid::Uuid::from_u128(u128::from(number)));
        CommandRecord { player: self.player(player), id, answer: format!("answer {player} {number}") }
    }

    fn a_match(self) -> MatchId {
        MatchId::from_random(u128::from(self.0))
    }
}

fn read_model(bits: u8) -> ReadModel {
    let is_set = |bit: u8| bits & (1 << bit) != 0;
    let phase = match (is_set(0), is_set(1)) {
        (true, true) => Phase::Over,
        (false, false) => Phase::Waiting,
        _ => Phase::Playing,
    };
    ReadModel {
        phase,
        turn: is_set(2).then_some(if is_set(3) { Color::White } else { Color::Black }),
        result: (phase == Phase::Over).then_some(if is_set(4) {
            GameResult::Draw
        } else {
            GameResult::NoResult
        }),
        deadline: is_set(5).then_some(Millis(i64::from(bits) * 7)),
        awaits_machine: is_set(6).then(|| Level::try_from(2).unwrap()),
        summary: format!("summary {bits} é “”"),
    }
}

async fn apply(store: &dyn Store, numbers: Numbers, at: usize, act: &Act) -> String {
    match act.clone() {
        Act::Create { game, player, command, read_model: bits } => {
            let new = NewGame {
                id: numbers.game(game),
                // No two games are created at the same time, because the public list is ordered only by
                // that time.
                created_at: Millis(numbers.0 as i64 + at as i64),
                variant: if game % 2 == 0 { "chess" } else { "baroque" }.into(),
                public: bits % 2 == 0,
                in_match: (game > 1).then(|| (numbers.a_match(), u16::from(game))),
                events: vec![NewEvent { at: Millis(1), body: format!("created {at}") }],
                seats: vec![Seat { color: Color::White, player: numbers.player(player) }],
                invitation: (game == 0).then(|| InvitationToken::from_random(u128::from(numbers.0))),
                read_model: read_model(bits),
                command: numbers.command((player, command)),
                proposal: None,
            };
            store.add_game(new).await.map_or_else(|error| kind(&error), |created| format!("{created:?}"))
        }
        Act::Append { game, based_on, events, command, seat, read_model: bits } => {
            let event = |number: u8| NewEvent {
                at: Millis(numbers.0 as i64 + at as i64),
                body: format!("turn {at} {number} 日本"),
            };
            let append = Append {
                game: numbers.game(game),
                based_on: Version(based_on.into()),
                events: (0..events).map(event).collect(),
                seats: seat
                    .map(|player| Seat { color: Color::Black, player: numbers.player(player) })
                    .into_iter()
                    .collect(),
                read_model: read_model(bits),
                command: command.map(|command| numbers.command(command)),
            };
            store.append(append).await.map_or_else(|error| kind(&error), |appended| format!("{appended:?}"))
        }
    }
}

fn kind(error: &adoube_store::StoreError) -> String {
    format!("{error}")
}

/// Returns the games of a history, their events, the lists in which they appear, and the answers to commands.
async fn read_all(store: &dyn Store, numbers: Numbers) -> Vec<String> {
    let mut all = Vec::new();
    for game in (0..GAMES).map(|game| numbers.game(game)) {
        let events = store.list_events(&game, Version(0)).await.unwrap();
        let found = store.lookup_game(&game).await.unwrap();
        all.push(format!("{found:?} {events:?} {}", store.is_public(&game).await.unwrap()));
    }
    for player in (0..PLAYERS).map(|player| numbers.player(player)) {
        for state in [ListState::Mine, ListState::Waiting, ListState::Playing, ListState::Finished] {
            let mut filter = GameFilter { state, limit: 2, ..GameFilter::all_of(&player, 2) };
            loop {
                let page = store.list_games(&filter).await.unwrap();
                let Some(last) = page.last() else { break };
                filter.after = Some(last.cursor(state));
                all.push(format!("{page:?}"));
            }
        }
        for command in 0..6 {
            let id = CommandId(uuid::Uuid::from_u128(command));
            all.push(format!("{:?}", store.lookup_command(&player, id).await.unwrap()));
        }
    }
    all.push(format!("{:?}", store.list_match(&numbers.a_match()).await.unwrap()));
    all.push(format!("{:?}", store.list_public(5).await.unwrap()));
    all.push(format!("{:?}", store.list_awaiting_machine(None, 100).await.unwrap()));
    let mut running = store.list_running().await.unwrap();
    running.sort_by(|first, second| first.id.cmp(&second.id));
    all.push(format!("{running:?}"));
    all
}

#[test]
fn both_databases_return_the_same_results_for_any_history() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let postgres = runtime.block_on(PostgresStore::open(&address)).unwrap();
    let sqlite = runtime.block_on(SqliteStore::open(&folder.path().join("data.sqlite"))).unwrap();
    let histories = AtomicU64::new(1);
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() });
    runner
        .run(&proptest::collection::vec(act(), 1..40), |acts| {
            let numbers = Numbers(1_000 * histories.fetch_add(1, Ordering::Relaxed));
            runtime.block_on(async {
                for (at, act) in acts.iter().enumerate() {
                    let got = apply(&postgres, numbers, at, act).await;
                    prop_assert_eq!(got, apply(&sqlite, numbers, at, act).await, "{:?}", act);
                }
                prop_assert_eq!(read_all(&postgres, numbers).await, read_all(&sqlite, numbers).await);
                Ok(())
            })
        })
        .unwrap();
    // The hash chains are equal, too.
    let chains = "SELECT string_agg(encode(chain, 'hex'), ' ' ORDER BY id) FROM games";
    let in_postgres = server.psql(crate::database(&address), chains).unwrap();
    let in_sqlite = runtime.block_on(async {
        use sqlx::{Connection as _, Row as _};
        let file = format!("sqlite://{}?mode=ro", folder.path().join("data.sqlite").display());
        let mut connection = sqlx::SqliteConnection::connect(&file).await.unwrap();
        let rows = sqlx::query("SELECT lower(hex(chain)) FROM games ORDER BY id").fetch_all(&mut connection);
        rows.await.unwrap().iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(in_postgres, in_sqlite);
}
