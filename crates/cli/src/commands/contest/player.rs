//! The players of a match: our engine, simple players for comparison, and any UCI program.

use std::{path::Path, sync::Arc, time::Duration};

use adoube_engine::{
    AlphaBeta, Budget, ClockState, Control, Engine, Level, Limits, Network, Opponent as _, Parameters,
    Random, Skill, plain,
};
use adoube_rules::{AnyPosition, Color, Position as _, Turn, Variant, coordinate, with_position};
use anyhow::{Context as _, anyhow};

use super::{
    clock::Clock,
    process::{NoAnswer, Process},
};

/// The limits of a search other than the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Limit {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) time: Option<Duration>,
}

impl Limit {
    pub(super) fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the limits for our own search. `time` is the time that the clock or the limit allows.
    fn of_search(&self, time: Option<Budget>) -> Limits {
        Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            depth: self.depth.unwrap_or(Limits::MAX_DEPTH),
            time,
            ..Limits::default()
        }
    }

    /// Returns the UCI command that starts the search.
    pub(super) fn go(&self, clocks: Option<&[Clock; 2]>, side: Color) -> String {
        let mut words: Vec<(&str, u128)> = Vec::new();
        words.extend(self.nodes.map(|nodes| ("nodes", nodes.into())));
        words.extend(self.depth.map(|depth| ("depth", depth.into())));
        words.extend(self.time.map(|time| ("movetime", time.as_millis())));
        if let Some([white, black]) = clocks.filter(|_| self.is_none()) {
            words.push(("wtime", white.remaining.as_millis()));
            words.push(("btime", black.remaining.as_millis()));
            words.push(("winc", white.increment().as_millis()));
            words.push(("binc", black.increment().as_millis()));
            let own = if side == Color::White { white } else { black };
            words.extend(own.moves_to_go().map(|moves| ("movestogo", moves.into())));
        }
        let words = words.iter().map(|(word, number)| format!(" {word} {number}"));
        format!("go{}", words.collect::<String>())
    }
}

/// The situation in which a player must choose a turn.
pub(super) struct Situation<'a> {
    pub(super) initial: &'a AnyPosition,
    pub(super) turns: &'a [Turn],
    pub(super) position: &'a AnyPosition,
    /// Keys of the earlier positions.
    pub(super) history: &'a [u64],
    pub(super) clocks: Option<&'a [Clock; 2]>,
    /// A seed that `adoube match` makes different for each game.
    pub(super) seed: u64,
}

impl Situation<'_> {
    /// Returns a seed for noisy evaluations that is different for each game and turn.
    fn seed(&self) -> u64 {
        self.history.iter().fold(self.position.key(), |seed, key| seed.rotate_left(7) ^ key) ^ self.seed
    }
}

/// A player's answer.
pub(super) enum Answer {
    Turn(Turn),
    Illegal(String),
    /// The player did not answer in time. A later answer must be ignored, because the game is over.
    Late,
    /// The program has exited without answering, or our own search found no turn.
    Gone,
}

/// The specification of a player.
#[derive(Clone, Debug)]
pub(super) struct Specification {
    pub(super) name: String,
    kind: PlayerKind,
    limit: Limit,
    hash: usize,
    threads: usize,
}

#[derive(Clone, Debug)]
enum PlayerKind {
    Own,
    /// Our search with the hand-crafted evaluation.
    HandCrafted,
    /// Our search with a network from a file.
    Network(String),
    /// Our search with an evaluation of material alone.
    Material,
    Random,
    /// Wins the most material immediately; the same as `Plain(1)`.
    Greedy,
    /// Alpha-beta on material alone, to a fixed depth.
    Plain(u32),
    /// A level of the machine, as on the server, with its own limits.
    Level(Level),
    /// A UCI skill level.
    Skill(u32),
    /// Our engine with an evaluation that is off by a random amount, as in the levels.
    Noisy(u16),
    Uci {
        command: Vec<String>,
        options: Vec<(String, String)>,
    },
}

impl Specification {
    /// Parses `own`, `hand-made`, `network:FILE`, `material`, `random`, `greedy`, `plain:DEPTH`,
    /// `level:NUMBER`, `skill:NUMBER`, `noisy:NUMBER`, or else the command line of a UCI engine.
    pub(super) fn parse(
        text: &str,
        options: &[String],
        limit: Limit,
        hash: usize,
        threads: usize,
    ) -> anyhow::Result<Self> {
        let kind = match (text, text.split_once(':')) {
            ("own", _) => PlayerKind::Own,
            ("hand-made", _) => PlayerKind::HandCrafted,
            ("material", _) => PlayerKind::Material,
            ("random", _) => PlayerKind::Random,
            ("greedy", _) => PlayerKind::Greedy,
            (_, Some(("network", file))) => PlayerKind::Network(file.to_owned()),
            (_, Some(("plain", depth))) => {
                let depth = depth.parse().ok().filter(|depth| (1..=8).contains(depth));
                PlayerKind::Plain(depth.ok_or_else(|| anyhow!("{text:?}: the depth must be 1 to 8"))?)
            }
            (_, Some(("level", number))) => {
                let level = number.parse().ok().and_then(Level::from_number);
                PlayerKind::Level(level.ok_or_else(|| anyhow!("{text:?}: the levels are 1 to 10"))?)
            }
            (_, Some(("skill", level))) => {
                let level = level.parse().ok().filter(|level| (0..Skill::FULL).contains(level));
                let max = Skill::FULL - 1;
                PlayerKind::Skill(level.ok_or_else(|| {
                    anyhow!("{text:?}: the skill level must be 0 to {max}; for full strength, use `own`")
                })?)
            }
            (_, Some(("noisy", noise))) => {
                if limit.nodes.is_none() && limit.depth.is_none() {
                    return Err(anyhow!("{text:?} does not use a clock; limit its nodes or depth"));
                }
                let max = u16::MAX;
                let noise = noise.parse().map_err(|_| anyhow!("{text:?}: the noise must be 0 to {max}"))?;
                PlayerKind::Noisy(noise)
            }
            _ => PlayerKind::Uci {
                command: text.split_whitespace().map(str::to_owned).collect(),
                options: options.iter().map(|option| read_option(option)).collect::<anyhow::Result<_>>()?,
            },
        };
        if !matches!(kind, PlayerKind::Uci { .. }) && !options.is_empty() {
            return Err(anyhow!("{text:?} is not a UCI program and has no options"));
        }
        let name = match &kind {
            PlayerKind::Uci { command, options } => {
                let options = options.iter().map(|(option, value)| format!("{option}={value}"));
                command.iter().cloned().chain(options).collect::<Vec<_>>().join(" ")
            }
            _ => text.to_owned(),
        };
        Ok(Self { name, kind, limit, hash, threads })
    }

    /// Starts the player.
    pub(super) fn start(&self, variant: Variant) -> anyhow::Result<Player> {
        let engine = || Engine::new(self.hash, self.threads).context("--hash");
        let backend = match &self.kind {
            PlayerKind::Own => Backend::Own(engine()?),
            PlayerKind::HandCrafted => {
                let mut engine = engine()?;
                engine.set_network(variant, None);
                Backend::Own(engine)
            }
            PlayerKind::Network(path) => {
                let mut engine = engine()?;
                engine.set_network(variant, Some(read_network(Path::new(path), variant)?));
                Backend::Own(engine)
            }
            PlayerKind::Material => Backend::Material(engine()?),
            PlayerKind::Random => Backend::Random(Random::new(0, 0)),
            PlayerKind::Greedy => Backend::Plain(1, Random::new(0, 1)),
            PlayerKind::Plain(depth) => Backend::Plain(*depth, Random::new(0, 1)),
            PlayerKind::Level(level) => Backend::Level(*level),
            PlayerKind::Skill(level) => {
                let mut limits = Limits::default();
                Skill::of_level(variant, *level).apply(&mut limits, 0);
                Backend::Noisy(limits)
            }
            PlayerKind::Noisy(noise) => {
                Backend::Noisy(Limits { noise: *noise, ..self.limit.of_search(None) })
            }
            PlayerKind::Uci { command, options } => {
                let process = Process::start(command, options, variant, self.hash, self.threads);
                Backend::Uci(process.with_context(|| format!("the program {:?}", self.name))?)
            }
        };
        Ok(Player { name: self.name.clone(), limit: self.limit, backend })
    }
}

/// Reads the network for a variant from a file.
pub(crate) fn read_network(path: &Path, variant: Variant) -> anyhow::Result<Arc<Network>> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let network = Network::from_bytes(variant, &bytes).with_context(|| path.display().to_string())?;
    Ok(Arc::new(network))
}

fn read_option(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| anyhow!("an option must be NAME=VALUE, not {text:?}"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// A player in a match.
pub(super) struct Player {
    pub(super) name: String,
    limit: Limit,
    backend: Backend,
}

enum Backend {
    Own(Engine),
    Material(Engine),
    Random(Random),
    Plain(u32, Random),
    Level(Level),
    /// Our search with noise. Each turn is searched by a new engine, as in the levels.
    Noisy(Limits),
    Uci(Process),
}

impl Player {
    /// Sets the parameters of our search. Each player has its own copy of them. Does nothing for players
    /// other than `own`, `hand-made` and `network:FILE`.
    pub(super) fn set_parameters(&mut self, variant: Variant, parameters: Parameters) {
        if let Backend::Own(engine) = &mut self.backend {
            engine.set_parameters(variant, parameters);
        }
    }

    /// Returns `true` if the player has no limit on nodes, depth or time, so its clock is charged.
    pub(super) fn uses_clock(&self) -> bool {
        self.limit.is_none()
    }

    pub(super) fn new_game(&mut self) -> anyhow::Result<()> {
        match &mut self.backend {
            Backend::Own(engine) | Backend::Material(engine) => engine.forget(),
            Backend::Uci(process) => process.new_game()?,
            Backend::Random(_) | Backend::Plain(..) | Backend::Level(_) | Backend::Noisy(_) => {}
        }
        Ok(())
    }

    pub(super) fn choose(&mut self, situation: &Situation<'_>) -> Answer {
        let turn = match &mut self.backend {
            Backend::Own(engine) => search(engine, situation, self.limit, false),
            Backend::Material(engine) => search(engine, situation, self.limit, true),
            Backend::Random(random) => {
                let turns = situation.position.legal_turns();
                turns.get(random.below(turns.len().max(1))).cloned()
            }
            Backend::Plain(depth, random) => {
                with_position!(situation.position, position => plain::choose(position, *depth, random.next()))
            }
            Backend::Level(level) => AlphaBeta::default().choose(
                situation.position,
                situation.history,
                *level,
                situation.seed(),
                &|| false,
            ),
            Backend::Noisy(limits) => {
                limits.seed = situation.seed();
                let report = adoube_engine::search(situation.position, situation.history, limits, &|| false);
                report.map(|report| report.turn)
            }
            Backend::Uci(process) => return uci(process, situation, self.limit),
        };
        turn.map_or(Answer::Gone, Answer::Turn)
    }
}

fn search(engine: &mut Engine, situation: &Situation<'_>, limit: Limit, on_material: bool) -> Option<Turn> {
    let started = std::time::Instant::now();
    let clock = situation
        .clocks
        .map(|[white, black]| if situation.position.side_to_move() == Color::White { white } else { black });
    let time = match limit.time {
        Some(time) => Some(Budget::exactly(time)),
        None => clock.filter(|_| limit.is_none()).map(|clock| {
            Budget::for_clock(&ClockState {
                remaining: clock.remaining,
                increment: clock.increment(),
                moves_to_go: clock.moves_to_go(),
                overhead: Duration::from_millis(5),
            })
        }),
    };
    let limits = limit.of_search(time);
    let control = Control { elapsed: &|| started.elapsed(), ..Control::NONE };
    let report = if on_material {
        engine.search_on_material(situation.position, situation.history, &limits, &control)
    } else {
        engine.search(situation.position, situation.history, &limits, &control)
    };
    report.map(|report| report.turn)
}

fn uci(process: &mut Process, situation: &Situation<'_>, limit: Limit) -> Answer {
    let mut command = format!("position fen {}", situation.initial.fen());
    if *situation.initial == AnyPosition::initial(situation.initial.variant()) {
        command = String::from("position startpos");
    }
    let mut position = situation.initial.clone();
    for (index, turn) in situation.turns.iter().enumerate() {
        command.push_str(if index == 0 { " moves " } else { " " });
        command.push_str(&coordinate::write(&position, turn));
        position.play_turn_unchecked(turn);
    }
    let go = limit.go(situation.clocks, situation.position.side_to_move());
    let side = situation.position.side_to_move();
    let left = situation.clocks.filter(|_| limit.is_none());
    let left =
        left.map(|[white, black]| if side == Color::White { white.remaining } else { black.remaining });
    match process.best_move(&command, &go, limit.time.or(left)) {
        Err(NoAnswer::Late) => Answer::Late,
        Err(NoAnswer::Gone) => Answer::Gone,
        Ok(text) => match coordinate::parse(situation.position, &text) {
            Ok(turn) => Answer::Turn(turn),
            Err(_) => Answer::Illegal(text),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_parsed() {
        let parse =
            |text: &str, options: &[String]| Specification::parse(text, options, Limit::nodes(1), 1, 1);
        for text in [
            "own",
            "hand-made",
            "network:file",
            "material",
            "random",
            "greedy",
            "plain:4",
            "level:10",
            "skill:0",
            "noisy:600",
            "some program",
        ] {
            assert_eq!(parse(text, &[]).expect("a player").name, text);
        }
        assert!(parse("plain:x", &[]).is_err());
        assert!(parse("level:11", &[]).is_err());
        assert!(parse("skill:20", &[]).is_err());
        assert!(parse("noisy:-1", &[]).is_err());
        assert!(Specification::parse("noisy:1", &[], Limit::default(), 1, 1).is_err());
        assert!(parse("own", &["Hash=1".into()]).is_err());
        assert!(parse("program", &["Hash".into()]).is_err());
        assert_eq!(parse("program", &["A b=c".into()]).expect("a player").name, "program A b=c");
    }

    #[test]
    fn clocks_are_sent_if_there_is_no_other_limit() {
        let control = super::super::clock::TimeControl::parse("5+0.05").expect("a time control");
        let clocks = [Clock::new(control), Clock::new(control)];
        let text = Limit::default().go(Some(&clocks), Color::White);
        assert_eq!(text, "go wtime 5000 btime 5000 winc 50 binc 50");
        assert_eq!(Limit::nodes(7).go(Some(&clocks), Color::Black), "go nodes 7");
    }
}
