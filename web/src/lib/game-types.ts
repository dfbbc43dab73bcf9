// Written by the tests of crates/wasm-game. Do not edit.
import type { Act, GameResult } from './api';
/** The time for which a player must have been away before the opponent may claim the win, in milliseconds. */
export const leftAfterMs = 60000;
/** The time added to a clock when a player gives time to the opponent, in milliseconds. */
export const giftMs = 15000;
/** The maximum number of replies in a tree of conditional turns. */
export const maxConditions = 64;
export type PossibleActView = { 
/**
 * The type of the message that requests it.
 */
act: Act['type'], 
/**
 * The result of the game, if the action ends it; `null` for `claim-left`, whose result requires a search
 * (C23).
 */
ends: GameResult | null, };
