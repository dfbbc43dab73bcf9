// Written by the tests of crates/wasm. Do not edit.
import type { Square } from './board';
import type { Color } from './api';
export type RoleView = { name: string, letter: string, };
export type PieceView = { square: Square, color: Color, role: string, };
export type StepView = { from: Square, 
/**
 * Where the man ends; the same as `from` for one that takes without moving.
 */
to: Square, 
/**
 * Other squares by which a player may mean this step: the rook's, for castling.
 */
alsoTo: Square[], promotion: string | null, 
/**
 * The squares whose men disappear.
 */
takes: Square[], 
/**
 * Coordinate text, by which the step is played.
 */
text: string, };
export type ReserveView = { color: Color, role: string, count: number, };
export type PositionView = { turn: Color, pieces: Array<PieceView>, steps: Array<StepView>, 
/**
 * The kings of the side to move that are in check.
 */
check: Square[], 
/**
 * The man that must go on with its chain.
 */
chain: Square | null, reserves: Array<ReserveView>, fen: string, };
export type TurnView = { color: Color, 
/**
 * Coordinate text.
 */
text: string, 
/**
 * The turn as it is written down, with English letters.
 */
san: string, steps: Array<StepView>, 
/**
 * Whether it leaves the other side in check.
 */
check: boolean, };
export type Refusal = { code: string, args: { [key in string]: string }, };
