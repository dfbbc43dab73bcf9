//! The options of the engine.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Read as _},
    sync::Arc,
    time::Duration,
};

use adoube_rules::Variant;

use crate::{
    network::{self, Network, ReadNetworkError},
    skill::Skill,
};

/// All options with their values.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate option of the protocol")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Options {
    pub(super) variant: Variant,
    /// The size of the table in mebibytes.
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) lines: usize,
    pub(super) ponder: bool,
    /// Whether castling is written as the king capturing its rook.
    pub(super) chess960: bool,
    pub(super) limits_strength: bool,
    /// Whether the chances of a win, a draw and a loss are reported with scores.
    pub(super) reports_wdl: bool,
    pub(super) elo: u32,
    pub(super) skill: u32,
    pub(super) overhead: Duration,
    /// The network of each variant; `None` for the hand-crafted evaluation.
    pub(super) networks: [Option<Arc<Network>>; Variant::COUNT],
}

/// The action to take after an option is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    None,
    /// Change the size of the table.
    Hash,
    Threads,
    /// Clear everything learnt from earlier searches.
    Clear,
    /// Change all networks, or the one for this variant.
    Network(Option<Variant>),
    /// The variant was set, possibly to the same value.
    Variant {
        /// Whether it is a different variant from before.
        is_other: bool,
    },
}

/// The reason why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OptionError {
    #[error("unknown option {0:?}")]
    Unknown(String),
    #[error("{name} must be a number from {min} to {max}, not {value:?}")]
    Number { name: &'static str, min: u64, max: u64, value: String },
    #[error("{name} must be true or false, not {value:?}")]
    Flag { name: &'static str, value: String },
    #[error(transparent)]
    Variant(#[from] adoube_rules::ParseVariantError),
    #[error("EvalFile {0:?} cannot be read: {1}; the network is unchanged")]
    File(String, std::io::ErrorKind),
    #[error("EvalFile {0:?}: {1}; the network is unchanged")]
    Network(String, ReadNetworkError),
}

const HASH: (&str, u64, u64) = ("Hash", 1, 1 << 20);
const THREADS: (&str, u64, u64) = ("Threads", 1, 256);
const LINES: (&str, u64, u64) = ("MultiPV", 1, 256);
const ELO: (&str, u64, u64) = ("UCI_Elo", Skill::MIN_ELO as u64, Skill::MAX_ELO as u64);
const SKILL: (&str, u64, u64) = ("Skill Level", 0, Skill::FULL as u64);
const OVERHEAD: (&str, u64, u64) = ("Move Overhead", 0, 5_000);

/// The file name that means the built-in network.
const EMBEDDED: &str = "<embedded>";
/// The file name that means the hand-crafted evaluation instead of a network.
const HAND_MADE: &str = "<hand-made>";

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::DEFAULT,
            hash: 16,
            threads: 1,
            lines: 1,
            ponder: false,
            chess960: false,
            limits_strength: false,
            reports_wdl: false,
            elo: Skill::MAX_ELO,
            skill: Skill::FULL,
            overhead: Duration::from_millis(10),
            networks: Variant::ALL.map(network::embedded),
        }
    }
}

impl Options {
    /// Returns the lines that describe the options.
    pub(super) fn describe() -> String {
        let default = Self::default();
        let mut text = String::new();
        let mut spin = |(name, min, max): (&str, u64, u64), default: u64| {
            let _ = writeln!(text, "option name {name} type spin default {default} min {min} max {max}");
        };
        spin(HASH, default.hash as u64);
        spin(THREADS, default.threads as u64);
        spin(LINES, default.lines as u64);
        spin(OVERHEAD, default.overhead.as_millis() as u64);
        spin(SKILL, u64::from(default.skill));
        spin(ELO, u64::from(default.elo));
        for name in ["Ponder", "UCI_Chess960", "UCI_LimitStrength", "UCI_ShowWDL"] {
            let _ = writeln!(text, "option name {name} type check default false");
        }
        let _ = writeln!(text, "option name EvalFile type string default {EMBEDDED}");
        let _ = writeln!(text, "option name Clear Hash type button");
        let _ = write!(text, "option name UCI_Variant type combo default {}", default.variant);
        for variant in Variant::ALL {
            let _ = write!(text, " var {variant}");
        }
        text.push('\n');
        text
    }

    /// Sets an option. Names, and values that are words, are case-insensitive, as in the protocol.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let skill = self.skill();
        let effect = self.set_one(name, value)?;
        // What is left of a search at limited strength, in the table and the histories, contains its errors.
        Ok(if effect == Effect::None && self.skill() != skill { Effect::Clear } else { effect })
    }

    fn set_one(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let value = value.unwrap_or("");
        let word = value.to_ascii_lowercase();
        Ok(match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = number(HASH, value)? as usize;
                Effect::Hash
            }
            "threads" => {
                self.threads = number(THREADS, value)? as usize;
                Effect::Threads
            }
            "clear hash" => Effect::Clear,
            "uci_variant" => {
                let variant = word.parse()?;
                Effect::Variant { is_other: std::mem::replace(&mut self.variant, variant) != variant }
            }
            "evalfile" => match word.as_str() {
                EMBEDDED | "" => {
                    self.networks = Variant::ALL.map(network::embedded);
                    Effect::Network(None)
                }
                HAND_MADE => {
                    self.networks = [const { None }; Variant::COUNT];
                    Effect::Network(None)
                }
                _ => {
                    // Programs set options in the order in which they are listed, so the file may come before
                    // its variant.
                    let network = read_network(value, self.variant)?;
                    let variant = network.variant();
                    for (game, place) in Variant::ALL.into_iter().zip(&mut self.networks) {
                        if game == variant {
                            *place = Some(Arc::new(network));
                            break;
                        }
                    }
                    Effect::Network(Some(variant))
                }
            },
            "multipv" => {
                self.lines = number(LINES, value)? as usize;
                Effect::None
            }
            "skill level" => {
                self.skill = number(SKILL, value)? as u32;
                Effect::None
            }
            "uci_elo" => {
                self.elo = number(ELO, value)? as u32;
                Effect::None
            }
            "move overhead" => {
                self.overhead = Duration::from_millis(number(OVERHEAD, value)?);
                Effect::None
            }
            "ponder" => {
                self.ponder = parse_bool("Ponder", value)?;
                Effect::None
            }
            "uci_chess960" => {
                self.chess960 = parse_bool("UCI_Chess960", value)?;
                Effect::None
            }
            "uci_showwdl" => {
                self.reports_wdl = parse_bool("UCI_ShowWDL", value)?;
                Effect::None
            }
            "uci_limitstrength" => {
                self.limits_strength = parse_bool("UCI_LimitStrength", value)?;
                Effect::None
            }
            _ => return Err(OptionError::Unknown(name.chars().take(40).collect())),
        })
    }

    /// Returns the strength to play at.
    pub(super) fn skill(&self) -> Skill {
        if self.limits_strength {
            Skill::of_elo(self.variant, self.elo)
        } else {
            Skill::of_level(self.variant, self.skill)
        }
    }
}

/// Maximum size of a network file in bytes. The largest one for chess, with 3,072 inputs of 512 values of at
/// most 3 bytes each, takes 4.5 MiB.
const MAX_NETWORK_BYTES: u64 = 32 << 20;

/// Reads a network for any variant. An error names `variant` only if the network's own variant is unknown.
fn read_network(path: &str, variant: Variant) -> Result<Network, OptionError> {
    let name = || path.chars().take(200).collect();
    let read = || {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_NETWORK_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: io::Error| OptionError::File(name(), error.kind()))?;
    let to_error = |error| OptionError::Network(name(), error);
    match Network::from_bytes(variant, &bytes) {
        Err(ReadNetworkError::Game { found, .. }) => {
            let other = found.parse().unwrap_or(variant);
            Network::from_bytes(other, &bytes).map_err(to_error)
        }
        result => result.map_err(to_error),
    }
}

fn number((name, min, max): (&'static str, u64, u64), value: &str) -> Result<u64, OptionError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| OptionError::Number { name, min, max, value: value.chars().take(40).collect() })
}

fn parse_bool(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::Flag { name, value: value.chars().take(40).collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        let mut options = Options::default();
        let mut count = 0;
        for line in Options::describe().lines() {
            let (name, rest) =
                line.strip_prefix("option name ").and_then(|l| l.split_once(" type ")).expect("a line");
            let default = rest.split_once(" default ").map(|(_, rest)| rest.split(' ').next().unwrap_or(""));
            let effect = options.set(&name.to_uppercase(), default);
            assert!(effect.is_ok(), "{name}: {effect:?}");
            assert_eq!(effect, options.clone().set(name, default));
            count += 1;
        }
        assert_eq!((count, options), (13, Options::default()));
    }

    #[test]
    fn the_order_of_eval_file_and_variant_does_not_matter() {
        let path = std::env::temp_dir().join(format!("adoube-network-{}", std::process::id()));
        let network = Network::random(Variant::Baroque, 32, 1, 1);
        std::fs::write(&path, network.to_bytes()).expect("disk space");
        let file = path.to_str().expect("a name");
        let network_of = |options: &Options, variant: Variant| options.networks[variant.index()].clone();
        for order in [["EvalFile", "UCI_Variant"], ["uci_variant", "EVALFILE"]] {
            let mut options = Options::default();
            for name in order {
                let value = if name.eq_ignore_ascii_case("EvalFile") { file } else { "Baroque" };
                options.set(name, Some(value)).expect("set");
            }
            assert_eq!(options.variant, Variant::Baroque);
            assert_eq!(network_of(&options, Variant::Baroque).as_deref(), Some(&network), "{order:?}");
            assert_eq!(network_of(&options, Variant::Chess), network::embedded(Variant::Chess));
            options.set("EvalFile", Some("<Hand-Made>")).expect("no network");
            assert_eq!(network_of(&options, Variant::Baroque), None);
            options.set("EvalFile", Some("<EMBEDDED>")).expect("the built-in network");
            assert_eq!(options.networks, Options::default().networks);
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn option_values_are_case_insensitive() {
        let mut options = Options::default();
        for value in ["True", "FALSE", "true"] {
            assert_eq!(options.set("uci_CHESS960", Some(value)), Ok(Effect::None));
            assert_eq!(options.chess960, !value.eq_ignore_ascii_case("false"));
        }
        assert_eq!(options.set("UCI_Variant", Some("InterWeave")), Ok(Effect::Variant { is_other: true }));
        assert_eq!(options.set("UCI_Variant", Some("INTERWEAVE")), Ok(Effect::Variant { is_other: false }));
    }

    #[test]
    fn histories_are_cleared_when_the_strength_changes() {
        let mut options = Options::default();
        for (name, value, effect) in [
            ("Skill Level", "20", Effect::None),
            ("Skill Level", "3", Effect::Clear),
            ("Skill Level", "3", Effect::None),
            ("UCI_Elo", "1500", Effect::None),
            ("UCI_LimitStrength", "true", Effect::Clear),
            ("UCI_Elo", "1600", Effect::Clear),
            ("Skill Level", "7", Effect::None),
            ("UCI_LimitStrength", "false", Effect::Clear),
            ("MultiPV", "3", Effect::None),
        ] {
            assert_eq!(options.set(name, Some(value)), Ok(effect), "{name} {value}");
        }
    }

    #[test]
    fn invalid_options_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("much")),
            ("Hash", None),
            ("Threads", Some("-1")),
            ("MultiPV", Some("1000")),
            ("Ponder", Some("yes")),
            ("UCI_Variant", Some("draughts")),
            ("EvalFile", Some("/nowhere")),
            ("EvalFile", Some("/")),
            #[cfg(unix)]
            ("EvalFile", Some("/dev/zero")),
            ("Nonsense", Some("1")),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(options, Options::default());
    }
}
