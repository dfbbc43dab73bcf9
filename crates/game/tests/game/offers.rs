//! Takebacks, rematches, aborted games and abandonment.

use adoube_game::{LEFT_AFTER_MS, MatchGame, NewGame, Options, Refusal, Seat, TimeControl};
use adoube_rules::{ByColor, Color, Variant};

use crate::script::{FISCHER, SUDDEN_DEATH, TestGame, chess, clock, game_id, match_id, person, play};

fn casual() -> TestGame {
    TestGame::new(chess(Options::default()))
}

#[test]
fn a_takeback_undoes_the_proposers_last_turn() {
    // The opponent is to move, so one turn is taken back.
    casual().play("e2e4 e7e5 g1f3").script(
        "
        100 white propose-takeback
        101 black accept-takeback  => plays e2e4 e7e5
        102 white b1c3             => plays e2e4 e7e5 b1c3
        ",
    );
    // The opponent has answered, so two turns are taken back.
    casual().play("e2e4 e7e5 g1f3").script(
        "
        100 black propose-takeback
        101 white accept-takeback  => plays e2e4
        102 black c7c5             => plays e2e4 c7c5
        ",
    );
}

/// The later proposal accepts the earlier one.
#[test]
fn two_proposals_that_cross_are_an_agreement() {
    casual().play("e2e4 e7e5 g1f3").script(
        "
        100 white propose-takeback
        100 black propose-takeback => plays e2e4 e7e5
        101 white accept-takeback  => !no-takeback
        ",
    );
}

#[test]
fn a_takeback_proposal_ends_when_it_is_declined_or_a_turn_is_played() {
    let mut test = casual();
    test.play("e2e4").script(
        "
        100 white accept-takeback  => !no-takeback
        100 black propose-takeback => !nothing-to-take-back
        101 white propose-takeback
        102 white propose-takeback => !takeback-stands
        102 black propose-takeback => !nothing-to-take-back
        102 white accept-takeback  => !no-takeback
        102 white decline-takeback => !no-takeback
        103 black decline-takeback => plays e2e4
        104 black accept-takeback  => !no-takeback
        105 white propose-takeback => !takeback-proposed-here
        106 black e7e5
        107 white propose-takeback
        108 white propose-takeback => !takeback-stands
        109 white g1f3
        110 black accept-takeback  => !no-takeback
        111 black propose-takeback
        ",
    );
    assert_eq!(test.game.takeback_proposal(), Some(Color::Black));
    test.script("112 black resign");
    assert_eq!(test.game.takeback_proposal(), None);
}

#[test]
fn a_side_that_has_not_played_cannot_propose_a_takeback() {
    casual().script("1 white propose-takeback => !nothing-to-take-back");
    casual().play("e2e4").script("50 black propose-takeback => !nothing-to-take-back");
}

#[test]
fn turns_are_taken_back_only_in_casual_games() {
    TestGame::new(chess(Options { casual: false, ..Options::default() }))
        .play("e2e4 e7e5")
        .script("100 black propose-takeback => !not-casual");
}

#[test]
fn a_takeback_restores_the_clocks() {
    let mut test = TestGame::new(chess(clock(FISCHER)));
    test.script(
        "
        1000  white e2e4
        2000  black e7e5              => clocks 182000 182000
        12000 white g1f3              => clocks 174000 182000
        22000 white propose-takeback  => clocks 174000 172000
        23000 black accept-takeback   => clocks 182000 182000
        24000 white g1f3              => clocks 183000 182000
        25000 black propose-takeback
        26000 white accept-takeback   => clocks 182000 180000
        26500 black e7e5              => clocks 182000 182000
        27000 black propose-takeback
        28000 white accept-takeback   => clocks 182000 180000
        ",
    );
    // Black is on its first turn again, so the time limit for a first turn applies.
    assert_eq!(test.game.next_deadline_ms(), Some(28_000 + 60_000));
    test.script("29000 white propose-takeback").script("30000 black accept-takeback => clocks 180000 180000");
}

#[test]
fn c22_a_position_taken_back_does_not_count_towards_repetition() {
    let mut test = casual();
    test.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1").script(
        "
        500 white propose-takeback
        501 black accept-takeback
        502 white f3g1
        503 black f6g8 => over 1/2-1/2 repetition
        ",
    );
}

#[test]
fn c24_a_draw_offer_does_not_outlive_a_takeback() {
    casual().play("e2e4 e7e5").script(
        "
        100 black offer-draw
        101 black propose-takeback
        102 white accept-takeback => plays e2e4
        103 white accept-draw     => !no-draw-offer
        104 black offer-draw
        105 white accept-draw     => over 1/2-1/2 agreement
        ",
    );
}

/// The same position is on the board again, but at a later version.
#[test]
fn a_turn_for_a_version_before_a_takeback_is_refused() {
    let mut test = casual();
    test.play("e2e4 e7e5");
    let version = test.game.version();
    test.script(
        "
        100 white g1f3
        101 white propose-takeback
        102 black accept-takeback
        103 white b1c3
        104 white propose-takeback
        105 black accept-takeback => plays e2e4 e7e5
        ",
    );
    let stale = play("d2d4", version).by(Color::White);
    let now = test.game.version();
    assert_eq!(test.refused(&stale), Refusal::OtherPosition { seen: version, now });
    let future = play("d2d4", now + 1).by(Color::White);
    assert_eq!(test.refused(&future), Refusal::OtherPosition { seen: now + 1, now });
    test.script("106 black offer-draw").script("107 white d2d4");
}

#[test]
fn whole_chains_are_taken_back_in_interweave() {
    let fen = Some("k6k/8/8/8/4p3/8/4p3/K3K3 w - - 0 1".to_owned());
    TestGame::new(NewGame { variant: Variant::Interweave, fen, ..chess(Options::default()) }).script(
        "
        1 white e1e3e5
        2 black h8g7
        3 white a1b2
        4 white propose-takeback
        5 black accept-takeback => plays e1e3e5 h8g7
        6 white propose-takeback
        7 black accept-takeback => plays
        8 white e1e3e5          => plays e1e3e5
        ",
    );
}

#[test]
fn a_rematch_is_agreed_after_the_end() {
    let mut test = casual();
    test.play("e2e4").script(
        "
        100 black offer-rematch          => !not-over
        101 black resign
        102 black accept-rematch next    => !no-rematch
        103 black offer-rematch
        104 black offer-rematch          => !rematch-stands
        104 white offer-rematch          => !rematch-stands
        104 black accept-rematch next    => !no-rematch
        105 white decline-rematch
        106 black offer-rematch          => !rematch-offered
        107 white accept-rematch next    => !no-rematch
        108 white offer-rematch
        ",
    );
    assert_eq!((test.game.rematch_offer(), test.game.rematch()), (Some(Color::White), None));
    test.script(
        "
        109 black accept-rematch next
        110 black offer-rematch          => !rematch-agreed
        110 white accept-rematch other   => !rematch-agreed
        110 white decline-rematch        => !rematch-agreed
        110 white offer-draw             => !game-over
        ",
    );
    assert_eq!((test.game.rematch_offer(), test.game.rematch()), (None, Some(&game_id("next"))));
}

#[test]
fn either_side_may_call_the_game_off_before_both_have_played() {
    for by in ["white", "black"] {
        casual().script(&format!("1 {by} abort => over * aborted"));
        casual().play("e2e4").script(&format!("50 {by} abort => over * aborted"));
        casual().play("e2e4 e7e5").script(&format!("50 {by} abort => !first-turns-played"));
    }
    // The same is possible before the opponent has joined.
    let seats = ByColor { white: Seat::Open, black: person("bela") };
    TestGame::new(NewGame { seats, ..chess(Options::default()) }).script(
        "
        1 black abort         => over * aborted
        2 white join anna     => !game-over
        3 black offer-rematch => !not-started
        ",
    );
}

#[test]
fn the_remaining_player_may_claim_the_win() {
    let opening = "1000 white e2e4\n2000 black e7e5";
    for options in [Options::default(), clock(SUDDEN_DEATH)] {
        let mut test = TestGame::new(chess(options));
        test.script("500 black claim-left 99999 => !first-turns-open").script(opening).script(&format!(
            "
            3000 white claim-left 99999 => !your-turn
            3000 black claim-left {}    => !still-there
            3000 black claim-left {}    => over 0-1 abandonment
            ",
            LEFT_AFTER_MS - 1,
            LEFT_AFTER_MS,
        ));
    }
    TestGame::new(chess(clock(TimeControl::Correspondence { days_per_turn: 1 })))
        .script(opening)
        .script("3000 black claim-left 99999 => !correspondence");
}

#[test]
fn c23_a_side_that_cannot_win_does_not_win_by_abandonment() {
    TestGame::at("8/8/4k3/8/8/4K3/8/R7 w - - 0 1", Options::default())
        .play("a1a2 e6e5")
        .script("3000 black claim-left 60000 => over 1/2-1/2 abandonment");
    let fen = Some("4k2k/8/8/8/8/8/8/K2K4 w - - 0 1".to_owned());
    TestGame::new(NewGame { variant: Variant::Interweave, fen, ..chess(Options::default()) })
        .play("a1b2 h8g7")
        .script("3000 black claim-left 60000 => over 0-1 abandonment");
}

#[test]
fn a_game_knows_its_match() {
    let in_match = Some(Box::new(MatchGame { id: match_id("m1"), number: 3 }));
    let test = TestGame::new(chess(Options { in_match: in_match.clone(), ..Options::default() }));
    test.log_replays_the_same();
    assert_eq!(test.game.options().in_match, in_match);
}
