//! Explanations for the page: why a step is not legal, and what a man can do.
//!
//! The page has the sentences but does not know the rules. An explanation is therefore a code, with the men,
//! squares and numbers that its sentence may mention, and lines to draw on the board.

mod code;
mod figure;

use adoube_rules::{
    AnyPosition, Piece, Position, Role, Square, Variant,
    explain::{self, CaptureMethod, CastlingObstacle, Legal, Man, ManExplanation, Reason, Taking},
};
use serde::Serialize;

pub use code::{CaptureMethodCode, MissCode, ReasonCode};

use crate::view::{PieceView, color_name, square_name};

/// A clause of the rules, with the game whose rule page contains it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClauseView {
    /// The clause's id, which is also its anchor on the page.
    pub id: &'static str,
    /// The game whose rules it belongs to.
    #[cfg_attr(test, ts(type = "Variant"))]
    pub rules: &'static str,
}

/// A man taken by one step, actual or possible.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakingView {
    /// The man that takes, on its square before the step.
    pub by: PieceView,
    #[cfg_attr(test, ts(type = "Square"))]
    pub to: &'static str,
    pub victim: PieceView,
    pub method: CaptureMethodCode,
    /// The other square involved in the taking: the partner's in a pincer or custodian capture, or the king's
    /// in a capture by a coordinator.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub with: Option<&'static str>,
    /// Whether a chameleon takes this way because its victim does.
    pub imitating: bool,
    pub clause: ClauseView,
    /// The lines that illustrate the taking, in addition to the path of the man itself.
    #[cfg_attr(test, ts(type = "[Square, Square][]"))]
    pub lines: Vec<[&'static str; 2]>,
}

/// A legal step, explained.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LegalView {
    pub man: PieceView,
    #[cfg_attr(test, ts(type = "Square"))]
    pub to: &'static str,
    pub takings: Vec<TakingView>,
    /// The squares that the rook leaves and reaches, if this is castling.
    #[cfg_attr(test, ts(type = "[Square, Square] | null"))]
    pub castling: Option<[&'static str; 2]>,
    /// Whether the same man must take again afterwards.
    pub goes_on: bool,
    /// The clause under which the man leaves the board instead of moving; null if it moves, or takes where it
    /// stands.
    pub giving_up: Option<ClauseView>,
}

/// A reason why a step is not legal, or why a man is held.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReasonView {
    pub code: ReasonCode,
    pub clause: ClauseView,
    /// The man that would move.
    pub man: Option<PieceView>,
    /// The man that is the cause: it blocks, pins, freezes or gives check.
    pub other: Option<PieceView>,
    /// Another man behind it.
    pub second: Option<PieceView>,
    /// The square that the reason is about.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub at: Option<&'static str>,
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<&'static str>,
    pub distance: Option<u8>,
    /// The outcome of the game, if it is over.
    pub outcome: Option<&'static str>,
    /// The role chosen for a promotion; `choices` are the roles allowed.
    #[cfg_attr(test, ts(type = "Role | null"))]
    pub role: Option<&'static str>,
    #[cfg_attr(test, ts(type = "Role[]"))]
    pub choices: Vec<&'static str>,
    /// The taking that the step would allow the enemy.
    pub taking: Option<TakingView>,
    /// The takings that are possible instead.
    pub instead: Vec<LegalView>,
    #[cfg_attr(test, ts(type = "[Square, Square][]"))]
    pub lines: Vec<[&'static str; 2]>,
}

/// Everything that can be explained about one man.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ManExplanationView {
    pub man: PieceView,
    /// Whether its side is to move. If not, `steps` lists what it could do if its side were to move.
    pub to_move: bool,
    /// The reasons that keep the man from moving at all, or from moving freely.
    pub holding: Vec<ReasonView>,
    /// If the man has no steps, the reasons that keep it from squares where it could otherwise go.
    pub exclusions: Vec<ReasonView>,
    pub steps: Vec<LegalView>,
}

/// The explanation of an attempted step: its effects, or all reasons why it is illegal.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StepAnswer {
    pub legal: Option<LegalView>,
    pub reasons: Vec<ReasonView>,
}

pub(crate) fn man(position: &AnyPosition, square: Square) -> Option<ManExplanationView> {
    let describer = Describer(position.variant());
    let ManExplanation { man, holding, exclusions, steps, .. } = explain::man(position, square)?;
    let mut views: Vec<LegalView> = Vec::new();
    for legal in &steps {
        let view = describer.legal(legal);
        // If a pawn can promote to several roles, the square is listed once.
        if !views.contains(&view) {
            views.push(view);
        }
    }
    Some(ManExplanationView {
        man: describer.man(man),
        to_move: man.color() == position.side_to_move(),
        holding: holding.iter().map(|reason| describer.reason(reason)).collect(),
        exclusions: exclusions.iter().map(|reason| describer.reason(reason)).collect(),
        steps: views,
    })
}

pub(crate) fn step(position: &AnyPosition, from: Square, to: Square) -> StepAnswer {
    let describer = Describer(position.variant());
    let mut answer = explain::step(position, from, to, None);
    // The page asks about a step before a promotion role is chosen, so a missing role is not a reason: try
    // any legal one.
    let missing = answer.as_ref().err().and_then(|reasons| {
        reasons.iter().find_map(|reason| match reason {
            Reason::PromotionMissing { choices, .. } => choices.first().copied(),
            _ => None,
        })
    });
    if missing.is_some() {
        answer = explain::step(position, from, to, missing);
    }
    match answer {
        Ok(legal) => StepAnswer { legal: Some(describer.legal(&legal)), reasons: Vec::new() },
        Err(reasons) => StepAnswer {
            legal: None,
            reasons: reasons.iter().map(|reason| describer.reason(reason)).collect(),
        },
    }
}

/// Converts explanations to views, using one game's role names.
#[derive(Clone, Copy)]
pub(crate) struct Describer(pub(crate) Variant);

impl Describer {
    pub(crate) fn man(self, Man { square, piece: Piece { color, role } }: Man) -> PieceView {
        PieceView { square: square_name(square), color: color_name(color), role: self.0.role_name(role) }
    }

    fn roles(self, roles: &[Role]) -> Vec<&'static str> {
        roles.iter().map(|&role| self.0.role_name(role)).collect()
    }

    fn taking(self, taking: &Taking) -> TakingView {
        let with = match taking.method {
            CaptureMethod::Pincer { partner } | CaptureMethod::Custodian { partner } => Some(partner),
            CaptureMethod::Coordination { king, .. } => Some(king),
            _ => None,
        };
        TakingView {
            by: self.man(taking.by),
            to: square_name(taking.to),
            victim: self.man(taking.victim),
            method: CaptureMethodCode::of(taking.method),
            with: with.map(square_name),
            imitating: taking.imitated.is_some(),
            clause: clause(taking.clause(self.0)),
            lines: figure::of_taking(taking),
        }
    }

    fn legal(self, legal: &Legal) -> LegalView {
        LegalView {
            man: self.man(legal.man),
            to: square_name(legal.to),
            takings: legal.takings.iter().map(|taking| self.taking(taking)).collect(),
            castling: legal.castling.map(|(from, to)| [square_name(from), square_name(to)]),
            goes_on: legal.chain_continues,
            giving_up: legal.giving_up.map(clause),
        }
    }

    pub(crate) fn reason(self, reason: &Reason) -> ReasonView {
        let mut view = ReasonView {
            code: ReasonCode::of(reason),
            clause: clause(reason.clause(self.0)),
            man: None,
            other: None,
            second: None,
            at: None,
            color: None,
            distance: None,
            outcome: None,
            role: None,
            choices: Vec::new(),
            taking: None,
            instead: Vec::new(),
            lines: figure::of_reason(reason),
        };
        self.fill_details(reason, &mut view);
        view
    }

    /// Fills in the details that a reason's sentence mentions.
    fn fill_details(self, reason: &Reason, view: &mut ReasonView) {
        let man = |man: &Man| Some(self.man(*man));
        let at = |square: &Square| Some(square_name(*square));
        match reason {
            Reason::GameOver { outcome } => view.outcome = Some(outcome.reason()),
            Reason::NotYourTurn { to_move } => view.color = Some(color_name(*to_move)),
            Reason::NoMan { square } => view.at = at(square),
            Reason::NotYourMan { man: there } => {
                view.man = man(there);
                view.color = Some(color_name(!there.color()));
            }
            Reason::InvalidMovement { man: mover }
            | Reason::NotFromStart { man: mover }
            | Reason::WrongSquareColor { man: mover }
            | Reason::NoManInReserve { man: mover } => view.man = man(mover),
            Reason::OddDistance { man: mover, distance } => {
                (view.man, view.distance) = (man(mover), Some(*distance));
            }
            Reason::NothingToTake { man: mover, at: square }
            | Reason::NothingToLeap { man: mover, over: square } => {
                (view.man, view.at) = (man(mover), at(square));
            }
            Reason::OwnMan { man: mover, occupant: other }
            | Reason::Occupied { man: mover, occupant: other }
            | Reason::Blocked { man: mover, by: other }
            | Reason::LeapOverFriend { man: mover, over: other }
            | Reason::LeapOverOther { man: mover, over: other }
            | Reason::LeapEvenDistance { man: mover, over: other }
            | Reason::EnPassantNotPossible { man: mover, pawn: other }
            | Reason::FrozenByImmobilizer { man: mover, by: other, .. }
            | Reason::FrozenByChameleon { man: mover, by: other } => {
                (view.man, view.other) = (man(mover), man(other));
            }
            Reason::TwoInARow { man: mover, first, second }
            | Reason::TwoInOneLeap { man: mover, first, second }
            | Reason::NoRoomBehind { man: mover, over: first, behind: second } => {
                (view.man, view.other, view.second) = (man(mover), man(first), man(second));
            }
            Reason::EnPassantExposes { man: mover, taking }
            | Reason::KingExposed { man: mover, taking, .. } => {
                (view.man, view.taking) = (man(mover), Some(self.taking(taking)));
            }
            Reason::Pinned { man: mover, by, king, .. } => {
                (view.man, view.other, view.at) = (man(mover), man(by), at(king));
            }
            Reason::CheckNotParried { by, .. } => view.other = man(by),
            Reason::Castling { rook, obstacle } => self.mention_castling(*rook, *obstacle, view),
            Reason::TakingCompulsory { takings } => {
                view.instead = takings.iter().map(|legal| self.legal(legal)).collect();
            }
            Reason::ChainMustContinue { with, takings } => {
                view.other = man(with);
                view.instead = takings.iter().map(|legal| self.legal(legal)).collect();
            }
            Reason::PromotionMissing { man: mover, choices } => {
                (view.man, view.choices) = (man(mover), self.roles(choices));
            }
            Reason::PromotionNotHere { man: mover, role } => {
                (view.man, view.role) = (man(mover), Some(self.0.role_name(*role)));
            }
            Reason::PromotionRole { man: mover, role, choices }
            | Reason::NotInReserve { man: mover, role, choices } => {
                (view.man, view.role) = (man(mover), Some(self.0.role_name(*role)));
                view.choices = self.roles(choices);
            }
            _ => {}
        }
    }

    fn mention_castling(self, rook: Square, obstacle: CastlingObstacle, view: &mut ReasonView) {
        let (at, other) = match obstacle {
            CastlingObstacle::Between { man } => (rook, Some(man)),
            CastlingObstacle::InCheck { by } => (rook, Some(by)),
            CastlingObstacle::Crosses { square, by } | CastlingObstacle::LandsOn { square, by } => {
                (square, Some(by))
            }
            _ => (rook, None),
        };
        (view.at, view.other) = (Some(square_name(at)), other.map(|other| self.man(other)));
    }
}

/// Returns the view of a clause. Its first letter identifies the game.
fn clause(id: &'static str) -> ClauseView {
    let is_of = |variant: &Variant| id.starts_with(variant.info().clauses.prefix);
    let rules = Variant::ALL.into_iter().find(is_of).unwrap_or(Variant::DEFAULT);
    ClauseView { id, rules: rules.name() }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use adoube_notation::Language;
    use serde_json::Value;

    use super::*;

    fn name(code: impl Serialize) -> String {
        serde_json::to_value(code).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap()
    }

    /// Every reason, way of taking, kind of man and miss in a drill has a message in every language.
    #[test]
    fn every_explanation_has_messages() {
        let codes = ReasonCode::ALL.iter().map(|&code| format!("why-{}", name(code)));
        let ways = CaptureMethodCode::ALL.iter().map(|&code| format!("way-{}", name(code)));
        let men = Variant::ALL.into_iter().flat_map(|variant| variant.roles().iter());
        let men = men.map(|info| format!("the-{}", info.name));
        let misses = MissCode::ALL.iter().map(|&code| format!("drill-why-{}", name(code)));
        let keys: BTreeSet<_> = codes.chain(ways).chain(misses).chain(men).collect();
        for language in Language::ALL {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let words = Variant::ALL.map(|variant| format!("games/{variant}/words.{language}.ftl"));
            let common = ["drill", "question"].map(|name| format!("locales/{language}/{name}.ftl"));
            let files = words.into_iter().chain(common);
            let messages: String = files.map(|file| fs::read_to_string(root.join(file)).unwrap()).collect();
            for key in &keys {
                let beginning = format!("{key} = ");
                assert!(messages.lines().any(|line| line.starts_with(&beginning)), "{language}: {key}");
            }
        }
    }

    /// No explanation that occurs in play is missing from the lists of codes.
    #[test]
    fn every_explanation_has_a_code_of_its_own() {
        let mut codes = BTreeSet::new();
        for variant in Variant::ALL {
            let mut position = AnyPosition::initial(variant);
            let mut seed: usize = 7;
            for played in 0..120 {
                let steps = position.legal_steps();
                if played % 5 == 0 || steps.is_empty() {
                    collect_codes(&position, &mut codes);
                }
                if steps.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
                position.play_unchecked(steps[(seed >> 8) % steps.len()]);
            }
        }
        assert!(codes.len() > 15, "{codes:?}");
        assert!(!codes.contains("other"), "{codes:?}");
    }

    /// Collects the codes of all explanations for a position.
    fn collect_codes(position: &AnyPosition, codes: &mut BTreeSet<String>) {
        for from in Square::ALL {
            let mut answers = vec![serde_json::to_value(man(position, from)).unwrap()];
            answers.extend(Square::ALL.map(|to| serde_json::to_value(step(position, from, to)).unwrap()));
            for answer in &answers {
                collect(answer, codes);
            }
        }
    }

    fn collect(value: &Value, codes: &mut BTreeSet<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| collect(value, codes)),
            Value::Object(fields) => {
                for (field, value) in fields {
                    match (field.as_str(), value) {
                        ("code" | "method", Value::String(code)) => {
                            codes.insert(code.clone());
                        }
                        _ => collect(value, codes),
                    }
                }
            }
            _ => {}
        }
    }

    fn explain_step(variant: Variant, fen: &str, from: Square, to: Square) -> StepAnswer {
        step(&AnyPosition::from_fen(variant, fen).unwrap(), from, to)
    }

    #[test]
    fn b12_a_pincer_against_the_king_is_explained() {
        let answer =
            explain_step(Variant::Baroque, "7k/8/8/p4r2/4K3/8/8/8 w - - 0 1", Square::E4, Square::E5);
        let [reason] = &answer.reasons[..] else { panic!("{answer:?}") };
        assert_eq!((reason.code, &reason.clause), (ReasonCode::KingExposed, &clause("B12")));
        let taking = reason.taking.as_ref().unwrap();
        assert_eq!((taking.by.square, taking.to), ("a5", "d5"));
        assert_eq!((taking.method, taking.with), (CaptureMethodCode::Pincer, Some("f5")));
        assert_eq!(taking.lines, [["d5", "f5"]]);
    }

    #[test]
    fn b7_a_coordinator_draws_its_rectangle() {
        let fen = "8/2b4K/2q5/3p1N1p/8/8/2R5/k7 w - - 0 1";
        let legal = explain_step(Variant::Baroque, fen, Square::C2, Square::C5).legal.unwrap();
        let [on_c7, _] = &legal.takings[..] else { panic!("{legal:?}") };
        assert_eq!(on_c7.lines, [["c5", "c7"], ["c7", "h7"], ["h7", "h5"], ["h5", "c5"]]);
    }

    #[test]
    fn c10_legal_castling_names_the_rooks_squares() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let legal = explain_step(Variant::Chess, fen, Square::E1, Square::G1).legal.unwrap();
        assert_eq!(legal.castling, Some(["h1", "f1"]));
    }

    #[test]
    fn c9_a_missing_promotion_role_is_not_a_reason() {
        let fen = "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1";
        assert!(explain_step(Variant::Chess, fen, Square::E7, Square::D8).legal.is_some());
        let codes: Vec<_> = explain_step(Variant::Chess, fen, Square::E7, Square::E8)
            .reasons
            .iter()
            .map(|each| each.code)
            .collect();
        assert_eq!(codes, [ReasonCode::Blocked]);
    }

    #[test]
    fn c2_an_empty_square_has_no_explanation() {
        assert_eq!(man(&AnyPosition::initial(Variant::Chess), Square::E4), None);
    }
}
