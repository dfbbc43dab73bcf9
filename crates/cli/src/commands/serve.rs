//! `adoube serve`: puts store, bus, clock, randomness and machine together and serves.

use std::{io::IsTerminal as _, sync::Arc, sync::atomic::Ordering, time::Duration};

use adoube_bus::LocalBus;
use adoube_engine::{AlphaBeta, Level, Opponent as _};
use adoube_rules::{AnyPosition, Position as _, coordinate};
use adoube_server::{
    Config, FolderMailer, Mailer, NoMailer, Opponent, OpponentRequest, Server, Services, SystemClock,
    SystemEntropy,
};
use adoube_store_sqlite::SqliteStore;
use anyhow::{Context as _, bail};
use clap::Args;
use tokio::{runtime, signal};
use tracing_subscriber::EnvFilter;

use crate::{
    settings::{Chosen, Settings},
    smtp::SmtpMailer,
};

/// Serve the games and the pages
///
/// Everything is kept in one file, which is made if it is not there. Ends when interrupted or terminated;
/// what it has acknowledged is kept whatever happens. The variable `ADOUBE_LOG` says what is logged, such as `debug`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    chosen: Chosen,
    /// Believe the system's clock for this start, whatever speaks against it
    #[arg(long)]
    accept_clock: bool,
}

/// After so long the machine plays the best it has found; its levels are bounded by nodes and end sooner.
const LONGEST_THOUGHT: Duration = Duration::from_millis(900);

/// What a server is started with, as the settings say it.
struct Start {
    config: Config,
    mailer: Arc<dyn Mailer>,
    log: Log,
}

/// How what happens is told on standard error.
struct Log {
    filter: EnvFilter,
    is_json: bool,
}

/// Reads what a server needs, or says which setting is wrong.
fn prepare(settings: &Settings) -> anyhow::Result<Start> {
    let config = settings.config()?;
    let log = settings.text("log").unwrap_or("info");
    let mut filter: EnvFilter = log
        .parse()
        .with_context(|| format!("log must be such as info, or adoube_server=debug, not {log:?}"))?;
    // It tells each file of the page at the first request.
    if !log.contains("memory_serve") {
        filter = filter.add_directive("memory_serve=warn".parse()?);
    }
    let is_json = match settings.text("log_format") {
        Some("text") | None => false,
        Some("json") => true,
        Some(other) => bail!("log_format is one of text, json, not {other:?}"),
    };
    if settings.text("mail.smtp").is_some() && config.public_origin.is_none() {
        bail!(
            "mail.smtp needs public_origin, the address of this server as browsers see it, such as https://chess.example.org: \
             links in mails lead there"
        );
    }
    let mailer: Arc<dyn Mailer> = match (settings.text("mail.smtp"), settings.text("mail.folder")) {
        (Some(url), _) => Arc::new(SmtpMailer::new(url, settings.text("mail.from").unwrap_or_default())?),
        (None, Some(folder)) => Arc::new(FolderMailer::new(folder.into())),
        (None, None) => Arc::new(NoMailer),
    };
    Ok(Start { config, mailer, log: Log { filter, is_json } })
}

impl Log {
    fn begin(self) {
        // A journal or a file would keep colours as noise; https://no-color.org is for terminals.
        let wants_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let log = tracing_subscriber::fmt()
            .with_env_filter(self.filter)
            .with_writer(std::io::stderr)
            .with_ansi(wants_colours && std::io::stderr().is_terminal());
        if self.is_json {
            log.json().init();
        } else {
            log.init();
        }
    }
}

/// Says whether a server would start with these settings, as far as they alone tell.
pub(crate) fn check(chosen: &Chosen) -> anyhow::Result<()> {
    let settings = Settings::read(chosen)?;
    prepare(&settings)?;
    for warning in settings.warnings() {
        eprintln!("adoube: {warning}");
    }
    Ok(())
}

pub(crate) fn run(arguments: &Serve) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let Start { mut config, mailer, log } = prepare(&settings)?;
    config.clock.accept = arguments.accept_clock;
    log.begin();
    for warning in settings.warnings() {
        tracing::warn!("{warning}");
    }
    runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let store = SqliteStore::open(&config.data)
            .await
            .with_context(|| format!("the data file {} cannot be opened", config.data.display()))?;
        let services = Services {
            store: Arc::new(store),
            bus: Arc::new(LocalBus::default()),
            clock: Arc::new(SystemClock::new()),
            mailer,
            entropy: Arc::new(SystemEntropy),
            opponent: Arc::new(Machine(AlphaBeta::default())),
        };
        let server = Server::bind(config, services).await?;
        // The one line that a person who started it by hand looks for.
        eprintln!("adoube: http://{}", server.local_addr());
        server.run(asked_to_stop()).await?;
        Ok(())
    })
}

/// Returns when the process is told to end, by a key or by a supervisor.
async fn asked_to_stop() {
    let interrupted = async {
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        match signal::unix::signal(signal::unix::SignalKind::terminate()) {
            Ok(mut terminated) => {
                tokio::select! {
                    () = interrupted => {}
                    _ = terminated.recv() => {}
                }
            }
            Err(_) => interrupted.await,
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}

/// The engine as the server's machine player.
struct Machine(AlphaBeta);

impl Opponent for Machine {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        let mut position = AnyPosition::from_fen(request.variant, &request.initial_fen).ok()?;
        let mut history = Vec::with_capacity(request.turns.len());
        for text in &request.turns {
            history.push(position.key());
            position.play_turn_unchecked(&coordinate::parse(&position, text).ok()?);
        }
        let level = Level::from_number(request.level)?;
        // The same game, asked again after a restart, gets the same answer; another game gets others.
        let seed = history.iter().fold(position.key(), |seed, key| seed.rotate_left(7) ^ key) ^ request.seed;
        let begin = std::time::Instant::now();
        let stop = || request.cancel.load(Ordering::Relaxed) || begin.elapsed() > LONGEST_THOUGHT;
        let turn = self.0.choose(&position, &history, level, seed, &stop)?;
        Some(coordinate::write(&position, &turn))
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    /// Returns the beginning of a game of the machine against one that always plays the first legal turn.
    fn game(variant: Variant, level: u8, seed: u64) -> Vec<String> {
        let mut position = AnyPosition::initial(variant);
        let mut turns = Vec::new();
        for number in 0..4 {
            let turn = if number % 2 == 0 {
                let request = OpponentRequest {
                    variant,
                    initial_fen: variant.initial_fen().to_owned(),
                    turns: turns.clone(),
                    level,
                    seed,
                    cancel: Arc::default(),
                };
                Machine(AlphaBeta::default()).choose(request).expect("a turn")
            } else {
                coordinate::write(&position, &position.legal_turns()[0])
            };
            position.play_turn_unchecked(&coordinate::parse(&position, &turn).expect("a legal turn"));
            turns.push(turn);
        }
        turns
    }

    #[test]
    fn the_machine_does_not_play_the_same_game_again() {
        for variant in Variant::ALL {
            for level in 1..=5 {
                let games: Vec<_> = (0..6).map(|seed| game(variant, level, mixed(seed))).collect();
                assert_eq!(games[0], game(variant, level, mixed(0)), "{variant} {level}: asked again");
                assert!(games.iter().any(|other| *other != games[0]), "{variant} {level}: {games:?}");
            }
        }
    }

    /// Returns a number as the ids of games give them.
    fn mixed(number: u64) -> u64 {
        adoube_engine::Random::new(number, 0).next()
    }
}
