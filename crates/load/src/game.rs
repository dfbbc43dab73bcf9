//! Two players and their game: they play when a turn is due, come back when their line breaks, and remember what
//! was acknowledged.

use std::{net::SocketAddr, time::Duration};

use adoube_protocol::{ClientMessage, CommandId, GameEvent, ServerMessage, Version};
use adoube_rules::{AnyPosition, Color, Position as _, Variant, coordinate};
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{flags::Flags, http::Visitor, socket::Socket};

/// Who lost the line comes back after a chance part of this, so that not all come at once.
const BACK_WITHIN: Duration = Duration::from_millis(500);

/// When turns are due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) begin: Instant,
    pub(crate) end: Instant,
    period: Duration,
    games: usize,
    seed: u64,
}

impl Plan {
    pub(crate) fn new(flags: &Flags, begin: Instant) -> Self {
        let end = begin + Duration::from_secs(flags.seconds);
        Self { begin, end, period: flags.period(), games: flags.games, seed: flags.seed }
    }

    pub(crate) fn length(&self) -> Duration {
        self.end - self.begin
    }

    /// The turns of a game, evenly between those of the others.
    fn due(&self, game: usize, turn: u32) -> Instant {
        self.begin + self.period.mul_f64(game as f64 / self.games as f64) + self.period * turn
    }
}

/// A next number of chance (`SplitMix64`).
pub(crate) fn mix(seed: u64) -> u64 {
    let mut number = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A game that has been opened.
#[derive(Debug)]
pub(crate) struct Table {
    number: usize,
    id: String,
    variant: Variant,
    white: Visitor,
    black: Visitor,
}

impl Table {
    pub(crate) async fn open(number: usize, flags: &Flags, address: SocketAddr) -> Result<Self> {
        let name = flags.variants.get(number % flags.variants.len().max(1)).context("no variant is given")?;
        let (mut white, mut black) = (Visitor::default(), Visitor::default());
        let game = json!({
            "command": Uuid::new_v4(),
            "variant": name,
            "color": "white",
            "opponent": { "type": "friend" },
            "timeControl": { "type": "fischer", "initialMs": 10_800_000, "incrementMs": 1_000 },
        });
        let created = white.ask(address, "POST", "/api/games", Some(&game)).await?;
        let invitation = created["invitation"].as_str().context("no invitation")?;
        black.ask(address, "POST", &format!("/api/invitations/{invitation}"), None).await?;
        let id = created["id"].as_str().context("no id")?.to_owned();
        Ok(Self { number, id, variant: name.parse()?, white, black })
    }

    pub(crate) fn id(&self) -> String {
        self.id.clone()
    }

    /// Plays until no further turn is due.
    pub(crate) async fn play(self, plan: Plan, address: SocketAddr) -> Result<Played> {
        let mut game = Game::sit_down(self, plan.seed, address).await?;
        for turn in 0.. {
            let due = plan.due(game.table.number, turn);
            if due >= plan.end || game.is_over() {
                break;
            }
            game.wait_until(due).await?;
            game.turn(due).await?;
        }
        Ok(game.played)
    }
}

/// What happened at a table.
#[derive(Debug)]
pub(crate) struct Played {
    id: String,
    variant: Variant,
    /// The turns that were acknowledged, each with the version that was told.
    acknowledged: Vec<(u64, String)>,
    pub(crate) due: u64,
    pub(crate) acknowledged_us: Vec<u64>,
    pub(crate) seen_us: Vec<u64>,
    pub(crate) reconnected_us: Vec<u64>,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    pub(crate) illegal: u64,
    pub(crate) mistakes: Vec<String>,
}

impl Played {
    /// Compares what was acknowledged with what the server has.
    pub(crate) async fn check(mut self, address: SocketAddr) -> Result<Self> {
        let game = Visitor::default().ask(address, "GET", &format!("/api/games/{}", self.id), None).await?;
        let turns = game["turns"].as_array().context("no turns")?;
        let turns = turns.iter().filter_map(Value::as_str).collect::<Vec<_>>();
        let mut position = AnyPosition::initial(self.variant);
        for text in &turns {
            match coordinate::parse(&position, text) {
                Ok(turn) => position.play_turn_unchecked(&turn),
                Err(error) => {
                    self.illegal += 1;
                    self.mistakes.push(format!("{}: {text}: {error}", self.id));
                    break;
                }
            }
        }
        // Every turn is waited for, so those that were acknowledged are all but perhaps the last.
        for (place, (_, text)) in self.acknowledged.iter().enumerate() {
            if turns.get(place) != Some(&text.as_str()) {
                self.lost += 1;
            }
        }
        self.doubled += turns.len().saturating_sub(self.acknowledged.len() + 1) as u64;
        Ok(self)
    }
}

struct Game {
    table: Table,
    address: SocketAddr,
    seed: u64,
    position: AnyPosition,
    /// The version that both sides have seen, and the one of the position.
    version: u64,
    position_version: u64,
    over: bool,
    white: Socket,
    black: Socket,
    played: Played,
}

/// A turn that is under way.
struct Sent {
    by: Color,
    text: String,
    message: ClientMessage,
    command: CommandId,
    accepted: Option<u64>,
    seen: bool,
    /// The other's line broke meanwhile: it may have learned of the turn by coming back.
    came_back: bool,
}

impl Game {
    async fn sit_down(table: Table, seed: u64, address: SocketAddr) -> Result<Self> {
        let played = Played {
            id: table.id.clone(),
            variant: table.variant,
            acknowledged: Vec::new(),
            due: 0,
            acknowledged_us: Vec::new(),
            seen_us: Vec::new(),
            reconnected_us: Vec::new(),
            lost: 0,
            doubled: 0,
            illegal: 0,
            mistakes: Vec::new(),
        };
        // Created and joined: that is version 2.
        let version = 2;
        Ok(Self {
            seed: mix(seed ^ table.number as u64),
            position: AnyPosition::initial(table.variant),
            version,
            position_version: version,
            over: false,
            white: Socket::open(address, &table.id, version, table.white.cookie.as_ref()).await?,
            black: Socket::open(address, &table.id, version, table.black.cookie.as_ref()).await?,
            table,
            address,
            played,
        })
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn chance(&mut self) -> u64 {
        self.seed = mix(self.seed);
        self.seed
    }

    /// Listens until a turn is due.
    async fn wait_until(&mut self, due: Instant) -> Result<()> {
        loop {
            let heard = tokio::select! {
                () = tokio::time::sleep_until(due) => return Ok(()),
                heard = self.white.next() => heard,
                heard = self.black.next() => heard,
            };
            match heard {
                Ok(message) => self.take_in(&message, None)?,
                Err(_) => self.come_back().await?,
            }
        }
    }

    /// Plays a turn, and waits until it was acknowledged and the other side has seen it.
    async fn turn(&mut self, due: Instant) -> Result<()> {
        let turns = self.position.legal_turns();
        let Some(turn) = turns.get(self.chance() as usize % turns.len().max(1)) else {
            self.over = true;
            return Ok(());
        };
        let text = coordinate::write(&self.position, turn);
        let by = self.position.turn();
        let command = CommandId(Uuid::new_v4());
        let message =
            ClientMessage::Play { command, version: Version(self.position_version), turn: text.clone() };
        let mut sent = Sent { by, text, message, command, accepted: None, seen: false, came_back: false };
        self.played.due += 1;
        let mut line_is_good = self.mover(by).send(&sent.message).await.is_ok();
        while !(sent.accepted.is_some() && sent.seen) {
            if !line_is_good {
                self.come_back().await?;
                sent.came_back = true;
                line_is_good = true;
                if sent.accepted.is_none() {
                    // The same command: if it was done, it is not done again.
                    line_is_good = self.mover(by).send(&sent.message).await.is_ok();
                }
                continue;
            }
            let (from, heard) = tokio::select! {
                heard = self.white.next() => (Color::White, heard),
                heard = self.black.next() => (Color::Black, heard),
            };
            let Ok(message) = heard else {
                line_is_good = false;
                continue;
            };
            match &message {
                ServerMessage::Accepted { command, version } if *command == sent.command => {
                    sent.accepted = Some(version.0);
                    self.played.acknowledged_us.push(micros(due));
                }
                ServerMessage::Event { event: GameEvent::Played { turn, .. }, .. }
                    if from != sent.by && *turn == sent.text && !sent.seen =>
                {
                    sent.seen = true;
                    self.played.seen_us.push(micros(due));
                    self.take_in(&message, None)?;
                }
                _ => self.take_in(&message, Some(&sent))?,
            }
            sent.seen |= sent.came_back && (self.position.turn() != by || self.over);
            if self.over && sent.accepted.is_none() {
                return Ok(());
            }
        }
        self.played.acknowledged.push((sent.accepted.unwrap_or_default(), sent.text));
        Ok(())
    }

    fn mover(&mut self, by: Color) -> &mut Socket {
        match by {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// Takes in what either side was told; both are told the same.
    fn take_in(&mut self, message: &ServerMessage, sent: Option<&Sent>) -> Result<()> {
        match message {
            ServerMessage::Event { version, .. } if version.0 <= self.version => {}
            ServerMessage::Event { version, event, .. } => {
                if version.0 != self.version + 1 {
                    self.played.mistakes.push(format!("{}: a gap before {version}", self.table.id));
                }
                self.version = version.0;
                match event {
                    GameEvent::Played { turn, .. } => {
                        let turn = coordinate::parse(&self.position, turn)?;
                        self.position.play_turn_unchecked(&turn);
                        self.position_version = version.0;
                    }
                    GameEvent::Ended { .. } => self.over = true,
                    GameEvent::Interrupted { .. } => {}
                    other => bail!("nobody has asked for {other:?}"),
                }
            }
            ServerMessage::Refused { code, .. } => {
                // Under load the store may be away for a moment; the command is sent again when the line is new.
                let what = sent.map(|sent| sent.text.as_str()).unwrap_or_default();
                bail!("{}: {what} was refused: {code}", self.table.id);
            }
            ServerMessage::Snapshot { .. } => bail!("{}: a snapshot that nobody asked for", self.table.id),
            _ => {}
        }
        Ok(())
    }

    /// Opens both lines again, however long it takes; each gets what it missed.
    async fn come_back(&mut self) -> Result<()> {
        let lost = Instant::now();
        loop {
            let share = self.chance() % 1_000;
            tokio::time::sleep(BACK_WITHIN.mul_f64(share as f64 / 1_000.0)).await;
            let (id, version) = (&self.table.id, self.version);
            let white = Socket::open(self.address, id, version, self.table.white.cookie.as_ref()).await;
            let black = Socket::open(self.address, id, version, self.table.black.cookie.as_ref()).await;
            if let (Ok(white), Ok(black)) = (white, black) {
                (self.white, self.black) = (white, black);
                self.played.reconnected_us.push(micros(lost));
                return Ok(());
            }
        }
    }
}

/// Looks on until the end, and returns how long after it was due each turn was seen.
pub(crate) async fn watch(id: String, plan: Plan, address: SocketAddr) -> Result<Vec<u64>> {
    let mut socket = Socket::open(address, &id, 2, None).await?;
    let mut seen = Vec::new();
    let mut turn = 0;
    loop {
        let heard = tokio::select! {
            () = tokio::time::sleep_until(plan.end) => return Ok(seen),
            heard = socket.next() => heard?,
        };
        if matches!(heard, ServerMessage::Event { event: GameEvent::Played { .. }, .. }) {
            // The watched game is the first one.
            seen.push(micros(plan.due(0, turn)));
            turn += 1;
        }
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
