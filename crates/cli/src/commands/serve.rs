//! `adoube serve`: connects the store, the bus, the clock, the entropy source and the machine, and serves.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use adoube_bus::{Bus, LocalBus};
use adoube_bus_nats::{NatsBus, NatsSettings};
use adoube_engine::{AlphaBeta, Level, Opponent as _};
use adoube_rules::{AnyPosition, Color, Position as _, coordinate};
#[cfg(unix)]
use adoube_server::LocalSocket;
use adoube_server::{
    Config, FolderMailer, Inherited, Listen, Mailer, NoMailer, Opponent, OpponentRequest, PublicAddress,
    Server, Services, SystemClock, SystemEntropy, Thinking, house_id,
};
use anyhow::{anyhow, bail};
use clap::Args;
use listenfd::ListenFd;
use tokio::{
    runtime::{self, Runtime},
    signal,
};
use tracing_subscriber::EnvFilter;

#[cfg(unix)]
use super::operator;
use crate::{
    Reported, describe,
    service_manager::Service,
    settings::{Data, Layers, LogFormat, SettingFlags, Settings, parse_log_filter},
    smtp::{SmtpMailer, parse_sender},
};

/// Serve the games and the pages
///
/// All data is in one file, which is created if it does not exist, or in PostgreSQL. Exits when interrupted
/// or terminated; acknowledged changes survive even a crash. The `ADOUBE_LOG` variable sets the log level,
/// such as `debug`. A listener passed by a service manager (`LISTEN_FDS`) replaces the address.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    settings: SettingFlags,
    /// Accept the system clock this time, even if it seems wrong
    #[arg(long)]
    accept_clock: bool,
}

/// Time limit for the machine's search. The levels also limit its nodes, so it usually ends sooner.
const MAX_THINKING_TIME: Duration = Duration::from_millis(900);

/// The parts of a server or worker that are created from the settings.
pub(super) struct Start {
    pub(super) config: Config,
    pub(super) data: Data,
    pub(super) bus: Option<NatsSettings>,
    pub(super) mailer: Arc<dyn Mailer>,
    pub(super) log: Log,
}

/// The filter and the format of the log on standard error.
pub(super) struct Log {
    filter: EnvFilter,
    pub(super) format: LogFormat,
}

/// The target of log lines meant for the person or program that started the server. A JSON log contains them
/// whatever the log filter; with a text log, they are printed outside the log.
pub(super) const START: &str = "adoube::start";

/// Creates the parts of a server or worker from its settings. An error names the invalid setting.
pub(super) fn prepare(layers: &Layers) -> anyhow::Result<Start> {
    let Settings { data, bus, log, log_format, mail, server: config } = layers.settings()?;
    data.check().map_err(|error| layers.at("data", &error))?;
    let bus = bus.nats();
    if let Some(bus) = &bus {
        bus.check().map_err(|error| layers.at("bus.url", &error.into()))?;
    }
    check_addresses(&config, layers)?;
    config.identity_provider()?;
    if config.thinking != Thinking::InProcess && !(data.is_shared() && bus.is_some()) {
        let error = anyhow!(
            "thinking = {} leaves the machine's turns to workers (adoube work), which need a PostgreSQL database and a \
             bus: give both (--data postgres://ROLE@HOST/DATABASE --bus nats://HOST:4222), or set thinking = here",
            config.thinking
        );
        return Err(layers.at("thinking", &error));
    }
    let log = if log.is_empty() { "info" } else { &log };
    let mut filter = parse_log_filter(log).map_err(|error| layers.at("log", &anyhow!("log {error}")))?;
    // `async_nats` logs every connection attempt.
    if !log.contains("async_nats") {
        filter = filter.add_directive("async_nats=off".parse()?);
    }
    if log_format == LogFormat::Json {
        filter = filter.add_directive(format!("{START}=info").parse()?);
    }
    if !mail.smtp.is_empty() && config.public_origin.is_none() {
        let error = anyhow!(
            "mail.smtp needs public_origin, the address of this server as browsers see it, such as https://chess.example.org: \
             links in e-mails point to it"
        );
        return Err(layers.at("mail.smtp", &error));
    }
    if !mail.smtp.is_empty() {
        if mail.from.is_empty() {
            bail!(
                "mail.from is missing: mail.smtp needs the address of the sender, such as \"Club <club@example.org>\""
            );
        }
        parse_sender(&mail.from).map_err(|error| layers.at("mail.from", &error))?;
    }
    let mailer: Arc<dyn Mailer> = if !mail.smtp.is_empty() {
        Arc::new(SmtpMailer::new(&mail.smtp, &mail.from).map_err(|error| layers.at("mail.smtp", &error))?)
    } else if !mail.folder.is_empty() {
        Arc::new(FolderMailer::new(mail.folder.into()))
    } else {
        Arc::new(NoMailer)
    };
    Ok(Start { config, data, bus, mailer, log: Log { filter, format: log_format } })
}

/// Checks settings that may be valid individually but not in combination.
fn check_addresses(config: &Config, layers: &Layers) -> anyhow::Result<()> {
    if let (Listen::Tcp(listen), Some(metrics)) = (&config.listen, config.metrics)
        && *listen == metrics
        && listen.port() != 0
    {
        let error =
            anyhow!("metrics is the same address as listen, {listen}: choose another port for metrics");
        return Err(layers.at("metrics", &error));
    }
    let Some(public) = &config.public_origin else {
        if config.other_origins.is_empty() {
            return Ok(());
        }
        let error = anyhow!("other_origins needs public_origin, the beginning of links in e-mails");
        return Err(layers.at("other_origins", &error));
    };
    if let Some(other) = config.other_origins.iter().find(|other| other.is_secure() != public.is_secure()) {
        let error = anyhow!(
            "other_origins: {other} must have the same scheme as public_origin, {public}, because cookies set over TLS \
             are not sent without TLS. Inside your network, point the host name in public_origin at the proxy"
        );
        return Err(layers.at("other_origins", &error));
    }
    Ok(())
}

impl Log {
    pub(super) fn begin(self) {
        // Colours are for terminals: in a journal or a file they would be noise. See https://no-color.org.
        let wants_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let log = tracing_subscriber::fmt()
            .with_env_filter(self.filter)
            .with_writer(std::io::stderr)
            .with_ansi(wants_colours && std::io::stderr().is_terminal());
        match self.format {
            LogFormat::Json => {
                log.json().init();
                std::panic::set_hook(Box::new(|panic| tracing::error!(target: START, "{panic}")));
            }
            LogFormat::Text => log.init(),
        }
    }
}

/// Returns an error if the settings would prevent a server from starting.
pub(crate) fn check(flags: &SettingFlags) -> anyhow::Result<()> {
    let layers = Layers::read(flags)?;
    prepare(&layers)?;
    for warning in layers.warnings() {
        eprintln!("adoube: {warning}");
    }
    Ok(())
}

/// Runs a server or a worker. If its log is in JSON, so is the error with which it ends.
pub(super) fn with_logged_error(
    layers: &Layers,
    run: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    match run() {
        Err(error) if layers.log_format() == LogFormat::Json => {
            // This fails if the log has already begun.
            let _ = tracing_subscriber::fmt().json().with_writer(io::stderr).try_init();
            tracing::error!(target: START, "{}", describe(&error));
            Err(Reported.into())
        }
        result => result,
    }
}

pub(crate) fn run(arguments: &Serve) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    with_logged_error(&layers, || serve(arguments, &layers))
}

fn serve(arguments: &Serve, layers: &Layers) -> anyhow::Result<()> {
    let Start { mut config, data, bus, mailer, log } = prepare(layers)?;
    let format = log.format;
    config.clock.accept = arguments.accept_clock;
    log.begin();
    for warning in layers.warnings() {
        tracing::warn!("{warning}");
    }
    let inherited = inherited_listener()?;
    let path = config.public_origin.as_ref().map_or("", PublicAddress::path).to_owned();
    runtime()?.block_on(async {
        let services = services(&data, bus, mailer).await?;
        let bus = Arc::clone(&services.bus);
        let server = Server::bind_or_inherit(config, services, inherited).await?;
        // The person or program that started the server needs the address, whatever the log filter.
        let address = match server.listen_address() {
            Listen::Tcp(address) => format!("http://{address}{path}"),
            socket @ Listen::Unix(_) => socket.to_string(),
        };
        match format {
            LogFormat::Text => eprintln!("adoube: {address}"),
            LogFormat::Json => tracing::info!(target: START, address, "the server is listening"),
        }
        if let Some(path) = server.administration().first_link().await? {
            let link = format!("{}{path}", server.link_address());
            match format {
                LogFormat::Text => {
                    // A program that started the server may stop reading after the first line.
                    let _ = writeln!(
                        io::stderr(),
                        "adoube: there is no administrator yet; to become one, open {link} within 24 hours"
                    );
                }
                LogFormat::Json => tracing::info!(
                    target: START,
                    link,
                    "there is no administrator yet; to become one, open the link within 24 hours"
                ),
            }
        }
        // The server has locked the file, so the operator's commands must go through this socket.
        #[cfg(unix)]
        let commands = match &data {
            Data::File(path) => match LocalSocket::bind(&operator::socket(path)) {
                Ok(socket) => Some(tokio::spawn(socket.serve(Arc::clone(server.administration())))),
                Err(error) => {
                    tracing::warn!(%error, "commands such as `adoube user` will not reach this server");
                    None
                }
            },
            Data::Postgres(_) => None,
        };
        let service = Service::ready(&address);
        let ended = server.run(service.report_stopping_after(shutdown_signal())).await;
        #[cfg(unix)]
        if let Some(commands) = commands {
            // Ending the task removes the socket.
            commands.abort();
            let _ = commands.await;
        }
        bus.close().await;
        Ok(ended?)
    })
}

/// Returns the listener that a service manager has opened for this process (`sd_listen_fds(3)`).
fn inherited_listener() -> anyhow::Result<Option<Inherited>> {
    let mut passed = ListenFd::from_env();
    match passed.len() {
        0 => return Ok(None),
        1 => {}
        count => bail!(
            "the service manager passes {count} listeners, but one is expected: remove the others from the unit"
        ),
    }
    if let Ok(Some(listener)) = passed.take_tcp_listener(0) {
        return Ok(Some(Inherited::Tcp(listener)));
    }
    #[cfg(unix)]
    if let Ok(Some(listener)) = passed.take_unix_listener(0) {
        return Ok(Some(Inherited::Unix(listener)));
    }
    bail!("the service manager passes something other than a stream socket: use ListenStream= in the unit")
}

pub(super) fn runtime() -> std::io::Result<Runtime> {
    runtime::Builder::new_multi_thread().enable_all().build()
}

/// Opens the data and the bus.
pub(super) async fn services(
    data: &Data,
    bus: Option<NatsSettings>,
    mailer: Arc<dyn Mailer>,
) -> anyhow::Result<Services> {
    let store = data.open().await?;
    // Every house gets its id before its first backup. Otherwise `adoube copy` would treat the backup as
    // another house.
    let house = house_id(&*store, &SystemEntropy).await;
    let bus: Arc<dyn Bus> = match bus {
        None => {
            if let Err(error) = house {
                tracing::warn!(%error, "the house has no id yet");
            }
            Arc::new(LocalBus::default())
        }
        Some(settings) => Arc::new(NatsBus::open(&settings, &house?).await?),
    };
    Ok(Services {
        store,
        bus,
        clock: Arc::new(SystemClock::new()),
        mailer,
        entropy: Arc::new(SystemEntropy),
        opponent: Arc::new(Machine(AlphaBeta::default())),
    })
}

/// Waits until the process is told to stop, by Ctrl-C or by a service manager.
pub(super) async fn shutdown_signal() {
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

impl Machine {
    /// Returns the position that a request describes, and the keys of the positions before that one.
    fn replay(request: &OpponentRequest) -> Option<(AnyPosition, Vec<u64>)> {
        let mut position = AnyPosition::from_fen(request.variant, &request.initial_fen).ok()?;
        let mut history = Vec::with_capacity(request.turns.len());
        for text in &request.turns {
            history.push(position.key());
            position.play_turn_unchecked(&coordinate::parse(&position, text).ok()?);
        }
        Some((position, history))
    }
}

impl Opponent for Machine {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        let (position, history) = Self::replay(&request)?;
        let level = Level::from_number(request.level)?;
        // The seed depends on the game and its turns, so the same game gets the same reply after a restart,
        // and different games can get different replies.
        let seed = history.iter().fold(position.key(), |seed, key| seed.rotate_left(7) ^ key) ^ request.seed;
        let start = std::time::Instant::now();
        let stop = || request.cancel.load(Ordering::Relaxed) || start.elapsed() > MAX_THINKING_TIME;
        let turn = self.0.choose(&position, &history, level, seed, &stop)?;
        Some(coordinate::write(&position, &turn))
    }

    fn accepts_draw(&self, request: &OpponentRequest, machine: Color) -> bool {
        let (Some((position, history)), Some(level)) =
            (Self::replay(request), Level::from_number(request.level))
        else {
            return false;
        };
        let start = std::time::Instant::now();
        let stop = || request.cancel.load(Ordering::Relaxed) || start.elapsed() > MAX_THINKING_TIME;
        self.0.accepts_draw(&position, &history, (level, machine), &stop)
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    /// Returns the first turns of a game between the machine and an opponent that always plays the first
    /// legal turn.
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
    fn the_machine_varies_its_games() {
        for variant in Variant::ALL {
            for level in 1..=5 {
                let games: Vec<_> = (0..6).map(|seed| game(variant, level, mixed(seed))).collect();
                assert_eq!(games[0], game(variant, level, mixed(0)), "{variant} {level}: the same seed");
                assert!(games.iter().any(|other| *other != games[0]), "{variant} {level}: {games:?}");
            }
        }
    }

    /// Returns a number whose bits are well mixed, like a seed derived from the id of a game.
    fn mixed(number: u64) -> u64 {
        adoube_engine::Random::new(number, 0).next()
    }
}
