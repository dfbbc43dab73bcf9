//! Additional visitors that each measure one thing repeatedly: how late a flag falls, how long the machine
//! takes, how soon a seek is seen on every node, and how soon the sockets of an ended session are closed.
//!
//! They keep running when a server dies, and repeat a failed measurement.

use std::{sync::Arc, time::Duration};

use adoube_rules::{AnyPosition, Color, Position as _, Variant, coordinate};
use anyhow::{Context as _, Result, ensure};
use futures_util::{StreamExt as _, future::join_all};
use hyper::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::{
    http::{self, HttpResponse},
    nodes::Nodes,
    player::{Event, Player, Received, SeededRng, Socket, Status, open_socket},
    report::{ProbeKind, Tally},
};

/// The time of each side in a game played to measure when a flag falls.
const FLAG_GAME_TIME: Duration = Duration::from_secs(3);
/// The maximum time by which a flag may seem to fall too early, because the player learns of the last turn
/// after the server has recorded it.
const FLAG_TOLERANCE: Duration = Duration::from_millis(250);
/// Number of turns that a visitor plays in one game against the machine.
const MACHINE_TURNS: usize = 12;
/// The time after which a measurement is abandoned.
const MEASUREMENT_TIMEOUT: Duration = Duration::from_mins(1);
/// The maximum wait for a socket to open.
const OPEN_TIME: Duration = Duration::from_secs(5);
/// The pause between a visitor's measurements.
const PAUSE: Duration = Duration::from_millis(400);
/// The first visitor number, beyond those used for the games.
const FIRST_VISITOR: usize = 1_500_000;

/// A visitor that makes the measurements.
#[derive(Clone, Debug)]
struct Visitor {
    nodes: Nodes,
    number: usize,
    tally: Arc<Tally>,
    rng: Arc<std::sync::Mutex<SeededRng>>,
}

/// Starts `each` visitors of each kind, which measure until `end`.
pub(crate) fn start(nodes: &Nodes, each: usize, seed: u64, end: Instant, tally: &Arc<Tally>) -> JoinSet<()> {
    let mut all = JoinSet::new();
    for number in 0..each {
        let visitor = |kind: usize| {
            // Fifty numbers share an address, and limits apply per address.
            let number = FIRST_VISITOR + (number * 4 + kind) * 50;
            let rng = SeededRng::new(seed.wrapping_add(number as u64));
            let rng = Arc::new(std::sync::Mutex::new(rng));
            Visitor { nodes: nodes.clone(), number, tally: Arc::clone(tally), rng }
        };
        all.spawn(repeat(visitor(0), end, ProbeKind::Deadline));
        all.spawn(repeat(visitor(1), end, ProbeKind::MachineTurn));
        all.spawn(repeat(visitor(2), end, ProbeKind::Seek));
        all.spawn(repeat(visitor(3), end, ProbeKind::SignOut));
    }
    all
}

async fn repeat(visitor: Visitor, end: Instant, kind: ProbeKind) {
    while Instant::now() < end {
        let measured = match kind {
            ProbeKind::Deadline => timeout_at(end, visitor.deadline()).await,
            ProbeKind::MachineTurn => timeout_at(end, visitor.machine_turns()).await,
            ProbeKind::Seek => timeout_at(end, visitor.seek()).await,
            ProbeKind::SignOut => timeout_at(end, visitor.sign_out()).await,
        };
        if let Ok(Err(error)) = measured {
            eprintln!("{kind:?}: {error:#}");
        }
        sleep(PAUSE).await;
    }
}

#[derive(Deserialize)]
struct Created {
    id: String,
    invitation: Option<String>,
}

impl Visitor {
    fn draw(&self, bound: usize) -> usize {
        self.rng.lock().unwrap_or_else(std::sync::PoisonError::into_inner).below(bound)
    }

    /// Sends a request to a random node, and retries on failure, as a load balancer would.
    async fn request(
        &self,
        method: Method,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Result<HttpResponse> {
        let body = body.map(|body| body.to_string());
        let start = Instant::now();
        loop {
            let node = self.nodes.get(self.draw(self.nodes.len()));
            let response = http::request(node, self.number, method.clone(), path, cookie, body.clone()).await;
            match response {
                Err(_) if start.elapsed() < MEASUREMENT_TIMEOUT => sleep(PAUSE / 2).await,
                response => return response,
            }
        }
    }

    fn player(&self, game: &str, cookie: String) -> Player {
        let visitor = self.number + self.draw(self.nodes.len());
        Player::new(&self.nodes, game, visitor, cookie).with_heartbeat(true)
    }

    /// Plays one turn for each side, and then waits for White's flag to fall.
    async fn deadline(&self) -> Result<()> {
        let request_body = json!({
            "command": Uuid::new_v4(), "variant": "chess", "color": "white", "opponent": { "type": "friend" },
            "timeControl": { "type": "fischer", "initialMs": FLAG_GAME_TIME.as_millis(), "incrementMs": 0 },
        });
        let response = self.request(Method::POST, "/api/games", None, Some(request_body)).await?;
        let cookie = response.cookie.clone().context("no cookie")?;
        let created: Created = response.json()?;
        let path = format!("/api/invitations/{}", created.invitation.context("no invitation")?);
        let other = self.request(Method::POST, &path, None, None).await?.cookie.context("no cookie")?;
        let mut players = [self.player(&created.id, cookie), self.player(&created.id, other)];
        for (player, turn) in players.iter_mut().zip(["e2e4", "e7e5"]) {
            if !play(player, turn).await? {
                // The time for the first turn ran out, as can happen while the database is down.
                return Ok(());
            }
        }
        let start = Instant::now();
        let [white, black] = &mut players;
        let mut uncharged_time = Duration::ZERO;
        let mut versions = 0;
        loop {
            let received = timeout_at(start + FLAG_GAME_TIME + MEASUREMENT_TIMEOUT, async {
                tokio::select! {
                    received = white.receive() => (received, true),
                    received = black.receive() => (received, false),
                }
            });
            let Ok((received, is_white)) = received.await else {
                self.tally.count_unanswered(ProbeKind::Deadline);
                return Ok(());
            };
            let player = if is_white { &mut *white } else { &mut *black };
            match received {
                None => {
                    player.reconnect().await;
                }
                Some(Ok(Received::Event { version, event })) => {
                    player.version = version;
                    match event {
                        // Both players receive the event, but it counts once.
                        Event::Interrupted { from, until } if version > versions => {
                            versions = version;
                            let time = u64::try_from(until - from).unwrap_or(0);
                            uncharged_time += Duration::from_millis(time);
                        }
                        Event::Ended { result, reason } => {
                            // Some of the uncharged time may lie before `start`, when the player had not yet
                            // learned of the last turn. So it can make a flag count as less late, but never
                            // as too early.
                            let earliest = start + FLAG_GAME_TIME;
                            let due = earliest + uncharged_time;
                            if reason != "time-out"
                                || result != "0-1"
                                || Instant::now() + FLAG_TOLERANCE < earliest
                            {
                                eprintln!("{}: {reason} {result}", created.id);
                                self.tally.count_early_flag();
                            }
                            self.tally.record_probe(ProbeKind::Deadline, due.min(Instant::now()));
                            return Ok(());
                        }
                        _ => {}
                    }
                }
                Some(Ok(Received::Snapshot { game })) => player.version = game.version,
                Some(other) => {
                    other?;
                }
            }
        }
    }

    /// Plays some turns against the machine at its weakest level.
    async fn machine_turns(&self) -> Result<()> {
        let request_body = json!({
            "command": Uuid::new_v4(), "variant": "chess", "color": "white",
            "opponent": { "type": "machine", "level": 1 },
        });
        let response = self.request(Method::POST, "/api/games", None, Some(request_body)).await?;
        let cookie = response.cookie.clone().context("no cookie")?;
        let created: Created = response.json()?;
        let mut player = self.player(&created.id, cookie);
        let mut position = AnyPosition::initial(Variant::DEFAULT);
        for _ in 0..MACHINE_TURNS {
            let turns = position.legal_turns();
            if turns.is_empty() || position.side_to_move() != Color::White {
                break;
            }
            let turn = &turns[self.draw(turns.len())];
            let text = coordinate::write(&position, turn);
            let before = player.plies;
            if !play(&mut player, &text).await? {
                break;
            }
            position.play_turn_unchecked(turn);
            let start = Instant::now();
            let reply = timeout(MEASUREMENT_TIMEOUT, wait_for_ply(&mut player, before + 2)).await;
            let Ok(reply) = reply else {
                self.tally.count_unanswered(ProbeKind::MachineTurn);
                eprintln!("the machine did not reply: {}", player.describe_game().await);
                return Ok(());
            };
            let Some(reply) = reply? else { break };
            self.tally.record_probe(ProbeKind::MachineTurn, start);
            let reply =
                coordinate::parse(&position, &reply).ok().context("the machine's turn is not legal")?;
            position.play_turn_unchecked(&reply);
        }
        Ok(())
    }

    /// Opens a hall socket on each node and creates twenty seeks, or fewer if one of the sockets breaks.
    /// Measures how soon each node announces them.
    async fn seek(&self) -> Result<()> {
        const SEEKS: usize = 20;
        let cookie =
            self.request(Method::GET, "/api/account", None, None).await?.cookie.context("no cookie")?;
        let mut halls = self.open_hall_sockets(&cookie).await?;
        for _ in 0..SEEKS {
            let request_body = json!({
                "command": Uuid::new_v4(), "variant": "chess", "color": "random",
                "timeControl": { "type": "fischer", "initialMs": 180_000, "incrementMs": 0 },
            });
            let start = Instant::now();
            let response =
                self.request(Method::POST, "/api/seeks", Some(&cookie), Some(request_body)).await?;
            let Created { id, .. } = response.json()?;
            // All at once, so that a slow node does not delay the measurement of the others.
            let announcements = halls.iter_mut().map(async |hall| {
                match timeout_at(start + MEASUREMENT_TIMEOUT, wait_for_seek(hall, &id)).await {
                    Ok(true) => self.tally.record_probe(ProbeKind::Seek, start),
                    // The node has died. Its visitors reconnect to another one.
                    Ok(false) => return false,
                    Err(_) => self.tally.count_unanswered(ProbeKind::Seek),
                }
                true
            });
            let all_nodes_alive = join_all(announcements).await.into_iter().all(|is_alive| is_alive);
            let path = format!("/api/seeks/{id}");
            self.request(Method::DELETE, &path, Some(&cookie), None).await?;
            if !all_nodes_alive {
                break;
            }
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Registers, opens a hall socket on each node, signs out, and waits until all sockets are closed.
    async fn sign_out(&self) -> Result<()> {
        let name = format!("v{}", &Uuid::new_v4().simple().to_string()[..12]);
        let request_body = json!({ "name": name, "password": "a long enough secret 7" });
        let cookie = self
            .request(Method::POST, "/api/account", None, Some(request_body))
            .await?
            .cookie
            .context("no cookie")?;
        let halls = self.open_hall_sockets(&cookie).await?;
        let mut closed = JoinSet::new();
        for mut hall in halls {
            closed.spawn(async move {
                while let Some(Ok(message)) = hall.next().await {
                    if matches!(message, Message::Close(_)) {
                        break;
                    }
                }
            });
        }
        let start = Instant::now();
        self.request(Method::DELETE, "/api/session", Some(&cookie), None).await?;
        loop {
            match timeout_at(start + MEASUREMENT_TIMEOUT, closed.join_next()).await {
                Ok(None) => return Ok(()),
                Ok(Some(_)) => self.tally.record_probe(ProbeKind::SignOut, start),
                Err(_) => {
                    for _ in 0..closed.len() {
                        self.tally.count_unanswered(ProbeKind::SignOut);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Opens a hall socket on each node that answers, and waits for the hall's snapshot. Fails if no node
    /// answers.
    async fn open_hall_sockets(&self, cookie: &str) -> Result<Vec<Socket>> {
        let mut halls = Vec::new();
        for node in 0..self.nodes.len() {
            let opening = async {
                let node = self.nodes.get(node);
                let mut socket = open_socket(node, "/api/hall/socket", self.number, cookie).await?;
                socket.next().await.context("the hall sent nothing")??;
                anyhow::Ok(socket)
            };
            // A node that is dead or suspended does not answer.
            if let Ok(Ok(socket)) = timeout(OPEN_TIME, opening).await {
                halls.push(socket);
            }
        }
        ensure!(!halls.is_empty(), "no node opened a hall socket");
        Ok(halls)
    }
}

/// Reads a hall's messages until a seek is announced. Returns `false` if the connection broke first.
async fn wait_for_seek(hall: &mut Socket, seek: &str) -> bool {
    loop {
        match hall.next().await {
            Some(Ok(Message::Text(text))) => {
                let message: Value = serde_json::from_str(&text).unwrap_or_default();
                let is_wanted = |value: &Value| value["id"] == seek;
                let is_announced = match message["type"].as_str() {
                    Some("seek-added") => is_wanted(&message["seek"]),
                    Some("hall") => {
                        message["hall"]["seeks"].as_array().is_some_and(|all| all.iter().any(is_wanted))
                    }
                    _ => false,
                };
                if is_announced {
                    return true;
                }
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return false,
            Some(Ok(_)) => {}
        }
    }
}

/// Plays a turn, repeating the command after each broken connection or temporary refusal. Returns `false`
/// after a permanent refusal.
async fn play(player: &mut Player, turn: &str) -> Result<bool> {
    if player.version == 0 {
        player.reconnect().await;
    }
    while player.version == 0 {
        wait(player).await?;
    }
    let command = Uuid::new_v4();
    let mut message = String::new();
    let mut is_sent = false;
    loop {
        if !is_sent {
            if message.is_empty() {
                message =
                    json!({ "type": "play", "command": command, "version": player.version, "turn": turn })
                        .to_string();
            }
            player.send(message.clone()).await;
            is_sent = true;
        }
        match player.receive().await {
            None => {
                player.reconnect().await;
                is_sent = false;
            }
            Some(received) => match received? {
                Received::Accepted { command: accepted } if accepted == command => return Ok(true),
                Received::Refused { command: Some(refused), code } if refused == command => {
                    match code.as_str() {
                        "not-saved" | "busy" => {}
                        // The player had not yet received the last event, so build the message again with
                        // the player's current version.
                        "other-position" | "not-your-turn" | "not-started" => message.clear(),
                        _ => return Ok(false),
                    }
                    sleep(PAUSE / 4).await;
                    is_sent = false;
                }
                other => apply(player, other),
            },
        }
    }
}

/// Waits for the next message, reconnecting if necessary.
async fn wait(player: &mut Player) -> Result<()> {
    match player.receive().await {
        None => {
            player.reconnect().await;
        }
        Some(received) => apply(player, received?),
    }
    Ok(())
}

fn apply(player: &mut Player, received: Received) {
    match received {
        // After a lost response, events may arrive twice.
        Received::Event { version, event } if version > player.version => {
            player.version = version;
            match event {
                Event::Played { turn, .. } => {
                    player.plies += 1;
                    player.last_turn = Some(turn);
                }
                Event::Ended { .. } => player.is_over = true,
                _ => {}
            }
        }
        Received::Snapshot { game } => {
            (player.version, player.plies) = (game.version, game.turns.len());
            player.last_turn = game.turns.last().cloned();
            player.is_over = matches!(game.status, Status::Over { .. });
        }
        _ => {}
    }
}

/// Waits until the player has received this number of turns. Returns the last one, or `None` if the game ends
/// first. The turn, or the end, may have arrived before the answer to the player's own turn.
async fn wait_for_ply(player: &mut Player, plies: usize) -> Result<Option<String>> {
    while player.plies < plies && !player.is_over {
        wait(player).await?;
    }
    Ok(player.last_turn.clone().filter(|_| player.plies >= plies))
}
