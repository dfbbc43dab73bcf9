//! Setups for the editor: the content of a FEN, playable or not.

use adoube_refusal as refusal;
use adoube_rules::{
    AnyPosition, Color, EnPassant, Piece, Position, ReadPositionError, Setup, Square, Variant, fen,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, parse_json, parse_variant, refuse};

/// A man on a square.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ManView {
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: String,
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: String,
    #[cfg_attr(test, ts(type = "Role"))]
    pub role: String,
}

/// The number of men of one role in a side's reserve.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReserveView {
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: String,
    #[cfg_attr(test, ts(type = "Role"))]
    pub role: String,
    /// From 0 to 16.
    pub count: u8,
}

/// A pawn's two-square advance, after which the pawn may be taken en passant.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EnPassantView {
    #[cfg_attr(test, ts(type = "Square"))]
    pub crossed: String,
    #[cfg_attr(test, ts(type = "Square"))]
    pub pawn: String,
}

/// The content of a FEN.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SetupView {
    pub men: Vec<ManView>,
    #[cfg_attr(test, ts(type = "Color"))]
    pub turn: String,
    /// The squares of the rooks that may castle.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub castling: Vec<String>,
    /// The squares of the rooks that could have a castling right. Ignored in setups sent back.
    #[cfg_attr(test, ts(type = "Square[]"))]
    #[serde(default)]
    pub could_castle: Vec<String>,
    /// One entry for each side and each role that can be in reserve; empty in games without reserves.
    pub reserves: Vec<ReserveView>,
    pub en_passant: Option<EnPassantView>,
    /// The number of turns since the last one that counts as progress (C21).
    pub halfmove_clock: u16,
    /// The move number, 1 at the start.
    pub fullmove_number: u16,
}

/// Returns the content of a FEN, as a [`SetupView`] in JSON. The setup need not be playable. The FEN is read
/// leniently, because it may have been pasted: castling rights without a rook are left out of the returned
/// setup.
#[wasm_bindgen(js_name = readSetup)]
pub fn read_setup(variant: &str, text: &str) -> Result<String, String> {
    let variant = parse_variant(variant)?;
    let (setup, _) = fen::parse_lenient(variant, text)
        .map_err(|error| json(&refusal::of_position(variant, &ReadPositionError::Fen(error))))?;
    Ok(json(&view(&setup)))
}

/// Writes a setup, given as a [`SetupView`] in JSON, as a FEN. The setup need not be playable.
#[wasm_bindgen(js_name = writeSetup)]
pub fn write_setup(variant: &str, setup: &str) -> Result<String, String> {
    let variant = parse_variant(variant)?;
    let setup = setup_of(variant, &parse_json(setup)?).ok_or_else(|| refuse("unknown"))?;
    Ok(fen::write(&setup))
}

/// Returns the FEN of the position with the other side to move, as if the side to move had passed. Fails if
/// the result would not be playable, for example because of a check.
#[wasm_bindgen(js_name = afterPassing)]
pub fn after_passing(variant: &str, text: &str) -> Result<String, String> {
    let variant = parse_variant(variant)?;
    let refused = |error: &ReadPositionError| json(&refusal::of_position(variant, error));
    let mut setup = AnyPosition::from_fen(variant, text).map_err(|error| refused(&error))?.to_setup();
    setup.side_to_move = !setup.side_to_move;
    setup.en_passant = None;
    let position =
        AnyPosition::from_setup(&setup).map_err(|error| refused(&ReadPositionError::Position(error)))?;
    Ok(position.fen())
}

fn view(setup: &Setup) -> SetupView {
    let variant = setup.variant;
    let men = Square::ALL.into_iter().filter_map(|square| {
        setup.pieces[square.index()].map(|piece| ManView {
            square: square.to_string(),
            color: piece.color.to_string(),
            role: variant.role_name(piece.role).to_owned(),
        })
    });
    let reserves = Color::ALL.into_iter().flat_map(|color| {
        variant.reserve_roles().iter().map(move |&role| ReserveView {
            color: color.to_string(),
            role: variant.role_name(role).to_owned(),
            count: setup.reserves[color][role.index()],
        })
    });
    SetupView {
        men: men.collect(),
        turn: setup.side_to_move.to_string(),
        castling: setup.castling.into_iter().map(|square| square.to_string()).collect(),
        could_castle: could_castle(setup).map(|square| square.to_string()).collect(),
        reserves: reserves.collect(),
        en_passant: setup.en_passant.map(|EnPassant { crossed, pawn }| EnPassantView {
            crossed: crossed.to_string(),
            pawn: pawn.to_string(),
        }),
        halfmove_clock: setup.halfmove_clock,
        fullmove_number: setup.fullmove_number,
    }
}

/// Returns the squares of the rooks that could have a castling right, each considered on its own.
fn could_castle(setup: &Setup) -> impl Iterator<Item = Square> {
    let with = move |square: Option<Square>| {
        let mut setup = setup.clone();
        setup.castling = square.into_iter().collect();
        AnyPosition::from_setup(&setup).err().map_or(0, |error| error.problems().len())
    };
    let without = with(None);
    // If the setup is not playable, for example because a king is missing, castling rights are not checked.
    // So check at least that the rook and its king are on the back rank.
    let has = move |at: Square, color: Color, role: &str| {
        let man = setup.pieces[at.index()];
        man.is_some_and(|man| man.color == color && setup.variant.role_name(man.role) == role)
    };
    let is_in_place = move |square: Square| {
        let color = match square.rank() {
            adoube_rules::Rank::First => Color::White,
            adoube_rules::Rank::Eighth => Color::Black,
            _ => return false,
        };
        let is_king = |at: &Square| at.rank() == square.rank() && has(*at, color, "king");
        has(square, color, "rook") && Square::ALL.iter().any(is_king)
    };
    let squares = if setup.variant.has_castling() { &Square::ALL[..] } else { &[] };
    squares.iter().copied().filter(move |&square| is_in_place(square) && with(Some(square)) <= without)
}

/// Returns the setup, or `None` if a name is unknown.
fn setup_of(variant: Variant, view: &SetupView) -> Option<Setup> {
    let mut setup = Setup::empty(variant);
    let color = |name: &str| name.parse::<Color>().ok();
    let square = |name: &str| name.parse::<Square>().ok();
    for man in &view.men {
        let piece = Piece { color: color(&man.color)?, role: variant.role_of_name(&man.role)? };
        setup.pieces[square(&man.square)?.index()] = Some(piece);
    }
    setup.side_to_move = color(&view.turn)?;
    setup.castling = view.castling.iter().map(|name| square(name)).collect::<Option<_>>()?;
    for reserve in &view.reserves {
        let role = variant.role_of_name(&reserve.role)?;
        setup.reserves[color(&reserve.color)?][role.index()] = reserve.count.min(16);
    }
    setup.en_passant = match &view.en_passant {
        Some(advance) => Some(EnPassant { crossed: square(&advance.crossed)?, pawn: square(&advance.pawn)? }),
        None => None,
    };
    setup.halfmove_clock = view.halfmove_clock;
    setup.fullmove_number = view.fullmove_number.max(1);
    Some(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n1_setups_round_trip_playable_or_not() {
        for (variant, text) in [
            (Variant::Chess, "r3k2r/pppppppp/8/8/4P3/8/PPPP1PPP/R3K2R b KQkq e3 3 7"),
            (Variant::Chess, "8/8/8/8/8/8/8/P7 w - - 0 1"),
            (Variant::Baroque, Variant::Baroque.initial_fen()),
            (Variant::Interweave, "3kkBb1/p1b2pp1/5p2/p7/2PnN3/5p2/2PPP1P1/1B1KK1r1[RRNrn] b - - 2 18"),
        ] {
            let setup = read_setup(variant.name(), text).unwrap();
            assert_eq!(write_setup(variant.name(), &setup).unwrap(), text);
        }
    }

    #[test]
    fn rooks_that_could_castle_are_listed_even_in_unplayable_setups() {
        let could = |text: &str| {
            let setup: SetupView = parse_json(&read_setup("chess", text).unwrap()).unwrap();
            setup.could_castle
        };
        assert_eq!(could("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"), ["a1", "h1", "a8", "h8"]);
        assert_eq!(could("8/8/8/8/8/8/8/R3K2R w - - 0 1"), ["a1", "h1"]);
        assert!(could("4k3/8/8/8/8/R6R/4K3/8 w - - 0 1").is_empty());
        let baroque: SetupView =
            parse_json(&read_setup("baroque", Variant::Baroque.initial_fen()).unwrap()).unwrap();
        assert!(baroque.could_castle.is_empty() && baroque.reserves.is_empty());
    }

    #[test]
    fn passing_is_refused_in_check() {
        let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
        assert_eq!(
            after_passing("chess", text).unwrap(),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        );
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        assert!(after_passing("chess", check).unwrap_err().contains("setup-opponent-in-check"));
        for variant in Variant::ALL {
            assert!(after_passing(variant.name(), variant.initial_fen()).unwrap().contains(" b "));
        }
    }

    #[test]
    fn invalid_setups_are_refused() {
        assert!(read_setup("chess", "8/8 w").unwrap_err().contains("fen-rank-count"));
        assert!(write_setup("chess", "[]").unwrap_err().contains("unknown"));
        let setup = read_setup("chess", Variant::Chess.initial_fen()).unwrap();
        assert!(write_setup("chess", &setup.replace("bishop", "withdrawer")).is_err());
    }
}
