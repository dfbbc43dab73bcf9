//! Games: their logs, lists and matches, and concurrent changes. Also secrets.

use std::{collections::BTreeSet, sync::Arc};

use adoube_vocabulary::{Color, GameResult, InvitationToken, Level, ListState, MatchId, Millis, Version};

use super::{command_id, game_id, player};
use crate::{
    Append, Appended, CommandRecord, Created, GameFilter, Match, NewEvent, NewGame, Phase, ReadModel,
    RunningGame, Seat, Store,
};

fn event(at: i64, body: &str) -> NewEvent {
    NewEvent { at: Millis(at), body: body.into() }
}

fn read_model(summary: &str) -> ReadModel {
    ReadModel {
        phase: Phase::Playing,
        turn: Some(Color::White),
        result: None,
        deadline: None,
        awaits_machine: None,
        summary: summary.into(),
    }
}

pub(super) fn new_game(number: u128, creator: u128, command: u128) -> NewGame {
    NewGame {
        id: game_id(number),
        created_at: Millis(1000 + number as i64),
        variant: "chess".into(),
        public: false,
        in_match: None,
        events: vec![event(1000, "created")],
        seats: vec![Seat { color: Color::White, player: player(creator) }],
        invitation: Some(InvitationToken::from_random(number)),
        read_model: ReadModel { phase: Phase::Waiting, ..read_model("new") },
        command: CommandRecord {
            player: player(creator),
            id: command_id(command),
            answer: format!("answer {number}"),
        },
        proposal: None,
    }
}

fn append(number: u128, based_on: u64, bodies: &[&str]) -> Append {
    Append {
        game: game_id(number),
        based_on: Version(based_on),
        events: bodies.iter().map(|body| event(2000, body)).collect(),
        seats: Vec::new(),
        read_model: read_model("going on"),
        command: None,
    }
}

pub(super) async fn check(store: &Arc<dyn Store>) {
    a_secret_is_created_once(&**store).await;
    a_game_is_created_once(&**store).await;
    events_follow_the_version_they_are_based_on(&**store).await;
    a_command_is_applied_once(&**store).await;
    a_refused_append_changes_nothing(&**store).await;
    games_are_listed_for_their_players(&**store).await;
    the_machine_finds_its_games(&**store).await;
    lists_are_filtered_and_paged(&**store).await;
    running_games_and_games_of_a_match_are_listed(&**store).await;
    only_one_of_many_concurrent_appends_wins(store).await;
    many_games_at_once(store).await;
}

async fn a_secret_is_created_once(store: &dyn Store) {
    store.check().await.unwrap();
    assert_eq!(store.secret("one", b"first").await.unwrap(), b"first");
    assert_eq!(store.secret("one", b"second").await.unwrap(), b"first");
    assert_eq!(store.secret("two", b"other").await.unwrap(), b"other");
    store.set_secret("one", b"third").await.unwrap();
    store.set_secret("three", b"").await.unwrap();
    assert_eq!(store.secret("one", b"fourth").await.unwrap(), b"third");
    assert_eq!(store.secret("three", b"fourth").await.unwrap(), b"", "an empty secret is stored too");
}

async fn a_game_is_created_once(store: &dyn Store) {
    assert_eq!(store.lookup_game(&game_id(1)).await.unwrap(), None);
    assert_eq!(store.add_game(new_game(1, 10, 100)).await.unwrap(), Created::Done);
    assert!(!store.is_public(&game_id(1)).await.unwrap() && !store.is_public(&game_id(77)).await.unwrap());
    // A repeated command gets the first answer, even with a different game.
    assert_eq!(store.add_game(new_game(2, 10, 100)).await.unwrap(), Created::Repeated("answer 1".into()));
    assert_eq!(store.lookup_game(&game_id(2)).await.unwrap(), None);
    // The same command id from another player is a different command.
    assert_eq!(store.add_game(new_game(2, 11, 100)).await.unwrap(), Created::Done);
    assert_eq!(store.add_game(new_game(1, 10, 101)).await.unwrap(), Created::IdTaken);

    let game = store.lookup_game(&game_id(1)).await.unwrap().unwrap();
    assert_eq!((game.version, game.created_at, game.phase), (Version(1), Millis(1001), Phase::Waiting));
    assert_eq!(game.summary, "new");
    let invitation = store.lookup_invitation(&InvitationToken::from_random(1)).await.unwrap().unwrap();
    assert_eq!(invitation.game, game_id(1));
    assert_eq!(store.lookup_invitation(&InvitationToken::from_random(99)).await.unwrap(), None);
    assert_eq!(
        store.lookup_command(&player(10), command_id(100)).await.unwrap().as_deref(),
        Some("answer 1")
    );
    assert_eq!(store.lookup_command(&player(12), command_id(100)).await.unwrap(), None);
}

async fn events_follow_the_version_they_are_based_on(store: &dyn Store) {
    assert_eq!(store.append(append(1, 1, &["a", "b"])).await.unwrap(), Appended::Done(Version(3)));
    assert_eq!(store.append(append(1, 1, &["late"])).await.unwrap(), Appended::Conflict(Version(3)));
    assert_eq!(store.append(append(1, 9, &["early"])).await.unwrap(), Appended::Conflict(Version(3)));
    assert_eq!(store.append(append(77, 1, &["lost"])).await.unwrap(), Appended::Missing);
    let log = store.list_events(&game_id(1), Version(0)).await.unwrap();
    let log = log.iter().map(|event| (event.version.0, event.body.as_str())).collect::<Vec<_>>();
    assert_eq!(log, [(1, "created"), (2, "a"), (3, "b")]);
    let rest = store.list_events(&game_id(1), Version(2)).await.unwrap();
    assert_eq!((rest.len(), rest[0].version, rest[0].at), (1, Version(3), Millis(2000)));
    assert!(store.list_events(&game_id(77), Version(0)).await.unwrap().is_empty());
    let game = store.lookup_game(&game_id(1)).await.unwrap().unwrap();
    assert_eq!((game.version, game.phase, game.updated_at), (Version(3), Phase::Playing, Millis(2000)));
}

async fn a_command_is_applied_once(store: &dyn Store) {
    let command = CommandRecord { player: player(10), id: command_id(200), answer: "played".into() };
    let first = Append { command: Some(command.clone()), ..append(1, 3, &["c"]) };
    assert_eq!(store.append(first.clone()).await.unwrap(), Appended::Done(Version(4)));
    assert_eq!(store.append(first).await.unwrap(), Appended::Repeated("played".into()));
    // A repeat is recognised whatever version it is based on.
    let again = Append { command: Some(command), ..append(1, 4, &["c"]) };
    assert_eq!(store.append(again).await.unwrap(), Appended::Repeated("played".into()));
    assert_eq!(store.list_events(&game_id(1), Version(3)).await.unwrap().len(), 1);
}

async fn a_refused_append_changes_nothing(store: &dyn Store) {
    // The seat is already taken, so the whole append must fail.
    let thief = Append {
        seats: vec![Seat { color: Color::White, player: player(12) }],
        command: Some(CommandRecord { player: player(12), id: command_id(300), answer: "stolen".into() }),
        ..append(1, 4, &["stolen"])
    };
    store.append(thief).await.unwrap_err();
    assert_eq!(store.lookup_game(&game_id(1)).await.unwrap().unwrap().version, Version(4));
    assert_eq!(store.list_events(&game_id(1), Version(4)).await.unwrap(), []);
    assert_eq!(store.lookup_command(&player(12), command_id(300)).await.unwrap(), None);
    assert!(store.list_games(&GameFilter::all_of(&player(12), 10)).await.unwrap().is_empty());
}

async fn games_are_listed_for_their_players(store: &dyn Store) {
    let join = Append {
        seats: vec![Seat { color: Color::Black, player: player(11) }],
        read_model: read_model("joined"),
        ..append(1, 4, &["joined"])
    };
    assert_eq!(store.append(join).await.unwrap(), Appended::Done(Version(5)));
    let games = store.list_games(&GameFilter::all_of(&player(11), 10)).await.unwrap();
    let games = games.iter().map(|listed| (&listed.game.id, listed.color)).collect::<Vec<_>>();
    assert_eq!(games, [(&game_id(2), Some(Color::White)), (&game_id(1), Some(Color::Black))]);
    assert_eq!(store.list_games(&GameFilter::all_of(&player(11), 1)).await.unwrap().len(), 1);
    assert_eq!(
        store.list_games(&GameFilter::all_of(&player(10), 10)).await.unwrap()[0].game.summary,
        "joined"
    );
    assert!(store.list_games(&GameFilter::all_of(&player(99), 10)).await.unwrap().is_empty());
}

async fn the_machine_finds_its_games(store: &dyn Store) {
    let awaiting = |level: Option<u8>| ReadModel {
        awaits_machine: level.map(|level| Level::try_from(level).unwrap()),
        ..read_model("machine")
    };
    store.add_game(NewGame { read_model: awaiting(Some(2)), ..new_game(3, 13, 400) }).await.unwrap();
    let found = store.list_awaiting_machine(None, 10).await.unwrap();
    assert_eq!(found.iter().map(|cursor| &cursor.game).collect::<Vec<_>>(), [&game_id(3)]);
    assert_eq!(store.list_awaiting_machine(None, 0).await.unwrap(), []);
    assert_eq!(store.list_awaiting_machine(found.last(), 10).await.unwrap(), []);
    store.append(Append { read_model: awaiting(None), ..append(3, 1, &["played"]) }).await.unwrap();
    assert_eq!(store.list_awaiting_machine(None, 10).await.unwrap(), []);
}

async fn lists_are_filtered_and_paged(store: &dyn Store) {
    let me = player(60);
    for number in 600..606u128 {
        let mut game = new_game(number, 60, number);
        game.variant = if number % 2 == 0 { "chess".into() } else { "baroque".into() };
        game.read_model.turn = Some(if number < 603 { Color::White } else { Color::Black });
        game.read_model.phase = if number == 605 { Phase::Over } else { Phase::Playing };
        game.read_model.deadline = (number == 602).then_some(Millis(77));
        assert_eq!(store.add_game(game).await.unwrap(), Created::Done);
    }
    let list = async |state: ListState, variant: Option<&str>, limit: u32| {
        let mut filter =
            GameFilter { state, variant: variant.map(Into::into), ..GameFilter::all_of(&me, limit) };
        let mut pages = Vec::new();
        loop {
            let page = store.list_games(&filter).await.unwrap();
            let Some(last) = page.last() else { return pages };
            filter.after = Some(last.cursor(state));
            pages.extend(page.into_iter().map(|listed| listed.game.id));
        }
    };
    let ids = |numbers: &[u128]| numbers.iter().map(|&number| game_id(number)).collect::<Vec<_>>();
    assert_eq!(list(ListState::Mine, None, 2).await, ids(&[605, 604, 603, 602, 601, 600]));
    assert_eq!(list(ListState::Mine, Some("baroque"), 1).await, ids(&[605, 603, 601]));
    assert_eq!(list(ListState::Finished, None, 9).await, ids(&[605]));
    assert_eq!(list(ListState::Playing, Some("chess"), 1).await, ids(&[604, 602, 600]));
    // Games with a deadline come first.
    let waiting = list(ListState::Waiting, None, 1).await;
    assert_eq!((waiting[0].clone(), waiting.len()), (game_id(602), 3));
}

async fn running_games_and_games_of_a_match_are_listed(store: &dyn Store) {
    let id = MatchId::from_random(5);
    store.add_match(Match { id: id.clone(), body: "best of three".into() }).await.unwrap();
    assert_eq!(store.lookup_match(&id).await.unwrap().unwrap().body, "best of three");
    assert_eq!(store.lookup_match(&MatchId::from_random(6)).await.unwrap(), None);
    for number in [2, 1] {
        let game = NewGame {
            in_match: Some((id.clone(), number)),
            public: true,
            read_model: read_model("in a match"),
            ..new_game(700 + u128::from(number), 70, 700 + u128::from(number))
        };
        store.add_game(game).await.unwrap();
    }
    let games = store.list_match(&id).await.unwrap();
    let found = games.iter().map(|game| (game.id.clone(), game.number)).collect::<Vec<_>>();
    assert_eq!(found, [(game_id(701), 1), (game_id(702), 2)]);
    assert_eq!(store.list_public(1).await.unwrap()[0].game.id, game_id(702));
    assert!(store.is_public(&game_id(702)).await.unwrap());

    let ticking = ReadModel { deadline: Some(Millis(9000)), ..read_model("ticking") };
    store.append(Append { read_model: ticking, ..append(701, 1, &["turn"]) }).await.unwrap();
    let running = store.list_running().await.unwrap();
    let expected = RunningGame { id: game_id(701), deadline: Millis(9000), updated_at: Millis(2000) };
    assert!(running.contains(&expected), "{running:?}");
    let result = Some(GameResult::BlackWins);
    let over = ReadModel { phase: Phase::Over, turn: None, result, ..read_model("over") };
    store.append(Append { read_model: over, ..append(701, 2, &["ended"]) }).await.unwrap();
    let results = store.list_match(&id).await.unwrap().iter().map(|game| game.result).collect::<Vec<_>>();
    assert_eq!(results, [result, None]);
    let game = store.lookup_game(&game_id(701)).await.unwrap().unwrap();
    assert_eq!((game.turn, game.result, game.variant.as_str()), (None, result, "chess"));
    assert!(!store.list_running().await.unwrap().iter().any(|game| game.id == game_id(701)));
    assert!(store.list_public(9).await.unwrap().iter().all(|listed| listed.game.id != game_id(701)));
}

async fn only_one_of_many_concurrent_appends_wins(store: &Arc<dyn Store>) {
    store.add_game(new_game(4, 14, 500)).await.unwrap();
    let rivals = (0..32).map(|number| {
        let store = Arc::clone(store);
        tokio::spawn(async move { store.append(append(4, 1, &[&format!("rival {number}")])).await.unwrap() })
    });
    let mut won = 0;
    for rival in rivals.collect::<Vec<_>>() {
        match rival.await.unwrap() {
            Appended::Done(Version(2)) => won += 1,
            Appended::Conflict(Version(2)) => {}
            other => panic!("neither won nor lost: {other:?}"),
        }
    }
    assert_eq!(won, 1);
    assert_eq!(store.list_events(&game_id(4), Version(0)).await.unwrap().len(), 2);
}

async fn many_games_at_once(store: &Arc<dyn Store>) {
    let games = (0..40u128).map(|number| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            store.add_game(new_game(1000 + number, 20, 1000 + number)).await.unwrap();
            for version in 1..=20 {
                let done = store.append(append(1000 + number, version, &["turn"])).await.unwrap();
                assert_eq!(done, Appended::Done(Version(version + 1)));
            }
        })
    });
    for game in games.collect::<Vec<_>>() {
        game.await.unwrap();
    }
    let listed = store.list_games(&GameFilter::all_of(&player(20), 100)).await.unwrap();
    assert_eq!(listed.iter().map(|listed| listed.game.id.clone()).collect::<BTreeSet<_>>().len(), 40);
    assert!(listed.iter().all(|listed| listed.game.version == Version(21)));
}
