// Written by the tests of crates/wasm-analysis. Do not edit.
import type { Square } from './board';
import type { Color } from './api';
import type { Refusal } from './refusal';
import type { Role, Variant } from './variants';
export type SearchRequest = { variant: Variant, 
/**
 * The FEN of the position where the line began.
 */
fen: string, 
/**
 * The turns since then, in coordinate notation. They are needed to detect repetitions.
 */
turns: Array<string>, 
/**
 * The number of lines to search, from 1 to 10.
 */
lines: number, 
/**
 * The number of threads to search with, from 1 to 8: this one, and as many helpers as are available.
 * With one thread and a limit on nodes or depth, searches are reproducible if they are run in the same
 * order.
 */
threads: number, 
/**
 * The number of nodes after which the search ends; null for no limit.
 */
nodes: number | null, 
/**
 * The depth in turns at which the search ends; null for no limit.
 */
depth: number | null, };
export type PvView = { 
/**
 * In coordinate notation.
 */
text: string, 
/**
 * In SAN with English letters.
 */
san: string, };
export type InfoView = { 
/**
 * Depth in turns.
 */
depth: number, 
/**
 * The length of the longest line examined, in turns; in an answer, the same as `depth`.
 */
selectiveDepth: number, 
/**
 * 1 for the best line, 2 for the second best, …
 */
line: number, 
/**
 * The score in hundredths of a pawn; null if the result is certain.
 */
centipawns: number | null, 
/**
 * The number of moves after which the game certainly ends: positive if White wins. Never 0.
 */
mate: number | null, 
/**
 * White's expected points, from 0 to 1.
 */
expected: number, 
/**
 * `lower` if the exact score is at least as good for the side to move as this one, `upper` if it is at
 * most as good; null if this one is exact.
 */
bound: 'lower' | 'upper' | null, 
/**
 * The number of positions examined by all threads.
 */
nodes: number, 
/**
 * The number of threads that have examined at least one position.
 */
threads: number, 
/**
 * The time since the search began.
 */
elapsedMs: number, 
/**
 * The turns that both sides are expected to play.
 */
pv: Array<PvView>, };
export type AnswerView = { 
/**
 * The best line; null if there is no legal turn.
 */
best: InfoView | null, 
/**
 * White's points, if the game is over in this position: 0, 0.5 or 1.
 */
points: number | null, 
/**
 * The values of the game's men in the engine's own units, by role name.
 */
values: Partial<Record<Role, number>>, };
export type ManView = { square: Square, color: Color, role: Role, };
export type ReserveView = { color: Color, role: Role, 
/**
 * From 0 to 16.
 */
count: number, };
export type EnPassantView = { crossed: Square, pawn: Square, };
export type SetupView = { men: Array<ManView>, turn: Color, 
/**
 * The squares of the rooks that may castle.
 */
castling: Square[], 
/**
 * The squares of the rooks that could have a castling right. Ignored in setups sent back.
 */
couldCastle: Square[], 
/**
 * One entry for each side and each role that can be in reserve; empty in games without reserves.
 */
reserves: Array<ReserveView>, enPassant: EnPassantView | null, 
/**
 * The number of turns since the last one that counts as progress (C21).
 */
halfmoveClock: number, 
/**
 * The move number, 1 at the start.
 */
fullmoveNumber: number, };
export type TagView = { name: string, value: string, };
export type LineView = { 
/**
 * The comments before the first turn.
 */
comments: Array<string>, nodes: Array<NodeView>, };
export type NodeView = { 
/**
 * Coordinate notation, or `--` for a null move.
 */
turn: string, 
/**
 * The numbers of its marks: 1 is `!`, 2 is `?`, …
 */
nags: Array<number>, comments: Array<string>, 
/**
 * The alternatives to this turn.
 */
variations: Array<LineView>, };
export type GameView = { variant: Variant, 
/**
 * The FEN of its first position.
 */
fen: string, tags: Array<TagView>, result: '1-0' | '0-1' | '1/2-1/2' | '*', main: LineView, };
export type PgnProblem = { 
/**
 * The line number, 1 for the first line of the text.
 */
line: number, 
/**
 * The number of the main line's turn that cannot be read or played. Counts the turns of both sides, from
 * 1. Null for other problems.
 */
turn: number | null, reasons: Refusal[], };
export type PgnView = { 
/**
 * Null if nothing could be read.
 */
game: GameView | null, problem: PgnProblem | null, 
/**
 * The first warnings: changes and omissions.
 */
warnings: Array<PgnProblem>, 
/**
 * The number of further warnings.
 */
moreWarnings: number, };
export type PgnFile = { 
/**
 * The first games, at most fifty.
 */
games: Array<PgnView>, 
/**
 * The number of games in the text.
 */
total: number, };
