//! Conditional turns in correspondence games.

use adoube_game::{
    Act, Condition, EventKind, Game, MAX_CONDITIONS, MAX_CONDITIONS_DEPTH, Options, Refusal, TimeControl,
};
use adoube_rules::{Color, Position as _, coordinate};

use crate::script::{FISCHER, TestGame, chess, clock, tree_of};

const THREE_DAYS: TimeControl = TimeControl::Correspondence { days_per_turn: 3 };

fn game() -> TestGame {
    TestGame::new(chess(clock(THREE_DAYS)))
}

const TREE: &str = concat!(
    r#"[{"reply":"e7e5","answer":"g1f3","then":[{"reply":"b8c6","answer":"f1b5"}]},"#,
    r#"{"reply":"c7c5","answer":"d2d4"}]"#
);

#[test]
fn an_answer_is_played_at_once() {
    let mut test = game();
    test.script(&format!(
        "
        1000 white e2e4
        2000 white conditions {TREE}
        9000 black e7e5  => plays e2e4 e7e5 g1f3
        9500 black b8c6  => plays e2e4 e7e5 g1f3 b8c6 f1b5
        9900 black a7a6  => plays e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
        "
    ));
    let times = test.game.turns().map(|turn| turn.at_ms).collect::<Vec<_>>();
    assert_eq!(times, [1_000, 9_000, 9_000, 9_500, 9_500, 9_900], "no time passes before an answer");
    assert_eq!(test.game.conditions(Color::White), []);
}

#[test]
fn a_reply_selects_its_branch_of_the_tree() {
    let mut test = game();
    test.script(&format!(
        "
        1 white e2e4
        2 white conditions {TREE}
        3 black c7c5  => plays e2e4 c7c5 d2d4
        "
    ));
    assert_eq!(test.game.conditions(Color::White), []);
}

#[test]
fn a_turn_outside_the_tree_ends_it() {
    let mut test = game();
    test.script(&format!("1 white e2e4\n2 white conditions {TREE}"));
    assert_eq!(test.game.conditions(Color::White), tree_of(TREE));
    assert_eq!(test.game.conditions(Color::Black), []);
    test.script("3 black d7d5 => plays e2e4 d7d5");
    assert_eq!(test.game.conditions(Color::White), []);
    // The same applies one turn later.
    let mut test = game();
    test.script(&format!(
        "
        1 white e2e4
        2 white conditions {TREE}
        3 black e7e5 => plays e2e4 e7e5 g1f3
        4 black g8f6 => plays e2e4 e7e5 g1f3 g8f6
        "
    ));
    assert_eq!(test.game.conditions(Color::White), []);
}

#[test]
fn both_sides_can_set_conditions() {
    game().script(
        r#"
        1 white e2e4
        2 white conditions [{"reply":"e7e5","answer":"g1f3"}]
        3 black e7e5  => plays e2e4 e7e5 g1f3
        4 black b8c6
        5 black conditions [{"reply":"f1b5","answer":"a7a6","then":[{"reply":"b5c6","answer":"d7c6"}]}]
        6 white f1b5  => plays e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
        7 white b5c6  => plays e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6
        "#,
    );
}

#[test]
fn a_tree_can_be_changed_and_withdrawn() {
    game().script(&format!(
        r#"
        1 white e2e4
        2 white conditions {TREE}
        3 white conditions [{{"reply":"e7e5","answer":"f1c4"}}]
        4 black e7e5  => plays e2e4 e7e5 f1c4
        5 white conditions [{{"reply":"b8c6","answer":"d1h5"}}]
        6 white conditions []
        7 black b8c6  => plays e2e4 e7e5 f1c4 b8c6
        "#
    ));
}

#[test]
fn an_answer_may_mate() {
    game().script(
        r#"
        1 white f2f3
        2 black e7e5
        3 black conditions [{"reply":"g2g4","answer":"d8h4"}]
        4 white g2g4 => over 0-1 checkmate
        "#,
    );
}

/// The reply produces the initial position for the third time, which ends the game before the answer.
#[test]
fn a_game_that_has_ended_gets_no_answer() {
    let mut test = game();
    test.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1").script(
        r#"
        1000 white conditions [{"reply":"f6g8","answer":"e2e4"}]
        1001 black f6g8 => over 1/2-1/2 repetition
        "#,
    );
    assert_eq!(test.game.plies(), 8);
}

#[test]
fn an_invalid_tree_is_refused() {
    let mut test = game();
    test.play("e2e4");
    for (tree, code) in [
        (r#"[{"reply":"e7e4","answer":"g1f3"}]"#, "condition-illegal"),
        (r#"[{"reply":"e7e5","answer":"g1f4"}]"#, "condition-illegal"),
        (r#"[{"reply":"","answer":"g1f3"}]"#, "condition-illegal"),
        (
            r#"[{"reply":"e7e5","answer":"g1f3","then":[{"reply":"e5e4","answer":"f3g1"},{"reply":"d2d4","answer":"d2d4"}]}]"#,
            "condition-illegal",
        ),
        (r#"[{"reply":"e7e5","answer":"g1f3"},{"reply":"e7e5","answer":"d2d4"}]"#, "condition-twice"),
    ] {
        test.script(&format!("50 white conditions {tree} => !{code}"));
    }
    test.script(&format!("50 black conditions {TREE} => !your-turn"));
    let stale = Act::SetConditions { version: 1, tree: tree_of(TREE) }.by(Color::White);
    assert_eq!(test.refused(&stale), Refusal::OtherPosition { seen: 1, now: 2 });
    for control in [TimeControl::Unlimited, FISCHER] {
        TestGame::new(chess(clock(control)))
            .play("e2e4")
            .script(&format!("50 white conditions {TREE} => !not-correspondence"));
    }
}

/// Returns a tree with one branch, in which both sides move a knight out and back for `length` turns each.
fn line(length: usize) -> Vec<Condition> {
    let shuttle = [("b8c6", "b1c3"), ("c6b8", "c3b1")];
    (0..length).rev().fold(Vec::new(), |then, index| {
        let (reply, answer) = shuttle[index % 2];
        vec![Condition { reply: reply.into(), answer: answer.into(), then }]
    })
}

#[test]
fn trees_are_bounded() {
    let mut test = game();
    test.play("e2e4");
    let version = test.game.version();
    let set = |tree| Act::SetConditions { version, tree }.by(Color::White);
    assert_eq!(test.refused(&set(line(MAX_CONDITIONS_DEPTH + 1))), Refusal::ConditionsTooDeep);
    assert_eq!(test.refused(&set(line(5_000))), Refusal::ConditionsTooDeep);
    test.game.decide(&set(line(MAX_CONDITIONS_DEPTH)), 0).unwrap();

    for count in [MAX_CONDITIONS, MAX_CONDITIONS + 1] {
        let mut tree = replies(&["e2e4"]);
        for index in 0.. {
            let room = count - size(&tree);
            if room == 0 {
                break;
            }
            tree[index].then = replies(&["e2e4", &tree[index].reply, &tree[index].answer]);
            tree[index].then.truncate(room);
        }
        let decided = test.game.decide(&set(tree), 0).map(|events| events.len());
        let expected = if count == MAX_CONDITIONS { Ok(1) } else { Err(Refusal::TooManyConditions) };
        assert_eq!(decided, expected, "{count}");
    }
}

fn size(tree: &[Condition]) -> usize {
    tree.iter().map(|condition| 1 + size(&condition.then)).sum()
}

/// Returns all replies that are legal after `turns`, each with the first legal answer.
fn replies(turns: &[&str]) -> Vec<Condition> {
    let first = |game: &Game| coordinate::write(game.position(), &game.allowed_turns().next().unwrap());
    let mut test = game();
    test.play(&turns.join(" "));
    let position = test.game.position();
    position
        .legal_turns()
        .iter()
        .map(|reply| {
            let reply = coordinate::write(position, reply);
            let mut replied = game();
            replied.play(&turns.join(" ")).play(&reply);
            Condition { reply, answer: first(&replied.game), then: Vec::new() }
        })
        .collect()
}

#[test]
fn conditions_are_visible_to_only_one_side() {
    let mut test = game();
    test.script(&format!("1 white e2e4\n2 white conditions {TREE}"));
    let private = test.log.last().unwrap().kind.clone();
    assert!(matches!(private, EventKind::ConditionsSet { color: Color::White, .. }));
    assert!(private.visible_to(Some(Color::White)));
    assert!(!private.visible_to(Some(Color::Black)));
    assert!(!private.visible_to(None));
    let all = [None, Some(Color::White), Some(Color::Black)];
    assert!(all.into_iter().all(|viewer| test.log[1].kind.visible_to(viewer)));
}

#[test]
fn a_takeback_or_the_end_of_the_game_ends_conditions() {
    let mut test = TestGame::new(chess(Options { clock: THREE_DAYS, ..Options::default() }));
    test.script(&format!(
        "
        1 white e2e4
        2 black e7e5
        3 white g1f3
        4 white conditions [{{\"reply\":\"b8c6\",\"answer\":\"f1b5\"}}]
        5 white propose-takeback
        6 black accept-takeback => plays e2e4 e7e5
        7 white g1f3
        8 black b8c6            => plays e2e4 e7e5 g1f3 b8c6
        9 white f1c4
        10 white conditions {}
        11 white resign
        ",
        r#"[{"reply":"g8f6","answer":"d2d3"}]"#
    ));
    assert_eq!(test.game.conditions(Color::White), []);
}
