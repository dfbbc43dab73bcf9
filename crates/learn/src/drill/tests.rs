use std::{fs, path::Path};

use adoube_notation::Language;
use adoube_rules::{Color, Draw, DrawRules, Outcome, Position as _, Role, Win, explain::outcome_clause};

use super::*;

fn drills_of(variant: Variant) -> Vec<Drill> {
    read(variant, source(variant)).unwrap_or_else(|error| panic!("{variant} {error}"))
}

#[test]
fn every_drill_lists_exactly_the_right_answers() {
    let mut wrong = Vec::new();
    for variant in Variant::ALL {
        let drills = drills_of(variant);
        assert!(!drills.is_empty(), "{variant} has no drills");
        let errors = drills.iter().filter_map(|drill| drill.confirm().err());
        wrong.extend(errors.map(|error| format!("{variant} {error}")));
        let names: BTreeSet<&str> = drills.iter().map(|drill| drill.name.as_str()).collect();
        assert_eq!(names.len(), drills.len(), "{variant}: names must be unique");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Otherwise a newcomer would be told about a rule before the lesson that teaches it.
#[test]
fn no_drill_before_the_lesson_on_check_begins_in_check() {
    let mut lessons = 0;
    for variant in Variant::ALL {
        let drills = drills_of(variant);
        let Some(lesson) = drills.iter().position(|drill| drill.group == "check") else { continue };
        lessons += 1;
        for drill in &drills[..lesson] {
            assert!(!drill.position().is_check(), "{variant} {}", drill.name);
        }
    }
    assert_eq!(lessons, 3);
}

#[test]
fn wrong_answers_and_unreadable_goals_are_refused() {
    let drill = |goal: &str, solutions: &str| {
        let fen = "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1";
        let text = format!(
            "[[drill]]\nname = 'd'\ngroup = 'pawn'\ndifficulty = 'easy'\nclause = 'B6'\nfen = '{fen}'\ngoal = '{goal}'\nsolutions = {solutions}\n"
        );
        read(Variant::Baroque, &text).and_then(|drills| drills[0].confirm())
    };
    assert!(drill("takes c5 d4", "['c2c4']").is_ok());
    for (goal, solutions) in
        [("takes c5 d4", "[]"), ("takes c5", "['c2c4']"), ("most", "['c2c3']"), ("dead", "['yes']")]
    {
        assert!(matches!(drill(goal, solutions), Err(DrillError::Answers { .. })), "{goal}");
    }
    for goal in ["", "takes", "eats c5", "frees z9", "legal e2"] {
        assert!(matches!(drill(goal, "[]"), Err(DrillError::Invalid { .. })), "{goal}");
    }
}

#[test]
fn every_stage_of_a_drill_has_exactly_the_forcing_turns() {
    let fen = "r6k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1";
    let drill = |goal: &str, first: &str, reply: &str, second: &str| {
        let text = format!(
            "[[drill]]\nname = 'd'\ngroup = 'mate'\ndifficulty = 'hard'\nclause = 'C16'\nfen = '{fen}'\ngoal = '{goal}'\nsolutions = {first}\n\
             [[drill.then]]\nreply = '{reply}'\nsolutions = {second}\n"
        );
        read(Variant::Chess, &text).and_then(|drills| drills[0].confirm())
    };
    drill("wins", "['b3g8']", "a8g8", "['h6f7']").unwrap();
    // Neither list may contain a wrong turn or an additional one.
    for (first, second, number) in [
        ("['h6f7']", "['b3b8']", 1),
        ("['b3g8']", "['h6f7', 'h6g8']", 2),
        ("['b3g8']", "['h6g8']", 2),
        ("[]", "['h6f7']", 1),
    ] {
        let reply = if first == "['h6f7']" { "h8g8" } else { "a8g8" };
        match drill("wins", first, reply, second) {
            Err(DrillError::Answers { number: at, .. }) => assert_eq!(at, number, "{first} {second}"),
            Err(DrillError::Invalid { .. }) if first == "[]" => {}
            other => panic!("{first} {second}: {other:?}"),
        }
    }
    // Illegal replies are refused, and so are further stages after a question that is not answered by a turn.
    assert!(matches!(drill("wins", "['b3g8']", "h8g8", "['h6f7']"), Err(DrillError::Invalid { .. })));
    assert!(matches!(drill("dead", "['no']", "a8g8", "['no']"), Err(DrillError::Invalid { .. })));
    // The first turn already reaches the goal, so a second stage is refused.
    assert!(drill("checks", "['b3g8']", "a8g8", "['h6f7']").is_err());
}

/// A new game may have fewer drills at first.
#[test]
fn at_least_four_games_have_thirty_drills() {
    let counts = Variant::ALL.map(|variant| drills_of(variant).len());
    assert!(counts.iter().filter(|&&count| count >= 30).count() >= 4, "{counts:?}");
}

/// Every group of drills leads from the plain rule to its exceptions. A new game may have fewer drills at
/// first.
#[test]
fn every_group_has_three_levels_of_difficulty() {
    for variant in Variant::ALL {
        let drills = drills_of(variant);
        let groups = drills.chunk_by(|one, other| one.group == other.group);
        let mut seen = BTreeSet::new();
        for group in groups {
            let name = &group[0].group;
            assert!(seen.insert(name), "{variant}: the drills of {name} are not adjacent");
            let steps: Vec<Difficulty> = group.iter().map(|drill| drill.difficulty).collect();
            assert!(steps.is_sorted(), "{variant}, {name}: {steps:?}");
            let all = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
            let mut missing = all.to_vec();
            missing.retain(|step| drills.len() >= 30 && !steps.contains(step));
            assert!(missing.is_empty(), "{variant}, {name}: no drill is {missing:?}");
        }
    }
}

#[test]
fn every_small_game_belongs_to_a_group_and_can_be_played() {
    let mut with_several = 0;
    for variant in Variant::ALL {
        let groups: Vec<String> = drills_of(variant).into_iter().map(|drill| drill.group).collect();
        let mut seen = Vec::new();
        for Practice { group, start } in read_practices(variant, source(variant)).unwrap() {
            let place = groups.iter().position(|known| *known == group);
            let place = place.unwrap_or_else(|| panic!("{variant}: no drill is in {group}"));
            assert_eq!(start.outcome(DrawRules::Club), None, "{variant} {group}");
            assert!(start.legal_turns().len() > 3 && !start.is_check(), "{variant} {group}");
            seen.push(place);
        }
        assert!(
            seen.is_sorted_by(|one, other| one < other),
            "{variant}: the small games must follow the order of the lessons, at most one for each group"
        );
        with_several += usize::from(seen.len() >= 4);
    }
    assert!(with_several >= 4, "only {with_several} games have four or more");
}

/// Returns the roles of the men that a drill moves or asks about.
fn taught_roles(drill: &Drill) -> Vec<Role> {
    let position = drill.position();
    let of = |square| position.piece_at(square).map(|piece| piece.role);
    let turns = drill.solutions.iter().filter_map(|text| coordinate::parse(&position, text).ok());
    let moved = turns.filter_map(|turn| of(turn.steps().first()?.from()));
    drill.goal.man().and_then(of).into_iter().chain(moved).collect()
}

/// The page offers the small games after the lessons, so the lessons must teach every man that appears in a
/// game and every way in which it may end.
#[test]
fn small_games_have_no_men_or_endings_that_the_lessons_leave_out() {
    let clauses = |drills: &[Drill]| drills.iter().map(|drill| drill.clause.clone()).collect::<BTreeSet<_>>();
    let all: BTreeSet<String> =
        Variant::ALL.into_iter().flat_map(|variant| clauses(&drills_of(variant))).collect();
    for variant in Variant::ALL {
        let practices = read_practices(variant, source(variant)).unwrap();
        if practices.is_empty() {
            continue;
        }
        let drills: Vec<Drill> = drills_of(variant).into_iter().filter(|drill| !drill.optional).collect();
        let roles: Vec<Role> = drills.iter().flat_map(taught_roles).collect();
        for Practice { group, start } in practices {
            for square in start.men(Color::White) | start.men(Color::Black) {
                let role = start.piece_at(square).unwrap().role;
                assert!(roles.contains(&role), "{variant}, {group}: no lesson teaches the man on {square}");
            }
        }
        let winner = Color::White;
        let ends = [Win::Checkmate, Win::KingCaptured, Win::NoMoves, Win::Repetition]
            .map(|reason| Outcome::Decisive { winner, reason })
            .into_iter()
            .chain(
                [Draw::Stalemate, Draw::InsufficientMaterial, Draw::FiftyMoves, Draw::Repetition]
                    .map(|reason| Outcome::Draw { reason }),
            );
        let own = clauses(&drills);
        let prefix = variant.info().clauses.prefix;
        for end in ends {
            let clause = outcome_clause(end, variant);
            // Some clauses belong to another game, to which the rule page refers.
            let is_taught =
                if clause.starts_with(prefix) { own.contains(clause) } else { all.contains(clause) };
            assert!(is_taught, "{variant}: no lesson is about {clause}, under which a small game can end");
        }
    }
}

#[test]
fn there_are_drills_with_several_turns() {
    let drills = Variant::ALL.into_iter().flat_map(drills_of);
    let several = drills.filter(|drill| !drill.then.is_empty()).count();
    assert!(several >= 8, "only {several}");
}

#[test]
fn every_drill_has_texts_in_every_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: String| fs::read_to_string(root.join(file)).unwrap();
    for language in Language::ALL {
        // The name of a group that several games share may be in any of their files, or in the common one.
        let files = Variant::ALL.map(|variant| format!("games/{variant}/drills.{language}.ftl"));
        let common = read(format!("locales/{language}/drill.ftl"));
        let all = files.clone().map(read).concat() + &common;
        let has_key = |text: &str, key: &str| text.lines().any(|line| line.starts_with(&format!("{key} =")));
        for (variant, own) in Variant::ALL.into_iter().zip(files.map(read)) {
            for Drill { name, group, .. } in drills_of(variant) {
                for part in ["title", "task", "hint", "why"] {
                    let key = format!("drill-{variant}-{name}-{part}");
                    assert!(has_key(&own, &key), "{language} has no {key}");
                }
                assert!(has_key(&all, &format!("drill-group-{group}")), "{language} has no group {group}");
            }
        }
    }
}

#[test]
fn every_drill_names_a_clause_of_its_game() {
    for variant in Variant::ALL {
        let clauses = &crate::page(variant, Language::French).clauses;
        for drill in drills_of(variant) {
            assert!(clauses.contains(&drill.clause), "{variant} {drill}: {}", drill.clause);
        }
    }
}
