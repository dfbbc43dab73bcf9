//! Touch-move (C13–C15).

use adoube_game::{ADJUSTS_PER_TURN, Act, NewGame, Obligation, Options, Refusal, TimeControl};
use adoube_rules::{Color, Position as _, Square, SquareSet, Variant, coordinate};

use crate::script::{TestGame, chess};

fn touch_move() -> Options {
    Options { touch_move: true, ..Options::default() }
}

fn game() -> TestGame {
    TestGame::new(chess(touch_move()))
}

fn position(variant: Variant, fen: &str) -> TestGame {
    TestGame::new(NewGame { variant, fen: Some(fen.into()), ..chess(touch_move()) })
}

#[test]
fn c13_a_touched_man_must_move() {
    game().script(
        "
        1 white touch e2  => owes must-move e2
        2 white g1f3      => !touched-must-move
        3 white touch g1  => owes must-move e2
        4 white g1f3      => !touched-must-move
        5 white e2e3      => owes nothing
        6 black touch g8  => owes must-move g8
        7 black g8h6      => plays e2e3 g8h6
        ",
    );
}

#[test]
fn c13_a_touched_enemy_must_be_taken() {
    game().play("e2e4 d7d5").script(
        "
        100 white touch d5  => owes must-take d5
        101 white e4e5      => !touched-must-take
        102 white e4d5      => owes nothing
        ",
    );
}

#[test]
fn c13_a_touched_man_must_take_the_touched_enemy() {
    // The pawn and the knight can both capture.
    for order in ["touch e4 / touch d5", "touch d5 / touch e4"] {
        let mut test = game();
        test.play("e2e4 d7d5 b1c3 a7a6");
        for touch in order.split(" / ") {
            test.script(&format!("100 white {touch}"));
        }
        test.script(
            "
            101 white c3d5  => !touched-must-take-with
            101 white e4e5  => !touched-must-take-with
            102 white e4d5  => owes nothing
            ",
        );
    }
}

#[test]
fn c13_if_one_cannot_take_the_other_the_first_possible_touch_binds() {
    for (touches, owed) in [
        (["g1", "d5"], "must-move g1"),
        (["d5", "g1"], "must-take d5"),
        // The rook is shut in, and the pawn on e7 is out of reach, so they do not bind.
        (["a1", "d5"], "must-take d5"),
        (["d5", "a1"], "must-take d5"),
        (["e7", "g1"], "must-move g1"),
        (["g1", "e7"], "must-move g1"),
        (["a1", "e7"], "nothing"),
        // If two men of the same side are touched, the first one with a legal turn binds.
        (["b1", "g1"], "must-move b1"),
        (["a1", "g1"], "must-move g1"),
    ] {
        let [first, second] = touches;
        game().play("e2e4 d7d5").script(&format!(
            "
            100 white touch {first}
            101 white touch {second} => owes {owed}
            "
        ));
    }
    // The pawn on d5 can be captured only by the pawn on e4, and the pawn on b5 only by the bishop.
    for (first, second) in [("d5", "b5"), ("b5", "d5")] {
        game().play("e2e4 d7d5 a2a3 b7b5").script(&format!(
            "
            100 white touch {first}  => owes must-take {first}
            101 white touch {second} => owes must-take {first}
            "
        ));
    }
    // If several of the player's men and several enemies are touched, only the first of each counts, even if
    // a man touched later could take the enemy.
    game().play("e2e4 d7d5").script(
        "
        100 white touch d5
        101 white touch g1  => owes must-take d5
        102 white touch e4  => owes must-take d5
        103 white e4e5      => !touched-must-take
        ",
    );
}

#[test]
fn c13_a_man_without_a_legal_turn_does_not_bind() {
    // The touched man is pinned.
    position(Variant::Chess, "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").script(
        "
        1 white touch e2  => owes nothing
        2 white touch e4  => owes nothing
        3 white e1d1      => plays e1d1
        ",
    );
    // In check, only the king can move here.
    position(Variant::Chess, "4k3/8/8/8/7b/8/8/R3K3 w - - 0 1").script(
        "
        1 white touch a1  => owes nothing
        2 white touch h4  => owes nothing
        3 white touch e1  => owes must-move e1
        ",
    );
}

#[test]
fn c13_en_passant_takes_the_touched_man() {
    position(Variant::Chess, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").script(
        "
        1 white touch d5  => owes must-take d5
        2 white e5e6      => !touched-must-take
        3 white e5d6      => owes nothing
        ",
    );
}

#[test]
fn c13_castling_is_the_kings_move() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    position(Variant::Chess, fen).script(
        "
        1 white touch e1  => owes must-move e1
        2 white touch h1  => owes must-move e1
        3 white e1g1      => plays e1g1
        ",
    );
    position(Variant::Chess, fen).script(
        "
        1 white touch h1  => owes must-move h1
        2 white e1g1      => !touched-must-move
        3 white h1g1
        ",
    );
}

#[test]
fn c13_in_baroque_capturing_in_passing_fulfils_the_obligation() {
    position(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1").script(
        "
        1 white touch c5  => owes must-take c5
        2 white a2a3      => !touched-must-take
        3 white touch c2  => owes must-take-with c2 c5
        4 white c2c3      => !touched-must-take-with
        5 white c2c4
        ",
    );
}

#[test]
fn c13_in_ultima_a_man_that_can_only_be_given_up_does_not_bind() {
    let fen = "7k/8/8/3mN3/8/8/8/K6R w - - 0 1";
    position(Variant::Ultima, fen).script(
        "
        1 white touch e5  => owes nothing
        2 white e5e5
        ",
    );
    position(Variant::Ultima, fen).script(
        "
        1 white touch e5  => owes nothing
        2 white touch h1  => owes must-move h1
        3 white e5e5      => !touched-must-move
        4 white h1h2
        ",
    );
}

#[test]
fn c13_in_interweave_any_step_may_take_the_touched_enemy() {
    let fen = "k6k/8/8/8/4p3/8/4p3/K3K3 w - - 0 1";
    position(Variant::Interweave, fen).script(
        "
        1 white touch e4  => owes must-take e4
        2 white touch a1  => owes must-take e4
        3 white e1e3e5    => owes nothing
        ",
    );
    position(Variant::Interweave, fen).script(
        "
        1 white touch a1  => owes nothing
        2 white touch e1  => owes must-move e1
        3 white touch e4  => owes must-take-with e1 e4
        4 white e1e3      => !turn-unfinished
        5 white e1e3e5    => plays e1e3e5
        ",
    );
    // A remover captures without moving.
    position(Variant::Interweave, "k6k/8/8/4p3/4Bp2/8/8/K6K w - - 0 1").script(
        "
        1 white touch f4  => owes must-take f4
        2 white touch e4  => owes must-take-with e4 f4
        3 white e4e4
        ",
    );
}

#[test]
fn c14_after_j_adoube_the_next_touch_does_not_bind() {
    game().script(
        "
        1 white adjust     => owes nothing
        2 white adjust     => !adjusting-already
        3 white touch e2   => owes nothing
        4 white touch e2   => owes must-move e2
        5 white touch e2   => !touched-already
        6 white adjust     => owes must-move e2
        7 white touch e2   => owes must-move e2
        8 white touch g1   => owes must-move e2
        9 white g1f3       => !touched-must-move
        ",
    );
}

#[test]
fn c14_adjusting_is_possible_only_on_ones_own_turn() {
    game().script(
        "
        1 black adjust     => !not-your-turn
        1 black touch e7   => !not-your-turn
        2 white adjust     => owes nothing
        3 white e2e4       => owes nothing
        4 black touch e7   => owes must-move e7
        ",
    );
}

#[test]
fn c14_adjusting_is_limited_per_turn() {
    let mut test = game();
    for _ in 0..ADJUSTS_PER_TURN {
        test.script("1 white adjust").script("1 white touch e2 => owes nothing");
    }
    test.script("1 white adjust => !adjusted-enough").script("1 white touch e2 => owes must-move e2");
    test.script("1 white e2e4").script("1 black e7e5").script("1 white adjust");
}

#[test]
fn c15_an_illegal_turn_is_taken_back_and_the_touch_still_binds() {
    game().script(
        "
        1 white touch e2   => owes must-move e2
        2 white e2e5       => !turn-illegal
        3 white d2d4       => !touched-must-move
        4 white e2e4       => plays e2e4
        ",
    );
}

#[test]
fn a_turn_without_a_touch_has_no_obligation() {
    game().script("1 white e2e4 => plays e2e4").script("1 black e7e5 => plays e2e4 e7e5");
}

#[test]
fn invalid_touches_are_refused() {
    game().script("1 white touch e4 => !touch-empty-square");
    TestGame::new(chess(Options::default())).script(
        "
        1 white touch e2   => !no-touch-move
        1 white adjust     => !no-touch-move
        ",
    );
    let mut test = game();
    test.play("e2e4 e7e5");
    let stale = Act::Touch { version: 2, square: "d2".into() }.by(Color::White);
    assert_eq!(test.refused(&stale), Refusal::OtherPosition { seen: 2, now: 3 });
}

#[test]
fn a_takeback_clears_touches() {
    game().play("e2e4 e7e5").script(
        "
        100 white touch d2         => owes must-move d2
        101 white touch g1         => owes must-move d2
        102 black propose-takeback
        103 white accept-takeback  => owes nothing
        104 black c7c5             => plays e2e4 c7c5
        105 white g1f3             => plays e2e4 c7c5 g1f3
        ",
    );
}

#[test]
fn touched_men_and_the_obligation_can_be_queried() {
    let options = Options { clock: TimeControl::Unlimited, ..touch_move() };
    let mut test = TestGame::new(chess(options));
    test.script("1 white adjust");
    assert!(test.game.is_adjusting());
    test.script("2 white touch a1").script("3 white touch g1");
    assert!(!test.game.is_adjusting());
    assert_eq!(test.game.touched(), SquareSet::of(Square::G1));
    assert_eq!(test.game.obligation(), Some(Obligation::MustMove(Square::G1)));
    let texts = test
        .game
        .allowed_turns()
        .map(|turn| coordinate::write(test.game.position(), &turn))
        .collect::<Vec<_>>();
    assert_eq!(texts.len(), 2);
    assert!(texts.contains(&"g1f3".into()) && texts.contains(&"g1h3".into()), "{texts:?}");
    test.script("4 white resign => owes nothing");
    assert_eq!(test.game.allowed_turns().count(), test.game.position().legal_turns().len());
    assert_eq!(test.game.touched(), SquareSet::EMPTY);
}
