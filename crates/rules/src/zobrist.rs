//! Fixed pseudo-random numbers that identify positions.
//!
//! Zobrist, *A new hashing method with application for game playing* (1970): a position's key is the
//! exclusive or of one number for each of its features. The numbers come from `SplitMix64`, so they are the
//! same in every build.

use crate::{
    color::Color,
    role::{Piece, Role},
    square::Square,
};

const PIECES: usize = 2 * Role::MAX * 64;
/// The maximum number of men of a role in reserve: a side has no more men than this in total.
pub(crate) const MAX_RESERVE: usize = 16;
const RESERVE_KEYS: usize = 2 * Role::MAX * (MAX_RESERVE + 1);

struct Keys {
    pieces: [u64; PIECES],
    castling: [u64; 64],
    en_passant: [u64; 64],
    chain: [u64; 64],
    reserves: [u64; RESERVE_KEYS],
    black_to_move: u64,
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut keys = Keys {
        pieces: [0; PIECES],
        castling: [0; 64],
        en_passant: [0; 64],
        chain: [0; 64],
        reserves: [0; RESERVE_KEYS],
        black_to_move: 0,
    };
    let mut state = 0x0061_646f_7562_6521;
    let mut index = 0;
    while index < PIECES {
        (state, keys.pieces[index]) = split_mix(state);
        index += 1;
    }
    index = 0;
    while index < 64 {
        (state, keys.castling[index]) = split_mix(state);
        (state, keys.en_passant[index]) = split_mix(state);
        (state, keys.chain[index]) = split_mix(state);
        index += 1;
    }
    index = 0;
    while index < RESERVE_KEYS {
        (state, keys.reserves[index]) = split_mix(state);
        index += 1;
    }
    (_, keys.black_to_move) = split_mix(state);
    keys
}

const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, mixed ^ (mixed >> 31))
}

/// Returns the number for a man on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[(piece.color.index() * Role::MAX + piece.role.index()) * 64 + square.index()]
}

/// Returns the number for a rook that may still castle.
#[inline]
pub(crate) fn castling(rook: Square) -> u64 {
    KEYS.castling[rook.index()]
}

/// Returns the number for a possible en passant capture, given the square that the pawn crossed.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square.index()]
}

/// Returns the number for a chain that the man on a square must continue.
#[inline]
pub(crate) fn chain(square: Square) -> u64 {
    KEYS.chain[square.index()]
}

/// Returns the number for the count of a role's men in a side's reserve.
#[inline]
pub(crate) fn reserve(color: Color, role: Role, count: u8) -> u64 {
    let count = (count as usize).min(MAX_RESERVE);
    KEYS.reserves[(color.index() * Role::MAX + role.index()) * (MAX_RESERVE + 1) + count]
}

/// Returns the number for Black to move.
#[inline]
pub(crate) fn black_to_move() -> u64 {
    KEYS.black_to_move
}
