//! The attacks. Visitors from one address repeat an attack as fast as they can until the time is up.

use std::{fmt, fmt::Write as _, net::Ipv4Addr, time::Duration};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::visitor::{HttpResponse, Visitor, command};

/// An Interweave position with nine million possible capturing turns.
pub(super) const CHAINS: &str = "3k4/3p4/2p1p3/1p1pNp2/pKpKp1p1/1p1p1p2/2p4k/8[] w - - 0 1";
/// The length of a PGN, below the server's limit of 256 KiB.
const PGN_BYTES: usize = 190 * 1024;
/// Pause after a refusal. Retrying faster gains nothing and takes processor time from the server, which runs
/// on the same machine.
const REFUSAL_PAUSE: Duration = Duration::from_millis(20);

/// A response whose body is left unread.
type UnreadResponse = hyper::Response<hyper::body::Incoming>;

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Script {
    /// Nothing, for comparison
    Baseline,
    /// Touches in a position where a man can take in millions of ways
    Touches,
    /// Games created from such positions, and requested repeatedly
    Chains,
    /// PGN that consists of nothing but tags, comments or variations
    Texts,
    /// Exports of an account, requested and not read
    Exports,
    /// Challenges to one account, five from each of many new visitors
    Challenges,
    /// Trees of conditional turns, over many sockets
    Conditions,
    /// Chat over sockets that are opened for five lines each
    Chat,
    /// Rematches against the machine
    Rematches,
    /// Many games in which a strong machine is to move
    Machines,
    /// Proofs of problems that cannot be proved
    Proofs,
    /// Wrong passwords
    Passwords,
    /// Pages, pictures and lists, requested as fast as the server answers
    Pages,
    /// Sockets opened, filled with nonsense, and abandoned
    Sockets,
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

/// The server's responses to an attack.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) accepted: u64,
    pub(super) refused: u64,
    /// The reason for the first refusal.
    first_refusal: Option<String>,
}

impl Counts {
    fn add(&mut self, accepted: bool) {
        if accepted {
            self.accepted += 1;
        } else {
            self.refused += 1;
        }
    }

    fn add_response(&mut self, response: &Result<HttpResponse>) {
        self.add(response.as_ref().is_ok_and(|response| response.status.is_success()));
    }
}

/// A script with its resources.
pub(super) struct Attack {
    script: Script,
    visitor: Visitor,
    /// An account to challenge.
    target: String,
}

impl Script {
    pub(super) async fn prepare(self, visitor: Visitor) -> Result<Attack> {
        let mut visitor = visitor.with_cookie().await?;
        let mut target = String::new();
        match self {
            Self::Texts | Self::Conditions => {
                visitor.register(None).await?;
            }
            Self::Exports => {
                visitor.register(None).await?;
                let pgn = format!("{{{}}} *", "x".repeat(PGN_BYTES - 100));
                for number in 0..20 {
                    let analysis = json!({ "command": command(), "name": format!("{number}"), "pgn": pgn });
                    visitor.post("/api/analyses", &analysis).await?.json()?;
                }
            }
            Self::Challenges => {
                let elsewhere = Visitor::new(visitor.server, Ipv4Addr::new(127, 4, 0, 1));
                target = elsewhere.with_cookie().await?.register(None).await?;
            }
            _ => {}
        }
        Ok(Attack { script: self, visitor, target })
    }
}

impl Attack {
    /// Attacks until `end`. Fails if the server accepted nothing, because the script then measures nothing.
    pub(super) async fn run(self, end: Instant) -> Result<Counts> {
        let Self { script, visitor, target } = self;
        let mut tasks = JoinSet::new();
        let workers = match script {
            Script::Baseline | Script::Exports => 1,
            Script::Texts | Script::Touches | Script::Chains | Script::Rematches => 4,
            Script::Proofs | Script::Challenges | Script::Chat => 12,
            Script::Conditions => 20,
            Script::Machines | Script::Passwords => 30,
            Script::Pages | Script::Sockets => 60,
        };
        for number in 0..workers {
            let worker = Worker { script, number, visitor: visitor.reconnected(), target: target.clone() };
            tasks.spawn(worker.run(end));
        }
        let mut sum = Counts::default();
        while let Some(counts) = tasks.join_next().await {
            let counts = counts?;
            sum.accepted += counts.accepted;
            sum.refused += counts.refused;
            sum.first_refusal = counts.first_refusal.or(sum.first_refusal);
        }
        ensure!(
            script == Script::Baseline || sum.accepted > 0,
            "nothing was accepted: {:?}",
            sum.first_refusal
        );
        Ok(sum)
    }
}

/// One of the concurrent workers of a script.
struct Worker {
    script: Script,
    number: usize,
    visitor: Visitor,
    target: String,
}

impl Worker {
    async fn run(mut self, end: Instant) -> Counts {
        let mut counts = Counts::default();
        if self.script == Script::Baseline {
            sleep_until(end).await;
            return counts;
        }
        let pgn = text(self.number);
        let mut unread = Vec::new();
        while Instant::now() < end {
            let visitor = &mut self.visitor;
            let round = match self.script {
                Script::Baseline => Ok(()),
                Script::Touches => touches(visitor, &mut counts).await,
                Script::Chains => chains(visitor, &mut counts).await,
                Script::Texts => texts(visitor, &pgn, &mut counts).await,
                Script::Exports => exports(visitor, &mut unread, &mut counts).await,
                Script::Challenges => challenges(visitor, &self.target, &mut counts).await,
                Script::Conditions => conditions(visitor, &mut counts).await,
                Script::Chat => chat(visitor, &mut counts).await,
                Script::Rematches => rematches(visitor, &mut counts).await,
                Script::Machines => machines(visitor, &mut counts).await,
                Script::Proofs => proofs(visitor, &mut counts).await,
                Script::Passwords => passwords(visitor, &mut counts).await,
                Script::Pages => pages(visitor, self.number, &mut counts).await,
                Script::Sockets => sockets(visitor, &mut counts).await,
            };
            // Retry soon after a refusal or a broken connection.
            if let Err(error) = round {
                counts.add(false);
                counts.first_refusal.get_or_insert_with(|| format!("{error:#}"));
                sleep(REFUSAL_PAUSE).await;
            }
        }
        counts
    }
}

async fn touches(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let settings = json!({ "variant": "interweave", "fen": CHAINS, "touchMove": true });
    let mut other = visitor.another_visitor().with_cookie().await?;
    let game = visitor.play_with(&mut other, &settings).await?;
    let (mut socket, version) = visitor.open_game_socket(&game).await?;
    // Enemy men that cannot be taken, and the visitor's own men.
    for square in ["d8", "h2", "d4", "e5", "b4"] {
        let response =
            socket.command(json!({ "type": "touch", "version": version, "square": square })).await?;
        counts.add(response["type"] == "accepted");
    }
    Ok(())
}

async fn chains(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let settings = json!({ "variant": "interweave", "fen": CHAINS, "touchMove": true });
    let (game, _) = visitor.create(&settings).await?;
    counts.add(true);
    for _ in 0..3 {
        counts.add_response(&visitor.get(&format!("/api/games/{game}")).await);
    }
    Ok(())
}

/// Writes a game of about [`PGN_BYTES`] bytes. `number` selects one of four ways to make it costly to parse.
fn text(number: usize) -> String {
    let mut text = String::with_capacity(PGN_BYTES);
    let mut count = 0;
    while text.len() < PGN_BYTES - 64 {
        match number % 4 {
            0 => {
                let _ = write!(text, "[T{count}\"\"]");
            }
            1 => text.push_str("{x}"),
            // Variations nested to the maximum depth, repeatedly.
            2 if count == 0 => text.push_str("1. e4 "),
            2 => {
                let _ = write!(text, "{}{}", "(1. d4 ".repeat(100), ")".repeat(100));
            }
            _ => text.push_str(if count == 0 { "1. e4 " } else { "(1. d4 d5) " }),
        }
        count += 1;
    }
    text.push_str(" *");
    text
}

async fn texts(visitor: &mut Visitor, pgn: &str, counts: &mut Counts) -> Result<()> {
    let analysis = json!({ "command": command(), "name": "x", "pgn": pgn });
    visitor.post("/api/analyses", &analysis).await?.json()?;
    counts.add(true);
    Ok(())
}

/// Reads only the headers of a response, and keeps the connection open until the attack is over.
async fn exports(
    visitor: &Visitor,
    unread: &mut Vec<(Visitor, UnreadResponse)>,
    counts: &mut Counts,
) -> Result<()> {
    let mut reader = visitor.reconnected();
    let response = reader.send(Method::GET, "/api/account/data", None);
    let response = timeout(Duration::from_secs(2), response).await??;
    ensure!(response.status().is_success(), "{}", response.status());
    counts.add(true);
    unread.push((reader, response));
    Ok(())
}

async fn challenges(visitor: &mut Visitor, name: &str, counts: &mut Counts) -> Result<()> {
    let mut challenger = visitor.another_visitor();
    for _ in 0..5 {
        let challenge = json!({
            "command": command(), "to": name, "color": "random", "variant": "interweave",
            "fen": "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1",
        });
        challenger.post("/api/challenges", &challenge).await?.json()?;
        counts.add(true);
    }
    Ok(())
}

async fn conditions(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let settings = json!({
        "color": "black", "timeControl": { "type": "correspondence", "daysPerTurn": 14 },
    });
    let mut other = visitor.another_visitor().with_cookie().await?;
    other.register(None).await?;
    let game = visitor.play_with(&mut other, &settings).await?;
    let (mut socket, version) = visitor.open_game_socket(&game).await?;
    let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let replies = files.iter().flat_map(|file| [format!("{file}2{file}3"), format!("{file}2{file}4")]);
    let tree: Vec<Value> = replies.map(|reply| json!({ "reply": reply, "answer": "g8f6" })).collect();
    for _ in 0..200 {
        let set_conditions = json!({ "type": "set-conditions", "version": version, "tree": tree });
        let response = socket.command(set_conditions).await?;
        counts.add(response["type"] == "accepted");
    }
    Ok(())
}

async fn chat(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let mut other = visitor.another_visitor().with_cookie().await?;
    let game = visitor.play_with(&mut other, &json!({})).await?;
    // A new socket does not reset the limit.
    for _ in 0..40 {
        let (mut socket, _) = visitor.open_game_socket(&game).await?;
        for _ in 0..5 {
            let response = socket.command(json!({ "type": "chat", "text": "spam ".repeat(50) })).await?;
            counts.add(response["type"] == "accepted");
        }
    }
    Ok(())
}

async fn rematches(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let machine = json!({ "opponent": { "type": "machine", "level": 1 } });
    let (mut game, _) = visitor.create(&machine).await?;
    counts.add(true);
    for _ in 0..40 {
        let (mut socket, _) = visitor.open_game_socket(&game).await?;
        socket.command(json!({ "type": "abort" })).await?;
        let response = socket.command(json!({ "type": "offer-rematch" })).await?;
        counts.add(response["type"] == "accepted");
        if response["type"] != "accepted" {
            break;
        }
        let next = socket.receive_until(|received| received["event"]["type"] == "rematch-accepted").await?;
        next["event"]["next"].as_str().unwrap_or_default().clone_into(&mut game);
    }
    Ok(())
}

async fn machines(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9";
    let settings = json!({ "opponent": { "type": "machine", "level": 10 }, "color": "black", "fen": fen });
    visitor.create(&settings).await?;
    counts.add(true);
    Ok(())
}

async fn proofs(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let body = json!({
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "goal": "win", "turns": 8, "lines": [],
    });
    visitor.post("/api/problems/chess/proof", &body).await?.json()?;
    counts.add(true);
    Ok(())
}

/// Tries to sign in under a random name. Each try costs the server a password hash, so it counts as accepted
/// until the address reaches its limit.
async fn passwords(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let name = command();
    let guess = json!({ "name": &name[..16], "password": "not the password of any account" });
    let response = visitor.post("/api/session", &guess).await?;
    ensure!(response.status == StatusCode::UNAUTHORIZED, "{}", response.status);
    counts.add(true);
    Ok(())
}

async fn pages(visitor: &mut Visitor, number: usize, counts: &mut Counts) -> Result<()> {
    let paths = [
        "/api/hall",
        "/diagram.svg?variant=chess&fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201",
        "/api/problems/chess",
        "/",
        "/api/account",
    ];
    visitor.get(paths[number % paths.len()]).await?.json()?;
    counts.add(true);
    Ok(())
}

async fn sockets(visitor: &mut Visitor, counts: &mut Counts) -> Result<()> {
    let nonsense = ["{", "[]", "{\"type\":\"resync\"}", "{\"type\":\"seek\",\"command\":1}"];
    let deep = "[".repeat(8_000);
    let mut socket = visitor.socket("/api/hall/socket").await?;
    counts.add(true);
    for text in nonsense.into_iter().chain([deep.as_str()]).cycle().take(50) {
        if socket.send_text(text.to_owned()).await.is_err() {
            break;
        }
    }
    // Abandon the socket without reading what the server has sent.
    sleep(Duration::from_millis(100)).await;
    Ok(())
}
