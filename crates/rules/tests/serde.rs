//! Tests the serialized forms of values, and that invalid input is refused.

use std::fmt::Debug;

use adoube_rules::{
    AnyPosition, Baroque, ByColor, Chess, Color, Draw, DrawRules, EnPassant, File, Interweave, Outcome,
    Piece, Position, Rank, Role, Setup, Square, SquareSet, Step, Turn, Ultima, Variant, Win, explain, fen,
    for_each_game,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

#[track_caller]
fn assert_serialized<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, expected: Value) {
    assert_eq!(serde_json::to_value(value).unwrap(), expected);
    assert_eq!(serde_json::from_value::<T>(expected).unwrap(), *value);
}

#[track_caller]
fn assert_refused<T: DeserializeOwned + Debug>(value: Value, expected: &str) {
    let error = serde_json::from_value::<T>(value).unwrap_err().to_string();
    assert_eq!(error, expected);
}

fn queen(color: Color) -> Piece {
    Piece { color, role: Role::new(4) }
}

#[test]
fn values_are_serialized_as_text_or_plain_structures() {
    assert_serialized(&Square::E4, json!("e4"));
    assert_serialized(&File::C, json!("c"));
    assert_serialized(&Rank::Seventh, json!("7"));
    assert_serialized(&Color::Black, json!("black"));
    for variant in Variant::ALL {
        assert_serialized(&variant, json!(variant.name()));
    }
    assert_serialized(&queen(Color::White), json!({ "color": "white", "role": 4 }));
    assert_serialized(
        &explain::man(&AnyPosition::initial(Variant::Chess), Square::D8).unwrap().man,
        json!({ "square": "d8", "piece": { "color": "black", "role": 4 } }),
    );
    assert_serialized(&SquareSet::from_iter([Square::H8, Square::A1]), json!(["a1", "h8"]));
    assert_serialized(&SquareSet::EMPTY, json!([]));
    assert_serialized(&ByColor { white: 3, black: 5 }, json!({ "white": 3, "black": 5 }));
    assert_serialized(
        &EnPassant { crossed: Square::D3, pawn: Square::E4 },
        json!({ "crossed": "d3", "pawn": "e4" }),
    );
    assert_serialized(&DrawRules::Fide, json!("fide"));
    assert_serialized(
        &Outcome::Decisive { winner: Color::Black, reason: Win::KingCaptured },
        json!({ "decisive": { "winner": "black", "reason": "king-captured" } }),
    );
    assert_serialized(
        &Outcome::Draw { reason: Draw::FiftyMoves },
        json!({ "draw": { "reason": "fifty-moves" } }),
    );
    for reason in [Win::Checkmate, Win::KingCaptured, Win::NoMoves, Win::Repetition] {
        assert_serialized(&reason, json!(reason.name()));
    }
    for reason in [Draw::Stalemate, Draw::InsufficientMaterial, Draw::FiftyMoves, Draw::Repetition] {
        assert_serialized(&reason, json!(reason.name()));
    }
}

#[test]
fn steps_and_turns_name_their_squares() {
    let step = Step::new(Square::E2, Square::E4);
    assert_serialized(&step, json!({ "from": "e2", "to": "e4" }));
    let promotion = Step::promoting(Square::B7, Square::B8, Role::new(4));
    assert_serialized(&promotion, json!({ "from": "b7", "to": "b8", "promotion": 4 }));
    let mut turn = Turn::from(Step::new(Square::E5, Square::E7));
    turn.push(Step::new(Square::E7, Square::C7));
    assert_serialized(&turn, json!([{ "from": "e5", "to": "e7" }, { "from": "e7", "to": "c7" }]));
    assert_serialized(&Turn::empty(), json!([]));
}

#[test]
fn setups_and_positions_are_fens() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let with_game = json!({ "variant": "chess", "fen": start });
    assert_serialized(&Variant::Chess.initial_setup(), with_game.clone());
    assert_serialized(&AnyPosition::initial(Variant::Chess), with_game);
    assert_serialized(&Chess::default(), json!(start));
    // A setup need not be playable.
    let empty_board = fen::parse(Variant::Baroque, "8/8/8/8/8/8/8/8").unwrap();
    assert_serialized(&empty_board, json!({ "variant": "baroque", "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }));

    macro_rules! initial {
        ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
            $(assert_serialized(&adoube_rules::$position::default(), json!(Variant::$variant.initial_fen()));)*
        };
    }
    for_each_game!([initial]);
}

#[test]
fn a_value_without_a_fen_is_not_serialized() {
    let mut setup = Variant::Baroque.initial_setup();
    setup.castling = Square::H1.into();
    let error = serde_json::to_value(&setup).unwrap_err().to_string();
    assert!(error.starts_with("a FEN cannot express this setup; the nearest is "), "{error}");
    let mut setup = Setup::empty(Variant::Chess);
    setup.pieces[0] = Some(Piece { color: Color::White, role: Role::new(7) });
    assert!(serde_json::to_value(&setup).is_err());

    let before = Interweave::from_fen("k6k/3p4/4p3/4K3/8/8/8/7K").unwrap();
    let in_chain = before.after(Step::new(Square::E5, Square::E7));
    let expected = "a FEN cannot express that the man on e7 must continue its chain";
    assert_eq!(serde_json::to_value(&in_chain).unwrap_err().to_string(), expected);
    assert_eq!(serde_json::to_value(AnyPosition::from(in_chain)).unwrap_err().to_string(), expected);
}

#[test]
fn invalid_input_is_refused_with_a_message() {
    assert_refused::<Square>(json!("e9"), "\"e9\" is not a square; squares are a1 to h8");
    assert_refused::<Square>(json!(28), "invalid type: integer `28`, expected a square such as \"e4\"");
    assert_refused::<File>(json!("ab"), "\"ab\" is not a file; files are a to h");
    assert_refused::<Rank>(json!("9"), "\"9\" is not a rank; ranks are 1 to 8");
    assert_refused::<Color>(json!("red"), "no side is called \"red\"; the sides are \"white\" and \"black\"");
    assert_refused::<Variant>(json!("draughts"), &"draughts".parse::<Variant>().unwrap_err().to_string());
    assert_refused::<Role>(json!(8), "8 is not a role; roles are 0 to 7");
    assert_refused::<SquareSet>(json!(["a1", "b2", "a1"]), "a1 is in the list twice");
    assert_refused::<Step>(
        json!({ "from": "b7", "to": "b8", "promotion": 7 }),
        "a pawn cannot promote to role 7",
    );
    assert_refused::<Step>(
        json!({ "from": "b7", "to": "b8", "takes": "c8" }),
        "unknown field `takes`, expected one of `from`, `to`, `promotion`",
    );
    assert_refused::<Turn>(
        json!(vec![json!({ "from": "a1", "to": "a2" }); 17]),
        "a turn has at most 16 steps",
    );
    assert_refused::<Setup>(
        json!({ "variant": "baroque", "fen": "8/8/8" }),
        "the board has 3 ranks; there must be 8, separated by \"/\"",
    );
    assert_refused::<AnyPosition>(
        json!({ "variant": "chess", "fen": "8/8/8/8/8/8/8/8" }),
        "white has 0 kings; there must be exactly 1; black has 0 kings; there must be exactly 1",
    );
    assert_refused::<Chess>(json!("8/8/8/8/8/8/8/KK1k5"), "rank 1 has more than 8 squares: \"KK1k5\"");
    assert_refused::<Baroque>(json!("8/8/8/8/8/8/8/KK1k w"), "white has 2 kings; there must be exactly 1");
    assert_refused::<Ultima>(json!(1), "invalid type: integer `1`, expected a FEN");
}
