//! Measures how many notices per second pass through one NATS server.
//!
//! Three buses, each with its own connection, stand in for three server processes. In each game, two of them
//! alternate: one publishes a turn as soon as it has received the other's.
//! The argument is the duration of each run in seconds, three by default.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_bus_nats::{NatsBus, NatsSettings};
use adoube_test_services::Nats;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const NODES: usize = 3;
const GAMES: [usize; 4] = [1, 16, 256, 4_096];
/// The number of runs; the median run is printed.
const ROUNDS: usize = 3;
/// The size of a body in bytes, about the same as for a notice about a turn.
const BODY: usize = 300;
/// Far longer than any notice takes. A notice that has not arrived by then was lost.
const TIMEOUT: Duration = Duration::from_secs(10);

/// One side of a game, on one of the buses.
struct Side {
    bus: Arc<NatsBus>,
    topic: String,
    /// 1 if the side's own notices have odd sequence numbers, 0 if even.
    parity: u64,
    /// When the last notice of the game was published.
    published: Arc<RwLock<Instant>>,
}

impl Side {
    async fn publish(&self, sequence: u64) -> Outcome<()> {
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let notice = Notice { sequence, audience: 1, body: vec![b'n'; BODY].into() };
        Ok(self.bus.publish(&self.topic, notice).await?)
    }

    /// Answers each notice from the other side until `until`. Returns the time that each of them took.
    async fn play(self, mut from: Box<dyn Subscription>, until: Instant) -> Outcome<Vec<Duration>> {
        let mut times = Vec::new();
        if self.parity == 1 {
            self.publish(1).await?;
        }
        loop {
            let next = tokio::time::timeout(TIMEOUT, from.next()).await;
            let delivery = next.map_err(|_| format!("a notice about {} was lost", self.topic))?;
            let Delivery::Notice(notice) = delivery else { return Err(format!("{delivery:?}").into()) };
            if notice.sequence % 2 == self.parity {
                continue;
            }
            times.push(self.published.read().unwrap_or_else(PoisonError::into_inner).elapsed());
            // Each side's last notice is answered too, so that neither waits for ever.
            self.publish(notice.sequence + 1).await?;
            if Instant::now() > until {
                return Ok(times);
            }
        }
    }
}

/// The results of one run: notices per second, and the median and 99th percentile of the delivery time in ms.
type Figures = (f64, f64, f64);

async fn measure(nodes: &[Arc<NatsBus>], games: usize, time: Duration) -> Outcome<Figures> {
    let mut sides = Vec::new();
    for game in 0..games {
        let published = Arc::new(RwLock::new(Instant::now()));
        for (side, parity) in [1, 0].into_iter().enumerate() {
            let bus = Arc::clone(&nodes[(game + side) % nodes.len()]);
            let topic = format!("game {game}");
            let subscription = bus.subscribe(&topic).await?;
            sides.push((subscription, Side { bus, topic, parity, published: Arc::clone(&published) }));
        }
    }
    let until = Instant::now() + time;
    let tasks: Vec<_> = sides.into_iter().map(|(from, side)| tokio::spawn(side.play(from, until))).collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await??);
    }
    times.sort_unstable();
    let percentile =
        |share: usize| times.get(times.len() * share / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let notices = f64::from(u32::try_from(times.len())?);
    Ok((notices / time.as_secs_f64(), percentile(50), percentile(99)))
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    let server = Nats::start()?;
    let settings = NatsSettings { url: server.address(), ..NatsSettings::default() };
    let mut nodes = Vec::new();
    for _ in 0..NODES {
        nodes.push(Arc::new(NatsBus::open(&settings, "house").await?));
    }
    println!("| games | notices/s | p50 ms | p99 ms |\n|--:|--:|--:|--:|");
    for games in GAMES {
        let mut figures = Vec::new();
        for _ in 0..ROUNDS {
            figures.push(measure(&nodes, games, Duration::from_secs(seconds)).await?);
        }
        figures.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (notices, p50_ms, p99_ms) = figures[ROUNDS / 2];
        println!("| {games} | {notices:.0} | {p50_ms:.2} | {p99_ms:.2} |");
    }
    for node in nodes {
        let counts = node.counts().unwrap_or_default();
        if counts.dropped + counts.losses > 0 {
            return Err(format!("notices were lost: {counts:?}").into());
        }
    }
    Ok(())
}
