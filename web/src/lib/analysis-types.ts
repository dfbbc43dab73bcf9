// Written by the tests of crates/wasm-analysis. Do not edit.
import type { Square } from './board';
import type { Color } from './api';
import type { Refusal } from './refusal';
import type { Role, Variant } from './variants';
export type SearchRequest = { variant: Variant, 
/**
 * Where the line began.
 */
fen: string, 
/**
 * The turns since then, in coordinate text: by them repetitions are seen.
 */
turns: Array<string>, 
/**
 * How many lines are wanted, from 1 to 10.
 */
lines: number, 
/**
 * How many threads search, from 1 to 8: this one, and of those that help as many as there are. With one thread
 * and a limit of nodes or depth, the same searches in the same order give the same answers.
 */
threads: number, 
/**
 * Nodes after which the search ends; none for a search that goes on until it is stopped.
 */
nodes: number | null, 
/**
 * Depth in turns at which the search ends; none for no such limit.
 */
depth: number | null, };
export type PvView = { 
/**
 * Coordinate text.
 */
text: string, 
/**
 * With English letters.
 */
san: string, };
export type InfoView = { 
/**
 * Depth in turns.
 */
depth: number, 
/**
 * The longest line looked at, in turns.
 */
selectiveDepth: number, 
/**
 * 1 for the best line, 2 for the next one …
 */
line: number, 
/**
 * Hundredths of a pawn, unless the end is certain.
 */
centipawns: number | null, 
/**
 * In how many moves the game ends for certain: positive if White wins. 0 does not come.
 */
mate: number | null, 
/**
 * The points that White may expect, from 0 to 1.
 */
expected: number, 
/**
 * Whether the score is at least (`lower`) or at most (`upper`) this much for the side to move; none if it is exact.
 */
bound: 'lower' | 'upper' | null, 
/**
 * Positions looked at by all threads.
 */
nodes: number, 
/**
 * Threads that have looked at some.
 */
threads: number, 
/**
 * Since the search began.
 */
elapsedMs: number, 
/**
 * The turns that both sides are expected to play.
 */
pv: Array<PvView>, };
export type AnswerView = { 
/**
 * The best line; none where there is no legal turn.
 */
best: InfoView | null, 
/**
 * The points that White has, if the position ends the game by itself: 0, 0.5 or 1.
 */
points: number | null, };
export type ManView = { square: Square, color: Color, role: Role, };
export type StoreView = { color: Color, role: Role, 
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
 * The squares of the rooks that could be among them, where the men stand now. Not read back.
 */
couldCastle: Square[], 
/**
 * One for each side and each role that can be put back; empty in games without reserves.
 */
reserves: Array<StoreView>, enPassant: EnPassantView | null, 
/**
 * Turns of one side since the last progress.
 */
halfmoveClock: number, 
/**
 * Number of the move, 1 at the start.
 */
fullmoveNumber: number, };
export type TagView = { name: string, value: string, };
export type LineView = { 
/**
 * What is said before the first turn.
 */
comments: Array<string>, nodes: Array<NodeView>, };
export type NodeView = { 
/**
 * Coordinate text, or `--` for a null move.
 */
turn: string, 
/**
 * Numbers of its marks: 1 is `!`, 2 is `?` …
 */
nags: Array<number>, comments: Array<string>, 
/**
 * What could be played instead of it.
 */
variations: Array<LineView>, };
export type GameView = { variant: Variant, 
/**
 * Where it begins.
 */
fen: string, tags: Array<TagView>, result: '1-0' | '0-1' | '1/2-1/2' | '*', main: LineView, };
export type PgnProblem = { 
/**
 * 1 for the first line of the text.
 */
line: number, 
/**
 * Which turn of the game, 1 for the first whoever plays it; none where it is not a turn.
 */
turn: number | null, reasons: Refusal[], };
export type PgnView = { 
/**
 * None where nothing could be read.
 */
game: GameView | null, problem: PgnProblem | null, 
/**
 * What was changed or left out, the first of it.
 */
warnings: Array<PgnProblem>, 
/**
 * How many more there are.
 */
moreWarnings: number, };
export type PgnFile = { 
/**
 * The first of them, at most fifty.
 */
games: Array<PgnView>, 
/**
 * How many there are.
 */
total: number, };
