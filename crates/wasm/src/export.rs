//! Exports facts about each game, and the types that the page shares with this crate, to TypeScript. Also
//! checks the piece letters in the page's messages.

use std::{fmt::Write as _, fs, path::Path};

use adoube_engine::{Level, LevelElo};
use adoube_notation::{Language, letter};
use adoube_rules::{Position as _, Stalemate, Variant};
use ts_rs::{Config, TS};

use crate::{
    CaptureMethodCode, ClauseView, CompanionView, Defence, DefenceView, FenView, LegalView,
    ManExplanationView, MissCode, MissView, PieceView, PositionView, RatingView, ReasonCode, ReasonView,
    Refusal, ReserveView, RoleView, StepAnswer, StepView, TakingView, TurnView,
};

fn declaration<T: TS>(config: &Config) -> String {
    format!("export {}\n", T::decl(config))
}

#[test]
fn committed_types_are_up_to_date() {
    let config = Config::new();
    let expected = [
        "// Written by the tests of crates/wasm. Do not edit.\n".to_owned(),
        "import type { Square } from './board';\nimport type { Color } from './api';\nimport type { Role, Variant } from './variants';\n"
            .to_owned(),
        declaration::<RoleView>(&config),
        declaration::<PieceView>(&config),
        declaration::<CompanionView>(&config),
        declaration::<StepView>(&config),
        declaration::<ReserveView>(&config),
        declaration::<PositionView>(&config),
        declaration::<TurnView>(&config),
        declaration::<Refusal>(&config),
        declaration::<FenView>(&config),
        declaration::<ReasonCode>(&config),
        declaration::<CaptureMethodCode>(&config),
        declaration::<ClauseView>(&config),
        declaration::<TakingView>(&config),
        declaration::<LegalView>(&config),
        declaration::<ReasonView>(&config),
        declaration::<ManExplanationView>(&config),
        declaration::<StepAnswer>(&config),
        declaration::<MissCode>(&config),
        declaration::<MissView>(&config),
        declaration::<Defence>(&config),
        declaration::<DefenceView>(&config),
        declaration::<RatingView>(&config),
    ]
    .concat();
    check_committed("rules-types.ts", &expected);
}

/// Rewrites one of the page's files if it differs, and then fails, because the committed version was out of
/// date.
fn check_committed(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib").join(name);
    if fs::read_to_string(&path).is_ok_and(|found| found == expected) {
        return;
    }
    fs::write(&path, expected).unwrap();
    panic!("{} was out of date and has been rewritten", path.display());
}

/// The page has no list of games and roles of its own; it uses this one.
#[test]
fn committed_games_are_up_to_date() {
    let mut text = String::from(
        "// Written by the tests of crates/wasm. Do not edit.\n\n\
         /** Facts about each game, by name, in the order in which games are listed. */\n\
         export const games = {\n",
    );
    // Writing to a string cannot fail.
    for variant in Variant::ALL {
        let info = variant.info();
        let _ = write!(
            text,
            "  {}: {{\n    /** The roles with their letters, in the order of the rules. */\n    roles: {{\n",
            info.name
        );
        for role in info.roles {
            let _ = writeln!(text, "      '{}': '{}',", role.name, role.letter);
        }
        text += "    },\n    /** Named starts: the numbers of both sides' shuffled ranks. */\n    starts: {";
        for start in info.shuffle.named {
            let _ = write!(
                text,
                "\n      '{}': {{ white: {}, black: {} }},",
                start.name, start.white, start.black
            );
        }
        text += if info.shuffle.named.is_empty() { "},\n" } else { "\n    },\n" };
        text += "    /** Whether the only way to win on the board is checkmate. */\n";
        let mates_only = info.royal.is_some() && info.stalemate == Stalemate::Draws;
        let _ = writeln!(text, "    matesOnly: {mates_only},");
        text += "    /** Whether SAN names pawns and lists men taken elsewhere than on the destination. */\n";
        let _ = writeln!(text, "    sanListsTaken: {},", info.san_lists_taken);
        text += "    /** The first game with the same men, whose drawings this game shares. */\n";
        let names = |variant: Variant| variant.roles().iter().map(|role| role.name).collect::<Vec<_>>();
        let first = Variant::ALL.into_iter().find(|&other| names(other) == names(variant));
        let _ = writeln!(text, "    men: '{}',", first.unwrap_or(variant));
        text += "    /** A position and a turn that show at a glance what is special about the game; null if there is none. */\n";
        let first_look = adoube_learn::book(variant).first_look();
        let first_look = first_look.map(|(diagram, turn)| {
            format!("{{\n      fen: '{}',\n      turn: '{turn}',\n    }}", diagram.position.fen())
        });
        let _ = writeln!(text, "    firstLook: {},", first_look.unwrap_or_else(|| "null".to_owned()));
        text += "    /** The strength of each level of the machine in Elo, measured in matches; null if unknown. */\n    levelElo: [\n";
        for level in Level::all() {
            let _ = match level.elo(variant) {
                LevelElo::Unknown => writeln!(text, "      null,"),
                LevelElo::Above(elo) => writeln!(text, "      {{ kind: 'above', elo: {elo} }},"),
                LevelElo::AboveAtLeast(elo) => {
                    writeln!(text, "      {{ kind: 'above-at-least', elo: {elo} }},")
                }
                LevelElo::Rating(elo) => writeln!(text, "      {{ kind: 'rating', elo: {elo} }},"),
            };
        }
        text += "    ],\n  },\n";
    }
    text += "} as const;\n";
    check_committed("games.ts", &text);
}

/// The page writes SAN using the letters in `games/NAME/words.LANGUAGE.ftl`, which must match those in
/// `adoube-notation`.
#[test]
fn n4_message_letters_match_the_notation() {
    for language in Language::ALL {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let words =
            |variant| fs::read_to_string(root.join(format!("{variant}/words.{language}.ftl"))).unwrap();
        let messages: String = Variant::ALL.into_iter().map(words).collect();
        for variant in Variant::ALL {
            for info in variant.roles() {
                let line = format!("letter-{} = {}", info.name, letter(variant, language, info.role));
                assert!(messages.lines().any(|found| found == line), "{language}: {line}");
            }
        }
    }
}
