//! Tests `adoube house`, which maintains the data and the accounts in it.

use adoube_protocol::{ChatRoom, Color, CommandId, GameId, Millis, PlayerId, SessionId};
use adoube_store::{
    AccountStore as _, ChatAdded, ChatStore as _, Credentials, GameStore as _, NameSkeleton, NewAccount,
    NewChatMessage, NewEvent, NewGame, NewReport, NewSession, Phase, Proposal, ProposalAdded, ProposalLimits,
    ProposalStore as _, ReadModel, Seat, SecondFactorStore as _, TokenHash,
};
use adoube_store_sqlite::SqliteStore;

use crate::{refused, stdout_of};

#[test]
fn house_tidy_counts_and_deletes_old_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.sqlite");
    let path = data.to_str().expect("UTF-8");
    assert!(refused(&["house", "tidy", "--dry-run", "--data", path]).contains("does not exist"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let store = SqliteStore::open(&data).await.expect("a store");
        let expired = Proposal {
            id: "old".into(),
            from: PlayerId::from_random(1),
            to: None,
            command: None,
            body: String::new(),
            created_at: Millis(0),
            expires_at: Millis(1),
            signed_in: true,
            needs_maker: false,
            origin: None,
        };
        let limits = ProposalLimits {
            per_player: 1,
            per_origin: 1,
            per_recipient_and_origin: 1,
            per_recipient: 1,
            per_kind: 1,
        };
        let added = store.add_proposal(expired, &limits).await;
        assert_eq!(added.expect("the store writes"), ProposalAdded::Done);
        store.close().await;
    });
    let count = |arguments: &[&str]| {
        let text = stdout_of(&[&["house", "tidy", "--data", path], arguments].concat());
        let line = text.lines().find(|line| line.ends_with(" proposals")).expect("a line for each kind");
        assert_eq!(text.lines().count(), 7, "{text}");
        line.to_owned()
    };
    assert_eq!([count(&["--dry-run"]), count(&["--dry-run"])], ["1 proposals", "1 proposals"]);
    assert_eq!(
        [count(&[]), count(&[]), count(&["--dry-run"])],
        ["1 proposals", "0 proposals", "0 proposals"]
    );
    let wrong = ["house", "tidy", "--data", path, "--set", "keep.reports=30"];
    assert!(refused(&wrong).contains("keep.reports: \"30\" is neither a number of days"));
}

#[test]
fn house_manages_accounts_and_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.sqlite");
    let path = data.to_str().expect("UTF-8");
    let anna = PlayerId::from_random(7);
    let session = |number: u128| NewSession {
        id: SessionId::from_random(number),
        player: anna.clone(),
        credentials: Credentials { password: "hash".into(), second_factor: false },
        token: TokenHash([u8::try_from(number).expect("a small number"); 32]),
        agent: "a browser".into(),
        created_at: Millis(9),
        expires_at: Millis(i64::MAX),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let store = runtime.block_on(async {
        let store = SqliteStore::open(&data).await.expect("a store");
        let account = NewAccount {
            player: anna.clone(),
            name: "Anna".into(),
            skeleton: NameSkeleton { skeleton: "anna".into(), alternatives: Vec::new(), retired: Vec::new() },
            password: "hash".into(),
            identity: None,
            email: None,
            language: "fr".into(),
            created_at: Millis(9),
            admission: adoube_store::Admission::Open,
        };
        store.add_account(account).await.expect("the store writes");
        for number in [1, 2] {
            store.add_session(session(number)).await.expect("the store writes");
        }
        assert!(store.add_second_factor(&anna, b"secret").await.expect("the store writes"));
        let codes = [TokenHash([9; 32])];
        let confirmed =
            store.confirm_second_factor(&anna, b"secret", Millis(1), &codes, &session(1).id).await;
        assert_eq!(confirmed.expect("the store writes").map(|ended| ended.len()), Some(1));
        report(&store, &anna).await;
        store
    });
    // While the data is in use by a process that does not accept operator commands, reports can be read, but
    // accounts cannot be changed.
    let reports = stdout_of(&["house", "reports", "--data", path]);
    assert_eq!(
        reports,
        format!(
            "1970-01-01 00:00:12  game {GAME}  by player {}: rude\n    1970-01-01 00:00:10  Anna: hello\n  \
             > 1970-01-01 00:00:11  Anna: you fool\n",
            PlayerId::from_random(8),
            GAME = GameId::from_random(1)
        )
    );
    assert_eq!(stdout_of(&["house", "reports", "--limit", "0", "--data", path]), "");
    assert!(refused(&["house", "sign-out", "Anna", "--data", path]).contains("is in use by"));
    runtime.block_on(store.close());

    let house = |command: &'static str, name: &'static str| ["house", command, name, "--data", path];
    assert!(refused(&house("sign-out", "Bela")).contains("no player has this name"));
    assert_eq!(stdout_of(&house("sign-out", "anna")), "sessions ended: 1\n");
    assert!(refused(&house("sign-out", "anna")).contains("this account has no open sessions"));
    assert_eq!(
        stdout_of(&house("second-factor-off", "Anna")),
        "the second factor is off; sessions ended: 0\n"
    );
    assert!(refused(&house("second-factor-off", "Anna")).contains("the second factor is off"));
    let audit = stdout_of(&["house", "audit", "--data", path]);
    for act in ["end-sessions", "second-factor-off"] {
        assert!(audit.contains(act), "{act} is not in\n{audit}");
    }
    let nowhere = folder.path().join("nowhere.sqlite");
    for command in [&["reports"][..], &["sign-out", "Anna"], &["second-factor-off", "Anna"]] {
        let nowhere = ["--data", nowhere.to_str().expect("UTF-8")];
        assert!(refused(&[&["house"], command, &nowhere].concat()).contains("does not exist"));
    }
    assert!(!nowhere.exists());
}

/// Adds a game with two chat messages by a player, and another player's report of the second.
async fn report(store: &SqliteStore, author: &PlayerId) {
    let game = GameId::from_random(1);
    let command =
        |number: u8| format!("00000000-0000-4000-8000-{number:012}").parse().map(CommandId).expect("an id");
    let created = NewGame {
        id: game.clone(),
        created_at: Millis(10),
        variant: "chess".into(),
        public: false,
        in_match: None,
        events: vec![NewEvent { at: Millis(10), body: "created".into() }],
        seats: vec![Seat { color: Color::White, player: author.clone() }],
        invitation: None,
        read_model: ReadModel {
            phase: Phase::Playing,
            turn: Some(Color::White),
            result: None,
            deadline: None,
            awaits_machine: None,
            summary: String::new(),
        },
        command: adoube_store::CommandRecord {
            player: author.clone(),
            id: command(1),
            answer: String::new(),
        },
        proposal: None,
    };
    store.add_game(created).await.expect("the store writes");
    let mut last = 0;
    for (number, at, text) in [(2, 10_000, "hello"), (3, 11_000, "you fool")] {
        let line = NewChatMessage {
            game: game.clone(),
            room: ChatRoom::Players,
            player: author.clone(),
            command: command(number),
            color: None,
            text: text.into(),
            at: Millis(at),
        };
        let ChatAdded::New(id) = store.add_message(line).await.expect("the store writes") else {
            panic!("the message is not new")
        };
        last = id;
    }
    let report = NewReport {
        game,
        room: ChatRoom::Players,
        message: last,
        player: PlayerId::from_random(8),
        reason: "rude".into(),
        at: Millis(12_000),
    };
    assert!(store.add_report(report).await.expect("the store writes"));
}
