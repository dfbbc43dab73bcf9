//! The engine, for a worker of the page.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use adoube_engine::{Control, Engine, Helpers, Info, Limits, Network, Odds, ScoreBound};
use adoube_notation::{pgn::play, san};
use adoube_refusal as refusal;
use adoube_rules::{AnyPosition, Color, DrawRules, Position, Turn, coordinate, with_position};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, parse_json, parse_variant, pgn::turn_of, refuse};

/// The most lines that are told at once.
const MOST_LINES: usize = 10;
/// The most threads of a search.
const MOST_THREADS: usize = 8;

/// The threads that help the engine of this memory: workers of the page that have called [`help`].
static HELPERS: LazyLock<Arc<Helpers>> = LazyLock::new(Arc::default);

/// Makes this thread help the engine, which is one of another thread with the same memory: searches of some threads
/// take it in as soon as it is here. Never returns: the page ends the worker.
#[cfg(any(target_feature = "atomics", not(target_family = "wasm")))]
#[wasm_bindgen]
pub fn help() {
    HELPERS.help();
}

#[wasm_bindgen]
extern "C" {
    /// Whoever waits for the engine: an object of the page.
    #[derive(Debug)]
    pub type Listener;

    /// Whether the search must end now.
    #[wasm_bindgen(method)]
    fn stop(this: &Listener) -> bool;

    /// The milliseconds since the search began.
    #[wasm_bindgen(method)]
    fn elapsed(this: &Listener) -> f64;

    /// Is told an [`InfoView`], as JSON.
    #[wasm_bindgen(method)]
    fn report(this: &Listener, info: &str);
}

/// What is to be searched, and how long.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchRequest {
    #[cfg_attr(test, ts(type = "Variant"))]
    pub variant: String,
    /// Where the line began.
    pub fen: String,
    /// The turns since then, in coordinate text: by them repetitions are seen.
    pub turns: Vec<String>,
    /// How many lines are wanted, from 1 to 10.
    pub lines: usize,
    /// How many threads search, from 1 to 8: this one, and of those that help as many as there are. With one thread
    /// and a limit of nodes or depth, the same searches in the same order give the same answers.
    pub threads: usize,
    /// Nodes after which the search ends; none for a search that goes on until it is stopped.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub nodes: Option<u64>,
    /// Depth in turns at which the search ends; none for no such limit.
    pub depth: Option<u32>,
}

/// A turn of a line, in both ways of writing.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PvView {
    /// Coordinate text.
    pub text: String,
    /// With English letters.
    pub san: String,
}

/// What is known of one line in the middle of a search, or at its end. Scores are White's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InfoView {
    /// Depth in turns.
    pub depth: u32,
    /// The longest line looked at, in turns.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the next one …
    pub line: usize,
    /// Hundredths of a pawn, unless the end is certain.
    pub centipawns: Option<i32>,
    /// In how many moves the game ends for certain: positive if White wins. 0 does not come.
    pub mate: Option<i32>,
    /// The points that White may expect, from 0 to 1.
    pub expected: f64,
    /// Whether the score is at least (`lower`) or at most (`upper`) this much for the side to move; none if it is exact.
    #[cfg_attr(test, ts(type = "'lower' | 'upper' | null"))]
    pub bound: Option<&'static str>,
    /// Positions looked at by all threads.
    pub nodes: f64,
    /// Threads that have looked at some.
    pub threads: usize,
    /// Since the search began.
    pub elapsed_ms: f64,
    /// The turns that both sides are expected to play.
    pub pv: Vec<PvView>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerView {
    /// The best line; none where there is no legal turn.
    pub best: Option<InfoView>,
    /// The points that White has, if the position ends the game by itself: 0, 0.5 or 1.
    pub points: Option<f64>,
}

/// An engine with its memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineHandle {
    engine: Engine,
}

#[wasm_bindgen]
impl EngineHandle {
    /// An engine with a table of so many mebibytes.
    #[wasm_bindgen(constructor)]
    pub fn new(mebibytes: usize) -> Result<Self, String> {
        let engine = Engine::new(mebibytes, 1).map_err(|_| refuse("engine-memory"))?;
        Ok(Self { engine })
    }

    /// Evaluates positions of a game by a network from now on.
    #[wasm_bindgen(js_name = setNetwork)]
    pub fn set_network(&mut self, variant: &str, bytes: &[u8]) -> Result<(), String> {
        let variant = parse_variant(variant)?;
        let network = Network::from_bytes(variant, bytes).map_err(|_| refuse("engine-network"))?;
        self.engine.set_network(variant, Some(Arc::new(network)));
        Ok(())
    }

    /// Forgets everything, as before another game.
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// Searches; takes a [`SearchRequest`] and returns an [`AnswerView`], both as JSON. The listener is told every
    /// line of every depth.
    pub fn search(&mut self, request: &str, listener: &Listener) -> Result<String, String> {
        let elapsed = || Duration::from_secs_f64((listener.elapsed() / 1_000.0).max(0.0));
        let request: SearchRequest = parse_json(request)?;
        let asked = Asked::read(&request)?;
        let control = Control {
            stop: &|| listener.stop(),
            elapsed: &elapsed,
            report: Some(&|info| listener.report(&json(&asked.view(info)))),
        };
        Ok(json(&asked.search(&mut self.engine, &control)))
    }

    /// The nodes of the searches by which speed is measured, `adoube bench` of one game.
    pub fn bench(&mut self, variant: &str) -> Result<f64, String> {
        Ok(adoube_engine::bench(&mut self.engine, parse_variant(variant)?, None) as f64)
    }
}

/// A request that makes sense.
struct Asked {
    position: AnyPosition,
    /// Keys of the positions before, the oldest first.
    history: Vec<u64>,
    limits: Limits,
    threads: usize,
}

impl Asked {
    fn read(request: &SearchRequest) -> Result<Self, String> {
        let variant = parse_variant(&request.variant)?;
        let mut position = AnyPosition::from_fen(variant, &request.fen)
            .map_err(|error| json(&refusal::of_position(variant, &error)))?;
        let mut history = Vec::with_capacity(request.turns.len());
        for text in &request.turns {
            let turn = turn_of(&position, text)?;
            history.push(position.key());
            play(&mut position, &turn);
        }
        let limits = Limits {
            nodes: request.nodes.unwrap_or(u64::MAX),
            depth: request.depth.unwrap_or(Limits::MAX_DEPTH).clamp(1, Limits::MAX_DEPTH),
            lines: request.lines.clamp(1, MOST_LINES),
            ..Limits::default()
        };
        Ok(Self { position, history, limits, threads: request.threads.clamp(1, MOST_THREADS) })
    }

    fn search(&self, engine: &mut Engine, control: &Control<'_>) -> AnswerView {
        engine.set_helpers(Arc::clone(&HELPERS), self.threads - 1);
        let report = with_position!(&self.position, position => {
            engine.search(position, &self.history, &self.limits, control)
        });
        let best = report.map(|report| {
            self.view(&Info {
                depth: report.depth,
                selective_depth: report.depth,
                line: 1,
                score: report.score,
                bound: None,
                nodes: report.nodes,
                threads: report.threads,
                elapsed: (control.elapsed)(),
                table_fullness: 0,
                pv: report.pv,
            })
        });
        let ended = with_position!(&self.position, position => position.outcome(DrawRules::Club));
        let points = ended.map(|outcome| match outcome.winner() {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        });
        AnswerView { best, points }
    }

    fn view(&self, info: &Info) -> InfoView {
        let sign = match self.position.side_to_move() {
            Color::White => 1,
            Color::Black => -1,
        };
        // A move is two plies; the last one may be half of one.
        let mate = info.score.certain_end().map(|plies| sign * (plies.signum() * (plies.abs() + 1) / 2));
        let odds = Odds::of(self.position.variant());
        let points = odds.points(info.score);
        InfoView {
            depth: info.depth,
            selective_depth: info.selective_depth,
            line: info.line,
            centipawns: mate.is_none().then_some(sign * odds.centipawns(info.score)),
            mate,
            expected: if sign > 0 { points } else { 1.0 - points },
            bound: info.bound.map(|bound| match bound {
                ScoreBound::Lower => "lower",
                ScoreBound::Upper => "upper",
            }),
            nodes: info.nodes as f64,
            threads: info.threads,
            elapsed_ms: info.elapsed.as_secs_f64() * 1_000.0,
            pv: line(&self.position, &info.pv),
        }
    }
}

fn line(position: &AnyPosition, turns: &[Turn]) -> Vec<PvView> {
    let mut at = position.clone();
    let mut line = Vec::with_capacity(turns.len());
    for turn in turns {
        let san = with_position!(&at, at => san::write(at, turn));
        line.push(PvView { text: coordinate::write(&at, turn), san });
        at.play_turn_unchecked(turn);
    }
    line
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, fs, path::Path};

    use adoube_rules::Variant;

    use super::*;

    fn request(variant: Variant, fen: &str, turns: &[&str]) -> SearchRequest {
        SearchRequest {
            variant: variant.to_string(),
            fen: fen.to_owned(),
            turns: turns.iter().map(|&turn| turn.to_owned()).collect(),
            lines: 1,
            threads: 1,
            nodes: Some(20_000),
            depth: None,
        }
    }

    fn best(request: &SearchRequest) -> InfoView {
        let mut engine = Engine::new(1, 1).unwrap();
        let asked = Asked::read(request).unwrap();
        asked.search(&mut engine, &Control::NONE).best.expect("a legal turn")
    }

    #[test]
    fn ends_are_counted_in_moves_and_as_white_sees_them() {
        let white = best(&request(Variant::Chess, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &[]));
        assert_eq!((white.mate, white.centipawns, white.pv[0].san.as_str()), (Some(1), None, "Rd8#"));
        assert!((white.expected - 1.0).abs() < 1e-9);
        let black = best(&request(Variant::Chess, "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", &[]));
        assert_eq!((black.mate, black.pv[0].text.as_str()), (Some(-1), "d8d1"));
        // Mate in two moves is three plies.
        let two = best(&request(Variant::Chess, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", &[]));
        assert_eq!((two.mate, two.pv.len()), (Some(2), 3));
    }

    #[test]
    fn a_better_side_may_expect_more_points() {
        let up = best(&request(Variant::Chess, "4k3/pppp4/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", &[]));
        assert!(up.centipawns.unwrap() > 100 && up.expected > 0.55 && up.expected < 1.0, "{up:?}");
        let down = best(&request(Variant::Chess, "4k3/pppppppp/8/8/8/8/PPPP4/4K3 b - - 0 1", &[]));
        assert!(down.centipawns.unwrap() < -100 && down.expected < 0.45, "{down:?}");
    }

    #[test]
    fn every_line_of_every_depth_is_told() {
        let mut request = request(Variant::Baroque, Variant::Baroque.initial_fen(), &["e2e4"]);
        request.lines = 3;
        request.depth = Some(3);
        let asked = Asked::read(&request).unwrap();
        let told = RefCell::new(Vec::new());
        let report = |info: &Info| told.borrow_mut().push((info.depth, info.line));
        let control = Control { report: Some(&report), ..Control::NONE };
        asked.search(&mut Engine::new(1, 1).unwrap(), &control);
        let expected: Vec<_> = (1..=3).flat_map(|depth| (1..=3).map(move |line| (depth, line))).collect();
        assert_eq!(told.into_inner(), expected);
    }

    #[test]
    fn the_turns_before_count_for_repetition() {
        let asked =
            Asked::read(&request(Variant::Chess, Variant::Chess.initial_fen(), &["g1f3", "g8f6"])).unwrap();
        assert_eq!(asked.history.len(), 2);
        assert_eq!(asked.history[0], AnyPosition::initial(Variant::Chess).key());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |request: &SearchRequest| Asked::read(request).err().unwrap_or_default();
        let initial = Variant::Chess.initial_fen();
        assert!(refused(&request(Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 1", &[])).contains("setup-kings"));
        assert!(refused(&request(Variant::Chess, initial, &["e2e5"])).contains("turn-illegal"));
        let mut unknown = request(Variant::Chess, initial, &[]);
        unknown.variant = "draughts".to_owned();
        assert!(refused(&unknown).contains(r#""code":"variant""#));
        assert!(parse_json::<SearchRequest>("{}").unwrap_err().contains("unknown"));
    }

    #[test]
    fn nobody_moves_where_nobody_can() {
        for (variant, fen, points) in [
            (Variant::Chess, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0.5),
            (Variant::Chess, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1.0),
            (Variant::Interweave, "7k/8/8/8/8/8/8/K5K1[] b - - 0 1", 1.0),
        ] {
            let asked = Asked::read(&request(variant, fen, &[])).unwrap();
            let answer = asked.search(&mut Engine::new(1, 1).unwrap(), &Control::NONE);
            assert_eq!(answer, AnswerView { best: None, points: Some(points) }, "{fen}");
        }
    }

    /// The page fetches these files.
    #[test]
    fn the_networks_of_the_program_are_files_that_can_be_given() {
        let mut engine = EngineHandle::new(1).unwrap();
        let with_network = |variant: &Variant| adoube_engine::network::embedded(*variant).is_some();
        for variant in Variant::ALL.into_iter().filter(with_network) {
            let folder = if variant == Variant::Chess { "browser/" } else { "" };
            let name = format!("../engine/networks/{folder}{variant}.network");
            let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
            engine.set_network(variant.name(), &bytes).unwrap();
            assert!(
                engine.set_network(variant.name(), &bytes[..100]).unwrap_err().contains("engine-network")
            );
        }
    }
}
