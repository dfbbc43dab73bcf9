use super::*;
use crate::{NoMailer, clock::Clock};

#[derive(Debug)]
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Millis {
        Millis(1_782_777_600_000)
    }
}

async fn new_sender(folder: &tempfile::TempDir) -> EmailSender {
    let store = adoube_store_sqlite::SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
    EmailSender {
        store: Arc::new(store),
        clock: Arc::new(FixedClock),
        mailer: Arc::new(NoMailer),
        key: b"key".to_vec(),
        link_address: "https://chess.example.org".into(),
    }
}

pub(crate) fn account(language: &str) -> Account {
    Account {
        player: PlayerId::from_random(1),
        name: "Anna".into(),
        password: String::new(),
        email: Some("anna@example.org".into()),
        email_confirmed: true,
        email_from_before: false,
        language: language.into(),
        reminders: true,
        recovery_codes: None,
        created_at: Millis(0),
        shown_to: adoube_protocol::PresenceAudience::default(),
        membership: adoube_store::Membership::default(),
    }
}

#[tokio::test]
async fn every_email_is_complete_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let sender = new_sender(&folder).await;
    let to = Address::parse("anna@example.org").unwrap();
    let waiting = |number: u128, variant, hours: i64| WaitingGame {
        id: GameId::from_random(number),
        variant,
        opponent: number.is_multiple_of(2).then(|| "Annabelle".to_owned()),
        deadline: Some(Millis(FixedClock.now().0 + hours * HOUR_MS)),
    };
    let lists = Variant::ALL.map(|variant| vec![waiting(7, variant, 71)]);
    let long = (0..3).map(|number| waiting(8 + number, Variant::ALL[0], 5)).collect::<Vec<_>>();
    let mut contents = vec![
        EmailContent::NewDevice,
        EmailContent::NewPassword,
        EmailContent::NewAddress,
        EmailContent::SecondFactorOn,
        EmailContent::SecondFactorOff,
        EmailContent::NewIdentity,
    ];
    contents.extend([1, 24].map(|hours| EmailContent::Recover { secret: "5ec7e7", hours }));
    contents.push(EmailContent::Confirm { secret: "5ec7e7", hours: 48 });
    let reminders = lists
        .iter()
        .flat_map(|games| [EmailContent::Reminder { games, more: 0 }, EmailContent::Warning { games }]);
    contents.extend(reminders);
    contents.extend([0, 9].map(|more| EmailContent::Reminder { games: &long, more }));
    contents.push(EmailContent::Warning { games: &long });
    for language in Language::ALL {
        let mut seen = std::collections::HashSet::new();
        for &content in &contents {
            let stop = content.can_be_stopped().then(|| "https://x.example/stop".to_owned());
            let mail = sender.write(&account(language.code()), &to, content, stop.clone());
            let all = format!("{}\n{}", mail.subject, mail.text);
            println!("--- {language}\n{all}");
            assert_eq!(mail.to, "anna@example.org");
            assert!(!all.contains(['{', '}', '$', '\u{2068}']) && !all.contains("mail-"), "{all}");
            assert!(!mail.subject.contains('\n') && mail.text.contains("Anna"), "{all}");
            assert!(mail.text.contains("\nhttps://chess.example.org/"), "the link shares its line: {all}");
            assert!(stop.is_none_or(|stop| mail.text.contains(&stop)), "{all}");
            assert!(seen.insert(mail.text.clone()), "repeated text: {all}");
            match content {
                EmailContent::Recover { hours: 1, .. } => assert!(!mail.text.contains('1'), "{all}"),
                EmailContent::Recover { .. } => assert!(mail.text.contains("24"), "{all}"),
                EmailContent::Confirm { .. } => assert!(mail.text.contains("48"), "{all}"),
                EmailContent::Reminder { games, .. } | EmailContent::Warning { games } => {
                    for game in games {
                        let link = format!("\nhttps://chess.example.org/game/{}\n", game.id);
                        assert!(mail.text.contains(&link), "{all}");
                        assert!(mail.text.contains(&texts::name(language, game.variant)), "{all}");
                        let opponent = opponent_name(language, game.opponent.as_deref());
                        assert!(mail.text.contains(&opponent), "{all}");
                        // Two days and 23 hours, or five hours.
                        assert!(mail.text.contains(if games.len() == 1 { '2' } else { '5' }), "{all}");
                    }
                    if let EmailContent::Reminder { more: more @ 1.., .. } = content {
                        assert!(mail.text.contains(&more.to_string()), "{all}");
                        assert!(mail.subject.contains(&(games.len() + more).to_string()), "{all}");
                    }
                }
                _ => {
                    let date = match language {
                        Language::French => "30/06/2026 à 00:00",
                        Language::Spanish => "30/06/2026 a las 00:00",
                        _ => "2026-06-30 at 00:00",
                    };
                    assert!(mail.text.contains(date), "{all}");
                }
            }
        }
    }
    // An old account has no language yet; its e-mails are in French.
    let mail = sender.write(&account(""), &to, EmailContent::NewPassword, None);
    assert_eq!(mail.subject, sender.write(&account("fr"), &to, EmailContent::NewPassword, None).subject);
}

#[test]
fn the_time_left_is_given_in_one_unit() {
    let left = |ms: i64| time_left(Language::English, Millis(1_000), Millis(1_000 + ms));
    for (ms, text) in [
        (-5, "0 minutes left"),
        (MINUTE_MS, "1 minute left"),
        (HOUR_MS - 1, "59 minutes left"),
        (HOUR_MS, "1 hour left"),
        (DAY_MS, "24 hours left"),
        (TWO_DAYS_MS - 1, "47 hours left"),
        (TWO_DAYS_MS, "2 days left"),
    ] {
        assert_eq!(left(ms).replace('\u{a0}', " "), text);
    }
}

/// In a day, an attacker can cause at most three e-mails, two warnings and five recovery links to be sent to
/// one mailbox.
#[tokio::test]
async fn a_mailbox_gets_few_emails_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let sender = new_sender(&folder).await;
    let games = [WaitingGame {
        id: GameId::from_random(7),
        variant: Variant::ALL[0],
        opponent: None,
        deadline: None,
    }];
    let reminder = EmailContent::Reminder { games: &games, more: 0 };
    let sent = async |number: u128, to: &str, content| {
        let account = Account { player: PlayerId::from_random(number), ..account("en") };
        sender.send_within_limit(&account, &Address::parse(to).unwrap(), content).await.unwrap()
            == SendOutcome::Sent
    };
    let mut counted = [0; 4];
    for number in 0..20 {
        let to = format!("an.na+{number}@example.org");
        counted[0] += u32::from(sent(number, &to, EmailContent::Confirm { secret: "x", hours: 1 }).await);
        counted[0] += u32::from(sent(number, "anna@example.org", reminder).await);
        let warning = EmailContent::Warning { games: &games };
        counted[3] += u32::from(sent(number, "anna@example.org", warning).await);
        counted[1] += u32::from(
            sent(number, "Anna@example.org", EmailContent::Recover { secret: "x", hours: 1 }).await,
        );
    }
    // A notice about a new browser is no longer allowed, but one about a change to the account still is.
    assert!(!sent(1, "anna@example.org", EmailContent::NewDevice).await);
    for _ in 0..20 {
        counted[2] += u32::from(sent(1, "anna@example.org", EmailContent::NewPassword).await);
    }
    let [caused, recoveries, notices, warnings] = counted;
    println!(
        "a mailbox under attack: {caused} + {notices} e-mails a day, {warnings} warnings, and {recoveries} \
         recovery links"
    );
    assert_eq!(counted, [2, 5, 1, 2]);
    // One account requests the confirmation of many addresses.
    let mut confirmations = 0;
    for number in 0..20 {
        let to = format!("bela{number}@example.com");
        confirmations += u32::from(sent(99, &to, EmailContent::Confirm { secret: "x", hours: 1 }).await);
    }
    assert_eq!(confirmations, 5);
}
