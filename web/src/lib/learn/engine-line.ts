/** What the engine says about a problem: how play continues, and what that wins. */
import type { AnswerView, InfoView } from '../analysis-types';
import type { EngineClient } from '../analysis/engine';
import type { Color } from '../api';
import { i18n, t } from '../i18n/i18n.svelte';
import { thePiece } from '../question/answer-text';
import type { PieceView, Position } from '../rules';

/** The part of the engine used here. Tests replace it. */
export type LineEngine = Pick<EngineClient, 'search' | 'close'>;

export interface LineRequest {
  /** The position from which won and lost pieces are counted. */
  readonly base: Position;
  /** The turns played since, in coordinate notation. The engine continues after them. */
  readonly turns: readonly string[];
  /** The side that the line should be good for. */
  readonly winner: Color;
}

export interface EngineLine {
  /**
   * The turns that follow, in coordinate notation: up to the point where a gain is on the board,
   * or only the first few if there is none.
   */
  readonly turns: readonly string[];
  /**
   * What the winner gets, as the predicate of a sentence; null if the line is not clearly good for
   * that side.
   */
  readonly gain: string | null;
}

/**
 * Number of nodes to search: as many as in the second of the two searches in which the problem
 * generator confirms a gain (`GAIN_NODES` in `crates/problems`).
 */
const NODES = 250_000;
/** Maximum time until the answer, including the time to load the engine, in milliseconds. */
const MAX_MS = 30_000;
/** Maximum number of turns shown. */
const MAX_TURNS = 10;
/** Number of turns shown if no material is won. */
const TURNS_WITHOUT_GAIN = 6;
/** Minimum material gain, in the engine's units. */
const MIN_GAIN = 100;
/** Minimum score for a clear advantage, in hundredths of a pawn. */
const MIN_ADVANTAGE = 150;

type Values = AnswerView['values'];

/** A turn of a line, with the pieces that it captures. */
interface Ply {
  readonly after: Position;
  readonly taken: readonly PieceView[];
  /** Whether it captures or promotes. */
  readonly isLoud: boolean;
}

/** Asks the engine how play continues. Throws if there is no answer in time. */
export async function findLine(engine: LineEngine, request: LineRequest): Promise<EngineLine> {
  const { base, turns } = request;
  const timer = setTimeout(() => engine.close(), MAX_MS);
  try {
    const answer = await engine.search(
      {
        variant: base.variant,
        fen: base.view.fen,
        turns: [...turns],
        lines: 1,
        threads: 1,
        nodes: NODES,
        depth: null,
      },
      () => {},
    );
    if (answer === null) throw new Error('the search was stopped');
    const { best, values } = answer;
    return best === null ? { turns: [], gain: null } : readLine(request, best, values);
  } finally {
    clearTimeout(timer);
  }
}

function readLine(request: LineRequest, best: InfoView, values: Values): EngineLine {
  const { base, turns, winner } = request;
  const line = best.pv.map(({ text }) => text);
  const sign = winner === 'white' ? 1 : -1;
  if (best.mate !== null) {
    const count = best.mate * sign;
    const gain = count > 0 ? t('problem-gains-win', { count }) : null;
    return { turns: line.slice(0, MAX_TURNS), gain };
  }
  const plies = pliesOf(base, [...turns, ...line]);
  const before = material(base, winner, values);
  /** Returns the material won after a number of turns of the engine's line. */
  const gainAfter = (count: number): number => {
    const { after } = plies[turns.length + count - 1] ?? { after: base };
    return material(after, winner, values) - before;
  };
  // In the middle of an exchange, a count of the material is misleading.
  const settled = line
    .map((_, count) => count)
    .filter((count) => isSettled(plies, turns.length + count));
  // If the winner is to move, the line shows at least the reply to the last turn, even if the gain
  // is already on the board.
  const isReply = (plies[turns.length - 1]?.after ?? base).view.turn === winner;
  const shown = settled.find(
    (count) =>
      count >= (isReply ? 1 : 0) &&
      count <= MAX_TURNS &&
      settled.every((later) => later < count || gainAfter(later) >= MIN_GAIN),
  );
  if (shown !== undefined) {
    const taken = plies.slice(0, turns.length + shown).flatMap((ply) => ply.taken);
    const gain = gainText(taken, winner);
    if (gain !== null) return { turns: line.slice(0, shown), gain };
  }
  const isBetter = (best.centipawns ?? 0) * sign >= MIN_ADVANTAGE;
  return {
    turns: line.slice(0, shown ?? TURNS_WITHOUT_GAIN),
    gain: isBetter ? t('problem-gains-advantage') : null,
  };
}

function pliesOf(base: Position, turns: readonly string[]): Ply[] {
  let current = base;
  return turns.map((turn) => {
    const { steps } = current.describe(turn);
    const taken: PieceView[] = [];
    for (const { text, takes } of steps) {
      taken.push(...current.view.pieces.filter(({ square }) => takes.includes(square)));
      current = current.play(text);
    }
    const isLoud = taken.length > 0 || steps.some(({ promotion }) => promotion !== null);
    return { after: current, taken, isLoud };
  });
}

/** Whether the two turns after the first `count` turns are known and quiet. */
function isSettled(plies: readonly Ply[], count: number): boolean {
  const next = plies.slice(count, count + 2);
  return next.length === 2 && next.every(({ isLoud }) => !isLoud);
}

/** Returns the value of a side's pieces minus the value of the opponent's pieces. */
function material({ view }: Position, side: Color, values: Values): number {
  return view.pieces.reduce(
    (sum, { color, role }) => sum + (color === side ? 1 : -1) * (values[role] ?? 0),
    0,
  );
}

/** Names the pieces won and lost, except pairs of the same kind; null if nothing was won. */
function gainText(taken: readonly PieceView[], winner: Color): string | null {
  const lost = taken.filter(({ color }) => color === winner);
  const won = taken.filter(({ color, role }) => {
    if (color === winner) return false;
    const pair = lost.findIndex((other) => other.role === role);
    if (pair >= 0) lost.splice(pair, 1);
    return pair < 0;
  });
  if (won.length === 0) return null;
  const pieces = listText(won);
  return lost.length === 0
    ? t('problem-gains', { pieces })
    : t('problem-gains-for', { pieces, lost: listText(lost) });
}

const listText = (pieces: readonly PieceView[]): string =>
  new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(
    pieces.map((piece) => t('touch-man', { piece: thePiece(piece), square: piece.square })),
  );
