//! Two nodes on one database: a request that both make at the same moment is carried out once.

use std::{collections::BTreeSet, future::Future, sync::Arc};

use adoube_vocabulary::{
    AnalysisId, ChatRoom, Color, GameId, InvitationToken, Level, MatchId, Millis, NodeId, ProblemId,
    SessionId, Version,
};

use super::{
    accounts::account,
    command_id, game_id,
    games::new_game,
    hall::{WIDE, proposal},
    nodes::lease,
    player,
};
use crate::{
    Append, Appended, ChatAdded, CommandRecord, Counted, Created, Credentials, JobId, JobState, LEASE_MS,
    NameLook, NewAccount, NewAnalysis, NewChatMessage, NewEvent, NewGame, NewJob, NewMail, NewProblem,
    NewSession, Proposal, ProposalAdded, ProposalLimits, Published, ReadModel, Registered,
    SESSIONS_PER_ACCOUNT, Saved, Seat, Store, TokenHash, Try,
};

type Shared = Arc<dyn Store>;

/// The first of the numbers that only this module uses.
const FIRST: u128 = 90_000;
/// Number of times that each pair of requests is made at the same moment.
const ROUNDS: u128 = 12;

/// Checks concurrent requests through two handles of the same database, which need not be empty. If a
/// database can be opened only once, both may be the same handle.
pub async fn check_concurrency(first: Arc<dyn Store>, second: Arc<dyn Store>) {
    let both = &(first, second);
    writes_are_visible_through_both_handles(both).await;
    one_of_two_appends_to_a_version_succeeds(both).await;
    a_command_is_carried_out_once(both).await;
    a_game_is_created_once(both).await;
    many_games_by_both(both).await;
    a_secret_is_made_once(both).await;
    a_name_is_given_once(both).await;
    the_sessions_of_an_account_are_limited(both).await;
    links_and_codes_are_spent_once(both).await;
    a_deleted_account_leaves_nothing(both).await;
    mails_are_counted_together(both).await;
    a_proposal_is_taken_once(both).await;
    proposals_are_counted_together(both).await;
    positions_of_problems_are_unique(both).await;
    studies_are_limited(both).await;
    a_chat_message_is_stored_once(both).await;
    work_is_assigned_to_one_node(both).await;
    one_worker_has_a_job(both).await;
    one_node_sends_a_reminder(both).await;
    super::limits::check_race(&both.0, &both.1).await;
}

/// Makes a request through both handles at the same moment. Returns both results.
async fn at_once<T, F>(both: &(Shared, Shared), ask: impl Fn(Shared, u128) -> F) -> [T; 2]
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let (first, second) =
        (tokio::spawn(ask(Arc::clone(&both.0), 0)), tokio::spawn(ask(Arc::clone(&both.1), 1)));
    [first.await.unwrap(), second.await.unwrap()]
}

/// Makes many requests at the same moment, alternately through the two handles.
async fn many<T, F>(both: &(Shared, Shared), times: u128, ask: impl Fn(Shared, u128) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let handle = |number: u128| Arc::clone(if number.is_multiple_of(2) { &both.0 } else { &both.1 });
    let asked = (0..times).map(|number| tokio::spawn(ask(handle(number), number))).collect::<Vec<_>>();
    let mut got = Vec::new();
    for one in asked {
        got.push(one.await.unwrap());
    }
    got
}

/// Returns the index of the only result that satisfies a predicate, and the other result.
fn only<T: std::fmt::Debug>(got: [T; 2], is_it: impl Fn(&T) -> bool) -> (usize, T) {
    let [first, second] = got;
    match (is_it(&first), is_it(&second)) {
        (true, false) => (0, second),
        (false, true) => (1, first),
        _ => panic!("not exactly one of the two: {first:?}, {second:?}"),
    }
}

fn new(number: u128, creator: u128) -> NewGame {
    NewGame { invitation: None, ..new_game(FIRST + number, FIRST + creator, FIRST + number) }
}

fn append(number: u128, based_on: u64, body: &str) -> Append {
    let game = new(number, 0);
    Append {
        game: game.id,
        based_on: Version(based_on),
        events: vec![NewEvent { at: Millis(2000), body: body.into() }],
        seats: Vec::new(),
        read_model: game.read_model,
        command: None,
    }
}

async fn writes_are_visible_through_both_handles((first, second): &(Shared, Shared)) {
    first.add_game(new(0, 0)).await.unwrap();
    for version in 1..20u64 {
        let (writer, reader) = if version % 2 == 0 { (first, second) } else { (second, first) };
        assert_eq!(
            writer.append(append(0, version, "turn")).await.unwrap(),
            Appended::Done(Version(version + 1))
        );
        assert_eq!(reader.lookup_game(&game_id(FIRST)).await.unwrap().unwrap().version, Version(version + 1));
        assert_eq!(reader.list_events(&game_id(FIRST), Version(version)).await.unwrap().len(), 1);
    }
}

async fn one_of_two_appends_to_a_version_succeeds(both: &(Shared, Shared)) {
    both.0.add_game(new(1, 0)).await.unwrap();
    for version in 1..=ROUNDS as u64 {
        let got = at_once(both, |store, number| async move {
            store.append(append(1, version, &format!("of {number}"))).await.unwrap()
        })
        .await;
        let (winner, loser) = only(got, |got| *got == Appended::Done(Version(version + 1)));
        assert_eq!(loser, Appended::Conflict(Version(version + 1)));
        let log = both.0.list_events(&game_id(FIRST + 1), Version(version)).await.unwrap();
        assert_eq!(log.iter().map(|event| event.body.clone()).collect::<Vec<_>>(), [format!("of {winner}")]);
    }
    // The same for a seat.
    let got = at_once(both, |store, number| async move {
        let seats = vec![Seat { color: Color::Black, player: player(FIRST + 50 + number) }];
        store.append(Append { seats, ..append(1, ROUNDS as u64 + 1, "joined") }).await.unwrap()
    })
    .await;
    only(got, |got| matches!(got, Appended::Done(_)));
}

async fn a_command_is_carried_out_once(both: &(Shared, Shared)) {
    both.0.add_game(new(2, 0)).await.unwrap();
    for version in 1..=ROUNDS as u64 {
        let got = at_once(both, |store, number| async move {
            let command = CommandRecord {
                player: player(FIRST),
                id: command_id(FIRST + 1000 + u128::from(version)),
                answer: format!("answer of {number}"),
            };
            store.append(Append { command: Some(command), ..append(2, version, "turn") }).await.unwrap()
        })
        .await;
        let (winner, loser) = only(got, |got| *got == Appended::Done(Version(version + 1)));
        assert_eq!(loser, Appended::Repeated(format!("answer of {winner}")));
    }
    assert_eq!(both.1.list_events(&game_id(FIRST + 2), Version(0)).await.unwrap().len(), ROUNDS as usize + 1);
}

async fn a_game_is_created_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let number = move |which: u128| 100 + 2 * round + which;
        let got = at_once(both, |store, which| async move {
            let created = new(number(which), 0);
            let command = CommandRecord { id: command_id(FIRST + 2000 + round), ..created.command };
            let invitation = Some(InvitationToken::from_random(FIRST + number(which)));
            store.add_game(NewGame { invitation, command, ..created }).await.unwrap()
        })
        .await;
        let (winner, loser) = only(got, |got| *got == Created::Done);
        let winner = number(winner as u128);
        assert_eq!(loser, Created::Repeated(format!("answer {}", FIRST + winner)));
        for which in [0, 1] {
            let there = both.1.lookup_game(&game_id(FIRST + number(which))).await.unwrap().is_some();
            assert_eq!(there, number(which) == winner);
            let token = InvitationToken::from_random(FIRST + number(which));
            assert_eq!(both.0.lookup_invitation(&token).await.unwrap().is_some(), there);
        }
    }
}

/// Both handles append to all games. Every log is without gaps and has each acknowledged event once.
async fn many_games_by_both(both: &(Shared, Shared)) {
    const GAMES: u128 = 24;
    const TURNS: u64 = 12;
    for number in 0..GAMES {
        let in_match = Some((MatchId::from_random(FIRST), number as u16));
        both.0.add_game(NewGame { in_match, ..new(200 + number, 3) }).await.unwrap();
    }
    let done = many(both, 2 * GAMES, |store, number| async move {
        let (game, server) = (200 + number / 2, number % 2);
        let mut done = Vec::new();
        let mut version = 1;
        while version <= TURNS {
            let body = format!("{server} {version}");
            match store.append(append(game, version, &body)).await.unwrap() {
                Appended::Done(Version(now)) => {
                    done.push((game, now, body));
                    version = now;
                }
                Appended::Conflict(Version(now)) => version = now,
                other => panic!("{other:?}"),
            }
        }
        done
    })
    .await;
    let mut acknowledged = done.into_iter().flatten().collect::<Vec<_>>();
    acknowledged.sort();
    let mut kept = Vec::new();
    for game in (0..GAMES).map(|number| 200 + number) {
        let log = both.1.list_events(&game_id(FIRST + game), Version(1)).await.unwrap();
        kept.extend(log.into_iter().map(|event| (game, event.version.0, event.body)));
    }
    assert_eq!(acknowledged, kept);
    assert_eq!(both.0.list_match(&MatchId::from_random(FIRST)).await.unwrap().len(), GAMES as usize);
}

async fn a_secret_is_made_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let [first, second] = at_once(both, |store, number| async move {
            store.secret(&format!("race {round}"), &[number as u8]).await.unwrap()
        })
        .await;
        assert_eq!(first, second);
    }
}

async fn a_name_is_given_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let got = at_once(both, |store, number| async move {
            let new = account(FIRST + 300 + 2 * round + number, &format!("Racer{round}"));
            store.add_account(new).await.unwrap()
        })
        .await;
        assert_eq!(only(got, |got| *got == Registered::Done).1, Registered::NameTaken);
        let got = at_once(both, |store, number| async move {
            let name = format!("Lookalike{round}of{number}");
            let look = NameLook { skeleton: format!("look{round}"), also: Vec::new(), retired: Vec::new() };
            let new = account(FIRST + 400 + 2 * round + number, &name);
            store.add_account(NewAccount { look, ..new }).await.unwrap()
        })
        .await;
        assert_eq!(only(got, |got| *got == Registered::Done).1, Registered::NameAlike);
    }
}

fn session(number: u128, owner: u128) -> NewSession {
    let mut token = [83; 32];
    token[..16].copy_from_slice(&number.to_le_bytes());
    NewSession {
        id: SessionId::from_random(FIRST + number),
        player: player(FIRST + owner),
        credentials: Credentials { password: "hash".into(), second_factor: false },
        token: TokenHash(token),
        agent: "a browser".into(),
        created_at: Millis(number as i64),
        expires_at: Millis(1_000_000),
    }
}

async fn the_sessions_of_an_account_are_limited(both: &(Shared, Shared)) {
    let owner = player(FIRST + 500);
    both.0.add_account(account(FIRST + 500, "Racing-sessions")).await.unwrap();
    let more = u128::from(SESSIONS_PER_ACCOUNT) + 30;
    let ended = many(both, more, |store, number| async move {
        store.add_session(session(number, 500)).await.unwrap().expect("the credentials are valid")
    })
    .await;
    let ended = ended.into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(ended.iter().collect::<BTreeSet<_>>().len(), ended.len(), "a session ends once");
    let listed = both.1.list_sessions(&owner, Millis(0)).await.unwrap();
    assert_eq!((listed.len(), ended.len()), (SESSIONS_PER_ACCOUNT as usize, 30));
    assert!(listed.iter().all(|session| !ended.contains(&session.id)));
}

async fn links_and_codes_are_spent_once(both: &(Shared, Shared)) {
    let owner = player(FIRST + 501);
    let shown = Credentials { password: "hash".into(), second_factor: true };
    both.0.add_account(account(FIRST + 501, "Racing-links")).await.unwrap();
    let token = |number: u128| TokenHash([150 + number as u8; 32]);
    assert!(both.0.set_email(&owner, &shown, Some("race@example.org")).await.unwrap());
    for round in 0..ROUNDS {
        let confirmation = token(round);
        both.0.add_confirmation(&owner, "race@example.org", &confirmation, Millis(50)).await.unwrap();
        let got =
            at_once(
                both,
                |store, _| async move { store.confirm_email(&confirmation, Millis(10)).await.unwrap() },
            )
            .await;
        only(got, Option::is_some);
    }
    both.0.add_second_factor(&owner, b"secret").await.unwrap();
    both.0.add_session(session(9_000, 501)).await.unwrap().expect("the credentials are valid");
    let keep = SessionId::from_random(FIRST + 9_000);
    let got = at_once(both, |store, number| {
        let (owner, keep, codes) = (owner.clone(), keep.clone(), [token(20 + number)]);
        async move { store.confirm_second_factor(&owner, b"secret", Millis(1), &codes, &keep).await.unwrap() }
    })
    .await;
    let (winner, _) = only(got, Option::is_some);
    let code = token(20 + winner as u128);
    let got = at_once(both, |store, _| {
        let owner = owner.clone();
        async move { store.spend_recovery_code(&owner, &code).await.unwrap() }
    })
    .await;
    only(got, |spent| *spent);
    for at in 2..2 + ROUNDS as i64 {
        let got = at_once(both, |store, _| {
            let owner = owner.clone();
            async move { store.spend_time(&owner, Millis(at)).await.unwrap() }
        })
        .await;
        only(got, |spent| *spent);
    }
    for round in 0..ROUNDS {
        let link = token(40 + round);
        assert!(both.0.add_recovery(&owner, "race@example.org", &link, Millis(50)).await.unwrap());
        let got = at_once(both, |store, number| async move {
            store.recover(&link, &format!("hash of {number}"), Millis(10)).await.unwrap()
        })
        .await;
        let (winner, _) = only(got, Option::is_some);
        let password = both.1.lookup_account(&owner).await.unwrap().unwrap().password;
        assert_eq!(password, format!("hash of {winner}"));
    }
}

/// One handle deletes an account while the other adds sessions and other data to it.
async fn a_deleted_account_leaves_nothing(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let number = 600 + round;
        let owner = player(FIRST + number);
        both.0.add_account(account(FIRST + number, &format!("Racing-away{round}"))).await.unwrap();
        let gone = owner.clone();
        let done = many(both, 6, |store, which| {
            let gone = gone.clone();
            async move {
                match which {
                    0 => drop(store.delete_account(&gone).await.unwrap()),
                    1 => drop(store.add_second_factor(&gone, b"secret").await.unwrap()),
                    2 => drop(store.add_try(&gone, a_try("race", 1)).await.unwrap()),
                    3 => drop(store.add_analysis(analysis(1_000 + round, number)).await.unwrap()),
                    _ => drop(store.add_session(session(10 * number + which, number)).await.unwrap()),
                }
            }
        })
        .await;
        assert_eq!(done.len(), 6);
        assert_eq!(both.1.lookup_account(&owner).await.unwrap(), None);
        assert_eq!(both.1.list_sessions(&owner, Millis(0)).await.unwrap(), []);
        assert_eq!(both.1.lookup_second_factor(&owner).await.unwrap(), None);
        assert_eq!(both.1.list_tries(&owner, None).await.unwrap(), []);
        assert_eq!(both.1.list_analyses(&owner).await.unwrap(), []);
    }
}

async fn mails_are_counted_together(both: &(Shared, Shared)) {
    let counted = many(both, 24, |store, _| async move {
        let mail = NewMail {
            recipient: TokenHash([230; 32]),
            pool: "race",
            kind: "a",
            at: Millis(1_000),
            since: Millis(900),
            most_of_pool: 10,
            most_of_kind: 10,
        };
        store.count_mail(mail).await.unwrap()
    })
    .await;
    let mut left = counted.into_iter().flatten().collect::<Vec<_>>();
    left.sort_unstable();
    assert_eq!(left, (0..10).collect::<Vec<_>>());
}

fn race(round: u128, name: &str) -> Proposal {
    Proposal {
        id: format!("race {name} {round}"),
        from: player(FIRST + 800 + round),
        command: Some(command_id(FIRST + 2_000 + round)),
        created_at: Millis(2_000_000),
        expires_at: Millis(3_000_000),
        ..proposal(0, None)
    }
}

/// If two players accept a proposal at the same moment, one begins the game; if one accepts it while its
/// maker withdraws it, only one of them succeeds.
async fn a_proposal_is_taken_once(both: &(Shared, Shared)) {
    let begin = both.0.versions().await.unwrap().proposals;
    for round in 0..ROUNDS {
        let seek = race(round, "seek");
        both.0.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let id = &seek.id;
        let got = at_once(both, |store, _| {
            let id = id.clone();
            async move { store.delete_proposal(&id).await.unwrap() }
        })
        .await;
        only(got, |taken| *taken);

        both.1.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let got = at_once(both, |store, which| {
            // In the odd rounds the command is derived from the proposal, as in the server.
            let command = CommandRecord {
                player: player(FIRST),
                id: command_id(FIRST + 3_000 + 2 * round + if round % 2 == 0 { which } else { 0 }),
                answer: format!("game {which}"),
            };
            let game = NewGame { command, proposal: Some(id.clone()), ..new(800 + 2 * round + which, 3) };
            async move { store.add_game(game).await.unwrap() }
        })
        .await;
        let (winner, loser) = only(got, |created| *created == Created::Done);
        let repeated = Created::Repeated(format!("game {winner}"));
        assert!(loser == Created::ProposalGone || loser == repeated, "{loser:?}");
        let there = async |which: u128| {
            both.1.lookup_game(&game_id(FIRST + 800 + 2 * round + which)).await.unwrap().is_some()
        };
        assert_eq!([there(0).await, there(1).await], [winner == 0, winner == 1]);

        both.0.add_proposal(seek.clone(), &WIDE).await.unwrap();
        let got = at_once(both, |store, which| {
            let game = NewGame { proposal: Some(id.clone()), ..new(900 + round, 3) };
            let id = id.clone();
            async move {
                match which {
                    0 => store.add_game(game).await.unwrap() == Created::Done,
                    _ => store.delete_proposal(&id).await.unwrap(),
                }
            }
        })
        .await;
        let (winner, _) = only(got, |done| *done);
        let game = both.1.lookup_game(&game_id(FIRST + 900 + round)).await.unwrap();
        assert_eq!(game.is_some(), winner == 0);
    }
    let end = both.1.versions().await.unwrap().proposals;
    assert_eq!(end - begin, 6 * ROUNDS as u64, "each change is counted once");
}

/// Both handles add many proposals of one player, all within the limit.
async fn proposals_are_counted_together(both: &(Shared, Shared)) {
    let limits = ProposalLimits { per_player: 5, ..WIDE };
    let added = many(both, 24, |store, number| async move {
        let new = Proposal {
            from: player(FIRST + 801),
            command: Some(command_id(FIRST + 4_000 + number / 2)),
            ..race(number, "many")
        };
        store.add_proposal(new, &limits).await.unwrap()
    })
    .await;
    assert_eq!(added.iter().filter(|added| **added == ProposalAdded::Done).count(), 5);
    let mine = both.1.list_proposals(Millis(2_000_000)).await.unwrap().proposals;
    let mine = mine.into_iter().filter(|open| open.from == player(FIRST + 801)).collect::<Vec<_>>();
    let commands = mine.iter().map(|open| open.command.unwrap().0).collect::<BTreeSet<_>>();
    assert_eq!((mine.len(), commands.len()), (5, 5), "a command creates one");
    for open in mine {
        assert!(both.0.delete_proposal(&open.id).await.unwrap());
    }
}

async fn positions_of_problems_are_unique(both: &(Shared, Shared)) {
    for (number, name) in [(510, "Racing-composer"), (511, "Racing-rival")] {
        both.0.add_account(account(FIRST + number, name)).await.unwrap();
    }
    let id = |round: u128, which: u128| ProblemId::from_random(FIRST + 2 * round + which);
    for round in 0..ROUNDS {
        let got = at_once(both, |store, which| async move {
            let problem = NewProblem {
                id: id(round, which),
                owner: player(FIRST + 510 + which),
                command: command_id(FIRST + round),
                variant: "chess".into(),
                position: format!("race {round}"),
                title: None,
                document: "document".into(),
                created_at: Millis(1),
                max_bytes: 1_000_000,
            };
            store.add_problem(problem).await.unwrap()
        })
        .await;
        let (winner, loser) = only(got, |got| *got == Published::Done);
        assert_eq!(loser, Published::Known(id(round, winner as u128)));
    }
}

fn a_try(problem: &str, number: u32) -> Try {
    Try {
        variant: "chess".into(),
        problem: problem.into(),
        number,
        command: command_id(FIRST + u128::from(number)),
        solved: true,
        before: 1000,
        after: 1040,
        streak: number,
        at: Millis(1),
    }
}

fn analysis(number: u128, owner: u128) -> NewAnalysis {
    NewAnalysis {
        id: AnalysisId::from_random(FIRST + number),
        player: player(FIRST + owner),
        command: command_id(FIRST + number),
        name: "race".into(),
        text: crate::AnalysisText { variant: "chess".into(), body: "1. e4 *".into() },
        at: Millis(1),
        max_analyses: 5,
        max_bytes: 1_000_000,
    }
}

async fn studies_are_limited(both: &(Shared, Shared)) {
    let owner = player(FIRST + 512);
    both.0.add_account(account(FIRST + 512, "Racing-solver")).await.unwrap();
    for number in 1..=ROUNDS as u32 {
        let got = at_once(both, |store, which| {
            let owner = owner.clone();
            async move { store.add_try(&owner, a_try(&format!("{number} of {which}"), number)).await.unwrap() }
        })
        .await;
        assert_eq!(only(got, |got| *got == Counted::Done).1, Counted::Conflict);
    }
    let saved =
        many(
            both,
            12,
            |store, number| async move { store.add_analysis(analysis(number, 512)).await.unwrap() },
        )
        .await;
    assert_eq!(saved.iter().filter(|saved| matches!(saved, Saved::Done(_))).count(), 5);
    assert_eq!(saved.iter().filter(|saved| **saved == Saved::Full).count(), 7);
    assert_eq!(both.1.list_analyses(&owner).await.unwrap().len(), 5);
}

async fn a_chat_message_is_stored_once(both: &(Shared, Shared)) {
    both.0.add_game(new(3, 0)).await.unwrap();
    for round in 0..ROUNDS {
        let got = at_once(both, |store, _| async move {
            let line = NewChatMessage {
                game: GameId::from_random(FIRST + 3),
                room: ChatRoom::Players,
                player: player(FIRST),
                command: command_id(FIRST + round),
                color: None,
                text: "hello".into(),
                at: Millis(1),
            };
            store.add_message(line).await.unwrap()
        })
        .await;
        assert_eq!(only(got, |added| matches!(added, ChatAdded::New(_))).1, ChatAdded::Repeated);
    }
}

/// The machine's turn, and the work of a dead node, are handed to one node at a time.
async fn work_is_assigned_to_one_node(both: &(Shared, Shared)) {
    let node = |number: u128| NodeId::from_random(FIRST + number);
    let address = |number: u128| format!("race-{number}:1");
    // Later than all other times in the contract test, so that only these leases are valid.
    let mut now = 1_000_000_000;
    let got = at_once(both, |store, number| async move {
        store.renew_lease(lease(&node(number), &address(number), Millis(now)), Millis(now - 1)).await.unwrap()
    })
    .await;
    // Only the first one finds that there was no node.
    assert!(
        got.iter().all(|renewal| renewal.downtimes.iter().filter(|found| found.until.0 == now).count() == 1)
    );
    for round in 0..ROUNDS {
        let number = 700 + round;
        let game = new(number, 0);
        let read_model =
            ReadModel { awaits_machine: Some(Level::try_from(2).unwrap()), ..game.read_model.clone() };
        both.0.add_game(NewGame { read_model, ..game }).await.unwrap();
        let got = at_once(both, |store, which| async move {
            store.claim_machine_turn(&node(which), &game_id(FIRST + number), Millis(now)).await.unwrap()
        })
        .await;
        only(got, |claimed| *claimed);

        both.0
            .renew_lease(lease(&node(10 + round), &address(10 + round), Millis(now)), Millis(now))
            .await
            .unwrap();
        now += LEASE_MS - 1;
        for which in [0, 1] {
            both.0.renew_lease(lease(&node(which), &address(which), Millis(now)), Millis(now)).await.unwrap();
        }
        now += 1;
        let got =
            at_once(
                both,
                |store, which| async move { store.take_over(&node(which), Millis(now)).await.unwrap() },
            )
            .await;
        only(got, |dead| dead.iter().any(|dead| dead.id == node(10 + round)));
        let got = at_once(both, |store, which| async move {
            store.forget_node(&node(which), &node(10 + round), Millis(now)).await.unwrap()
        })
        .await;
        only(got, |is_forgotten| *is_forgotten);
    }
    for which in [0, 1] {
        both.0.release_lease(&node(which), Millis(now)).await.unwrap();
    }
}

fn job(number: u128, now: i64) -> NewJob {
    let mut id = [91; 32];
    id[..16].copy_from_slice(&number.to_le_bytes());
    NewJob {
        id: JobId(id),
        kind: "race",
        body: format!("job {number}"),
        now: Millis(now),
        wanted_until: Millis(now + 1_000),
    }
}

/// A job that both request exists once, and one of two workers gets it.
async fn one_worker_has_a_job(both: &(Shared, Shared)) {
    if !both.0.is_shared() {
        return;
    }
    let worker = |number: u128| NodeId::from_random(FIRST + 800 + number);
    let now = 1_100_000_000;
    for which in [0, 1] {
        let address = format!("racing worker {which}");
        both.0.renew_worker(&worker(which), &address, Millis(now), Millis(now)).await.unwrap();
    }
    for round in 0..ROUNDS {
        let asked =
            at_once(both, |store, _| async move { store.ask_job(&job(round, now)).await.unwrap() }).await;
        assert_eq!(asked, [JobState::Waiting, JobState::Waiting]);
        let got = at_once(both, |store, which| async move {
            store.claim_job(&worker(which), &["race"], Millis(now), Millis(now)).await.unwrap()
        })
        .await;
        let (winner, _) = only(got, Option::is_some);
        let finished = at_once(both, |store, which| async move {
            let result = format!("result of {which}");
            store.finish_job(&job(round, now).id, &worker(which), &result).await.unwrap()
        })
        .await;
        assert_eq!(only(finished, |finished| *finished).0, winner);
        let state = both.1.ask_job(&job(round, now)).await.unwrap();
        assert_eq!(state, JobState::Done(format!("result of {winner}")));
    }
    // Two workers share many jobs: none is claimed twice, and none is left.
    let count = 40;
    for number in 100..100 + count {
        both.0.ask_job(&job(number, now)).await.unwrap();
    }
    let claimed = many(both, count, |store, number| async move {
        store.claim_job(&worker(number % 2), &["race"], Millis(now), Millis(now)).await.unwrap()
    })
    .await;
    let mut bodies = claimed.into_iter().flatten().map(|job| job.body).collect::<Vec<_>>();
    while let Some(job) = both.0.claim_job(&worker(0), &["race"], Millis(now), Millis(now)).await.unwrap() {
        bodies.push(job.body);
    }
    bodies.sort();
    let mut all = (100..100 + count).map(|number| format!("job {number}")).collect::<Vec<_>>();
    all.sort();
    assert_eq!(bodies, all);
    for which in [0, 1] {
        both.0.release_worker(&worker(which)).await.unwrap();
    }
}

/// One of the other nodes sends the reminders of a dead one.
async fn one_node_sends_a_reminder(both: &(Shared, Shared)) {
    if !both.0.is_shared() {
        return;
    }
    let node = |number: u128| NodeId::from_random(FIRST + 820 + number);
    let mut now = 1_200_000_000;
    let owner = player(FIRST + 520);
    both.0.add_account(account(FIRST + 520, "Racing-reminded")).await.unwrap();
    for round in 0..ROUNDS {
        let number = 830 + round;
        both.0.add_game(new(number, 0)).await.unwrap();
        let game = game_id(FIRST + number);
        for which in 0..3 {
            let address = format!("reminding-{which}:1");
            both.0.renew_lease(lease(&node(which), &address, Millis(now)), Millis(now)).await.unwrap();
        }
        let added = at_once(both, |store, _| {
            let (owner, game) = (owner.clone(), game.clone());
            async move { store.add_reminder(&owner, &game, Some(&node(2))).await.unwrap() }
        })
        .await;
        only(added, |added| *added);
        let claim = async |now: i64| {
            at_once(both, |store, which| {
                let owner = owner.clone();
                async move {
                    let mut claimed = store.claim_reminders(&node(which), Millis(now), 100).await.unwrap();
                    // Other parts of the contract test leave some behind.
                    claimed.retain(|(player, _)| *player == owner);
                    claimed
                }
            })
            .await
        };
        assert_eq!(claim(now).await, [Vec::new(), Vec::new()], "the node that is to send it lives");
        now += LEASE_MS;
        for which in [0, 1] {
            let address = format!("reminding-{which}:1");
            both.0.renew_lease(lease(&node(which), &address, Millis(now)), Millis(now)).await.unwrap();
        }
        let got = claim(now).await;
        let due = (owner.clone(), game.clone());
        only(got, |claimed| claimed.contains(&due));
        both.1.confirm_reminder(&owner, &game).await.unwrap();
        now += LEASE_MS;
        let address = "reminding-3:1";
        both.0.renew_lease(lease(&node(3), address, Millis(now)), Millis(now)).await.unwrap();
        let left = both.0.claim_reminders(&node(3), Millis(now), 100).await.unwrap();
        assert!(!left.contains(&due), "it was sent");
        both.0.release_lease(&node(3), Millis(now)).await.unwrap();
    }
}
