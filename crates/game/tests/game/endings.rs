//! Endings, and cases that do not end a game.

use adoube_game::{
    Act, Command, CreateError, DrawRules, EndReason, Ending, EventKind, Game, GameResult, MachineDuty,
    MachineTask, MatchGame, NewGame, Options, Refusal, Seat, TimeControl, TimeControlError,
};
use adoube_rules::{ByColor, Color, Variant, coordinate::TurnError};

use crate::script::{SUDDEN_DEATH, TestGame, advance, chess, clock, match_id, person, play, player};

use Color::{Black, White};

fn board(variant: Variant, fen: Option<&str>, draw_rules: DrawRules) -> TestGame {
    TestGame::new(NewGame { variant, fen: fen.map(Into::into), draw_rules, ..chess(Options::default()) })
}

fn position(fen: &str) -> TestGame {
    TestGame::at(fen, Options::default())
}

#[test]
fn c16_checkmate() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    test.play("f2f3 e7e5 g2g4 d8h4").ends(GameResult::BlackWins, EndReason::Checkmate);
    let refusal = test.refused(&Act::Resign.by(White));
    assert_eq!(
        refusal,
        Refusal::Over(Ending { result: GameResult::BlackWins, reason: EndReason::Checkmate })
    );
}

#[test]
fn c17_resignation_is_possible_out_of_turn() {
    let mut test = board(Variant::Baroque, None, DrawRules::Club);
    test.command(&Act::Resign.by(Black));
    test.ends(GameResult::WhiteWins, EndReason::Resignation);
}

#[test]
fn c18_stalemate() {
    position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").play("g5g6").ends(GameResult::Draw, EndReason::Stalemate);
}

#[test]
fn c19_insufficient_material_draws_but_two_knights_continue_under_fide_rules() {
    let last_pawn = "8/8/4k3/8/8/4p3/4K3/1N3N2 w - - 0 1";
    position(last_pawn).play("e2e3").ends(GameResult::Draw, EndReason::InsufficientMaterial);
    board(Variant::Chess, Some(last_pawn), DrawRules::Fide).play("e2e3").goes_on();
}

#[test]
fn c20_a_dead_position_draws_at_once() {
    // The last pawn completes a wall: no king gets through, and nothing can ever be captured.
    position("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1")
        .play("g3g4")
        .ends(GameResult::Draw, EndReason::DeadPosition);
    // With a gap left, the game continues.
    position("4k3/8/8/p1p1p3/P1P1P3/6P1/8/4K3 w - - 0 1").play("g3g4").goes_on();
}

/// The turn is neither a pawn move nor a capture, but now the rook must be captured, which leaves two kings.
#[test]
fn c20_a_forced_taking_may_leave_a_dead_position() {
    position("k1K5/7R/8/8/8/8/8/8 w - - 1 40").play("h7a7").ends(GameResult::Draw, EndReason::DeadPosition);
    // Here the king may also move away.
    position("k2K4/7R/8/8/8/8/8/8 w - - 1 40").play("h7a7").goes_on();
}

#[test]
fn c21_fifty_moves_are_automatic_under_club_rules() {
    let mut test = position("8/8/4k3/8/8/4K3/8/R7 w - - 98 80");
    test.play("a1a2").goes_on();
    test.play("e6e5").ends(GameResult::Draw, EndReason::FiftyMoves);
}

#[test]
fn c21_mate_takes_precedence_over_fifty_moves() {
    let mut test = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80");
    test.play("a1a8").ends(GameResult::WhiteWins, EndReason::Checkmate);
}

#[test]
fn c21_under_fide_rules_fifty_moves_are_claimed_and_seventy_five_automatic() {
    let fen = "8/8/4k3/8/8/4K3/8/R7 w - - 98 80";
    let mut test = board(Variant::Chess, Some(fen), DrawRules::Fide);
    assert_eq!(test.refused(&Act::ClaimDraw.by(White)), Refusal::NothingToClaim);
    test.play("a1a2 e6e5").goes_on();
    assert_eq!(test.refused(&Act::ClaimDraw.by(Black)), Refusal::NotYourTurn { turn: White });
    test.command(&Act::ClaimDraw.by(White));
    test.ends(GameResult::Draw, EndReason::FiftyMoves);

    let fen = "8/8/4k3/8/8/4K3/8/R7 w - - 149 120";
    board(Variant::Chess, Some(fen), DrawRules::Fide)
        .play("a1a2")
        .ends(GameResult::Draw, EndReason::SeventyFiveMoves);
}

const KNIGHTS_OUT_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn c22_threefold_repetition_is_automatic_under_club_rules() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    test.play(KNIGHTS_OUT_AND_BACK).goes_on();
    test.play(KNIGHTS_OUT_AND_BACK).ends(GameResult::Draw, EndReason::Repetition);
}

#[test]
fn c22_under_fide_rules_three_are_claimed_and_five_automatic() {
    let mut test = board(Variant::Chess, None, DrawRules::Fide);
    test.play(KNIGHTS_OUT_AND_BACK).play(KNIGHTS_OUT_AND_BACK).goes_on();
    let three = test.game.clone();
    test.play(KNIGHTS_OUT_AND_BACK)
        .play(KNIGHTS_OUT_AND_BACK)
        .ends(GameResult::Draw, EndReason::FivefoldRepetition);
    let claim = three.decide(&Act::ClaimDraw.by(White), 0).unwrap();
    assert_eq!(claim[0].kind, EventKind::Ended { result: GameResult::Draw, reason: EndReason::Repetition });
}

#[test]
fn c22_repetition_draws_in_baroque() {
    let mut test = board(Variant::Baroque, None, DrawRules::Club);
    let out_and_back = "b2b3 b7b6 b3b2 b6b7";
    test.play(out_and_back).goes_on();
    test.play(out_and_back).ends(GameResult::Draw, EndReason::Repetition);
}

/// The side whose turn completes the repetition loses, even under FIDE rules. Here it is Black, who moves
/// back last.
#[test]
fn i12_repetition_loses_in_interweave() {
    for rules in [DrawRules::Club, DrawRules::Fide] {
        let mut test = board(Variant::Interweave, Some("4k2k/8/8/8/8/8/8/K2K4 w - - 0 1"), rules);
        let out_and_back = "a1b2 h8g7 b2a1 g7h8";
        test.play(out_and_back).goes_on();
        test.play(out_and_back).ends(GameResult::WhiteWins, EndReason::Repetition);
    }
}

#[test]
fn i3_taking_a_king_wins() {
    board(Variant::Interweave, Some("7k/8/8/8/8/4k3/4K3/K7 w - - 0 1"), DrawRules::Club)
        .play("e2e4")
        .ends(GameResult::WhiteWins, EndReason::KingCaptured);
}

#[test]
fn i12_a_side_that_cannot_move_loses() {
    board(Variant::Interweave, Some("k7/1P6/8/8/8/8/6P1/K1K4k w - - 0 1"), DrawRules::Club)
        .play("c1d2")
        .ends(GameResult::WhiteWins, EndReason::NoMoves);
}

#[test]
fn c24_agreement() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    assert_eq!(test.refused(&Act::AcceptDraw.by(Black)), Refusal::NoOffer);
    test.command(&Act::OfferDraw.by(White));
    assert_eq!(test.game.draw_offer(), Some(White));
    assert_eq!(test.refused(&Act::AcceptDraw.by(White)), Refusal::NoOffer);
    assert_eq!(test.refused(&Act::OfferDraw.by(White)), Refusal::DrawOfferPending { by: White });
    // The offer stays open while the player who made it moves.
    test.play("e2e4");
    test.command(&Act::AcceptDraw.by(Black));
    test.ends(GameResult::Draw, EndReason::Agreement);
}

#[test]
fn c24_two_offers_that_cross_are_an_agreement() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    test.command(&Act::OfferDraw.by(White));
    test.command(&Act::OfferDraw.by(Black));
    test.ends(GameResult::Draw, EndReason::Agreement);
}

#[test]
fn c24_an_offer_ends_when_it_is_refused_or_the_receiver_moves() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    test.command(&Act::OfferDraw.by(White));
    test.command(&Act::DeclineDraw.by(Black));
    assert_eq!(test.game.draw_offer(), None);
    assert_eq!(test.refused(&Act::AcceptDraw.by(Black)), Refusal::NoOffer);
    // White may not offer again in the same turn, whether before or after the move.
    assert_eq!(test.refused(&Act::OfferDraw.by(White)), Refusal::OfferedThisTurn);
    test.play("e2e4");
    assert_eq!(test.refused(&Act::OfferDraw.by(White)), Refusal::OfferedThisTurn);
    test.play("e7e5");
    test.command(&Act::OfferDraw.by(White));
    test.play("g1f3 b8c6");
    assert_eq!(test.game.draw_offer(), None);
    assert_eq!(test.refused(&Act::AcceptDraw.by(Black)), Refusal::NoOffer);
}

#[test]
fn c24_black_may_offer_a_draw_before_and_during_its_first_turn() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    test.command(&Act::OfferDraw.by(Black));
    test.command(&Act::DeclineDraw.by(White));
    assert_eq!(test.refused(&Act::OfferDraw.by(Black)), Refusal::OfferedThisTurn);
    test.play("e2e4");
    assert_eq!(test.game.draw_offer(), None);
    test.command(&Act::OfferDraw.by(Black));
    assert_eq!(test.game.draw_offer(), Some(Black));
}

#[test]
fn refusals_give_the_reason() {
    let mut test = board(Variant::Chess, None, DrawRules::Club);
    let play = |by, turn: &str, version| play(turn, version).by(by);
    assert_eq!(test.refused(&play(Black, "e7e5", 1)), Refusal::NotYourTurn { turn: White });
    assert_eq!(test.refused(&play(White, "e2e4", 2)), Refusal::OtherPosition { seen: 2, now: 1 });
    let refusal = test.refused(&play(White, "e2e5", 1));
    assert!(matches!(&refusal, Refusal::Turn(TurnError::Illegal { .. })), "{refusal:?}");
    assert_eq!((refusal.code(), refusal.args()[0].clone()), ("turn-illegal", ("turn", "e2e5".into())));
    assert_eq!(test.refused(&play(White, "e4e5", 1)).code(), "turn-empty-square");
    assert_eq!(test.refused(&play(White, "e7e5", 1)).code(), "turn-not-your-man");
    for nonsense in ["", "e2", "e2e9", "♞f3", "e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4"] {
        test.refused(&play(White, nonsense, 1));
    }
}

#[test]
fn a_seat_can_be_taken_only_once() {
    let seats = ByColor { white: Seat::Open, black: person("bela") };
    let new = NewGame {
        variant: Variant::Chess,
        fen: None,
        draw_rules: DrawRules::Club,
        seats,
        options: Options::default(),
    };
    let mut test = TestGame::new(new);
    let play = play("e2e4", 2).by(White);
    assert_eq!(test.refused(&play), Refusal::NotStarted);
    assert_eq!(test.refused(&Act::Resign.by(Black)), Refusal::NotStarted);
    let join = |color, name: &str| Command::Join { color, player: player(name) };
    assert_eq!(test.refused(&join(White, "bela")), Refusal::AlreadySeated { color: Black });
    assert_eq!(test.refused(&join(Black, "carl")), Refusal::SeatTaken { color: Black });
    test.command(&join(White, "anna"));
    assert_eq!(test.refused(&join(White, "carl")), Refusal::SeatTaken { color: White });
    test.command(&play);
    assert_eq!(test.game.color_of(&player("anna")), Some(White));
}

#[test]
fn the_machine_answers_an_offer_and_then_plays() {
    let seats = ByColor { white: person("anna"), black: Seat::Machine { level: 2 } };
    let new = NewGame {
        variant: Variant::Interweave,
        fen: None,
        draw_rules: DrawRules::Club,
        seats,
        options: Options::default(),
    };
    let mut test = TestGame::new(new);
    let task = |duty| Some(MachineTask { color: Black, level: 2, duty });
    assert_eq!(test.game.machine_task(), None);
    test.play("b2c3");
    assert_eq!(test.game.machine_task(), task(MachineDuty::Play));
    test.command(&Act::OfferDraw.by(White));
    assert_eq!(test.game.machine_task(), task(MachineDuty::AnswerDrawOffer));
    test.command(&Act::DeclineDraw.by(Black));
    assert_eq!(test.game.machine_task(), task(MachineDuty::Play));
    test.command(&Act::Resign.by(White));
    assert_eq!(test.game.machine_task(), None);
}

#[test]
fn impossible_games_are_refused() {
    let seats = ByColor { white: person("anna"), black: person("bela") };
    let create = |fen: &str| {
        let fen = Some(fen.to_owned());
        Game::create(
            NewGame {
                variant: Variant::Chess,
                fen,
                draw_rules: DrawRules::Club,
                seats: seats.clone(),
                options: Options::default(),
            },
            0,
        )
    };
    assert!(matches!(create("nonsense"), Err(CreateError::Position(_))));
    assert!(matches!(create("8/8/8/8/8/8/8/8 w - - 0 1"), Err(CreateError::Position(_))));
    let mated = create("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert!(matches!(mated, Err(CreateError::Over(Ending { reason: EndReason::Checkmate, .. }))));
    let new = chess(clock(TimeControl::Fischer { initial_ms: 1, increment_ms: 0 }));
    let range = TimeControlError::Initial(1);
    assert_eq!(Game::create(new, 0).err(), Some(CreateError::Clock(range)));
    assert_eq!(range.code(), "clock-initial");
    let old = create("8/8/4k3/8/8/4K3/8/R7 w - - 100 80");
    assert!(matches!(old, Err(CreateError::Over(Ending { reason: EndReason::FiftyMoves, .. }))));
}

#[test]
fn an_arbiter_ends_a_game_whatever_the_clocks_show() {
    let reason = EndReason::Adjudication;
    for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::NoResult] {
        let adjudicate = Command::Adjudicate { result };
        let mut test = TestGame::new(chess(clock(SUDDEN_DEATH)));
        test.play("e2e4 e7e5");
        // Long after White's flag has fallen.
        let (events, after) = advance(&test.game, &adjudicate, i64::from(u32::MAX)).unwrap();
        assert_eq!(events.len(), 1);
        assert_eq!(after.ending(), Some(Ending { result, reason }));
        test.command(&adjudicate);
        test.ends(result, reason);
        assert_eq!(test.refused(&adjudicate), Refusal::Over(Ending { result, reason }));
    }
    // The second seat is still open.
    let seats = ByColor { white: person("anna"), black: Seat::Open };
    let mut open = TestGame::new(NewGame { seats, ..chess(clock(SUDDEN_DEATH)) });
    open.command(&Command::Adjudicate { result: GameResult::NoResult });
    open.ends(GameResult::NoResult, reason);
}

#[test]
fn c25_in_a_match_a_side_that_does_not_begin_loses() {
    let in_match = Some(Box::new(MatchGame { id: match_id("m1"), number: 2 }));
    let options = || Options { in_match: in_match.clone(), ..clock(SUDDEN_DEATH) };
    // Either side may call the game off, during either side's turn.
    for (script, outcome) in [
        ("1 white abort", "over 0-1 forfeit"),
        ("1 black abort", "over 1-0 forfeit"),
        ("1 white e2e4\n2 white abort", "over 0-1 forfeit"),
        ("1 white e2e4\n2 black abort", "over 1-0 forfeit"),
        ("30000 server tick", "over 0-1 forfeit"),
        ("1 white e2e4\n30001 server tick", "over 1-0 forfeit"),
    ] {
        TestGame::new(chess(options())).script(&format!("{script} => {outcome}"));
    }
    // Once both sides have played, a game in a match follows the same rules as any other.
    TestGame::new(chess(options())).play("e2e4 e7e5").script("100 white abort => !first-turns-played");
    // Without an opponent, the game has not begun and cannot be lost.
    let seats = ByColor { white: person("anna"), black: Seat::Open };
    TestGame::new(NewGame { seats, ..chess(options()) }).script("1 white abort => over * aborted");
}

#[test]
fn c25_in_a_match_without_clocks_an_absent_player_has_left() {
    let in_match = Some(Box::new(MatchGame { id: match_id("m1"), number: 1 }));
    TestGame::new(chess(Options { in_match, ..Options::default() })).script(
        "
        1     white claim-left 60000 => !your-turn
        2     white e2e4
        60000 white claim-left 59999 => !still-there
        60002 white claim-left 60000 => over 1-0 abandonment
        ",
    );
    TestGame::new(chess(Options::default())).script(
        "
        2     white e2e4
        60002 white claim-left 60000 => !first-turns-open
        ",
    );
}
