//! The engine, which runs in one of the page's web workers.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
    time::Duration,
};

use adoube_engine::{Control, Engine, Helpers, Info, Limits, Network, Odds, ScoreBound, Searchable};
use adoube_notation::{pgn::play, san};
use adoube_refusal as refusal;
use adoube_rules::{AnyPosition, Color, DrawRules, Position, Turn, coordinate, with_position};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, parse_json, parse_variant, pgn::turn_of, refuse};

/// The maximum number of lines reported at once.
const MAX_LINES: usize = 10;
/// The maximum number of threads for a search.
const MAX_THREADS: usize = 8;

/// The threads that help the engine: the page's workers that share this memory and have called [`help`].
static HELPERS: LazyLock<Arc<Helpers>> = LazyLock::new(Arc::default);

/// Makes this thread help the engine, which runs on another thread with the same memory. Searches with
/// several threads use this one as soon as it is available. Never returns; the page terminates the worker.
#[cfg(any(target_feature = "atomics", not(target_family = "wasm")))]
#[wasm_bindgen]
pub fn help() {
    HELPERS.help();
}

#[wasm_bindgen]
extern "C" {
    /// The page's object that stops a search, measures its time and receives its progress.
    #[derive(Debug)]
    pub type Listener;

    /// Returns `true` if the search must end now.
    #[wasm_bindgen(method)]
    fn stop(this: &Listener) -> bool;

    /// Returns the time since the search began, in milliseconds.
    #[wasm_bindgen(method)]
    fn elapsed(this: &Listener) -> f64;

    /// Receives an [`InfoView`], as JSON.
    #[wasm_bindgen(method)]
    fn report(this: &Listener, info: &str);
}

/// The position to search, and the limits of the search.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchRequest {
    #[cfg_attr(test, ts(type = "Variant"))]
    pub variant: String,
    /// The FEN of the position where the line began.
    pub fen: String,
    /// The turns since then, in coordinate notation. They are needed to detect repetitions.
    pub turns: Vec<String>,
    /// The number of lines to search, from 1 to 10.
    pub lines: usize,
    /// The number of threads to search with, from 1 to 8: this one, and as many helpers as are available.
    /// With one thread and a limit on nodes or depth, searches are reproducible if they are run in the same
    /// order.
    pub threads: usize,
    /// The number of nodes after which the search ends; null for no limit.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub nodes: Option<u64>,
    /// The depth in turns at which the search ends; null for no limit.
    pub depth: Option<u32>,
}

/// A turn of a line, in both notations.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PvView {
    /// In coordinate notation.
    pub text: String,
    /// In SAN with English letters.
    pub san: String,
}

/// The state of one line during a search or at its end. Scores are from White's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InfoView {
    /// Depth in turns.
    pub depth: u32,
    /// The length of the longest line examined, in turns; in an answer, the same as `depth`.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub line: usize,
    /// The score in hundredths of a pawn; null if the result is certain.
    pub centipawns: Option<i32>,
    /// The number of moves after which the game certainly ends: positive if White wins. Never 0.
    pub mate: Option<i32>,
    /// White's expected points, from 0 to 1.
    pub expected: f64,
    /// `lower` if the exact score is at least as good for the side to move as this one, `upper` if it is at
    /// most as good; null if this one is exact.
    #[cfg_attr(test, ts(type = "'lower' | 'upper' | null"))]
    pub bound: Option<&'static str>,
    /// The number of positions examined by all threads.
    pub nodes: f64,
    /// The number of threads that have examined at least one position.
    pub threads: usize,
    /// The time since the search began.
    pub elapsed_ms: f64,
    /// The turns that both sides are expected to play.
    pub pv: Vec<PvView>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerView {
    /// The best line; null if there is no legal turn.
    pub best: Option<InfoView>,
    /// White's points, if the game is over in this position: 0, 0.5 or 1.
    pub points: Option<f64>,
    /// The values of the game's men in the engine's own units, by role name.
    #[cfg_attr(test, ts(type = "Partial<Record<Role, number>>"))]
    pub values: BTreeMap<&'static str, i32>,
}

/// An engine with its transposition table.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineHandle {
    engine: Engine,
}

#[wasm_bindgen]
impl EngineHandle {
    /// Creates an engine with a table of the given size.
    #[wasm_bindgen(constructor)]
    pub fn new(mebibytes: usize) -> Result<Self, String> {
        let engine = Engine::new(mebibytes, 1).map_err(|_| refuse("engine-memory"))?;
        Ok(Self { engine })
    }

    /// Sets the network that evaluates a game's positions.
    #[wasm_bindgen(js_name = setNetwork)]
    pub fn set_network(&mut self, variant: &str, bytes: &[u8]) -> Result<(), String> {
        let variant = parse_variant(variant)?;
        let network = Network::from_bytes(variant, bytes).map_err(|_| refuse("engine-network"))?;
        self.engine.set_network(variant, Some(Arc::new(network)));
        Ok(())
    }

    /// Forgets all earlier searches, as before a new game.
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// Searches a position. Takes a [`SearchRequest`] and returns an [`AnswerView`], both as JSON. The
    /// listener receives every line at every depth.
    pub fn search(&mut self, request: &str, listener: &Listener) -> Result<String, String> {
        let elapsed = || Duration::from_secs_f64((listener.elapsed() / 1_000.0).max(0.0));
        let request: SearchRequest = parse_json(request)?;
        let request = ValidRequest::read(&request)?;
        let control = Control {
            stop: &|| listener.stop(),
            elapsed: &elapsed,
            report: Some(&|info| listener.report(&json(&request.view(info)))),
        };
        Ok(json(&request.search(&mut self.engine, &control)))
    }

    /// Returns the number of nodes that a game's standard searches visit (`adoube bench`).
    pub fn bench(&mut self, variant: &str) -> Result<f64, String> {
        Ok(adoube_engine::bench(&mut self.engine, parse_variant(variant)?, None) as f64)
    }
}

/// A validated request.
struct ValidRequest {
    position: AnyPosition,
    /// Keys of the earlier positions, oldest first.
    history: Vec<u64>,
    limits: Limits,
    threads: usize,
}

impl ValidRequest {
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
            lines: request.lines.clamp(1, MAX_LINES),
            ..Limits::default()
        };
        Ok(Self { position, history, limits, threads: request.threads.clamp(1, MAX_THREADS) })
    }

    fn search(&self, engine: &mut Engine, control: &Control<'_>) -> AnswerView {
        engine.set_helpers(Arc::clone(&HELPERS), self.threads - 1);
        let report = engine.search(&self.position, &self.history, &self.limits, control);
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
        let values = with_position!(&self.position, position => values(position));
        AnswerView { best, points, values }
    }

    fn view(&self, info: &Info) -> InfoView {
        let sign = match self.position.side_to_move() {
            Color::White => 1,
            Color::Black => -1,
        };
        // A move is two plies, but the last move may be only one.
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

fn values<P: Searchable>(_: &P) -> BTreeMap<&'static str, i32> {
    P::VARIANT.roles().iter().map(|info| (info.name, P::VALUES[info.role.index()])).collect()
}

fn line(position: &AnyPosition, turns: &[Turn]) -> Vec<PvView> {
    let mut current = position.clone();
    let mut line = Vec::with_capacity(turns.len());
    for turn in turns {
        let san = with_position!(&current, current => san::write(current, turn));
        line.push(PvView { text: coordinate::write(&current, turn), san });
        current.play_turn_unchecked(turn);
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
        let request = ValidRequest::read(request).unwrap();
        request.search(&mut engine, &Control::NONE).best.expect("a legal turn")
    }

    #[test]
    fn mate_scores_are_in_moves_from_whites_point_of_view() {
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
    fn the_better_side_has_more_expected_points() {
        let up = best(&request(Variant::Chess, "4k3/pppp4/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", &[]));
        assert!(up.centipawns.unwrap() > 100 && up.expected > 0.55 && up.expected < 1.0, "{up:?}");
        let down = best(&request(Variant::Chess, "4k3/pppppppp/8/8/8/8/PPPP4/4K3 b - - 0 1", &[]));
        assert!(down.centipawns.unwrap() < -100 && down.expected < 0.45, "{down:?}");
    }

    #[test]
    fn every_line_at_every_depth_is_reported() {
        let mut request = request(Variant::Baroque, Variant::Baroque.initial_fen(), &["e2e4"]);
        request.lines = 3;
        request.depth = Some(3);
        let request = ValidRequest::read(&request).unwrap();
        let reported = RefCell::new(Vec::new());
        let report = |info: &Info| reported.borrow_mut().push((info.depth, info.line));
        let control = Control { report: Some(&report), ..Control::NONE };
        request.search(&mut Engine::new(1, 1).unwrap(), &control);
        let expected: Vec<_> = (1..=3).flat_map(|depth| (1..=3).map(move |line| (depth, line))).collect();
        assert_eq!(reported.into_inner(), expected);
    }

    #[test]
    fn earlier_positions_are_in_the_history() {
        let request =
            ValidRequest::read(&request(Variant::Chess, Variant::Chess.initial_fen(), &["g1f3", "g8f6"]))
                .unwrap();
        assert_eq!(request.history.len(), 2);
        assert_eq!(request.history[0], AnyPosition::initial(Variant::Chess).key());
    }

    #[test]
    fn invalid_requests_are_refused() {
        let refused = |request: &SearchRequest| ValidRequest::read(request).err().unwrap_or_default();
        let initial = Variant::Chess.initial_fen();
        assert!(refused(&request(Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 1", &[])).contains("setup-kings"));
        assert!(refused(&request(Variant::Chess, initial, &["e2e5"])).contains("turn-illegal"));
        let mut unknown = request(Variant::Chess, initial, &[]);
        unknown.variant = "draughts".to_owned();
        assert!(refused(&unknown).contains(r#""code":"variant""#));
        assert!(parse_json::<SearchRequest>("{}").unwrap_err().contains("unknown"));
    }

    #[test]
    fn there_is_no_best_line_without_legal_turns() {
        for (variant, fen, points) in [
            (Variant::Chess, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0.5),
            (Variant::Chess, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1.0),
            (Variant::Interweave, "7k/8/8/8/8/8/8/K5K1[] b - - 0 1", 1.0),
        ] {
            let request = ValidRequest::read(&request(variant, fen, &[])).unwrap();
            let answer = request.search(&mut Engine::new(1, 1).unwrap(), &Control::NONE);
            assert_eq!((answer.best, answer.points), (None, Some(points)), "{fen}");
        }
    }

    #[test]
    fn an_answer_has_the_value_of_each_role() {
        for variant in Variant::ALL {
            let request = ValidRequest::read(&request(variant, variant.initial_fen(), &[])).unwrap();
            let answer = request.search(&mut Engine::new(1, 1).unwrap(), &Control::NONE);
            assert!(answer.values.keys().copied().eq(sorted_roles(variant)), "{:?}", answer.values);
        }
    }

    fn sorted_roles(variant: Variant) -> Vec<&'static str> {
        let mut names: Vec<_> = variant.roles().iter().map(|info| info.name).collect();
        names.sort_unstable();
        names
    }

    /// The page fetches these files.
    #[test]
    fn built_in_networks_can_be_loaded_from_files() {
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
