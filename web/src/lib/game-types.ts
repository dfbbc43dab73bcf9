// Written by the tests of crates/wasm-game. Do not edit.
import type { Act, GameResult } from './api';
/** How long a player must have been away before the other one may claim the win, in milliseconds. */
export const leftAfterMs = 60000;
/** What a player gives to the other side at once, in milliseconds. */
export const giftMs = 15000;
/** The most replies that one tree of conditional turns knows. */
export const mostConditions = 64;
export type PossibleActView = { 
/**
 * The type of the message that asks for it.
 */
act: Act['type'], 
/**
 * The result with which the game ends by it, if it does.
 */
ends: GameResult | null, };
