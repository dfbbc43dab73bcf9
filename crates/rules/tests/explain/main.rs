//! Tests explanations clause by clause, with every reason why a step is illegal and every way of capturing,
//! in hand-written positions.
//!
//! The values are compared as short lines that begin with a clause, such as
//! `C11 pinned by bh4, Ke1, line e1+f2+g3+h4`. A man is written as its FEN letter and its square.

mod baroque;
mod chess;
mod interweave;
mod ultima;

use adoube_rules::{
    AnyPosition, DrawRules, Position, Role, SquareSet, Variant,
    explain::{self, CaptureMethod, CastlingObstacle, Legal, Man, Reason, Taking},
};

/// A position whose explanations are written as short lines.
struct Explained(AnyPosition);

#[track_caller]
fn explained(variant: Variant, fen: &str) -> Explained {
    Explained(AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn squares(set: SquareSet) -> String {
    set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join("+")
}

impl Explained {
    fn variant(&self) -> Variant {
        self.0.variant()
    }

    /// Returns the position after some legal steps.
    fn after(&self, steps: &str) -> Self {
        let mut position = self.0.clone();
        for text in steps.split_whitespace() {
            let legal =
                self::Explained(position.clone()).step(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            position.play_unchecked(legal.step);
        }
        Self(position)
    }

    #[track_caller]
    fn step(&self, text: &str) -> Result<Legal, Vec<Reason>> {
        let promotion =
            text.chars().nth(4).map(|letter| self.variant().role_of_letter(letter).expect("a role"));
        let square = |range| text.get(range).and_then(|name: &str| name.parse().ok()).expect("a square");
        explain::step(&self.0, square(0..2), square(2..4), promotion)
    }

    /// Returns all reasons why a step is illegal.
    #[track_caller]
    fn why(&self, text: &str) -> Vec<String> {
        let reasons = self.step(text).expect_err("a step that is not legal");
        reasons.iter().map(|reason| self.reason(reason)).collect()
    }

    /// Returns everything that a legal step takes.
    #[track_caller]
    fn takes(&self, text: &str) -> Vec<String> {
        let legal = self.step(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        legal.takings.iter().map(|taking| self.taking(taking)).collect()
    }

    fn holds(&self, square: &str) -> Vec<String> {
        self.about(square).holding.iter().map(|reason| self.reason(reason)).collect()
    }

    fn barred(&self, square: &str) -> Vec<String> {
        self.about(square).exclusions.iter().map(|reason| self.reason(reason)).collect()
    }

    fn about(&self, square: &str) -> explain::ManExplanation {
        explain::man(&self.0, square.parse().expect("a square")).expect("a man")
    }

    fn checks(&self) -> Vec<String> {
        self.takings(&explain::position(&self.0, DrawRules::Club).checks)
    }

    fn threats(&self) -> Vec<String> {
        self.takings(&explain::position(&self.0, DrawRules::Club).threats)
    }

    fn takings(&self, takings: &[Taking]) -> Vec<String> {
        takings.iter().map(|taking| self.taking(taking)).collect()
    }

    fn letter(&self, man: Man) -> char {
        let letter = self.variant().letter(man.role());
        if man.color() == adoube_rules::Color::White { letter } else { letter.to_ascii_lowercase() }
    }

    fn man(&self, man: Man) -> String {
        format!("{}{}", self.letter(man), man.square)
    }

    fn roles(&self, roles: &[Role]) -> String {
        roles.iter().map(|&role| self.variant().letter(role)).collect()
    }

    fn steps(&self, takings: &[Legal]) -> String {
        let steps = takings.iter().map(|legal| format!("{}-{}", self.man(legal.man), legal.to));
        steps.collect::<Vec<_>>().join(" ")
    }

    /// Writes a taking, such as `B6 Pc2-c4 takes rd4, pincer e4`.
    fn taking(&self, taking: &Taking) -> String {
        let method = match taking.method {
            CaptureMethod::Landing => "landing".to_owned(),
            CaptureMethod::EnPassant { crossed } => format!("crossed {crossed}"),
            CaptureMethod::Pincer { partner } => format!("pincer {partner}"),
            CaptureMethod::Coordination { king, opposite } => format!("king {king} opposite {opposite}"),
            CaptureMethod::Leap { path } => format!("leap {}", squares(path)),
            CaptureMethod::Withdrawal => "withdrawal".to_owned(),
            CaptureMethod::Approach => "approach".to_owned(),
            CaptureMethod::ShortLeap => "short leap".to_owned(),
            CaptureMethod::LongLeap { path } => format!("long leap {}", squares(path)),
            CaptureMethod::DoubleKnightLeap { midpoint } => format!("double leap {midpoint}"),
            CaptureMethod::Removal => "removal".to_owned(),
            CaptureMethod::Custodian { partner } => format!("custodian {partner}"),
            _ => panic!("a new way of taking: {taking:?}"),
        };
        let imitating = taking.imitated.map(|role| format!(" as {}", self.variant().letter(role)));
        format!(
            "{} {}-{} takes {}, {method}{}",
            taking.clause(self.variant()),
            self.man(taking.by),
            taking.to,
            self.man(taking.victim),
            imitating.unwrap_or_default(),
        )
    }

    fn reason(&self, reason: &Reason) -> String {
        let man = |man: &Man| self.man(*man);
        let text = match reason {
            Reason::GameOver { outcome } => format!("over {outcome} {}", outcome.reason()),
            Reason::NotYourTurn { to_move } => format!("{to_move} to move"),
            Reason::Pass => "pass".to_owned(),
            Reason::NoMan { square } => format!("no man on {square}"),
            Reason::NotYourMan { man: theirs } => format!("not yours {}", man(theirs)),
            Reason::InvalidMovement { .. } => "invalid movement".to_owned(),
            Reason::NotFromStart { .. } => "not from start".to_owned(),
            Reason::WrongSquareColor { .. } => "other shade".to_owned(),
            Reason::OddDistance { distance, .. } => format!("odd distance {distance}"),
            Reason::OwnMan { occupant: there, .. } => format!("own {}", man(there)),
            Reason::Occupied { occupant: there, .. } => format!("occupied {}", man(there)),
            Reason::Blocked { by, .. } => format!("blocked by {}", man(by)),
            Reason::NothingToTake { at, .. } => format!("nothing to take on {at}"),
            Reason::NothingToLeap { over, .. } => format!("nothing to leap over on {over}"),
            Reason::LeapOverFriend { over, .. } => format!("over friend {}", man(over)),
            Reason::LeapOverOther { over, .. } => format!("over other {}", man(over)),
            Reason::LeapEvenDistance { over, .. } => format!("over even {}", man(over)),
            Reason::TwoInARow { first, second, .. } => format!("two in a row {} {}", man(first), man(second)),
            Reason::TwoInOneLeap { first, second, .. } => {
                format!("two in one leap {} {}", man(first), man(second))
            }
            Reason::NoRoomBehind { over, behind, .. } => {
                format!("no room behind {}: {}", man(over), man(behind))
            }
            Reason::EnPassantNotPossible { pawn, .. } => format!("not en passant {}", man(pawn)),
            Reason::EnPassantExposes { taking, .. } => format!("opens {}", self.taking(taking)),
            Reason::Pinned { by, king, line, .. } => {
                format!("pinned by {}, K{king}, line {}", man(by), squares(*line))
            }
            Reason::CheckNotParried { by, double } => {
                format!("{} by {}", if *double { "double check" } else { "check" }, man(by))
            }
            Reason::KingExposed { taking, standing, .. } => {
                format!("{} {}", if *standing { "still" } else { "exposed" }, self.taking(taking))
            }
            Reason::Castling { rook, obstacle } => {
                let obstacle = match obstacle {
                    CastlingObstacle::RightLost => "right lost".to_owned(),
                    CastlingObstacle::NoRook => "no rook".to_owned(),
                    CastlingObstacle::Between { man: between } => format!("between {}", man(between)),
                    CastlingObstacle::InCheck { by } => format!("check by {}", man(by)),
                    CastlingObstacle::Crosses { square, by } => {
                        format!("crosses {square}, attacked by {}", man(by))
                    }
                    CastlingObstacle::LandsOn { square, by } => {
                        format!("lands on {square}, attacked by {}", man(by))
                    }
                    _ => panic!("a new obstacle: {obstacle:?}"),
                };
                format!("castling {rook}: {obstacle}")
            }
            Reason::FrozenByImmobilizer { by, frees_only_others, .. } => {
                format!("frozen by {}{}", man(by), if *frees_only_others { ", frees others" } else { "" })
            }
            Reason::FrozenByChameleon { by, .. } => format!("frozen by {}", man(by)),
            Reason::TakingCompulsory { takings } => format!("must take {}", self.steps(takings)),
            Reason::ChainMustContinue { with, takings } => {
                format!("must continue {}: {}", man(with), self.steps(takings))
            }
            Reason::PromotionMissing { choices, .. } => format!("promotion missing {}", self.roles(choices)),
            Reason::PromotionNotHere { role, .. } => format!("no promotion to {}", self.roles(&[*role])),
            Reason::PromotionRole { role, choices, .. } => {
                format!("not to {}, only {}", self.roles(&[*role]), self.roles(choices))
            }
            Reason::NotInReserve { role, choices, .. } => {
                format!("no {} in reserve, only {}", self.roles(&[*role]), self.roles(choices))
            }
            Reason::NoManInReserve { .. } => "no man in reserve".to_owned(),
            _ => panic!("a new reason: {reason:?}"),
        };
        format!("{} {text}", reason.clause(self.variant()))
    }
}
