//! Measures how much an attacker can make the server write and e-mail, and whether a class can sign in.

use std::{net::Ipv4Addr, path::Path, time::Duration};

use anyhow::{Context as _, Result, ensure};
use hyper::Method;
use serde_json::json;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use super::{
    TestServer,
    scripts::Script,
    visitor::{PASSWORD, Visitor, command},
};

/// The e-mail address to flood.
const VICTIM: &str = "victim@example.org";
/// Number of accounts with the victim's address.
const ACCOUNTS: u8 = 8;
/// Number of pupils that sign in.
const PUPILS: u8 = 60;

/// Returns the total size in bytes of the files in a folder: the database and its log.
fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for file in std::fs::read_dir(folder)? {
        sum += file?.metadata()?.len();
    }
    Ok(sum)
}

#[expect(clippy::cast_precision_loss, reason = "the figure is only displayed")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Writes in six ways at once, from one address. Reports the first burst and the steady rate separately, and
/// uses both to estimate the total for an hour, which would take too long to measure.
pub(super) async fn bytes(server: &Path, duration: Duration) -> Result<Vec<Vec<String>>> {
    let test_server = TestServer::open(server, &[]).await?;
    let before = size(test_server.folder.path())?;
    let address = Ipv4Addr::new(127, 5, 0, 1);
    let (start, half) = (Instant::now(), duration / 2);
    let mut attacks = JoinSet::new();
    for script in [
        Script::Texts,
        Script::Chat,
        Script::Conditions,
        Script::Rematches,
        Script::Touches,
        Script::Challenges,
    ] {
        let attack = script.prepare(Visitor::new(test_server.address(), address)).await?;
        attacks.spawn(attack.run(start + duration));
    }
    sleep(half).await;
    let middle = size(test_server.folder.path())?;
    let since = Instant::now();
    while let Some(counts) = attacks.join_next().await {
        counts??;
    }
    let after = size(test_server.folder.path())?;
    // The attacks end only after their last requests have been answered.
    let rest = since.elapsed();
    test_server.close().await?;
    let (first, second) = (middle.saturating_sub(before), after.saturating_sub(middle));
    let rests = Duration::from_hours(1).saturating_sub(half).as_secs_f64() / rest.as_secs_f64();
    let hour = megabytes(second).mul_add(rests, megabytes(first));
    Ok(vec![
        vec![
            format!("MB that one address wrote in its first {} s", half.as_secs()),
            format!("{:.1}", megabytes(first)),
        ],
        vec![format!("MB in the next {:.0} s", rest.as_secs_f64()), format!("{:.2}", megabytes(second))],
        vec!["MB in an hour, estimated from both".to_owned(), format!("{hour:.1}")],
    ])
}

/// Returns the number of recovery e-mails to the victim, and the texts of all e-mails to the victim.
fn emails_to_victim(folder: &Path) -> Result<(usize, Vec<String>)> {
    let mut emails = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let email = std::fs::read_to_string(file?.path())?;
        if email.contains(VICTIM) {
            emails.push(email);
        }
    }
    let recoveries = emails.iter().filter(|email| email.contains("/recover/")).count();
    Ok((recoveries, emails))
}

/// Returns the tokens of the confirmation links in the victim's e-mails.
fn confirmation_tokens(folder: &Path) -> Result<Vec<String>> {
    let (_, emails) = emails_to_victim(folder)?;
    let token = |email: &String| {
        let (_, rest) = email.split_once("/confirm/")?;
        Some(rest.chars().take_while(char::is_ascii_alphanumeric).collect())
    };
    Ok(emails.iter().filter_map(token).collect())
}

/// Sends requests from many network addresses, to make the server send the victim as many e-mails as
/// possible. All accounts have the victim's address, but the limits let only some of them confirm it.
pub(super) async fn emails(server: &Path) -> Result<Vec<Vec<String>>> {
    let folder = tempfile::tempdir()?;
    let setting = format!("mail.folder={}", folder.path().display());
    let test_server = TestServer::open(server, &[&setting, "limits=club"]).await?;
    let visitor_at = |number| Visitor::new(test_server.address(), Ipv4Addr::new(127, 6, 0, number));
    let mut names = Vec::new();
    let mut accounts = Vec::new();
    for number in 1..=ACCOUNTS {
        let mut account = visitor_at(number).with_cookie().await?;
        names.push(account.register(Some(VICTIM)).await?);
        accounts.push(account);
    }
    let mut tokens = Vec::new();
    for _ in 0..100 {
        tokens = confirmation_tokens(folder.path())?;
        if tokens.len() >= usize::from(ACCOUNTS) {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    // The limits allow fewer links than there are accounts.
    ensure!(!tokens.is_empty(), "no confirmation link was sent");
    for token in tokens {
        visitor_at(9).post(&format!("/api/confirmation/{token}"), &json!({})).await?.json()?;
    }
    for account in &mut accounts {
        let preferences = json!({ "reminders": true }).to_string();
        account.request(Method::PATCH, "/api/account/mail", Some(preferences)).await?.json()?;
    }
    // Sources of e-mails: reminders of turns in many correspondence games; requests to confirm the address
    // again; recovery links.
    let correspondence = json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 1 } });
    let mut turns = 0;
    for account in &mut accounts {
        for number in 0..5 {
            let mut other = visitor_at(20 + number).with_cookie().await?;
            other.register(None).await?;
            let game = other.play_with(account, &correspondence).await?;
            let (mut socket, version) = other.open_game_socket(&game).await?;
            let played = json!({ "type": "play", "version": version, "turn": "e2e4" });
            turns += u32::from(socket.command(played).await?["type"] == "accepted");
        }
        account.post("/api/account/confirmation", &json!({})).await?;
    }
    ensure!(turns > 0, "no correspondence turn was played");
    for (number, name) in names.iter().cycle().take(60).enumerate() {
        visitor_at(40 + u8::try_from(number % 20)?).post("/api/recovery", &json!({ "name": name })).await?;
        // A sign-in from another browser also sends an e-mail.
        let mut elsewhere = visitor_at(70 + u8::try_from(number % 20)?);
        elsewhere.post("/api/session", &json!({ "name": name, "password": PASSWORD })).await?;
    }
    sleep(Duration::from_secs(3)).await;
    let (recoveries, emails) = emails_to_victim(folder.path())?;
    test_server.close().await?;
    Ok(vec![
        vec![
            format!("e-mails to one address shared by {ACCOUNTS} accounts, other than recovery"),
            (emails.len() - recoveries).to_string(),
        ],
        vec!["recovery e-mails to it".to_owned(), recoveries.to_string()],
    ])
}

/// Signs in a whole class at the same time, from one address, with `limits = "club"`. Counts the pupils who
/// can then start a game.
pub(super) async fn pupils(server: &Path) -> Result<Vec<Vec<String>>> {
    let test_server = TestServer::open(server, &["limits=club"]).await?;
    let school = Ipv4Addr::new(127, 7, 0, 1);
    let mut names = Vec::new();
    for _ in 0..PUPILS {
        let mut pupil = Visitor::new(test_server.address(), school).with_cookie().await?;
        names.push(pupil.register(None).await?);
    }
    let start = Instant::now();
    let mut class = JoinSet::new();
    for name in names {
        let mut pupil = Visitor::new(test_server.address(), school);
        class.spawn(async move {
            let body = json!({ "name": name, "password": PASSWORD });
            // When the server refuses, a pupil waits and tries again.
            for _ in 0..60 {
                if pupil.post("/api/session", &body).await?.status.is_success() {
                    let machine =
                        json!({ "command": command(), "opponent": { "type": "machine", "level": 1 } });
                    pupil.create(&machine).await.context("signed in, but not allowed to play")?;
                    return anyhow::Ok(true);
                }
                sleep(Duration::from_secs(1)).await;
            }
            Ok(false)
        });
    }
    let mut playing = 0;
    while let Some(pupil) = class.join_next().await {
        playing += u32::from(pupil??);
    }
    let seconds = start.elapsed().as_secs_f64();
    test_server.close().await?;
    Ok(vec![vec![
        format!("pupils, out of {PUPILS} behind one address, who signed in and started a game"),
        format!("{playing}, the last after {seconds:.1} s"),
    ]])
}
